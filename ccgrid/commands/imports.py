"""The command `import`, and the commands on layouts."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import imports
from ccgrid.catalog.errors import CatalogError, NoSuchNameError, WrongKindError
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.sources import choose_layout, find_source
from ccgrid.commands.lazy import CommandModule
from ccgrid.commands.options import (
    Database,
    Json,
    Output,
    check_name_length,
    complete_layouts,
    complete_sources,
    waiting,
)
from ccgrid.commands.paths import INPUT, INPUT_OR_NAME, tell_written
from ccgrid.services.output_kinds import LAYOUT
from ccgrid.view.output import progress, remark, show, show_json
from ccgrid.view.streams import input_line, write_data

if TYPE_CHECKING:
    from ccgrid.catalog.imports.layout_draft import Draft, DraftField, Reading

app = CommandModule()

_LONGEST_TITLE = 24
"""The longest title for which a narrow terminal has room besides the progress."""


@app.command("import")
def import_(
    source: Annotated[
        str,
        typer.Argument(help="Which source, such as mtg; 'ccgrid sources' lists them.", autocompletion=complete_sources),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(**INPUT, help="A downloaded file, folder, zip or tarball.", show_default=False),
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", **INPUT, help="The same as PATH.", show_default=False)] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Download from this URL instead.", show_default=False)
    ] = None,
    layout: Annotated[
        Any,
        typer.Option(
            "--layout",
            metavar="PATH",
            **INPUT_OR_NAME,
            help="Another layout: a TOML file, or a name.",
            show_default=False,
            autocompletion=complete_layouts,
        ),
    ] = None,
    bulk: Annotated[
        str | None,
        typer.Option(
            "--bulk", help="Which file of the source, such as all_cards (every language).", show_default=False
        ),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Keep the cards that are not in the new data.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Allow removing any number of cards.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Import the cards of a game, from a public source or a file.

    A failed import changes nothing. Importing unchanged data takes no time.

    Example: ccgrid import mtg
    """
    if path is not None and file is not None and path != file:
        raise typer.BadParameter(f"give one file, not both {path} and {file}")
    path = path or file
    if path is not None and (url is not None or bulk is not None):
        raise typer.BadParameter("--url and --bulk are for downloads: leave them out with a file")
    if url is not None:
        from ccgrid.catalog.download.errors import AddressError
        from ccgrid.catalog.download.hosts import check_address

        try:
            check_address(url)
        except AddressError as error:
            raise typer.BadParameter(str(error), param_hint="--url") from None
    request = ImportRequest(
        find_source(source), path, url, layout, bulk, keep_missing=add, force=force, dry_run=dry_run
    )
    called = request.source.title if len(request.source.title) <= _LONGEST_TITLE else request.source.name
    with progress(called, unit="bytes") as report:
        done = services.imports.import_cards(
            request,
            database,
            progress=lambda doing, done, total: report(done, total, doing.lower()),
            waiting=waiting,
        )
    view.reports.show_import_remarks(done.summary)
    if done.changed_own:
        remark(
            f"{counted(done.changed_own, 'entry', 'entries')} of your cards changed. "
            "To see them: ccgrid collection verify"
        )
    if as_json:
        show_json(done.summary)
        return
    view.reports.show_import(done.summary, dry_run=dry_run)


@app.command()
def check(
    file: Annotated[
        Any,
        typer.Argument(
            **INPUT_OR_NAME, help="A layout: a TOML file, or the name of one.", autocompletion=complete_layouts
        ),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", **INPUT, help="A data file to read with it.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a layout, and show what it reads from data.

    Nothing is stored.

    Example: ccgrid layout check my.toml --data my.csv
    """
    try:
        layout = choose_layout(file)
    except (NoSuchNameError, WrongKindError):
        raise
    except CatalogError as error:
        if isinstance(error.__context__, OSError):  # such as no such file
            raise
        if as_json:
            show_json(services.layouts.WrongLayout(ok=False, error=str(error)))
        else:
            show(str(error))
        raise typer.Exit(1) from None
    trial, skipped = imports.layout_trial.try_layout(layout, data) if data else (None, {})
    if as_json:
        show_json(services.layouts.checked_layout(layout, trial))
        return
    for sentence in trial.remarks if trial else ():
        remark(sentence)
    view.card.show_layout(layout, trial, skipped)


@app.command()
def new(
    data: Annotated[
        Path,
        typer.Argument(
            **INPUT,
            help="CSV, TSV, JSON or JSON Lines, a LackeyCCG plugin or OCTGN's sets: a folder, a zip.",
        ),
    ],
    game: Annotated[
        str | None, typer.Option("--game", help="Short name of the game: spellfire.", show_default=False)
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", help="Full name of the game.", show_default=False, callback=check_name_length),
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            "--rows",
            help="Where the cards are in JSON: cards, or sets.*.cards.",
            show_default=False,
            callback=check_name_length,
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="FIELD=ZONE",
            help="Zone of a field, and how to read it: No=br, No=br:collector:last. Repeatable.",
            show_default=False,
        ),
    ] = None,
    *,
    to: Annotated[Output, "Write the layout to this .toml file."],
    keep: Annotated[bool, typer.Option("--keep", help="Save it in your layouts folder.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Start a layout from the fields of a data file.

    At a terminal it asks where each field is printed, unless --at says so. To remove a layout from your
    folder: ccgrid undo

    Example: ccgrid layout new my.csv --game dragons --at Cost=top-left --at No=bottom-right -o dragons.toml
    """
    output = to.output
    if keep and output is not None:
        raise typer.BadParameter("give --keep or --output, not both")
    to.check(LAYOUT)
    asks = at is None and not as_json and sys.stdin.isatty()
    draft = imports.layout_draft.examine(data, rows)
    for sentence in view.card.draft_in_words(draft):
        remark(sentence)
    if asks and draft.left and draft.rows and (answer := _answer("Where are the cards?", draft.rows)) != draft.rows:
        draft = imports.layout_draft.examine(data, answer)
    named = dict(_read_places(draft, at or ()))
    zones, reads = {path: zone for path, (zone, _) in named.items()}, {path: how for path, (_, how) in named.items()}
    game = game or imports.layout_draft.game_name(data.name)
    if asks:
        game = _answer("A short name for the game", game)
    if keep:
        output = services.layouts.new_layout_file(game)
    if asks:
        title = _answer("What is it called?", title or game.title())
    if asks:
        zones = dict(terminal.entry.ask_zones(draft, _ask, remark))
    text = services.layouts.draft_text(
        draft, game, title or game.title(), zones, {path: how for path, how in reads.items() if how[0]}
    )
    if output is not None:
        services.layouts.write_layout(output, text, database, waiting)
    if as_json:
        file = None if output is None else str(output)
        show_json(services.layouts.DraftedLayout(game=game, file=file, zones=zones, layout=text))
        return
    if output is None:
        write_data(text.splitlines(keepends=True))
        return
    tell_written(output, f". To try it: ccgrid layout check {shell_word(output)} --data {shell_word(data)}")


def _read_places(draft: "Draft", texts: Sequence[str]) -> "Iterator[tuple[str, tuple[str, Reading]]]":
    """Yield the zone and reading of each field in the options `--at`."""
    for word in texts:
        name, equals, zone = word.rpartition("=")
        if not equals or (found := services.layouts.zone_and_reading(zone)) is None:
            raise typer.BadParameter(
                f"{word!r} is not FIELD=ZONE, with a zone such as top-left, face or none,"
                " or FIELD=ZONE:collector:PART, with first, last or a number"
            )
        yield draft.find_field(name).path, found


def _ask(field: "DraftField") -> str:
    return input_line(f"{view.card.field_in_words(field)}: ", stderr=True)


def _answer(question: str, usual: str) -> str:
    """Ask a question on standard error, since the layout may be on standard output; Enter selects the default."""
    return input_line(f"{question} [{usual}]: ", stderr=True) or usual
