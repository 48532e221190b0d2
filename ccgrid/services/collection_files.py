"""Files that other apps exported, brought into the collection, and their rows in doubt written down to be corrected."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

from catalog.card import CatalogError
from catalog.collection import imports
from catalog.collection.corrections import write_corrections
from catalog.collection.doubts import DoubtFilter, Settled, confirm, dismiss, entries_in_doubt
from catalog.collection.import_order import CollectionImport
from catalog.collection.import_report import Report, ReportRow
from ccgrid.services.collection_store import open_collection


def bring_in(
    request: CollectionImport,
    database: Path | None,
    *,
    corrections: Path | None,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    progress: imports.Progress,
) -> Report:
    """Brings a file in and reports row by row; the rows in doubt are written to `corrections` where that is given.

    Raises:
        CatalogError: the file cannot be read, or a row fails and the request is strict; nothing is changed.
    """
    with open_collection(database, waiting, request.games) as collection:
        report = imports.run(request, collection, remark, progress)
        if corrections is not None:
            write_corrections(corrections, report.entries, collection, numbered=not request.dry_run)
    return report


class Doubts(NamedTuple):
    """Rows in doubt, and the names of the files that they are of, by their numbers."""

    entries: list[ReportRow]
    files: dict[int, str]


def doubts(database: Path | None, wanted: DoubtFilter, output: Path | None, waiting: Callable[[], None]) -> Doubts:
    """The rows that were not matched for certain and are meant; also written to `output` where that is given.

    Raises:
        CatalogError: rows of a file are wanted that has none.
    """
    with open_collection(database, waiting) as collection:
        files = collection.doubtful_files()
        _check_file(wanted, files)
        found = entries_in_doubt(collection, wanted)
        if output is not None:
            write_corrections(output, found, collection, numbered=True)
    return Doubts(found, files)


def settle_doubts(
    database: Path | None, wanted: DoubtFilter, what: Literal["confirm", "dismiss"], waiting: Callable[[], None]
) -> Settled:
    """Confirms or drops the rows in doubt that are meant, as one change.

    Raises:
        CatalogError: rows of a file are wanted that has none.
    """
    with open_collection(database, waiting) as collection:
        _check_file(wanted, collection.doubtful_files())
        return (confirm if what == "confirm" else dismiss)(collection, wanted)


def _check_file(wanted: DoubtFilter, files: dict[int, str]) -> None:
    names = list(dict.fromkeys(files.values()))
    if wanted.file and wanted.file.casefold() not in map(str.casefold, names):
        raise CatalogError(
            f"No row of a file {wanted.file!r} is in doubt.\n"
            + (f"There are rows in doubt of: {', '.join(names[:10])}." if names else "No row of any file is.")
        )
