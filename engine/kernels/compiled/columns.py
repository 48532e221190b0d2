"""Columns that compiled loops fill, and how they become a batch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from engine.kernels.batch import Batch
from engine.tally import Lineup, Tally

POLICIES: Final = ("random", "greedy")
"""The players that compiled loops play like, by their places."""


def can_play(lineup: Lineup, game: str, player_counts: Sequence[int]) -> bool:
    """Whether it is this game, of so many players, of whom all are such as compiled loops play like."""
    counted = len(lineup.policies) in player_counts
    return lineup.game == game and counted and all(name in POLICIES for name in lineup.policies)


def policies(lineup: Lineup) -> Any:
    """For each seat the place of its policy in `POLICIES`."""
    return np.array([POLICIES.index(name) for name in lineup.policies], np.uint8)


@dataclass(frozen=True, slots=True)
class Arrays(Batch):
    """A batch whose columns are arrays of NumPy."""

    def tally(self) -> Tally:
        """What is counted over these games."""
        scores = np.array(self.scores)
        leads = scores == scores.max(axis=0)
        is_won = leads.sum(axis=0) == 1
        return Tally(
            len(scores),
            games=len(self.numbers),
            moves=int(np.sum(self.plies, dtype=np.int64)),
            draws=int(np.sum(~is_won)),
            first_player_wins=int(np.sum(is_won & (leads.argmax(axis=0) == self.first))),
            wins=(leads & is_won).sum(axis=1).tolist(),
            shared=(leads & ~is_won).sum(axis=1).tolist(),
            points=scores.sum(axis=1, dtype=np.int64).tolist(),
        )


@dataclass(slots=True)
class Columns:
    """Room for so many games of so many seats, with so many moves at most, numbers of this kind, or none."""

    games: int
    seats: int
    longest: int
    kind: Any = np.uint16
    first: Any = field(init=False)
    plies: Any = field(init=False)
    scores: Any = field(init=False)
    endings: Any = field(init=False)
    moves: Any = field(init=False)

    def __post_init__(self) -> None:
        self.first = np.zeros(self.games, np.uint8)
        self.plies = np.zeros(self.games, np.uint16)
        self.scores = np.zeros((self.seats, self.games), np.int32)
        self.endings = np.zeros(self.games, np.uint8)
        self.moves = np.zeros((self.games if self.longest else 0, self.longest), self.kind)

    def batch(self, numbers: range, codes: Sequence[str], name: Callable[[int, int], str] | None = None) -> Batch:
        """The batch; `name` gives a move's text from the place of its game and the number the loop gave it."""
        moves = name and [
            tuple([name(game, move) for move in row[:plies]])
            for game, (row, plies) in enumerate(zip(self.moves.tolist(), self.plies.tolist(), strict=True))
        ]
        return Arrays(numbers, self.first, self.plies, tuple(self.scores), self.endings, tuple(codes), moves)
