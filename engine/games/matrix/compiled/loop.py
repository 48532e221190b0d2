"""The loop that plays games of matrix, compiled; a hand is how many cards it has of each kind."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.matrix.cards import KINDS, MOVES
from engine.games.matrix.compiled.board import CELLS, KIND, before, put_in_order, rearranged
from engine.games.matrix.compiled.greedy import allowed, greediest
from engine.games.matrix.compiled.looks import room
from engine.games.matrix.state import ROUNDS
from engine.kernels.compiled.columns import DEALS, FILLED
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.throwing import below

_U: Final = np.uint64
_0, _1 = _U(0), _U(1)
_KINDS: Final = len(KINDS)


@compiled(
    types.void(DEALS, types.uint64, types.uint64, types.uint8[::1], types.uint64[::1], FILLED, types.uint16[:, ::1])
)
def play(
    deals: Any,
    rotate: Any,
    copies: Any,
    greedy: Any,
    sides: Any,
    filled: Any,
    moves: Any,
) -> None:
    """Plays games in a row, whose dice are as in `Deals`.

    There are so many copies of each card. `greedy` has a number that is not 0 for each seat that is, `sides` each
    seat's place in `SIDES`. `moves` has a row for each game, or none if they are not wanted.
    """
    seats = _U(len(greedy))
    pack = np.empty(_KINDS * 4, np.uint8)
    size = copies * _U(_KINDS)
    numbers = np.empty(CELLS, np.uint64)
    hands = np.empty((len(greedy), _KINDS), np.uint8)
    order = np.empty(len(greedy), np.uint64)
    points = np.empty(len(greedy), np.int64)
    legal = np.empty(len(MOVES), np.uint64)
    space = room(len(greedy))
    dealt = np.empty((len(greedy), _KINDS), np.uint8)
    first, plies, scores, _ = filled
    drawing, dealing, playing, _ = deals
    keep = len(moves) > 0
    for game in range(len(first)):
        state = drawing[game]
        if len(dealing):
            state = dealing[game]
        for place in range(size):
            pack[place] = place % _KINDS
        for place in range(size - _1):
            at = _U(place)
            state, other = below(state, size - at)
            other += at
            pack[at], pack[other] = pack[other], pack[at]
        for place in range(CELLS):
            numbers[place] = place + 1
        board = _0
        for place in range(CELLS):
            at = _U(place)
            if place < CELLS - 1:
                state, other = below(state, _U(CELLS) - at)
                other += at
                numbers[at], numbers[other] = numbers[other], numbers[at]
            board |= numbers[at] << _U(4 * place)
        hands[:] = 0
        for place in range(seats * _U(ROUNDS)):
            hands[_U(place) // _U(ROUNDS), pack[place]] += 1
        for seat in range(seats):
            order[seat] = seat
        count = _0
        dealt[:] = hands
        if len(playing):
            state = playing[game]
        for number in range(ROUNDS):
            put_in_order(board, sides, order, points)
            if number == 0:
                first[game] = order[0]
            for turn in range(seats):
                seat = order[turn]
                left = _U(ROUNDS - number)
                if greedy[seat]:
                    found = greediest(board, rotate, seat, left, copies, dealt, hands, order, sides, legal, _0, space)
                else:
                    found = allowed(board, hands, seat, legal)
                state, chosen = below(state, found)
                move = legal[chosen]
                if keep:
                    moves[game, count] = move
                hands[seat, KIND[move]] -= 1
                board = rearranged(board, move, rotate)
                count += _1
        plies[game] = count
        for seat in range(seats):
            scores[seat, game] = before(board, sides[seat])
