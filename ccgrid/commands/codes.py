"""The command that makes games and decks into lines of text, and such lines into files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ccgrid import engine, services, terminal
from ccgrid.catalog.decks import Deck, deck_toml
from ccgrid.catalog.files import write_whole
from ccgrid.commands.decks import For
from ccgrid.commands.options import Database, Force, Json
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.engine.schema import RecordError
from ccgrid.services.choices import Choices
from ccgrid.services.outputs import DECK, RECORD, check_free
from ccgrid.terminal.choosing import asking, tell_choices
from ccgrid.view.output import remark, show_json
from ccgrid.view.streams import write

if TYPE_CHECKING:
    from ccgrid.services.codes import Coded

app = typer.Typer()


@app.command()
def code(
    record: Annotated[Path, typer.Argument(click_type=INPUT, metavar="RECORD", help="A record, a deck, or a code.")],
    game: For = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="Write the decoded game or deck to this file.", show_default=False
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print a game or a deck as one line, to send in a message.

    Commands that read a record or a deck also take such a line: ccgrid play --load CODE. A game of grid with its deck
    has at most 900 characters; what is dropped to fit is reported. --output turns a code into a file.

    Example: ccgrid code game.toml
    """
    choices = Choices(asking(as_json=as_json))
    try:
        found = list(services.codes.coded(record, database, choices, game))
    except RecordError as error:
        terminal.checks.complain(str(record), error)
        raise typer.Exit(terminal.checks.status_of(error)) from None
    tell_choices(choices)
    if output is not None:
        _write(found, output, force=force)
        return
    for one in found:
        if as_json:
            show_json(one.to_dict())
            continue
        write(one.code.line)
        if one.code.left_out:
            remark(f"Dropped to fit: {' and '.join(one.code.left_out)}.")


def _write(found: "list[Coded]", output: Path, *, force: bool) -> None:
    """Writes the one game or deck to a file."""
    if len(found) != 1:
        raise typer.BadParameter(f"--output takes one game, not {len(found)}")
    source = found[0].source
    check_free(output, DECK if isinstance(source, Deck) else RECORD, force=force)
    if isinstance(source, Deck):
        write_whole(output, deck_toml(source))
    else:
        engine.write_game(source, output)
    tell_written(output)
