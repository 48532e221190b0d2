"""Games and matches between computer players, one or a million, on one core or many, with a summary.

Everything random in a game comes from the game's own dice, which follow from the master seed and the game's number, so
that no result depends on the number of workers.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.dice import Dice
from engine.errors import EngineError
from engine.game import Outcome, Setup, State
from engine.games import find_game
from engine.kernels import Kernel, find_kernel
from engine.match import Match
from engine.players import NO_LIMIT, Player, RandomPlayer, find_player
from engine.record import Record
from engine.tally import Lineup, SimulationSummary, Tally
from engine.workers import cores, play_all, play_in_threads

__all__ = ["Lineup", "SimulationSummary", "Tally", "play_game", "play_out", "simulate"]

_CHUNK: Final = 100
"""So many games, or matches, one process plays before it tells what came of them."""
_WORTH_WORKERS: Final = 8_000
"""From so many games on, the time that further processes save is more than the time that they take to start."""
_QUICKER: Final = 8
"""So many times as fast are games that a kernel plays in plain Python."""


def play_out(state: State, players: Sequence[Player], dice: Dice) -> tuple[list[str], State]:
    """The moves that computer players, one for each seat, make from a position to the end, and the last position."""
    moves: list[str] = []
    # The random player looks at nothing, and what it would see takes long to make.
    looking = [None if type(player) is RandomPlayer else player for player in players]
    below = dice.below
    while legal := state.legal_moves():
        player = looking[seat := state.to_move]
        move = legal[below(len(legal))] if player is None else player.choose(state.view(seat), legal, dice, NO_LIMIT)
        moves.append(move)
        state = state.play_unchecked(move)
    return moves, state


def play_game(lineup: Lineup, number: int) -> Record:
    """Game `number` of a lineup, counted from 1, with its result. Its seed alone decides deck, deal, start and moves.

    Raises:
        EngineError: the game, a player or a deck is not as it must be.
    """
    [(record, _)] = _play_number(_Table.of(lineup, None), number).games
    return record


def simulate(
    lineup: Lineup,
    games: int,
    *,
    plan: Match | None = None,
    workers: int | None = None,
    write: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
    tell: Callable[[str], object] | None = None,
) -> SimulationSummary:
    """Plays the games, or with a plan the matches, numbered 1 to `games`, and counts.

    Args:
        lineup: what is played.
        games: how many, at least one.
        plan: a match of which nothing is played yet; each match has decks of its own, which its games share.
        workers: the number of processes; all cores when not given, but one where more would not be worth their start.
        write: is given every record as a line of JSON Lines with its end, in the order of the games' numbers.
        progress: is told now and then how many more games, or matches, are done.
        tell: is given a sentence before something is done that takes a while.

    Raises:
        EngineError: the game, a player, a deck or a number is not as it must be, or a process died.
    """
    what = "games" if plan is None else "matches"
    if games < 1:
        raise EngineError(f"the number of {what} is at least 1, not {games}")
    if workers is not None and workers < 1:
        raise EngineError(f"the number of workers is at least 1, not {workers}")
    table, seats = _Table.of(lineup, plan), len(lineup.policies)
    kernel = None if plan else find_kernel(lineup, 1 if write else games, tell=tell)
    at_once = kernel.games_at_once if kernel else _CHUNK
    ranges = [range(first, min(first + at_once, games + 1)) for first in range(1, games + 1, at_once)]
    tally, matches, start = Tally(seats), Tally(seats), time.perf_counter()
    for chunk in _chunks(table, ranges, workers, kernel, keep=write is not None):
        tally.add(chunk.games)
        matches.add(chunk.matches)
        if write:
            for line in chunk.lines:
                write(line)
        if progress:
            progress(chunk.numbers)
    seconds = time.perf_counter() - start
    return SimulationSummary(lineup, tally, seconds, plan, None if plan is None else matches)


@dataclass(frozen=True, slots=True)
class _Table:
    """What a process needs to play, which it is sent once."""

    lineup: Lineup
    plan: Match | None
    players: tuple[Player, ...]

    @classmethod
    def of(cls, lineup: Lineup, plan: Match | None) -> "_Table":
        find_game(lineup.game)
        return cls(lineup, plan, tuple(find_player(name) for name in lineup.policies))


@dataclass(frozen=True, slots=True)
class _Played:
    """One game, or the games of one match, each with its outcome; and the outcome of all together."""

    games: list[tuple[Record, Outcome]]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class _Chunk:
    games: Tally
    matches: Tally
    numbers: int
    lines: list[str]


def _chunks(
    table: _Table, ranges: Sequence[range], workers: int | None, kernel: Kernel | None, *, keep: bool
) -> Iterator[_Chunk]:
    if kernel and kernel.is_compiled:
        yield from play_in_threads(partial(_count_quickly, kernel), table, ranges, workers or cores())
        return
    games = ranges[-1][-1] * (table.plan.length if table.plan else 1)
    enough = _WORTH_WORKERS * (_QUICKER if kernel and not keep else 1)
    play = (
        (_play_quickly_and_keep if keep else _play_quickly) if kernel else _play_and_keep if keep else _play_and_count
    )
    yield from play_all(play, table, ranges, workers or (cores() if games >= enough else 1))


def _play_and_count(table: _Table, numbers: range) -> _Chunk:
    return _play_chunk(table, numbers, keep=False)


def _play_and_keep(table: _Table, numbers: range) -> _Chunk:
    return _play_chunk(table, numbers, keep=True)


def _play_quickly(table: _Table, numbers: range) -> _Chunk:
    kernel = find_kernel(table.lineup, 1)
    return _count_quickly(kernel, table, numbers) if kernel else _play_and_count(table, numbers)


def _count_quickly(kernel: Kernel, table: _Table, numbers: range) -> _Chunk:
    return _Chunk(kernel.run(table.lineup, numbers).tally(), Tally(len(table.players)), len(numbers), [])


def _play_quickly_and_keep(table: _Table, numbers: range) -> _Chunk:
    lineup = table.lineup
    kernel = find_kernel(lineup, 1)
    if kernel is None:
        return _play_and_keep(table, numbers)
    batch = kernel.run(lineup, numbers, keep_moves=True)
    lines = []
    for number, moves, *scores in zip(numbers, batch.moves or (), *batch.scores, strict=True):
        dice = Dice(lineup.seed).fork(number)
        setup = find_game(lineup.game).deal(lineup.players, lineup.decks(dice), dice, options=lineup.options)
        lines.append(Record(setup, moves, seed=dice.seed, result=tuple(scores)).to_json_line() + "\n")
    return _Chunk(batch.tally(), Tally(len(table.players)), len(numbers), lines)


def _play_chunk(table: _Table, numbers: range, *, keep: bool) -> _Chunk:
    seats = len(table.players)
    chunk = _Chunk(Tally(seats), Tally(seats), len(numbers), [])
    for number in numbers:
        played = _play_number(table, number)
        starters = [_starter(record.setup) for record, _ in played.games]
        for (record, outcome), first in zip(played.games, starters, strict=True):
            chunk.games.count(outcome, first, len(record.moves))
            if keep:
                chunk.lines.append(record.to_json_line() + "\n")
        if table.plan is not None:
            chunk.matches.count(played.outcome, starters[0], len(played.games))
    return chunk


def _starter(setup: Setup) -> int:
    return setup.start().to_move if setup.first is None else setup.first


def _play_number(table: _Table, number: int) -> _Played:
    lineup = table.lineup
    dice = Dice(lineup.seed).fork(number)
    decks = lineup.decks(dice)
    if table.plan is None:
        setup = find_game(lineup.game).deal(lineup.players, decks, dice, options=lineup.options)
        game = _play_setup(table, setup, dice)
        return _Played([game], game[1])
    match = table.plan
    games = []
    while match.ending() is None:
        setup = match.deal(decks, dice, options=lineup.options)
        games.append(_play_setup(table, setup, dice))
        match = match.add(games[-1][0])
    outcome = match.outcome()
    if outcome is None:
        raise EngineError(f"{lineup.game}: a match ended without an outcome (seed {dice.seed})")
    return _Played(games, outcome)


def _play_setup(table: _Table, setup: Setup, dice: Dice) -> tuple[Record, Outcome]:
    moves, final = play_out(setup.start(), table.players, dice)
    outcome = final.outcome()
    if outcome is None:
        raise EngineError(f"{setup.game}: nobody can move and the game is not over (seed {dice.seed})")
    return Record(setup, tuple(moves), seed=dice.seed, result=outcome.scores), outcome
