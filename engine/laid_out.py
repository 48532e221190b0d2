"""What a game owes whose cards are read off a picture of the table, its part `laid_out`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalog.card import Card
from engine.game import Setup


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A game in which cards lie in rows before the first move.

    Attributes:
        cells: where, row by row.
        setup: what is known when these cards lie there: the players, the seat that is to move, a card for each cell.
    """

    cells: Sequence[str]
    setup: Callable[[tuple[str, ...], int, tuple[Card, ...]], Setup]
