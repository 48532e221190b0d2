"""What moves of matrix tell of the cards in a hand: who holds a better one than the one played would have played it."""

from typing import Final

from engine.games.matrix.cards import CENTRE, KINDS, MOVES_BY_CENTRE
from engine.games.matrix.heuristic import LAST_ROUNDS, looks
from engine.games.matrix.state import MatrixState

Signs = tuple[tuple[int, ...], ...]
"""For each seat, and each of the kinds of cards, how many of its moves speak against its holding one."""

NO_SIGNS: Final = (0,) * len(KINDS)


def signs(view: MatrixState) -> Signs:
    """What the moves of the others among three or four tell, as if they were greedy.

    A move speaks against a kind where one with a card of it would have looked better. The last rounds, which greedy
    players try out, tell nothing.
    """
    seats, rotate = len(view.hands), view.setup.rotate
    against = [list(NO_SIGNS) for _ in range(seats)]
    left = [len(hand) for hand in view.hands]
    for seat, board, move in reversed(view.past):
        left[seat] += 1
        if seat == view.to_move or left[seat] <= LAST_ROUNDS:
            continue
        value = looks(board, move, rotate, left[seat], seat, seats)
        for number, kind in enumerate(KINDS):
            others = MOVES_BY_CENTRE[kind][board[CENTRE]]
            against[seat][number] += any(
                looks(board, other, rotate, left[seat], seat, seats) > value for other in others
            )
    return tuple(map(tuple, against))
