"""Commands on owned copies: add, remove, list, edit, import and export."""

from dataclasses import replace as replace_in
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.errors import NotFoundError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.commands.copy_options import (
    Card,
    Copies,
    CopyOptions,
    Destination,
    Number,
    PlaceOptions,
    SetCode,
    Yes,
    change_copies,
    open_collection,
    write_export,
)
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    AnyCards,
    Database,
    Force,
    Games,
    Json,
    Output,
    complete_card,
    complete_formats,
    complete_written_formats,
    waiting,
    with_confirmation,
)
from ccgrid.commands.paths import INPUT, OUTPUT, is_stream, tell_written
from ccgrid.services.files import check_free
from ccgrid.services.output_kinds import CARDS, CORRECTIONS, LOSSES
from ccgrid.view.output import progress, remark, show_json, show_json_lines
from ccgrid.view.streams import can_ask

if TYPE_CHECKING:
    from ccgrid.catalog.collection.doubts import ImportReport
    from ccgrid.catalog.collection.imports import CollectionImport

app = CommandModule()


@app.command()
def add(
    card: Annotated[
        list[str] | None,
        typer.Argument(
            help="A card's name or id, with copies if you like; without it a session starts.",
            show_default=False,
            autocompletion=complete_card,
        ),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option("--copies", "-n", min=1, help="Number of copies.", show_default="1"),
    ] = None,
    games: Games = None,
    set_code: SetCode = "",
    number: Number = "",
    *,
    like: CopyOptions,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Add one card, or many in a session or from a pipe.

    In a session type one card per line: a collector number (210), a name, 210x3 for three copies, 210f for a foil.
    undo removes the last card; help lists the rest.

    Example: ccgrid collection add "4 Lightning Bolt (M10) *F*"
    """
    kind = owned_cards.edit.copy_key(like.finish, like.condition, like.language, like.where.place())
    words = " ".join(card or ())
    services.collection.check_typed_copies(words)  # an error also if there is no catalogue
    with open_collection(database, games) as collection:
        if not card and not number:
            if terminal.entry.run_session(collection, tuple(games or ()), set_code, kind, as_json=as_json):
                raise typer.Exit(1)
            return
        added = services.collection.add(
            collection,
            words,
            copies,
            kind,
            set_code=set_code,
            number=number,
            games=games or (),
            choose=terminal.choosing.interactive_chooser(as_json=as_json),
        )
    if as_json:
        show_json(owned_cards.owned_copies.all_copies([added.holding])[0])
        return
    view.collection.show_added(added.holding, added.copies)
    if added.remark:
        remark(f"{added.remark} Name a set with --set.")
    elif added.others:
        printings = "1 more printing has" if added.others == 1 else f"{added.others} more printings have"
        remark(f"{printings} this name and the same numbers. Name a set with --set.")


@app.command()
def remove(
    card: Card,
    copies: Annotated[
        int | None,
        typer.Option("--copies", "-n", min=1, help="Number of copies.", show_default="1"),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every matching copy.")] = False,
    yes: Yes = False,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Remove copies of a card.

    Example: ccgrid collection remove Lightning Bolt --copies 2
    """
    if copies and everything:
        raise typer.BadParameter("--copies or --all, not both")
    count, unsaid = (None, None) if everything else (copies, 1)
    change_copies(
        lambda collection, sure: owned_cards.edit.remove_copies(
            collection, " ".join(card), count, games or (), unsaid=unsaid, yes=sure
        ),
        lambda plan: view.collection.show_taken("Removed", plan),
        database,
        games,
        yes=yes,
        as_json=as_json,
    )


@app.command("list")
def list_(query: AnyCards = None, games: Games = None, database: Database = None, as_json: Json = False) -> None:
    """List the cards you own.

    Example: ccgrid collection list 'box:"attic 2" sort:place'
    """
    text = " ".join(query or ())
    with open_collection(database, games) as collection:
        found = owned_cards.selection.select_holdings(collection, text, games or ())
        doubts = collection.count_doubts()
        cards = collection.store.cards(list(dict.fromkeys(one.card_id for one in found)))
    reasons = {card.id: None if card.legal else card.reason or "barred" for card in cards}
    if text and not found:
        raise NotFoundError(f"No card in the collection matches {text!r}.", kind="card", name=text)
    if as_json:
        show_json_lines(owned_cards.owned_copies.listed_copies(found, reasons))
        return
    view.collection.show_holdings(found, reasons)
    if doubts:
        remark(f"In doubt: {counted(doubts, 'row')} of imported files; see ccgrid collection doubts")


class EditOptions(NamedTuple):
    """New values of copies; None keeps a value."""

    finish: Annotated[str | None, typer.Option("--finish", "-f", help="New finish: foil …")] = None
    condition: Annotated[
        str | None, typer.Option("--condition", help="New condition: near-mint …; '' for unknown.")
    ] = None
    language: Annotated[str | None, typer.Option("--language", "-l", help="New language: de …")] = None
    note: Annotated[str | None, typer.Option("--note", help="New note; '' clears it.")] = None


class DetailOptions(NamedTuple):
    """New details of copies; None keeps a detail."""

    acquired: Annotated[str | None, typer.Option("--acquired", help="When you got them: 2024-05-31.")] = None
    price: Annotated[str | None, typer.Option("--price", help="What one copy cost you: 1.50, '1.50 EUR'.")] = None
    tags: Annotated[list[str] | None, typer.Option("--tag", help="New tags, in place of the old; repeatable.")] = None
    signed: Annotated[bool | None, typer.Option("--signed/--no-signed", help="Whether they are signed.")] = None
    altered: Annotated[bool | None, typer.Option("--altered/--no-altered", help="Whether they are altered.")] = None
    proxy: Annotated[bool | None, typer.Option("--proxy/--no-proxy", help="Whether they are proxies.")] = None
    for_trade: Annotated[
        bool | None, typer.Option("--for-trade/--no-for-trade", help="Whether you would trade them.")
    ] = None
    grade: Annotated[str | None, typer.Option("--grade", help="Who graded them, and how: 'PSA 9'.")] = None
    own: Annotated[
        list[str] | None, typer.Option("--own", help="HEADING=TEXT for a column of your own; repeatable.")
    ] = None


@app.command()
def edit(
    card: Card,
    *,
    change: EditOptions,
    known: DetailOptions,
    to: Destination,
    copies: Copies = None,
    yes: Yes = False,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Change finish, place, note and other details of cards.

    With --copies only that many copies change. Copies that become alike are merged.

    Example: ccgrid collection edit 'lightning bolt finish:normal' --copies 1 --condition lp --note signed
    """
    many = {name: None if (texts := getattr(known, name)) is None else tuple(texts) for name in ("tags", "own")}
    wanted = owned_cards.edit.Edit(*change, *to, owned_cards.edit.DetailEdit(**{**known._asdict(), **many}))
    if wanted == owned_cards.edit.Edit():
        raise typer.BadParameter("name a change, such as --condition near-mint or --to-box Attic")
    change_copies(
        lambda collection, sure: owned_cards.edit.edit_copies(
            collection, " ".join(card), wanted, copies, games or (), yes=sure
        ),
        lambda plan: view.collection.show_taken("Changed", plan, "in"),
        database,
        games,
        yes=yes,
        as_json=as_json,
    )


@app.command()
def export(
    query: AnyCards = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="jsonl, moxfield, deckbox, csv …",
            show_default="the ending of -o, else jsonl",
            autocompletion=complete_written_formats,
        ),
    ] = "",
    *,
    to: Annotated[Output, "Write to this file: .jsonl, .json, .csv, .xlsx, .txt or .cod."],
    games: Games = None,
    lost: Annotated[
        Path | None,
        typer.Option(
            "--losses",
            **OUTPUT,
            help="Write what is lost to this .csv file, card by card.",
            show_default=False,
        ),
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Export the collection for another app; report what is lost.

    Cards of other games go into a format of one game only if --game names them.

    Example: ccgrid collection export set:m10 --format moxfield -o moxfield.csv
    """
    output = to.output
    if is_stream(lost) and output is None:
        raise typer.BadParameter(
            "the cards are on standard output: name a file for them with -o", param_hint="--losses"
        )
    written = services.collection.written_format(form, output, "jsonl", as_json=as_json)
    to.check(CARDS)
    if lost is not None:
        check_free(lost, LOSSES, force=to.force)
    text = " ".join(query or ())
    found, doubts = services.collection.export_holdings(
        written, text, games or (), database, waiting, is_named=bool(form)
    )
    write_export(found, output)
    if lost is not None:
        owned_cards.export.write_losses(lost, found.losses)
    if found.lost():
        remark(f"{found.form.title} does not keep: {'; '.join(found.lost())}.")
    if doubts:
        remark(f"Still uncertain: {counted(doubts, 'row')} of imported files; see ccgrid collection doubts")


class ImportWay(NamedTuple):
    """What is done with the rows of a file that are doubtful, that fail, or that were imported before."""

    any_printing: Annotated[
        bool,
        typer.Option("--any-printing", help="Fall back to another printing if the right one is missing (reported)."),
    ] = False
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")] = False
    again: Annotated[bool, typer.Option("--again", help="Add the cards of this file a second time.")] = False
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="The file is now the truth: for --box, else for the file it updates, else for the whole collection.",
        ),
    ] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --replace: do not ask before removing the rest.")] = (
        False
    )
    partial: Annotated[
        bool, typer.Option("--partial", help="Import a list even if fewer than half of its rows match a card.")
    ] = False
    on_error: Annotated[
        str,
        typer.Option("--on-error", metavar="skip|stop", help="What to do with rows that fail; stop changes nothing."),
    ] = "skip"

    def check(self) -> None:
        """Check that the options do not contradict each other; raise a usage error if they do."""
        if self.on_error not in ("skip", "stop"):
            raise typer.BadParameter(f"{self.on_error!r} is neither skip nor stop", param_hint="--on-error")
        if self.again and self.replace:
            raise typer.BadParameter("--again adds the file, --replace replaces: choose one", param_hint="--replace")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(**INPUT, help="A file exported by another app.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="Format of the file, if it is not detected.",
            show_default=False,
            autocompletion=complete_formats,
        ),
    ] = "",
    columns: Annotated[str, typer.Option("--map", help="FIELD=HEADING,… for your own table.", show_default=False)] = "",
    games: Games = None,
    *,
    where: PlaceOptions,
    way: ImportWay,
    corrections: Annotated[
        Path | None,
        typer.Option(
            "--corrections",
            **OUTPUT,
            help="Write the doubtful rows to this .csv file, to correct and import.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Import a file that another app exported.

    The format is detected from the content. Each row is matched by id, then by set and number, then by name; uncertain
    rows are listed, and add nothing until you confirm them. Importing the same file again changes nothing. A newer
    export of the same cards is recognised by its rows: --replace applies the differences, --again adds all cards again.

    Example: ccgrid collection import moxfield.csv --dry-run
    """
    way.check()
    if corrections is not None:
        check_free(corrections, CORRECTIONS, force=force)
    request = owned_cards.imports.CollectionImport(
        file,
        file.name,
        owned_cards.formats.find_format(form) if form else None,
        owned_cards.formats.parse_map(columns) if columns else None,
        tuple(games or ()),
        where.place(),
        way.any_printing,
        way.again,
        way.replace,
        way.yes,
        way.on_error == "stop",
        way.partial,
        way.dry_run,
    )
    imported = partial(_import_file, database=database, corrections=corrections)
    try:
        try:
            report = imported(request)
        except owned_cards.formats.UnclearCopiesError as error:
            chosen = None if as_json else terminal.entry.ask_for_copies(error)
            if chosen is None:
                raise
            request = replace_in(request, columns={**(request.columns or {}), "copies": chosen})
            report = imported(request)
    except owned_cards.newer.RepeatedError as error:
        answer = None if as_json else terminal.entry.ask_what_to_do(error)
        if answer is None:
            raise
        again, replace = answer == "again", answer == "replace"
        report = imported(replace_in(request, again=again, replace=replace))
    except owned_cards.newer.ReplacesAllError as error:
        if as_json or not terminal.entry.ask_whether_all_rows_are_added(error):
            raise
        report = imported(replace_in(request, everything=True))
    except owned_cards.imports.PartialError as error:
        _show_import(error.report, None, as_json=as_json)
        raise
    _show_import(report, corrections, as_json=as_json)
    left = report.open
    if not (as_json or way.dry_run or corrections):
        left -= _ask_about_doubts(report, database)
    if left:
        raise typer.Exit(1)


def _show_import(report: "ImportReport", corrections: Path | None, *, as_json: bool) -> None:
    if as_json:
        show_json(report.answer())
    else:
        view.collection_imports.show_report(report, corrections)


def _ask_about_doubts(report: "ImportReport", database: Path | None) -> int:
    """Ask at a terminal which cards the fuzzy rows of a report are, and return how many were settled."""
    if not can_ask():
        return 0
    fuzzy = [entry for entry in report.entries if entry.outcome == "fuzzy" and entry.doubt is not None]
    rows, _ = services.collection_imports.open_doubts(database, len(fuzzy), fuzzy)
    choices = terminal.choosing.ask_about_rows([(one.row, one.candidates) for one in rows if one.candidates])
    if not choices:
        return 0
    settled = services.collection_imports.settle_doubts(database, choices)
    view.collection_imports.show_settled(settled, "confirmed or forgotten")
    return settled.rows


def _import_file(request: "CollectionImport", *, database: Path | None, corrections: Path | None) -> "ImportReport":
    with progress(request.name) as report:
        return services.collection_imports.import_file(
            request, database, corrections=corrections, remark=remark, waiting=waiting, progress=report
        )


@app.command()
def doubts(
    file: Annotated[str, typer.Option("--file", help="Only rows of this imported file.", show_default=False)] = "",
    outcome: Annotated[
        str, typer.Option("--outcome", metavar="fuzzy|missed", help="Only fuzzy or missed rows.", show_default=False)
    ] = "",
    reason: Annotated[
        str, typer.Option("--reason", help="Only rows whose reason contains this.", show_default=False)
    ] = "",
    accept: Annotated[
        bool,
        typer.Option(
            "--confirm",
            "--accept",
            help="Add fuzzy rows as the cards named; with --outcome missed, a single candidate.",
        ),
    ] = False,
    drop: Annotated[
        bool, typer.Option("--dismiss", "--drop", help="Forget these rows: nothing is added for them.")
    ] = False,
    *,
    to: Annotated[Output, "Write them to this .csv file, to correct and import."],
    yes: Yes = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the imported rows without a certain match, for which nothing was added.

    Confirm or dismiss many at once; ccgrid undo undoes that.

    Example: ccgrid collection doubts -o corrections.csv
    """
    output = to.output
    to.check(CORRECTIONS)
    if outcome not in ("", "fuzzy", "missed"):
        raise typer.BadParameter(f"{outcome!r} is neither fuzzy nor missed", param_hint="--outcome")
    if accept and drop:
        raise typer.BadParameter("--confirm or --dismiss, not both", param_hint="--dismiss")
    wanted = owned_cards.doubts.DoubtFilter(file, outcome, reason)
    settle: Literal["confirm", "dismiss", ""] = "confirm" if accept else "dismiss" if drop else ""
    found = with_confirmation(
        lambda sure: services.collection_imports.doubts(database, wanted, output, waiting, settle, yes=sure),
        yes=yes,
        as_json=as_json,
    )
    if found.settled is not None:
        if as_json:
            show_json(found.settled.answer())
        else:
            view.collection_imports.show_settled(found.settled, "confirmed" if accept else "dismissed")
    elif as_json:
        show_json_lines(owned_cards.doubts.uncertain_rows(found.entries, found.files))
    elif output is None:
        view.collection_imports.show_all_doubts(found.entries, found.files)
    if output is not None:
        tell_written(output, f". Correct it, then: ccgrid collection import {shell_word(output)}")
