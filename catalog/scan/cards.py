"""Finding the cards on a picture: their corners, straightened to upright rectangles, and cut out to be shown."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import cv2
import numpy as np

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.scan.outlines import CARD_SHAPE, find_by_sides, find_outlines, shape_of
from ccgrid.catalog.scan.values import Picture

_SCAN: Final = (0.675, 0.745)  # a picture of this shape may be a scan of one card; photographs are 2:3 or 3:4
_LOOSE: Final = (0.6, 0.82)  # the same where nothing is found on it
_NO_ICON: Final = 0.06  # of the picture's area; frames of icons are smaller
_SMALL: Final = 0.2  # of the picture's area; what is found alone and is smaller may be a part of a card
_LEVEL: Final = 4.0  # degrees by which the frames printed on a scanned card may be off the level
_STRAIGHT: Final = (744, 1040)  # pixels of a straightened card
_GAP: Final = 0.25  # of a card's width or height, by which cards of one row or column may be off it
_FINEST: Final = 3  # times as many along each side are taken from a large photograph: their mean has less noise


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card on a picture: its corners in per cent of the picture, clockwise from its top left, and itself upright.

    `whole` says that it fills the picture: nothing was cut away; `lying` that its longer side was the level one.
    """

    corners: tuple[tuple[float, float], ...]
    picture: Picture
    whole: bool
    cell: int | None = None
    lying: bool = False

    def in_cell(self, cell: int) -> "FoundCard":
        """The same card in a cell of a 3x3 grid, 0 to 8 row by row."""
        return replace(self, cell=cell)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the card, in per cent of the picture."""
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)


def find_cards(picture: Picture, *, grid: bool = False) -> list[FoundCard]:
    """Every card on a picture, row by row; a plain scan of one card is that card. With `grid` there are three rows."""
    height, width = picture.shape[:2]
    outlines = find_outlines(picture, grid=grid)
    shape = min(width, height) / max(width, height)
    if _SCAN[0] <= shape <= _SCAN[1] and not _is_photograph(outlines, width * height):
        return [whole_picture(picture)]
    largest = max((cv2.contourArea(outline) for outline in outlines), default=0.0) / (width * height)
    if len(outlines) < 4 and largest < (_SMALL if len(outlines) == 1 else _NO_ICON):
        outlines = find_by_sides(picture, outlines) or outlines
    if not outlines and _LOOSE[0] <= shape <= _LOOSE[1]:
        return [whole_picture(picture)]
    return _in_rows([_straighten(picture, outline) for outline in outlines])


def whole_picture(picture: Picture) -> FoundCard:
    """The picture taken as one card."""
    return FoundCard(((0, 0), (100, 0), (100, 100), (0, 100)), picture, whole=True)


def may_be_frames(picture: Picture, found: Sequence[FoundCard]) -> bool:
    """Whether what was found may be frames printed on one card that fills the picture: one or two, and level."""
    height, width = picture.shape[:2]
    if not 0 < len(found) < 3 or not _LOOSE[0] <= min(width, height) / max(width, height) <= _LOOSE[1]:
        return False
    size = np.array([width, height], np.float32) / 100
    return all(not card.whole and _slants(np.array(card.corners, np.float32) * size)[1] < _LEVEL for card in found)


def is_outside(x: float, y: float, found: Sequence[FoundCard]) -> bool:
    """Whether a point, in per cent of the picture, lies on none of the cards."""
    point = (float(x), float(y))
    return all(cv2.pointPolygonTest(np.array(card.corners, np.float32), point, measureDist=False) < 0 for card in found)


def _is_photograph(outlines: list[Picture], area: float) -> bool:
    """Whether what was found are cards on something, and not the frames that are printed on one scanned card.

    Printed frames are level, two of their sides at least, large, and seldom of the shape of a card.
    """
    cards = [o for o in outlines if abs(shape_of(o) - CARD_SHAPE) < 0.1 and cv2.contourArea(o) > _NO_ICON * area]
    if len(cards) == 1:
        return _slants(cards[0])[1] > _LEVEL or cv2.contourArea(cards[0]) < 0.2 * area
    return len(cards) > 3 or (len(cards) > 1 and all(_slant(card) > _LEVEL for card in cards))


def _slant(corners: Picture) -> float:
    """By how many degrees the sides of an outline are off the level and the upright, in the mean."""
    return sum(_slants(corners)) / 4


def _slants(corners: Picture) -> list[float]:
    """By how many degrees each side of an outline is off the level or the upright, the least first."""
    sides = [corners[i] - corners[i - 1] for i in range(4)]
    return sorted(abs((math.degrees(math.atan2(float(y), float(x))) + 45) % 90 - 45) for x, y in sides)


def _straighten(picture: Picture, corners: Picture) -> FoundCard:
    """A card cut out and stretched to its own shape, its longer side upright."""
    first = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
    second = float(np.linalg.norm(corners[2] - corners[1]) + np.linalg.norm(corners[3] - corners[0]))
    lying = first > second
    if lying:
        corners = np.roll(corners, 1, axis=0)  # lies on its side: its left edge is up
    finer = min(_FINEST, max(1, math.ceil(max(first, second) / 2 / _STRAIGHT[1] - 0.25)))
    width, height = finer * _STRAIGHT[0], finer * _STRAIGHT[1]
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    upright = cv2.warpPerspective(
        picture, warp, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        upright = cv2.resize(upright, _STRAIGHT, interpolation=cv2.INTER_AREA)
    rows, columns = picture.shape[:2]
    places = tuple((100 * x / columns, 100 * y / rows) for x, y in corners.tolist())
    return FoundCard(places, upright, whole=False, lying=lying)


def _in_rows(cards: list[FoundCard]) -> list[FoundCard]:
    """The cards row by row, from the left in each."""
    rest = sorted(cards, key=lambda card: card.centre[1])
    ordered: list[FoundCard] = []
    while rest:
        tall = max(y for _, y in rest[0].corners) - min(y for _, y in rest[0].corners)
        row = [card for card in rest if card.centre[1] - rest[0].centre[1] < 0.5 * tall]
        ordered += sorted(row, key=lambda card: card.centre[0])
        rest = [card for card in rest if card not in row]
    return ordered


def in_cells(found: Sequence[FoundCard]) -> list[FoundCard]:
    """The cards of a 3x3 grid in board order; raises CatalogError where they are in other rows and columns."""
    steps = np.array([card.centre for card in found]) @ np.linalg.inv(_sides(found))
    columns, rows = _bands(steps[:, 0].tolist()), _bands(steps[:, 1].tolist())
    cells = [3 * row + column for row, column in zip(rows, columns, strict=True)]
    if max(rows) != 2 or max(columns) != 2 or len(set(cells)) != len(cells):
        raise CatalogError(
            f"no 3x3 grid is found: {len(found)} cards in {max(rows) + 1} rows and {max(columns) + 1} columns."
            " The picture must show all nine cells, with a card in each row and column."
        )
    placed = [card.in_cell(cell) for card, cell in zip(found, cells, strict=True)]
    return sorted(placed, key=lambda card: card.cell or 0)


def _sides(found: Sequence[FoundCard]) -> Picture:
    """Along which ways rows and columns run, to the right and down: the mean width and height of cards, in per cent."""
    corners = np.array([card.corners for card in found])
    ways = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], 1)
    ways = np.array([one if abs(one[0, 0]) > abs(one[1, 0]) else one[::-1] for one in ways])
    ways *= np.sign(ways[:, [0, 1], [0, 1]])[:, :, None]
    mean: Picture = ways.mean(0)
    return mean


def _bands(places: Sequence[float]) -> list[int]:
    """To which row or column each place belongs, from 0: a new one begins at a gap; places are in widths or heights."""
    order = sorted(range(len(places)), key=places.__getitem__)
    gap = max((max(places) - min(places)) / 5, _GAP)
    bands, current = [0] * len(places), 0
    for before, after in pairwise(order):
        if places[after] - places[before] > gap:
            current += 1
        bands[after] = current
    return bands


_LONGEST: Final = 480
"""Pixels of the longer side."""
_QUALITY: Final = 80
"""Of a JPEG, 0 to 100."""


class Cutting(NamedTuple):
    """A card as a JPEG, and its width and height in pixels."""

    jpeg: bytes
    width: int
    height: int


def cut(picture: Picture, corners: Sequence[tuple[float, float]]) -> Cutting:
    """The card with these corners, its longer side 480 pixels at most.

    The corners are in per cent of the picture, clockwise from the card's own top left.
    """
    rows, columns = picture.shape[:2]
    at = np.array(corners, np.float32) * np.array([columns, rows], np.float32) / 100
    wide, high = (float(np.linalg.norm(at[a] - at[0])) for a in (1, 3))
    scale = min(1.0, _LONGEST / max(wide, high, 1.0))
    if scale < 1:  # made smaller before it is straightened: what is between two pixels counts, too
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        at *= scale
    width, height = max(1, round(wide * scale)), max(1, round(high * scale))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(at, target), (width, height))
    jpeg = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return Cutting(bytes(jpeg), width, height)
