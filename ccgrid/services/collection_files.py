"""Files that other apps exported, brought into the collection, and their rows in doubt written down to be corrected."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.collection import imports
from ccgrid.catalog.collection.doubts import (
    DoubtFilter,
    ImportReport,
    ReportRow,
    SettledDoubts,
    confirm,
    dismiss,
    entries_in_doubt,
    write_corrections,
)
from ccgrid.catalog.collection.imports import CollectionImport
from ccgrid.catalog.files import whole_file
from ccgrid.services.collection_store import open_collection


def bring_in(
    request: CollectionImport,
    database: Path | None,
    *,
    corrections: Path | None,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    progress: imports.RowProgress,
) -> ImportReport:
    """Brings a file in and reports row by row; the rows in doubt are written to `corrections` where that is given.

    Raises:
        CatalogError: the file cannot be read, or a row fails and the request is strict; nothing changed.
    """
    with _written(corrections) as file, open_collection(database, waiting, request.games) as collection:

        def write(report: ImportReport) -> None:
            if file is not None:
                write_corrections(file, report.entries, collection, numbered=not request.dry_run)

        return imports.run(request, collection, remark, progress, write)


class Doubts(NamedTuple):
    """Rows in doubt, the names of the files that they are of, by their numbers, and what became of the rows."""

    entries: list[ReportRow]
    files: dict[int, str]
    settled: SettledDoubts | None


def doubts(
    database: Path | None,
    wanted: DoubtFilter,
    output: Path | None,
    waiting: Callable[[], None],
    settle: Literal["confirm", "dismiss", ""] = "",
    *,
    yes: bool = False,
) -> Doubts:
    """The rows that were not matched for certain and are meant; also written to `output` where that is given.

    They are confirmed or dropped where `settle` says so, as one change. The file takes its place when that is done.

    Raises:
        NotConfirmedError: it would be many, without `yes`.
        CatalogError: rows of a file are wanted that has none.
    """
    with _written(output) as file, open_collection(database, waiting) as collection:
        files = collection.doubtful_files()
        _check_file(wanted, files)
        found = entries_in_doubt(collection, wanted)
        if file is not None:
            write_corrections(file, found, collection, numbered=True)
        act = {"confirm": confirm, "dismiss": dismiss}.get(settle)
        settled = act and act(collection, wanted, yes=yes)
    return Doubts(found, files, settled)


def _written(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """A file that takes its place when all else is done; none where none is wanted."""
    return nullcontext() if path is None else whole_file(path)


def _check_file(wanted: DoubtFilter, files: dict[int, str]) -> None:
    names = list(dict.fromkeys(files.values()))
    if wanted.file and wanted.file.casefold() not in map(str.casefold, names):
        raise CatalogError(
            f"No row of a file {wanted.file!r} is in doubt.\n"
            + (f"There are rows in doubt of: {', '.join(names[:10])}." if names else "No row of any file is.")
        )
