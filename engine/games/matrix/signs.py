"""What moves of matrix tell: who holds a better card than the one played would have played it, or does not play so."""

from typing import Final, NamedTuple

from engine.games.matrix.cards import CENTRE, KIND_OF, KINDS, MOVES_BY_CENTRE
from engine.games.matrix.heuristic import LAST_ROUNDS, looks
from engine.games.matrix.state import MatrixState

Signs = tuple[tuple[int, ...], ...]
"""For each seat, and each of the kinds of cards, how many of its moves speak against its holding one."""

NO_SIGNS: Final = (0,) * len(KINDS)


class Habits(NamedTuple):
    """What the moves of the others among three or four tell, each by its seat.

    Attributes:
        signs: what speaks against whom holding what; nothing of those who mostly slip.
        slipped: so many of its moves no greedy player would have made, who held the cards that it played later.
        judged: of so many of which that can be told.
    """

    signs: Signs
    slipped: tuple[int, ...]
    judged: tuple[int, ...]


def habits(view: MatrixState) -> Habits:
    """What moves tell of the hands of the others, as if they were greedy, and whether they play so.

    A move speaks against a kind where one with a card of it would have looked better. The last rounds, which greedy
    players try out, tell nothing but which cards were held before.
    """
    seats, rotate = len(view.hands), view.setup.rotate
    against = [list(NO_SIGNS) for _ in range(seats)]
    slipped, judged = [0] * seats, [0] * seats
    held: list[set[int]] = [set() for _ in range(seats)]
    left = [len(hand) for hand in view.hands]
    for seat, board, move in reversed(view.past):
        left[seat] += 1
        if seat == view.to_move:
            continue
        if left[seat] > LAST_ROUNDS:
            value = looks(board, move, rotate, left[seat], seat, seats)
            better = {
                number
                for number, kind in enumerate(KINDS)
                if any(
                    looks(board, other, rotate, left[seat], seat, seats) > value
                    for other in MOVES_BY_CENTRE[kind][board[CENTRE]]
                )
            }
            for number in better:
                against[seat][number] += 1
            judged[seat] += bool(held[seat])
            slipped[seat] += not better.isdisjoint(held[seat])
        held[seat].add(KINDS.index(KIND_OF[move]))
    signs = [
        tuple(found) if 2 * slips <= moves else NO_SIGNS
        for found, slips, moves in zip(against, slipped, judged, strict=True)
    ]
    return Habits(tuple(signs), tuple(slipped), tuple(judged))
