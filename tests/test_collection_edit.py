"""The collection by hand: which holdings are meant, what is taken from where, and the whole of what is refused."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catalog.card import ZONES, CatalogError
from catalog.collection.edit import (
    SORTS,
    Selection,
    add,
    describe,
    find_card,
    kind_of,
    move,
    remove,
    select,
    stored,
    typed_row,
    where_is,
)
from catalog.collection.pulls import draw, find_in_boxes, lacking, out_in, put_back, stats, take_out, wanted
from catalog.holding import NOWHERE, Holding, Place
from catalog.store.catalogue import Store
from catalog.store.holdings import CollectionStore
from engine.dice import Dice

HOLDING = Holding(
    1, "a:dsk/7", 3, "foil", "good", "it", Place("Attic", "2", "5"), "a", "Ant Hill", "dsk", "Dusk", "7A", ""
)


@pytest.fixture
def collection(template: Path, tmp_path: Path) -> Iterator[CollectionStore]:
    """A collection in which nothing is yet."""
    shutil.copy(template, tmp_path / "own.db")
    with Store(tmp_path / "own.db") as store:
        yield CollectionStore(store)


def put(collection: CollectionStore, name: str, copies: int = 1, **kind: Any) -> None:
    found = find_card(collection, name).card
    assert found is not None
    add(collection, found, copies, kind_of(**kind))


def refusal(act: Any) -> str:
    with pytest.raises(CatalogError) as caught:
        act()
    return str(caught.value)


def held(collection: CollectionStore) -> list[str]:
    return [describe(one) for one in select(collection, Selection(), "place")]


# --- what is meant ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"words": "a:dsk/7"},
        {"words": "hill ant"},
        {"words": "ANT"},
        {"games": ("b", "a")},
        {"set_code": "DSK"},
        {"set_code": "dusk"},
        {"number": "7a"},
        {"number": "7A"},
        {"finish": "Yes"},
        {"condition": "GD"},
        {"language": "Italian"},
        {"box": "attic"},
        {"row": "2"},
        {"slot": "5"},
    ],
)
def test_a_holding_is_meant_where_all_that_is_said_is_so(said: dict[str, Any]) -> None:
    assert Selection(**said).holds(HOLDING)


@pytest.mark.parametrize(
    "said",
    [
        {"words": "a:dsk/8"},
        {"words": "ant bee"},
        {"words": "!"},
        {"games": ("b",)},
        {"set_code": "old"},
        {"number": "8"},
        {"finish": "normal"},
        {"condition": "NM"},
        {"language": "en"},
        {"box": "Cellar"},
        {"row": "3"},
        {"slot": "6"},
        {"words": "ant", "slot": "6"},
    ],
)
def test_a_holding_is_not_meant_where_anything_is_otherwise(said: dict[str, Any]) -> None:
    assert not Selection(**said).holds(HOLDING)


def test_what_is_typed_is_put_into_house_words() -> None:
    place = Place(" Attic ", "1", "2")
    assert kind_of(" Yes ", "NM", "Japanese", place) == ("foil", "near-mint", "ja", Place("Attic", "1", "2"))
    assert kind_of() == ("normal", "", "", NOWHERE)
    assert stored(" a\ud800b " + "x" * 400) == "a?b " + "x" * 296
    row = typed_row(" a:1 ", " dsk ", " 7 ", "it")
    assert (row.name, row.set_code, row.set_name, row.number, row.ids, row.language) == (
        *("a:1", "dsk", "dsk", "7"),
        (("card", "a:1"),),
        "it",
    )
    assert typed_row("Ant").ids == ()


def test_holdings_are_shown_in_the_order_that_is_asked_for(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/12", 1, place=Place("B"))
    put(collection, "mtg:dsk/2", 3, place=Place("A", "10"))
    put(collection, "mtg:dsk/3", 2, place=Place("A", "9"))
    put(collection, "mtg:old/2", 2)

    def order(sort: str) -> list[str]:
        return [one.card_id for one in select(collection, Selection(), sort)]

    assert order("name") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("set") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("copies") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:old/2", "mtg:dsk/12"]
    assert order("game") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    placed = [one for one in order("place") if one != "mtg:old/2"]
    assert placed == ["mtg:dsk/3", "mtg:dsk/2", "mtg:dsk/12"]


# --- what is found ----------------------------------------------------------------------------------------------------


def test_a_card_that_is_not_found_is_told_with_what_may_be_meant(collection: CollectionStore) -> None:
    assert find_card(collection, "", set_code="dsk", number="2").card is not None
    assert refusal(lambda: find_card(collection, "Brass Belringer", set_code="dsk")) == (
        "'Brass Belringer' is not found: 'Brass Bellringer' is nearly 'Brass Belringer'."
        " Did you mean: Brass Bellringer (mtg:dsk/2)?"
    )
    assert refusal(lambda: find_card(collection, "", set_code="dsk", number="99")) == (
        "'number 99' is not found: dsk has no number 99."
    )
    assert refusal(lambda: find_card(collection, "Lant")) == (
        "'Lant' is not found: no card has a name like that. Did you mean: +2 Lantern?"
    )
    assert refusal(lambda: find_card(collection, "Qqqqqqq")) == "'Qqqqqqq' is not found: no card has a name like that."


def test_a_card_that_nobody_owns_is_told(collection: CollectionStore) -> None:
    assert refusal(lambda: list(where_is(collection, "Ant"))) == "The collection has nothing called like 'Ant'."
    nothing = "The collection has no such card. See what it has: ccgrid collection list"
    assert refusal(lambda: remove(collection, Selection("Ant"), 1)) == nothing
    assert refusal(lambda: move(collection, Selection("Ant"), None, NOWHERE)) == nothing


def test_the_very_name_comes_before_names_that_hold_it(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/11", 2)
    put(collection, "mtg:dsk/7", 1)
    assert [one.name for one in where_is(collection, "isle")] == ["Isle"]
    assert [one.name for one in where_is(collection, "moth")] == ['Moth, "the Quick"']
    assert [one.name for one in where_is(collection, "mtg:dsk/7")] == ['Moth, "the Quick"']


def test_a_name_is_taken_for_the_card_that_has_it_before_names_that_hold_it(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/046", 2)
    put(collection, "mtg:tdsk/1", 2)
    assert [one.name for one in where_is(collection, "drake")] == ["Drake"]
    assert [one.name for one, _ in remove(collection, Selection("drake"), 1)] == ["Drake"]
    assert [one.name for one, _ in remove(collection, Selection("mtg:dsk/046"), 1)] == ["Frost Drake"]
    assert sorted(held(collection)) == ["1 Drake (mtg, tdsk 1, en)", "1 Frost Drake (mtg, dsk 046, en)"]


def test_a_copy_has_the_language_of_its_card_unless_another_is_said(collection: CollectionStore) -> None:
    card = find_card(collection, "mtg:dsk/13/it").card
    assert card is not None
    assert add(collection, card, 1, kind_of()) == kind_of(language="it")
    assert add(collection, card, 1, kind_of(language="fr")) == kind_of(language="fr")
    assert SORTS == ("name", "set", "copies", "place", "game")


# --- what is changed --------------------------------------------------------------------------------------------------


def test_copies_are_added_taken_and_moved(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3, place=Place("A"))
    assert held(collection) == ["3 Brass Bellringer (mtg, dsk 2, en) in A"]
    taken = move(collection, Selection("mtg:dsk/2"), 1, Place(" B "))
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 1)]
    assert held(collection) == ["2 Brass Bellringer (mtg, dsk 2, en) in A", "1 Brass Bellringer (mtg, dsk 2, en) in B"]
    assert move(collection, Selection("mtg:dsk/2", box="B"), None, Place("B")) == []
    taken = remove(collection, Selection("mtg:dsk/2"), 2)
    assert [(one.place.box, copies) for one, copies in taken] == [("A", 2)]
    move(collection, Selection("mtg:dsk/2"), 1, Place("C"))
    assert held(collection) == ["1 Brass Bellringer (mtg, dsk 2, en) in C"]
    remove(collection, Selection(), None)
    assert held(collection) == []


def test_a_change_is_called_by_what_it_does(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 4)
    move(collection, Selection("brass"), 1, Place("A"))
    move(collection, Selection(), None, NOWHERE)
    remove(collection, Selection("brass"), 1)
    remove(collection, Selection(), None)
    labels = [row[0] for row in collection.store.connection.execute("SELECT what FROM changes ORDER BY id")]
    assert labels == [
        "add 4 Brass Bellringer",
        "move brass to A",
        "move cards to nowhere",
        "remove 1 brass",
        "remove all cards",
    ]


def test_more_than_there_is_cannot_be_taken(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/2", 3)
    few = "There are only 3 such copies that are not out in decks."
    assert refusal(lambda: remove(collection, Selection("brass"), 4)) == few
    for copies in (0, -1, 1_000_001):
        words = f"{copies} copies: a number from 1 to 1,000,000 is needed."
        assert refusal(lambda copies=copies: remove(collection, Selection("brass"), copies)) == words
        assert refusal(lambda copies=copies: put(collection, "mtg:dsk/2", copies)) == words
    assert held(collection) == ["3 Brass Bellringer (mtg, dsk 2, en)"]


def test_copies_of_different_kinds_are_not_taken_for_each_other(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/11", 2)
    put(collection, "mtg:dsk/11", 1, finish="foil", place=Place("A"))
    words = refusal(lambda: remove(collection, Selection("isle"), 1))
    first, second = words.splitlines()
    assert first in (
        "Which of these is meant: 2 Isle (mtg, dsk 11, en); 1 Isle (mtg, dsk 11, foil, en) in A?",
        "Which of these is meant: 1 Isle (mtg, dsk 11, foil, en) in A; 2 Isle (mtg, dsk 11, en)?",
    )
    assert second == "Say more: an id, --set, --finish, --condition, --language, --box; or --all."
    assert len(remove(collection, Selection("isle", finish="foil"), 1)) == 1


# --- decks ------------------------------------------------------------------------------------------------------------


def test_cards_that_are_out_in_a_deck_are_not_taken_twice(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    put(collection, "mtg:dsk/2", 1)
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (brass,) = collection.store.cards(["mtg:dsk/2"])
    assert lacking(collection, wanted([amber, amber, brass]), "Sunday") == []
    taken = take_out(collection, wanted([amber, amber]), "Sunday")
    assert [(one.card_id, copies) for one, copies in taken.found] == [("mtg:dsk/1", 2)]
    assert find_in_boxes(collection, wanted([amber, amber]), "Sunday") == ([], [], {})
    assert lacking(collection, wanted([amber, amber]), "Sunday") == []
    problems = lacking(collection, wanted([amber, amber, brass, brass]), "Monday")
    assert [(one.card, one.reason) for one in problems] == [
        ("Amber Archivist", "2 needed, 3 owned; out in Sunday"),
        ("Brass Bellringer", "2 needed, 1 owned"),
    ]
    assert refusal(lambda: take_out(collection, wanted([amber, amber, brass, brass]), "Monday")) == (
        "Not all of 'Monday' is there, so nothing is marked as out. Missing: 1 Amber Archivist, 1 Brass Bellringer."
    )
    few = "There are only 1 such copies that are not out in decks."
    assert refusal(lambda: remove(collection, Selection("amber"), 2)) == few
    assert refusal(lambda: out_in(collection, "Monday")) == "No deck 'Monday' is out. Out are: Sunday."
    assert [(one.holding.card_id, one.copies) for one in put_back(collection, "Sunday")] == [("mtg:dsk/1", 2)]
    assert refusal(lambda: put_back(collection, "Sunday")) == "No deck 'Sunday' is out. No deck is out."


def test_too_few_cards_for_a_deck_are_told_with_the_games(collection: CollectionStore) -> None:
    put(collection, "mtg:dsk/1", 3)
    help_line = "Bring more in: ccgrid collection import, or ccgrid collection add"
    assert refusal(lambda: draw(collection, 4, Dice(1))) == (
        f"Of your cards 3 may be in a deck and are not out in one, and 4 are needed.\n{help_line}"
    )
    assert refusal(lambda: draw(collection, 1, Dice(1), ["pokemon", "fab"])) == (
        f"Of your cards of pokemon, fab 0 may be in a deck and are not out in one, and 1 are needed.\n{help_line}"
    )
    assert len(draw(collection, 3, Dice(1), ["mtg"])) == 3


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
    take_out(collection, wanted(collection.store.cards(["mtg:dsk/1"])), "Sunday")
    put_back(collection, "Sunday")
    told = [row[0] for row in collection.store.connection.execute("SELECT what FROM changes ORDER BY id")]
    assert told == ["add 1 Amber Archivist", "take out Sunday", "put back Sunday"]


def test_a_card_that_is_not_owned_lacks_in_a_deck(collection: CollectionStore) -> None:
    (amber,) = collection.store.cards(["mtg:dsk/1"])
    (problem,) = lacking(collection, wanted([amber]), "Sunday")
    assert (problem.card, problem.reason) == ("Amber Archivist", "1 needed, none owned")
