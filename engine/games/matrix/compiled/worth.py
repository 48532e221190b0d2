"""How good moves of matrix look at once, compiled: the heuristic but for the end of a game of three or four."""

from typing import Any, Final

import numpy as np

from engine.games.matrix import heuristic
from engine.games.matrix.cards import KINDS
from engine.games.matrix.compiled.board import KIND, SIDES, before, rearranged
from engine.kernels.compiled.compiler import compiled

_BEHIND: Final = np.int64(heuristic.BEHIND)
_KEEPING: Final = np.int64(heuristic.KEEPING)
_LOWEST: Final = np.int64(heuristic.LOWEST)
WORTH: Final = np.array([[heuristic.WORTH[side].get(kind, 0) for kind in KINDS] for side in SIDES], np.int64)
"""What a card of each kind is worth to a side, as the heuristic has it."""


@compiled("int64(uint64, uint64, uint64[::1])", inline=True, borrows=True)
def lead(board: Any, seat: Any, sides: Any) -> Any:
    """By how much a seat is before the best of the others."""
    best = np.int64(-1)
    for other in range(len(sides)):
        if np.uint64(other) != seat:
            best = max(best, before(board, sides[other]))
    return before(board, sides[seat]) - best


@compiled("float64(uint64, uint64, uint64, uint64, uint64, uint64[::1])", inline=True, borrows=True)
def looks(board: Any, move: Any, rotate: Any, left: Any, seat: Any, sides: Any) -> Any:
    """How good a move looks to a seat with so many cards left that does not try out the rest of the game."""
    after = rearranged(board, move, rotate)
    ahead = lead(after, seat, sides)
    if left == np.uint64(1):
        return float(ahead)
    worth = _KEEPING * WORTH[sides[seat], KIND[move]]
    if len(sides) == 2:
        return float(-abs(ahead + _BEHIND) - worth)
    lowest = np.int64(1 << 30)
    for other in range(len(sides)):
        if np.uint64(other) != seat:
            lowest = min(lowest, before(after, sides[other]))
    above = before(after, sides[seat]) - lowest
    return float(-_LOWEST * max(above, np.int64(0)) - max(-ahead - _BEHIND, np.int64(0)) - worth)
