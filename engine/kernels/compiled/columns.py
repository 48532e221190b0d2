"""Columns that compiled loops fill, and how they become a batch."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np

from engine.dice import ALL
from engine.kernels.batch import Batch, Deals
from engine.kernels.compiled.compiler import bundle
from engine.kernels.compiled.throwing import fork_seeds
from engine.tally import Lineup, Tally

Value = TypeVar("Value")

_MOST_KEPT: Final = 8

POLICIES: Final = ("random", "greedy")
"""The players that compiled loops play like, by their places."""


def can_play(lineup: Lineup, game: str, player_counts: Sequence[int]) -> bool:
    """Whether it is this game, of so many players, of whom all are such as compiled loops play like."""
    counted = len(lineup.policies) in player_counts
    return lineup.game == game and counted and all(name in POLICIES for name in lineup.policies)


class Kept(Generic[Value]):
    """What was made of the cards that were played with last; several threads may ask for it."""

    def __init__(self) -> None:
        self._entries: tuple[tuple[object, Value], ...] = ()

    def of(self, key: object, make: Callable[[], Value]) -> Value:
        """What was made of this very object, or is made now."""
        for one, value in self._entries:
            if one is key:
                return value
        value = make()
        self._entries = ((key, value), *self._entries[: _MOST_KEPT - 1])
        return value


def policies(lineup: Lineup, deals: Deals) -> Any:
    """For each seat the place of its policy in `POLICIES`."""
    return np.array([POLICIES.index(name) for name in deals.seated(lineup.policies)], np.uint8)


def dealt_alone(lineup: Lineup, numbers: range) -> Deals:
    """The dice of games with these numbers, each of which stands alone."""
    return Deals(fork_seeds(lineup.seed & ALL, numbers.start, len(numbers)))


class Filled(NamedTuple):
    """The columns that a loop fills: who started, how many moves there were, each seat's points, how it ended."""

    first: Any
    plies: Any
    scores: Any
    endings: Any


FILLED: Final = bundle(Filled, "uint8[::1]", "uint16[::1]", "int32[:, ::1]", "uint8[::1]")


class DealArrays(NamedTuple):
    """The columns of `Deals` as loops take them; those that there are not have no entries."""

    drawing: Any
    dealing: Any
    playing: Any
    first: Any


DEALS: Final = bundle(DealArrays, "uint64[::1]", "uint64[::1]", "uint64[::1]", "uint8[::1]")


def deal_arrays(deals: Deals) -> DealArrays:
    """The columns as arrays."""
    drawing, dealing, playing = (
        np.asarray(column, np.uint64) for column in (deals.drawing, deals.dealing, deals.playing)
    )
    return DealArrays(drawing, dealing, playing, np.asarray(deals.first, np.uint8))


@dataclass(frozen=True, slots=True)
class Arrays(Batch):
    """A batch whose columns are arrays of NumPy."""

    def rows(self) -> list[tuple[int, ...]]:
        """Each game's scores, one for each seat."""
        return list(zip(*(column.tolist() for column in np.array(self.scores)), strict=True))

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

    @property
    def filled(self) -> Filled:
        """What a loop fills, but for the moves."""
        return Filled(self.first, self.plies, self.scores, self.endings)

    def batch(self, numbers: range, codes: Sequence[str], name: Callable[[int, int], str] | None = None) -> Batch:
        """The batch; `name` gives a move's text from the place of its game and the number the loop gave it."""
        moves = name and [
            tuple([name(game, move) for move in row[:plies]])
            for game, (row, plies) in enumerate(zip(self.moves.tolist(), self.plies.tolist(), strict=True))
        ]
        return Arrays(numbers, self.first, self.plies, tuple(self.scores), self.endings, tuple(codes), moves)
