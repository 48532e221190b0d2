"""Certainty of scanned cards: numbers on their rims that may be missed or misread, and cards that need no check."""

from dataclasses import replace

import pytest

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.certainty import with_lacking_numbers, with_passed_over, with_usual_numbers, within_zones
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.result import Scan, compared
from ccgrid.catalog.scan.values import (
    MIN_CERTAIN_CONFIDENCE,
    ScanDoubt,
    ScannedCard,
    SeenNumber,
    SeenText,
    TextReading,
    middle_of,
    zone_at,
)
from ccgrid.catalog.zones import ZONES

FOUR = SeenNumber("4", 4, "top-left", 12, 9, 0.99)
CARD = ScannedCard("Griffin", (FOUR,))


def is_certain(card: ScannedCard) -> bool:
    """Return whether there are no doubts, and every number is certain."""
    return not card.doubts and all(number.confidence >= MIN_CERTAIN_CONFIDENCE for number in card.rim)


def scan_of(read: ScannedCard, game: str = "a") -> Scan:
    return Scan("a.png", "0" * 64, read, game)


SEVENS = (TextReading("7", 0.4),) * 4
ICON = SeenText(88, 91, 9, 6, (TextReading("S", 0.4),) * 4, found=0.0, icon=(TextReading("7", 0.95),))


@pytest.mark.parametrize(
    "icon",
    [
        ICON,
        replace(ICON, readings=SEVENS, icon=(TextReading("7", 0.6),)),
        replace(ICON, found=0.3, icon=(TextReading("7", 0.72),)),
    ],
)
def test_card_with_unread_icon_on_its_rim_is_not_certain(icon: SeenText) -> None:
    card = with_passed_over(replace(CARD, lines=(icon,)))
    assert [doubt.zone for doubt in card.doubts] == ["bottom-right"]


@pytest.mark.parametrize(
    "line",
    [
        replace(ICON, x=50, y=50),
        replace(ICON, icon=()),
        replace(ICON, found=1.0, icon=(TextReading("7", 0.65),)),
        replace(ICON, x=99),
        replace(ICON, icon=(TextReading("7", 0.8),)),
        replace(ICON, readings=SEVENS, icon=(TextReading("", 0.6), TextReading("7", 0.39))),
    ],
)
def test_unlikely_icon_does_not_make_card_uncertain(
    line: SeenText,
) -> None:
    assert is_certain(with_passed_over(replace(CARD, lines=(line,))))


def test_icon_in_a_line_that_was_read_does_not_make_card_uncertain() -> None:
    words = SeenText(85, 91, 25, 6, (TextReading("30 HP", 0.99),))
    assert is_certain(with_passed_over(replace(CARD, lines=(ICON, words))))


def test_read_icon_does_not_make_card_uncertain() -> None:
    seven = SeenNumber("7", 7, "bottom-right", 88, 91, 0.95)
    assert is_certain(with_passed_over(replace(CARD, numbers=(FOUR, seven), lines=(ICON,))))


@pytest.mark.parametrize("found", [0.0, 1.0])
@pytest.mark.parametrize("minus", "-−–—~")
def test_card_is_uncertain_if_two_readings_have_a_minus(minus: str, found: float) -> None:
    readings = tuple(TextReading(text, 0.95) for text in ("4", minus + "4", minus + "4", "4"))
    line = SeenText(12, 9, 6, 4, readings, found=found, icon=(TextReading("4", 0.97),))
    other = FOUR._replace(zone="right", x=90, y=50)
    for shown, certain in ((line, False), (replace(line, readings=readings[:1] * 4), True)):
        numbers = find_numbers([shown])
        card = ScannedCard("Griffin", (*numbers.seen, other), numbers.doubts, (shown,))
        assert is_certain(with_passed_over(card)) is certain


def test_card_without_number_of_other_cards_on_picture_is_uncertain() -> None:
    cost = SeenNumber("2", 2, "top-right", 90, 8, 0.99)
    whole = replace(CARD, numbers=(FOUR, cost))
    cards = with_lacking_numbers([whole, CARD, whole, whole])
    assert [card.doubts for card in cards] == [(), (ScanDoubt(90, 8, "top-right"),), (), ()]
    assert all(map(is_certain, with_lacking_numbers([whole, CARD]))), "a single other card must not suffice"
    five, six = (with_lacking_numbers([whole, whole, *[CARD] * count]) for count in (5, 6))
    assert [*map(is_certain, five)] == [True] * 2 + [False] * 5
    assert all(map(is_certain, six)), "too few others"


def test_card_without_usual_number_of_its_game_is_uncertain() -> None:
    assert with_usual_numbers(CARD, {"top-left": (12, 9)}) == CARD
    lacking = scan_of(with_usual_numbers(CARD, {"top-left": (12, 9), "left": middle_of("left")}))
    assert lacking.doubtful == {"left"}
    assert lacking.read.doubts == (ScanDoubt(12.5, 50, "left"),)


@pytest.mark.parametrize(("value", "confidence", "lacking"), [(214, 0.95, False), (214, 0.5, True), (3, 0.5, False)])
def test_number_above_ten_is_not_lacking_if_it_is_certain(value: int, confidence: float, lacking: bool) -> None:
    number = SeenNumber(str(value), value, "bottom", 50, 95, confidence)
    card = with_usual_numbers(replace(CARD, numbers=(FOUR, number)), {"bottom": middle_of("bottom")})
    assert bool(card.doubts) is lacking


@pytest.mark.parametrize("zone", ZONES)
def test_middle_of_zone_is_in_it(zone: str) -> None:
    assert zone_at(*middle_of(zone)) == zone


WHOLE = replace(CARD, numbers=(FOUR, SeenNumber("2", 2, "top-right", 90, 8, 0.99)))


@pytest.mark.parametrize(
    ("games", "game", "is_compared"),
    [
        ("aa", "a", True),
        ("aab", "a", True),
        ("bb", "a", False),
        ("ab", "a", False),  # a single other card
        ("aa", "", True),  # probably of the game of all others
        ("ab", "", False),
        ("  ", "", True),
        ("a ", "", True),
    ],
)
def test_card_is_compared_with_the_others_of_its_game(games: str, game: str, is_compared: bool) -> None:
    others = [scan_of(WHOLE, one.strip()) for one in games]
    found = compared(scan_of(CARD, game), others)
    assert (found.doubtful == {"top-right"}) is is_compared
    assert found.game == game


def test_only_card_with_numbers_from_data_that_the_picture_confirms_is_sure() -> None:
    """A card without data may have numbers that nothing saw; its readings alone, however good, do not make it sure."""
    printed = {"top-left": 4}
    known = Card("a:one/1", "a", "Griffin", printed, 4)
    assert not scan_of(CARD).sure
    assert scan_of(CARD).of_card(known).sure
    assert compared(scan_of(CARD).of_card(known), [scan_of(WHOLE)] * 2).sure
    assert not scan_of(CARD).of_card(replace(known, zones={"top-left": 5})).sure
    assert not scan_of(CARD).of_card(replace(known, reason="data:numbers")).sure


def test_only_certain_numbers_count_outside_zones_of_the_game() -> None:
    likely, certain = (SeenNumber("2", 2, "right", 90, 50, confidence) for confidence in (0.85, 0.95))
    named = SeenNumber("3", 3, "face", 50, 60, 0.5)
    elsewhere = (ScanDoubt(50, 90, "bottom", 5), ScanDoubt(12, 12, "top-left", 4))
    card = within_zones(replace(CARD, numbers=(FOUR, likely, certain, named), doubts=elsewhere), {"top-left"})
    assert card.numbers == (FOUR, certain, named)
    assert card.doubts == elsewhere[1:]
