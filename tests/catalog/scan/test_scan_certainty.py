"""Certainty of scanned cards: a card is certain only if no number on its rim may be missed or misread."""

from dataclasses import replace

import pytest

from ccgrid.catalog.scan.certainty import with_lacking_numbers, with_passed_over, with_usual_numbers, within_zones
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.result import Scan, compared
from ccgrid.catalog.scan.values import (
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
    assert CARD.sure
    card = with_passed_over(replace(CARD, lines=(icon,)))
    assert [doubt.zone for doubt in card.doubts] == ["bottom-right"]
    assert not card.sure


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
    assert with_passed_over(replace(CARD, lines=(line,))).sure


def test_icon_in_a_line_that_was_read_does_not_make_card_uncertain() -> None:
    assert with_passed_over(replace(CARD, lines=(ICON, SeenText(85, 91, 25, 6, (TextReading("30 HP", 0.99),))))).sure


def test_read_icon_does_not_make_card_uncertain() -> None:
    seven = SeenNumber("7", 7, "bottom-right", 88, 91, 0.95)
    assert with_passed_over(replace(CARD, numbers=(FOUR, seven), lines=(ICON,))).sure


@pytest.mark.parametrize("found", [0.0, 1.0])
@pytest.mark.parametrize("minus", "-−–—~")
def test_card_is_uncertain_if_two_readings_have_a_minus(minus: str, found: float) -> None:
    readings = tuple(TextReading(text, 0.95) for text in ("4", minus + "4", minus + "4", "4"))
    line = SeenText(12, 9, 6, 4, readings, found=found, icon=(TextReading("4", 0.97),))
    other = FOUR._replace(zone="right", x=90, y=50)
    for shown, is_certain in ((line, False), (replace(line, readings=readings[:1] * 4), True)):
        numbers = find_numbers([shown])
        card = ScannedCard("Griffin", (*numbers.seen, other), numbers.doubts, (shown,))
        assert with_passed_over(card).sure is is_certain


def test_card_without_number_of_other_cards_on_picture_is_uncertain() -> None:
    cost = SeenNumber("2", 2, "top-right", 90, 8, 0.99)
    whole = replace(CARD, numbers=(FOUR, cost))
    cards = with_lacking_numbers([whole, CARD, whole, whole])
    assert [card.sure for card in cards] == [True, False, True, True]
    assert cards[1].doubts == (ScanDoubt(90, 8, "top-right"),)
    assert all(card.sure for card in with_lacking_numbers([whole, CARD])), "a single other card must not suffice"
    assert [card.sure for card in with_lacking_numbers([whole, whole, *[CARD] * 5])] == [True] * 2 + [False] * 5
    assert [card.sure for card in with_lacking_numbers([whole, whole, *[CARD] * 6])] == [True] * 8, "too few others"


def test_card_without_usual_number_of_its_game_is_uncertain() -> None:
    assert with_usual_numbers(CARD, {"top-left": (12, 9)}) == CARD
    lacking = Scan("a.png", "0" * 64, with_usual_numbers(CARD, {"top-left": (12, 9), "left": middle_of("left")}))
    assert not lacking.sure
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


def test_cards_of_a_run_are_compared_with_those_of_their_game() -> None:
    cost = SeenNumber("2", 2, "top-right", 90, 8, 0.99)
    whole = replace(CARD, numbers=(FOUR, cost))
    run = [
        Scan(f"{place}.png", f"{place:064}", read, game)
        for place, (read, game) in enumerate([(CARD, "a"), (whole, "a"), (CARD, "b"), (whole, "a"), (whole, "b")])
    ]
    assert [(one.file, one.sure) for one in compared(run)] == [
        ("0.png", False),
        ("1.png", True),
        ("2.png", True),
        ("3.png", True),
        ("4.png", True),
    ]


@pytest.mark.parametrize(("games", "sure"), [("aa", False), ("ab", True), ("  ", False)])
def test_card_of_unknown_game_is_compared_if_all_others_are_of_one(games: str, sure: bool) -> None:
    whole = replace(CARD, numbers=(FOUR, SeenNumber("2", 2, "top-right", 90, 8, 0.99)))
    run = [Scan("a.png", "0" * 64, read, game.strip()) for read, game in zip((whole, whole), games, strict=True)]
    found = compared([*run, Scan("a.png", "0" * 64, CARD)])
    assert [one.sure for one in found] == [True, True, sure]
    assert found[-1].game == ""


def test_only_certain_numbers_count_outside_zones_of_the_game() -> None:
    likely, certain = (SeenNumber("2", 2, "right", 90, 50, confidence) for confidence in (0.85, 0.95))
    named = SeenNumber("3", 3, "face", 50, 60, 0.5)
    elsewhere = (ScanDoubt(50, 90, "bottom", 5), ScanDoubt(12, 12, "top-left", 4))
    card = within_zones(replace(CARD, numbers=(FOUR, likely, certain, named), doubts=elsewhere), {"top-left"})
    assert card.numbers == (FOUR, certain, named)
    assert card.doubts == elsewhere[1:]
