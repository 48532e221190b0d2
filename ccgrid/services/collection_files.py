"""Files that other apps exported, brought into the collection, and their rows in doubt written down to be corrected."""

from collections.abc import Callable
from pathlib import Path

from catalog.collection import imports
from catalog.collection.corrections import entries_in_doubt, write_corrections
from catalog.collection.import_report import Report, ReportRow
from catalog.collection.imports import CollectionImport
from ccgrid.services.collection_store import open_collection


def bring_in(
    request: CollectionImport,
    database: Path | None,
    *,
    corrections: Path | None,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
) -> Report:
    """Brings a file in and reports row by row; the rows in doubt are written to `corrections` where that is given.

    Raises:
        CatalogError: the file cannot be read, or a row fails and the request is strict; nothing is changed.
    """
    with open_collection(database, waiting) as collection:
        report = imports.run(request, collection, remark)
        if corrections is not None:
            write_corrections(corrections, report.entries, collection, numbered=not request.dry_run)
    return report


def doubts(database: Path | None, output: Path | None, waiting: Callable[[], None]) -> list[ReportRow]:
    """Every row that was not matched for certain; they are also written to `output` where that is given."""
    with open_collection(database, waiting) as collection:
        found = entries_in_doubt(collection)
        if output is not None:
            write_corrections(output, found, collection, numbered=True)
    return found
