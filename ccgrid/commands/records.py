"""Commands on games that were played: check them, score them."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import terminal
from ccgrid.commands.options import Database, Json
from ccgrid.commands.paths import INPUT

app = typer.Typer()

Records = Annotated[
    list[Path], typer.Argument(click_type=INPUT, help="Records of games: .toml, or .jsonl with a game a line.")
]


@app.command()
def validate(records: Records, database: Database = None, as_json: Json = False) -> None:
    """Check whether games were played by the rules.

    Example: ccgrid validate game.toml
    """
    raise typer.Exit(terminal.checks.show_checks(records, database, scores=False, as_json=as_json))


@app.command()
def score(
    records: Records,
    piles: Annotated[
        bool,
        typer.Option("--piles", "--ending", help="The files hold no moves but what each player ended with."),
    ] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Check games and count their scores.

    If you noted only how it ended, such as what each player took, write that into a file, and score it with --ending.
    What stands in such a file is at the end of the rules: ccgrid rules GAME.

    Example: ccgrid score game.toml
    """
    raise typer.Exit(terminal.checks.show_checks(records, database, ending=piles, scores=True, as_json=as_json))
