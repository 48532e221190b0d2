"""What a greedy player of matrix may play, compiled: the moves that look best to its heuristic."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.matrix.cards import KINDS
from engine.games.matrix.compiled.board import BEGINS, MIDDLE, SWAPPED
from engine.games.matrix.compiled.looks import ROOM, hidden, tried_out
from engine.games.matrix.compiled.worth import looks
from engine.games.matrix.heuristic import LAST_ROUNDS
from engine.kernels.compiled.compiler import compiled

_U: Final = np.uint64
_0, _1, _2, _15 = (_U(number) for number in (0, 1, 2, 15))
_KINDS: Final = len(KINDS)


@compiled("uint64(uint64, uint8[:, ::1], uint64, uint64[::1])", borrows=True)
def allowed(board: Any, hands: Any, seat: Any, moves: Any) -> Any:
    """How many moves a hand allows, in `moves`."""
    middle, count = (board >> MIDDLE) & _15, _0
    for kind in range(_KINDS):
        if hands[seat, kind]:
            for move in range(BEGINS[kind], BEGINS[kind + 1]):
                if SWAPPED[move] != middle:
                    moves[count] = move
                    count += _1
    return count


@compiled(
    types.uint64(
        *[types.uint64] * 5,
        *[types.uint8[:, ::1]] * 2,
        *[types.uint64[::1]] * 3,
        types.uint64,
        ROOM,
    ),
    borrows=True,
)
def greediest(
    board: Any,
    rotate: Any,
    seat: Any,
    left: Any,
    copies: Any,
    dealt: Any,
    hands: Any,
    order: Any,
    sides: Any,
    moves: Any,
    other: Any,
    space: Any,
) -> Any:
    """How many moves look best, which are in `moves`, to a seat with so many cards left.

    `dealt` and `hands` are how many cards of each kind, with so many copies, every seat was dealt and holds;
    `other` says with which dice moves are tried out, its own are 0.
    """
    tries = _U(len(sides)) > _2 and left <= _U(LAST_ROUNDS)
    unseen = hidden(seat, copies, dealt, hands, _0, space.cards) if tries else _0
    count, found, best = allowed(board, hands, seat, moves), _0, -1e300
    for place in range(count):
        move = moves[place]
        if tries:
            value = tried_out(board, move, rotate, seat, order, hands, unseen, sides, other, space)
        else:
            value = looks(board, move, rotate, left, seat, sides)
        if value > best:
            best, found = value, _0
        if value == best:
            moves[found] = move
            found += _1
    return found
