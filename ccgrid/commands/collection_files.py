"""Commands on files that other apps exported: bring them into the collection, list what was not certain."""

from dataclasses import replace as replace_in
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from catalog import collection as owned_cards
from catalog.holding import Place
from ccgrid import services, terminal, view
from ccgrid.commands.completion import complete_formats
from ccgrid.commands.options import Database, Force, Games, Json, waiting
from ccgrid.commands.owned import Box, RowOption, Slot, Yes, confirmed
from ccgrid.commands.paths import INPUT, OUTPUT, tell_written
from ccgrid.services.outputs import CARDS, check_free
from ccgrid.view.output import progress, remark, show_json, show_json_lines
from ccgrid.view.streams import paged

if TYPE_CHECKING:
    from catalog.collection.import_order import CollectionImport
    from catalog.collection.import_report import Report

app = typer.Typer()


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(click_type=INPUT, help="A file that another app exports.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="What the file is, where that is not plain.",
            show_default=False,
            autocompletion=complete_formats,
        ),
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
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="This file is what you own: in the box, in place of the file it repeats, else at all."
        ),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --replace: yes, even if it repeats no file and all else goes.")
    ] = False,
    on_error: Annotated[
        str, typer.Option("--on-error", help="skip: go on after a row that fails; stop: change nothing.")
    ] = "skip",
    corrections: Annotated[
        Path | None,
        typer.Option(
            "--corrections",
            click_type=OUTPUT,
            help="Write the doubtful rows here, to correct and import.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Bring in the cards of a file that another app exported.

    The format is told by the content. Each row is matched by id, then by set and number, then by name; what is not
    certain is told row by row. Importing the same file again changes nothing. A newer export of the same cards
    is told by its rows: --replace applies what is different in it, --again adds its cards a second time.

    Example: ccgrid collection import moxfield.csv --dry-run
    """
    if on_error not in ("skip", "stop"):
        raise typer.BadParameter(f"{on_error!r} is neither skip nor stop", param_hint="--on-error")
    if again and replace:
        raise typer.BadParameter("a file is added again or replaces what was there, not both", param_hint="--replace")
    if corrections is not None:
        check_free(corrections, CARDS, force=force)
    request = owned_cards.import_order.CollectionImport(
        file,
        file.name,
        owned_cards.formats.find_format(form) if form else None,
        owned_cards.formats.parse_map(columns) if columns else None,
        tuple(games or ()),
        Place(box, row, slot),
        any_printing,
        again,
        replace,
        yes,
        on_error == "stop",
        dry_run,
    )
    bring_in = partial(_bring_in, database=database, corrections=corrections)
    try:
        report = bring_in(request)
    except owned_cards.newer.RepeatedError as error:
        answer = None if as_json else terminal.newer_export.ask_what_to_do(error)
        if answer is None:
            raise
        again, replace = answer == "again", answer == "replace"
        report = bring_in(replace_in(request, again=again, replace=replace))
    except owned_cards.newer.ReplacesAllError as error:
        if as_json or not terminal.newer_export.ask_whether_all(error):
            raise
        report = bring_in(replace_in(request, everything=True))
    if as_json:
        show_json(report.to_dict())
        return
    view.import_report.show_report(report, corrections)


def _bring_in(request: "CollectionImport", *, database: Path | None, corrections: Path | None) -> "Report":
    with progress(request.name) as report:
        return services.collection_files.bring_in(
            request, database, corrections=corrections, remark=remark, waiting=waiting, progress=report
        )


@app.command()
def doubts(
    file: Annotated[str, typer.Option("--file", help="Only rows of this file, by its name.", show_default=False)] = "",
    outcome: Annotated[str, typer.Option("--outcome", help="Only fuzzy or missed rows.", show_default=False)] = "",
    reason: Annotated[
        str, typer.Option("--reason", help="Only rows whose reason contains this.", show_default=False)
    ] = "",
    accept: Annotated[
        bool,
        typer.Option("--confirm", "--accept", help="They are right; with --outcome missed: their single candidate is."),
    ] = False,
    drop: Annotated[
        bool, typer.Option("--dismiss", "--drop", help="Forget them; take out again what the fuzzy ones brought.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="Write them as a table to correct and import.", show_default=False
        ),
    ] = None,
    yes: Yes = False,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the rows of files that were not matched for certain.

    They can be confirmed or dropped, all that are meant at once; collection undo takes that back.

    Example: ccgrid collection doubts -o corrections.csv
    """
    if output is not None:
        check_free(output, CARDS, force=force)
    if outcome not in ("", "fuzzy", "missed"):
        raise typer.BadParameter(f"{outcome!r} is neither fuzzy nor missed", param_hint="--outcome")
    if accept and drop:
        raise typer.BadParameter("rows are confirmed or dropped, not both", param_hint="--dismiss")
    wanted = owned_cards.doubts.DoubtFilter(file, outcome, reason)
    settle: Literal["confirm", "dismiss", ""] = "confirm" if accept else "dismiss" if drop else ""
    found = confirmed(
        lambda sure: services.collection_files.doubts(database, wanted, output, waiting, settle, yes=sure),
        yes=yes,
        as_json=as_json,
    )
    if found.settled is not None:
        if as_json:
            show_json(found.settled.to_dict())
        else:
            view.import_report.show_settled(found.settled, confirmed=accept)
    elif as_json:
        show_json_lines(view.import_report.doubts_json(found.entries, found.files))
    elif output is None:
        with paged():
            view.import_report.show_all_doubts(found.entries, found.files)
    if output is not None:
        tell_written(output, f". Correct it, then: ccgrid collection import {output}")
