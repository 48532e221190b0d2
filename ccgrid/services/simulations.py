"""Many games, or matches, between computer players, with the cards that somebody asks for."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypedDict

from ccgrid.catalog.card import Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind
from ccgrid.catalog.files import atomic_text_file
from ccgrid.catalog.matching.asking import Choose
from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.errors import ContradictionError
from ccgrid.engine.games import find_game
from ccgrid.engine.many.arena import Arena, ArenaJson, Contestant, play_arena
from ccgrid.engine.many.comparison import ComparisonJson, Sprt, compare
from ccgrid.engine.many.runner import Runner as Runner
from ccgrid.engine.many.runner import start_workers, usable_cpu_count
from ccgrid.engine.many.simulation import simulate
from ccgrid.engine.many.tally import Lineup, SavedRecords, SimulationJson, saved_seed
from ccgrid.engine.players import PROGRAM
from ccgrid.engine.records.match import Match
from ccgrid.services.decks import read_legal_deck
from ccgrid.services.files import RECORD, check_not_replaced
from ccgrid.services.tables import DeckChoice, TableRequest, choose_decks, match_plan


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be simulated: who plays with which cards, and the match that it is, if it is one."""

    lineup: Lineup
    plan: Match | None


def simulation(
    request: TableRequest, seed: int, *, remark: Callable[[str], None], ask: Choose | None = None
) -> Simulation:
    """What somebody asks to be simulated, with its cards.

    Args:
        request: the game, the policies, the cards.
        seed: what all dice follow from.
        remark: is told that bundled cards are taken, and what was taken for names.
        ask: asks a person where the name of a card is ambiguous.

    Raises:
        CatalogError: what was said does not fit together, or a deck is not legal.
        EngineError: the game, a player or a number cannot be.
    """
    game = find_game(request.game)
    source, options = request.choose_decks(remark, ask)
    lineup = Lineup(game.name, request.players, source, seed, options)
    plan = match_plan(
        game.name, lineup.players, request.best_of, whole=request.whole_match, same_deal=request.same_deal
    )
    return Simulation(lineup, plan)


class WorkersJson(TypedDict):
    """For which scheduler how many workers play."""

    address: str
    workers: int


def workers_json(address: str, workers: int) -> WorkersJson:
    """Workers that have begun in the documented shape of `workers --json`."""
    return {"address": address, "workers": workers}


def run_simulation(
    wanted: Simulation,
    games: int,
    *,
    runner: Runner,
    records: Path | None,
    resume: Path | None,
    force: bool,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
) -> SimulationJson:
    """The summary of so many games, or matches, in the documented shape of `simulate --json`.

    Args:
        wanted: what is played.
        games: how many games, or matches.
        runner: where they are played.
        records: a file that gets every game, a line each; with `resume` it has its name when all are played.
        force: whether it may be there already.
        resume: a file that keeps the counts, and from which they go on.
        progress: is told now and then how many are done.
        remark: is told what takes a while.

    Raises:
        EngineError: the game, a player or a number cannot be.
    """
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        progress(done)

    records_file = None
    if records is not None and resume is not None:
        records_file, records = SavedRecords(records, partial(check_not_replaced, kind=RECORD, force=force)), None
    with _lines_into(records) as write:
        return simulate(
            wanted.lineup,
            games,
            plan=wanted.plan,
            runner=_runner_for(wanted.lineup.policy_names, runner),
            write=write,
            progress=more,
            tell=remark,
            resume=resume,
            records=records_file,
        ).to_dict()


def _runner_for(policies: Sequence[str], runner: Runner) -> Runner:
    """Where they play: other programs in this process alone, one game after the other, so that all have their time."""
    if not any(policy.partition(":")[0] == PROGRAM for policy in policies):
        return runner
    if runner.cluster is not None or (runner.workers or 1) > 1:
        raise ContradictionError("programs play one game at a time: leave --workers and --cluster out")
    return Runner(1)


@contextmanager
def _lines_into(path: Path | None) -> Iterator[Callable[[str], object] | None]:
    """A function that writes a line to a file, which is there when the block ends well; None without a file."""
    if path is None:
        yield None
        return
    with atomic_text_file(path) as file:
        yield file.write


@dataclass(frozen=True, slots=True)
class ArenaRequest:
    """What somebody said: the game, the policies, and what they play with.

    With `against`, other options, house rules are compared; else there are as many contestants as there are players,
    decks or factions, whatever there are most of.
    """

    game: str
    players: tuple[str, ...]
    files: tuple[Path, ...] = ()
    factions: tuple[str, ...] = ()
    card_games: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    database: Path | None = None


def run_arena(
    request: ArenaRequest,
    games: int,
    seed: int,
    *,
    runner: Runner,
    test: Sprt | None,
    resume: Path | None,
    progress: Callable[[int, int], object],
    remark: Callable[[str], None],
) -> ArenaJson | ComparisonJson:
    """The result in the documented shape of `arena --json`.

    Args:
        request: who or what is compared.
        games: how many for every two contestants, or for two house rules.
        seed: what all dice follow from.
        runner: where they are played.
        test: stops as soon as it is decided.
        resume: a file that keeps the counts, and from which they go on.
        progress: is told now and then how many games are done, and how many there are.
        remark: is told that bundled cards are taken, and what takes a while.

    Raises:
        CatalogError: what was said does not fit together, or a deck is not legal.
        EngineError: the game, a player or a number cannot be.
    """
    find_game(request.game)
    runner = _runner_for(request.players, runner)
    done = 0

    def report_on(total: int) -> Callable[[int], object]:
        def more(count: int) -> None:
            nonlocal done
            done += count
            progress(done, total)

        return more

    rules = _rules(request, remark)
    if rules is not None:
        if test is not None:
            raise CatalogError("--sprt compares two contestants, not house rules: leave it out.")
        names, (one, other) = rules
        first, second = (Lineup(request.game, _two(request), made.source, seed, made.options) for made in (one, other))
        report = report_on(games + games % 2)
        return compare(first, second, names, games, runner=runner, progress=report, resume=resume).to_dict()
    arena = _arena(request, seed, remark)
    for meeting, (left, right) in enumerate(arena.meetings):
        if arena.is_mirror_match(meeting):
            names = arena.contestants[left].name, arena.contestants[right].name
            remark(f"{names[0]} and {names[1]} are the same player with the same cards: their shares are even.")
    total = (games + games % 2) * len(arena.meetings)
    return play_arena(
        arena, games, runner=runner, test=test, progress=report_on(total), tell=remark, resume=resume
    ).to_dict()


def _rules(
    request: ArenaRequest, remark: Callable[[str], None]
) -> tuple[tuple[str, str], tuple[DeckChoice, DeckChoice]] | None:
    """What the same deals are played under, one and the other; nothing where contestants meet."""
    if request.against:
        names = ", ".join(request.variants) or "as it is", ", ".join(request.against)
        return names, (
            _deck_choice(request, request.files, request.variants, remark),
            _deck_choice(request, request.files, request.against, lambda _: None),
        )
    needed = find_game(request.game).decks_needed(2)
    if len(request.files) == 2 and needed == 1:  # both players use one deck: compared is how it plays
        one, other = request.files
        return (str(one), str(other)), (
            _deck_choice(request, (one,), request.variants, remark),
            _deck_choice(request, (other,), request.variants, remark),
        )
    return None


def _two(request: ArenaRequest) -> tuple[str, ...]:
    return request.players * 2 if len(request.players) == 1 else request.players


def _deck_choice(
    request: ArenaRequest,
    files: Sequence[Path],
    variants: Sequence[str],
    remark: Callable[[str], None],
    factions: Sequence[str] | None = None,
) -> DeckChoice:
    return choose_decks(
        request.game,
        len(_two(request)),
        files=files,
        factions=request.factions if factions is None else factions,
        card_games=request.card_games,
        variants=variants,
        database=request.database,
        remark=remark,
    )


def _arena(request: ArenaRequest, seed: int, remark: Callable[[str], None]) -> Arena:
    players, files, factions = request.players, request.files, request.factions
    count = max(len(players), len(files), len(factions))
    if count < 2:
        raise CatalogError(
            "An arena needs two contestants: name two players (--players greedy,random), decks, factions or options."
        )
    for what, given in (("players", players), ("decks", files), ("factions", factions)):
        if len(given) not in (0, 1, count):
            raise CatalogError(f"There are {count} contestants and {len(given)} {what}: name one for each, or one.")
    if len(files) > 1 and find_game(request.game).decks_needed(2) < 2:
        raise CatalogError(f"The players of {request.game} share their cards: compare only two decks.")
    # The first deck or faction stands for all where each brings its own.
    dealt = _deck_choice(request, files[:1], request.variants, remark, factions[:1])
    decks = _own_decks(request, count)
    contestants = tuple(
        Contestant(name, policy, deck)
        for name, policy, deck in zip(_names(request, count), _each(players, count), decks, strict=True)
    )
    source = dealt.source if decks[0] is None else FixedDecks(())
    return Arena(request.game, contestants, source, seed, dealt.options)


def _own_decks(request: ArenaRequest, count: int) -> Sequence[tuple[Card, ...] | None]:
    """The decks that the contestants bring."""
    if len(request.files) > 1:
        return [read_legal_deck(file, request.game, request.database) for file in request.files]
    factions = find_game(request.game).factions if len(request.factions) > 1 else None
    return [factions.find(name).cards for name in request.factions] if factions else [None] * count


def _names(request: ArenaRequest, count: int) -> list[str]:
    """What the contestants are called: by what they differ in, and by a number where that is nothing."""
    parts = [
        _each(given, count)
        for given in (request.players, [file.stem for file in request.files], request.factions)
        if len(given) > 1
    ]
    names = [" ".join(words) for words in zip(*parts, strict=True)]
    return [f"{name}-{place}" if names.count(name) > 1 else name for place, name in enumerate(names, start=1)]


def _each(given: Sequence[str], count: int) -> Sequence[str]:
    return [*given] * count if len(given) == 1 else given


def work(address: str, workers: int | None, announce: Callable[[int], object]) -> None:
    """Works for the cluster at an address until it ends; `announce` is given the number of workers that have begun.

    Raises:
        EngineError: there is no cluster, it has other versions, or it is gone; or the extra is not installed.
        KeyboardInterrupt: somebody wanted it to end.
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
