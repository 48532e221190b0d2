"""What is taken from where, decks taken out, and the words for it."""

import pytest
from collection_acts import owned_copies, put
from helpers.error_messages import error_of

from ccgrid.catalog.card import ZONES
from ccgrid.catalog.collection.edit import Edit, copy_key, edit_copies, move_copies, remove_copies
from ccgrid.catalog.collection.entry_session import find_card
from ccgrid.catalog.collection.pulls import (
    deck_needs,
    deck_problems,
    draw_copies,
    find_in_boxes,
    out_in,
    put_back,
    stats,
    take_out,
)
from ccgrid.catalog.holding import Place
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.engine.dice import Dice

# --- what is changed --------------------------------------------------------------------------------------------------


def test_copies_are_added_taken_and_moved(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("A"))
    assert owned_copies(collection) == ["3 Brass Bellringer (mtg, dsk 2, en) in A"]
    taken = move_copies(collection, "mtg:dsk/2", Edit(box=" B "), 1)
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 1)]
    assert owned_copies(collection) == [
        "2 Brass Bellringer (mtg, dsk 2, en) in A",
        "1 Brass Bellringer (mtg, dsk 2, en) in B",
    ]
    assert move_copies(collection, "mtg:dsk/2 box:B", Edit(box="B")) == []
    taken = remove_copies(collection, "mtg:dsk/2", 2)
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 2)]
    move_copies(collection, "mtg:dsk/2", Edit(box="C"), 1)
    assert owned_copies(collection) == ["1 Brass Bellringer (mtg, dsk 2, en) in C"]
    remove_copies(collection, "", None)
    assert owned_copies(collection) == []


def test_a_change_is_called_by_what_it_does(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 4)
    move_copies(collection, "brass", Edit(box="A"), 1)
    move_copies(collection, "", Edit(box=""))
    remove_copies(collection, "brass", 1)
    remove_copies(collection, "", None)
    labels = [change.what for change in collection.history()]
    assert labels == [
        "add 4 Brass Bellringer",
        "move brass to A",
        "move cards to nowhere",
        "remove 1 brass",
        "remove all cards",
    ]


def test_more_than_there_is_cannot_be_taken(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    few = "There are only 3 such copies not out in decks."
    assert error_of(lambda: remove_copies(collection, "brass", 4)) == few
    for copies in (0, -1, 1_000_001):
        words = f"{copies} copies: a number from 1 to 1,000,000 is needed."
        assert error_of(lambda copies=copies: remove_copies(collection, "brass", copies)) == words
        assert error_of(lambda copies=copies: put(collection, "mtg:dsk/2", copies)) == words
    assert owned_copies(collection) == ["3 Brass Bellringer (mtg, dsk 2, en)"]


def test_copies_of_different_kinds_are_not_taken_for_each_other(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/11", 2)
    put(collection, "mtg:dsk/11", 1, finish="foil", place=Place("A"))
    words = error_of(lambda: remove_copies(collection, "isle", 1))
    first, second = words.splitlines()
    assert first in (
        "Several entries match: 2 Isle (mtg, dsk 11, en); 1 Isle (mtg, dsk 11, foil, en) in A.",
        "Several entries match: 1 Isle (mtg, dsk 11, foil, en) in A; 2 Isle (mtg, dsk 11, en).",
    )
    assert second == "Add an id, set:, finish:, cond:, lang:, note:, box:; or all."
    assert len(remove_copies(collection, "isle finish:foil", 1)) == 1


def test_what_copies_are_is_changed_and_those_that_become_equal_are_one(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("A"))
    put(collection, "mtg:dsk/2", 1, condition="nm", place=Place("A"))
    edit_copies(collection, "brass", Edit(condition="NM", language="German"))
    assert owned_copies(collection) == ["4 Brass Bellringer (mtg, dsk 2, near-mint, de) in A"]
    edit_copies(collection, "brass", Edit(finish="f", note=" signed "), 1)
    assert sorted(owned_copies(collection)) == [
        "1 Brass Bellringer (mtg, dsk 2, foil, near-mint, de, signed) in A",
        "3 Brass Bellringer (mtg, dsk 2, near-mint, de) in A",
    ]
    edit_copies(collection, "note:signed", Edit(finish="normal", note=""))
    assert owned_copies(collection) == ["4 Brass Bellringer (mtg, dsk 2, near-mint, de) in A"]
    for _ in range(3):
        collection.undo()
    assert sorted(owned_copies(collection))[0] == "1 Brass Bellringer (mtg, dsk 2, near-mint, en) in A"


def test_copies_that_differ_in_their_note_alone_are_apart(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    edit_copies(collection, "brass", Edit(note="signed"), 1)
    assert sorted(one.note for one in collection.holdings()) == ["", "signed"]
    put(collection, "mtg:dsk/2", 1)
    assert sorted((one.note, one.copies) for one in collection.holdings()) == [("", 3), ("signed", 1)]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Edit(finish="fol"), "There is no finish 'fol'. Did you mean foil?"),
        (Edit(condition="nearmnt"), "There is no condition 'nearmnt'. Did you mean near-mint?"),
        (Edit(language="Germn"), "There is no language 'Germn'. Did you mean de?"),
    ],
)
def test_a_word_that_nobody_knows_is_refused(collection: CollectionStore, wanted: Edit, words: str) -> None:
    put(collection, "mtg:dsk/2", 1)
    before = owned_copies(collection)
    assert words in error_of(lambda: edit_copies(collection, "brass", wanted))
    assert owned_copies(collection) == before


def test_copies_are_moved_within_their_box(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("A", "1", "5"))
    put(collection, "mtg:dsk/7", 1, place=Place("B", "2"))
    move_copies(collection, "", Edit(slot="9"))
    assert [one.place for one in collection.of_cards(["mtg:dsk/2", "mtg:dsk/7"])] == [("A", "1", "9"), ("B", "2", "9")]
    move_copies(collection, "", Edit(row="3"))
    assert [one.place for one in collection.of_cards(["mtg:dsk/2", "mtg:dsk/7"])] == [("A", "3", ""), ("B", "3", "")]


def test_copies_that_are_out_in_a_deck_belong_to_what_they_become(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3, place=Place("A"))
    take_out(collection, deck_needs(collection.store.cards(["mtg:dsk/1"])), "Sunday")
    edit_copies(collection, "amber", Edit(condition="lp"))
    (out,) = collection.decks_out()
    assert (out.copies, out.holding.condition, out.holding.copies) == (1, "lightly-played", 3)


# --- decks ------------------------------------------------------------------------------------------------------------


def test_cards_that_are_out_in_a_deck_are_not_taken_twice(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    put(collection, "mtg:dsk/2", 1)
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (brass,) = collection.store.cards(["mtg:dsk/2"])
    assert deck_problems(collection, deck_needs([amber, amber, brass]), "Sunday") == []
    taken = take_out(collection, deck_needs([amber, amber]), "Sunday")
    assert [(one.card_id, copies) for one, copies in taken.found] == [("mtg:dsk/1", 2)]
    assert find_in_boxes(collection, deck_needs([amber, amber]), "Sunday") == ([], [], {})
    assert deck_problems(collection, deck_needs([amber, amber]), "Sunday") == []
    problems = deck_problems(collection, deck_needs([amber, amber, brass, brass]), "Monday")
    assert [(one.card, one.reason) for one in problems] == [
        ("Amber Archivist", "2 needed, 3 owned; out in Sunday"),
        ("Brass Bellringer", "2 needed, 1 owned"),
    ]
    assert error_of(lambda: take_out(collection, deck_needs([amber, amber, brass, brass]), "Monday")) == (
        "Not all of 'Monday' is there; nothing changed. Missing: 1 Amber Archivist, 1 Brass Bellringer."
    )
    few = "There are only 1 such copies not out in decks."
    assert error_of(lambda: remove_copies(collection, "amber", 2)) == few
    assert error_of(lambda: out_in(collection, "Monday")) == "The deck 'Monday' is not out. Decks that are out: Sunday."
    assert [(one.holding.card_id, one.copies) for one in put_back(collection, "Sunday")] == [("mtg:dsk/1", 2)]
    assert error_of(lambda: put_back(collection, "Sunday")) == "The deck 'Sunday' is not out. No deck is out."


def test_too_few_cards_for_a_deck_are_reported_with_the_games(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    help_line = "To add more: ccgrid collection import, or ccgrid collection add"
    assert error_of(lambda: draw_copies(collection, 4, Dice(1))) == (
        f"Of your cards 3 are legal and not out in a deck, and 4 are needed.\n{help_line}"
    )
    assert error_of(lambda: draw_copies(collection, 1, Dice(1), ["pokemon", "fab"])) == (
        f"Of your cards of pokemon, fab 0 are legal and not out in a deck, and 1 are needed.\n{help_line}"
    )
    assert len(draw_copies(collection, 3, Dice(1), ["mtg"])) == 3


def test_what_one_owns_is_counted_by_game_and_zone(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 2)
    put(collection, "mtg:dsk/2", 1)
    put(collection, "mtg:dsk/2", 1, finish="foil")
    put(collection, "mtg:dsk/16", 3)
    put(collection, "mtg:dsk/3", 5)
    collection.store.connection.execute("DELETE FROM cards WHERE id = 'mtg:dsk/3'")
    zones = {**dict.fromkeys(ZONES, 0), "top-right": 4, "bottom": 4}
    barred = {"digital": 3, "gone": 5}
    games = [{"game": "mtg", "copies": 12, "cards": 3, "legal": 4, "barred": barred, "zones": zones}]
    assert stats(collection) == {
        "copies": 12,
        "cards": 4,
        "legal": 4,
        "legal_cards": 2,
        "decks": 0,
        "zones": zones,
        "rare_zones": ["top-left", "top", "left"],
        "games": games,
    }


def test_what_one_does_not_own_is_counted_as_nothing(collection: CollectionStore) -> None:
    zones = dict.fromkeys(ZONES, 0)
    nothing = {"copies": 0, "cards": 0, "legal": 0, "legal_cards": 0, "decks": 0, "rare_zones": [], "games": []}
    assert stats(collection) == {**nothing, "zones": zones}


def test_taking_a_deck_out_and_putting_it_back_are_changes(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 1)
    take_out(collection, deck_needs(collection.store.cards(["mtg:dsk/1"])), "Sunday")
    put_back(collection, "Sunday")
    output = [change.what for change in collection.history()]
    assert output == ["add 1 Amber Archivist", "take out Sunday", "put back Sunday"]


def test_a_card_that_is_not_owned_lacks_in_a_deck(collection: CollectionStore) -> None:
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (problem,) = deck_problems(collection, deck_needs([amber]), "Sunday")
    assert (problem.card, problem.reason) == ("Amber Archivist", "1 needed, none owned")


def test_copies_that_come_many_at_once_are_taken_back_and_done_again(collection: CollectionStore) -> None:
    card, own = find_card(collection, "mtg:dsk/1").card, copy_key(language="en")
    assert card is not None
    with collection.change("two at first"):
        collection.add(card, 2, own)
    with collection.change("many, one kind twice"):
        first = next(collection.holdings())
        collection.take(first, 2)
        collection.add_all((card, 1, own._replace(language=language), "") for language in ("de", "en", "fr", "de"))
    owned_copies = {one.language: one.copies for one in collection.holdings()}
    assert owned_copies == {"de": 2, "en": 1, "fr": 1}
    collection.undo()
    assert list(collection.holdings()) == [first]
    collection.redo()
    assert {one.language: one.copies for one in collection.holdings()} == owned_copies
    with collection.change("one more"):
        collection.add(card, 1, own)
    collection.undo()
    assert {one.language: one.copies for one in collection.holdings()} == owned_copies


def test_copies_that_are_where_they_are_to_go_are_not_those_that_are_moved(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 1, place=Place("A"))
    put(collection, "mtg:dsk/2", 3, place=Place("B"))
    taken = move_copies(collection, "mtg:dsk/2", Edit(box="A"), 1)
    assert [(one.place.box, copies) for one, copies in taken] == [("B", 1)]
    assert owned_copies(collection) == [
        "2 Brass Bellringer (mtg, dsk 2, en) in A",
        "2 Brass Bellringer (mtg, dsk 2, en) in B",
    ]
