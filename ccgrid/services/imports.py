"""What comes into the catalogue, and goes out of it again: sources, imports, their ledger."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from catalog.imports import run as importing
from catalog.imports.run import ImportRequest, Progress
from catalog.layouts.shelf import find_layout
from catalog.sources import CHOSEN, SOURCES, Source, plugins
from catalog.store.catalogue import Store
from catalog.store.ledger import history as recorded
from catalog.store.ledger import undo as taken_back
from catalog.store.summary import ImportSummary
from ccgrid.services.catalogue import catalogue_path
from ccgrid.services.collection_store import open_collection


class ImportOutcome(NamedTuple):
    """What an import did, and how many entries of the person's own collection are not what they were."""

    summary: ImportSummary
    changed_own: int


def bring_in(
    request: ImportRequest,
    database: Path | None,
    *,
    progress: Progress,
    waiting: Callable[[], None],
) -> ImportOutcome:
    """Imports what is asked for, and looks which of the owned cards changed; a dry run leaves these alone.

    Raises:
        CatalogError: the import failed; the catalogue is as it was.
    """
    summary = importing.run(request, catalogue_path(database), progress=progress, waiting=waiting)
    if request.dry_run:
        return ImportOutcome(summary, 0)
    with open_collection(database, waiting) as collection:
        return ImportOutcome(summary, collection.count_changed())


def listed_sources(database: Path | None) -> list[dict[str, Any]]:
    """What can be imported, and what has been beside that, each with what the catalogue holds of it."""
    path = catalogue_path(database)
    held: Mapping[str, Mapping[str, Any]] = {}
    if path.exists():
        with Store(path) as store:
            held = store.sources()
    return list(_sources(held))


def _sources(held: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
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


def history(database: Path | None) -> list[dict[str, Any]]:
    """The ledger of imports, the oldest first; empty where there is no catalogue."""
    path = catalogue_path(database)
    if not path.exists():
        return []
    with Store(path) as store:
        return recorded(store)


def undo(database: Path | None, waiting: Callable[[], None]) -> dict[str, Any]:
    """Takes the last import back, and returns its entry in the ledger; CatalogError where there is none."""
    with Store(catalogue_path(database)) as store:
        return taken_back(store, waiting)
