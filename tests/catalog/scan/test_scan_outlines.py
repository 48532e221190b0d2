"""Outlines of cards on photographs: edges instead of printed frames, hidden corners, pages and grids."""

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="the extra 'scan' is not installed")

import cv2
import numpy as np
from helpers.everyday import sampled
from helpers.made_up_pictures import draw, pixels
from PIL import Image, ImageDraw

from ccgrid.catalog.scan import outlines
from ccgrid.catalog.scan.scanner import find_cards, in_cells

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import photographs

CARD = (252, 352)
RED, DARK, GREEN, PALE = (50, 45, 140), (24, 20, 22), (120, 160, 60), (220, 225, 228)


def framed(border: float, colour: tuple[int, int, int] = DARK) -> Any:
    """Draw a card with a coloured border (a share of its width) around a green frame with a text panel."""
    wide, tall = CARD
    card = np.full((tall, wide, 3), colour, np.uint8)
    edge = round(border * wide)
    cv2.rectangle(card, (edge, edge), (wide - edge, tall - edge), GREEN, -1)
    cv2.rectangle(card, (40, tall * 2 // 3), (wide - 40, tall - 50), PALE, -1)
    for line in range(3):
        cv2.putText(card, "draw a card", (50, 255 + 15 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.6, DARK, 1)
    return card


def card_on_table(
    card: Any, middle: tuple[float, float], angle: float, table: tuple[int, int, int] = RED
) -> tuple[Any, Any]:
    """Draw a table with a card on it; return the picture and the card's corners."""
    picture = np.full((640, 480, 3), table, np.uint8)
    picture = cv2.add(picture, np.random.default_rng(1).integers(0, 6, picture.shape, np.uint8))
    corners = cv2.boxPoints((middle, CARD, angle))
    corners = corners[[1, 2, 3, 0]].astype(np.float32)
    own = np.array([[0, 0], [CARD[0], 0], CARD, [0, CARD[1]]], np.float32)
    warp = cv2.getPerspectiveTransform(own, corners)
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), warp, (480, 640))
    picture[mask > 127] = cv2.warpPerspective(card, warp, (480, 640))[mask > 127]
    return cv2.GaussianBlur(picture, (0, 0), 0.8), corners


def largest_error(found: Any, corners: Any, picture: Any) -> float:
    """Return the largest error of a corner, as a share of the card's width."""
    size = np.array([picture.shape[1], picture.shape[0]]) / 100
    output = np.array(found.corners) * size
    return float(min(np.abs(np.roll(output, turn, axis=0) - corners).max() for turn in range(4)) / CARD[0])


@pytest.mark.parametrize("angle", [0.0, 7.0, -18.0])
@pytest.mark.parametrize("border", [0.03, 0.045])
def test_card_edge_is_found_rather_than_printed_frame(border: float, angle: float) -> None:
    picture, corners = card_on_table(framed(border), (240, 320), angle)
    (found,) = find_cards(picture)
    assert largest_error(found, corners, picture) < 0.02


def test_card_of_two_halves_is_one_card_if_others_have_its_size() -> None:
    halved = np.full((252, 180, 3), PALE, np.uint8)
    halved[:126] = DARK
    picture = np.full((640, 640, 3), RED, np.uint8)
    whole = cv2.resize(framed(0.04), (180, 252))
    for left, top, card in ((60, 40, whole), (360, 60, halved), (70, 340, whole), (380, 350, whole)):
        picture[top : top + 252, left : left + 180] = card
    found = find_cards(cv2.GaussianBlur(picture, (0, 0), 0.8))
    heights = [max(y for _, y in one.corners) - min(y for _, y in one.corners) for one in found]
    assert heights == pytest.approx([100 * 252 / 640] * 4, abs=1.0)


def test_cards_covering_half_a_percent_of_the_picture_are_found() -> None:
    picture = np.full((1200, 1600, 3), RED, np.uint8)
    card = cv2.resize(framed(0.04), (84, 116))
    for number in range(8):
        left, top = 90 + 380 * (number % 4), 150 + 500 * (number // 4) + 60 * (number % 3)
        picture[top : top + 116, left : left + 84] = card
    assert len(find_cards(cv2.GaussianBlur(picture, (0, 0), 0.8))) == 8


def test_two_clear_cards_are_preferred_to_the_outline_around_them() -> None:
    cards = [np.array([[x, 0], [x + 63, 0], [x + 63, 88], [x, 88]], np.float32) for x in (0, 90)]
    around = np.array([[0, -4], [153, -4], [153, 92], [0, 92]], np.float32)
    found = [(0.95, card) for card in cards]
    assert len(outlines.whole_cards([(0.65, around), *found])) == 2
    assert len(outlines.whole_cards([(0.9, around), *found])) == 1


def test_card_with_hidden_corners_is_found_by_sides() -> None:
    picture, corners = card_on_table(framed(0.03), (240, 320), 5.0)
    picture = cv2.resize(picture[:, 98:-98], None, fx=1.5, fy=1.5)
    (found,) = find_cards(picture)
    assert not found.whole
    assert largest_error(found, (corners - (98, 0)) * 1.5, picture) < 0.03 * 1.5


def test_adjacent_cards_are_found_separately() -> None:
    picture = np.full((700, 700, 3), RED, np.uint8)
    card = cv2.resize(framed(0.04), (189, 264))
    for column, left in enumerate((60, 258, 456)):
        for top in (60, 333):
            picture[top + column : top + column + 264, left : left + 189] = card
    found = find_cards(cv2.GaussianBlur(picture, (0, 0), 0.8))
    assert len(found) == 6
    widths = [max(x for x, _ in one.corners) - min(x for x, _ in one.corners) for one in found]
    assert widths == pytest.approx([27.0] * 6, abs=0.8)


def test_noise_of_a_large_photograph_is_averaged() -> None:
    picture, _ = card_on_table(framed(0.04), (240, 320), 0.0)
    large = cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR)
    cv2.setRNGSeed(2)
    noise = cv2.randn(np.zeros(large.shape, np.int16), 0, 12)
    (found,) = find_cards(cv2.add(large, noise, dtype=cv2.CV_8U))
    assert found.picture.shape == (1040, 744, 3)
    plain = found.picture[430:470, 60:90].astype(np.float32)
    assert plain.reshape(-1, 3).std(0).max() < 8


def test_printed_frame_without_corner_is_not_card() -> None:
    card = Image.new("RGB", (300, 420), (150, 70, 75))
    ImageDraw.Draw(card).polygon([(30, 95), (292, 12), (290, 408), (20, 412)], (225, 220, 215))
    (found,) = find_cards(pixels(card))
    assert found.whole


# --- pages ------------------------------------------------------------------------------------------------------------

DRAKES = [pixels(draw(f"{name} Drake", {"top-left": "4", "right": "5"}, "Draw 3 cards.")) for name in "ABCDEFGHI"]
MIN_OVERLAP = 0.85


def overlap(card: Any, found: Any, picture: Any) -> float:
    """Return the intersection of an outline and a card as a share of their union."""
    one = np.array(found.corners, np.float32) * np.array([picture.shape[1], picture.shape[0]], np.float32) / 100
    both = cv2.intersectConvexConvex(one, card.astype(np.float32))[0]
    return float(both / (cv2.contourArea(one) + cv2.contourArea(card.astype(np.float32)) - both))


@pytest.mark.parametrize("seed", sampled([1, 2, 3, 6], 1, 6))
def test_page_of_pockets_on_table_is_nine_cards(seed: int) -> None:
    picture, cards = photographs.binder(DRAKES, seed, 1400)
    found = find_cards(picture)
    assert [card.cell for card in in_cells(found)] == list(range(9))
    assert all(max(overlap(card, one, picture) for one in found) > MIN_OVERLAP for card in cards)


@pytest.mark.parametrize("seed", [1, 4])
def test_empty_pocket_is_not_card(seed: int) -> None:
    picture, cards = photographs.binder([*DRAKES[:4], None, *DRAKES[5:]], seed, 1400)
    found = find_cards(picture)
    assert len(found) == 8
    assert all(max(overlap(card, one, picture) for one in found) > MIN_OVERLAP for card in cards)


def test_few_cards_locate_all_nine_of_requested_grid() -> None:
    picture = np.full((1000, 760, 3), RED, np.uint8)
    card = cv2.resize(framed(0.04), (189, 264))
    for cell in (0, 1, 3, 8):  # The other cells are empty.
        left, top = 60 + 230 * (cell % 3), 60 + 310 * (cell // 3)
        picture[top : top + 264, left : left + 189] = card
    picture = cv2.GaussianBlur(picture, (0, 0), 0.8)
    assert len(find_cards(picture)) == 4
    assert [found.cell for found in in_cells(find_cards(picture, grid=True))] == list(range(9))


def test_pale_card_is_not_empty_pocket() -> None:
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 90, (1100, 860)).astype(np.float32), (0, 0), 1.2)
    picture = np.clip(np.array((60, 95, 140), np.float32) + grain[..., None], 0, 255).astype(np.uint8)
    picture[80:1010, 90:760] = DARK
    pale = np.full((264, 189, 3), PALE, np.uint8)
    for y in (60, 180):
        cv2.putText(pale, "draw a card", (30, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, DARK, 1)
    for cell in range(9):
        left, top = 110 + 225 * (cell % 3), 105 + 305 * (cell // 3)
        picture[top : top + 264, left : left + 189] = pale if cell == 4 else cv2.resize(framed(0.04), (189, 264))
    found = find_cards(cv2.GaussianBlur(picture, (0, 0), 0.8))
    assert [card.cell for card in in_cells(found)] == list(range(9))


def sheet(columns: int, rows: int, gap: int) -> tuple[Any, Any]:
    """Draw cards in rows and columns with `gap` pixels between them; return the picture and the outer corners."""
    wide, tall = 126, 176
    picture = np.full((640, 480, 3), RED, np.uint8)
    size = (columns * wide + (columns - 1) * gap, rows * tall + (rows - 1) * gap)
    for column in range(columns):
        for row in range(rows):
            left, top = 30 + column * (wide + gap), 30 + row * (tall + gap)
            picture[top : top + tall, left : left + wide] = cv2.resize(framed(0.04), (wide, tall))
    corners = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) + 30
    return cv2.GaussianBlur(picture, (0, 0), 0.8), corners


@pytest.mark.parametrize(("columns", "rows"), [(3, 3), (2, 2), (3, 1), (1, 3)])
def test_outline_around_several_cards_is_split(columns: int, rows: int) -> None:
    picture, corners = sheet(columns, rows, 3)
    edges = outlines._edge_strength(picture)
    parts = outlines._split(edges, corners)
    assert len(parts) == columns * rows
    assert [outlines.shape_of(part) for part in parts] == pytest.approx([126 / 176] * len(parts), abs=0.07)


def test_outline_of_one_card_is_not_split() -> None:
    picture, corners = card_on_table(framed(0.04), (240, 320), 0.0)
    assert len(outlines._split(outlines._edge_strength(picture), corners)) == 1
    card = np.random.default_rng(1).integers(0, 255, (44, 32, 3), np.uint8)
    picture, corners = card_on_table(cv2.resize(card, CARD, interpolation=cv2.INTER_NEAREST), (240, 320), 0.0)
    assert len(outlines._split(outlines._edge_strength(picture), corners)) == 1, "its art is full of edges"


def test_outline_without_title_is_extended_to_edge_of_card() -> None:
    picture, corners = card_on_table(framed(0.04), (240, 320), 0.0)
    edges = outlines._edge_strength(picture)
    cut = corners.copy()
    cut[:2, 1] += 60  # The upper side is now below the title.
    extended = outlines._extend(edges, cut, outlines._visible(edges))
    assert float(np.abs(extended - corners).max()) < 12, "it may also be the frame inside the border"
    alone = np.full_like(edges, 0)
    assert (outlines._extend(alone, cut, 8.0) == cut).all(), "there is no visible edge"


@pytest.mark.parametrize("angle", [0.0, -11.0])
def test_black_border_on_dark_table_belongs_to_the_card(angle: float) -> None:
    picture, corners = card_on_table(framed(0.045, (12, 10, 11)), (240, 320), angle, (26, 24, 25))
    (found,) = find_cards(picture)
    assert largest_error(found, corners, picture) < 0.02
