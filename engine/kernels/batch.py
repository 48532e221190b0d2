"""What kernels give: the ends of many games in columns; and what a kernel owes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.simulation import Lineup

Column = Sequence[int]
"""A number for each game of a batch, in the order of the games' numbers."""


@dataclass(frozen=True, slots=True)
class Batch:
    """How a range of games went, in columns; seats are counted from 0.

    Attributes:
        numbers: the games' numbers.
        first: the seat that made the first move.
        plies: how many moves there were.
        scores: for each seat a column with its score, in points.
        endings: why the game was over, as a place in `codes`.
        codes: the codes of the endings of this game.
        moves: every game's moves as records write them, if they were wanted.
    """

    numbers: range
    first: Column
    plies: Column
    scores: tuple[Column, ...]
    endings: Column
    codes: tuple[str, ...]
    moves: Sequence[tuple[str, ...]] | None = None


class Kernel(Protocol):
    """Plays lineups of one game."""

    def fits(self, lineup: "Lineup") -> bool:
        """Whether it plays this lineup: the game, the policies of all seats, and the options."""

    def run(self, lineup: "Lineup", numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers, as `engine.simulation` would.

        Raises:
            EngineError: a deck or the number of players is not as it must be.
        """
