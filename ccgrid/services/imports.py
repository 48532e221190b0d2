"""Cards brought into the catalogue."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.imports import run as importing
from ccgrid.catalog.imports.run import ByteProgress, ImportRequest
from ccgrid.catalog.store.catalogue import ImportSummary
from ccgrid.catalog.store.file import TROUBLE
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
    progress: ByteProgress,
    waiting: Callable[[], None],
) -> ImportOutcome:
    """Imports what is asked for, and looks which of the owned cards changed; a dry run leaves these alone.

    Raises:
        CatalogError: the import failed; the catalogue is as it was.
    """
    summary = importing.run(request, catalogue_path(database), progress=progress, waiting=waiting)
    if request.dry_run:
        return ImportOutcome(summary, 0)
    try:
        with open_collection(database, waiting) as collection:
            return ImportOutcome(summary, collection.count_changed())
    except TROUBLE as error:  # the cards are in; that this cannot be told is no reason to say that they are not
        summary.remarks.append(f"Could not check whether your cards changed ({error}).")
        return ImportOutcome(summary, 0)
