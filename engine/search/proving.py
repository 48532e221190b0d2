"""Proofs of perfect-information values of two-player positions: bounds that meet, and the principal variation."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Final, Protocol, TypeVar

import msgspec

from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State

_EVICTION_DIVISOR: Final = 64
"""If a table is too large, this fraction (1/64) of it is evicted at once: more would take longer than a move may."""

STEP: Final = 4
"""The distance from a proved bound to the next one tried: bounds far beyond the value take much longer to test."""

UNBOUNDED: Final = sys.maxsize
"""The bound if nothing is proved: larger than any score."""

_TRIES_BEFORE_DOUBLING: Final = 6
"""The number of tries after which the step doubles each time, because the value may be far away."""


class OutOfTimeError(EngineError):
    """Raised if a search is not finished at its deadline."""


class TooFarError(EngineError):
    """Raised if a position is too far from the end to be solved."""

    def __init__(self) -> None:
        super().__init__(
            "This position is too far from the end to solve: choose a later one with --after, or ask 'ccgrid advise'."
        )


_WALL_SHARE: Final = 1 / 16
"""The weight of real time in a time limit: a search on a busy machine takes at most 16 times its limit."""


def spent_seconds() -> float:
    """Return the time against which limits are measured: processor time of this thread, and a little real time.

    On an idle machine it passes like real time. On a busy one a search still gets most of the processor time that its
    limit allows, so that its result depends less on other programs.
    """
    processor_seconds = getattr(time, "thread_time", time.perf_counter)  # which Python in a browser lacks
    return (1 - _WALL_SHARE) * processor_seconds() + _WALL_SHARE * time.perf_counter()


@dataclass(slots=True)
class Clock:
    """A deadline on `spent_seconds` of the thread that made it, and one in real time; None means no limit."""

    end: float | None = None
    latest: float = inf

    @classmethod
    def of(cls, seconds: float | None, real: float = inf) -> "Clock":
        """Return a clock that ends after this number of seconds, and at the latest after `real` seconds."""
        return cls() if seconds is None else cls(spent_seconds() + seconds, time.perf_counter() + real)

    def check(self) -> None:
        """Raise OutOfTimeError if the deadline has passed."""
        if self.is_over:
            raise OutOfTimeError("time ran out before the proof was complete")

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return self.end is not None and (spent_seconds() >= self.end or time.perf_counter() >= self.latest)

    @property
    def remaining(self) -> float:
        """The remaining seconds; infinite without a deadline."""
        if self.end is None:
            return inf
        return max(min(self.end - spent_seconds(), self.latest - time.perf_counter()), 0.0)

    def part(self, share: float) -> "Clock":
        """Return a clock that ends after this share of the remaining time."""
        return self if self.end is None else Clock(spent_seconds() + share * self.remaining, self.latest)

    def at_least(self, seconds: float) -> "Clock":
        """Return a clock that ends like this one, but not before this number of seconds, unless it is late."""
        return self if self.end is None else Clock(spent_seconds() + max(seconds, self.remaining), self.latest)


NO_CLOCK: Final = Clock()


KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


def evict_oldest(table: dict[KeyT, ValueT], most: int) -> None:
    """Evict the oldest entries of a table that exceeds `most` entries."""
    if len(table) > most:
        # A dictionary keeps the insertion order: the first entries are the oldest.
        for old in list(islice(table, len(table) - most + most // _EVICTION_DIVISOR)):
            del table[old]


class Searcher(Protocol):
    """Searches positions of one deal between two players; results are cached.

    A value is the final score of the player to move minus the opponent's, if both play perfectly.
    """

    @property
    def nodes(self) -> int:
        """The number of positions searched."""

    def reach(self, state: State) -> tuple[int, int]:
        """Return bounds on the value without a search."""

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """Return a lower bound of the value that is at least `bound`, else an upper bound below it.

        Raises:
            OutOfTimeError: If the deadline has passed.
        """


StateT = TypeVar("StateT", bound=State, contravariant=True)


class Solver(Protocol[StateT]):
    """Decides which positions can be solved, and solves them."""

    def refusal(self, state: StateT) -> str:
        """Return why a position cannot be solved, as a sentence that suggests an alternative, or "" if it can."""

    def is_quick(self, state: StateT) -> bool:
        """Return whether a solvable position is solved in a fraction of a second."""

    def searcher(self, state: StateT) -> Searcher:
        """Return a searcher for this position."""


class GameSolver(Solver[StateT], Protocol[StateT]):
    """A solver that is faster than the readable rules: a game's optional part `solver`."""

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that it supports; with any other the readable rules are searched."""


class ProofAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A proof of a position: its value in points for the player to move, and the principal variation.

    Attributes:
        value: The value, or null if it is not known.
        low: The lower bound of the value, or null if there is none.
        high: The upper bound of the value, or null if there is none.
        nodes: The number of positions searched.
    """

    player: str
    value: int | None
    line: list[str]
    low: int | None
    high: int | None
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof of a position: bounds of its value for the player to move, and the principal variation.

    Attributes:
        player: The name of the player to move.
        low: The lower bound of the value, -`UNBOUNDED` if there is none.
        high: The upper bound of the value, `UNBOUNDED` if there is none; it equals `low` if the value is known.
        line: The principal variation to the end of the game, with the alphabetically first of equal moves. Empty if the
            time was not enough.
        nodes: The number of positions searched.
        seconds: The elapsed time.
        interrupted: Whether the user interrupted the search.
    """

    player: str
    low: int
    high: int
    line: tuple[str, ...]
    nodes: int
    seconds: float
    interrupted: bool

    @property
    def value(self) -> int | None:
        """The final score of the player to move minus the opponent's, or None if it is not known."""
        return self.low if self.low == self.high else None

    def answer(self) -> ProofAnswer:
        """Return the proof that `solve --json` prints."""
        return ProofAnswer(
            player=self.player,
            value=self.value,
            line=list(self.line),
            low=self.low if self.low > -UNBOUNDED else None,
            high=self.high if self.high < UNBOUNDED else None,
            nodes=self.nodes,
            seconds=round(self.seconds, 3),
        )


OnProgress = Callable[[int, int], object]
"""Called with both bounds whenever one of them improves."""


def prove(state: State, searcher: Searcher, clock: Clock = NO_CLOCK, tell: OnProgress | None = None) -> Proof:
    """Return value and principal variation, or the bounds proved before an interrupt or the deadline."""
    before, start = searcher.nodes, time.perf_counter()
    bounds = Bounds(*searcher.reach(state), tell)
    line: tuple[str, ...] = ()
    interrupted = False
    try:
        line = best_line(state, bounds.close(state, searcher, clock), searcher, clock)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        interrupted = True
    seconds, nodes = time.perf_counter() - start, searcher.nodes - before
    return Proof(state.players[state.to_move], bounds.low, bounds.high, line, nodes, seconds, interrupted)


@dataclass(slots=True)
class Bounds:
    """The proved bounds of a value: at least `low` and at most `high`."""

    low: int
    high: int
    tell: OnProgress | None = None

    def close(self, state: State, searcher: Searcher, clock: Clock) -> int:
        """Search until the bounds meet, and return the value.

        Raises:
            OutOfTimeError: If the deadline passes first; the bounds keep what was proved.
        """
        # The first bound tried is the current lead.
        bound, step, passes = lead_over_opponent(state, state.to_move), STEP, 0
        while self.low < self.high:
            clock.check()
            # A search tells on which side of `bound` the value is. Next, try a bound one step beyond the result,
            # because most results are near the value; after many tries steps double, and close bounds are bisected.
            bound = min(max(bound, self.low + 1), self.high)
            found = searcher.search(state, bound, clock)
            if found < bound:
                self.high, bound = found, found - step + 1
            else:
                self.low, bound = found, found + step
            passes += 1
            if passes > _TRIES_BEFORE_DOUBLING:
                step *= 2
            # Close bounds are bisected: a step from one of them could exceed the other.
            if self.high - self.low < 2 * step:
                bound = (self.low + self.high) // 2
            if self.tell is not None:
                self.tell(self.low, self.high)
        return self.low


def move_values(state: State, searcher: Searcher, clock: Clock = NO_CLOCK) -> dict[str, int]:
    """Return the perfect-information value of every legal move for the player who makes it; raise OutOfTimeError."""
    values = {}
    for move in state.legal_moves():
        after = state.play_unchecked(move)
        # `value` is for the player to move after the move, who may be the opponent.
        value = Bounds(*searcher.reach(after)).close(after, searcher, clock)
        values[move] = value if after.to_move == state.to_move else -value
    return values


def best_line(state: State, value: int, searcher: Searcher, clock: Clock = NO_CLOCK) -> tuple[str, ...]:
    """Return the principal variation of a position with this value; among equal moves, the alphabetically first."""
    line = []
    while state.legal_moves():
        move, after = first_best(state, value, searcher, clock)
        line.append(move)
        state, value = after, value if after.to_move == state.to_move else -value
    return tuple(line)


def first_best(state: State, value: int, searcher: Searcher, clock: Clock = NO_CLOCK) -> tuple[str, State]:
    """Return the alphabetically first move that achieves the position's value, and the position after it."""
    moves = state.legal_moves()
    for move in moves:
        clock.check()
        after = state.play_unchecked(move)
        # The last move needs no search: some move achieves the value.
        if move == moves[-1] or reaches(after, value, searcher, clock, stays=after.to_move == state.to_move):
            break  # if no other move reaches the value, the last one must
    return move, after


def reaches(after: State, value: int, searcher: Searcher, clock: Clock, *, stays: bool) -> bool:
    """Return whether a position is worth at least `value` to the player who just moved.

    `stays` is true if the same seat moves again.
    """
    low, high = searcher.reach(after)
    if stays:
        return low >= value or (high >= value and searcher.search(after, value, clock) >= value)
    # Values are integers: the opponent's value is at most -value if it does not reach 1 - value.
    bound = 1 - value
    return high < bound or (low < bound and searcher.search(after, bound, clock) < bound)


def lead_over_opponent(state: State, seat: int) -> int:
    """Return the points of one of two seats minus the other's."""
    scores = state.scores()
    # own - other = 2 * own - (own + other)
    return 2 * scores[seat] - sum(scores)
