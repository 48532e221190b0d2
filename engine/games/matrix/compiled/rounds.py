"""Matrix played on in sampled worlds, compiled: what `engine.search` does with a `MatrixWorld`, round for round."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.matrix.cards import KINDS, MOVES
from engine.games.matrix.compiled.board import BEGINS, KIND, MIDDLE, SWAPPED, before, put_in_order, rearranged
from engine.games.matrix.compiled.table import play_on
from engine.games.matrix.compiled.worth import WORTH, looks
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.numeric import counts, dice, floats, ints, more, places
from engine.kernels.compiled.rounds import MOST_DEEP, SEARCH, Search, ahead_of, begun, count_path, shuffled
from engine.kernels.compiled.throwing import below
from engine.rows import tree

__all__ = ["Search", "counts", "dice", "floats", "ints", "more", "places", "play_on", "play_rounds"]

_U: Final = np.uint64
_I: Final = np.int64
_1, _15 = _U(1), _U(15)
_KINDS: Final = len(KINDS)


@compiled("int64(uint64, uint64, int64[:, ::1], int64, uint64[::1], int64[::1], float64[::1])", borrows=True)
def ordered(board: Any, rotate: Any, hands: Any, seat: Any, sides: Any, moves: Any, promises: Any) -> Any:
    """How many moves there are, which are in `moves`: those that look best first."""
    middle, left, count = (board >> MIDDLE) & _15, _I(0), 0
    for kind in range(_KINDS):
        left += hands[seat, kind]
    for kind in range(_KINDS):
        if not hands[seat, kind]:
            continue
        for move in range(_I(BEGINS[kind]), _I(BEGINS[kind + 1])):
            if SWAPPED[move] == middle:
                continue
            value = looks(board, _U(move), rotate, _U(left), _U(seat), sides)
            at = count
            while at > 0 and promises[at - 1] < value:
                promises[at] = promises[at - 1]
                moves[at] = moves[at - 1]
                at -= 1
            promises[at] = value
            moves[at] = move
            count += 1
    return count


@compiled(
    "UniTuple(uint64, 2)(uint64, uint64, uint64, int64[:, ::1], int64, int64, uint64[::1], int64[::1])", borrows=True
)
def hoarding(state: Any, board: Any, rotate: Any, hands: Any, left: Any, seat: Any, sides: Any, moves: Any) -> Any:
    """The state of the dice, and a move that keeps the cards that are worth most, among the best of those any."""
    first, second = -1, -1
    for kind in range(_KINDS):
        if hands[seat, kind]:
            worth = WORTH[sides[seat], kind]
            if first < 0 or worth < WORTH[sides[seat], first]:
                first, second = kind, first
            elif second < 0 or worth < WORTH[sides[seat], second]:
                second = kind
    middle, best, count = (board >> MIDDLE) & _15, -np.inf, 0
    for turn in range(_KINDS if left == 1 else 2):
        kind = turn if left == 1 else (first if turn == 0 else second)
        if kind < 0 or not hands[seat, kind]:
            continue
        for move in range(_I(BEGINS[kind]), _I(BEGINS[kind + 1])):
            if SWAPPED[move] == middle:
                continue
            value = looks(board, _U(move), rotate, _U(left), _U(seat), sides)
            if value > best:
                best, count = value, 0
            if value == best:
                moves[count] = move
                count += 1
    chosen = _U(0)
    if count > 1:
        state, chosen = below(state, _U(count))
    return state, _U(moves[chosen])


@compiled(
    types.float64(
        types.uint64,
        types.uint64,
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        types.uint64[::1],
        types.int64,
        types.uint64[::1],
        SEARCH,
    )
)
def play_rounds(
    start: Any,
    rotate: Any,
    known: Any,
    unknown: Any,
    hidden: Any,
    order: Any,
    turn: Any,
    sides: Any,
    search: Any,
) -> Any:
    """Plays so many rounds, and gives the lead in points of who is to move in the last one.

    Args:
        start: the board.
        rotate: how far the rotate cards turn, as a place in `ROTATIONS`.
        known: for each seat how many cards of each kind it is known to hold.
        unknown: and how many it holds that are not known.
        hidden: the kinds of those cards.
        order: the seats in the order of play.
        turn: the place in it of who is to move.
        sides: for each seat its place in `SIDES`.
        search: the tree, and how rounds are counted in it.
    """
    seats = len(sides)
    drawn, hands, held = hidden.copy(), known.copy(), np.zeros(seats, np.int64)
    turns, points = order.copy(), np.zeros(seats, np.int64)
    moves, promises = np.zeros(len(MOVES), np.int64), np.zeros(len(MOVES), np.float64)
    at_root, path = np.zeros(len(MOVES), np.int64), np.zeros((MOST_DEEP, 2), np.int64)
    seat = _I(order[turn])
    count_at_root = ordered(start, rotate, known, seat, sides, at_root, promises)
    for _ in range(search.rounds):
        move, child, state = begun(search, at_root, count_at_root)
        drawn[:] = hidden
        state = shuffled(state, drawn)
        dealt = 0
        for one in range(seats):
            held[one] = unknown[one]
            for kind in range(_KINDS):
                hands[one, kind] = known[one, kind]
                held[one] += known[one, kind]
            for _place in range(unknown[one]):
                hands[one, drawn[dealt]] += 1
                dealt += 1
        turns[:] = order
        board, mover, at, node, deep, growing = start, seat, turn, 0, 0, True
        while held[mover]:
            if growing:
                if deep:
                    count = ordered(board, rotate, hands, mover, sides, moves, promises)
                    move = moves[
                        tree.choice(search.links, search.sums, node, moves, count, search.exploring, search.nodes_of)
                    ]
                    child = tree.child_of(search.links, node, move)
                if child == 0:
                    child = tree.added(search.links, node, move)
                    growing = False
                path[deep, 0], path[deep, 1] = child, mover
                deep += 1
                node = child
            else:
                state, chosen = hoarding(state, board, rotate, hands, held[mover], mover, sides, moves)
                move = _I(chosen)
            board = rearranged(board, _U(move), rotate)
            hands[mover, KIND[move]] -= 1
            held[mover] -= 1
            at += 1
            if at == seats:
                put_in_order(board, sides, turns, points)
                at = 0
            mover = _I(turns[at])
        for one in range(seats):
            points[one] = before(board, sides[one])
        count_path(search, path, deep, points)
    return float(ahead_of(points, seat))
