"""Pulling a deck: the copies chosen from boxes, reports of missing copies, and statistics of the collection."""

from collections.abc import Iterator

import msgspec
import pytest
from helpers.catalogues import Shell
from helpers.collection_catalogue import CARDS
from helpers.error_messages import error_of
from helpers.wanted_copies import deck_needs

from ccgrid.catalog.collection import pulls
from ccgrid.catalog.collection.pulls import (
    WantedCopies,
    count_decks,
    deck_problems,
    draw_copies,
    find_in_boxes,
    out_in,
    put_back,
    take_out,
)
from ccgrid.catalog.decks import Problem
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.dice import Dice

AMBER, BRASS, CINDER = "mtg:dsk/1", "mtg:dsk/2", "mtg:dsk/3"
SAME_BRASS, OLD_BRASS = "mtg:pdsk/2s", "mtg:old/1"
"""Two more printings of the second card: one has its numbers, the other has 1 at the bottom instead of 2."""


def add(shell: Shell, card: str, copies: int = 1, box: str = "") -> None:
    shell.good("collection", "add", card, "-n", str(copies), *(("--box", box) if box else ()))


@pytest.fixture
def shelf(owned: Shell) -> Iterator[CollectionStore]:
    with Store(owned.database) as store:
        yield CollectionStore(store)


def wanted_copies(shelf: CollectionStore, card: str, copies: int, *printings: str) -> WantedCopies:
    (asked,) = shelf.store.cards([card])
    return WantedCopies(asked, copies, tuple(shelf.store.cards([card, *printings])) if printings else ())


def found(pull: pulls.Pull) -> list[tuple[str, str, int]]:
    return [(holding.card_id, holding.place.box, copies) for holding, copies in pull.found]


def problem_names(problems: list[Problem]) -> list[tuple[str | None, str]]:
    return [(one.card, one.reason) for one in problems]


# --- reports of missing copies ----------------------------------------------------------------------------------------


def test_drawing_from_too_few_cards_reports_their_number(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 3)
    more = "\nTo add more: ccgrid collection import, or ccgrid collection add"
    assert error_of(lambda: draw_copies(shelf, 4, Dice(1))) == (f"You own 3 usable cards; a deck needs 4.{more}")
    assert error_of(lambda: draw_copies(shelf, 4, Dice(1), ["mtg", "wyvern"])) == (
        f"You own 3 usable cards of mtg, wyvern; a deck needs 4.{more}"
    )
    assert [card.id for card in draw_copies(shelf, 3, Dice(1), ["wyvern", "mtg"])] == [AMBER] * 3
    assert len(draw_copies(shelf, 3, Dice(1))) == 3


def test_missing_copies_are_named_up_to_five_cards(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER)
    ids = [f"mtg:dsk/{number}" for number in (1, 2, 3, 14, 15, 17, 18)]
    needs = [wanted_copies(shelf, card, 2) for card in ids]
    words = (
        "The deck 'Sunday' is not complete; nothing changed. Missing: 1 Amber Archivist, 2 Brass Bellringer, "
        "2 Cinder Cartographer, 2 Gale Herald, 2 Iron Herald."
    )
    assert error_of(lambda: take_out(shelf, needs, "Sunday")) == words
    assert shelf.decks_out() == []


def test_deck_not_out_is_reported_with_decks_out(owned: Shell, shelf: CollectionStore) -> None:
    assert error_of(lambda: out_in(shelf, "Sunday")) == "The deck 'Sunday' is not out. No deck is out."
    add(owned, AMBER, 3)
    take_out(shelf, [wanted_copies(shelf, AMBER, 1)], "Monday")
    take_out(shelf, [wanted_copies(shelf, AMBER, 2)], "Friday")
    assert (
        error_of(lambda: out_in(shelf, "Sunday")) == "The deck 'Sunday' is not out. Decks that are out: Friday, Monday."
    )
    assert [(one.deck, one.copies) for one in out_in(shelf, "Friday")] == [("Friday", 2)]


def test_missing_copies_are_reported_with_decks_holding_them(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 3)
    add(owned, BRASS, 2)
    take_out(shelf, [wanted_copies(shelf, AMBER, 1)], "Monday")
    take_out(shelf, [wanted_copies(shelf, AMBER, 1), wanted_copies(shelf, BRASS, 1)], "Friday")
    needs = [wanted_copies(shelf, AMBER, 3), wanted_copies(shelf, BRASS, 1), wanted_copies(shelf, CINDER, 2)]
    assert problem_names(deck_problems(shelf, needs, "Sunday")) == [
        ("Amber Archivist", "3 needed, 3 owned; out in Friday, Monday"),
        ("Cinder Cartographer", "2 needed, none owned"),
    ]
    assert problem_names(deck_problems(shelf, needs, "Friday")) == [
        ("Amber Archivist", "3 needed, 3 owned; out in Monday"),
        ("Cinder Cartographer", "2 needed, none owned"),
    ]


def test_missing_printings_of_card_are_counted_together(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, BRASS, 2)
    add(owned, OLD_BRASS, 1)
    needs = [wanted_copies(shelf, BRASS, 2, OLD_BRASS), wanted_copies(shelf, OLD_BRASS, 3)]
    assert problem_names(deck_problems(shelf, needs, "Sunday")) == [("Brass Bellringer", "5 needed, 3 owned")]


# --- the chosen copies ------------------------------------------------------------------------------------------------


def test_pull_prefers_boxes_already_needed(owned: Shell, shelf: CollectionStore) -> None:
    for box in ("A", "B", "C"):
        add(owned, AMBER, 2, box)
    add(owned, BRASS, 2, "C")
    pull = find_in_boxes(shelf, [wanted_copies(shelf, BRASS, 1), wanted_copies(shelf, AMBER, 3)], "Sunday")
    assert found(pull) == [(AMBER, "A", 1), (AMBER, "C", 2), (BRASS, "C", 1)]
    assert (pull.missing, pull.instead) == ([], {})
    pull = find_in_boxes(shelf, [wanted_copies(shelf, AMBER, 3)], "Sunday")
    assert found(pull) == [(AMBER, "A", 2), (AMBER, "B", 1)]


def test_pull_skips_copies_out_elsewhere_or_already_in_deck(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 2, "A")
    add(owned, AMBER, 2, "B")
    take_out(shelf, [wanted_copies(shelf, AMBER, 2)], "Monday")
    assert found(find_in_boxes(shelf, [wanted_copies(shelf, AMBER, 2)], "Sunday")) == [(AMBER, "B", 2)]
    assert find_in_boxes(shelf, [wanted_copies(shelf, AMBER, 3)], "Monday").missing == []
    assert found(find_in_boxes(shelf, [wanted_copies(shelf, AMBER, 3)], "Monday")) == [(AMBER, "B", 1)]
    short = find_in_boxes(shelf, [wanted_copies(shelf, AMBER, 5)], "Monday")
    assert (found(short), [(card.id, count) for card, count in short.missing]) == ([(AMBER, "B", 2)], [(AMBER, 1)])


def test_printings_with_same_numbers_are_preferred_replacements(owned: Shell, shelf: CollectionStore) -> None:
    asked = wanted_copies(shelf, BRASS, 4, SAME_BRASS, OLD_BRASS)
    assert asked.choices() == (frozenset((BRASS,)), frozenset((SAME_BRASS,)), frozenset((OLD_BRASS,)))
    assert asked.ids() == {BRASS, SAME_BRASS, OLD_BRASS}
    add(owned, OLD_BRASS, 9, "A")
    add(owned, SAME_BRASS, 2, "B")
    add(owned, BRASS, 1, "C")
    pull = find_in_boxes(shelf, [asked], "Sunday")
    assert found(pull) == [(OLD_BRASS, "A", 1), (SAME_BRASS, "B", 2), (BRASS, "C", 1)]
    assert (pull.missing, {taken: card.id for taken, card in pull.instead.items()}) == ([], {OLD_BRASS: BRASS})
    pull = find_in_boxes(shelf, [asked._replace(copies=3)], "Sunday")
    assert (found(pull), pull.instead) == ([(SAME_BRASS, "B", 2), (BRASS, "C", 1)], {})


def test_copies_needed_by_their_own_card_do_not_replace_others(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, SAME_BRASS, 2, "A")
    needs = [wanted_copies(shelf, BRASS, 1, SAME_BRASS), wanted_copies(shelf, SAME_BRASS, 2)]
    pull = find_in_boxes(shelf, needs, "Sunday")
    assert (found(pull), [(card.id, count) for card, count in pull.missing]) == ([(SAME_BRASS, "A", 2)], [(BRASS, 1)])
    take_out(shelf, needs[1:], "Sunday")
    again = find_in_boxes(shelf, needs, "Sunday")
    assert (again.found, [(card.id, count) for card, count in again.missing]) == ([], [(BRASS, 1)])


def test_deck_needs_a_copy_for_each_mention_of_a_printing(shelf: CollectionStore) -> None:
    amber, brass = shelf.store.cards([AMBER, BRASS])
    assert deck_needs([amber, brass, amber]) == [WantedCopies(amber, 2), WantedCopies(brass, 1)]


def test_returned_deck_can_be_taken_out_again(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 2, "A")
    take_out(shelf, [wanted_copies(shelf, AMBER, 2)], "Monday")
    back = put_back(shelf, "Monday")
    assert [(one.holding.card_id, one.holding.place.box, one.copies) for one in back] == [(AMBER, "A", 2)]
    assert shelf.decks_out() == []
    assert found(take_out(shelf, [wanted_copies(shelf, AMBER, 2)], "Friday")) == [(AMBER, "A", 2)]


# --- statistics -------------------------------------------------------------------------------------------------------


def test_stats_report_totals_of_collection(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 19)
    add(owned, BRASS, 2)
    add(owned, "mtg:dsk/16", 5)  # This card is digital.
    zones = {**dict.fromkeys(ZONES, 0), "top-right": 21, "bottom": 21}
    game = {"game": "mtg", "copies": 26, "cards": 3, "legal": 21, "barred": {"digital": 5}, "zones": zones}
    assert msgspec.to_builtins(pulls.stats(shelf)) == {
        "copies": 26,
        "cards": 3,
        "legal": 21,
        "legal_cards": 2,
        "decks": 2,
        "zones": zones,
        "rare_zones": ["top-left", "top", "left"],
        "games": [game],
    }


def test_stats_without_legal_cards_have_no_rare_zones_or_decks(owned: Shell, shelf: CollectionStore) -> None:
    assert msgspec.to_builtins(pulls.stats(shelf))["games"] == []
    add(owned, "mtg:dsk/16", 30)
    stats = msgspec.to_builtins(pulls.stats(shelf))
    assert (stats["rare_zones"], stats["decks"], stats["legal"], stats["legal_cards"]) == ([], 0, 0, 0)


def test_cards_removed_from_catalogue_count_as_gone(owned: Shell, shelf: CollectionStore) -> None:
    add(owned, AMBER, 4, "A")
    add(owned, AMBER, 1, "B")
    add(owned, BRASS, 2)
    owned.import_rows([card for card in CARDS if card["name"] != "Amber Archivist"])
    (game,) = msgspec.to_builtins(pulls.stats(shelf))["games"]
    assert (game["copies"], game["cards"], game["legal"], game["barred"]) == (7, 1, 2, {"gone": 5})


def test_number_of_decks_of_20_is_counted() -> None:
    assert count_decks([19]) == 0
    assert count_decks([20]) == count_decks([21]) == 1
    assert count_decks([20, 1]) == 2
    assert count_decks([1] * 21) == 21
    assert count_decks([20, 20]) == 21
