"""The sources that cards can be imported from, what the catalogue holds of each, and imports of them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.catalog.file_kinds import DATA_FILES, FileKind, check_kind
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ByteProgress, ImportRequest
from ccgrid.catalog.layouts.layout import GuessJson, guess_json
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.sources import all_sources
from ccgrid.catalog.sources import find_source as find_source
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Source
from ccgrid.catalog.store.catalogue import ImportSummary, Store
from ccgrid.catalog.store.file import TROUBLE
from ccgrid.services.catalogue import catalogue_path, open_collection


class ImportOutcome(NamedTuple):
    """What an import did, and how many entries of the person's own collection are not what they were."""

    summary: ImportSummary
    changed_own: int


def import_cards(
    request: ImportRequest,
    database: Path | None,
    *,
    progress: ByteProgress,
    waiting: Callable[[], None],
) -> ImportOutcome:
    """Imports what is asked for, and looks which of the owned cards changed; a dry run leaves these alone.

    Raises:
        CatalogError: the import failed; the catalogue is as it was.
    """
    if request.path is not None:
        check_kind(request.path, DATA_FILES, FileKind.CARD_DATA.value)
    summary = importing.import_source(request, catalogue_path(database), progress=progress, waiting=waiting)
    if request.dry_run:
        return ImportOutcome(summary, 0)
    try:
        with open_collection(database, waiting) as collection:
            return ImportOutcome(summary, collection.count_changed())
    except TROUBLE as error:  # the cards are in; that this cannot be told is no reason to say that they are not
        summary.remarks.append(f"Could not check whether your cards changed ({error}).")
        return ImportOutcome(summary, 0)


class NotedGuessJson(GuessJson):
    """The same with what its layout notes of it."""

    note: str | None


class SourceJson(TypedDict):
    """A source: what it is, where it comes from, and what the catalogue holds of it.

    Attributes:
        address: null where a person names the data.
        by_hand: where a person downloads the data in a browser; null where a person names the data.
        terms: on what terms the keeper gives the data away; null where none are stated.
        cards: how many the catalogue holds.
        newest: when the newest of these cards came out, as a date, or null.
        version: of the data that were imported last, null where nothing was or nobody says.
        imported: when that was (UTC), or null.
    """

    source: str
    title: str
    keeper: str
    address: str | None
    by_hand: str | None
    note: str | None
    terms: str | None
    guesses: list[NotedGuessJson]
    cards: int
    newest: str | None
    version: str | None
    imported: str | None


def listed_sources(database: Path | None) -> list[SourceJson]:
    """What can be imported, and what has been beside that, each with what the catalogue holds of it."""
    path = catalogue_path(database)
    imported: Mapping[str, Mapping[str, Any]] = {}
    if path.exists():
        with Store(path) as store:
            imported = store.sources()
    return list(_sources(imported))


def _sources(imported: Mapping[str, Mapping[str, Any]]) -> Iterator[SourceJson]:
    listed = list(all_sources())
    keys = {source.key(source.layout or "") for source in listed}
    others = [Source(key, "Your own data", str(imported[key]["address"]), "") for key in imported if key not in keys]
    for source in [*listed, *others]:
        key = source.key(source.layout or "")
        layout = None if source.layout in (None, LAYOUT_FROM_DATA) else find_layout(str(source.layout))
        yield {
            "source": source.name,
            "title": source.title,
            "keeper": source.keeper,
            "address": source.address or None,
            "by_hand": source.by_hand or None,
            "note": source.note or None,
            "terms": source.terms or None,
            "guesses": [
                {**guess_json(line), "note": line.note or None} for line in (layout.guesses() if layout else ())
            ],
            "cards": imported[key]["cards"] if key in imported else 0,
            "newest": (imported[key]["newest"] or None) if key in imported else None,
            "version": imported[key]["version"] if key in imported else None,
            "imported": imported[key]["imported"] if key in imported else None,
        }


PATCH_ENDING: Final = ".toml"
"""How the name of a patch ends; no source is called so."""


def is_patch_name(name: str) -> bool:
    """Whether what was named as a source is the file of a patch."""
    return name.lower().endswith(PATCH_ENDING)
