"""A card is sure only if nothing on its rim may be a number that was passed over or misread."""

from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

import cv2
import numpy as np

from ccgrid.catalog.scan.certainty import with_lacking_numbers, with_unread_places
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import ScanDoubt, ScannedCard, SeenNumber, SeenText, TextReading

FOUR = SeenNumber("4", 4, "top-left", 12, 9, 0.99)
CARD = ScannedCard("Griffin", (FOUR,))


def icon(text: str, x: int = 88, y: int = 91) -> Any:
    """A card with a round icon at this place, in per cent, and a text in it."""
    picture = np.full((1040, 744, 3), 200, np.uint8)
    middle = (x * 744 // 100, y * 1040 // 100)
    cv2.circle(picture, middle, 34, (60, 40, 30), -1, cv2.LINE_AA)
    if text:
        (wide, tall), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.4, 5)
        at = (middle[0] - wide // 2, middle[1] + tall // 2)
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 1.4, (240, 240, 240), 5, cv2.LINE_AA)
    return picture


def test_card_is_not_sure_while_an_icon_on_its_rim_is_unread() -> None:
    assert CARD.sure
    card = with_unread_places(CARD, icon("7"))
    assert [doubt.zone for doubt in card.doubts] == ["bottom-right"]
    assert not card.sure


@pytest.mark.parametrize("picture", [icon(""), icon("7", 50, 50)])
def test_circle_without_a_shape_or_in_the_middle_is_no_doubt(picture: Any) -> None:
    assert with_unread_places(CARD, picture).sure


def test_read_icon_is_no_doubt() -> None:
    seven = SeenNumber("7", 7, "bottom-right", 88, 91, 0.95)
    assert with_unread_places(replace(CARD, numbers=(FOUR, seven)), icon("7")).sure
    line = SeenText(80, 91, 30, 5, (TextReading("A WORD", 0.95),))
    assert with_unread_places(replace(CARD, lines=(line,)), icon("O")).sure


@pytest.mark.parametrize(
    ("readings", "sure"),
    [(("4", "4", "4", "4"), True), (("4", "-4", "−4", "4"), False), (("4", "-4", "4", "4"), True), (("-", "-"), True)],
)
def test_number_is_doubtful_if_two_readings_have_a_minus_before_it(readings: tuple[str, ...], sure: bool) -> None:
    line = SeenText(12, 9, 6, 4, tuple(TextReading(text, 0.95) for text in readings))
    card = with_unread_places(replace(CARD, lines=(line,)), icon(""))
    assert card.sure is sure
    assert [(doubt.zone, doubt.value) for doubt in card.doubts] == ([] if sure else [("top-left", 4)])


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
