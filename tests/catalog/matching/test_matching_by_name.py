"""Which card a row means by its name alone, and which printing."""

from typing import Any

import pytest
from helpers.small_shelf import CARDS, card, match, row

from ccgrid.catalog.matching.row import MatchResult

# --- by name alone ----------------------------------------------------------------------------------------------------


def test_an_unknown_set_is_told_with_where_else_the_name_is() -> None:
    cards = [*CARDS, card("old", "9", "Amber Archivist", released="1999-01-01")]
    reason = "the catalogue has no set 'nil'; other sets have it"
    assert match(cards, row("Amber Archivist", "nil", "1")) == ("missed", None, reason, ("old/9", "dsk/1"), 0)
    reason = "the catalogue has no set 'nil'; this is the one from Old Dusk"
    lenient = match(cards, row("Amber Archivist", "nil", "1"), any_printing=True)
    assert lenient == ("fuzzy", "old/9", reason, ("old/9",), 0)


def test_a_set_without_a_name_is_told_by_its_code() -> None:
    cards = [card("dsk", "1", "Amber Archivist", set_name="")]
    reason = "the catalogue has no set 'nil'; this is the one from dsk"
    assert match(cards, row("Amber Archivist", "nil"), any_printing=True)[2] == reason


def test_an_unknown_set_and_a_misspelt_name_are_told_together() -> None:
    why = "the catalogue has no set 'nil'"
    assert match(CARDS, row("Jade Gardner", "nil")) == ("missed", None, why, ("old/2",), 0)
    lenient = match(CARDS, row("Jade Gardner", "nil"), any_printing=True)
    assert lenient == ("missed", None, why, ("old/2",), 0)  # another printing is asked for, not another name
    assert match(CARDS, row("Quxyzzy", "nil"), any_printing=True) == ("missed", None, why, (), 0)


def test_what_a_set_lacks_is_told_with_where_else_the_name_is() -> None:
    assert match(CARDS, row("Jade Gardener", "dsk"))[2:4] == ("dsk has no card of that name", ("old/2",))
    lenient = match(CARDS, row("Jade Gardener", "dsk"), any_printing=True)
    reason = "dsk has no card of that name; this is the one from Old Dusk"
    assert lenient == ("fuzzy", "old/2", reason, ("old/2",), 0)


@pytest.mark.parametrize("options", [{}, {"any_printing": True}])
def test_a_row_without_a_name_is_not_guessed(options: dict[str, Any]) -> None:
    nothing = "nothing identifies the card"
    assert match(CARDS, row("", "", "7"), **options) == ("missed", None, nothing, (), 0)
    assert match(CARDS, row("", "nil", "7"), **options)[:3] == ("missed", None, "the catalogue has no set 'nil'")
    assert match(CARDS, row("", "dsk", "99"), **options)[:3] == ("missed", None, "dsk has no number 99")


def test_a_misspelt_name_anywhere_is_told() -> None:
    reason = "'Jade Gardener' is nearly 'Jade Gardner'"
    assert match(CARDS, row("Jade Gardner")) == ("fuzzy", "old/2", reason, ("old/2",), 0)
    assert match(CARDS, row("Quxyzzy")) == ("missed", None, "no card has a similar name", (), 0)
    words = match(CARDS, row("Gardener of Jade"))
    assert words == ("missed", None, "no card has a similar name", ("old/2",), 0)
    assert match(CARDS, row("Gardener of Something Jade"))[3] == ()  # another card, that shares words


def test_the_nearer_of_two_names_anywhere_is_meant() -> None:
    cards = [card("dsk", "1", "Mint Hare"), card("dsk", "2", "Mist Hare")]
    assert match(cards, row("Mint Harr"))[:3] == ("fuzzy", "dsk/1", "'Mint Hare' is nearly 'Mint Harr'")


def test_a_number_without_a_set_picks_the_printing_and_with_an_unknown_one_does_not() -> None:
    cards = [card("old", "1", "Ant", released="1999-01-01"), card("dsk", "007", "Ant"), card("tmp", "7", "Bee")]
    assert match(cards, row("Ant", "", "7")) == ("name", "dsk/007", "", (), 0)
    told = "the catalogue has 'Ant' as number 1, not as 8"
    assert match(cards, row("Ant", "", "8")) == ("fuzzy", "old/1", told, ("old/1", "dsk/007"), 0)
    assert match(cards, row("Ant", "nil", "7"), any_printing=True)[:2] == ("fuzzy", "old/1")


# --- which printing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse", "language"),
    [
        ({"lang": "it"}, {"lang": "en"}, "it"),
        ({"lang": "en"}, {"lang": "de"}, "it"),
        ({"lang": "en"}, {"lang": "de"}, ""),
        ({"lang": "it", "legal": False}, {"lang": "en"}, "it"),
        ({"legal": False, "released": "1999-01-01"}, {"released": "2005-05-05"}, ""),
        ({"released": "2005-05-05"}, {"set_name": "Dusk Promos", "released": "1999-01-01"}, ""),
        ({"legal": False}, {"set_name": "Dusk Promos", "released": "1999-01-01"}, ""),
        ({"released": "1999-01-01", "number": "9"}, {"released": "2005-05-05", "number": "1"}, ""),
        ({"number": "9"}, {"number": "10"}, ""),
        ({"number": ""}, {"number": "1"}, ""),
        ({"number": "A"}, {"number": "1"}, ""),
        ({"number": "b9", "id": "z"}, {"number": "a10", "id": "y"}, ""),
        ({"id": "a"}, {"id": "b"}, ""),
    ],
)
def test_of_several_printings_language_then_english_then_ordinary_then_early_then_the_lowest_number_is_taken(
    better: dict[str, Any], worse: dict[str, Any], language: str
) -> None:
    first = card(**{"set_code": "dsk", "number": "5", "name": "Ant", "id": "m", **better})
    second = card(**{"set_code": "dsk", "number": "5", "name": "Ant", "id": "n", **worse})
    for cards in ((first, second), (second, first)):
        assert match(cards, row("Ant", language=language))[1] == first.id


def test_only_printings_in_the_language_that_is_taken_are_others() -> None:
    cards = [card("dsk", "1", "Ant"), card("dsk", "2", "Ant"), card("dsk", "3", "Ant", "it"), card("old", "1", "Bee")]
    assert match(cards, row("Ant", "dsk")) == ("name", "dsk/1", "", (), 1)
    assert match(cards, row("Ant")) == ("name", "dsk/1", "", (), 1)
    assert match(cards, row("Ant", "dsk", language="it"))[4] == 0
    assert match(cards, row("Ant", language="it"))[4] == 0


def test_a_result_names_no_others_unless_there_are() -> None:
    assert MatchResult(None, "missed") == (None, "missed", "", (), 0, 0, "", (), False)
