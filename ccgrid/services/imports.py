"""Imports of cards, and the list of sources with what the catalogue contains of each."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ccgrid.catalog.errors import WrongKindError
from ccgrid.catalog.file_kinds import DATA_FILES, FileKind, check_kind, wrong_kind_message
from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ByteProgress, ImportRequest
from ccgrid.catalog.layouts.layout import NotedGuess
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.sources import all_sources, find_source
from ccgrid.catalog.sources.source import LAYOUT_FROM_DATA, Source
from ccgrid.catalog.store.file import OPENING_ERRORS
from ccgrid.catalog.store.imports import ImportSummary
from ccgrid.services.catalogue import catalogue_path, open_collection, open_existing


class ImportOutcome(NamedTuple):
    """The summary of an import, and the number of entries of the collection whose cards changed."""

    summary: ImportSummary
    changed_own: int


def import_cards(
    request: ImportRequest,
    database: Path | None,
    *,
    progress: ByteProgress,
    waiting: Callable[[], None],
) -> ImportOutcome:
    """Import cards, and count the owned cards that changed, except in a dry run.

    Raises:
        CatalogError: If the import fails. Nothing is changed.
    """
    found = None if request.path is None else check_kind(request.path, DATA_FILES, FileKind.CARD_DATA.value)
    try:
        summary = importing.import_source(request, catalogue_path(database), progress=progress, waiting=waiting)
    except WrongKindError as error:
        # The error may also be about the file of the layout.
        if request.path is None or found is None or found.kind is not FileKind.TABLE:
            raise
        if Path(error.file).name != request.path.name:
            raise
        what = f"card data of {request.source.title}"
        raise WrongKindError(wrong_kind_message(request.path, found, what), file=request.path) from None
    if request.dry_run:
        return ImportOutcome(summary, 0)
    try:
        with open_collection(database, waiting) as collection:
            return ImportOutcome(summary, collection.count_changed())
    except OPENING_ERRORS as error:  # the cards are in; that this cannot be told is no reason to say that they are not
        summary.remarks.append(f"Could not check whether your cards changed ({error}).")
        return ImportOutcome(summary, 0)


class ListedSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source: its description, and what the catalogue contains of it.

    Attributes:
        address: null if the user names the data.
        by_hand: where the user can download the data with a browser; null if the user names the data.
        terms: the terms of the data; null if none are stated.
        cards: the number of its cards in the catalogue.
        newest: the date of the newest of these cards, or null.
        version: the version of the data imported last; null if there are none, or the source states no version.
        imported: the time of the last import (UTC), or null.
    """

    source: str
    title: str
    keeper: str
    address: str | None
    by_hand: str | None
    note: str | None
    terms: str | None
    guesses: list[NotedGuess]
    cards: int
    newest: str | None
    version: str | None
    imported: str | None


def listed_sources(database: Path | None, name: str | None = None) -> list[ListedSource]:
    """Return all sources and the user's own data, or the source of this name, with what the catalogue contains of it.

    Raises:
        NoSuchNameError: If there is no source of this name.
    """
    with open_existing(database) as store:
        imported: Mapping[str, Mapping[str, Any]] = store.sources() if store else {}
    listed = list(all_sources())
    keys = {source.key(source.layout or "") for source in listed}
    others = (Source(key, "Your own data", str(imported[key]["address"]), "") for key in imported if key not in keys)
    found = [*listed, *others]
    if name is not None:
        found = [source for source in found if source.name == name] or [find_source(name)]
    return [_listed(source, imported) for source in found]


def _listed(source: Source, imported: Mapping[str, Mapping[str, Any]]) -> ListedSource:
    """Return a source with what the catalogue contains of it."""
    found = imported.get(source.key(source.layout or ""), {})
    layout = None if source.layout in (None, LAYOUT_FROM_DATA) else find_layout(str(source.layout))
    return ListedSource(
        source=source.name,
        title=source.title,
        keeper=source.keeper,
        address=source.address or None,
        by_hand=source.by_hand or None,
        note=source.note or None,
        terms=source.terms or None,
        guesses=layout.guesses() if layout else [],
        cards=found.get("cards", 0),
        newest=found.get("newest") or None,
        version=found.get("version"),
        imported=found.get("imported"),
    )
