"""The command that writes the package of a new game."""

from pathlib import Path
from typing import Annotated

import typer

from ccgrid import services
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import Json
from ccgrid.commands.paths import file_only
from ccgrid.view.output import show, show_json

app = CommandModule()

_FOLDER = file_only("it writes several files: name a folder")


def _check_name(name: str) -> str:
    if reason := services.new_game.why_invalid(name):
        raise typer.BadParameter(f"{name!r} cannot be the name of a game: {reason}")
    return name


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(help="The name as people will type it.", callback=_check_name)],
    folder: Annotated[
        Path, typer.Option("--folder", **_FOLDER, help="Where to make the folder of the package.")
    ] = Path(),
    as_json: Json = False,
) -> None:
    """Write a package with a new game, to be changed and installed.

    The game is a copy of Ladder, a small game that plays, with its rules, decks, display and tests. docs/tutorial.md
    explains it.

    Example: ccgrid new-game summit
    """
    written = services.new_game.write_package(name, folder)
    if as_json:
        show_json(written)
        return
    path = shell_word(Path(written.folder))
    show(f"Wrote {counted(len(written.files), 'file')} into {path}. Next:")
    show(f"  pip install -e {path}")
    show(f"  ccgrid play {name}")
