"""The board of matrix, compiled: one number with four bits for each cell; and what the cards do to it."""

from typing import Any, Final

import numpy as np

from engine.board import AROUND_THE_TABLE
from engine.games.matrix.cards import BOARD, CENTRE, KINDS, MOVES, ROTATIONS, arranged
from engine.games.matrix.state import board_scores
from engine.kernels.compiled.compiler import compiled, lowest_bit

SIDES: Final = AROUND_THE_TABLE[4]
CELLS: Final = len(BOARD.cells)
MIDDLE: Final = np.uint64(4 * CENTRE)
"""The place of the bits of the cell in the middle."""

_BITS: Final = 64
_U: Final = np.uint64
_0, _3, _15, _63, _64 = (_U(number) for number in (0, 3, 15, _BITS - 1, _BITS))
_ONES: Final = _U(int("1" * CELLS, 16))
_EIGHTS: Final = _U(int("8" * CELLS, 16))


def _swapped(move: str) -> int:
    return int(move.rpartition(" ")[2]) if move.startswith("swap-") else 0


def _turns() -> Any:
    """For each way to rotate and each move which bits of a board turn how far to the left; no bits after the last.

    Numbers that go equally far go together.
    """
    turns = np.zeros((len(ROTATIONS), len(MOVES), CELLS + 1, 2), np.uint64)
    for way, rotate in enumerate(ROTATIONS):
        for index, move in enumerate(MOVES):
            far: dict[int, int] = {}
            if not _swapped(move):
                for cell, source in enumerate(arranged(tuple(range(CELLS)), move, rotate)):
                    by = 4 * (cell - source) % _BITS
                    far[by] = far.get(by, 0) | 15 << 4 * source
            turns[way, index, : len(far)] = [(bits, by) for by, bits in far.items()] or 0
    return turns


def _fronts() -> Any:
    """For each side of the table the places of the bits of the three cells before it."""
    fronts = np.zeros((len(SIDES), 3), np.uint64)
    for seat in range(len(SIDES)):
        cells = [cell for cell in range(CELLS) if board_scores(tuple(one == cell for one in range(CELLS)), 4)[seat]]
        fronts[seat] = [4 * cell for cell in cells]
    return fronts


_TURNS: Final = _turns()
_FRONTS: Final = _fronts()
SWAPPED: Final = np.array([_swapped(move) for move in MOVES], np.uint64)
KIND: Final = np.array([KINDS.index(move.partition(" ")[0]) for move in MOVES], np.uint64)
BEGINS: Final = np.array(
    [sum(move.partition(" ")[0] < kind for move in MOVES) for kind in KINDS] + [len(MOVES)], np.uint64
)
"""The moves with each kind of card begin there; after the last stands where they end."""


@compiled("uint64(uint64, uint64, uint64)", borrows=True)
def rearranged(board: Any, move: Any, rotate: Any) -> Any:
    """The board after a move."""
    number = SWAPPED[move]
    if number:
        differs = board ^ (number * _ONES)
        at = lowest_bit((differs - _ONES) & ~differs & _EIGHTS) - _3  # where nothing differs
        other = ((board >> at) ^ (board >> MIDDLE)) & _15
        return board ^ (other << at) ^ (other << MIDDLE)
    changed, place = _0, 0
    while _TURNS[rotate, move, place, 0]:
        bits, by = board & _TURNS[rotate, move, place, 0], _TURNS[rotate, move, place, 1]
        changed |= (bits << by) | (bits >> ((_64 - by) & _63))
        place += 1
    return changed


@compiled("int64(uint64, uint64)", borrows=True)
def before(board: Any, side: Any) -> Any:
    """The sum of the numbers before a side."""
    total = _0
    for place in range(3):
        total += (board >> _FRONTS[side, place]) & _15
    return np.int64(total)


@compiled("void(uint64, uint64[::1], uint64[::1], int64[::1])", borrows=True)
def put_in_order(board: Any, sides: Any, order: Any, points: Any) -> None:
    """Puts the seats in the order of their scores, highest first; equal scores keep their order. `points` is room."""
    for seat in range(len(order)):
        points[seat] = before(board, sides[seat])
    for place in range(1, len(order)):
        seat = order[place]
        at = place
        while at > 0 and points[order[at - 1]] < points[seat]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = seat
