"""Grid played on in sampled worlds, compiled: what `engine.search` does with a `GridWorld`, round for round."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numba.core import types

from catalog.card import Card
from engine.games.grid.compiled.moves import (
    DEALT,
    KEPT,
    PLACES,
    SOURCE,
    TARGET,
    TURN,
    WIDTH,
    ZONE_ORDER,
    bit_number,
    coming,
    facing,
    leaving,
    worth_most,
)
from engine.games.grid.state import GRID_SIZE
from engine.kernels.compiled.compiler import compiled, count_bits, lowest_bit
from engine.kernels.compiled.numeric import dice, floats, ints, more
from engine.kernels.compiled.rounds import MOST_DEEP, SEARCH, Search, ahead_of, begun, count_path, shuffled
from engine.kernels.compiled.throwing import below
from engine.rows import tree

__all__ = ["MOVES", "Search", "dice", "floats", "ints", "more", "play_rounds", "position"]

MOVES: Final = PLACES
"""The moves by their numbers."""

_U: Final = np.uint64
_0, _1 = _U(0), _U(1)
_MOST_MOVES: Final = 64


def position(lying: Sequence[Card | None], pile: Sequence[Card]) -> tuple[Any, Any, Any]:
    """The cards on the nine cells and those of the pile, as numbers, and all their scores."""
    board, scores = np.zeros(WIDTH * WIDTH, np.uint64), np.zeros(WIDTH * WIDTH + len(pile), np.int64)
    for cell, card in zip(DEALT, lying, strict=True):
        if card is not None:
            board[cell], scores[cell] = _word(card), card.score
    scores[WIDTH * WIDTH :] = [card.score for card in pile]
    return board, np.array([_word(card) for card in pile], np.uint64), scores


def _word(card: Card) -> int:
    return sum(card.zones.get(zone, -1) + 2 << 8 * byte for byte, zone in enumerate(ZONE_ORDER))


@compiled("uint64(uint64[::1])")
def legal_moves(board: Any) -> Any:
    """The bits of the legal moves."""
    numbers, legal = board.view(np.uint8), _0
    for place in range(GRID_SIZE):
        cell = DEALT[place]
        if board[cell]:
            legal |= leaving(board[cell], facing(numbers, cell), TURN[cell])
    return legal


@compiled("int64(uint64, int64[::1], int64[::1])")
def ordered(legal: Any, lying: Any, moves: Any) -> Any:
    """How many moves there are, which are in `moves`: those that take the highest score first."""
    count = 0
    while legal:
        move = np.int64(lowest_bit(legal))
        legal &= legal - _1
        at = count
        while at > 0 and lying[TARGET[moves[at - 1]]] < lying[TARGET[move]]:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = move
        count += 1
    return count


@compiled("uint64(uint64, uint64, uint64, int64, uint64[::1], int64[::1])")
def after(legal: Any, move: Any, card: Any, score: Any, board: Any, lying: Any) -> Any:
    """The legal moves after one, with the card that is turned up, or 0."""
    numbers = board.view(np.uint8)
    source, target = SOURCE[move], TARGET[move]
    mover = board[source]
    lying[target] = lying[source]
    lying[source] = score
    board[target] = mover
    board[source] = card
    around, turn = facing(numbers, source), TURN[source]
    found = leaving(card, around, turn) | coming(card, around, turn)
    legal = legal & KEPT[move] | (found if card else _0)
    around, turn = facing(numbers, target), TURN[target]
    return legal | leaving(mover, around, turn) | coming(mover, around, turn)


@compiled(types.float64(types.uint64[::1], types.uint64[::1], types.int64[::1], types.int64[::1], types.int64, SEARCH))
def play_rounds(
    cells: Any,
    pile: Any,
    scores: Any,
    before: Any,
    seat: Any,
    search: Any,
) -> Any:
    """Plays so many rounds, and gives the lead in points of who is to move in the last one.

    Args:
        cells: the cards on the padded board.
        pile: the cards of the pile.
        scores: of the cards on the board, then those of the pile.
        before: the points of all seats.
        seat: who is to move.
        search: the tree, and how rounds are counted in it.
    """
    seats, size = len(before), len(pile)
    board, lying = cells.copy(), scores[: WIDTH * WIDTH].copy()
    order = np.zeros(size, np.int64)
    points = np.zeros(seats, np.int64)
    moves = np.zeros(_MOST_MOVES, np.int64)
    at_root = np.zeros(_MOST_MOVES, np.int64)
    path = np.zeros((MOST_DEEP, 2), np.int64)
    start = legal_moves(board)
    count_at_root = ordered(start, lying, at_root)
    lead = np.int64(0)
    for _ in range(search.rounds):
        move, child, state = begun(search, at_root, count_at_root)
        for place in range(len(board)):
            board[place] = cells[place]
            lying[place] = scores[place]
        for place in range(size):
            order[place] = place
        state = shuffled(state, order)
        for one in range(seats):
            points[one] = before[one]
        legal, mover, node, deep, drawn = start, seat, 0, 0, 0
        while True:
            is_new = child == 0
            if is_new:
                child = tree.added(search.links, node, move)
            path[deep, 0], path[deep, 1] = child, mover
            deep += 1
            node = child
            points[mover] += lying[TARGET[move]]
            if drawn < size:
                card = order[drawn]
                legal = after(legal, _U(move), pile[card], scores[len(board) + card], board, lying)
                drawn += 1
            else:
                legal = after(legal, _U(move), _0, np.int64(0), board, lying)
            mover = (mover + 1) % seats
            if is_new or not legal:
                break
            if seats > 2 and mover != seat:
                choice = worth_most(legal, lying)
                ways, thrown, count = count_bits(choice), _0, 1
                if ways > _1:
                    state, thrown = below(state, ways)
                moves[0] = np.int64(bit_number(choice, thrown))
            else:
                count = ordered(legal, lying, moves)
            move = moves[tree.choice(search.links, search.sums, node, moves, count, search.exploring, search.nodes_of)]
            child = tree.child_of(search.links, node, move)
        while legal:
            choice = worth_most(legal, lying)
            ways, thrown = count_bits(choice), _0
            if ways > _1:
                state, thrown = below(state, ways)
            taking = bit_number(choice, thrown)
            points[mover] += lying[TARGET[taking]]
            if drawn < size:
                card = order[drawn]
                legal = after(legal, taking, pile[card], scores[len(board) + card], board, lying)
                drawn += 1
            else:
                legal = after(legal, taking, _0, np.int64(0), board, lying)
            mover = (mover + 1) % seats
        count_path(search, path, deep, points)
        lead = ahead_of(points, seat)
    return float(lead)
