"""The heuristic of the matrix game."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.matrix.cards import CENTRE, Numbers, board_after
from ccgrid.engine.games.matrix.rules import MatrixState, board_scores, moves_of

KEEPING: Final = 3
BEHIND: Final = 3
LOWEST: Final = 2
"""The values of keeping a strong card, of each point behind, and of having the lowest of more than two scores."""

WORTH: Final = {
    side: {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3, **dict.fromkeys(shifts, 6)}
    for side, shifts in {
        "south": ("shift-north", "shift-south"),
        "west": ("shift-west", "shift-east"),
        "north": ("shift-north", "shift-south"),
        "east": ("shift-west", "shift-east"),
    }.items()
}
"""The approximate lead in points that a card of each kind gives a seat at the end; other kinds give none on average."""

# Hands of at most `LAST_ROUNDS` cards: the cache stays small.
_moves_of: Final = cache(moves_of)
"""The cache of small hands, of which there are few."""

LAST_ROUNDS: Final = 2
"""The last rounds, with three or four players, that are evaluated by playouts."""
TRIES: Final = 24
WIN: Final = 12
"""The value of a won game, chosen so that shares of two, three or four players are integers."""


def heuristic(state: MatrixState, move: str) -> float:
    """Return a move's heuristic value.

    Before the last rounds prefer weak cards and a low score, because only the last board counts, and the lowest score
    moves last; in the last round of two players it is the lead. With more players, the last rounds are evaluated by
    playouts with possible hands.
    """
    return heuristic_with_dice(state, move, 0)


def heuristic_with_dice(state: MatrixState, move: str, other: int) -> float:
    """Return the heuristic value with another generator for playouts, a number from 0 to 2^64 - 1; 0 is its own."""
    seat, players = state.to_move, len(state.hands)
    left = len(state.hands[seat])
    if players > 2 and left <= LAST_ROUNDS:
        scores = board_scores(board_after(state.board, move, state.setup.rotate), players)
        # Equal shares are ordered by the current lead, which is too small to outweigh a share.
        return _share(state, move, other) + (scores[seat] - max(scores[:seat] + scores[seat + 1 :])) / 1000
    return plain_value(state.board, move, state.setup.rotate, left, seat, players)


def plain_value(board: Numbers, move: str, rotate: str, left: int, seat: int, players: int) -> float:
    """Return a move's value for a seat with `left` cards, without playouts."""
    scores = board_scores(board_after(board, move, rotate), players)
    lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
    if left == 1:
        # The last card: no card is kept.
        return lead
    worth = WORTH[AROUND_THE_TABLE[players][seat]].get(move.partition(" ")[0], 0)
    if players == 2:
        # The best distance is exactly `BEHIND` points.
        return -abs(lead + BEHIND) - KEEPING * worth
    above = scores[seat] - min(scores[:seat] + scores[seat + 1 :])
    # A penalty for not having the lowest score, and for being further behind than `BEHIND`.
    return -LOWEST * max(above, 0) - max(-lead - BEHIND, 0) - KEEPING * worth


def _share(state: MatrixState, move: str, other: int) -> float:
    """Return the seat's share of wins after a move if the others play any cards that they may hold.

    All moves of a position are evaluated with the same hands and random numbers, which only the position and the number
    of the generator determine.
    """
    seat = state.to_move
    (hidden,) = state.unseen(seat) or (None,)
    cards = hidden.cards if hidden is not None and hidden.cards is not None else ()
    # The digits of the board, the seat and the number of hidden cards in sequence: the same number as `core.seed_of`.
    seeds = Dice(int("".join(map(str, (*state.board, seat, len(cards))))) ^ other)
    total = 0
    for number in range(TRIES):
        dice = seeds.fork(number)
        # Dealt to the others in seat order; the remaining cards are in the box.
        drawn = [cards[place] for place in dice.permutation(len(cards))]
        hands = []
        for one, hand in enumerate(state.hands):
            hands.append(hand if one == seat else tuple(drawn[: len(hand)]))
            if one != seat:
                del drawn[: len(hand)]
        total += _playout_share(state, move, hands, dice)
    return total / (WIN * TRIES)


def _playout_share(state: MatrixState, move: str, hands: list[tuple[str | None, ...]], dice: Dice) -> int:
    """Return the seat's share of a game that is played out: it plays its last card well, and the others randomly."""
    seat, players = state.to_move, len(hands)
    state = replace(state, hands=tuple(hands), past=()).play_unchecked(move)
    while any(state.hands):
        mover, board = state.to_move, state.board
        moves = _moves_of(state.hands[mover], board[CENTRE])
        move = _best(board, moves, seat, state.setup.rotate, players) if mover == seat else dice.choose(moves)
        state = state.play_unchecked(move)
    scores = state.scores()
    best = max(scores)
    return WIN // scores.count(best) if scores[seat] == best else 0


def _best(board: Numbers, moves: Sequence[str], seat: int, rotate: str, players: int) -> str:
    """Return the first of the moves with the highest lead."""
    found, most = "", -math.inf
    for move in moves:
        scores = board_scores(board_after(board, move, rotate), players)
        lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
        if lead > most:
            found, most = move, lead
    return found
