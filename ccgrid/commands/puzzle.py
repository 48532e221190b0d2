"""The command that asks for the one best move."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from catalog.card import CatalogError
from ccgrid import services, terminal
from ccgrid.commands.game_options import Decks, From, complete_game, listed
from ccgrid.commands.options import Database, Force, Games, Json, Seed, any_seed, waiting
from ccgrid.commands.paths import OUTPUT, tell_written
from ccgrid.services.outputs import RECORD, check_free
from ccgrid.terminal.choosing import asking
from ccgrid.view.output import progress, remark, show_json
from engine.games import GAMES

app = typer.Typer()


@app.command()
def puzzle(
    game: Annotated[
        str, typer.Argument(help=f"Which game: {listed(GAMES.names, 'or')}.", autocompletion=complete_game)
    ] = GAMES.default,
    is_daily: Annotated[
        bool, typer.Option("--daily", help="The puzzle of the day: the same for all who have the same catalogue.")
    ] = False,
    day: Annotated[
        datetime | None,
        typer.Option(
            "--date", metavar="YYYY-MM-DD", formats=["%Y-%m-%d"], help="With --daily: of this day.", show_default=False
        ),
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, help="How many puzzles.")] = 1,
    deck: Decks = None,
    source: From = "all",
    card_game: Games = None,
    seed: Seed = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--export",
            click_type=OUTPUT,
            help="Write them as records, the answer in the notes; ask nothing.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Find the one best move of a position, proved, and be told why.

    Positions are from games that computer players play with your cards. Exactly one move is best when everything is
    known, the order of the draw pile and all hands too. Each is rated by how often the players greedy and strong miss
    the move.

    Example: ccgrid puzzle --seed 7
    """
    if day is not None and not is_daily:
        raise CatalogError("--date says of which day the daily puzzle is: add --daily.")
    if is_daily and (seed is not None or count > 1 or deck or source != "all"):
        raise CatalogError("The daily puzzle is the same for everybody: leave --seed, --count, --deck and --from out.")
    if output is not None:
        services.puzzles.check_holds(output, count)
        check_free(output, RECORD, force=force)
    today = (day.date() if day else date.today()) if is_daily else None
    used = any_seed(seed) if today is None else services.puzzles.daily_seed(today)
    request = services.puzzles.PuzzleRequest(game, tuple(deck or ()), tuple(card_game or ()), source, database)
    with progress("Looking through games") as report:
        found = services.puzzles.puzzles(
            request,
            count,
            used,
            progress=report,
            remark=remark,
            waiting=waiting,
            ask=asking(as_json=as_json),
        )
    if output is not None:
        services.puzzles.export(found, output)
        tell_written(output, f". Prove it with: ccgrid solve {output}" if count == 1 else "")
    if as_json:
        for one in found:
            show_json(
                {
                    "game": game,
                    "date": today and str(today),
                    "seed": used,
                    **one.to_dict(),
                    "record": one.record.to_document(),
                }
            )
    elif output is None:
        terminal.puzzles.solve_puzzles(found)
