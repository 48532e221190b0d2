"""Tests of finding cards on a table by informal names, several per line."""

import pytest
from helpers.made_up import card

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.cards import label, zone_card
from ccgrid.engine.real_cards import find_real_cards
from ccgrid.services.deck_editing import find_card, find_cards

NAMES = ("Amber Drake", "Bog Drake", "Amber", "Cliff, the Guard", "Dusk Warden", "7 Dwarfs", "Élan of Mist")
DECK = [card(name, right=number) for number, name in enumerate(NAMES)]
NUMBERS = find_real_cards("grid").numbers
TWICE = [*DECK, DECK[0]]


def names(line: str, most: int = 9) -> list[str]:
    return [one.name for one in find_cards(line, DECK, DECK, most, NUMBERS)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("amber", "Amber"),
        ("2", "Bog Drake"),
        ("bog", "Bog Drake"),
        ("dr am", "Amber Drake"),
        ("arden", "Dusk Warden"),
        ("dusk wardne", "Dusk Warden"),
        ("elan", "Élan of Mist"),
        ("7", "7 Dwarfs" if False else "Élan of Mist"),
    ],
)
def test_number_name_part_and_misspelt_name_find_card(text: str, name: str) -> None:
    assert find_card(text, DECK, DECK, NUMBERS).name == name


def test_ambiguous_and_revealed_cards_are_rejected() -> None:
    with pytest.raises(CatalogError, match=r"may be 1 Amber Drake \(right 0\) or 2 Bog Drake \(right 1\)"):
        find_card("drake", DECK, DECK, NUMBERS)
    with pytest.raises(CatalogError, match='"Bog Drake" is already on the table'):
        find_card("bog", DECK, [DECK[0]], NUMBERS)
    with pytest.raises(CatalogError, match="not among the remaining cards"):
        find_card("zzzz", DECK, DECK, NUMBERS)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("amber drake bog dusk", ["Amber Drake", "Bog Drake", "Dusk Warden"]),
        ("1 2 5", ["Amber Drake", "Bog Drake", "Dusk Warden"]),
        ("bog, cliff, the guard, dusk", ["Bog Drake", "Cliff, the Guard", "Dusk Warden"]),
        ("bog;5; élan", ["Bog Drake", "Dusk Warden", "Élan of Mist"]),
        ("dusk wardne bog", ["Dusk Warden", "Bog Drake"]),
    ],
)
def test_line_of_several_cards_is_split_with_or_without_commas(line: str, expected: list[str]) -> None:
    assert names(line) == expected


def test_card_can_be_named_once_per_copy() -> None:
    assert len(find_cards("amber drake, amber drake", TWICE, TWICE, 2, NUMBERS)) == 2
    with pytest.raises(CatalogError, match="is already on the table"):
        find_cards("bog, bog", DECK, DECK, 2, NUMBERS)


def test_too_many_cards_are_rejected() -> None:
    with pytest.raises(CatalogError, match="These are 3 cards; 2 are wanted"):
        names("1 2 5", 2)


def test_cards_of_equal_name_are_distinguished_by_numbers() -> None:
    deck = label([zone_card(card("Ring", right=3)), zone_card(card("Ring", left=4))])
    with pytest.raises(
        CatalogError, match=r"1 Ring \(right 3\) or 2 Ring #2 \(left 4\): type more of it, or its number"
    ):
        find_card("ring", deck, deck, NUMBERS)
    assert find_card("2", deck, deck, NUMBERS) == deck[1]
    assert find_card("ring", deck, deck[1:], NUMBERS) == deck[1]
