"""The commands that show and export what scanned cards have taught of a game."""

from collections.abc import Callable
from typing import Annotated

import typer

from ccgrid import services, view
from ccgrid.catalog.files import write_whole
from ccgrid.catalog.runtime import shell_word
from ccgrid.commands.options import Database, Json, Output
from ccgrid.commands.paths import tell_written
from ccgrid.services.files import LAYOUT, PATCH
from ccgrid.view.output import show_json
from ccgrid.view.streams import write_data

app = typer.Typer()

_Game = Annotated[str, typer.Argument(metavar="GAME", help="The card game, such as rifts.")]


@app.command()
def places(
    game: _Game, *, to: Annotated[Output, "Write it as a layout."], database: Database = None, as_json: Json = False
) -> None:
    """Show where numbers stand on scanned cards that you accepted.

    'ccgrid scan --game GAME' looks there first. With -o it becomes a layout, for tables with a column for each zone.

    Example: ccgrid layout places rifts
    """
    to.check(LAYOUT)
    game = game.strip().lower()
    found = services.layouts.seen_places(game, database)
    _hand_out(
        found, to, "To try it: ccgrid layout check", lambda: view.card.show_places(found.to_dict()), as_json=as_json
    )


@app.command()
def patch(
    game: _Game,
    *,
    to: Annotated[Output, "Write the patch to this file."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Export the numbers that you read on cards whose data lack them.

    Others take them over with 'ccgrid import FILE'. Each number says on how many pictures it was seen.

    Example: ccgrid layout patch avp -o avp-numbers.toml
    """
    to.check(PATCH)
    found = services.imports.patch_from_pictures(game.strip().lower(), database)
    in_lines = found.to_toml().splitlines(keepends=True)
    _hand_out(found, to, "To take it over: ccgrid import", lambda: write_data(in_lines), as_json=as_json)


def _hand_out(
    found: "services.layouts.SeenPlaces | services.imports.Patch",
    to: Output,
    next_step: str,
    show: Callable[[], object],
    *,
    as_json: bool,
) -> None:
    """Writes what was found to a file, if that is wanted, and says so; else shows it."""
    if to.output is not None:
        write_whole(to.output, found.to_toml())
    if as_json:
        show_json(found.to_dict())
    elif to.output is not None:
        tell_written(to.output, f". {next_step} {shell_word(to.output)}")
    else:
        show()
