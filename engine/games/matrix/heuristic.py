"""How good moves of the matrix game look at once."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from ccgrid.engine.board import AROUND_THE_TABLE
from ccgrid.engine.dice import Dice
from ccgrid.engine.games.matrix.cards import CENTRE, Numbers, board_after
from ccgrid.engine.games.matrix.state import MatrixState, board_scores, moves_of

KEEPING: Final = 3
BEHIND: Final = 3
LOWEST: Final = 2
"""What it is worth to keep a strong card, how far one may be behind, and, among more than two, to be lowest."""

WORTH: Final = {
    side: {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3, **dict.fromkeys(shifts, 6)}
    for side, shifts in {
        "south": ("shift-north", "shift-south"),
        "west": ("shift-west", "shift-east"),
        "north": ("shift-north", "shift-south"),
        "east": ("shift-west", "shift-east"),
    }.items()
}
"""The lead in points that one card of a kind gives a seat at the end, about; the other kinds give none on average."""

# Hands of `LAST_ROUNDS` cards at most: the cache stays small.
_moves_of: Final = cache(moves_of)
"""Of small hands, of which there are few."""

LAST_ROUNDS: Final = 2
"""The last rounds, with three or four players, in which the rest of the game is tried out."""
TRIES: Final = 24
WIN: Final = 12
"""A game that is won, so that what two, three or four share is a whole number."""


def heuristic(state: MatrixState, move: str) -> float:
    """Weak cards first and a rank just behind, the lowest of all; at the end what the last board is likely to be worth.

    Only the last board counts, and the lowest score has the last word on it. Between two players the last card is worth
    its lead; with more, who hold cards that nobody sees, the last rounds are tried out with hands that may be.
    """
    return heuristic_with_dice(state, move, 0)


def heuristic_with_dice(state: MatrixState, move: str, other: int) -> float:
    """The heuristic with other dice to try the last rounds out with, as a number from 0 to 2^64 - 1; its own are 0."""
    seat, players = state.to_move, len(state.hands)
    left = len(state.hands[seat])
    if players > 2 and left <= LAST_ROUNDS:
        scores = board_scores(board_after(state.board, move, state.setup.rotate), players)
        # Of equal shares the higher lead now is better; it is too small to outweigh a share.
        return _share(state, move, other) + (scores[seat] - max(scores[:seat] + scores[seat + 1 :])) / 1000
    return plain_value(state.board, move, state.setup.rotate, left, seat, players)


def plain_value(board: Numbers, move: str, rotate: str, left: int, seat: int, players: int) -> float:
    """How good a move looks to a seat with `left` cards that does not try out the rest of the game."""
    scores = board_scores(board_after(board, move, rotate), players)
    lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
    if left == 1:
        # The last card: nothing is kept any more.
        return lead
    worth = WORTH[AROUND_THE_TABLE[players][seat]].get(move.partition(" ")[0], 0)
    if players == 2:
        # Best is exactly `BEHIND` points behind.
        return -abs(lead + BEHIND) - KEEPING * worth
    above = scores[seat] - min(scores[:seat] + scores[seat + 1 :])
    # To be above the lowest of the others costs, and so does being further behind the best than `BEHIND`.
    return -LOWEST * max(above, 0) - max(-lead - BEHIND, 0) - KEEPING * worth


def _share(state: MatrixState, move: str, other: int) -> float:
    """The share of the game that the seat wins by this move when the others play any cards that they may hold.

    All moves in one position are tried with the same hands and the same dice, those of each try by themselves, which
    the position and the number of other dice decide alone.
    """
    seat = state.to_move
    (hidden,) = state.unseen(seat) or (None,)
    cards = hidden.cards if hidden is not None and hidden.cards is not None else ()
    # The digits of the board, the seat and the number of hidden cards in one row: `core.seed_of` makes the same number.
    seeds = Dice(int("".join(map(str, (*state.board, seat, len(cards))))) ^ other)
    total = 0
    for number in range(TRIES):
        dice = seeds.fork(number)
        # Dealt to the others in seat order, as many as each holds; what is left lies in the box.
        drawn = [cards[place] for place in dice.permutation(len(cards))]
        hands = []
        for one, hand in enumerate(state.hands):
            hands.append(hand if one == seat else tuple(drawn[: len(hand)]))
            if one != seat:
                del drawn[: len(hand)]
        total += _playout_share(state, move, hands, dice)
    return total / (WIN * TRIES)


def _playout_share(state: MatrixState, move: str, hands: list[tuple[str | None, ...]], dice: Dice) -> int:
    """The seat's share of a game that is played on to its end: it plays its last card well, and the others any."""
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
    """The first that leads furthest."""
    found, most = "", -math.inf
    for move in moves:
        scores = board_scores(board_after(board, move, rotate), players)
        lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
        if lead > most:
            found, most = move, lead
    return found
