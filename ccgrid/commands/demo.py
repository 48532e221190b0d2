"""The whole program once, offline, with the bundled cards."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.files import make_folder
from catalog.temporary import temporary_folder
from ccgrid import services, terminal
from ccgrid.commands.options import Force, read_seed
from ccgrid.commands.paths import FilePath
from ccgrid.services.outputs import DECK, RECORD, check_free

app = typer.Typer()

_FOLDER = FilePath("the deck and the game are two files, in a folder")


@app.command()
def demo(
    seed: Annotated[
        int, typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="Another seed shows another game.")
    ] = 7,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=_FOLDER, help="Keep the deck and the game in this folder.", show_default=False
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Show everything once, offline: card, deck, game and score.

    Example: ccgrid demo
    """
    if output is not None:
        check_free(output / services.demonstration.DECK, DECK, force=force)
        check_free(output / services.demonstration.RECORD, RECORD, force=force)
        make_folder(output)
        terminal.demo.show_demo(seed, output, kept=True)
        return
    with temporary_folder() as folder:
        terminal.demo.show_demo(seed, folder, kept=False)
