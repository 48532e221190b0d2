"""Proofs of what a position of two players is worth with everything known: bounds that meet, and the best line.

Any game of two is solved by its readable rules, as far from the end as there is time for: alpha-beta over `State`.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol, TypedDict

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.worlds import Pool, sample_world

_GIVEN_UP: Final = 64
"""Where too many positions are kept, this part of them is given up at once: more would take longer than a move may."""

STEP: Final = 4
"""So far beyond a bound that was proved the next one is tried: one that is far beyond the value takes much longer."""

UNBOUNDED: Final = sys.maxsize
"""Stands for a bound where nothing is proved: no game has so many points."""

_STEPS: Final = 6
"""After so many tries each is twice as far as the one before: the value may be a long way off."""


class OutOfTimeError(EngineError):
    """A search was not done when its time was over."""


@dataclass(slots=True)
class Clock:
    """When a search has to end, in seconds of `time.perf_counter`; never where `end` is None."""

    end: float | None = None

    @classmethod
    def of(cls, seconds: float | None) -> "Clock":
        """A clock that ends so many seconds from now."""
        return cls(None if seconds is None else time.perf_counter() + seconds)

    def check(self) -> None:
        """Raises OutOfTimeError once the time is over."""
        if self.is_over:
            raise OutOfTimeError("time ran out before the proof was complete")

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self.end is not None and time.perf_counter() >= self.end

    def part(self, share: float) -> "Clock":
        """A clock that ends after this share of the time that is left."""
        if self.end is None:
            return self
        now = time.perf_counter()
        return Clock(now + share * max(self.end - now, 0.0))


NO_CLOCK: Final = Clock()


def make_room(table: dict[Any, Any], most: int) -> None:
    """Gives up the oldest of what is kept where that is more than `most`."""
    if len(table) > most:
        # A dictionary keeps its order: the first ones were put in first.
        for old in list(islice(table, len(table) - most + most // _GIVEN_UP)):
            del table[old]


class Searcher(Protocol):
    """Searches below positions of one deal between two players; what it found it keeps, as far as there is room.

    A value is the final score of who is to move less that of the other, when both play best from there on.
    """

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""

    def reach(self, state: Any) -> tuple[int, int]:
        """The least and the most that the value can be, without any search."""

    def search(self, state: Any, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed.

        Raises:
            OutOfTimeError: the clock ended.
        """


class Solver(Protocol):
    """What says which positions are solved, and solves them."""

    def refusal(self, state: Any) -> str:
        """Why this position is not solved, in a sentence with what to do; empty where it is."""

    def is_quick(self, state: Any) -> bool:
        """Whether a position that is solved is solved in a fraction of a second."""

    def searcher(self, state: Any) -> Searcher:
        """What searches below this position."""


class GameSolver(Solver, Protocol):
    """What a game may hand out to be solved faster than by its readable rules, its part `solver`."""

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options that it knows: with any other its readable rules are searched."""


class ProofJson(TypedDict):
    """What was proved of a position: its value in points for who is to move, and the best line.

    Attributes:
        value: null while it is not known.
        low: the value is at least so much; null where nothing is proved.
        high: it is at most so much; null where nothing is proved.
        nodes: how many positions were looked at.
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
    """What was proved of a position: between which values it is worth to who is to move, and the best line.

    Attributes:
        player: who is to move.
        low, high: the value is at least and at most so much; they are equal where it is known, and `UNBOUNDED` away
            where nothing is proved.
        line: moves that both play best, to the end of the game; of equal ones the first by the alphabet. Empty if
            there was no time to find them.
        nodes: how many positions were looked at.
        seconds: the time it took on the clock.
        interrupted: whether somebody ended it before its time.
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
        """The final score of who is to move less that of the other; `None` while it is not known."""
        return self.low if self.low == self.high else None

    def to_dict(self) -> ProofJson:
        """The proof as scripts see it: `solve --json`."""
        return {
            "player": self.player,
            "value": self.value,
            "line": list(self.line),
            "low": self.low if self.low > -UNBOUNDED else None,
            "high": self.high if self.high < UNBOUNDED else None,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }


OnProgress = Callable[[int, int], object]
"""Is told the bounds whenever one of them is proved anew."""


def prove(state: State, searcher: Searcher, clock: Clock = NO_CLOCK, tell: OnProgress | None = None) -> Proof:
    """The value and the best line, or the bounds that were proved until somebody interrupted or the time was over."""
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
    """What is proved of a value: that it is at least `low` and at most `high`."""

    low: int
    high: int
    tell: OnProgress | None = None

    def close(self, state: State, searcher: Searcher, clock: Clock) -> int:
        """Searches until the bounds meet, and gives the value; raises OutOfTimeError, and keeps what was proved."""
        # The first bound is the lead as it stands.
        bound, step, passes = lead_of(state, state.to_move), STEP, 0
        while self.low < self.high:
            clock.check()
            # A search says on which side of `bound` the value is. The next bound is a step beyond the answer, since
            # most answers are near the value; steps double when they are many, and bounds near each other are halved.
            bound = min(max(bound, self.low + 1), self.high)
            found = searcher.search(state, bound, clock)
            if found < bound:
                self.high, bound = found, found - step + 1
            else:
                self.low, bound = found, found + step
            passes += 1
            if passes > _STEPS:
                step *= 2
            # Bounds so near each other are halved: a step from one could go beyond the other.
            if self.high - self.low < 2 * step:
                bound = (self.low + self.high) // 2
            if self.tell is not None:
                self.tell(self.low, self.high)
        return self.low


def move_values(state: State, searcher: Searcher, clock: Clock = NO_CLOCK) -> dict[str, int]:
    """What every legal move is worth to who makes it, when both play best after it; raises OutOfTimeError."""
    values = {}
    for move in state.legal_moves():
        after = state.play_unchecked(move)
        # `value` is for who is to move there, which may be the other one.
        value = Bounds(*searcher.reach(after)).close(after, searcher, clock)
        values[move] = value if after.to_move == state.to_move else -value
    return values


def best_line(state: State, value: int, searcher: Searcher, clock: Clock = NO_CLOCK) -> tuple[str, ...]:
    """Moves by which both get this value, which is the position's; of equal moves the first by the alphabet."""
    line = []
    while state.legal_moves():
        move, after = first_best(state, value, searcher, clock)
        line.append(move)
        state, value = after, value if after.to_move == state.to_move else -value
    return tuple(line)


def first_best(state: State, value: int, searcher: Searcher, clock: Clock = NO_CLOCK) -> tuple[str, State]:
    """The first move by the alphabet that gets this value, which is the position's, and the position after it."""
    moves = state.legal_moves()
    for move in moves:
        clock.check()
        after = state.play_unchecked(move)
        # The last one needs no search: some move gets the value, and no other did.
        if move == moves[-1] or reaches(after, value, searcher, clock, stays=after.to_move == state.to_move):
            break  # where no other does, the last one gets it
    return move, after


def reaches(after: State, value: int, searcher: Searcher, clock: Clock, *, stays: bool) -> bool:
    """Whether a position is worth at least this value to who moved there; `stays` where the same seat moves on."""
    low, high = searcher.reach(after)
    if stays:
        return low >= value or (high >= value and searcher.search(after, value, clock) >= value)
    # Whole points: the other's value is at most -value where it does not reach 1 - value.
    bound = 1 - value
    return high < bound or (low < bound and searcher.search(after, bound, clock) < bound)


def lead_of(state: State, seat: int) -> int:
    """The points of one of two seats less those of the other."""
    scores = state.scores()
    # own - other = 2 * own - (own + other)
    return 2 * scores[seat] - sum(scores)


MOST_KEPT: Final = 1 << 18
"""So many positions are remembered at most; the oldest make room for others."""

MOST_NODES: Final = 200_000
"""After so many positions in one search, about half a minute, a position counts as too far from the end."""

QUICK_NODES: Final = 500
"""A position below which there are no more than these is solved in a moment."""

_DEEPEST: Final = 300
"""So many moves may follow at most: Python's own stack ends somewhere beyond."""


class TooFarError(EngineError):
    """A position that is too far from the end to be solved."""


class StateSearcher:
    """Searches below positions of one deal; what it proved of a position it remembers."""

    def __init__(self, game: str, most_nodes: int = MOST_NODES) -> None:
        self.nodes = 0
        self._heuristic = find_game(game).heuristic
        self._most_nodes = self._last = most_nodes
        self._proved: dict[State, tuple[int, int]] = {}

    def reach(self, state: State) -> tuple[int, int]:
        """Nothing is known of the value before the end."""
        if state.ending() is None:
            return -UNBOUNDED, UNBOUNDED
        lead = lead_of(state, state.to_move)
        return lead, lead

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed.

        Raises:
            OutOfTimeError: the clock ended.
            TooFarError: there are more positions than can be looked at.
        """
        self._last = self.nodes + self._most_nodes
        return self._search(state, bound, clock, 0)

    def _search(self, state: State, bound: int, clock: Clock, depth: int) -> int:
        self.nodes += 1
        if self.nodes % 64 == 0:
            clock.check()
            make_room(self._proved, MOST_KEPT)
        moves = state.legal_moves()
        # Here `to_move` still means something: `search` may be asked of a position that is over.
        if not moves:
            return lead_of(state, state.to_move)
        low, high = self._proved.get(state, (-UNBOUNDED, UNBOUNDED))
        if low >= bound:
            return low
        if high < bound:
            return high
        if self.nodes > self._last or depth > _DEEPEST:
            raise TooFarError(
                "This position is too far from the end to solve: choose a later one with --after, or ask 'ccgrid "
                "advise'."
            )
        best = -UNBOUNDED
        # What looks best is tried first: the sooner a move reaches the bound, the fewer of the others are looked at.
        # `sorted` keeps the order of moves that look alike, so the search is the same each time.
        for move in sorted(moves, key=lambda move: -self._heuristic(state, move)):
            after = state.play_unchecked(move)
            if after.ending() is not None:  # whose turn it would be means nothing then
                value = lead_of(after, state.to_move)
            elif after.to_move == state.to_move:
                value = self._search(after, bound, clock, depth + 1)
            else:
                # -v >= bound where v does not reach 1 - bound: the window of a search for whole points.
                value = -self._search(after, 1 - bound, clock, depth + 1)
            best = max(best, value)
            if best >= bound:
                break
        # Fail-soft: `best` may be better than the bound that was asked for, and is kept.
        self._proved[state] = (best, high) if best >= bound else (low, min(best, high))
        return best


class StateSolver:
    """Solves positions of a game that has no solver of its own, or none for the options that are played."""

    def refusal(self, state: State) -> str:
        """Positions of two whose cards are all known are solved."""
        if len(state.players) != 2:
            return (
                f"{state.game} is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
            )
        if not state.is_known():
            return "Some cards are not known: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: State) -> bool:
        """Whether few positions can follow."""
        return _is_small(state)

    def searcher(self, state: State) -> Searcher:
        """What searches below this position."""
        return StateSearcher(state.game)


def _is_small(state: State) -> bool:
    """Whether no more than `QUICK_NODES` positions lie below."""
    seen: set[Any] = {state}
    waiting = [state]
    # By positions, not by moves: many orders of the same moves lead to one position, which counts once.
    while waiting:
        one = waiting.pop()
        for move in one.legal_moves():
            after = one.play_unchecked(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > QUICK_NODES:
            return False
    return True


SOLVER: Final = StateSolver()
"""Serves every game."""


class StateWorld:
    """A game of any kind; moves are as records write them.

    Games are played on by the game's own heuristic, at most `longest` moves from the position; who is ahead then
    counts.
    """

    scale: float = 10.0
    exploring: float = 0.3
    longest = 60

    def __init__(self, state: State, pool: Pool | None = None) -> None:
        """`state` is what a seat sees, or more, which is not looked at."""
        self.seats = len(state.players)
        self.seat = self._first = state.to_move
        # Kept as the seat sees it: whatever else `state` knew cannot leak into a world.
        self._view = state.view(state.to_move)
        self._pool = pool
        self._heuristic = find_game(state.game).heuristic
        self._state: Any = self._view
        self._moves = 0

    def begin(self, dice: Dice) -> None:
        """Draws what is hidden."""
        self._state = sample_world(self._view, self._first, dice, self._pool)
        self.seat = self._first
        self._moves = 0

    def legal(self) -> list[str]:
        """Those first that the heuristic says are best."""
        state, heuristic = self._state, self._heuristic
        # Negated, so that one sort gives the best first, and equal ones by the alphabet.
        values = [(-heuristic(state, move), move) for move in state.legal_moves()]
        return [move for _, move in sorted(values)]

    def play(self, move: str) -> None:
        """Plays it."""
        self._state = self._state.play_unchecked(move)
        self.seat = self._state.to_move
        self._moves += 1

    def name(self, move: str) -> str:
        """The move itself."""
        return move

    def finish(self, dice: Dice) -> list[float]:
        """Everybody plays the move that the heuristic says is best; among equals any."""
        heuristic = self._heuristic
        while self._moves < self.longest and (moves := self._state.legal_moves()):
            # Points where the game is cut off count as if they were the last.
            values = {move: heuristic(self._state, move) for move in moves}
            best = max(values.values())
            self.play(dice.choose([move for move, value in values.items() if value == best]))
        return self.standing()

    def standing(self) -> list[float]:
        """How the seats stand where a game is not played on: their points."""
        return list(self._state.scores())
