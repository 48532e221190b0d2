"""What kernels give: the ends of many games in columns; and what a kernel owes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.tally import Lineup, Tally

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

    def tally(self) -> Tally:
        """What is counted over these games."""
        seats = range(len(self.scores))
        tally = Tally(len(seats), games=len(self.numbers), moves=sum(self.plies))
        tally.points = [sum(column) for column in self.scores]
        for first, scores in zip(self.first, zip(*self.scores, strict=True), strict=True):
            best = max(scores)
            if scores.count(best) == 1:
                winner = scores.index(best)
                tally.wins[winner] += 1
                tally.first_player_wins += winner == first
            else:
                tally.draws += 1
                for seat in seats:
                    tally.shared[seat] += scores[seat] == best
        return tally


class Kernel(Protocol):
    """Plays lineups of one game."""

    @property
    def games_at_once(self) -> int:
        """So many games it plays in a fraction of a second."""

    @property
    def is_compiled(self) -> bool:
        """Whether several threads play at the same time."""

    def fits(self, lineup: Lineup) -> bool:
        """Whether it plays this lineup: the game, the policies of all seats, and the options."""

    def run(self, lineup: Lineup, numbers: range, *, keep_moves: bool = False) -> Batch:
        """Plays the games with these numbers, as the readable rules would.

        Raises:
            EngineError: a deck or the number of players is not as it must be.
        """
