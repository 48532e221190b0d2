"""The grid game's legal moves as one integer, which a move changes at its two cells alone; and games played on it.

The integer has a lane of five bits for each of the 40 moves of `MOVES`, in that order. A lane holds 15, plus 1 and the
number of the card that would move (0 where it has none), less 1 and the number that it faces: its highest bit is set
exactly where the move is legal. Lanes never borrow from each other, so a position is the sum of what each card adds
where it lies: taking a card, moving one and turning one up are four additions. `GridState` is the definition of the
rules; this equals it move for move.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import getitem
from typing import Final

from catalog.card import ZONES, Card
from engine.board import OPPOSITE
from engine.games.grid.state import BOARD, GRID_SIZE, MOVES

_WIDTH: Final = 5
_NEITHER: Final = 15
"""Faces every move into an empty cell, so that no number is higher."""

_ENDS: Final = tuple((BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:])) for move in MOVES)
_FACING: Final = tuple(BOARD.zone_towards(move[:2], move[3:]) or "" for move in MOVES)

LEGAL: Final = sum(1 << _WIDTH * lane + _WIDTH - 1 for lane in range(len(MOVES)))
"""The bits of a position that say which moves are legal, lowest first in the order of `MOVES`."""

NOTHING_THERE: Final = sum(15 << _WIDTH * lane for lane in range(len(MOVES)))
"""The position to which cards, or `EMPTY_CELL`, are added, one on each cell."""

SCORE: Final = GRID_SIZE
"""The place of a card's score in its row; after it come the lanes' changes when the card moves, one for each move."""

ENDS: Final[Mapping[int, tuple[int, int, int]]] = {
    1 << _WIDTH * lane + _WIDTH - 1: (*ends, SCORE + 1 + lane) for lane, ends in enumerate(_ENDS)
}
"""By a move's bit its two cells, as places in `BOARD.cells`, and its place in the row of the card that moves."""

NAMES: Final[Mapping[int, str]] = dict(zip(ENDS, MOVES, strict=True))
"""A move as records write it, by its bit."""

Row = tuple[int, ...]
"""What a card adds to a position on each of the nine cells; its score; and what each move of it adds."""


@lru_cache(maxsize=1 << 12)
def _added(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """For numbers from 0, or -1 where there is none, in the order of `ZONES`."""
    number = dict(zip(ZONES, numbers, strict=True))
    row = [0] * GRID_SIZE
    for lane, (source, target) in enumerate(_ENDS):
        row[source] += number[_FACING[lane]] + 1 << _WIDTH * lane
        row[target] -= number[OPPOSITE[_FACING[lane]]] + 1 << _WIDTH * lane
    return tuple(row)


@lru_cache(maxsize=1 << 12)
def _moved(numbers: tuple[int, ...]) -> tuple[int, ...]:
    row = _added(numbers)
    return tuple([row[target] - row[source] for source, target in _ENDS])


def _empty() -> Row:
    row = [0] * GRID_SIZE
    for lane, (_, target) in enumerate(_ENDS):
        row[target] -= _NEITHER << _WIDTH * lane
    return tuple(row)


EMPTY_CELL: Final = _empty()
"""What an empty cell adds: nothing moves from there, and nothing is taken there."""


def row_of(card: Card) -> Row:
    """The row of a card."""
    numbers = tuple([card.zones.get(zone, -1) for zone in ZONES])
    return (*_added(numbers), card.score, *_moved(numbers))


def position(grid: Sequence[Row]) -> int:
    """The position with these rows on the nine cells."""
    return NOTHING_THERE + sum(map(getitem, grid, range(GRID_SIZE)))


def greediest(legal: int, grid: Sequence[Row]) -> list[int]:
    """The bits of the legal moves that take the highest score there is, lowest first; `legal` holds one at least."""
    best, found = -1, []
    while legal:
        bit = legal & -legal
        legal ^= bit
        worth = grid[ENDS[bit][1]][SCORE]
        if worth > best:
            best, found = worth, [bit]
        elif worth == best:
            found.append(bit)
    return found
