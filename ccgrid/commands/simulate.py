"""The command that plays thousands of games between computer players."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.commands.game_options import (
    BestOf,
    Decks,
    Factions,
    GameName,
    SameDeal,
    Variants,
    WholeMatch,
    complete_players,
    parts,
)
from ccgrid.commands.many_games import Cluster, Resume, Workers, end_interrupted
from ccgrid.commands.options import Database, Force, Games, Json, Seed
from ccgrid.commands.paths import OUTPUT, is_stream
from ccgrid.commands.resuming import seed_to_go_on
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.terminal.choosing import asking
from ccgrid.view.output import progress, remark, show_json
from engine.games import GAMES, find_game

app = typer.Typer()


@app.command()
def simulate(
    game: GameName = GAMES.default,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many games, or matches.")] = 1000,
    players: Annotated[
        str,
        typer.Option(
            "--players", help="Policies in seat order, such as random,greedy.", autocompletion=complete_players
        ),
    ] = "random,random",
    deck: Decks = None,
    faction: Factions = None,
    card_game: Games = None,
    option: Variants = None,
    best_of: BestOf = None,
    match: WholeMatch = False,
    same_deal: SameDeal = False,
    seed: Seed = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            click_type=OUTPUT,
            help="Write every game to this file, a line each; with --resume NAME.part until all are played.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    workers: Workers = None,
    cluster: Cluster = None,
    resume: Resume = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Let computer players play many games, and count.

    Ctrl-C ends it with a summary of what was played; with --resume the same command goes on from there.

    Example: ccgrid simulate --games 1000 --players random,greedy
    """
    request = services.tables.TableRequest(
        game,
        tuple(parts(players)),
        tuple(deck or ()),
        tuple(parts(faction)),
        tuple(card_game or ()),
        tuple(option or ()),
        best_of,
        match,
        database,
        same_deal,
    )
    if records is not None:
        _check_records(records, force=force, goes_on=resume is not None)
    wanted = services.simulations.simulation(
        request, seed_to_go_on(seed, resume), remark=remark, ask=asking(as_json=as_json)
    )
    with progress(f"Playing {find_game(game).title}", total=games) as report:
        summary = services.simulations.run_simulation(
            wanted,
            games,
            runner=services.simulations.Runner(workers, cluster),
            records=records,
            resume=resume,
            force=force,
            progress=lambda done: report(done, games),
            remark=remark,
        )
    if as_json:
        show_json(summary)
    else:
        view.scores.show_simulation(summary)
    end_interrupted(summary)


def _check_records(records: Path, *, force: bool, goes_on: bool) -> None:
    """Refuses a file that cannot hold many games, or that is there already."""
    if is_stream(records) and goes_on:
        raise typer.BadParameter("standard output is not gone on with: name a file", param_hint="--records")
    if records.suffix.lower() == ".toml":
        raise typer.BadParameter(
            f"{records} would hold one game: write many into a file like {records.stem}.jsonl", param_hint="--records"
        )
    if not goes_on or force:  # else the counts tell whether the file is theirs
        check_free(records, RECORD, force=force)
