"""Which holdings and which cards are meant."""

import pytest
from collection_acts import held, put, refusal

from ccgrid.catalog.collection.edit import Edit, add, kind_of, move, remove, select, stored, where_is
from ccgrid.catalog.collection.session import find_card, typed_row
from ccgrid.catalog.holding import NO_DETAILS, NOWHERE, Place
from ccgrid.catalog.store.holdings import CollectionStore


@pytest.fixture
def hill(collection: CollectionStore) -> CollectionStore:
    """A collection with one holding."""
    put(collection, "mtg:dsk/7", 3, finish="foil", condition="good", language="it", place=Place("Attic", "2", "5"))
    return collection


# --- what is meant ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "",
        "mtg:dsk/7",
        "quick moth",
        "MOTH",
        'Moth, "the Quick"',
        "game:mtg",
        "set:DSK",
        "set:dusk",
        "number:7",
        "finish:Yes",
        "cond:GD",
        "lang:Italian",
        "box:attic",
        "row:2",
        "slot:5",
        "moth (dsk) 7",
        "moth (mtg)",
        "own>=3 legal",
    ],
)
def test_a_holding_is_meant_where_all_that_is_said_is_so(hill: CollectionStore, said: str) -> None:
    assert len(select(hill, said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        *("mtg:dsk/8", "moth bee", '"!"', "game:b", "set:old", "number:8", "finish:normal", "cond:NM", "lang:en"),
        *("box:Cellar", "row:3", "slot:6", "moth slot:6", "moth (wyvern)", "-moth", "box:none", "own>3"),
    ],
)
def test_a_holding_is_not_meant_where_anything_is_otherwise(hill: CollectionStore, said: str) -> None:
    assert select(hill, said) == []
    assert select(hill, games=("b",)) == []


def test_what_is_typed_is_put_into_house_words() -> None:
    place = Place(" Attic ", "1", "2")
    assert kind_of(" Yes ", "NM", "Japanese", place) == (
        "foil",
        "near-mint",
        "ja",
        Place("Attic", "1", "2"),
        "",
        NO_DETAILS,
    )
    assert kind_of() == ("normal", "", "", NOWHERE, "", NO_DETAILS)
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
        return [one.card_id for one in select(collection, f"sort:{sort}")]

    assert order("name") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("set") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    assert order("-copies") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:old/2", "mtg:dsk/12"]
    assert order("game") == ["mtg:dsk/2", "mtg:dsk/3", "mtg:dsk/12", "mtg:old/2"]
    placed = [one for one in order("place") if one != "mtg:old/2"]
    assert placed == ["mtg:dsk/3", "mtg:dsk/2", "mtg:dsk/12"]


# --- what is found ----------------------------------------------------------------------------------------------------


def test_a_card_that_is_not_found_is_told_with_what_may_be_meant(collection: CollectionStore) -> None:
    assert find_card(collection, "", set_code="dsk", number="2").card is not None
    assert refusal(lambda: find_card(collection, "Brass Belringer", set_code="dsk")) == (
        "No card matches 'Brass Belringer'. Did you mean: Brass Bellringer?"
    )
    assert refusal(lambda: find_card(collection, "", set_code="dsk", number="99")) == (
        "'number 99' is not found: dsk has no number 99."
    )
    assert refusal(lambda: find_card(collection, "Lant")) == ("No card matches 'Lant'. Did you mean: +2 Lantern?")
    assert refusal(lambda: find_card(collection, "Qqqqqqq")) == "No card matches 'Qqqqqqq'."


def test_a_card_that_nobody_owns_is_told(collection: CollectionStore) -> None:
    assert refusal(lambda: list(where_is(collection, "Ant"))) == "No card in the collection matches 'Ant'."
    nothing = "No such card in the collection. To list your cards: ccgrid collection list"
    assert refusal(lambda: remove(collection, "Ant", 1)) == nothing
    assert refusal(lambda: move(collection, "Ant", Edit(box=""))) == nothing


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
    assert [one.name for one, _ in remove(collection, "drake", 1)] == ["Drake"]
    assert [one.name for one, _ in remove(collection, "mtg:dsk/046", 1)] == ["Frost Drake"]
    assert sorted(held(collection)) == ["1 Drake (mtg, tdsk 1, en)", "1 Frost Drake (mtg, dsk 046, en)"]


def test_a_copy_has_the_language_of_its_card_unless_another_is_said(collection: CollectionStore) -> None:
    card = find_card(collection, "mtg:dsk/13/it").card
    assert card is not None
    assert add(collection, card, 1, kind_of()) == kind_of(language="it")
    assert add(collection, card, 1, kind_of(language="fr")) == kind_of(language="fr")
