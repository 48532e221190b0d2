"""Games and matches between computer players, simulated or compared as requested."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import UsageError
from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind
from ccgrid.catalog.files import atomic_text_file
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.games import find_game
from ccgrid.engine.many.arena import Arena, ArenaResult, Contestant, play_arena
from ccgrid.engine.many.comparison import ComparisonResult as ComparisonResult
from ccgrid.engine.many.comparison import Sprt, compare
from ccgrid.engine.many.runner import Runner as Runner
from ccgrid.engine.many.runner import start_workers, usable_cpu_count
from ccgrid.engine.many.simulation import simulate
from ccgrid.engine.many.tally import Lineup, SavedRecords, SimulationResult, saved_seed
from ccgrid.engine.players import PROGRAM, find_player
from ccgrid.engine.records.match import Match
from ccgrid.services.dealing import choose_decks
from ccgrid.services.decks import read_legal_deck
from ccgrid.services.files import check_not_replaced
from ccgrid.services.output_kinds import RECORD
from ccgrid.services.requests import GameRequest
from ccgrid.services.running_total import running_total
from ccgrid.services.tables import match_plan


@dataclass(frozen=True, slots=True)
class Simulation:
    """A lineup, the match that it plays, or None, and the players' factions if they are given in seat order."""

    lineup: Lineup
    plan: Match | None
    factions: tuple[str, ...] = ()


def simulation(
    request: GameRequest, seed: int, *, remark: Callable[[str], None], ask: Choose | None = None
) -> Simulation:
    """Return the requested simulation with its cards.

    Args:
        request: The game, the policies and the cards.
        seed: The master seed.
        remark: Called with a notice about an interpreted name, or about the use of the bundled cards.
        ask: Asks the user about an ambiguous card name; None to ask nothing.

    Raises:
        CatalogError: If options exclude each other, or a deck is not legal.
        EngineError: If the game, a player or a number is invalid.
    """
    game = find_game(request.game)
    for policy in request.players:  # an unknown one is refused before a notice about the cards
        find_player(policy)
    source, options = choose_decks(request, remark, ask)
    lineup = Lineup(game.name, request.players, source, seed, options)
    plan = match_plan(request, lineup.players)
    # In a match, players change seats, and with them factions.
    named = request.factions if plan is None and len(request.factions) == len(lineup.players) else ()
    return Simulation(lineup, plan, tuple(named))


class StartedWorkers(msgspec.Struct, frozen=True, kw_only=True):
    """The number of workers that play for a scheduler."""

    address: str
    workers: int


def run_simulation(
    wanted: Simulation,
    games: int,
    *,
    runner: Runner,
    records: Path | None,
    resume: Path | None,
    force: bool,
    progress: Callable[[int, int], object],
    remark: Callable[[str], None],
) -> SimulationResult:
    """Play a simulation and return its result.

    Args:
        wanted: The simulation.
        games: The number of games, or matches.
        runner: The runner that plays them.
        records: A file for the records of all games; with `resume` it gets its name after the last game.
        force: Whether to overwrite this file.
        resume: A file that stores the counts; games that it already contains are not played again.
        progress: Called from time to time with the number of finished games or matches, and their total number.
        remark: Called with a sentence before a slow step.

    Raises:
        EngineError: If the game, a player or a number is invalid.
    """
    records_file = None
    if records is not None and resume is not None:
        records_file, records = SavedRecords(records, partial(check_not_replaced, kind=RECORD, force=force)), None
    with _lines_into(records) as write:
        result = simulate(
            wanted.lineup,
            games,
            plan=wanted.plan,
            runner=_runner_for(wanted.lineup.policy_names, runner),
            write=write,
            progress=running_total(progress, games),
            tell=remark,
            resume=resume,
            records=records_file,
        ).answer()
    if not wanted.factions:
        return result
    rows = zip(result.players, wanted.factions, strict=True)
    return msgspec.structs.replace(
        result, players=[msgspec.structs.replace(player, faction=name) for player, name in rows]
    )


def _runner_for(policies: Sequence[str], runner: Runner) -> Runner:
    """Return the runner; external programs play in this process, one game at a time, so that each has all its time.

    Raises:
        EngineError: If there is no such player, or programs would have to play several games at a time.
    """
    if PROGRAM not in {find_player(policy).name for policy in policies}:
        return runner
    if runner.cluster is not None or (runner.workers or 1) > 1:
        raise ContradictionError("programs play one game at a time: leave --workers and --cluster out")
    return Runner(1)


@contextmanager
def _lines_into(path: Path | None) -> Iterator[Callable[[str], object] | None]:
    """Yield a function that writes a line to a file, which is created if the block succeeds; None without a file."""
    if path is None:
        yield None
        return
    with atomic_text_file(path) as file:
        yield file.write


def run_arena(
    request: GameRequest,
    games: int,
    seed: int,
    *,
    runner: Runner,
    test: Sprt | None,
    resume: Path | None,
    progress: Callable[[int, int], object],
    remark: Callable[[str], None],
) -> ArenaResult | ComparisonResult:
    """Compare contestants or house rules and return the result.

    Args:
        request: The contestants, or the house rules.
        games: The number of games for each pair of contestants, or for both rules together.
        seed: The master seed.
        runner: The runner that plays them.
        test: A test that ends the games as soon as it is decided.
        resume: A file that stores the counts; games that it already contains are not played again.
        progress: Called from time to time with the number of finished games, and their total number.
        remark: Called with a sentence before a slow step, or if the bundled cards are used.

    Raises:
        CatalogError: If options exclude each other, or a deck is not legal.
        EngineError: If the game, a player or a number is invalid.
    """
    find_game(request.game)
    runner = _runner_for(request.players, runner)
    if (rules := _rules(request)) is not None:
        if test is not None:
            raise UsageError("--sprt compares two contestants, not house rules: leave it out.")
        names, (one, other) = rules
        # Other options are played with the same cards: report these once.
        first, second = (
            _lineup(one, seed, remark),
            _lineup(other, seed, (lambda _: None) if request.against else remark),
        )
        report = running_total(progress, games + games % 2)
        return compare(first, second, names, games, runner=runner, progress=report, resume=resume).answer()
    arena = _arena(request, seed, remark)
    for meeting, (left, right) in enumerate(arena.meetings):
        if arena.is_mirror_match(meeting):
            names = arena.contestants[left].name, arena.contestants[right].name
            remark(f"{names[0]} and {names[1]} are the same player with the same cards: their shares are even.")
    total = (games + games % 2) * len(arena.meetings)
    return play_arena(
        arena, games, runner=runner, test=test, progress=running_total(progress, total), tell=remark, resume=resume
    ).answer()


def _rules(request: GameRequest) -> tuple[tuple[str, str], tuple[GameRequest, GameRequest]] | None:
    """Return two rules, or two decks that the players share, with their names; None if contestants meet."""
    if request.against:
        names = ", ".join(request.options) or "as it is", ", ".join(request.against)
        return names, (request, request._replace(options=request.against))
    if len(request.decks) == 2 and find_game(request.game).decks_needed(2) == 1:
        one, other = request.decks
        return (str(one), str(other)), (request._replace(decks=(one,)), request._replace(decks=(other,)))
    return None


def _for_two(request: GameRequest) -> GameRequest:
    """Return the request with a single player in both seats."""
    return request._replace(players=request.players * 2) if len(request.players) == 1 else request


def _lineup(request: GameRequest, seed: int, remark: Callable[[str], None]) -> Lineup:
    request = _for_two(request)
    chosen = choose_decks(request, remark)
    return Lineup(request.game, request.players, chosen.source, seed, chosen.options)


def _arena(request: GameRequest, seed: int, remark: Callable[[str], None]) -> Arena:
    players, files, factions = request.players, request.decks, request.factions
    count = max(len(players), len(files), len(factions))
    if count < 2:
        raise UsageError(
            "An arena needs two contestants: name two players (--players greedy,random), decks, factions or options."
        )
    for what, given in (("players", players), ("decks", files), ("factions", factions)):
        if len(given) not in (0, 1, count):
            raise UsageError(f"There are {count} contestants and {len(given)} {what}: name one for each, or one.")
    if len(files) > 1 and find_game(request.game).decks_needed(2) < 2:
        raise UsageError(f"The players of {request.game} share their cards: compare only two decks.")
    # The first deck or faction stands for all if each contestant has its own.
    dealt = choose_decks(_for_two(request)._replace(decks=files[:1], factions=factions[:1]), remark)
    decks = _own_decks(request, count)
    contestants = tuple(
        Contestant(name, policy, deck)
        for name, policy, deck in zip(_names(request, count), _each(players, count), decks, strict=True)
    )
    source = dealt.source if decks[0] is None else FixedDecks(())
    return Arena(request.game, contestants, source, seed, dealt.options)


def _own_decks(request: GameRequest, count: int) -> Sequence[tuple[Card, ...] | None]:
    """Return the deck of each contestant, or None for each if they have no decks of their own."""
    if len(request.decks) > 1:
        return [read_legal_deck(file, request.database, request.game).cards for file in request.decks]
    factions = find_game(request.game).factions if len(request.factions) > 1 else None
    return [factions.find(name).cards for name in request.factions] if factions else [None] * count


def _names(request: GameRequest, count: int) -> list[str]:
    """Return the contestants' names: the words in which they differ, or else numbers."""
    parts = [
        _each(given, count)
        for given in (request.players, [file.stem for file in request.decks], request.factions)
        if len(given) > 1
    ]
    names = [" ".join(words) for words in zip(*parts, strict=True)]
    return [f"{name}-{place}" if names.count(name) > 1 else name for place, name in enumerate(names, start=1)]


def _each(given: Sequence[str], count: int) -> Sequence[str]:
    return [*given] * count if len(given) == 1 else given


def work(address: str, workers: int | None, announce: Callable[[int], object]) -> None:
    """Work for the cluster at an address until it ends; call `announce` with the number of started workers.

    Raises:
        EngineError: If there is no cluster, the connection is lost, versions differ, or the extra is not installed.
        KeyboardInterrupt: If the user interrupts it.
    """
    count = workers or usable_cpu_count()
    start_workers(address, count, lambda: announce(count))


def seed_of_counts(resume: Path | None) -> int | None:
    """Return the seed of the games whose counts a file has, or None if there is no file yet.

    Raises:
        WrongKindError: If the file is of another kind.
        EngineError: If it has no counts that can be continued.
    """
    if resume is not None:
        check_kind(resume, {FileKind.COUNTS} | DAMAGED, FileKind.COUNTS.value)
    return saved_seed(resume)
