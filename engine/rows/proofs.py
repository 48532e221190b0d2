"""What was proved of positions: between which bounds each value lies. In plain Python a dictionary, compiled a table.

The table knows a position by two numbers of 64 bits that are made of all that decides it, as good as by itself: that
two of 2**30 positions share both happens once in 2**69 proofs. It has lines of four places; where all are taken, one
makes room. What is calculated here wraps around at 64 bits, which it does compiled alone.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.binding import compiled_as
from ccgrid.engine.rows.row import Row

UNKNOWN: Final = 1 << 30
"""No value is so large."""

_LINE: Final = 4
_FIRST: Final = 0x2545F4914F6CDD1D
_SECOND: Final = 0x369DEA0F31A53F85


class Proofs(NamedTuple):
    """The table: for each place the two numbers of a position and its bounds, 0 where it is free; how many are not.

    The bounds are one number, each plus `UNKNOWN`, so that neither is negative, and none of them is 0:

        bits    32 and up   0..31
                at least    at most
    """

    first: Row
    second: Row
    bounds: Row
    taken: Row


def table_of(places: int, zeros: Callable[[int], Row]) -> Proofs:
    """An empty table of so many places, a power of two, of rows of zeros."""
    return Proofs(zeros(places), zeros(places), zeros(places), zeros(1))


def _mixed(row: Row, begin: int, count: int) -> tuple[int, int]:
    first, second = _SECOND, _FIRST
    for place in range(begin, begin + count):
        first = (first ^ row[place]) * _FIRST
        first ^= first >> 29
        second = (second + row[place]) * _SECOND
        second ^= second >> 32
    return first, second


def _found(proofs: Proofs, row: Row, begin: int, count: int) -> tuple[int, int]:
    first, second = _mixed(row, begin, count)
    line = first & (len(proofs.first) - _LINE)
    for place in range(line, line + _LINE):
        if proofs.first[place] == first and proofs.second[place] == second:
            known = proofs.bounds[place]
            return (known >> 32) - UNKNOWN, (known & (1 << 32) - 1) - UNKNOWN
    return -UNKNOWN, UNKNOWN


def _put(proofs: Proofs, first: int, second: int, known: int) -> None:
    line = first & (len(proofs.first) - _LINE)
    chosen = line + (second & (_LINE - 1))
    for place in range(line, line + _LINE):
        is_free = proofs.bounds[place] == 0
        if is_free or (proofs.first[place] == first and proofs.second[place] == second):
            proofs.taken[0] += is_free
            chosen = place
            break
    proofs.first[chosen], proofs.second[chosen], proofs.bounds[chosen] = first, second, known


def _stored(proofs: Proofs, row: Row, begin: int, count: int, low: int, high: int) -> None:
    first, second = _mixed(row, begin, count)
    _put(proofs, first, second, (low + UNKNOWN) << 32 | (high + UNKNOWN))


@compiled_as(_found)
def find(proofs: Any, row: Row, begin: int, count: int) -> tuple[int, int]:
    """The bounds of a position, which is a part of a row."""
    found: tuple[int, int] = proofs.get(tuple(row[begin : begin + count]), (-UNKNOWN, UNKNOWN))
    return found


@compiled_as(_stored)
def keep(proofs: Any, row: Row, begin: int, count: int, low: int, high: int) -> None:
    """Keeps the bounds of a position."""
    proofs[tuple(row[begin : begin + count])] = low, high


def move_over(proofs: Proofs, larger: Proofs) -> None:
    """Keeps in another table what is in one; for compiled code."""
    for place in range(len(proofs.bounds)):
        if proofs.bounds[place]:
            _put(larger, proofs.first[place], proofs.second[place], proofs.bounds[place])
