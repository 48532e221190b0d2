"""The whole program once, offline, with the bundled cards."""

from pathlib import Path
from typing import Annotated

import typer

from catalog.temporary import temporary_folder
from ccgrid.commands.options import Force, read_seed
from ccgrid.services.demonstration import DECK as DECK_FILE
from ccgrid.services.demonstration import RECORD as RECORD_FILE
from ccgrid.services.outputs import DECK, RECORD, check_free
from ccgrid.terminal.demo import show_demo

app = typer.Typer()


@app.command()
def demo(
    seed: Annotated[
        int, typer.Option("--seed", parser=read_seed, metavar="NUMBER", help="Another seed shows another game.")
    ] = 7,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Keep the deck and the game in this folder.", show_default=False),
    ] = None,
    force: Force = False,
) -> None:
    """Show everything once, offline: card, deck, game and score.

    Example: ccgrid demo
    """
    if output is not None:
        check_free(output / DECK_FILE, DECK, force=force)
        check_free(output / RECORD_FILE, RECORD, force=force)
        output.mkdir(parents=True, exist_ok=True)
        show_demo(seed, output, kept=True)
        return
    with temporary_folder() as folder:
        show_demo(seed, folder, kept=False)
