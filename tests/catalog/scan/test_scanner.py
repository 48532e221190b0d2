"""The scanner: cards found on a picture, their order and orientation, grids, and errors of pictures."""

import math
import os
import struct
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from helpers.error_messages import error_of

pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

import cv2
import numpy as np
from helpers.made_up_pictures import packed
from PIL import Image, ImageDraw

from ccgrid.catalog.formatting import counted
from ccgrid.catalog.scan import scanner as scanner_module
from ccgrid.catalog.scan.scanner import (
    FoundCard,
    Scanner,
    card_jpeg,
    find_cards,
    in_cells,
    is_outside,
    legible,
    likely_names,
    may_be_frames,
    open_picture,
    whole_picture,
)
from ccgrid.catalog.scan.values import SeenText, TextReading

# --- cards found on a picture -----------------------------------------------------------------------------------------


def blank(width: int, height: int) -> Any:
    return np.zeros((height, width, 3), np.uint8)


def outline(width: float, height: float, degrees: float = 0.0, x: float = 350.0, y: float = 500.0) -> Any:
    """Return the corners of a turned rectangle around x, y in pixels, clockwise from its top left."""
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]], np.float32) / 2
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]], np.float32)
    return (half @ turn + np.array([x, y], np.float32)).astype(np.float32)


def near(*places: tuple[float, float]) -> tuple[Any, ...]:
    return tuple(pytest.approx(place) for place in places)


class Outlines:
    """A stand-in for the search: the outlines found first and by straight sides, and a count of the second search."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.first: list[Any] = []
        self.by_sides: list[Any] = []
        self.asked = 0
        patch.setattr(scanner_module, "find_outlines", lambda picture, grid: self.first)
        patch.setattr(scanner_module, "find_by_sides", self._find)

    def _find(self, picture: Any, outlines: Sequence[Any]) -> list[Any]:
        assert list(outlines) == self.first
        self.asked += 1
        return self.by_sides

    def whole(self, *first: Any, size: tuple[int, int] = (700, 1000)) -> bool | None:
        """Return whether the whole picture is one card, or None if no card is found."""
        self.first, self.asked = list(first), 0
        found = find_cards(blank(*size))
        assert all(card.whole for card in found) or not any(card.whole for card in found)
        return found[0].whole if found else None


@pytest.fixture
def outlines(monkeypatch: pytest.MonkeyPatch) -> Outlines:
    return Outlines(monkeypatch)


def test_picture_shaped_like_card_is_one_unless_it_shows_cards(outlines: Outlines) -> None:
    assert outlines.whole() is True
    assert outlines.whole(outline(560, 400)) is True, "a level frame of a picture"
    assert outlines.whole(outline(630, 882)) is True, "a level frame inside a border"
    assert outlines.whole(outline(560, 400, 3.0)) is True, "no more than four degrees off the level"
    assert outlines.whole(outline(560, 400, 5.0)) is False, "it is tilted"
    assert outlines.whole(outline(420, 300)) is False, "a frame is larger than a fifth of the card"
    assert outlines.whole(outline(400, 400, 10.0)) is True, "no card is square"
    assert outlines.whole(outline(150, 210, 10.0)) is True, "frames of icons are smaller than cards"


def test_level_card_on_a_table_is_preferred_to_the_whole_picture(outlines: Outlines) -> None:
    assert outlines.whole(outline(580, 812)) is False
    assert outlines.whole(outline(600, 840)) is True, "only a border remains"
    assert outlines.whole(outline(480, 580)) is True, "it has another shape"
    assert outlines.whole(outline(560, 800), size=(1000, 700)) is True, "it has another orientation than the picture"


def test_several_outlines_are_cards_if_tilted_or_more_than_three(outlines: Outlines) -> None:
    level = [outline(280, 200, 0.0, x, y) for x, y in ((150, 200), (450, 200), (150, 600), (450, 600))]
    askew = [outline(200, 280, 6.0, x, 300) for x in (180, 480)]
    assert [outlines.whole(*level[:count]) for count in (2, 3, 4)] == [True, True, False]
    assert outlines.whole(*askew) is False
    assert outlines.whole(askew[0], level[3]) is True


@pytest.mark.parametrize(("width", "whole"), [(674, False), (675, True), (745, True), (746, False)])
def test_only_card_shaped_picture_is_a_scan_with_a_frame(outlines: Outlines, width: int, whole: bool) -> None:
    assert outlines.whole(outline(560, 400), size=(width, 1000)) is whole
    assert outlines.whole(outline(400, 560), size=(1000, width)) is whole


@pytest.mark.parametrize(("width", "whole"), [(599, None), (600, True), (820, True), (821, None)])
def test_picture_without_outlines_may_be_card_of_looser_shape(
    outlines: Outlines, width: int, whole: bool | None
) -> None:
    assert outlines.whole(size=(width, 1000)) is whole
    assert outlines.asked == 1


def test_straight_sides_are_tried_if_outlines_are_small(outlines: Outlines) -> None:
    size = (1000, 1000)
    outlines.by_sides = [outline(400, 560)]
    card, icons = outline(440, 450), [outline(190, 290, 0.0, x, 200) for x in (150, 350, 550, 750)]
    assert (outlines.whole(card, size=size), outlines.asked) == (False, 1), "less than a fifth, and alone"
    assert (outlines.whole(outline(450, 600), size=size), outlines.asked) == (False, 0)
    assert (outlines.whole(outline(450, 450), size=size), outlines.asked) == (False, 1), "no card is square"
    assert (outlines.whole(*icons[:3], size=size), outlines.asked) == (False, 1), "icons alone"
    assert (outlines.whole(icons[0], outline(240, 260), size=size), outlines.asked) == (False, 0)
    assert (outlines.whole(*icons, size=size), outlines.asked) == (False, 0)
    outlines.first = [card]
    assert find_cards(blank(*size))[0].corners == near((15, 22), (55, 22), (55, 78), (15, 78))
    outlines.by_sides = []
    ((left, _), *_) = find_cards(blank(*size))[0].corners
    assert left == pytest.approx(13), "nothing else is found"


@pytest.mark.parametrize(("card", "around", "left"), [(310, 600, 27.5), (310, 400, 15), (400, 600, 5)])
def test_small_card_is_kept_if_what_is_around_it_has_no_card_shape(
    outlines: Outlines, card: float, around: float, left: float
) -> None:
    """Keep a card on a table whose grain runs along its sides, but not the art of a card."""
    outlines.first, outlines.by_sides = [outline(card, 430, x=430)], [outline(around, 560)]
    assert find_cards(blank(1000, 1000))[0].corners[0][0] == pytest.approx(left)


def test_cards_are_ordered_by_rows_from_the_left(outlines: Outlines) -> None:
    middles = [(600, 330), (200, 250), (900, 250), (250, 700), (650, 640)]
    outlines.first = [outline(150, 210, 0.0, x, y) for x, y in reversed(middles)]
    found = [card.centre for card in find_cards(blank(1000, 1000))]
    expected = [(20, 25), (60, 33), (90, 25), (25, 70), (65, 64)]
    assert found == [pytest.approx(place) for place in expected]
    outlines.first = [outline(150, 200, 0.0, 200, 300), outline(150, 200, 0.0, 100, 400)]
    assert [card.centre[0] for card in find_cards(blank(1000, 1000))] == pytest.approx([20, 10]), "half a card lower"
    outlines.first = [outline(150, 200, 0.0, 200, 300), outline(150, 200, 0.0, 100, 399)]
    assert [card.centre[0] for card in find_cards(blank(1000, 1000))] == pytest.approx([10, 20])


COLOURS = ((250, 10, 10), (10, 250, 10), (10, 10, 250), (200, 200, 200))


def coloured(width: int, height: int) -> Any:
    """Return a picture whose quarters have the four colours, clockwise from the top left."""
    picture = blank(width, height)
    picture[: height // 2, : width // 2], picture[: height // 2, width // 2 :] = COLOURS[0], COLOURS[1]
    picture[height // 2 :, width // 2 :], picture[height // 2 :, : width // 2] = COLOURS[2], COLOURS[3]
    return picture


def quarters(picture: Any) -> list[int]:
    """Return the numbers of the colours of a picture's quarters, clockwise from the top left."""
    high, wide = picture.shape[:2]
    at = (
        (high // 4, wide // 4),
        (high // 4, 3 * wide // 4),
        (3 * high // 4, 3 * wide // 4),
        (3 * high // 4, wide // 4),
    )
    return [min(range(4), key=lambda one: int(np.abs(picture[y, x].astype(int) - COLOURS[one]).sum())) for y, x in at]


@pytest.mark.parametrize("finer", [0.5, 1.0, 2.0, 4.0])
def test_card_of_any_size_is_cut_out_upright(outlines: Outlines, finer: float) -> None:
    side = round(1400 * finer)
    outlines.first = [outline(700 * finer, 980 * finer, 0.0, side / 2, side / 2)]
    (card,) = find_cards(coloured(side, side))
    assert (card.whole, card.lying, card.cell) == (False, False, None)
    assert card.corners == near((25, 15), (75, 15), (75, 85), (25, 85))
    assert card.picture.shape == (1040, 744, 3)
    assert quarters(card.picture) == [0, 1, 2, 3]


def test_card_on_its_side_is_turned_with_left_side_up(outlines: Outlines) -> None:
    outlines.first = [outline(980, 700, 0.0, 1000, 500)]
    (card,) = find_cards(coloured(2000, 1000))
    assert card.lying is True
    assert card.corners == near((25.5, 85), (25.5, 15), (74.5, 15), (74.5, 85))
    assert (card.picture.shape, quarters(card.picture)) == ((1040, 744, 3), [3, 0, 1, 2])


def roughness(outlines: Outlines, height: float) -> float:
    """Cut a card of this height in pixels out of a grainy picture, and return its remaining grain."""
    side = round(1.1 * height)
    grain = np.random.default_rng(1).integers(0, 255, (side, side, 3)).astype(np.uint8)
    outlines.first = [outline(height / 1.4, height, 0.0, side / 2, side / 2)]
    (card,) = find_cards(grain)
    return float(card.picture.std())


def test_reducing_a_large_photograph_removes_grain(outlines: Outlines) -> None:
    small, nearly, twice, thrice = (roughness(outlines, height) for height in (1000, 1290, 1310, 2940))
    assert small > 55
    assert nearly > 55
    assert 30 < twice < 50
    assert thrice < 27


def test_square_outline_is_not_turned(outlines: Outlines) -> None:
    outlines.first = [outline(400, 400, 0.0, 500, 500)]
    (card,) = find_cards(blank(1000, 1000))
    assert (card.lying, card.corners) == (False, near((30, 30), (70, 30), (70, 70), (30, 70)))


def test_whole_picture_has_corners_of_the_picture() -> None:
    picture = blank(70, 100)
    card = whole_picture(picture)
    assert (card.corners, card.whole, card.cell) == (((0, 0), (100, 0), (100, 100), (0, 100)), True, None)
    assert card.picture is picture
    assert card.centre == (50, 50)


def found_card(x: float, y: float, width: float = 20, height: float = 28, *, first: int = 0) -> FoundCard:
    """Return a level card around x, y in per cent; `first` is the index of its first corner."""
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return FoundCard(corners[first:] + corners[:first], blank(1, 1), whole=False)


def slanted(degrees: float) -> FoundCard:
    """Return a tilted frame on a card of 700 x 1000 pixels."""
    corners = outline(560, 400, degrees) / np.array([7, 10], np.float32)
    return FoundCard(tuple(map(tuple, corners.tolist())), blank(1, 1), whole=False)


def test_one_or_two_level_outlines_may_be_frames_printed_on_a_card() -> None:
    picture, level = blank(700, 1000), slanted(0.0)
    assert [may_be_frames(picture, [level] * count) for count in range(4)] == [False, True, True, False]
    assert [may_be_frames(picture, [slanted(degrees)]) for degrees in (3.9, -3.9, 4.1, -4.1)] == [
        True,
        True,
        False,
        False,
    ]
    assert may_be_frames(picture, [level, slanted(9.0)]) is False
    assert may_be_frames(picture, [whole_picture(picture)]) is False
    card = FoundCard(tuple(map(tuple, (outline(400, 560) / (7, 10)).tolist())), picture, whole=False)
    assert may_be_frames(picture, [card]) is False, "it is a card next to text"
    turned = FoundCard(level.corners[3:] + level.corners[:3], picture, whole=False, lying=True)
    assert may_be_frames(picture, [turned]) is True, "any of its corners may be the first"


@pytest.mark.parametrize(("width", "may_be"), [(599, False), (600, True), (820, True), (821, False)])
def test_frames_are_expected_only_on_card_shaped_pictures(width: int, may_be: bool) -> None:
    assert may_be_frames(blank(width, 1000), [found_card(50, 50)]) is may_be
    assert may_be_frames(blank(1000, width), [found_card(50, 50)]) is may_be


def test_point_is_outside_if_no_card_covers_it() -> None:
    cards = [found_card(20, 50), found_card(80, 50)]
    assert [is_outside(x, 50, cards) for x in (5, 10, 20, 50, 80, 91)] == [True, False, False, True, False, True]
    assert is_outside(50, 50, []) is True


# --- grids ------------------------------------------------------------------------------------------------------------


CELLS = [(20 + 30 * column, 15 + 33 * row) for row in range(3) for column in range(3)]


@pytest.mark.parametrize("first", range(4))
def test_grid_cards_get_cells_for_any_first_corner(first: int) -> None:
    cards = [found_card(x, y, first=(first + number) % 4) for number, (x, y) in enumerate(CELLS)]
    placed = in_cells(cards[::-1])
    assert [(card.cell, card.centre) for card in placed] == [
        (number, pytest.approx(place)) for number, place in enumerate(CELLS)
    ]


def test_grid_may_have_empty_cells_and_be_tilted_or_uneven() -> None:
    some = [CELLS[number] for number in (0, 2, 4, 6)]
    assert [card.cell for card in in_cells([found_card(x, y) for x, y in some])] == [0, 2, 4, 6]
    askew = [found_card(x + 0.1 * y, y - 0.1 * x) for x, y in CELLS]
    assert [card.cell for card in in_cells(askew)] == list(range(9))
    moved = [found_card(x + (4 if number % 2 else -4), y + (number % 3) * 2) for number, (x, y) in enumerate(CELLS)]
    assert [card.cell for card in in_cells(moved)] == list(range(9))


@pytest.mark.parametrize(
    ("cells", "rows", "columns"),
    [((0, 1, 3, 4), 2, 2), ((0, 4), 2, 2), ((0, 1, 2), 1, 3), ((0, 3, 6), 3, 1), ((0, 1, 2, 3, 4, 5), 2, 3)],
)
def test_grid_without_three_rows_and_columns_is_rejected(cells: Sequence[int], rows: int, columns: int) -> None:
    cards = [found_card(*CELLS[number]) for number in cells]
    assert error_of(lambda: in_cells(cards)) == (
        f"no 3x3 grid found: {len(cards)} cards in {counted(rows, 'row')} and {counted(columns, 'column')}."
        " The picture must show all nine cells, with a card in each row and column."
    )


def test_two_cards_in_one_cell_or_fourth_column_are_not_a_grid() -> None:
    cards = [found_card(x, y) for x, y in CELLS]
    with pytest.raises(ValueError, match=r"^no 3x3 grid found: 10 cards in 3 rows and 3 columns\."):
        in_cells([*cards, found_card(CELLS[0][0] + 2, CELLS[0][1])])
    with pytest.raises(ValueError, match=r"^no 3x3 grid found: 10 cards in 3 rows and 4 columns\."):
        in_cells([*cards, found_card(CELLS[2][0] + 30, CELLS[2][1])])


# --- pictures of cards ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "expected"),
    [((343, 480), (343, 480)), ((686, 960), (343, 480)), ((960, 480), (480, 240)), ((100, 140), (100, 140))],
)
def test_cut_out_card_has_at_most_480_pixels(size: tuple[int, int], expected: tuple[int, int]) -> None:
    picture = coloured(2 * size[0], 2 * size[1])
    cut = card_jpeg(picture, ((25, 25), (75, 25), (75, 75), (25, 75)))
    assert (cut.width, cut.height) == expected
    decoded = cv2.imdecode(np.frombuffer(cut.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded.shape == (expected[1], expected[0], 3)
    assert quarters(decoded) == [0, 1, 2, 3]


def test_card_is_cut_out_from_its_first_corner() -> None:
    cut = card_jpeg(coloured(400, 400), ((75, 25), (75, 75), (25, 75), (25, 25)))
    decoded = cv2.imdecode(np.frombuffer(cut.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert ((cut.width, cut.height), quarters(decoded)) == ((200, 200), [1, 2, 3, 0])


def test_card_of_single_point_is_cut_out() -> None:
    cut = card_jpeg(coloured(400, 400), ((50, 50),) * 4)
    assert (cut.width, cut.height) == (1, 1)


# --- lines and names --------------------------------------------------------------------------------------------------


def line(
    text: str,
    x: float = 50,
    y: float = 50,
    *,
    sure: float = 0.95,
    turn: int = 0,
    width: float = 40,
    height: float = 4,
) -> SeenText:
    return SeenText(x, y, width, height, (TextReading(text, sure),), turn)


def test_legible_letters_are_counted_in_certain_lines_of_four() -> None:
    assert legible([]) == 0
    assert legible([line("Draw"), line("two")]) == 4
    assert legible([line("Draw", sure=0.85), line("three", sure=0.84)]) == 4
    assert legible([line("Draw"), line("デジモン")]) == 8
    turned = [line("Draw"), line("three", turn=90), line("cards.", turn=270)]
    assert [legible(turned), legible(turned, 90), legible(turned, 270), legible(turned, 90, 270)] == [4, 5, 6, 11]


@pytest.mark.parametrize("lying", [False, True])
def test_upside_down_card_with_sideways_imprint_is_turned(monkeypatch: pytest.MonkeyPatch, lying: bool) -> None:
    upside_down = np.zeros((1040, 744, 3), np.uint8)
    upside_down[-1, -1] = 255

    def read(models: object, picture: Any) -> list[SeenText]:
        return [line("このデジモンは二回アタックする")] if picture[0, 0].any() else [line("MADE IN JAPAN", turn=90)]

    monkeypatch.setattr(scanner_module, "read_card", read)
    monkeypatch.setattr(scanner_module, "read_over", lambda models, picture, lines: read(models, picture[::-1, ::-1]))
    monkeypatch.setattr(scanner_module, "Models", object)
    corners = ((0, 0), (50, 0), (50, 50), (0, 50))
    lines, turns = Scanner()._upright(FoundCard(corners, upside_down, whole=False, lying=lying))
    assert turns == 2
    assert [one.turn for one in lines] == [0]


def test_likely_name_has_three_letters_and_high_confidence() -> None:
    assert likely_names([line("Ant"), line("12 of 3"), line("An 7")]) == ["Ant"]
    assert likely_names([line("Ant", sure=0.71), line("Bee", sure=0.7)]) == ["Ant"]
    assert likely_names([line("A" * 60), line("B" * 61)]) == ["A" * 60]
    assert likely_names([]) == []


def test_likely_name_is_large_and_high_and_short() -> None:
    def first(*lines: SeenText) -> str:
        return likely_names([*lines, line("small", height=1, y=90)])[0]

    assert first(line("Ant", height=4), line("Bee", height=5, x=90)) == "Bee"
    assert first(line("Ant", height=4, y=17), line("Bee", height=6.7)) == "Ant"
    assert first(line("Ant", height=4, y=17), line("Bee", height=6.9)) == "Bee"
    assert first(line("Ant", height=4, y=18), line("Bee", height=4.1)) == "Bee"
    assert first(line("one two three four five", height=4), line("Bee", height=3.9, x=90)) == "one two three four five"
    assert first(line("one two three four five six", height=4), line("Bee", height=1.7)) == "Bee"
    assert first(line("one two three four five six", height=4), line("Bee", height=1.5)).startswith("one")
    assert first(line("Ant", turn=90, width=5, height=1), line("Bee", height=4, x=90)) == "Ant"


def test_two_line_name_is_tried_after_its_largest_line() -> None:
    def two(upper: SeenText, lower: SeenText) -> list[str]:
        return likely_names([upper, lower])

    upper = line("Amber", y=20)
    assert two(upper, line("Drake", y=25)) == ["Amber", "Amber Drake", "Drake"]
    assert two(line("Drake", y=25), upper) == ["Drake", "Amber Drake", "Amber"]
    assert two(upper, line("Drake", y=26.3)) == ["Amber", "Amber Drake", "Drake"]
    assert two(upper, line("Drake", y=26.5)) == ["Amber", "Drake"], "too far below"
    assert two(upper, line("Drake", y=20)) == ["Amber", "Drake"], "next to it"
    assert two(upper, line("Drake", y=25, height=2.4)) == ["Amber", "Amber Drake", "Drake"]
    assert two(upper, line("Drake", y=25, height=2.3)) == ["Amber", "Drake"], "much smaller"
    assert two(upper, line("Drake", y=25, height=6.6)) == ["Drake", "Amber Drake", "Amber"]
    assert two(upper, line("Drake", y=25, height=6.7)) == ["Drake", "Amber"], "much larger"
    assert two(upper, line("Drake", y=25, x=69)) == ["Amber", "Amber Drake", "Drake"]
    assert two(upper, line("Drake", y=25, x=71)) == ["Amber", "Drake"], "to the side"
    assert two(line("A" * 20, y=20), line("D" * 19, y=25)) == ["A" * 20, f"{'A' * 20} {'D' * 19}", "D" * 19]
    assert two(line("A" * 20, y=20), line("D" * 20, y=25)) == ["A" * 20, "D" * 20], "too long together"


def test_at_most_three_two_line_names_of_six_largest_lines_are_tried() -> None:
    lines = [line(word, y=40 + 3 * number) for number, word in enumerate(("Ant", "Bee", "Cow", "Doe", "Elk"))]
    assert likely_names(lines) == ["Ant", "Ant Bee", "Ant Cow", "Bee Cow", "Bee", "Cow", "Doe", "Elk"]
    far = [line(f"{word * 3}", y=10 * number, height=5) for number, word in enumerate("abcdef", 2)]
    assert "Ant Bee" not in likely_names([*far, line("Ant", y=90), line("Bee", y=93)])
    assert "Ant Bee" not in likely_names([*far[1:], line("Ant", y=90), line("Bee", y=93)])
    assert "Ant Bee" in likely_names([*far[2:], line("Ant", y=90), line("Bee", y=93)])


# --- reading a picture ------------------------------------------------------------------------------------------------


def noise(width: int = 500, height: int = 700) -> Any:
    """Return a sharp picture whose top left corner is white."""
    picture = np.random.default_rng(1).integers(0, 200, (height, width, 3), np.uint8)
    picture[:40, :40] = 255
    return picture


def quarter_turns(picture: Any) -> int:
    """Return the number of quarter turns to the left of a picture of noise."""
    corners = [picture[:30, :30], picture[-30:, :30], picture[-30:, -30:], picture[:30, -30:]]
    return max(range(4), key=lambda turns: float(corners[turns].mean()))


class Read:
    """A scanner that finds the given cards on every picture, and the given lines on every card."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.found: list[FoundCard] | None = None
        self.lines: Callable[[Any], list[SeenText]] = lambda picture: [line("Draw three cards.")]
        patch.setattr(scanner_module, "Models", lambda: None)
        patch.setattr(scanner_module, "read_card", self._read)
        patch.setattr(scanner_module, "read_once", self._read_once)
        patch.setattr(scanner_module, "read_over", self._read_over)
        patch.setattr(
            scanner_module,
            "find_cards",
            lambda picture, grid: self.found if self.found is not None else [whole_picture(picture)],
        )
        self.scan = Scanner().scan

    def _read(self, models: None, picture: Any) -> list[SeenText]:
        assert picture.flags.c_contiguous
        return self.lines(picture)

    def _read_once(self, models: None, picture: Any, wanted: Callable[[float, float], bool]) -> list[SeenText]:
        return [line for line in self._read(models, picture) if wanted(line.x, line.y)]

    def _read_over(self, models: None, picture: Any, lines: list[SeenText]) -> list[SeenText]:
        return self.lines(picture[::-1, ::-1])


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    return Read(monkeypatch)


CORNERS = ((0, 0), (100, 0), (100, 100), (0, 100))


def turned_lines(**letters: int) -> Callable[[Any], list[SeenText]]:
    """Return a function that yields lines with these numbers of letters.

    `up` counts on the upright picture, `over` on the picture upside down, and the others are lines turned sideways.
    """

    def lines(picture: Any) -> list[SeenText]:
        upright = letters.get("over" if quarter_turns(picture) == 2 else "up", 0)
        kinds = ((upright, 0), (letters.get("right", 0), 90), (letters.get("left", 0), 270))
        return [line("x" * count, turn=turn) for count, turn in kinds if count]

    return lines


def test_card_is_read_in_orientation_with_more_legible_letters(read: Read) -> None:
    for letters, turns in (
        ({"up": 12, "over": 99}, 0),
        ({"up": 11, "over": 99}, 2),
        ({"up": 11, "over": 11}, 0),
        ({"up": 4, "over": 5}, 2),
        ({"right": 12, "over": 99}, 2),
        ({"right": 12, "over": 12}, 0),
        ({"left": 12, "over": 13}, 2),
    ):
        read.lines = turned_lines(**letters)
        picture = noise()
        (card,) = read.scan(picture)
        assert card.corners == CORNERS[turns:] + CORNERS[:turns], letters
        assert sum(len(one.text) for one in card.lines if one.turn == 0) == letters.get("over" if turns else "up", 0)


def test_card_on_its_side_is_turned_by_its_text(read: Read) -> None:
    picture = noise(700, 500)
    for letters, turns in (
        ({"right": 9, "left": 5}, 1),
        ({"right": 5, "left": 9}, 3),
        ({"right": 5, "left": 5}, 3),
        ({"left": 14}, 3),
        ({"up": 13, "right": 9}, 0),
        ({"up": 13, "right": 13}, 0),
        ({"up": 13, "right": 9, "left": 5}, 1),
    ):
        read.lines = turned_lines(**letters)
        (card,) = read.scan(picture)
        assert card.corners == CORNERS[turns:] + CORNERS[:turns], letters
    upright = noise()
    for lying, turns in ((True, 1), (False, 0)):
        read.found = [FoundCard(CORNERS, upright, whole=False, lying=lying)]
        read.lines = turned_lines(right=14)
        (card,) = read.scan(upright)
        assert card.corners == CORNERS[turns:] + CORNERS[:turns], "it was sideways when it was cut out"


def test_sharpness_is_measured_at_704_pixels(read: Read) -> None:
    def sharp(strength: int, *size: int) -> bool:
        values = np.random.default_rng(1).integers(100 - strength, 100 + strength, (*size, 3))
        return bool(read.scan(values.astype(np.uint8))[0].sharp)

    assert [sharp(strength, 1400, 700) for strength in (4, 5)] == [False, True]
    assert [sharp(strength, 700, 1400) for strength in (4, 5)] == [False, True]


def test_scan_has_name_numbers_lines_and_sharpness(read: Read) -> None:
    lines = [line("Amber Drake", y=10), line("a small word", y=80, height=2)]
    read.lines = lambda picture: lines
    (card,) = read.scan(noise())
    assert (card.name, card.names[0], card.lines) == ("Amber Drake", "Amber Drake", tuple(lines))
    assert (card.sharp, card.cell) == (True, None)
    read.lines = lambda picture: [line("12345")]
    (card,) = read.scan(np.full((700, 500, 3), 90, np.uint8))
    assert (card.name, card.names, card.sharp) == ("", (), False)


NO_CARD = "no card found on the picture"


def test_picture_without_card_or_text_is_rejected(read: Read) -> None:
    read.found = []
    assert error_of(lambda: read.scan(noise())) == (
        f"{NO_CARD}. Lay it flat on a plain surface, well lit, and go closer."
    )
    read.found, read.lines = None, lambda picture: []
    assert error_of(lambda: read.scan(noise())) == f"{NO_CARD}: there is no text on it."
    read.found = [whole_picture(noise())] * 2
    assert len(read.scan(noise())) == 2


def test_each_card_is_reported_as_soon_as_it_is_read(read: Read) -> None:
    read.found, events = [whole_picture(noise())] * 2, []
    read.lines = lambda picture: [line(events.append("read") or "Amber Drake")]
    read.scan(noise(), on_card=lambda card, total: events.append((card.name, total)))
    assert [one for at, one in enumerate(events) if one != events[at - 1] or not at] == ["read", ("Amber Drake", 2)] * 2


def test_blurred_picture_is_rejected_unless_readable(read: Read) -> None:
    grey = np.full((700, 500, 3), 90, np.uint8)
    read.lines = lambda picture: [line("Draw three cards.", sure=0.5)]
    assert error_of(lambda: read.scan(grey)) == "the picture is blurred. Hold still and focus on the card."
    assert len(read.scan(noise())) == 1
    read.lines = lambda picture: [line("Draw three cards.")]
    assert len(read.scan(grey)) == 1
    read.lines, read.found = lambda picture: [line("Draw three cards.", sure=0.5)], [whole_picture(grey)] * 2
    assert len(read.scan(grey)) == 2


@pytest.mark.parametrize(("across", "refused"), [(189, True), (190, False)])
def test_illegible_card_under_190_pixels_wide_is_rejected(read: Read, across: int, refused: bool) -> None:
    picture = noise(1000, 2000)
    small, smaller = (found_card(50, 50, width / 10, 270 / 20) for width in (across, 100))
    read.found = [FoundCard(one.corners, noise(), whole=False) for one in (smaller, small)]
    read.lines = lambda picture: [line("Draw three cards.", sure=0.5)]
    if refused:
        assert error_of(lambda: read.scan(picture)) == (
            "the card is too small on the picture, 189 x 270 pixels: it needs at least 200 x 280,"
            " better 600 x 840. Go closer, or take fewer at a time."
        )
        for turn in (90, 270):
            read.lines = lambda picture, turn=turn: [line("Draw three cards.", turn=turn)]  # type: ignore[misc]
            assert len(read.scan(picture)) == 2
    assert len(read.scan(picture)) == 2


@pytest.mark.parametrize(("letters", "whole"), [(11, False), (12, True)])
def test_frame_with_text_around_it_is_part_of_a_card(read: Read, letters: int, whole: bool) -> None:
    picture = noise(700, 1000)
    frame = FoundCard(slanted(0.0).corners, noise(), whole=False)
    read.found = [frame]
    read.lines = lambda picture: [line("x" * letters, y=5), line("Draw three cards.")]
    (card,) = read.scan(picture)
    assert card.corners == (CORNERS if whole else frame.corners)
    read.found = [FoundCard(slanted(9.0).corners, noise(), whole=False)]
    (card,) = read.scan(picture)
    assert card.corners == read.found[0].corners


def test_cards_of_a_grid_have_their_cells(read: Read) -> None:
    read.found = [FoundCard(found_card(*place).corners, noise(), whole=False) for place in reversed(CELLS)]
    assert [card.cell for card in read.scan(noise(), grid=True)] == list(range(9))
    assert {card.cell for card in read.scan(noise())} == {None}
    read.found = read.found[:2]
    with pytest.raises(ValueError, match="no 3x3 grid"):
        read.scan(noise(), grid=True)


# --- opening pictures -------------------------------------------------------------------------------------------------


def file_of(width: int, height: int, kind: str = "PNG", mode: str = "RGB", **options: Any) -> BytesIO:
    picture = Image.new(mode, (width, height))
    ImageDraw.Draw(picture).ellipse((20, 20, 200, 260), fill=1)
    return BytesIO(packed(picture, kind, **options))


def open_file(file: BytesIO) -> Any:
    return open_picture(file, "card.jpg")


def test_picture_under_180_pixels_on_shorter_side_is_rejected() -> None:
    assert open_file(file_of(180, 190)).shape == (190, 180, 3)
    assert error_of(lambda: open_file(file_of(190, 179))) == (
        "the picture is too small to read: 190 x 179 pixels. A card needs at least 200 x 280, better 600 x 840."
    )


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_large_picture_is_reduced_to_4000_pixels(kind: str) -> None:
    assert open_file(file_of(4000, 200, kind)).shape == (200, 4000, 3)
    assert open_file(file_of(200, 8000, kind)).shape == (4000, 200 // 2, 3)


PIXEL_LIMITS = {
    "JPEG": ("_LARGEST_JPEG", {"kind": "JPEG"}),
    "MPO": ("_LARGEST_JPEG", {"kind": "MPO", "save_all": True, "append_images": [Image.new("RGB", (200, 200))]}),
    "JPEG in scans": ("_LARGEST_IN_SCANS", {"kind": "JPEG", "progressive": True}),
    "WebP": ("_LARGEST_WEBP", {"kind": "WEBP"}),
    "clear": ("_LARGEST_CLEAR", {"mode": "RGBA"}),
    "clear grey": ("_LARGEST_CLEAR", {"mode": "LA"}),
    "PNG": ("_LARGEST", {}),
    "TIFF": ("_LARGEST", {"kind": "TIFF"}),
}


@pytest.mark.parametrize("kind", PIXEL_LIMITS)
def test_each_kind_of_picture_has_a_limit_of_pixels(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, options = PIXEL_LIMITS[kind]
    for other in {limit for limit, _ in PIXEL_LIMITS.values()} - {name}:
        monkeypatch.setattr(scanner_module, other, 1)
    monkeypatch.setattr(scanner_module, name, 2_000_000)
    assert open_file(file_of(1000, 2000, **options)).shape == (2000, 1000, 3)
    assert error_of(lambda: open_file(file_of(1000, 2001, **options))) == (
        "the picture has 2 megapixels; the maximum is 2. "
        "Make it smaller: 4,000 pixels along the longer side are enough."
    )


def test_file_over_the_limit_of_bytes_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "card.png"
    path.write_bytes(file_of(200, 280).getvalue())
    size = path.stat().st_size
    monkeypatch.setattr(scanner_module, "_LARGEST_FILE", size)
    assert open_picture(path, "card.png").shape == (280, 200, 3)
    monkeypatch.setattr(scanner_module, "_LARGEST_FILE", size - 1)
    assert (
        error_of(lambda: open_picture(path, "card.png")) == f"the file has {size:,} bytes; the maximum is {size - 1:,}."
    )


def test_other_files_and_damaged_pictures_are_distinguished() -> None:
    assert error_of(lambda: open_file(BytesIO(b"Ant,x"))) == (
        "this is not a picture that can be opened. JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF can."
    )
    message = error_of(lambda: open_file(BytesIO(file_of(200, 280).getvalue()[:150])))
    assert message.startswith("the picture is damaged: ")
    assert message.endswith(".")


@pytest.mark.parametrize("brand", ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1", "avif", "avis"])
def test_phone_picture_is_rejected_with_advice(brand: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.catalog.scan.scanner.find_spec", lambda name: None)
    monkeypatch.setattr("PIL.features.check", lambda name: False)
    kind = "an AVIF" if brand in ("avif", "avis") else "a HEIC"
    content = b"\0\0\0\x18ftyp" + brand.encode() + b"\0" * 99
    path = tmp_path / "card.heic"
    path.write_bytes(content)
    for source in (path, BytesIO(content)):
        assert error_of(lambda source=source: open_picture(source, "card.heic")) == (
            f"{kind} picture cannot be opened here. Send it as JPEG: iPhones take JPEG with Settings, Camera,"
            " Formats, Most Compatible, and share others as JPEG with Options, Most Compatible."
        )
    for other in (b"\0\0\0\x18ftypmp42" + b"\0" * 99, b"\0\0\0\x18free" + brand.encode() + b"\0" * 99):
        assert "not a picture" in error_of(lambda other=other: open_file(BytesIO(other)))


def test_heic_is_read_with_its_library(tmp_path: Path) -> None:
    heif = pytest.importorskip("pillow_heif", reason="pillow-heif is not installed")
    heif.register_heif_opener()
    path = tmp_path / "card.heic"
    Image.new("RGB", (400, 560), (200, 40, 40)).save(path)
    assert open_picture(path, "card.heic").shape == (560, 400, 3)


def test_avif_is_read_if_pillow_can(tmp_path: Path) -> None:
    if not pytest.importorskip("PIL.features").check("avif"):
        pytest.skip("this Pillow was built without AVIF")
    path = tmp_path / "card.avif"
    Image.new("RGB", (400, 560), (200, 40, 40)).save(path)
    assert open_picture(path, "card.avif").shape == (560, 400, 3)


def test_transparency_becomes_white_and_16_bit_grey_is_stretched() -> None:
    clear = Image.new("RGBA", (200, 280), (200, 10, 10, 0))
    clear.paste((10, 20, 30, 255), (0, 0, 200, 140))
    found = open_file(BytesIO(packed(clear)))
    assert (found[10, 10].tolist(), found[270, 10].tolist()) == ([30, 20, 10], [255, 255, 255])
    palette = Image.new("P", (200, 280), 1)
    palette.putpalette([0, 0, 0, 9, 9, 9])
    palette.paste(0, (0, 0, 200, 140))
    found = open_file(BytesIO(packed(palette, transparency=1)))
    assert (found[10, 10].tolist(), found[270, 10].tolist()) == ([0, 0, 0], [255, 255, 255])
    values = np.full((280, 200), 1000, np.uint16)
    values[:140], values[0, 0] = 2000, 3000
    found = open_file(BytesIO(packed(Image.fromarray(values))))
    assert [found[y, x].tolist() for y, x in ((0, 0), (10, 10), (270, 10))] == [[255] * 3, [127] * 3, [0] * 3]
    flat = open_file(BytesIO(packed(Image.fromarray(np.full((280, 200), 1000, np.uint16)))))
    assert (int(flat.min()), int(flat.max())) == (0, 0)


def jpeg_with(parts: Sequence[bytes]) -> BytesIO:
    """Return a coloured JPEG with these comments before its other segments."""
    content = file_of(200, 280, "JPEG").getvalue()
    more = b"".join(b"\xff\xfe" + struct.pack(">H", len(part) + 2) + part for part in parts)
    return BytesIO(content[:2] + more + content[2:])


def test_jpeg_with_comments_and_one_scan_is_not_progressive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanner_module, "_LARGEST_IN_SCANS", 1)
    for parts in ([], [b""], [b"a note", b"\xff\xda in a note"]):
        assert open_file(jpeg_with(parts)).shape == (280, 200, 3)
    content = file_of(200, 280, "JPEG").getvalue()
    place = content.index(b"\xff\xda")
    one_colour = content[: place + 4] + b"\1" + content[place + 5 :]
    for other in (one_colour, content[:2] + b"\xff" + content[2:]):
        assert "the maximum is 0" in error_of(lambda other=other: open_file(BytesIO(other)))


def test_orientation_of_camera_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # The camera was turned a quarter to the left.
    picture = Image.fromarray(np.ascontiguousarray(coloured(400, 300)[..., ::-1]))
    assert quarters(open_file(BytesIO(packed(picture, "JPEG", exif=exif)))) == [3, 0, 1, 2]
    assert quarters(open_file(BytesIO(packed(picture, "JPEG")))) == [0, 1, 2, 3]


def test_truncated_picture_is_damaged_despite_pillow_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", True)
    grain = Image.fromarray(np.random.default_rng(1).integers(0, 255, (280, 200, 3)).astype(np.uint8))
    for kind in ("PNG", "JPEG"):
        content = packed(grain, kind)
        assert "the picture is damaged: " in error_of(
            lambda content=content: open_file(BytesIO(content[: len(content) // 2]))
        )


@pytest.mark.parametrize("kind", [np.float32, np.int32, np.uint16])
def test_pixel_values_of_any_type_are_stretched_from_black_to_white(kind: Any) -> None:
    values = np.full((280, 200), 500, kind)
    values[:140], values[0, 0] = 1000, 1500
    for options in ({}, {"big_endian": True}):
        file = BytesIO()
        Image.fromarray(values).save(file, "TIFF", **options)
        found = open_file(BytesIO(file.getvalue()))
        assert [found[y, x].tolist() for y, x in ((0, 0), (10, 10), (270, 10))] == [[255] * 3, [127] * 3, [0] * 3]


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK", "1", "P", "LA", "RGBA"])
def test_white_picture_stays_white_in_every_colour_mode(mode: str) -> None:
    picture = Image.new("RGB", (200, 280), "white").convert(mode)
    found = open_file(BytesIO(packed(picture, "TIFF")))
    assert (found.shape, int(found.min())) == ((280, 200, 3), 255)


def test_open_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = file_of(200, 280)
    assert open_file(file).shape == (280, 200, 3)
    assert open_file(file).shape == (280, 200, 3)


def test_fractional_tones_are_stretched_like_whole_ones() -> None:
    values = np.zeros((280, 200), np.float32)
    values[:140] = 1.0
    found = open_file(BytesIO(packed(Image.fromarray(values), "TIFF")))
    assert (found[10, 10].tolist(), found[270, 10].tolist()) == ([255] * 3, [0] * 3)
    found = open_file(BytesIO(packed(Image.fromarray(values / 2), "TIFF")))
    assert (found[10, 10].tolist(), found[270, 10].tolist()) == ([127] * 3, [0] * 3), (
        "small differences are not stretched"
    )


# --- limits -----------------------------------------------------------------------------------------------------------


def test_outline_size_limits_for_frames_and_icons(outlines: Outlines) -> None:
    assert outlines.whole(outline(437.5, 320)) is True, "just a fifth: a frame"
    assert outlines.whole(outline(437, 320)) is False
    assert outlines.whole(outline(168, 250)) is True, "just as large as an icon"
    assert outlines.whole(outline(168, 251)) is False
    size = (1000, 1000)
    outlines.by_sides = [outline(400, 560)]
    pair = [outline(200, 300, 0.0, x, 300) for x in (200, 700)]
    asked = [(outlines.whole(*some, size=size), outlines.asked) for some in ([outline(400, 500)], pair)]
    assert asked == [(False, 0), (False, 0)]


def test_files_over_300_000_000_bytes_are_rejected_unread(tmp_path: Path) -> None:
    path = tmp_path / "card.png"
    path.touch()
    for size, message in (
        (300_000_000, "this is not a picture"),
        (300_000_001, "the file has 300,000,001 bytes; the maximum is 300,000,000"),
    ):
        os.truncate(path, size)
        assert error_of(lambda: open_picture(path, "card.png")).startswith(message)


def test_surroundings_of_card_are_not_cut_out(outlines: Outlines) -> None:
    picture = np.full((1400, 1400, 3), 255, np.uint8)
    picture[180:1220, 328:1072] = 0
    outlines.first = [outline(744, 1040, 0.0, 700, 700)]
    (card,) = find_cards(picture)
    assert int(card.picture.max()) == 0
