"""A card is sure only if nothing on its rim may be a number that was passed over or misread."""

from dataclasses import replace

import pytest

from ccgrid.catalog.scan.certainty import with_lacking_numbers, with_passed_over, within_zones
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber, SeenText, TextReading

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
def test_card_is_not_sure_while_an_icon_on_its_rim_is_unread(icon: SeenText) -> None:
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
def test_icon_in_the_middle_at_the_edge_or_probably_without_number_and_text_are_no_icons_to_doubt(
    line: SeenText,
) -> None:
    assert with_passed_over(replace(CARD, lines=(line,))).sure


def test_icon_in_a_line_that_was_read_is_no_doubt() -> None:
    assert with_passed_over(replace(CARD, lines=(ICON, SeenText(85, 91, 25, 6, (TextReading("30 HP", 0.99),))))).sure


def test_read_icon_is_no_doubt() -> None:
    seven = SeenNumber("7", 7, "bottom-right", 88, 91, 0.95)
    assert with_passed_over(replace(CARD, numbers=(FOUR, seven), lines=(ICON,))).sure


@pytest.mark.parametrize("found", [0.0, 1.0])
@pytest.mark.parametrize("minus", "-−–—~")
def test_card_is_not_sure_if_two_readings_have_a_minus_before_its_number(minus: str, found: float) -> None:
    readings = tuple(TextReading(text, 0.95) for text in ("4", minus + "4", minus + "4", "4"))
    line = SeenText(12, 9, 6, 4, readings, found=found, icon=(TextReading("4", 0.97),))
    other = FOUR._replace(zone="right", x=90, y=50)
    for shown, sure in ((line, False), (replace(line, readings=readings[:1] * 4), True)):
        numbers = find_numbers([shown])
        card = ScannedCard("Griffin", (*numbers.seen, other), numbers.doubts, (shown,))
        assert with_passed_over(card).sure is sure


def test_card_without_a_number_that_the_others_on_the_picture_have_is_not_sure() -> None:
    cost = SeenNumber("2", 2, "top-right", 90, 8, 0.99)
    whole = replace(CARD, numbers=(FOUR, cost))
    cards = with_lacking_numbers([whole, CARD, whole, whole])
    assert [card.sure for card in cards] == [True, False, True, True]
    assert cards[1].doubts == (ScanDoubt(90, 8, "top-right"),)
    assert all(card.sure for card in with_lacking_numbers([whole, CARD])), "one other card is no witness"
    assert [card.sure for card in with_lacking_numbers([whole, whole, CARD, CARD, CARD])] == [True] * 5


def test_card_without_a_number_that_nearly_every_card_of_its_game_has_is_not_sure() -> None:
    scan = Scan("a.png", "0" * 64, CARD, "arcadia")
    assert scan.sure
    assert replace(scan, usual=("top-left",)).sure
    lacking = replace(scan, usual=("top-left", "left"))
    assert not lacking.sure
    assert "left" in lacking.doubtful


def test_only_certain_numbers_count_where_the_game_prints_none() -> None:
    likely, certain = (SeenNumber("2", 2, "right", 90, 50, sure) for sure in (0.85, 0.95))
    named = SeenNumber("3", 3, "face", 50, 60, 0.5)
    elsewhere = (ScanDoubt(50, 90, "bottom", 5), ScanDoubt(12, 12, "top-left", 4))
    card = within_zones(replace(CARD, numbers=(FOUR, likely, certain, named), doubts=elsewhere), {"top-left"})
    assert card.numbers == (FOUR, certain, named)
    assert card.doubts == elsewhere[1:]
