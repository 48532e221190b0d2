"""What many games are given and give, in columns: where their dice begin, and how they end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.many.tally import Tally

Thing = TypeVar("Thing")

Column = Sequence[int]
"""A number for each game of a batch, in the order of the games' numbers."""


@dataclass(frozen=True, slots=True)
class Deals:
    """Where the dice of some games begin, in columns of seeds, and who starts: the games of matches, and others.

    Attributes:
        drawing: the seed of the dice that draw each game's decks.
        dealing: of the dice that deal; where there are none, the same dice go on.
        playing: of the dice that are thrown for moves; where there are none, the same dice go on.
        first: the seat that starts; where there are none, the dice or the rules decide.
        turn: by how many seats the players have moved on, leaving their decks where they were.
    """

    drawing: Column
    dealing: Column = ()
    playing: Column = ()
    first: Column = ()
    turn: int = 0

    def seated(self, things: Sequence[Thing]) -> tuple[Thing, ...]:
        """What belongs to the players of a lineup, their names or policies, in the order in which they sit now."""
        return (*things[self.turn :], *things[: self.turn])


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

    def rows(self) -> list[tuple[int, ...]]:
        """Each game's scores, one for each seat."""
        return list(zip(*self.scores, strict=True))

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
