"""Many games, or matches, between computer players, with the cards that somebody asks for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from catalog.files import whole_file
from ccgrid.services.dealing import dealt_with, match_plan
from ccgrid.services.tables import TableRequest
from engine.games import find_game
from engine.runner import Runner
from engine.simulation import Lineup, simulate


def run_simulation(
    request: TableRequest,
    games: int,
    seed: int,
    *,
    runner: Runner,
    records: Path | None,
    resume: Path | None,
    progress: Callable[[int], object],
    remark: Callable[[str], None],
) -> dict[str, Any]:
    """The summary of so many games, or matches, in the documented shape of `simulate --json`.

    Args:
        request: the game, the policies, the cards.
        games: how many games, or matches.
        seed: what all dice follow from.
        runner: where they are played.
        records: a file that gets every game, a line each.
        resume: a file that keeps the counts, and from which they go on.
        progress: is told now and then how many are done.
        remark: is told that bundled cards are taken, and what takes a while.

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
    )
    lineup = Lineup(game.name, request.players, source, seed, options)
    plan = match_plan(
        game.name, lineup.players, request.best_of, whole=request.whole_match, same_deal=request.same_deal
    )
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        progress(done)

    with _lines_into(records) as write:
        return simulate(
            lineup, games, plan=plan, runner=runner, write=write, progress=more, tell=remark, resume=resume
        ).to_dict()


@contextmanager
def _lines_into(path: Path | None) -> Iterator[Callable[[str], object] | None]:
    """A function that writes a line to a file, which is there when the block ends well; None without a file."""
    if path is None:
        yield None
        return
    with whole_file(path) as file:
        yield file.write
