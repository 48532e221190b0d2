"""The collection's store: copies checked out in decks, their replacements, and the order of boxes."""

from collection_copies import put
from helpers.error_messages import error_of

from ccgrid.catalog.holding import Holding, Place
from ccgrid.catalog.store.holdings import CollectionStore

AMBER = "mtg:dsk/1"


def fill_boxes(collection: CollectionStore, **boxes: int) -> list[Holding]:
    """Add copies of one card to these boxes, and return its holdings."""
    for box, copies in boxes.items():
        put(collection, AMBER, copies, place=Place(box))
    return collection.of_cards([AMBER])


def copies_in_decks(collection: CollectionStore) -> list[tuple[str, str, int]]:
    return [(one.deck, one.holding.place.box, one.copies) for one in collection.decks_out()]


def test_taking_more_than_free_copies_fails_and_names_copies_out(collection: CollectionStore) -> None:
    (holding,) = fill_boxes(collection, A=3)
    few = "4 copies of 'Amber Archivist' cannot be taken: only"
    with collection.change("try"):
        assert error_of(lambda: collection.take(holding, 4)) == f"{few} 3 available."
        collection.mark_out("Monday", holding, 1)
        assert error_of(lambda: collection.take(holding, 4)) == f"{few} 2 available; copies out in decks: 1."
        collection.mark_back("Monday")
        collection.take(holding, 3)
        assert error_of(lambda: collection.take(holding, 4)) == f"{few} 0 available."
    assert collection.totals() == (0, 0)


def test_released_copies_leave_last_deck_and_are_replaced(collection: CollectionStore) -> None:
    a, _, c = fill_boxes(collection, A=4, B=1, C=1)
    with collection.change("decks"):
        collection.mark_out("Monday", a, 2)
        collection.mark_out("Tuesday", a, 2)
        collection.mark_out("Sunday", c, 1)
        collection.release(a, 0)
    assert copies_in_decks(collection) == [("Monday", "A", 2), ("Sunday", "C", 1), ("Tuesday", "A", 2)]
    with collection.change("release"):
        collection.release(collection.of_cards([AMBER])[0], 1)
    assert copies_in_decks(collection) == [
        ("Monday", "A", 2),
        ("Sunday", "C", 1),
        ("Tuesday", "A", 1),
        ("Tuesday", "B", 1),
    ]
    with collection.change("release again"):
        collection.release(collection.of_cards([AMBER])[0], 3)
    assert copies_in_decks(collection) == [("Monday", "A", 1), ("Sunday", "C", 1), ("Tuesday", "B", 1)]


def test_boxes_sort_naturally_with_unboxed_last(collection: CollectionStore) -> None:
    boxes = ["A", "A1", "A-2", "Box 2", "box 10", "Box 10b", "Box 12345678901234567890", "Zoo", ""]
    for box in reversed(boxes):
        put(collection, AMBER, place=Place(box))
    assert [one.place.box for one in collection.of_cards([AMBER])] == boxes


def test_card_names_cover_known_cards_only(collection: CollectionStore) -> None:
    ids = [AMBER, "mtg:dsk/2", "mtg:dsk/999", AMBER]
    assert collection.card_names(ids) == {AMBER: "Amber Archivist", "mtg:dsk/2": "Brass Bellringer"}
    assert collection.card_names([]) == {}
