"""Matrix played on in sampled worlds, compiled: what `engine.search` does with a `MatrixWorld`, round for round."""

from typing import Any, Final

import numpy as np

from engine.games.matrix import heuristic
from engine.games.matrix.cards import KINDS, MOVES
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.matrix_board import BEGINS, KIND, MIDDLE, SIDES, SWAPPED, before, put_in_order, rearranged
from engine.kernels.compiled.numeric import DICE, FLOATS, INTS, dice, floats, ints, more, places
from engine.kernels.compiled.rounds import MOST_DEEP, ahead_of, count_path
from engine.kernels.compiled.throwing import below, fork_seed
from engine.numeric import tree

__all__ = ["dice", "floats", "ints", "more", "places", "play_rounds"]

_U: Final = np.uint64
_I: Final = np.int64
_1, _15 = _U(1), _U(15)
_KINDS: Final = len(KINDS)
_BEHIND: Final = _I(heuristic.BEHIND)
_KEEPING: Final = _I(heuristic.KEEPING)
_LOWEST: Final = _I(heuristic.LOWEST)
_WORTH: Final = np.array([[heuristic.WORTH[side].get(kind, 0) for kind in KINDS] for side in SIDES], np.int64)
_LINKS, _VISITS = tree.LINKS, tree.VISITS


@compiled("int64(uint64, uint64, uint64, int64, int64, uint64[::1])", borrows=True)
def promise(board: Any, move: Any, rotate: Any, left: Any, seat: Any, sides: Any) -> Any:
    """How good a move looks to a seat with so many cards left."""
    after = rearranged(board, move, rotate)
    best, lowest, own = _I(-1), _I(1 << 30), before(after, sides[seat])
    for other in range(len(sides)):
        if other != seat:
            there = before(after, sides[other])
            best, lowest = max(best, there), min(lowest, there)
    lead = own - best
    if left == 1:
        return lead
    worth = _KEEPING * _WORTH[sides[seat], KIND[move]]
    if len(sides) == 2:
        return -abs(lead + _BEHIND) - worth
    return -_LOWEST * max(own - lowest, _I(0)) - max(-lead - _BEHIND, _I(0)) - worth


@compiled("int64(uint64, uint64, int64[:, ::1], int64, uint64[::1], int64[::1], int64[::1])", borrows=True)
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
            value = promise(board, _U(move), rotate, left, seat, sides)
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
            worth = _WORTH[sides[seat], kind]
            if first < 0 or worth < _WORTH[sides[seat], first]:
                first, second = kind, first
            elif second < 0 or worth < _WORTH[sides[seat], second]:
                second = kind
    middle, best, count = (board >> MIDDLE) & _15, _I(-(1 << 40)), 0
    for turn in range(_KINDS if left == 1 else 2):
        kind = turn if left == 1 else (first if turn == 0 else second)
        if kind < 0 or not hands[seat, kind]:
            continue
        for move in range(_I(BEGINS[kind]), _I(BEGINS[kind + 1])):
            if SWAPPED[move] == middle:
                continue
            value = promise(board, _U(move), rotate, left, seat, sides)
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
    f"float64(uint64, uint64, int64[:, ::1], {INTS}, {INTS}, uint64[::1], int64, uint64[::1], {DICE}, {INTS}, {FLOATS},"
    f" {INTS}, int64, int64, int64, float64, float64, float64, int64)"
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
    throws: Any,
    links: Any,
    sums: Any,
    nodes_of: Any,
    rounds: Any,
    first: Any,
    number: Any,
    exploring: Any,
    scale: Any,
    margin: Any,
    by_lead: Any,
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
        throws: the dice.
        links: the nodes of the tree, as of `engine.numeric.tree`.
        sums: and what came of them.
        nodes_of: room for a number for each move.
        rounds: how many.
        first: the move that is played first, or -1.
        number: the number of the world, or -1.
        exploring: how much it counts that a move was seldom tried.
        scale: a lead of so many points is a clear one.
        margin: so much of what a game is worth is by how much it is won.
        by_lead: a number that is not 0 where everybody wants points ahead.
    """
    seats, size = len(sides), len(hidden)
    drawn, hands, held = hidden.copy(), known.copy(), np.zeros(seats, np.int64)
    turns, points = order.copy(), np.zeros(seats, np.int64)
    moves, promises = np.zeros(len(MOVES), np.int64), np.zeros(len(MOVES), np.int64)
    at_root, path = np.zeros(len(MOVES), np.int64), np.zeros((MOST_DEEP, 2), np.int64)
    seat = _I(order[turn])
    count_at_root = ordered(start, rotate, known, seat, sides, at_root, promises)
    for _ in range(rounds):
        move = first
        if move < 0:
            move = at_root[tree.choice(links, sums, 0, at_root, count_at_root, exploring, nodes_of)]
        child = tree.child_of(links, 0, move)
        tried = links[child * _LINKS + _VISITS] if child else 0
        state = fork_seed(throws[1], _U(tried if number < 0 else number))
        drawn[:] = hidden
        for place in range(size - 1):
            state, other = below(state, _U(size - place))
            there = place + _I(other)
            drawn[place], drawn[there] = drawn[there], drawn[place]
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
                    move = moves[tree.choice(links, sums, node, moves, count, exploring, nodes_of)]
                    child = tree.child_of(links, node, move)
                if child == 0:
                    child = tree.added(links, node, move)
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
        count_path(links, sums, path, deep, points, scale, margin, by_lead)
    return float(ahead_of(points, seat))
