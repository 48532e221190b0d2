"""Games and matches between computer players, one or a million, on one core or many, with a summary.

Everything random in a game comes from the game's own dice, which follow from the master seed and the game's number, so
that no result depends on the number of workers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError
from ccgrid.engine.game import Ending, Outcome, Setup, State
from ccgrid.engine.games import find_game
from ccgrid.engine.many.kernels import CoreKernel, KernelMatches, find_kernel
from ccgrid.engine.many.runner import Runner, Task
from ccgrid.engine.many.tally import (
    Count,
    Lineup,
    SavedCounts,
    SavedRecords,
    SimulationSummary,
    Tally,
    count_all,
    digest,
)
from ccgrid.engine.players import NO_LIMIT, ForfeitError, Player, RandomPlayer, find_player, prepare
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import RESIGNED, Record

__all__ = ["Lineup", "SimulationSummary", "Tally", "play_game", "play_out", "simulate"]

_CHUNK: Final = 100
"""The most games, or matches, in a portion without a kernel."""


def play_out(state: State, players: Sequence[Player], dice: Dice) -> tuple[list[str], State]:
    """The moves that computer players, one for each seat, make from a position to the end, and the last position.

    Raises:
        ForfeitError: another program had no legal move in time; it holds the game up to there.
    """
    moves: list[str] = []
    # The random player looks at nothing, and what it would see takes long to make.
    # By its class, not its name: a player derived from it may look.
    looking = [None if type(player) is RandomPlayer else player for player in players]
    below = dice.below
    while legal := state.legal_moves():
        player = looking[seat := state.to_move]
        try:
            move = (
                # As `RandomPlayer.choose`, with the same throw.
                legal[below(len(legal))] if player is None else player.choose(state.view(seat), legal, dice, NO_LIMIT)
            )
        except ForfeitError as lost:
            lost.moves, lost.state = moves, state
            raise
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


def game_scores(lineup: Lineup, number: int) -> tuple[int, ...]:
    """The scores of that game, also where another program lost it without an ending; raises what `play_game` does."""
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
    """Plays the games, or with a plan the matches, numbered 1 to `games`, and counts.

    An interrupt from the keyboard ends it with a summary of what was played, unless that is nothing.

    Args:
        lineup: what is played.
        games: how many, at least one.
        plan: a match of which nothing is played yet; each match has decks of its own, which its games share.
        workers: the number of processes; all cores when not given, but one where more would not be worth their start.
        runner: where they are played, if that is not said by `workers`.
        write: is given every record as a line of JSON Lines with its end, in the order of the games' numbers.
        progress: called now and then with how many more games, or matches, are done.
        tell: called with a sentence before something slow starts.
        resume: a file that keeps the counts; what it holds already is not played again.
        records: with it, where the records go, instead of `write`.

    Raises:
        EngineError: the game, a player, a deck or a number is not as it must be, a process died, or the file to resume
            from is of other games.
    """
    what = "games" if plan is None else "matches"
    if games < 1:
        raise EngineError(f"the number of {what} is at least 1, not {games}")
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
    # Where the counts begin the records do: what was written after them is cut off.
    if records:
        found = saved.load(empty, _Counts.adds_up)
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
    """What a process needs to play, which it is sent once; `games` is how many there are in all.

    `players` play, by the names of the lineup in seat order.
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
        """What plays these games fastest here; records are written by plain kernels alone, of matches by none."""
        if self.plan is None:
            # For one game nothing is compiled: the texts of records are made in plain Python anyway.
            return find_kernel(self.lineup, 1 if self.keep else self.games, tell=tell)
        return None if self.keep else find_kernel(self.lineup, self.games * (self.plan.length or 1), tell=tell)


@dataclass(frozen=True, slots=True)
class _GameResults:
    """One game, or the games of one match, each with its outcome and who started; and the outcome of all together.

    Outcomes and starters are seats of the lineup, wherever its players sat.
    """

    games: list[tuple[Record, Outcome]]
    starters: list[int]
    outcome: Outcome


@dataclass(slots=True)
class _Counts:
    """What was counted over the games, and over the matches; and how many bytes of records were written."""

    games: Tally
    matches: Tally
    written: Count = 0

    def add(self, other: "_Counts") -> None:
        self.games.add(other.games)
        self.matches.add(other.matches)
        self.written += other.written

    def adds_up(self, done: int) -> bool:
        """Whether these can be the counts of `done` games, or of `done` matches where there are any."""
        if self.matches.games == 0:
            return self.games.adds_up(done) and self.matches == Tally(self.matches.seats)
        return self.matches.adds_up(done) and self.games.adds_up(self.matches.moves)


@dataclass(frozen=True, slots=True)
class _Chunk:
    counts: _Counts
    lines: list[str]


def _work_document(table: _Table) -> dict[str, Any]:
    """What makes two simulations the same, however many games they have."""
    lineup = table.lineup
    plan = table.plan and [table.plan.length, table.plan.adds_points, table.plan.same_deal]
    return {
        "what": "simulate",
        "game": lineup.game,
        "players": list(lineup.policies),
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
    # A portion of matches has as many games as a portion of games.
    at_once = max(1, kernel.games_at_once // (table.plan.length or 1 if table.plan else 1))
    if kernel.is_compiled and runner.cluster is None:
        # Once, before threads ask for it all at the same time.
        kernel.load()
        return Task(partial(_count_quickly, kernel), table, at_once, at_once, in_threads=True)
    return Task(_play_quickly, table, at_once, at_once)


def _play_quickly(table: _Table, numbers: range) -> _Chunk:
    """What a kernel plays; where the other machine has none, the readable rules."""
    kernel = table.kernel()
    if kernel is None:
        return _play_chunk(table, numbers)
    return _keep_quickly(kernel, table, numbers) if table.keep else _count_quickly(kernel, table, numbers)


def _count_quickly(kernel: CoreKernel, table: _Table, numbers: range) -> _Chunk:
    if table.plan is None:
        return _Chunk(_Counts(kernel.run(table.lineup, numbers).tally(), Tally(table.seats)), [])
    return _Chunk(_Counts(*KernelMatches(kernel, table.lineup, table.plan, numbers).count()), [])


def _keep_quickly(kernel: CoreKernel, table: _Table, numbers: range) -> _Chunk:
    lineup = table.lineup
    batch = kernel.run(lineup, numbers, keep_moves=True)
    lines = []
    for number, moves, *scores in zip(numbers, batch.moves or (), *batch.scores, strict=True):
        # The setup once more by the readable rules: a kernel keeps no cards.
        dice = Dice(lineup.seed).fork(number)
        setup = find_game(lineup.game).deal(lineup.players, lineup.decks(dice), dice, options=lineup.options)
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
    dice = Dice(lineup.seed).fork(number)
    decks = lineup.decks(dice)
    if table.plan is None:
        setup = find_game(lineup.game).deal([*table.players], decks, dice, options=lineup.options)
        record, outcome, starter = _play_setup(table, setup, dice)
        return _GameResults([(record, outcome)], [starter], outcome)
    match, starters = table.plan, []
    while match.ending() is None:
        # Each game of a match has dice of its own, so none depends on how long those before it were.
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
    # By name: in a match players do not sit in the same seats in all games.
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
        raise EngineError(f"{setup.game}: nobody can move and the game is not over (seed {dice.seed})")
    return Record(setup, tuple(moves), seed=dice.seed, result=outcome.scores), outcome, starter


def _forfeit_outcome(state: State) -> Outcome:
    """How a game ends that who is to move loses: with the points so far, but that seat is one behind all others."""
    scores, seat = list(state.scores()), state.to_move
    scores[seat] = min(score for other, score in enumerate(scores) if other != seat) - 1
    return Outcome.of(tuple(scores), Ending("forfeit", "a player had no legal move in time"))
