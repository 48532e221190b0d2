"""Games between computer players, one or a million, on one core or many, with a summary.

Everything random in a game comes from the game's own seed, which follows from the master seed and the game's number, so
that no result depends on the number of workers.
"""

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from engine.decks import DeckSource
from engine.dice import Dice
from engine.game import EngineError, Game, Outcome, State
from engine.games import find_game
from engine.players import Player, find_player
from engine.record import Record

_CHUNK: Final = 500
_WORTH_WORKERS: Final = 8_000
"""From so many games on, the time that further processes save is more than the time that they take to start."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What is played: a game between computer players, one policy for each seat, with decks from a source.

    `options` are the game's variants.
    """

    game: str
    policies: tuple[str, ...]
    decks: DeckSource
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order: the policy and the number of the seat."""
        return tuple(f"{policy}-{seat + 1}" for seat, policy in enumerate(self.policies))


@dataclass(slots=True)
class Tally:
    """What was counted over some games; in lists, one entry for each seat. Tallies add up, in whatever order."""

    seats: int
    games: int = 0
    moves: int = 0
    draws: int = 0
    first_player_wins: int = 0
    wins: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for counts in (self.wins, self.shared, self.points):
            counts.extend([0] * (self.seats - len(counts)))

    def count(self, outcome: Outcome, first: int, moves: int) -> None:
        """Adds a game that the seat `first` started."""
        self.games += 1
        self.moves += moves
        for seat, score in enumerate(outcome.scores):
            self.points[seat] += score
        if outcome.winner is None:
            self.draws += 1
            for seat in outcome.leaders:
                self.shared[seat] += 1
        else:
            self.wins[outcome.winner] += 1
            self.first_player_wins += outcome.winner == first

    def add(self, other: "Tally") -> None:
        """Adds the games of another tally."""
        self.games += other.games
        self.moves += other.moves
        self.draws += other.draws
        self.first_player_wins += other.first_player_wins
        for mine, theirs in ((self.wins, other.wins), (self.shared, other.shared), (self.points, other.points)):
            mine[:] = [a + b for a, b in zip(mine, theirs, strict=True)]


@dataclass(frozen=True, slots=True)
class SimulationSummary:
    """The outcome of many games: what was played, what was counted, and in how many seconds of play."""

    match: Lineup
    tally: Tally
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The summary as scripts see it: `simulate --json`. A player's draws are those in which it shared the lead."""
        tally = self.tally
        games = max(tally.games, 1)
        players = [
            {
                "name": name,
                "policy": self.match.policies[seat],
                "wins": tally.wins[seat],
                "draws": tally.shared[seat],
                "mean_score": tally.points[seat] / games,
            }
            for seat, name in enumerate(self.match.players)
        ]
        return {
            "game": self.match.game,
            "games": tally.games,
            "seed": self.match.seed,
            "players": players,
            "first_player_wins": tally.first_player_wins,
            "draws": tally.draws,
            "mean_moves": tally.moves / games,
            "games_per_second": tally.games / self.seconds if self.seconds else 0.0,
        }


def play_out(state: State, players: Sequence[Player], dice: Dice) -> tuple[list[str], State]:
    """The moves that computer players, one for each seat, make from a position to the end, and the last position."""
    moves: list[str] = []
    while legal := state.legal_moves():
        seat = state.to_move
        moves.append(players[seat].choose(state.view(seat), legal, dice))
        state = state.play_unchecked(moves[-1])
    return moves, state


def play_game(match: Lineup, number: int) -> Record:
    """Game `number` of a match, counted from 1, with its result. Its seed alone decides deck, deal, start and moves.

    Raises:
        EngineError: the game, a player or a deck is not as it must be.
    """
    record, _ = _play_game(match, find_game(match.game), [find_player(name) for name in match.policies], number)
    return record


def simulate(
    match: Lineup,
    games: int,
    *,
    workers: int | None = None,
    write: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
) -> SimulationSummary:
    """Plays the games numbered 1 to `games`, and counts.

    Args:
        match: what is played.
        games: how many, at least one.
        workers: the number of processes; all cores when not given, but one where more would not be worth their start.
        write: is given every record as a line of JSON Lines with its end, in the order of the games' numbers.
        progress: is told now and then how many more games are done.

    Raises:
        EngineError: the game, a player, a deck or a number is not as it must be, or a process died.
    """
    if games < 1:
        raise EngineError(f"the number of games is at least 1, not {games}")
    if workers is not None and workers < 1:
        raise EngineError(f"the number of workers is at least 1, not {workers}")
    tally = Tally(len(match.policies))
    busy: dict[int, float] = {}
    for chunk in _chunks(match, games, workers or (_cores() if games >= _WORTH_WORKERS else 1), write is not None):
        tally.add(chunk.tally)
        busy[chunk.process] = busy.get(chunk.process, 0.0) + chunk.seconds
        if write:
            for line in chunk.lines:
                write(line)
        if progress:
            progress(chunk.tally.games)
    return SimulationSummary(match, tally, max(busy.values()))


@dataclass(frozen=True, slots=True)
class _Chunk:
    tally: Tally
    lines: list[str]
    seconds: float
    process: int


def _play_game(match: Lineup, game: Game, players: Sequence[Player], number: int) -> tuple[Record, Outcome]:
    dice = Dice(match.seed).fork(number)
    setup = game.deal(match.players, match.decks(dice), dice, options=match.options)
    moves, final = play_out(setup.start(), players, dice)
    outcome = final.outcome()
    if outcome is None:
        raise EngineError(f"{game.name}: nobody can move and the game is not over (seed {dice.seed})")
    return Record(setup, tuple(moves), seed=dice.seed, result=outcome.scores), outcome


def _play_chunk(match: Lineup, numbers: range, keep: bool) -> _Chunk:
    game, players = find_game(match.game), [find_player(name) for name in match.policies]
    tally, lines, start = Tally(len(players)), [], time.perf_counter()
    for number in numbers:
        record, outcome = _play_game(match, game, players, number)
        tally.count(outcome, record.setup.start().to_move, len(record.moves))
        if keep:
            lines.append(record.to_json_line() + "\n")
    return _Chunk(tally, lines, time.perf_counter() - start, os.getpid())


def _chunks(match: Lineup, games: int, workers: int, keep: bool) -> Iterator[_Chunk]:
    ranges = [range(first, min(first + _CHUNK, games + 1)) for first in range(1, games + 1, _CHUNK)]
    workers = min(workers, len(ranges))
    if workers == 1:
        yield from (_play_chunk(match, numbers, keep) for numbers in ranges)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        waiting: deque[Future[_Chunk]] = deque()
        for numbers in ranges:  # only so many at once that the records of a million games never pile up
            waiting.append(pool.submit(_play_chunk, match, numbers, keep))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenExecutor:
        raise EngineError("a process that played games was ended: try again, or with one worker") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
