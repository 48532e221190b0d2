"""The ten kinds of cards of the matrix game: their notation, and how they rearrange the nine numbers."""

from collections.abc import Callable, Mapping
from itertools import combinations
from operator import itemgetter
from typing import Final

from ccgrid.engine.board import Board

BOARD: Final = Board(3)
CENTRE: Final = BOARD.cells.index("b2")
NUMBERS: Final = tuple(range(1, 10))

Numbers = tuple[int, ...]
"""The nine numbers in the order of `BOARD.cells`."""

Rearrangement = Callable[[Numbers], Numbers]

CORNERS: Final = ("a1", "a3", "c1", "c3")
EDGES: Final = ("a2", "b1", "b3", "c2")
# a1 b1 c1     around the centre, clockwise
# a2    c2
# a3 b3 c3
_RIM: Final = ("a1", "b1", "c1", "c2", "c3", "b3", "a3", "a2")


def _along(*cycles: tuple[str, ...]) -> Rearrangement:
    """Return a rearrangement: along each cycle of cells every number moves to the next cell, the last to the first."""
    # For each cell the index of the number that moves there.
    sources = list(range(len(BOARD.cells)))
    # A cycle (a1, b1, c1): the number of a1 moves to b1, that of b1 to c1, that of c1 to a1.
    for cycle in cycles:
        places = [BOARD.cells.index(cell) for cell in cycle]
        for place, following in zip(places, (*places[1:], places[0]), strict=True):
            sources[following] = place
    return itemgetter(*sources)


def _written_with_places() -> dict[str, dict[str, Rearrangement]]:
    columns = {column: tuple(f"{column}{row}" for row in "123") for column in "abc"}
    rows = {row: tuple(f"{column}{row}" for column in "abc") for row in "123"}
    return {
        "switch-corners": {f"{a} {b}": _along((a, b)) for a, b in combinations(CORNERS, 2)},
        "switch-edges": {f"{a} {b}": _along((a, b)) for a, b in combinations(EDGES, 2)},
        "shift-north": {column: _along(cells[::-1]) for column, cells in columns.items()},
        "shift-south": {column: _along(cells) for column, cells in columns.items()},
        "shift-west": {row: _along(cells[::-1]) for row, cells in rows.items()},
        "shift-east": {row: _along(cells) for row, cells in rows.items()},
    }


_WITH_PLACES: Final = {
    f"{kind} {where}": arrange for kind, places in _written_with_places().items() for where, arrange in places.items()
}
# A quarter turn moves corners to corners and edges to edges, by two along the rim: two cycles. A step is one cycle.
_CLOCKWISE: Final = {"quarter": (_RIM[0::2], _RIM[1::2]), "step": (_RIM,)}

ROTATIONS: Final = tuple(_CLOCKWISE)
"""The kinds of rotation: a quarter turn of the board, or one step of the numbers around the rim."""

_REARRANGEMENTS: Final[Mapping[str, Mapping[str, Rearrangement]]] = {
    rotate: _WITH_PLACES
    | {
        "rotate-clockwise": _along(*cycles),
        "rotate-counterclockwise": _along(*(cycle[::-1] for cycle in cycles)),
    }
    for rotate, cycles in _CLOCKWISE.items()
}
_SWAPS: Final = {f"swap-{'odd' if number % 2 else 'even'} {number}": number for number in NUMBERS}

# The names of moves do not depend on the kind of rotation.
MOVES: Final = tuple(sorted((*_REARRANGEMENTS["quarter"], *_SWAPS)))
"""Every move that is legal on some board."""

KIND_OF: Final = {move: move.partition(" ")[0] for move in MOVES}
"""The kind of card that makes a move."""

KINDS: Final = tuple(sorted({move.partition(" ")[0] for move in MOVES}))
"""The ten kinds of cards, sorted."""

MOVES_BY_CENTRE: Final[Mapping[str | None, tuple[tuple[str, ...], ...]]] = {
    kind: tuple(
        tuple(move for move in MOVES if move.partition(" ")[0] == kind and _SWAPS.get(move) != centre)
        # Indexed by the number itself: index 0 is unused.
        for centre in range(len(NUMBERS) + 1)
    )
    for kind in (*KINDS, None)
}
"""The legal moves with a kind of card, sorted, by the number in the centre; none for a hidden card."""


def board_after(board: Numbers, move: str, rotate: str) -> Numbers:
    """Return the board after a legal move."""
    number = _SWAPS.get(move)
    if number is None:
        return _REARRANGEMENTS[rotate][move](board)
    place = board.index(number)
    changed = list(board)
    # The right side is evaluated first, so that the two are exchanged.
    changed[place], changed[CENTRE] = changed[CENTRE], number
    return tuple(changed)
