"""The loop that plays games of grid, compiled; `grid_moves` says how cards and moves are numbers."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.grid.compiled.drawing import draw
from engine.games.grid.compiled.moves import (
    DEALT,
    KEPT,
    SOURCE,
    TARGET,
    TURN,
    WIDTH,
    bit_number,
    coming,
    facing,
    leaving,
    worth_most,
)
from engine.games.grid.state import DECK_SIZE, GRID_SIZE
from engine.kernels.compiled.columns import DEALS, FILLED
from engine.kernels.compiled.compiler import compiled, count_bits
from engine.kernels.compiled.throwing import below

_U: Final = np.uint64
_I: Final = np.int64
_0, _1 = _U(0), _U(1)
_DECK: Final = _U(DECK_SIZE)


@compiled(
    "UniTuple(uint64, 2)(uint64, uint64, uint64[:, ::1], uint8[::1], uint64[::1], uint8[::1], int64[::1])", borrows=True
)
def cover(legal: Any, turned_up: Any, cards: Any, deck: Any, board: Any, numbers: Any, lying: Any) -> Any:
    """The legal moves after cards were laid over those on the cells until there is one, and how many are turned up."""
    place = 0
    while not legal and turned_up < _DECK:
        cell, card = DEALT[place], cards[deck[turned_up], 0]
        board[cell] = card
        lying[cell] = _I(cards[deck[turned_up], 1])
        turned_up += _1
        around, turn = facing(numbers, cell), TURN[cell]
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
            cell = DEALT[place]
            board[cell] = cards[deck[place], 0]
            lying[cell] = _I(cards[deck[place], 1])
        legal = _0
        for place in range(GRID_SIZE):
            cell = DEALT[place]
            legal |= leaving(board[cell], facing(numbers, cell), TURN[cell])
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
            source, target = SOURCE[move], TARGET[move]
            mover, card = board[source], cards[deck[turned_up], 0]
            points[seat] += lying[target]
            lying[target] = lying[source]
            lying[source] = _I(cards[deck[turned_up], 1])
            board[target] = mover
            board[source] = card
            turned_up += _1
            around, turn = facing(numbers, source), TURN[source]
            found = leaving(card, around, turn) | coming(card, around, turn)
            legal = legal & KEPT[move] | (found if card else _0)
            around, turn = facing(numbers, target), TURN[target]
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
