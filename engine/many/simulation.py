"""Simulation of games and matches between computer players, on one or more cores, with a summary.

All randomness of a game comes from its own generator, seeded by the master seed and the game's number, so that no
result depends on the number of workers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError
from ccgrid.engine.game import Ending, Outcome, Setup, State
from ccgrid.engine.games import find_game
from ccgrid.engine.many.kernels import CoreKernel, KernelMatches, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import (
    Lineup,
    SavedCounts,
    SavedRecords,
    SimulationSummary,
    Tally,
    count_all,
    digest,
)
from ccgrid.engine.players import NO_LIMIT, ForfeitError, Player, RandomPlayer, chosen_move, find_player, prepare
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import RESIGNED, Record

__all__ = ["Lineup", "SimulationSummary", "Tally", "play_game", "play_out", "simulate"]

_CHUNK: Final = 100
"""The maximum number of games, or matches, in a chunk without a kernel."""


def play_out(state: State, players: Sequence[str | Player], dice: Dice) -> tuple[list[str], State]:
    """Play from a position to the end of the game, with one computer player per seat.

    Returns:
        The moves and the final position.

    Raises:
        ForfeitError: If an external program gave no legal move in time; it has the moves and the position so far.
        EngineError: If another player chose a move that is not legal.
    """
    moves: list[str] = []
    # The random player ignores the position, and its view is slow to create. Compare the class, not the name: a player
    # derived from it may use the view.
    informed_players = [None if type(player) is RandomPlayer else player for player in map(find_player, players)]
    below = dice.below
    while legal := state.legal_moves():
        player = informed_players[seat := state.to_move]
        try:
            move = (
                # Like `RandomPlayer.choose`, with the same draw.
                legal[below(len(legal))]
                if player is None
                else chosen_move(player, state.view(seat), legal, dice, NO_LIMIT)
            )
        except ForfeitError as lost:
            lost.moves, lost.state = moves, state
            raise
        moves.append(move)
        state = state.play_unchecked(move)
    return moves, state


def play_game(lineup: Lineup, number: int) -> Record:
    """Play game `number` of a lineup, counted from 1, and return its record with the result.

    The game's seed alone determines decks, deal, starting player and moves.

    Raises:
        EngineError: If the game, a player or a deck is invalid.
    """
    [(record, _)] = _play_number(_Table.of(lineup, None), number).games
    return record


def game_scores(lineup: Lineup, number: int) -> tuple[int, ...]:
    """Return the scores of a game of a lineup, also if an external program forfeited it.

    Raises:
        EngineError: If the game, a player or a deck is invalid.
    """
    [(_, outcome)] = _play_number(_Table.of(lineup, None), number).games
    return outcome.scores


def simulate(
    lineup: Lineup,
    games: int,
    *,
    plan: Match | None = None,
    workers: int | None = None,
    runner: Runner | None = None,
    write: Callable[[str], object] | None = None,
    progress: Callable[[int], object] | None = None,
    tell: Callable[[str], object] | None = None,
    resume: Path | None = None,
    records: SavedRecords | None = None,
) -> SimulationSummary:
    """Play the games (with a plan: the matches) numbered 1 to `games`, and count results.

    After a keyboard interrupt, the summary covers the games played so far; if there are none, the interrupt is raised.

    Args:
        lineup: The game, the players and the decks.
        games: The number of games or matches, at least one.
        plan: A match without games; each match draws decks once for all its games.
        workers: The number of processes; by default all cores, or one if more are not worth their start-up time.
        runner: The runner that plays them; it replaces `workers`.
        write: Called with every record as a line of JSON Lines, including the line break, in the order of the numbers.
        progress: Called from time to time with the number of newly finished games or matches.
        tell: Called with a sentence before a slow step.
        resume: A file that stores the counts; games that it already contains are not played again.
        records: The destination of the records if `resume` is given, instead of `write`.

    Returns:
        The summary.

    Raises:
        EngineError: If the game, a player, a deck or a number is invalid, a worker process died, or the file to resume
            from belongs to other games.
    """
    what = "games" if plan is None else "matches"
    if games < 1:
        raise ContradictionError(f"the number of {what} is at least 1, not {games}")
    if write and resume:
        raise ContradictionError("records of games that go on later are kept beside the counts: give them by `records`")
    runner = runner or Runner(workers)
    table = _Table.of(lineup, plan, games, keep=write is not None or records is not None)

    def take(chunk: _Chunk) -> _Counts:
        if write:
            for line in chunk.lines:
                write(line)
        if records:
            chunk.counts.written = records.write(chunk.lines)
        return chunk.counts

    empty = _Counts(Tally(table.seats), Tally(table.seats))
    saved = SavedCounts(resume, _work_document(table) if resume else {}, _Counts)
    # Records must end where the counts do: records written after the counts were saved are cut off.
    if records:
        found = saved.load()
        records.begin(found[2].written if found else None, found[2].games.games if found else 0)
    try:
        result = count_all(
            _task(table, games, runner, tell),
            games,
            empty,
            take,
            saved=saved,
            runner=runner,
            progress=progress,
            what=what,
        )
        if records and not result.is_interrupted:
            records.finish()
    finally:
        if records:
            records.close()
    matches = None if plan is None else result.counts.matches
    return SimulationSummary(lineup, result.counts.games, result.seconds, plan, matches, result.is_interrupted)


@dataclass(frozen=True, slots=True)
class _Table:
    """The input of a worker process, sent once; `games` is the total number of games or matches.

    `players` maps the names of the lineup to the players, in seat order.
    """

    lineup: Lineup
    plan: Match | None
    players: Mapping[str, Player]
    games: int = 1
    keep: bool = False

    @classmethod
    def of(cls, lineup: Lineup, plan: Match | None, games: int = 1, *, keep: bool = False) -> "_Table":
        find_game(lineup.game)
        players = {name: find_player(policy) for name, policy in zip(lineup.players, lineup.policies, strict=True)}
        return cls(lineup, plan, players, games, keep)

    @property
    def seats(self) -> int:
        return len(self.players)

    def kernel(self, tell: Callable[[str], object] | None = None) -> CoreKernel | None:
        """Return the fastest kernel for these games, or None.

        Only uncompiled kernels write records, and no kernel writes records of matches.
        """
        if self.plan is None:
            # As for one game, compile nothing: the records are created in plain Python anyway.
            return find_kernel(self.lineup, 1 if self.keep else self.games, tell=tell)
        return None if self.keep else find_kernel(self.lineup, self.games * (self.plan.length or 1), tell=tell)


@dataclass(frozen=True, slots=True)
class _GameResults:
    """The games of one match, or a single game, each with its outcome and starting seat; and the overall outcome.

    Outcomes and starting seats refer to seats of the lineup, wherever its players sat.
    """

    games: list[tuple[Record, Outcome]]
    starters: list[int]
    outcome: Outcome


@dataclass(slots=True)
class _Counts:
    """The tallies of games and of matches, and the number of bytes of records written."""

    games: Tally
    matches: Tally
    written: int = 0

    def add(self, other: "_Counts") -> None:
        self.games.add(other.games)
        self.matches.add(other.matches)
        self.written += other.written


@dataclass(frozen=True, slots=True)
class _Chunk:
    counts: _Counts
    lines: list[str]


def _work_document(table: _Table) -> dict[str, object]:
    """Return the properties that two simulations must share to be combined; the number of games is not one."""
    lineup = table.lineup
    plan = table.plan and [table.plan.length, table.plan.adds_points, table.plan.same_deal]
    return {
        "what": "simulate",
        "game": lineup.game,
        "players": list(lineup.policy_names),
        "seed": lineup.seed,
        "options": dict(lineup.options),
        "match": plan,
        "cards": digest(lineup.decks),
    } | ({"records": "written"} if table.keep else {})


def _task(table: _Table, count: int, runner: Runner, tell: Callable[[str], object] | None) -> Task[_Chunk]:
    kernel = table.kernel(tell)
    if kernel is None:
        prepare(table.players.values(), table.lineup.game, tell, games=count, options=table.lineup.options)
        return Task(_play_chunk, table, _CHUNK)
    # A chunk of matches has as many games as a chunk of games.
    at_once = max(1, kernel.games_at_once // (table.plan.length or 1 if table.plan else 1))
    if kernel.is_compiled and runner.cluster is None:
        # Once, before several threads need it at the same time.
        kernel.load()
        return Task(partial(_count_with_kernel, kernel), table, at_once, at_once, in_threads=True)
    return Task(_play_with_kernel, table, at_once, at_once)


def _play_with_kernel(table: _Table, numbers: range) -> _Chunk:
    """Play with a kernel, or with the readable rules if this machine has no kernel."""
    kernel = table.kernel()
    if kernel is None:
        return _play_chunk(table, numbers)
    return _record_with_kernel(kernel, table, numbers) if table.keep else _count_with_kernel(kernel, table, numbers)


def _count_with_kernel(kernel: CoreKernel, table: _Table, numbers: range) -> _Chunk:
    if table.plan is None:
        return _Chunk(_Counts(kernel.run(table.lineup, numbers).tally(), Tally(table.seats)), [])
    return _Chunk(_Counts(*KernelMatches(kernel, table.lineup, table.plan, numbers).count()), [])


def _record_with_kernel(kernel: CoreKernel, table: _Table, numbers: range) -> _Chunk:
    lineup = table.lineup
    batch = kernel.run(lineup, numbers, keep_moves=True)
    lines = []
    for number, moves, *scores in zip(numbers, batch.moves or (), *batch.scores, strict=True):
        # Recreate the setup with the readable rules: a kernel keeps no cards.
        setup, dice = lineup.deal(number)
        lines.append(Record(setup, moves, seed=dice.seed, result=tuple(scores)).to_json_line() + "\n")
    return _Chunk(_Counts(batch.tally(), Tally(table.seats)), lines)


def _play_chunk(table: _Table, numbers: range) -> _Chunk:
    chunk = _Chunk(_Counts(Tally(table.seats), Tally(table.seats)), [])
    for number in numbers:
        results = _play_number(table, number)
        for (record, outcome), first in zip(results.games, results.starters, strict=True):
            chunk.counts.games.count(outcome, first, len(record.moves))
            if table.keep:
                chunk.lines.append(record.to_json_line() + "\n")
        if table.plan is not None:
            chunk.counts.matches.count(results.outcome, results.starters[0], len(results.games))
    return chunk


def _play_number(table: _Table, number: int) -> _GameResults:
    lineup = table.lineup
    if table.plan is None:
        setup, dice = lineup.deal(number)
        record, outcome, starter = _play_setup(table, setup, dice)
        return _GameResults([(record, outcome)], [starter], outcome)
    match, starters = table.plan, []
    dice = Dice(lineup.seed).fork(number)
    decks = lineup.decks(dice)
    while match.ending() is None:
        # Each game of a match has its own generator, so that it does not depend on the length of earlier games.
        own = dice.fork(match.next_game.number)
        setup = match.deal(decks, own, options=lineup.options)
        record, _, starter = _play_setup(table, setup, own)
        match = match.add(record)
        starters.append(starter)
    total = match.outcome()
    if total is None:
        raise EngineError(f"{lineup.game}: a match ended without an outcome (seed {dice.seed})")
    return _GameResults(list(zip(match.records, match.outcomes, strict=True)), starters, total)


def _play_setup(table: _Table, setup: Setup, dice: Dice) -> tuple[Record, Outcome, int]:
    start = setup.start()
    # By name: in a match the players' seats may change.
    starter = [*table.players].index(setup.players[start.to_move])
    prepare(table.players.values(), setup.game, options=table.lineup.options)
    try:
        moves, final = play_out(start, [table.players[name] for name in setup.players], dice)
    except ForfeitError as lost:
        if table.plan is not None:
            raise EngineError(f"{lost}: a match cannot go on without its games") from None
        state = lost.state or start
        notes = {RESIGNED: state.players[state.to_move], "reason": str(lost)}
        return Record(setup, tuple(lost.moves), seed=dice.seed, notes=notes), _forfeit_outcome(state), starter
    outcome = final.outcome()
    if outcome is None:
        raise EngineError(f"{setup.game}: no legal move, but the game is not over (seed {dice.seed})")
    return Record(setup, tuple(moves), seed=dice.seed, result=outcome.scores), outcome, starter


def _forfeit_outcome(state: State) -> Outcome:
    """Return the outcome if the player to move forfeits."""
    return Outcome.lost(state.scores(), state.to_move, Ending("forfeit", "a player had no legal move in time"))
