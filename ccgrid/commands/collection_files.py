"""Commands on files that other apps exported: bring them into the collection, list what was not certain."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from catalog.collection.formats import find_format
from catalog.collection.formats.tables import parse_map
from catalog.collection.imports import CollectionImport, spooled
from catalog.holding import Place
from ccgrid.commands.options import Database, Games, Json, waiting
from ccgrid.commands.owned import Box, RowOption, Slot
from ccgrid.services import collection_files as services
from ccgrid.view.collection import show_doubts, show_report
from ccgrid.view.output import remark, show_json, show_json_lines

app = typer.Typer()


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that another app exports; - reads standard input.")],
    form: Annotated[
        str, typer.Option("--format", help="What the file is, where that is not plain.", show_default=False)
    ] = "",
    columns: Annotated[
        str, typer.Option("--map", help="FIELD=HEADING,… for a table of your own.", show_default=False)
    ] = "",
    games: Games = None,
    box: Box = "",
    row: RowOption = "",
    slot: Slot = "",
    any_printing: Annotated[
        bool, typer.Option("--any-printing", help="Take another printing where the right one is missing; told.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Say what would be done; change nothing.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Add the cards of a file once more.")] = False,
    on_error: Annotated[
        str, typer.Option("--on-error", help="skip: go on after a row that fails; stop: change nothing.")
    ] = "skip",
    corrections: Annotated[
        Path | None,
        typer.Option("--corrections", help="Write the doubtful rows here, to correct and import.", show_default=False),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Bring in the cards of a file that another app exported.

    The format is told by the content. Each row is matched by id, then by set and number, then by name; what is not
    certain is told row by row. Importing the same file again changes nothing.

    Example: ccgrid collection import moxfield.csv --dry-run
    """
    if on_error not in ("skip", "stop"):
        raise typer.BadParameter(f"{on_error!r} is neither skip nor stop", param_hint="--on-error")
    with _readable(file) as path:
        request = CollectionImport(
            path,
            "standard input" if str(file) == "-" else file.name,
            find_format(form) if form else None,
            parse_map(columns) if columns else None,
            tuple(games or ()),
            Place(box, row, slot),
            any_printing,
            again,
            on_error == "stop",
            dry_run,
        )
        report = services.bring_in(request, database, corrections=corrections, remark=remark, waiting=waiting)
    if as_json:
        show_json(report.to_dict())
        return
    show_report(report, corrections)


@contextmanager
def _readable(file: Path) -> Iterator[Path]:
    """The file that is meant; what comes from standard input is kept in a file meanwhile."""
    if str(file) != "-":
        yield file
        return

    with spooled(sys.stdin.buffer, "standard input") as path:
        yield path


@app.command()
def doubts(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write them as a table to correct and import.", show_default=False),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the rows of files that were not matched for certain.

    Example: ccgrid collection doubts -o corrections.csv
    """
    found = services.doubts(database, output, waiting)
    if as_json:
        show_json_lines(entry.to_dict() for entry in found)
    elif output is None:
        show_doubts(found)
    if output is not None:
        remark(f"Written to {output}. Correct it, then: ccgrid collection import {output}")
