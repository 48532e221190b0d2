"""Commands on what a person owns: bring files in, add, remove, list, write files, find the box."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ccgrid.commands.options import Database, Games, Json
from ccgrid.commands.owned import (
    Box,
    Card,
    Condition,
    Finish,
    Language,
    Number,
    RowOption,
    SetCode,
    Slot,
    opened,
    selection,
)

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
    from catalog.collection import imports as collection_import
    from catalog.collection.corrections import write_corrections
    from catalog.collection.formats import find_format
    from catalog.collection.formats.tables import parse_map
    from catalog.holding import Place
    from ccgrid.view.collection import show_report
    from ccgrid.view.output import remark, show_json

    if on_error not in ("skip", "stop"):
        raise typer.BadParameter(f"{on_error!r} is neither skip nor stop", param_hint="--on-error")
    with _readable(file) as path, opened(database) as collection:
        order = collection_import.CollectionImport(
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
        report = collection_import.run(order, collection, remark)
        if corrections is not None:
            write_corrections(corrections, report.entries, collection, numbered=not dry_run)
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
    from catalog.collection.imports import spooled

    with spooled(sys.stdin.buffer, "standard input") as path:
        yield path


@app.command()
def add(
    card: Annotated[
        list[str] | None,
        typer.Argument(help="A card's name or id; with none, a session begins.", show_default=False),
    ] = None,
    copies: Annotated[int, typer.Option("--copies", "-n", min=1, help="How many copies.")] = 1,
    games: Games = None,
    set_code: SetCode = "",
    number: Number = "",
    finish: Finish = "",
    condition: Condition = "",
    language: Language = "",
    box: Box = "",
    row: RowOption = "",
    slot: Slot = "",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Add a card, or many in a session at the keyboard or from a pipe.

    In a session each line is a card: a number of the set (210), a name, 210x3 for three copies, 210f for a foil;
    undo takes the last one back, help tells the rest.

    Example: ccgrid collection add -g mtg -s m10
    """
    from catalog.collection.edit import add as add_card
    from catalog.collection.edit import find_card, kind_of
    from catalog.holding import Place
    from ccgrid.view.collection import show_added
    from ccgrid.view.output import remark, show_json

    kind = kind_of(finish, condition, language, Place(box, row, slot))
    with opened(database) as collection:
        if not card and not number:
            from ccgrid.terminal.entry import run_session

            if run_session(collection, tuple(games or ()), set_code, kind, as_json=as_json):
                raise typer.Exit(1)
            return
        match = find_card(
            collection,
            " ".join(card or ()),
            set_code=set_code,
            number=number,
            games=tuple(games or ()),
            language=kind.language,
        )
        assert match.card is not None  # noqa: S101  an exact match has a card
        kind = add_card(collection, match.card, copies, kind)
        holding = collection.holding(match.card.id, kind)
    assert holding is not None  # noqa: S101  it was added just now
    if as_json:
        show_json(holding.to_dict())
        return
    show_added(holding, copies)
    if match.others:
        remark(f"{match.others} more printings are called so; this is the earliest. Name a set with --set.")


@app.command()
def remove(
    card: Card,
    copies: Annotated[int, typer.Option("--copies", "-n", min=1, help="How many copies.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="Every copy that fits.")] = False,
    games: Games = None,
    set_code: SetCode = "",
    number: Number = "",
    finish: Finish = "",
    condition: Condition = "",
    language: Language = "",
    box: Box = "",
    row: RowOption = "",
    slot: Slot = "",
    database: Database = None,
) -> None:
    """Take copies of a card out of the collection.

    Example: ccgrid collection remove Lightning Bolt --copies 2
    """
    from catalog.collection.edit import remove as remove_copies
    from ccgrid.view.collection import show_taken

    chosen = selection(
        card,
        games,
        set_code=set_code,
        number=number,
        finish=finish,
        condition=condition,
        language=language,
        box=box,
        row=row,
        slot=slot,
    )
    with opened(database) as collection:
        plan = remove_copies(collection, chosen, None if everything else copies)
    show_taken("Removed", plan)


@app.command("list")
def list_(
    words: Annotated[list[str] | None, typer.Argument(help="An id, or words of a name.", show_default=False)] = None,
    games: Games = None,
    set_code: SetCode = "",
    number: Number = "",
    finish: Finish = "",
    condition: Condition = "",
    language: Language = "",
    box: Box = "",
    row: RowOption = "",
    slot: Slot = "",
    unplaced: Annotated[bool, typer.Option("--unplaced", help="Only cards that are in no box.")] = False,
    sort: Annotated[str, typer.Option("--sort", help="name, set, copies, place or game.")] = "name",
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the cards you own.

    Example: ccgrid collection list --box "Attic 2" --sort place
    """
    from catalog.collection.edit import SORTS, select
    from ccgrid.view.collection import show_holdings
    from ccgrid.view.output import remark, show_json

    if sort not in SORTS:
        raise typer.BadParameter(f"{sort!r} is no order; there are {', '.join(SORTS)}", param_hint="--sort")
    chosen = selection(
        words,
        games,
        set_code=set_code,
        number=number,
        finish=finish,
        condition=condition,
        language=language,
        box=box,
        row=row,
        slot=slot,
    )
    with opened(database) as collection:
        found = [one for one in select(collection, chosen, sort) if not (unplaced and any(one.place))]
        doubts = collection.count_doubts()
    if as_json:
        for holding in found:
            show_json(holding.to_dict())
        return
    show_holdings(found)
    if doubts:
        remark(f"{doubts} rows of imported files are in doubt: ccgrid collection doubts")


@app.command()
def export(
    form: Annotated[str, typer.Option("--format", help="jsonl, moxfield, deckbox, csv …")] = "jsonl",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file, in place of standard output.", show_default=False)
    ] = None,
    games: Games = None,
    set_code: SetCode = "",
    box: Box = "",
    database: Database = None,
) -> None:
    """Write the collection as other apps read it; say what is lost.

    Example: ccgrid collection export --format moxfield -o moxfield.csv
    """
    from catalog.collection.edit import select
    from catalog.collection.export import find_writer, lines, losses
    from catalog.files import whole_file
    from ccgrid.view.output import remark

    writer = find_writer(form)
    chosen = selection(None, games, set_code=set_code, box=box)
    with opened(database) as collection:
        found = select(collection, chosen, "set")
    lost = losses(writer, found)
    if output is None:
        sys.stdout.writelines(lines(writer, found))
    else:
        with whole_file(output) as file:
            file.writelines(lines(writer, found))
    if lost:
        remark(f"{writer.title} does not keep: {'; '.join(lost)}.")


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
    from catalog.collection.corrections import entries_in_doubt, write_corrections
    from ccgrid.view.collection import show_doubts
    from ccgrid.view.output import remark, show_json

    with opened(database) as collection:
        found = entries_in_doubt(collection)
        if output is not None:
            write_corrections(output, found, collection, numbered=True)
    if as_json:
        for entry in found:
            show_json(entry.to_dict())
    elif output is None:
        show_doubts(found)
    if output is not None:
        remark(f"Written to {output}. Correct it, then: ccgrid collection import {output}")


@app.command()
def undo(database: Database = None) -> None:
    """Take the last change to the collection back.

    Example: ccgrid collection undo
    """
    from ccgrid.view.output import show

    with opened(database) as collection:
        made, what = collection.undo()
    show(f"Taken back: {what} ({made}).")
