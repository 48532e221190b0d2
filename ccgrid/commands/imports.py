"""The command `import`, and the commands on layouts."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccgrid import services, terminal, view
from ccgrid.catalog import imports, layouts
from ccgrid.catalog.card_ids import card_game
from ccgrid.catalog.errors import CatalogError, NoSuchNameError, WrongKindError
from ccgrid.catalog.files import write_atomically
from ccgrid.catalog.formatting import counted, shell_word
from ccgrid.catalog.imports.run import ImportRequest
from ccgrid.catalog.sources import find_source
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
from ccgrid.services.output_kinds import LAYOUT, PATCH
from ccgrid.view.output import progress, remark, show, show_json
from ccgrid.view.streams import input_line, write_data

if TYPE_CHECKING:
    from ccgrid.catalog.imports.layout_draft import Draft, DraftField
    from ccgrid.catalog.imports.layout_places import Reading

app = CommandModule()

_LONGEST_TITLE = 24
"""The longest title for which a narrow terminal has room besides the progress."""
_MOST_FIELDS = 10
"""The most fields in a sentence."""


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
    if path is None and services.imports.is_patch_name(source):
        if layout is not None or url is not None or bulk is not None or add or force:
            raise typer.BadParameter("a patch takes no option but --dry-run, --db and --json")
        patched = services.patches.import_patch(Path(source), database, waiting, dry_run=dry_run)
        if as_json:
            show_json(patched)
        else:
            view.reports.show_patch(patched, dry_run=dry_run)
        return
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
        remark(f"Of your cards, {counted(done.changed_own, 'entry', 'entries')} changed: ccgrid collection verify")
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
        layout = layouts.layout_file.choose_layout(file)
    except (NoSuchNameError, WrongKindError):
        raise
    except CatalogError as error:
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
    scans: Annotated[
        list[Path] | None,
        typer.Option(
            "--scans",
            **INPUT,
            metavar="FOLDER|IMAGE",
            help="Scans of a dozen of its cards, which show the zones. Repeatable.",
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

    At a terminal it asks where each field is printed, unless --at or --scans say so. To remove a layout from your
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
    learned = _learn_places(data, draft, scans, game, database) if scans else None
    if asks and learned is None:
        zones = dict(terminal.entry.ask_zones(draft, _ask, remark))
    text = services.layouts.draft_text(
        draft, game, title or game.title(), zones, {path: how for path, how in reads.items() if how[0]}, learned
    )
    if output is not None:
        services.layouts.write_layout(output, text, database, waiting)
    if as_json and learned is not None:
        show_json(services.layouts.learned_layout(game, output, learned, text))
        return
    if as_json:
        file = None if output is None else str(output)
        show_json(services.layouts.DraftedLayout(game=game, file=file, zones=zones, layout=text))
        return
    if output is None:
        write_data(text.splitlines(keepends=True))
        return
    tell_written(output, f". To try it: ccgrid layout check {shell_word(output)} --data {shell_word(data)}")


def _learn_places(
    data: Path, draft: "Draft", scans: "Sequence[Path]", game: str, database: Path | None
) -> "imports.layout_learning.LearningResult":
    """Learn the places of fields from scans, and report the result."""
    sightings = []
    for found in services.scanning.scan_pictures(services.scanning.pictures(scans), database, game=game):
        if isinstance(found, services.scanning.Unscanned):
            remark(f"{found.file}: {found.reason}")
        else:
            sightings += [services.scanning.sighting(one) for one in found]
    learned = imports.layout_learning.learn(data, sightings, draft)
    for place in learned.places:
        remark(f"{place.field}: {place.zone}{place.cases}, {place.note} ({place.confidence}).")
    remark(
        f"{learned.cards} of {counted(len(sightings), 'card')} {'is' if learned.cards == 1 else 'are'} in "
        f"the data, with {counted(len(learned.places), 'field')} placed."
    )
    for zone in learned.unexplained:
        remark(f"{zone.zone}: numbers on {counted(zone.cards, 'card')} that no field accounts for.")
    for field in learned.unplaced:
        remark(f"{field.field} is not placed: {field.reason}.")
    if learned.few:
        remark(f"Scan more of: {', '.join(f'{name} ({count} so far)' for name, count in learned.few.items())}.")
    if not learned.places and not draft.has_numbers:
        fields = ", ".join(field.path for field in draft.fields[:_MOST_FIELDS])
        remark(f"No field of the data holds numbers ({fields}), so none can be placed.")
        remark(f"To read the numbers off the cards, import the data, then: ccgrid scan FOLDER --game {game}")
    elif not learned.places:
        remark("No field of the data matches the numbers on the cards, or too few cards show them.")
    return learned


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


_Game = Annotated[str, typer.Argument(metavar="GAME", help="The card game, such as rifts.")]


@app.command()
def places(
    game: _Game,
    *,
    to: Annotated[Output, "Write it as a layout: .toml."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Show where numbers are on scanned cards that you accepted.

    'ccgrid scan --game GAME' looks there first. With -o it becomes a layout, for tables with a column for each zone.

    Example: ccgrid layout places rifts
    """
    to.check(LAYOUT)
    game = card_game(game)
    found = services.layouts.seen_places(game, database)
    _hand_out(found, to, "To try it: ccgrid layout check", lambda: view.card.show_places(found), as_json=as_json)


@app.command()
def patch(
    game: _Game,
    *,
    to: Annotated[Output, "Write the patch to this .toml file."],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Export the numbers that you read on cards whose data lack them.

    Others import them with 'ccgrid import FILE'. Each number has the count of pictures that show it.

    Example: ccgrid layout patch avp -o avp-numbers.toml
    """
    to.check(PATCH)
    found = services.patches.patch_from_pictures(card_game(game), database)
    in_lines = found.to_toml().splitlines(keepends=True)
    _hand_out(found, to, "To take it over: ccgrid import", lambda: write_data(in_lines), as_json=as_json)


def _hand_out(
    found: "services.layouts.SeenPlaces | services.patches.Patch",
    to: Output,
    next_step: str,
    show: Callable[[], object],
    *,
    as_json: bool,
) -> None:
    """Write the result to the output file, if there is one, or else show it."""
    if to.output is not None:
        write_atomically(to.output, found.to_toml())
    if as_json:
        show_json(found)
    elif to.output is not None:
        tell_written(to.output, f". {next_step} {shell_word(to.output)}")
    else:
        show()
