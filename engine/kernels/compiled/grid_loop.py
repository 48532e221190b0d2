"""The loop that plays games of grid, compiled.

A card is one 64-bit number, a byte for each zone: 2 and the number there, or 1 where there is none; 0 is none. The
bytes stand in the order in which moves are sorted by where they lead, so the zone that faces a zone is the byte as far
from the other end. What faces a card is gathered from its neighbours into such a number, too, and eight subtractions in
one say what takes what. The legal moves are one number as well, of 64 bits of which 40 are used.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numba.core import types

from engine.board import STEPS
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, MOVES
from engine.kernels.compiled.columns import DEALS, FILLED
from engine.kernels.compiled.compiler import compiled, count_bits, lowest_bit
from engine.kernels.compiled.grid_drawing import draw
from engine.kernels.compiled.throwing import below

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
_I: Final = np.int64
_0, _1, _2, _3, _4, _7, _15, _36, _56, _63 = (_U(number) for number in (0, 1, 2, 3, 4, 7, 15, 36, 56, 63))
_DECK: Final = _U(DECK_SIZE)
_ONES: Final = _U(0x0101010101010101)
_HIGH: Final = _U(0x8080808080808080)
_GATHER: Final = _U(0x0102040810204080)
_SPREAD: Final = _U(sum(1 << 6 * number for number in range(4)))
_APART: Final = _U(sum(1 << 7 * number + group for number in range(4) for group in (0, 36)))
_FIRST_NEIGHBOUR: Final = _U(25)
"""So many places below a cell's own moves stands the move to it from its first neighbour."""

_DEALT: Final = np.array([_padded(cell) for cell in BOARD.cells], np.uint64)
_SOURCE: Final = _by_place(lambda move: _padded(move[:2]))
_TARGET: Final = _by_place(lambda move: _padded(move[3:]))
_TURN: Final = np.zeros(WIDTH * WIDTH, np.uint64)
for _cell in BOARD.cells:
    _TURN[_padded(_cell)] = 8 * _SORTED.index(_cell) - 4 & 63
_KEPT: Final = _by_place(
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
        value = lying[_TARGET[lowest_bit(bit)]]
        if value > best:
            best = value
            choice = bit
        elif value == best:
            choice |= bit
    return choice


@compiled(
    "UniTuple(uint64, 2)(uint64, uint64, uint64[:, ::1], uint8[::1], uint64[::1], uint8[::1], int64[::1])", borrows=True
)
def cover(legal: Any, turned_up: Any, cards: Any, deck: Any, board: Any, numbers: Any, lying: Any) -> Any:
    """The legal moves after cards were laid over those on the cells until there is one, and how many are turned up."""
    place = 0
    while not legal and turned_up < _DECK:
        cell, card = _DEALT[place], cards[deck[turned_up], 0]
        board[cell] = card
        lying[cell] = _I(cards[deck[turned_up], 1])
        turned_up += _1
        around, turn = facing(numbers, cell), _TURN[cell]
        legal = leaving(card, around, turn) | coming(card, around, turn)
        place = (place + 1) % GRID_SIZE
    return legal, turned_up


@compiled(
    types.void(
        DEALS,
        types.uint32[::1],
        types.uint64[:, ::1],
        types.uint8,
        types.uint8[::1],
        types.int64,
        types.uint64,
        types.uint8,
        FILLED,
        types.uint16[:, ::1],
    )
)
def play(
    deals: Any,
    pool: Any,
    rows: Any,
    drawn: Any,
    greedy: Any,
    komi: Any,
    in_turn: Any,
    covers: Any,
    filled: Any,
    moves: Any,
) -> None:
    """Plays games in a row, whose dice and starters are as in `Deals`.

    The pool says for each card in which of the rows it and its score are: cards that play alike share one, so that
    what is read at random stays small. Where `drawn` is not 0 each deck is drawn from the pool; else that is the deck.
    `greedy` has a number that is not 0 for each seat that is. Of the variants `komi` are points for everybody but who
    starts; where `in_turn` is 0 all moves but the first are made two by two, and where `covers` is not 0 cards are
    laid over those on the grid when nobody has a move. `moves` has a row for each game, or none if they are not
    wanted.
    """
    seats = _U(len(greedy))
    cards = np.zeros((DECK_SIZE + 1, 2), np.uint64)  # the last is none
    for place in range(DECK_SIZE):
        cards[place] = rows[pool[place]]
    deck = np.full(2 * DECK_SIZE, DECK_SIZE, np.uint8)
    changed = np.empty(DECK_SIZE, np.uint64)
    displaced = np.empty(DECK_SIZE, np.uint64)
    chosen = np.empty(DECK_SIZE, np.uint64)
    board = np.zeros(WIDTH * WIDTH, np.uint64)
    numbers = board.view(np.uint8)
    lying = np.zeros(WIDTH * WIDTH, np.int64)
    points = np.zeros(len(greedy), np.int64)
    first, plies, scores, _ = filled
    drawing, dealing, playing, starting = deals
    keep = len(moves) > 0
    for game in range(len(first)):
        state = drawing[game]
        if drawn:
            state = draw(state, _U(len(pool)), changed, displaced, chosen)
            for place in range(DECK_SIZE):  # apart from the draw, so that no reading waits for another
                row = pool[chosen[place]]
                cards[place, 0], cards[place, 1] = rows[row, 0], rows[row, 1]
        if len(dealing):
            state = dealing[game]
        for place in range(DECK_SIZE):
            deck[place] = place
        for place in range(DECK_SIZE - 1):
            at = _U(place)
            state, other = below(state, _DECK - at)
            other += at
            deck[at], deck[other] = deck[other], deck[at]
        if len(starting):
            seat = _U(starting[game])
        else:
            state, seat = below(state, seats)
        first[game] = seat
        if len(playing):
            state = playing[game]
        for place in range(GRID_SIZE):
            cell = _DEALT[place]
            board[cell] = cards[deck[place], 0]
            lying[cell] = _I(cards[deck[place], 1])
        legal = _0
        for place in range(GRID_SIZE):
            cell = _DEALT[place]
            legal |= leaving(board[cell], facing(numbers, cell), _TURN[cell])
        points[:] = 0
        turned_up = _U(GRID_SIZE)
        count = _0
        if covers:
            legal, turned_up = cover(legal, turned_up, cards, deck, board, numbers, lying)
        while legal:
            choice = worth_most(legal, lying) if greedy[seat] else legal
            state, number = below(state, count_bits(choice))
            move = bit_number(choice, number)
            if keep:
                moves[game, count] = move
            source, target = _SOURCE[move], _TARGET[move]
            mover, card = board[source], cards[deck[turned_up], 0]
            points[seat] += lying[target]
            lying[target] = lying[source]
            lying[source] = _I(cards[deck[turned_up], 1])
            board[target] = mover
            board[source] = card
            turned_up += _1
            around, turn = facing(numbers, source), _TURN[source]
            found = leaving(card, around, turn) | coming(card, around, turn)
            legal = legal & _KEPT[move] | (found if card else _0)
            around, turn = facing(numbers, target), _TURN[target]
            legal |= leaving(mover, around, turn) | coming(mover, around, turn)
            count += _1
            seat += (in_turn | count) & _1
            if seat == seats:
                seat = _0
            if covers:
                legal, turned_up = cover(legal, turned_up, cards, deck, board, numbers, lying)
        plies[game] = count
        for one in range(len(greedy)):
            scores[one, game] = points[one] + (komi if one != first[game] else 0)
