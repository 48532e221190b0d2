"""Commands on sets that are not whole, wants, spares and trades; part of `ccgrid collection`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ccgrid import pages, services, terminal, view
from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.files import ending_of, write_atomically
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.holding import Holding
from ccgrid.commands.copy_options import open_collection, write_export
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import AnyCards, Database, Games, Json, Output, complete_sets, complete_written_formats
from ccgrid.commands.paths import INPUT, tell_written
from ccgrid.pages.sheet_cards import PAPERS
from ccgrid.services.output_kinds import CARDS, PAGE, PDF, OutputKind
from ccgrid.view.output import remark, show_json, show_json_lines

app = CommandModule()


class ListOptions(NamedTuple):
    """Where a list of cards is written to, and how."""

    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="Format of the list: text, csv, moxfield …",
            show_default=False,
            autocompletion=complete_written_formats,
        ),
    ] = ""
    file: Annotated[
        Output, "Write the list to this file: .txt, .csv, .json, .jsonl, .xlsx, .cod; .html or .pdf to print it."
    ] = Output()

    @property
    def is_written(self) -> bool:
        """Whether the list is to be written instead of shown."""
        return bool(self.form) or self.file.output is not None

    @property
    def kind(self) -> OutputKind:
        """The kind of the output: a list of cards, or a printable page."""
        ending = "" if self.form else ending_of(self.file.output)
        return {".html": PAGE, ".pdf": PDF}.get(ending, CARDS)

    def check(self, *, as_json: bool) -> None:
        """Raise CatalogError if the list cannot be written to this file."""
        if self.kind is CARDS and not self.form:
            services.collection.written_format("", self.file.output, "arena", as_json=as_json)
        self.file.check(self.kind)


PLAYSET = "playset"
Keep = Annotated[
    str,
    typer.Option("--keep", help="Copies of each to keep; 'playset': as many as a deck may have."),
]
Printings = Annotated[bool, typer.Option("--printings", help="Compare printings, not names.")]
SetNames = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SET]...", help="Codes or names of sets.", autocompletion=complete_sets),
]


@app.command("sets")
def sets_(
    sets: SetNames = None,
    missing: Annotated[bool, typer.Option("--missing", help="List what is missing, by number.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Also sets you own nothing of.")] = False,
    *,
    to: ListOptions,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show how much of each set you own, and what is missing.

    Sets are counted by collector numbers, or by names if there are none. --format or -o writes the missing cards as a
    want list.

    Example: ccgrid collection sets m10 --missing
    """
    to.check(as_json=as_json)
    named = tuple(sets or ())
    with open_collection(database, games) as collection:
        counts = owned_cards.wanted.counts(collection, named, games or (), every=every)
        lacks = missing or to.is_written
        wanted = owned_cards.wanted.missing(collection, named, games or (), every=every) if lacks else []
    if to.is_written:
        _write_list(wanted, "Missing", to, as_json=as_json)
    elif as_json:
        show_json_lines(owned_cards.owned_copies.all_copies(wanted) if missing else counts)
    elif missing:
        view.collection.show_missing(counts, wanted)
    else:
        view.collection.show_sets(counts)


@app.command()
def wants(
    lists: Annotated[
        list[Path] | None,
        typer.Argument(**INPUT, metavar="[LIST]...", help="Decks or want lists.", show_default=False),
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", help="Also what you lack of this set. Repeatable.", autocompletion=complete_sets),
    ] = None,
    *,
    to: ListOptions,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the cards you need for decks, want lists and sets.

    Without a list or a set, it lists what is missing from every set you have cards of.

    Example: ccgrid collection wants deck.toml --set m10 --format text -o wants.txt
    """
    to.check(as_json=as_json)
    choices = services.choices.Choices(terminal.choosing.interactive_chooser(as_json=as_json))
    with open_collection(database, games) as collection:
        wanted, unknown = services.deck_files.want_list(collection, lists or (), sets or (), games or (), choices)
    terminal.choosing.show_choices(choices)
    for problem in unknown:
        remark(f"Unknown: {problem.reason}")
    _show_list(wanted, "Wanted", to, as_json=as_json)


@app.command()
def spares(
    query: AnyCards = None,
    keep: Keep = "1",
    printings: Printings = False,
    *,
    to: ListOptions,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """List the copies you can spare.

    It keeps copies out in decks, and the best of the others.

    Example: ccgrid collection spares --keep playset --format csv -o spares.csv
    """
    staying = _copies_to_keep(keep)
    to.check(as_json=as_json)
    with open_collection(database, games) as collection:
        found = owned_cards.wanted.spares(collection, staying, " ".join(query or ()), games or (), printings=printings)
    _show_list(found, "To spare", to, as_json=as_json)


@app.command()
def trade(
    other: Annotated[Path, typer.Argument(**INPUT, help="Someone's collection or want list, in any format.")],
    keep: Keep = "1",
    printings: Printings = False,
    wants_: Annotated[bool, typer.Option("--wants", help="The file lists what they want, not what they own.")] = False,
    *,
    to: ListOptions,
    games: Games = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Compare your spares with someone's list: what could you trade?

    --keep counts for both sides. --format or -o writes what you could give.

    Example: ccgrid collection trade bob.csv --keep 4
    """
    staying = _copies_to_keep(keep)
    to.check(as_json=as_json)
    with open_collection(database, games) as collection:
        found = owned_cards.wanted.trade(
            collection, other, staying, games or (), printings=printings, wants=wants_, remark=remark
        )
    if found.unknown:
        remark(f"{other.name}: no certain match for {counted(found.unknown, 'row')}.")
    if to.is_written:
        _write_list(found.give, f"For {other.stem}", to, as_json=as_json)
    elif as_json:
        show_json(found.answer())
    else:
        view.collection.show_trade(found.give, None if wants_ else found.take)


def _copies_to_keep(keep: str) -> int | None:
    """Return how many copies of each card are kept, or None for a playset of each game."""
    if keep.casefold() == PLAYSET:
        return None
    if not (keep.isascii() and keep.isdigit() and len(keep) < 8):
        raise typer.BadParameter(f"{keep!r} is neither a number nor 'playset'", param_hint="--keep")
    return int(keep)


def _show_list(found: Sequence[Holding], title: str, to: ListOptions, *, as_json: bool) -> None:
    """Show a list, or write it to the requested file."""
    if to.is_written:
        _write_list(found, title, to, as_json=as_json)
    elif as_json:
        show_json_lines(owned_cards.owned_copies.all_copies(found))
    else:
        view.collection.show_holdings(found)


def _write_list(found: Sequence[Holding], title: str, to: ListOptions, *, as_json: bool) -> None:
    """Write a list in a format that apps read, by default as text, or as a printable page."""
    output = to.file.output
    kind = to.kind
    if kind is not CARDS and output is not None:
        text = pages.sheet.copies_sheet(title, found, PAPERS[0])
        write_atomically(output, pages.sheet.to_pdf(text) if kind is PDF else text)
        tell_written(output)
        return
    form = to.form or services.collection.written_format("", output, "arena", as_json=as_json)
    writer = owned_cards.export.find_writer(form)
    write_export(owned_cards.export.export(writer, found, tuple({one.game for one in found})), output)
