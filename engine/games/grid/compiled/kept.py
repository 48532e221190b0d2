"""The table of what was proved of positions of grid: four places in a row, a line of memory, for each key.

A place is a key and a number: between what the value lies, 16 bits each, the best move, and how many cards are gone.
"""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.rows.compiler import compiled

LEAST_PLACES: Final = 1 << 16
"""A table begins with so many places, a power of two."""

LINE: Final = 8
"""So many numbers are in a line: four places."""

NODES, MOST, STORED = range(3)
"""What is counted: positions looked at, how many may be, places taken."""

_U: Final = np.uint64
_0, _1, _2, _LINE, _16, _32, _40 = (_U(number) for number in (0, 1, 2, LINE, 16, 32, 40))
_LOW8, _LOW16 = _U(0xFF), _U(0xFFFF)
_SPREAD: Final = _U(0x9E3779B97F4A7C15)
_MIDDLE: Final = np.int64(1 << 15)

TABLE: Final = "uint64[::1]"
_PLACE: Final = types.uint64(types.uint64, types.uint64[::1])


def table_of(places: int) -> Any:
    """An empty table, whose lines begin where lines of memory do."""
    row = np.zeros(2 * places + LINE, np.uint64)
    start = -(row.ctypes.data // 8) % LINE
    return row[start : start + 2 * places]


@compiled(_PLACE, inline=True, borrows=True)
def line_of(key: Any, table: Any) -> Any:
    """Where the places for a key begin."""
    return (((key * _SPREAD) >> _16) & _U(len(table) // LINE - 1)) * _LINE


@compiled("uint64(int64, int64, int64, int64)", inline=True, borrows=True)
def proved(low: Any, high: Any, move: Any, gone: Any) -> Any:
    """The number that is kept beside a key."""
    return _U(low + _MIDDLE) | _U(high + _MIDDLE) << _16 | _U(move) << _32 | _U(gone) << _40


@compiled("int64(uint64)", inline=True, borrows=True)
def low_of(entry: Any) -> Any:
    """The value is at least so much."""
    return np.int64(entry & _LOW16) - _MIDDLE


@compiled("int64(uint64)", inline=True, borrows=True)
def high_of(entry: Any) -> Any:
    """The value is at most so much."""
    return np.int64((entry >> _16) & _LOW16) - _MIDDLE


@compiled("int64(uint64)", inline=True, borrows=True)
def move_of(entry: Any) -> Any:
    """The best move."""
    return np.int64((entry >> _32) & _LOW8)


@compiled(_PLACE, inline=True, borrows=True)
def kept(key: Any, table: Any) -> Any:
    """What is kept beside a key, or 0."""
    start = line_of(key, table)
    for place in range(start, start + _LINE, _2):
        if table[place] == key:
            return table[place + _1]
    return _0


@compiled("void(uint64, uint64, uint64[::1], int64[::1])", borrows=True)
def keep(key: Any, entry: Any, table: Any, counts: Any) -> None:
    """Keeps this; where all places are taken instead of what has the fewest cards left, or of any if this has fewer."""
    start = line_of(key, table)
    chosen, most = start, _0
    for place in range(start, start + _LINE, _2):
        if table[place] == key or table[place] == _0:
            counts[STORED] += 1 if table[place] == _0 else 0
            table[place], table[place + _1] = key, entry
            return
        if table[place + _1] >> _40 >= most:
            chosen, most = place, table[place + _1] >> _40
    if most < entry >> _40:
        chosen = start + _2 * (_U(counts[NODES]) & _U(3))
    table[chosen], table[chosen + _1] = key, entry


@compiled("void(uint64[::1], uint64[::1], int64[::1])", borrows=True)
def move_over(old: Any, table: Any, counts: Any) -> None:
    """Keeps in another table what is in one."""
    counts[STORED] = 0
    for place in range(0, len(old), 2):
        if old[place]:
            keep(old[place], old[place + 1], table, counts)
