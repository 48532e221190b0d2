"""How good moves of tactics look, compiled: what a card takes when it is put on a cell, and what it risks there."""

from typing import Any, Final

import numpy as np

from catalog.card import HIGHEST
from engine.games.tactics.table import TABLES
from engine.kernels.compiled.compiler import compiled

OPEN: Final = np.uint8(255)
"""Holds a cell that is open, and what is off the board."""

SIDES: Final = 4

_U: Final = np.uint64
_I: Final = np.int64
_0, _1, _2, _3 = (_U(number) for number in range(4))
_HIGHEST: Final = _I(HIGHEST)


def neighbours(players: int) -> Any:
    """For each cell the neighbours at its top, right, bottom and left; behind the last cell what is off the board."""
    off = len(TABLES[players].board.cells)
    return np.array([[off if other < 0 else other for other in row] for row in TABLES[players].neighbours], np.uint64)


def values(players: int) -> Any:
    """The points for holding each cell."""
    return np.array(TABLES[players].values, np.int64)


def turns(players: int) -> Any:
    """For each seat how many quarter turns clockwise its cards lie."""
    return np.array(TABLES[players].turns, np.uint64)


@compiled(
    "uint64(uint64, uint8[:, ::1], uint8[::1], uint64[:, ::1], uint64, uint64, uint64, uint64[::1])",
    inline=True,
    borrows=True,
)
def beaten(cell: Any, lying: Any, holder: Any, around: Any, seat: Any, turn: Any, card: Any, found: Any) -> Any:
    """How many cards a card captures when a seat puts it on a cell, and in `found` where they lie."""
    count = _0
    for step in range(SIDES):
        side = (turn + _U(step)) & _3
        other = around[cell, side]
        if holder[other] == OPEN or _U(holder[other]) == seat:
            continue
        number, opposed = lying[card, side], lying[other, (side + _2) & _3]
        if number < opposed:
            break
        if number > opposed:
            found[count] = other
            count += _1
    return count


@compiled(
    "int64(uint64, uint8[:, ::1], uint8[::1], uint64[:, ::1], int64[::1], uint64, uint64, uint64, uint64[::1])",
    inline=True,
    borrows=True,
)
def looks(
    cell: Any, lying: Any, holder: Any, around: Any, worth: Any, seat: Any, turn: Any, card: Any, found: Any
) -> Any:
    """How good it looks to put a card on a cell."""
    count = beaten(cell, lying, holder, around, seat, turn, card, found)
    gain = worth[cell]
    for place in range(count):
        gain += _I(1) + worth[found[place]]
    lacking = _I(0)
    for side in range(SIDES):
        other = around[cell, side]
        if other == _U(len(worth)):
            continue
        is_open = holder[other] == OPEN
        for place in range(count):
            is_open = is_open or found[place] == other
        if is_open:
            lacking = max(lacking, _HIGHEST - _I(lying[card, side]))
    return _I(10) * gain - (_I(1) + worth[cell]) * lacking
