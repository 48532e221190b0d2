"""How good moves of matrix look to a greedy player, compiled; among three or four the end of the game is tried out."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.games.matrix import heuristic
from engine.games.matrix.cards import KINDS, MOVES
from engine.games.matrix.compiled.board import (
    BEGINS,
    CELLS,
    KIND,
    MIDDLE,
    SIDES,
    SWAPPED,
    before,
    put_in_order,
    rearranged,
)
from engine.games.matrix.compiled.worth import lead
from engine.games.matrix.state import ROUNDS
from engine.kernels.compiled.compiler import bundle, compiled
from engine.kernels.compiled.throwing import below, shuffle

_U: Final = np.uint64
_I: Final = np.int64
_0, _1, _4, _10, _15 = (_U(number) for number in (0, 1, 4, 10, 15))
_KINDS: Final = len(KINDS)

MOST_DEALT: Final = len(SIDES) * ROUNDS


class Room(NamedTuple):
    """Room for trying the rest of a game out.

    Attributes:
        cards: those that a seat does not see.
        drawn: the same in another order.
        lists: for each seat the kinds of its cards.
        held: how many these are.
        turns: the order of play.
        moves: for a list of moves.
        points: for each seat's points.
    """

    cards: Any
    drawn: Any
    lists: Any
    held: Any
    turns: Any
    moves: Any
    points: Any


ROOM: Final = bundle(
    Room, "uint32[::1]", "uint32[::1]", "uint32[:, ::1]", "uint64[::1]", "uint64[::1]", "uint64[::1]", "int64[::1]"
)


@compiled(ROOM(types.int64))
def room(seats: Any) -> Any:
    """Such room for so many seats."""
    return Room(
        np.zeros(MOST_DEALT, np.uint32),
        np.zeros(MOST_DEALT, np.uint32),
        np.zeros((seats, ROUNDS), np.uint32),
        np.zeros(seats, np.uint64),
        np.zeros(seats, np.uint64),
        np.zeros(len(MOVES), np.uint64),
        np.zeros(seats, np.int64),
    )


@compiled("uint64(uint64, uint64, uint8[:, ::1], uint8[:, ::1], uint64, uint32[::1])", borrows=True)
def hidden(seat: Any, copies: Any, dealt: Any, hands: Any, number: Any, cards: Any) -> Any:
    """How many cards a seat does not see, in `cards`; it sees its own and what the others have played."""
    for copy in range(copies):
        for kind in range(_KINDS):
            seen = _U(dealt[seat, kind])
            for other in range(len(hands)):
                if _U(other) != seat:
                    seen += _U(dealt[other, kind]) - _U(hands[other, kind])
            if _U(copy) >= seen:
                cards[number] = kind
                number += _1
    return number


@compiled("uint64(uint64, uint64, uint64)", borrows=True)
def tried_state(board: Any, seat: Any, count: Any) -> Any:
    """The dice with which the rest of a game is tried out: their seed is the digits of board, seat and hidden cards."""
    number = _0
    for cell in range(CELLS):
        number = number * _10 + ((board >> _U(4 * cell)) & _15)
    return (number * _10 + seat) * (_U(100) if count >= _10 else _10) + count


@compiled("uint64(uint64, uint32[:, ::1], uint64[::1], uint64, uint64[::1])", borrows=True)
def listed(board: Any, lists: Any, held: Any, seat: Any, moves: Any) -> Any:
    """How many moves a hand allows, in `moves`; the kinds of cards stand in the order in which they are held."""
    middle = (board >> MIDDLE) & _15
    count, seen = _0, _0
    for place in range(held[seat]):
        kind = _U(lists[seat, place])
        if (seen >> kind) & _1:
            continue
        seen |= _1 << kind
        for move in range(BEGINS[kind], BEGINS[kind + _1]):
            if SWAPPED[move] != middle:
                moves[count] = move
                count += _1
    return count


@compiled(
    "UniTuple(uint64, 2)(uint64, uint64, uint64, uint64, uint64, uint64[::1], uint32[:, ::1], uint64[::1],"
    " uint64[::1], uint64[::1], int64[::1])",
    borrows=True,
)
def played_on(
    state: Any,
    board: Any,
    move: Any,
    rotate: Any,
    seat: Any,
    order: Any,
    lists: Any,
    held: Any,
    sides: Any,
    moves: Any,
    points: Any,
) -> Any:
    """The state of the dice after a game was played on from a seat's move, and the last board.

    The seat plays its last card well, the others play any. `order` and the hands are used up; `moves` and `points`
    are room.
    """
    turn = _0
    while order[turn] != seat:
        turn += _1
    while True:
        mover = order[turn]
        kind = KIND[move]
        place = _0
        while _U(lists[mover, place]) != kind:
            place += _1
        held[mover] -= _1
        for later in range(place, held[mover]):
            lists[mover, later] = lists[mover, later + 1]
        board = rearranged(board, move, rotate)
        turn += _1
        if turn == _U(len(order)):
            cards = _0
            for one in range(len(order)):
                cards += held[one]
            if not cards:
                return state, board
            put_in_order(board, sides, order, points)
            turn = _0
        mover = order[turn]
        count = listed(board, lists, held, mover, moves)
        if mover == seat:
            most = _I(-(1 << 30))
            for one in range(count):
                ahead = lead(rearranged(board, moves[one], rotate), seat, sides)
                if ahead > most:
                    most = ahead
                    move = moves[one]
        else:
            state, chosen = below(state, count)
            move = moves[chosen]


@compiled(
    types.float64(
        types.uint64,
        types.uint64,
        types.uint64,
        types.uint64,
        types.uint64[::1],
        types.uint8[:, ::1],
        types.uint64,
        types.uint64[::1],
        types.uint64,
        ROOM,
    ),
    borrows=True,
)
def tried_out(
    board: Any,
    move: Any,
    rotate: Any,
    seat: Any,
    order: Any,
    hands: Any,
    count: Any,
    sides: Any,
    other: Any,
    space: Any,
) -> Any:
    """The share of the game that a seat wins by a move when the others play any of the cards that it does not see.

    These are so many, and stand in the room. `other` says with which dice it is tried out; its own are 0.
    """
    seats = len(sides)
    state = tried_state(board, seat, count) ^ other
    drawn, lists, held, turns = space.drawn[:count], space.lists, space.held, space.turns
    total = 0.0
    for _ in range(heuristic.TRIES):
        for place in range(count):
            drawn[place] = space.cards[place]
        state = shuffle(state, drawn)
        taken = 0
        for one in range(seats):
            held[one] = 0
            turns[one] = order[one]
            for kind in range(_KINDS):
                for _copy in range(hands[one, kind]):
                    if _U(one) == seat:
                        lists[one, held[one]] = kind
                    else:
                        lists[one, held[one]] = drawn[taken]
                        taken += 1
                    held[one] += _1
        state, last = played_on(state, board, move, rotate, seat, turns, lists, held, sides, space.moves, space.points)
        best, leaders = _I(-1), 0
        for one in range(seats):
            score = before(last, sides[one])
            if score > best:
                best = score
                leaders = 0
            leaders += score == best
        if before(last, sides[seat]) == best:
            total += 1 / leaders
    return total / heuristic.TRIES + lead(rearranged(board, move, rotate), seat, sides) / 1000
