"""The moves of the matrix game as functions on boards, by the card that makes them and the number in the centre."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from engine.games.matrix.cards import CENTRE, KINDS, MOVES_BY_CENTRE, Numbers, arranged

Hand = tuple[str, ...]
"""The kinds of cards in a hand, sorted."""


class Move(NamedTuple):
    """A move: as records write it, the card that makes it, and what it does to a board."""

    name: str
    kind: str
    arrange: Callable[[Numbers], Numbers]


MoveTable = Mapping[str, Sequence[Sequence[Move]]]
"""By the kind of card, and the number in the centre."""


@cache
def move_table(rotate: str) -> MoveTable:
    """The moves of a game in which the rotate cards turn so far."""
    return {
        kind: tuple(
            tuple(Move(name, kind, partial(_arranged, name, rotate)) for name in names)
            for names in MOVES_BY_CENTRE[kind]
        )
        for kind in KINDS
    }


def _arranged(name: str, rotate: str, board: Numbers) -> Numbers:
    return arranged(board, name, rotate)


def played(board: Numbers, hand: Hand, table: MoveTable) -> dict[tuple[Numbers, Hand], Move]:
    """Every board and hand that a legal move leads to, each with the first move that does."""
    centre = board[CENTRE]
    found: dict[tuple[Numbers, Hand], Move] = {}
    before = None
    for place, kind in enumerate(hand):
        if kind != before:
            rest = hand[:place] + hand[place + 1 :]
            for move in table[kind][centre]:
                found.setdefault((move.arrange(board), rest), move)
        before = kind
    return found


def lead(board: Numbers) -> int:
    """What south, the first seat of two, is ahead."""
    return board[6] + board[7] + board[8] - board[0] - board[1] - board[2]
