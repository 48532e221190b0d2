"""Imports of files into the collection, and decisions on their uncertain rows."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection import imports
from ccgrid.catalog.collection.doubts import (
    DoubtFilter,
    ImportReport,
    ReportRow,
    SettledDoubts,
    choose_cards,
    confirm,
    dismiss,
    entries_in_doubt,
    write_corrections,
)
from ccgrid.catalog.collection.imports import CollectionImport
from ccgrid.catalog.errors import CatalogError, NotFoundError
from ccgrid.catalog.files import atomic_text_file
from ccgrid.services.catalogue import open_collection


def import_file(
    request: CollectionImport,
    database: Path | None,
    *,
    corrections: Path | None,
    remark: Callable[[str], None],
    waiting: Callable[[], None],
    progress: imports.RowProgress,
) -> ImportReport:
    """Import a file and report row by row; write the uncertain rows to `corrections` if it is given.

    Raises:
        CatalogError: If the file cannot be read, or if a row fails and the request is strict. Nothing has changed.
    """
    with _optional_file(corrections) as file, open_collection(database, waiting, request.games) as collection:

        def write(report: ImportReport) -> None:
            if file is not None:
                write_corrections(file, report.entries, collection, numbered=not request.dry_run)

        return imports.import_file(request, collection, remark, progress, write)


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
    """Return the uncertain rows that match a filter; write them to `output` if it is given.

    Confirm or dismiss them as `settle` says, in one undoable change, before the file is put in place.

    Raises:
        NotConfirmedError: If they are many and `yes` is not set.
        NotFoundError: If none match, and they were to be confirmed or dismissed.
        CatalogError: If the filter names a file without uncertain rows.
    """
    with _optional_file(output) as file, open_collection(database, waiting) as collection:
        files = collection.doubtful_files()
        _check_file(wanted, files)
        found = entries_in_doubt(collection, wanted)
        if settle and not found:
            raise NotFoundError(f"There is no such uncertain row to {settle}.", kind="uncertain row")
        if file is not None:
            write_corrections(file, found, collection, numbered=True)
        act = {"confirm": confirm, "dismiss": dismiss}.get(settle)
        settled = act and act(collection, wanted, yes=yes)
    return Doubts(found, files, settled)


class OpenDoubt(NamedTuple):
    """An uncertain row, its tentative match, and all candidates, likeliest first."""

    row: ReportRow
    taken: Card | None
    candidates: Sequence[Card]


def open_doubts(
    database: Path | None, most: int, entries: Sequence[ReportRow] | None = None
) -> tuple[list[OpenDoubt], int]:
    """Return the first `most` uncertain rows with their candidate cards, and the total count."""
    with open_collection(database) as collection:
        rows = list(islice(entries_in_doubt(collection) if entries is None else entries, most))
        ids = {one for row in rows for one in (row.card, *row.candidates) if one}
        cards = {card.id: card for card in collection.store.cards(list(ids))}
        found = [
            OpenDoubt(
                row,
                cards.get(row.card or ""),
                [cards[one] for one in dict.fromkeys((row.card, *row.candidates)) if one in cards],
            )
            for row in rows
        ]
        return found, collection.count_doubts()


def settle_doubts(database: Path | None, choices: Mapping[int, str]) -> SettledDoubts:
    """Take uncertain rows for the cards that a person chose, by the numbers of the rows; an empty id dismisses one."""
    with open_collection(database) as collection:
        return choose_cards(collection, choices)


def settle_doubt(database: Path | None, doubt: int, card_id: str) -> None:
    """Settle one uncertain row as a card, or dismiss it if the id is empty, in one undoable change.

    Raises:
        CatalogError: If it is settled already, or there is no such card.
    """
    settled = settle_doubts(database, {doubt: card_id})
    if not settled.rows:
        raise CatalogError("This row is settled, or there is no such card.")


def _optional_file(path: Path | None) -> AbstractContextManager[TextIO | None]:
    """Open a file that is put in place at the end of the block; None if `path` is None."""
    return nullcontext() if path is None else atomic_text_file(path)


def _check_file(wanted: DoubtFilter, files: dict[int, str]) -> None:
    names = list(dict.fromkeys(files.values()))
    if wanted.file and wanted.file.casefold() not in map(str.casefold, names):
        others = f"Files with uncertain rows: {', '.join(names[:10])}." if names else "No file has uncertain rows."
        raise NotFoundError(f"No row of {wanted.file!r} is uncertain.\n{others}", kind="file", name=wanted.file)
