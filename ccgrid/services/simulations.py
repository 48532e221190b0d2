"""Many games, or matches, between computer players, with the cards that somebody asks for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from catalog.files import whole_file
from catalog.matching.asking import Choose
from ccgrid.services.dealing import dealt_with, match_plan
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.services.tables import TableRequest
from engine.games import find_game
from engine.many.runner import Runner as Runner
from engine.many.saved_records import KeptRecords
from engine.many.simulation import Lineup, simulate
from engine.records.match import Match


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
    source, options = dealt_with(
        game.name,
        len(request.players),
        files=request.files,
        factions=request.factions,
        card_games=request.card_games,
        variants=request.variants,
        database=request.database,
        remark=remark,
        ask=ask,
    )
    lineup = Lineup(game.name, request.players, source, seed, options)
    plan = match_plan(
        game.name, lineup.players, request.best_of, whole=request.whole_match, same_deal=request.same_deal
    )
    return Simulation(lineup, plan)


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
) -> dict[str, Any]:
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

    kept = None
    if records is not None and resume is not None:
        kept, records = KeptRecords(records, partial(check_free, kind=RECORD, force=force)), None
    with _lines_into(records) as write:
        return simulate(
            wanted.lineup,
            games,
            plan=wanted.plan,
            runner=runner,
            write=write,
            progress=more,
            tell=remark,
            resume=resume,
            records=kept,
        ).to_dict()


@contextmanager
def _lines_into(path: Path | None) -> Iterator[Callable[[str], object] | None]:
    """A function that writes a line to a file, which is there when the block ends well; None without a file."""
    if path is None:
        yield None
        return
    with whole_file(path) as file:
        yield file.write
