"""The command that steps through a game."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Database, Json
from ccgrid.services.choices import Choices
from ccgrid.services.records import read_record
from ccgrid.terminal.checks import complain, status_of
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.terminal.replay import step_through
from ccgrid.view.output import show_json
from engine.record import replay_json
from engine.schema import RecordError

app = typer.Typer()


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(help="The record of one game.")],
    pause: Annotated[
        bool | None, typer.Option(help="Wait for Enter after each move; the default on a terminal.")
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Step through a game, the board drawn after every move.

    Example: ccgrid replay game.toml
    """
    try:
        game = read_record(record, database, choices := Choices(asking(as_json=as_json)))
    except RecordError as error:
        complain(str(record), error)
        raise typer.Exit(status_of(error)) from None
    tell_choices(choices)
    if as_json:
        show_json(replay_json(game))
        return
    step_through(game, waits=pause if pause is not None else sys.stdin.isatty() and sys.stdout.isatty())
