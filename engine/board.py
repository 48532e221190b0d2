"""Square boards: their cells, what is beside a cell, and where players sit around one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.card import ZONES

COLUMNS: Final = "abcdefghi"

STEPS: Final[Mapping[str, tuple[int, int]]] = {
    "top-left": (-1, -1),
    "top": (0, -1),
    "top-right": (1, -1),
    "left": (-1, 0),
    "right": (1, 0),
    "bottom-left": (-1, 1),
    "bottom": (0, 1),
    "bottom-right": (1, 1),
}
"""Where the neighbour is that a zone of an upright card faces: columns to the right, rows down."""

# The zones stand so that the first faces the last, the second the one before it, and so on.
OPPOSITE: Final[Mapping[str, str]] = dict(zip(ZONES, reversed(ZONES), strict=True))
"""The zone that faces a zone: `right` faces `left`, a corner faces the corner diagonally across."""

AROUND_THE_TABLE: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("south", "north"),
    3: ("south", "west", "north"),
    4: ("south", "west", "north", "east"),
}
"""The sides at which players sit, seat by seat, by their number: clockwise from above, south at the last row."""


@dataclass(frozen=True, slots=True)
class Board:
    """A square board of `size` columns and as many rows.

    >>> Board(3).cells
    ('a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3')
    >>> Board(3).neighbours("a1")
    {'right': 'b1', 'bottom': 'a2', 'bottom-right': 'b2'}
    """

    size: int
    cells: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """The names of all cells, row by row from the top, each row from the left."""

    def __post_init__(self) -> None:
        if not 1 <= self.size <= len(COLUMNS):
            raise ValueError(f"a board has 1 to {len(COLUMNS)} columns, not {self.size}")
        cells = tuple(f"{column}{row + 1}" for row in range(self.size) for column in COLUMNS[: self.size])
        # The class is frozen, so an ordinary assignment would fail.
        object.__setattr__(self, "cells", cells)

    def neighbour(self, cell: str, zone: str) -> str | None:
        """The cell that a zone of an upright card on `cell` faces, or nothing where that is off the board."""
        right, down = STEPS[zone]
        row, column = divmod(self.cells.index(cell), self.size)
        row, column = row + down, column + right
        inside = 0 <= row < self.size and 0 <= column < self.size
        return self.cells[row * self.size + column] if inside else None

    def neighbours(self, cell: str) -> dict[str, str]:
        """The neighbours of a cell, sides and diagonals, by the zone that faces them, in the order of the zones."""
        return {zone: other for zone in ZONES if (other := self.neighbour(cell, zone)) is not None}

    def zone_towards(self, cell: str, other: str) -> str | None:
        """The zone of an upright card on `cell` that faces `other`, or nothing where the two are not neighbours."""
        return next((zone for zone, name in self.neighbours(cell).items() if name == other), None)
