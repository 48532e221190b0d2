"""Matrix among three and four played on in sampled worlds, compiled: what `engine.search` does with a `MatrixTable`."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.matrix.cards import KINDS, MOVES
from engine.games.matrix.compiled.board import KIND, before, put_in_order, rearranged
from engine.games.matrix.compiled.greedy import allowed, greediest
from engine.games.matrix.compiled.looks import room
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.rounds import SEARCH, ahead_of, begun, count_path, shuffled
from engine.kernels.compiled.throwing import STEP, below, mixed
from engine.rows import tree

_U: Final = np.uint64
_I: Final = np.int64
_KINDS: Final = len(KINDS)


@compiled("uint64(uint64, int64[::1], int64[::1], int64, int64, int64[:, ::1])", borrows=True)
def swapped(state: Any, cards: Any, holders: Any, dealt: Any, swaps: Any, signs: Any) -> Any:
    """The state of the dice after so many tries to swap cards, the first of which are dealt, to agree with signs."""
    for _ in range(swaps if dealt else 0):
        state, one = below(state, _U(dealt))
        state, other = below(state, _U(len(cards)))
        here, there = holders[one], holders[other]
        held = signs[here, cards[one]] + signs[there, cards[other]]
        if signs[here, cards[other]] + signs[there, cards[one]] <= held:
            cards[one], cards[other] = cards[other], cards[one]
    return state


@compiled(
    types.float64(
        *[types.uint64] * 3,
        *[types.uint8[:, ::1]] * 2,
        *[types.int64[::1]] * 2,
        types.int64,
        types.int64,
        types.int64[:, ::1],
        *[types.int64[::1]] * 2,
        types.uint64[::1],
        types.int64,
        types.uint64[::1],
        types.int64[::1],
        SEARCH,
    )
)
def play_on(
    start: Any,
    rotate: Any,
    copies: Any,
    played: Any,
    known: Any,
    hidden: Any,
    holders: Any,
    dealt: Any,
    swaps: Any,
    signs: Any,
    slipped: Any,
    judged: Any,
    order: Any,
    turn: Any,
    sides: Any,
    at_root: Any,
    search: Any,
) -> Any:
    """Plays so many rounds, and gives the lead in points of who is to move in the last one.

    Args:
        start: the board.
        rotate: how far the rotate cards turn, as a place in `ROTATIONS`.
        copies: how many cards there are of each kind.
        played: for each seat how many cards of each kind it has played.
        known: and how many it is known to hold.
        hidden: the kinds of the cards that are not seen.
        holders: and who is dealt the card in that place; the last seat is the box.
        dealt: so many are not left in the box.
        swaps: so often two of them may change places.
        signs: for each seat, and for the box, how much speaks against its holding a card of each kind.
        slipped: for each seat how many of its moves no greedy player would have made.
        judged: of so many of which that could be told.
        order: the seats in the order of play.
        turn: the place in it of who is to move.
        sides: for each seat its place in `SIDES`.
        at_root: the moves, those that look best first.
        search: the tree, and how rounds are counted in it.
    """
    seats = len(sides)
    drawn, turns, points = hidden.copy(), order.copy(), np.zeros(seats, np.int64)
    hands, owned, left = known.copy(), known.copy(), np.zeros(seats, np.int64)
    moves, space, path = np.zeros(len(MOVES), np.uint64), room(seats), np.zeros((1, 2), np.int64)
    path[0, 1] = _I(order[turn])
    for _ in range(search.rounds):
        chosen, child, state = begun(search, at_root, len(at_root))
        if child == 0:
            child = tree.added(search.links, 0, chosen)
        path[0, 0] = child
        drawn[:] = hidden
        state = swapped(shuffled(state, drawn), drawn, holders, dealt, swaps, signs)
        hands[:] = known
        for place in range(dealt):
            hands[holders[place], drawn[place]] += 1
        for one in range(seats):
            left[one] = 0
            for kind in range(_KINDS):
                owned[one, kind] = played[one, kind] + hands[one, kind]
                left[one] += _I(hands[one, kind])
        turns[:] = order
        board, at, move = start, turn, _U(chosen)
        while True:
            mover = turns[at]
            hands[mover, KIND[move]] -= 1
            left[mover] -= 1
            board = rearranged(board, move, rotate)
            at += 1
            if at == seats:
                put_in_order(board, sides, turns, points)
                at = 0
            mover = turns[at]
            if not left[mover]:
                break
            thrown = _U(slipped[mover])
            if slipped[mover]:
                state, thrown = below(state, _U(judged[mover]))
            if thrown < _U(slipped[mover]):
                found = allowed(board, hands, mover, moves)
            else:
                state += STEP
                found = greediest(
                    board,
                    rotate,
                    mover,
                    _U(left[mover]),
                    copies,
                    owned,
                    hands,
                    turns,
                    sides,
                    moves,
                    mixed(state),
                    space,
                )
            state, best = below(state, found)
            move = moves[best]
        for one in range(seats):
            points[one] = before(board, sides[one])
        count_path(search, path, 1, points)
    return float(ahead_of(points, path[0, 1]))
