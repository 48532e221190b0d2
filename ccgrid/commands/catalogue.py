"""Commands on the catalogue: bring cards in, find them, look at them, take them out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccgrid.commands.options import Database, Games, Json

if TYPE_CHECKING:
    from catalog.card import Card
    from catalog.store.imports import ImportSummary

app = typer.Typer()

_MOST_FOUND = 200


@app.command("import")
def import_(
    source: Annotated[str, typer.Argument(help="Which source, such as mtg; 'ccgrid sources' lists them.")],
    path: Annotated[
        Path | None, typer.Argument(help="A file, folder, zip or tarball already downloaded.", show_default=False)
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", help="The same as PATH.", show_default=False)] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Another address than the public one.", show_default=False)
    ] = None,
    layout: Annotated[
        str | None, typer.Option("--layout", help="Another layout: a TOML file, or a name.", show_default=False)
    ] = None,
    bulk: Annotated[
        str | None,
        typer.Option("--bulk", help="Which file of the source, e.g. all_cards: every language.", show_default=False),
    ] = None,
    add: Annotated[bool, typer.Option("--add", help="Keep the cards that the new data has not.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Let them go, however many they are.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Bring the cards of a public source, or of a file, in.

    All or nothing: an import that fails leaves the catalogue as it was. Importing unchanged data does no work.

    Example: ccgrid import mtg
    """
    from catalog.imports import run as importing
    from catalog.sources import find_source
    from ccgrid.services.catalogue import catalogue_path
    from ccgrid.view.output import note, progress, show_json
    from ccgrid.view.scores import show_import

    if path is not None and file is not None and path != file:
        raise typer.BadParameter(f"two files are named, {path} and {file}; a source is read from one")
    path = path or file
    if path is not None and (url is not None or bulk is not None):
        raise typer.BadParameter("a file is named; --url and --bulk are for the network")
    order = importing.ImportRequest(
        find_source(source), path, url, layout, bulk, keep_missing=add, force=force, dry_run=dry_run
    )
    with progress(order.source.title, unit="bytes") as report:
        summary = importing.run(
            order,
            catalogue_path(database),
            progress=lambda doing, done, total: report(done, total),
            waiting=lambda: note("Another command is writing to the catalogue; waiting for it to end."),
        )
    _remark(summary)
    if not dry_run:
        _remark_owned(database)
    if as_json:
        show_json(summary.to_dict())
        return
    show_import(summary.to_dict(), dry_run=dry_run)


def _remark(summary: "ImportSummary") -> None:
    from ccgrid.view.output import remark

    for sentence in summary.remarks:
        remark(sentence)
    for where, why in summary.reasons[:5]:
        remark(f"Skipped {where}: {why}")
    if summary.skipped > 5:
        remark(f"Skipped {summary.skipped} rows in all.")


def _remark_owned(database: Path | None) -> None:
    """Tells a person how many of their own cards are not what they were."""
    from ccgrid.commands.owned import opened
    from ccgrid.view.output import remark
    from ccgrid.view.words import counted

    with opened(database) as collection:
        changed = collection.count_changed()
    if changed:
        remark(f"Of your own cards, {counted(changed, 'entry', 'entries')} changed: ccgrid collection verify")


@app.command()
def sources(database: Database = None, as_json: Json = False) -> None:
    """List every source: what it is, cards held, date of its data.

    Example: ccgrid sources
    """
    from catalog.store.catalogue import Store
    from ccgrid.services.catalogue import catalogue_path
    from ccgrid.view.lists import show_sources
    from ccgrid.view.output import show_json

    path = catalogue_path(database)
    held = {}
    if path.exists():
        with Store(path) as store:
            held = store.sources()
    rows = list(_sources(held))
    if as_json:
        for row in rows:
            show_json(row)
        return
    show_sources(rows)


def _sources(held: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """What can be imported, and what has been beside that, each with what the catalogue holds of it."""
    from catalog.layouts.shelf import find_layout
    from catalog.sources import CHOSEN, SOURCES, Source, plugins

    listed = [*SOURCES, *plugins()]
    keys = {source.key(source.layout or "") for source in listed}
    others = [Source(key, "Your own data", str(held[key]["address"]), "") for key in held if key not in keys]
    for source in [*listed, *others]:
        key = source.key(source.layout or "")
        layout = None if source.layout in (None, CHOSEN) else find_layout(str(source.layout))
        yield {
            "source": source.name,
            "title": source.title,
            "keeper": source.keeper,
            "address": source.address or None,
            "note": source.note or None,
            "guesses": [
                {"field": line.field, "zone": line.zone, "confidence": line.confidence, "note": line.note or None}
                for line in (layout.guesses() if layout else ())
            ],
            "cards": held[key]["cards"] if key in held else 0,
            "version": held[key]["version"] if key in held else None,
            "imported": held[key]["imported"] if key in held else None,
        }


@app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="A name, or words of it; misspelling is forgiven.")],
    game: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=_MOST_FOUND, help="How many at most.")] = 20,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Find cards by name, tolerant of misspelling.

    Example: ccgrid search lightening bolt
    """
    from ccgrid.services.catalogue import open_catalogue

    with open_catalogue(database) as store:
        for name in game or ():
            store.check_game(name)
        cards = store.search(" ".join(query), game or (), legal=legal, limit=limit)
    _show_cards(cards, as_json, nothing=f"Nothing is called like {' '.join(query)!r}.")


def _show_cards(cards: Sequence["Card"], as_json: bool, nothing: str) -> None:
    from ccgrid.view.lists import show_cards
    from ccgrid.view.output import remark, show_json

    if not cards:
        remark(nothing)
        return
    if as_json:
        for card in cards:
            show_json(card.to_dict())
        return
    show_cards(cards)


@app.command()
def show(
    card: Annotated[list[str], typer.Argument(help="A card's id, such as mtg:m10/146, or its name.")],
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Draw one card, and explain each of its numbers.

    Example: ccgrid show Lightning Bolt
    """
    from ccgrid.services.catalogue import open_catalogue
    from ccgrid.view.card import show_card
    from ccgrid.view.output import note, show_json

    with open_catalogue(database) as store:
        found = store.find(" ".join(card))
        numbers = store.explain(found.id)
        others = len(store.named(found.name)) - 1
    if as_json:
        show_json({**found.to_dict(), "numbers": numbers})
        return
    show_card(found, numbers)
    if others > 0:
        note(f"{others} more printings: ccgrid search {found.name!r}")


@app.command()
def stats(database: Database = None, as_json: Json = False) -> None:
    """Count the cards held, legal and barred by reason, by game.

    Example: ccgrid stats
    """
    from ccgrid.services.catalogue import open_catalogue
    from ccgrid.view.output import show_json
    from ccgrid.view.scores import show_stats

    with open_catalogue(database) as store:
        counted = store.stats()
    if as_json:
        show_json(counted)
        return
    show_stats(counted)


@app.command()
def export(
    game: Games = None,
    legal: Annotated[bool, typer.Option("--legal", help="Only cards that may be in a deck.")] = False,
    form: Annotated[str, typer.Option("--format", help="jsonl or csv.")] = "jsonl",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file, in place of standard output.", show_default=False)
    ] = None,
    database: Database = None,
    as_json: Json = False,
) -> None:
    """Print the cards as JSON Lines or CSV.

    Example: ccgrid export --legal --format csv -o legal.csv
    """
    from ccgrid.services.catalogue import open_catalogue
    from ccgrid.view.export import WRITERS, write_cards

    form = "jsonl" if as_json else form
    if form not in WRITERS:
        raise typer.BadParameter(f"{form!r} is not a format; there are {', '.join(WRITERS)}", param_hint="--format")
    with open_catalogue(database) as store:
        for name in game or ():
            store.check_game(name)
        write_cards(store.all_cards(game or (), legal=legal), form, output)
