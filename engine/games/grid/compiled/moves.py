"""The moves of grid, compiled: which are legal, as the bits of one number.

A card is one 64-bit number, a byte for each zone: 2 and the number there, or 1 where there is none; 0 is none. The
bytes stand in the order in which moves are sorted by where they lead, so the zone that faces a zone is the byte as far
from the other end. What faces a card is gathered from its neighbours into such a number, too, and eight subtractions in
one say what takes what. The legal moves are one number as well, of 64 bits of which 40 are used.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from engine.board import STEPS
from engine.games.grid.state import BOARD, MOVES
from engine.kernels.compiled.compiler import compiled, lowest_bit

WIDTH: Final = 5
"""The board with a rim of empty cells has so many rows, and columns, one after the other."""

ZONE_ORDER: Final = sorted(STEPS, key=STEPS.__getitem__)
"""The zones in the order of the bytes: as their neighbours' names are sorted, column by column."""

_SORTED: Final = sorted(BOARD.cells)


def _place(move: str) -> int:
    zone = BOARD.zone_towards(move[:2], move[3:]) or ""
    return 8 * _SORTED.index(move[:2]) + ZONE_ORDER.index(zone) - 4


PLACES: Final = {_place(move): move for move in MOVES}
"""The moves by their bits: sorted, eight bits for each cell, less the four below the first and above the last."""


def _padded(cell: str) -> int:
    return WIDTH * ("abc".index(cell[0]) + 1) + int(cell[1])


def _by_place(value: Callable[[str], int]) -> Any:
    return np.array([value(PLACES[place]) if place in PLACES else 0 for place in range(64)], np.uint64)


_U: Final = np.uint64
_0, _1, _2, _3, _4, _7, _15, _36, _56, _63 = (_U(number) for number in (0, 1, 2, 3, 4, 7, 15, 36, 56, 63))
_ONES: Final = _U(0x0101010101010101)
_HIGH: Final = _U(0x8080808080808080)
_GATHER: Final = _U(0x0102040810204080)
_SPREAD: Final = _U(sum(1 << 6 * number for number in range(4)))
_APART: Final = _U(sum(1 << 7 * number + group for number in range(4) for group in (0, 36)))
_FIRST_NEIGHBOUR: Final = _U(25)
"""So many places below a cell's own moves stands the move to it from its first neighbour."""

DEALT: Final = np.array([_padded(cell) for cell in BOARD.cells], np.uint64)
SOURCE: Final = _by_place(lambda move: _padded(move[:2]))
TARGET: Final = _by_place(lambda move: _padded(move[3:]))
TURN: Final = np.zeros(WIDTH * WIDTH, np.uint64)
for _cell in BOARD.cells:
    TURN[_padded(_cell)] = 8 * _SORTED.index(_cell) - 4 & 63
KEPT: Final = _by_place(
    lambda move: sum(1 << bit for bit, other in PLACES.items() if not {move[:2], move[3:]} & {other[:2], other[3:]})
)
"""For each move the moves that it leaves as they are: those between other cells."""


@compiled("uint64(uint8[::1], uint64)", borrows=True)
def facing(numbers: Any, cell: Any) -> Any:
    """What the neighbours of a cell show it, in the order of its own bytes."""
    at = cell << _3
    return (
        _U(numbers[at - _U(6 * 8 - 7)])
        | _U(numbers[at - _U(5 * 8 - 6)]) << _U(8)
        | _U(numbers[at - _U(4 * 8 - 5)]) << _U(16)
        | _U(numbers[at - _U(1 * 8 - 4)]) << _U(24)
        | _U(numbers[at + _U(1 * 8 + 3)]) << _U(32)
        | _U(numbers[at + _U(4 * 8 + 2)]) << _U(40)
        | _U(numbers[at + _U(5 * 8 + 1)]) << _U(48)
        | _U(numbers[at + _U(6 * 8)]) << _U(56)
    )


@compiled("uint64(uint64, uint64)", borrows=True)
def higher(one: Any, other: Any) -> Any:
    """The highest bit of each byte of the one that is higher than the other's; both are below 128."""
    return ((one | _HIGH) - other - _ONES) & _HIGH


@compiled("uint64(uint64, uint64)", borrows=True)
def turned(bits: Any, count: Any) -> Any:
    """The bits turned round by so many places upwards."""
    return bits << (count & _63) | bits >> ((_0 - count) & _63)


@compiled("uint64(uint64, uint64, uint64)", borrows=True)
def leaving(card: Any, around: Any, turn: Any) -> Any:
    """The legal moves from a cell, with a card there and others around it."""
    taken = (higher(card, around) & higher(around, _0)) >> _7
    return turned(taken * _GATHER >> _56, turn)


@compiled("uint64(uint64, uint64, uint64)", borrows=True)
def coming(card: Any, around: Any, turn: Any) -> Any:
    """The legal moves to a cell: the bit of a neighbour's move stands 7, once 15, places from the next neighbour's."""
    taking = (higher(around, card) >> _7) * _GATHER >> _56
    apart = ((taking & _15) | (taking >> _4) << _36) * _SPREAD & _APART
    return turned(apart, turn - _FIRST_NEIGHBOUR)


@compiled("uint64(uint64, uint64)", borrows=True)
def bit_number(bits: Any, count: Any) -> Any:
    """The place of a bit that is set, counted from 0; found without a branch if it is one of the first four."""
    while count > _3:
        bits &= bits - _1
        count -= _1
    second = bits & (bits - _1)
    third = second & (second - _1)
    fourth = third & (third - _1)
    one = second if count & _1 else bits
    other = fourth if count & _1 else third
    return lowest_bit(other if count & _2 else one)


@compiled("uint64(uint64, int64[::1])", borrows=True)
def worth_most(legal: Any, lying: Any) -> Any:
    """Those of the legal moves that take the highest score of the cards lying on the cells."""
    best = np.int64(-1)
    choice = _0
    while legal:
        bit = legal & (_0 - legal)
        legal ^= bit
        value = lying[TARGET[lowest_bit(bit)]]
        if value > best:
            best = value
            choice = bit
        elif value == best:
            choice |= bit
    return choice
