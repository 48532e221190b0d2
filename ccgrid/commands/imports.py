"""The command that brings cards into the catalogue."""

from pathlib import Path
from typing import Annotated, Any

import typer

from catalog.imports.request import ImportRequest
from ccgrid import services, view
from ccgrid.commands.completion import complete_layouts, complete_sources
from ccgrid.commands.options import Database, Json, waiting
from ccgrid.commands.paths import INPUT
from ccgrid.view.output import progress, remark, show_json
from ccgrid.view.words import counted

app = typer.Typer()

_LONGEST_TITLE = 24
"""A longer title leaves no room on a narrow terminal for how far the import is."""


@app.command("import")
def import_(
    source: Annotated[
        str,
        typer.Argument(help="Which source, such as mtg; 'ccgrid sources' lists them.", autocompletion=complete_sources),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(click_type=INPUT, help="A file, folder, zip or tarball already downloaded.", show_default=False),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", click_type=INPUT, help="The same as PATH.", show_default=False)
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Another address than the public one.", show_default=False)
    ] = None,
    layout: Annotated[
        Any,
        typer.Option(
            "--layout",
            click_type=INPUT,
            help="Another layout: a TOML file, or a name.",
            show_default=False,
            autocompletion=complete_layouts,
        ),
    ] = None,
    bulk: Annotated[
        str | None,
        typer.Option("--bulk", help="Which file of the source, e.g. all_cards: every language.", show_default=False),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Keep the cards that are not in the new data.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Let them go, however many they are.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Bring the cards of a public source, or of a file, in.

    All or nothing: an import that fails leaves the catalogue as it was. Importing unchanged data does no work.

    Example: ccgrid import mtg
    """
    if path is not None and file is not None and path != file:
        raise typer.BadParameter(f"two files are named, {path} and {file}; a source is read from one")
    path = path or file
    if path is not None and (url is not None or bulk is not None):
        raise typer.BadParameter("a file is named; --url and --bulk are for the network")
    request = ImportRequest(
        services.sources.find_source(source), path, url, layout, bulk, keep_missing=add, force=force, dry_run=dry_run
    )
    called = request.source.title if len(request.source.title) <= _LONGEST_TITLE else request.source.name
    with progress(called, unit="bytes") as report:
        done = services.imports.bring_in(
            request,
            database,
            progress=lambda doing, done, total: report(done, total, doing.lower()),
            waiting=waiting,
        )
    view.scores.show_import_remarks(done.summary)
    if done.changed_own:
        remark(f"Of your own cards, {counted(done.changed_own, 'entry', 'entries')} changed: ccgrid collection verify")
    if as_json:
        show_json(done.summary.to_dict())
        return
    view.scores.show_import(done.summary.to_dict(), dry_run=dry_run)
