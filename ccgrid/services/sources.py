"""The sources that cards can be imported from, and what the catalogue holds of each."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from catalog.layouts.layout_file import find_layout
from catalog.sources import CHOSEN, SOURCES, Source, plugins
from catalog.sources import find_source as find_source
from catalog.store.catalogue import Store
from ccgrid.services.catalogue import catalogue_path


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
