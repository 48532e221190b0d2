"""Cards in rows and columns, as in the pockets of a page or on a 3x3 grid.

Some cards show the positions of the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from ccgrid.catalog.scan.values import Picture

ROWS: Final = 3  # and columns
_STEP: Final = (0.97, 1.35)  # from one card to the next, by its own width or height
_ASIDE: Final = 0.2  # so far, by the same, is the next one off the row or column
_SIDE_TOLERANCE: Final = 0.22  # difference of the sides of two neighbouring cards, in length or direction
_NEAR: Final = 0.1  # of a card's diagonal: so far from its place may each corner of a card be
_EXACT: Final = 5.0  # times that, taken from how likely it is
_TOUCHING: Final = 0.975  # of the step to the next one: what fills more is a pocket, with the seams as its sides,
_POCKET: Final = 0.6  # and has this weight compared with the cards in it
_UNLIKE: Final = 0.035  # by which the width or height of a card may differ from that of the others
_WITNESSES: Final = 5  # the fewest outlines that show that there are rows and columns
_ASKED: Final = 3  # the same if the user asks for a grid
_CANDIDATES: Final = 160  # outlines, the likeliest ones

Cell = tuple[int, int]
"""A column and a row."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Outlines by cell, and the map from cells to the picture; a card fills the share `filled` of each step."""

    outlines: dict[Cell, Picture]
    to_picture: Picture
    filled: tuple[float, float]
    worth: float

    def expected(self, cell: Cell, times: float = 1.0) -> Picture:
        """Return the corners of a card in a cell, clockwise, or of a rectangle `times` as large."""
        return _map_points(self.to_picture, _corners_in(cell, (self.filled[0] * times, self.filled[1] * times)))

    def of_one_size(self, outlines: Sequence[Picture]) -> list[Picture]:
        """Return the outlines; those unlike the median in width or height get that size (frames and pockets)."""
        # From the picture back to cells, in which all cards have one size.
        to_cells = np.linalg.inv(self.to_picture)
        flat = np.array([_map_points(to_cells, outline) for outline in outlines])
        sides = (
            np.stack(
                # Width: the mean of the upper and the lower side; height: of the left and the right one.
                [
                    (flat[:, 1] + flat[:, 2] - flat[:, 0] - flat[:, 3])[:, 0],
                    (flat[:, 2] + flat[:, 3] - flat[:, 0] - flat[:, 1])[:, 1],
                ],
                1,
            )
            / 2
        )
        usual = np.median(sides, axis=0)
        # Off the median in width or in height.
        unlike = (np.abs(sides / usual - 1) > _UNLIKE).any(1)
        return [
            _map_points(self.to_picture, _corners_in(corners.mean(0), usual)) if other else outline
            for outline, corners, other in zip(outlines, flat, unlike, strict=True)
        ]

    def windows(self) -> Iterator[list[Cell]]:
        """Yield all windows of at least three rows of three cells that cover as many columns and rows as possible."""
        columns, rows = ([cell[axis] for cell in self.outlines] for axis in (0, 1))
        spans = [
            [
                # Three columns (or rows) from each start with which they cover the most outlines.
                range(first, first + max(ROWS, most - least + 1))
                for first in range(min(least, most - ROWS + 1), least + 1)
            ]
            for least, most in ((min(columns), max(columns)), (min(rows), max(rows)))
        ]
        for across, down in product(*spans):
            yield [(column, row) for row in down for column in across]


def find_lattice(found: Sequence[tuple[float, Picture]], *, grid: bool) -> Lattice | None:
    """Return the rows and columns of most outlines, or None if there are none.

    Each outline is given with its probability to be a card. Outlines have the shape of a card. With `grid` there are
    three rows of three, and fewer outlines suffice.
    """
    outlines = _Outlines(_different(sorted(found, key=lambda one: -one[0]))[:_CANDIDATES])
    best: Lattice | None = None
    # Try each outline as the start, and take the best result.
    for first in range(len(outlines.corners)):
        lattice = _grown(outlines, first)
        if lattice is None or len(lattice.outlines) < (_ASKED if grid else _WITNESSES):
            continue
        if best is None or lattice.worth > best.worth:
            best = lattice
    return best


def _different(found: Sequence[tuple[float, Picture]]) -> list[tuple[float, Picture]]:
    """Return the outlines without near duplicates of a likelier one."""
    distinct: list[tuple[float, Picture]] = []
    for one in found:
        near = 0.02 * float(np.linalg.norm(one[1][2] - one[1][0]))
        # Corner by corner nearer than a fiftieth of the diagonal: the same outline, found twice.
        if all(np.abs(one[1] - other[1]).max() > near for other in distinct):
            distinct.append(one)
    return distinct


class _Outlines:
    """Outlines as arrays: corners, centres, and the means of their horizontal and vertical sides."""

    def __init__(self, found: Sequence[tuple[float, Picture]]) -> None:
        self.corners = np.array([corners for _, corners in found], np.float32).reshape(-1, 4, 2)
        self.chances = np.array([chance for chance, _ in found])
        self.middles = self.corners.mean(1)
        self.across = (self.corners[:, 1] - self.corners[:, 0] + self.corners[:, 2] - self.corners[:, 3]) / 2
        self.down = (self.corners[:, 3] - self.corners[:, 0] + self.corners[:, 2] - self.corners[:, 1]) / 2

    def beside(self, one: int) -> dict[Cell, int]:
        """Return the likeliest neighbour of an outline in each of four directions."""
        # The columns are the width and the height of this card as ways on the picture; the inverse turns a way into
        # steps.
        axes = np.stack([self.across[one], self.down[one]], 1)
        # steps[other]: the distance of another outline in widths and heights of this one.
        steps = (self.middles - self.middles[one]) @ np.linalg.inv(axes).T
        length = np.linalg.norm(axes, axis=0)
        similar = (np.linalg.norm(self.across - self.across[one], axis=1) < _SIDE_TOLERANCE * length[0]) & (
            np.linalg.norm(self.down - self.down[one], axis=1) < _SIDE_TOLERANCE * length[1]
        )
        found = {}
        for axis, sign in product((0, 1), (-1, 1)):
            along, aside = sign * steps[:, axis], np.abs(steps[:, 1 - axis])
            # Of its size and direction, about a step along, and hardly aside.
            fits = similar & (along > _STEP[0]) & (along < _STEP[1]) & (aside < _ASIDE)
            if fits.any():
                # The likeliest of several.
                found[(sign, 0) if axis == 0 else (0, sign)] = int(np.where(fits, self.chances, -1).argmax())
        return found


def _grown(outlines: _Outlines, first: int) -> Lattice | None:
    """Return the rows and columns around one outline, or None if it lacks neighbours in a direction."""
    cells: dict[Cell, int] = {(0, 0): first}
    waiting: list[Cell] = [(0, 0)]
    while waiting:
        column, row = waiting.pop()
        for (across, down), other in outlines.beside(cells[column, row]).items():
            cell = (column + across, row + down)
            # At most three steps each way: a picture has no more rows and columns around a card.
            if cell not in cells and max(map(abs, cell)) <= ROWS and other not in cells.values():
                cells[cell] = other
                waiting.append(cell)
    if len({column for column, _ in cells}) < 2 or len({row for _, row in cells}) < 2:
        return None
    # Twice: first with the outlines that were joined step by step, then with all that fit the result.
    for _ in range(2):
        filled = _fill_ratio(outlines, cells)
        source = np.concatenate([_corners_in(cell, filled) for cell in cells])
        target = np.concatenate([outlines.corners[index] for index in cells.values()])
        # RANSAC: outlines that fit no common map, such as frames, do not pull it aside.
        to_picture, _ = cv2.findHomography(
            source, target, cv2.RANSAC, 0.06 * float(np.linalg.norm(target[2] - target[0]))
        )
        if to_picture is None:
            return None
        cells = _members(outlines, to_picture, filled)
        if len(cells) < 3:
            return None
    # Large and likely outlines count; pockets are worth less than the cards in them.
    worth = (_POCKET if max(filled) > _TOUCHING else 1.0) * sum(
        float(outlines.chances[i]) ** 2 * cv2.contourArea(outlines.corners[i]) for i in cells.values()
    )
    return Lattice({cell: outlines.corners[index] for cell, index in cells.items()}, to_picture, filled, worth)


def _fill_ratio(outlines: _Outlines, cells: dict[Cell, int]) -> tuple[float, float]:
    """Return the share of the step to the next column and row that a card fills, in the median of neighbours."""
    parts: tuple[list[float], list[float]] = ([], [])
    for (column, row), index in cells.items():
        for axis, cell in enumerate(((column + 1, row), (column, row + 1))):
            if cell in cells:
                side = (outlines.across, outlines.down)[axis]
                mean = float(np.linalg.norm(side[index]) + np.linalg.norm(side[cells[cell]])) / 2
                step = float(np.linalg.norm(outlines.middles[cells[cell]] - outlines.middles[index]))
                parts[axis].append(mean / step)
    # Without neighbours in that direction: what a card in a pocket fills, about.
    return tuple(float(np.median(part)) if part else 0.93 for part in parts)  # type: ignore[return-value]


def _members(outlines: _Outlines, to_picture: Picture, filled: tuple[float, float]) -> dict[Cell, int]:
    """Return the likeliest outline of each cell whose corners are all near their expected positions."""
    cells: dict[Cell, int] = {}
    steps = range(-ROWS, ROWS + 1)
    for cell in product(steps, steps):
        expected = _map_points(to_picture, _corners_in(cell, filled))
        off = np.linalg.norm(outlines.corners - expected, axis=2).max(1) / np.linalg.norm(expected[2] - expected[0])
        # A deviation of a twentieth costs a quarter of the probability; from a tenth on it is not this card.
        worth = np.where(off < _NEAR, outlines.chances * (1 - _EXACT * off), 0)
        if len(worth) and worth.max() > 0:
            cells[cell[0], cell[1]] = int(worth.argmax())
    return cells


def _corners_in(middle: Cell | Picture, filled: tuple[float, float] | Picture) -> Picture:
    """Return the corners of a card with this centre, in steps; a cell is the centre of its card."""
    half = np.array(filled, np.float32) / 2
    # Clockwise from the top left.
    return np.array(middle, np.float32) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * half


def _map_points(to_picture: Picture, points: Picture) -> Picture:
    return cv2.perspectiveTransform(points[None].astype(np.float32), to_picture)[0]
