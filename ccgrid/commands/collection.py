"""Commands on what a person owns: add, remove, list, write files for other apps, take back."""

from pathlib import Path
from typing import Annotated

import typer

from catalog import collection as owned_cards
from catalog.card import NothingFoundError
from catalog.files import whole_file
from catalog.holding import Place
from ccgrid import services, terminal, view
from ccgrid.commands.completion import complete_written_formats
from ccgrid.commands.options import Database, Force, Games, Json, waiting
from ccgrid.commands.owned import (
    AnyCards,
    Box,
    Card,
    Condition,
    Copies,
    Finish,
    Language,
    Number,
    RowOption,
    SetCode,
    Slot,
    ToBox,
    ToRow,
    ToSlot,
    Yes,
    confirmed,
    opened,
)
from ccgrid.commands.paths import OUTPUT, is_stream
from ccgrid.services.outputs import CARDS, check_free
from ccgrid.terminal.choosing import asking
from ccgrid.view.output import remark, show, show_json, show_json_lines
from ccgrid.view.streams import paged, write_data

app = typer.Typer()


@app.command()
def add(
    card: Annotated[
        list[str] | None,
        typer.Argument(help="A card's name or id, or a line; with none, a session begins.", show_default=False),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option("--copies", "-n", min=1, help="How many copies.", show_default="1 where the words say none"),
    ] = None,
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
    """Add a card, or many in a session or from a pipe.

    In a session each line is a card: a number of the set (210), a name, 210x3 for three copies, 210f for a foil;
    undo takes the last one back, help tells the rest.

    Example: ccgrid collection add "4 Lightning Bolt (M10) *F*"
    """
    kind = owned_cards.edit.kind_of(finish, condition, language, Place(box, row, slot))
    with opened(database, games) as collection:
        if not card and not number:
            if terminal.entry.run_session(collection, tuple(games or ()), set_code, kind, as_json=as_json):
                raise typer.Exit(1)
            return
        added = services.collection.add(
            collection,
            " ".join(card or ()),
            copies,
            kind,
            set_code=set_code,
            number=number,
            games=games or (),
            choose=asking(as_json=as_json),
        )
    if as_json:
        show_json(added.holding.to_dict())
        return
    view.collection.show_added(added.holding, added.copies)
    if added.remark:
        remark(f"{added.remark} Name a set with --set.")
    elif added.others:
        printings = "1 more printing is" if added.others == 1 else f"{added.others} more printings are"
        remark(f"{printings} called so, with the same numbers. Name a set with --set.")


@app.command()
def remove(
    card: Card,
    copies: Annotated[
        int | None,
        typer.Option("--copies", "-n", min=1, help="How many copies.", show_default="1 where the words say none"),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every copy that fits.")] = False,
    yes: Yes = False,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Take copies of a card out of the collection.

    Example: ccgrid collection remove Lightning Bolt --copies 2
    """
    count, unsaid = (None, None) if everything else (copies, 1)
    with opened(database, games) as collection:
        plan = confirmed(
            lambda sure: owned_cards.edit.remove(
                collection, " ".join(card), count, games or (), unsaid=unsaid, yes=sure
            ),
            yes=yes,
            as_json=as_json,
        )
    if as_json:
        show_json_lines(view.collection.taken_json(plan))
        return
    view.collection.show_taken("Removed", plan)


@app.command("list")
def list_(query: AnyCards = None, games: Games = None, database: Database = None, as_json: Json = False) -> None:
    """List the cards you own.

    Example: ccgrid collection list 'box:"attic 2" sort:place'
    """
    text = " ".join(query or ())
    with opened(database, games) as collection:
        found = services.collection.listing(collection, text, games or ())
    if text and not found.holdings:
        raise NothingFoundError(f"The collection has nothing that answers {text!r}.")
    if as_json:
        show_json_lines(holding.to_dict() for holding in found.holdings)
        return
    with paged():
        view.collection.show_holdings(found.holdings)
    if found.doubts:
        remark(f"{found.doubts} rows of imported files are in doubt: ccgrid collection doubts")


@app.command()
def edit(
    card: Card,
    finish: Annotated[str | None, typer.Option("--finish", "-f", help="What it becomes: foil …")] = None,
    condition: Annotated[
        str | None, typer.Option("--condition", help="What it becomes: near-mint …; '' is not known.")
    ] = None,
    language: Annotated[str | None, typer.Option("--language", "-l", help="What it becomes: de …")] = None,
    note: Annotated[
        str | None, typer.Option("--note", help="What you want to know of these copies; '' takes it away.")
    ] = None,
    to_box: ToBox = None,
    to_row: ToRow = None,
    to_slot: ToSlot = None,
    copies: Copies = None,
    yes: Yes = False,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Change finish, condition, language, note or place of what you own.

    Copies that become alike are one entry; with --copies the others stay as they are.

    Example: ccgrid collection edit 'lightning bolt finish:normal' --copies 1 --condition lp --note signed
    """
    wanted = owned_cards.edit.Edit(finish, condition, language, note, to_box, to_row, to_slot)
    if all(part is None for part in wanted):
        raise typer.BadParameter("say what to change, such as --condition near-mint or --to-box Attic")
    with opened(database, games) as collection:
        plan = confirmed(
            lambda sure: owned_cards.edit.edit(collection, " ".join(card), wanted, copies, games or (), yes=sure),
            yes=yes,
            as_json=as_json,
        )
    if as_json:
        show_json_lines(view.collection.taken_json(plan))
        return
    view.collection.show_taken("Changed", plan, "in")


@app.command()
def export(
    query: AnyCards = None,
    form: Annotated[
        str,
        typer.Option("--format", help="jsonl, moxfield, deckbox, csv …", autocompletion=complete_written_formats),
    ] = "jsonl",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", click_type=OUTPUT, help="A file, in place of standard output.", show_default=False
        ),
    ] = None,
    force: Force = False,
    games: Games = None,
    lost: Annotated[
        Path | None,
        typer.Option(
            "--losses", click_type=OUTPUT, help="Write what is lost here, card by card, as a table.", show_default=False
        ),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Write the collection as other apps read it; say what is lost.

    Cards of other games go into a format of one game only if --game names them.

    Example: ccgrid collection export set:m10 --format moxfield -o moxfield.csv
    """
    if is_stream(lost) and output is None:
        raise typer.BadParameter("standard output has the cards: name a file for them with -o", param_hint="--losses")
    for path in (output, lost):
        if path is not None:
            check_free(path, CARDS, force=force)
    form, text = "jsonl" if as_json else form, " ".join(query or ())
    found, doubts = services.collection.written(form, text, games or (), database, waiting)
    if output is None:
        write_data(found.lines())
    else:
        with whole_file(output) as file:
            file.writelines(found.lines())
    if lost is not None:
        owned_cards.export.write_losses(lost, found.losses)
    if found.left_out():
        remark(f"Left out: {'; '.join(found.left_out())}.")
    if found.lost():
        remark(f"{found.form.title} does not keep: {'; '.join(found.lost())}.")
    if doubts:
        remark(f"{doubts:,} rows of imported files are still in doubt: ccgrid collection doubts")


@app.command()
def undo(database: Database = None, as_json: Json = False) -> None:
    """Take the last change to the collection back.

    Example: ccgrid collection undo
    """
    with opened(database) as collection:
        made, what = collection.undo()
    if as_json:
        show_json({"collection": what, "made": made})
        return
    show(f"Taken back: {what} ({made}).")


@app.command()
def redo(database: Database = None, as_json: Json = False) -> None:
    """Do again what was taken back last.

    Example: ccgrid collection redo
    """
    with opened(database) as collection:
        made, what = collection.redo()
    if as_json:
        show_json({"collection": what, "made": made})
        return
    show(f"Done again: {what} ({made}).")


@app.command()
def history(database: Database = None, as_json: Json = False) -> None:
    """List what was done to the collection, the last thing last.

    What was taken back stands at the end, until something else is changed.

    Example: ccgrid collection history
    """
    with opened(database) as collection:
        changes = collection.history()
    if as_json:
        show_json_lines(change.to_dict() for change in changes)
        return
    with paged():
        view.boxes.show_changes(changes)
