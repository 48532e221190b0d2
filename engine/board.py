"""Square boards: cells, neighbours, and the seats around a board."""

from collections.abc import Mapping
from typing import Final

from ccgrid.catalog.zones import ZONES

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
"""The offset of the neighbour that each zone of an upright card faces: columns to the right, rows down."""

# `ZONES` is ordered so that the first zone faces the last, the second faces the last but one, and so on.
OPPOSITE: Final[Mapping[str, str]] = dict(zip(ZONES, reversed(ZONES), strict=True))
"""The zone that faces each zone: `right` faces `left`, a corner faces the diagonally opposite corner."""

_ZONE_TOWARDS: Final = {step: zone for zone, step in STEPS.items()}

CLOCKWISE: Final[Mapping[str, str]] = {zone: _ZONE_TOWARDS[-down, right] for zone, (right, down) in STEPS.items()}
"""The zone at which each zone of an upright card is after a quarter turn clockwise: `top` comes to `right`."""

AROUND_THE_TABLE: Final[Mapping[int, tuple[str, ...]]] = {
    2: ("south", "north"),
    3: ("south", "west", "north"),
    4: ("south", "west", "north", "east"),
}
"""The sides of the table in seat order, by the number of players: clockwise seen from above, south below the last row.
"""


class Board:
    """A square board of `size` columns and `size` rows.

    >>> Board(3).cells
    ('a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3')
    >>> Board(3).neighbours("a1")
    {'right': 'b1', 'bottom': 'a2', 'bottom-right': 'b2'}
    """

    def __init__(self, size: int) -> None:
        if not 1 <= size <= len(COLUMNS):
            raise ValueError(f"a board has 1 to {len(COLUMNS)} columns, not {size}")
        self.size: Final = size
        self.cells: Final = tuple(f"{column}{row + 1}" for row in range(size) for column in COLUMNS[:size])
        """The names of all cells, row by row from the top, each row from the left."""

    def neighbour(self, cell: str, zone: str) -> str | None:
        """Return the cell that a zone of an upright card on `cell` faces, or None if it is off the board."""
        right, down = STEPS[zone]
        row, column = divmod(self.cells.index(cell), self.size)
        row, column = row + down, column + right
        inside = 0 <= row < self.size and 0 <= column < self.size
        return self.cells[row * self.size + column] if inside else None

    def neighbours(self, cell: str) -> dict[str, str]:
        """Return the (up to eight) neighbours of a cell by the zone that faces them, in the order of `ZONES`."""
        return {zone: other for zone in ZONES if (other := self.neighbour(cell, zone)) is not None}

    def zone_towards(self, cell: str, other: str) -> str | None:
        """Return the zone of an upright card on `cell` that faces `other`, or None if the cells are not neighbours."""
        return next((zone for zone, name in self.neighbours(cell).items() if name == other), None)
