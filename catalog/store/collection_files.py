"""Files imported into the collection, their rows, and the rows with an uncertain match."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

from ccgrid.catalog.clock import now
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import SqlValue, cell_list, cell_table
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.surrogates import replace_surrogates

_ROW: Final = 'file_id, line, identity, card_id, copies, finish, condition, language, box, "row", slot, note, details'

_ADD_ROW: Final = f"INSERT OR FAIL INTO file_rows ({_ROW}) VALUES ({', '.join('?' * 13)})"  # noqa: S608  our own column names

_REWRITE: Final = f"INSERT INTO file_rows ({_ROW}, decided) VALUES ({', '.join('?' * 14)})"  # noqa: S608

_NOT_REPLACED: Final = "json_extract(summary, '$.replaced_by') IS NULL"

_COUNT_SHARED: Final = (
    "SELECT count(*), coalesce(sum({0} IN (SELECT {0} FROM file_rows WHERE file_id = ?2)), 0)"
    " FROM (SELECT DISTINCT {0} FROM file_rows WHERE file_id = ?1 AND {0} IS NOT NULL)"
)

_ADD_DOUBT: Final = (
    "INSERT OR FAIL INTO doubts (id, file_id, line, outcome, reason, raw, written, card_id, candidates)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_DOUBT_COLUMNS: Final = "doubts.id, file_id, line, outcome, reason, raw, written, card_id, candidates"


class Doubt(NamedTuple):
    """An imported row whose match is uncertain, or that has none.

    `written` is the parsed row as JSON, `card_id` its tentative match.
    """

    id: int
    file_id: int
    line: int
    outcome: str
    reason: str
    raw: str
    written: str
    card_id: str | None
    candidates: list[str]


class ImportedFile(NamedTuple):
    """A file that was imported into the collection, with the time and the report of the import."""

    id: int
    name: str
    format: str
    imported: str
    summary: dict[str, Any]


class FileRow(NamedTuple):
    """Copies in a row of an imported file. `card_id` is None for an unmatched row, of which nothing was added.

    `identity` is a hash of the row's card, whatever the copies. A row with several finishes has several.
    """

    line: int
    identity: int
    card_id: str | None
    copies: int
    finish: str
    condition: str
    language: str
    box: str
    row: str
    slot: str
    note: str = ""
    details: str = NO_DETAILS


class CollectionFiles:
    """The files imported into the collection of an open catalogue.

    `waiting` is called if another command holds the catalogue.
    """

    def __init__(self, store: Store, waiting: Callable[[], None] | None = None) -> None:
        self.store, self.waiting = store, waiting
        self._connection = store.connection

    def change(self, what: str, *, dry_run: bool = False) -> AbstractContextManager[None]:
        """Make one undoable change to the collection in one transaction (`recording.change`)."""
        return change(self.store, what, self.waiting, dry_run=dry_run)

    def file(self, sha256: str) -> ImportedFile | None:
        """Return the last import of a file with this SHA-256; None if there is none, or a newer file replaced it."""
        return next(self._files("sha256 = ?", sha256), None)

    def all_files(self) -> Iterator[ImportedFile]:
        """Yield the imported files, latest first, without those that a newer export replaced."""
        return self._files("format <> ?", "")

    def _files(self, where: str, value: str) -> Iterator[ImportedFile]:
        query = (
            f"SELECT id, name, format, imported, summary FROM collection_files WHERE {where} AND {_NOT_REPLACED}"  # noqa: S608
            " ORDER BY id DESC"
        )
        for number, name, format_name, imported, summary in self._connection.execute(query, (value,)).fetchall():
            yield ImportedFile(number, name, format_name, imported, cell_table(summary))

    def add_file(self, name: str, sha256: str) -> int:
        """Record that a file is about to be imported, and return its number."""
        cursor = self._connection.execute(
            "INSERT INTO collection_files (name, format, sha256, imported, summary) VALUES (?, '', ?, ?, '{}')",
            (replace_surrogates(name), sha256, now()),
        )
        return int(cursor.lastrowid or 0)

    def close_file(self, number: int, format_name: str, summary: Mapping[str, object]) -> None:
        """Record the format of an imported file, and the report of its import."""
        self._connection.execute(
            "UPDATE collection_files SET format = ?, summary = ? WHERE id = ?",
            (format_name, json.dumps(summary), number),
        )

    def replace_file(self, old: ImportedFile, new: int) -> None:
        """Record that the file with the number `new` replaces an older one, whose rows are dropped."""
        self.close_file(old.id, old.format, {**old.summary, "replaced_by": new})
        self._connection.execute("DELETE FROM doubts WHERE file_id = ?", (old.id,))
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ?", (old.id,))

    # --- rows ---------------------------------------------------------------------------------------------------

    def add_rows(self, file_id: int, rows: Iterable[FileRow]) -> None:
        """Store the rows of a file."""
        self._connection.executemany(_ADD_ROW, ((file_id, *row) for row in rows))

    def rewrite_row(self, file_id: int, line: int, rows: Sequence[FileRow], *, decided: bool) -> None:
        """Replace the copies of the row at a line of a file.

        With `decided` the user wants it so, and newer exports of the file follow.
        """
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ? AND line = ?", (file_id, line))
        self._connection.executemany(_REWRITE, ((file_id, *row, int(decided)) for row in rows))

    def decided_rows(self, file_id: int) -> Iterator[FileRow]:
        """Yield the rows of a file that the user decided on. Rows without a card were dropped."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND decided ORDER BY id"  # noqa: S608  our own names
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id,)).fetchall())

    def known_rows(self, file_id: int) -> Iterator[FileRow]:
        """Yield the matched rows of a file."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL"  # noqa: S608
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id,)).fetchall())

    def copies_in_file(self, file_id: int) -> Iterator[tuple[Any, ...]]:
        """Yield the copies of a file: card, finish, condition, language, box, row, slot, note, details, count."""
        kind = 'card_id, finish, condition, language, box, "row", slot, note, details'
        return self._connection.execute(
            f"SELECT {kind}, sum(copies) FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL"  # noqa: S608
            f" GROUP BY {kind}",
            (file_id,),
        )

    def shared_cards(self, new: int, old: int) -> tuple[int, int, int]:
        """Return the numbers of different cards in each of two files, and in both.

        Cards are compared as written and as matched. The comparison with more shared cards counts.
        """
        found = (0, 0, 0)
        for column in ("identity", "card_id"):
            count, both = self._connection.execute(_COUNT_SHARED.format(column), (new, old)).fetchone()
            other = self._connection.execute(_COUNT_SHARED.format(column), (old, new)).fetchone()[0]
            found = max(found, (count, other, both), key=lambda counts: counts[2])
        return found

    # --- doubts -------------------------------------------------------------------------------------------------

    def add_doubt(self, doubt: Doubt) -> int:
        """Store an uncertain row, and return its new number."""
        number = self._next_doubt()
        self._connection.execute(_ADD_DOUBT, _doubt_values(number, doubt))
        return number

    def add_doubts(self, doubts: Iterable[Doubt]) -> int:
        """Store uncertain rows, and return the number of the first; the others follow."""
        first = self._next_doubt()
        self._connection.executemany(_ADD_DOUBT, (_doubt_values(*one) for one in enumerate(doubts, first)))
        return first

    def _next_doubt(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM doubts").fetchone()[0])

    def doubts(
        self,
        file_id: int | None = None,
        number: int | None = None,
        *,
        file_name: str = "",
        outcome: str = "",
    ) -> Iterator[Doubt]:
        """Yield the uncertain rows that meet all given conditions."""
        tests = {
            "file_id = ?": file_id,
            "doubts.id = ?": number,
            "file_id IN (SELECT id FROM collection_files WHERE name = ? COLLATE NOCASE)": file_name or None,
            "outcome = ?": outcome or None,
        }
        wanted = {test: value for test, value in tests.items() if value is not None}
        where = f"WHERE {' AND '.join(wanted)}" if wanted else ""
        query = f"SELECT {_DOUBT_COLUMNS} FROM doubts {where} ORDER BY id"  # noqa: S608  our own names
        for row in self._connection.execute(query, tuple(wanted.values())).fetchall():
            own, of_file, line, how, reason, raw, written, card_id, candidates = row
            yield Doubt(own, of_file, line, how, reason, raw, written, card_id, _parse_ids(candidates))

    def settle(self, doubt: Doubt) -> None:
        """Delete an uncertain row."""
        self._connection.execute("DELETE FROM doubts WHERE id = ?", (doubt.id,))

    def doubtful_files(self) -> dict[int, str]:
        """Return the names of the files with uncertain rows, by their numbers."""
        query = "SELECT id, name FROM collection_files WHERE id IN (SELECT file_id FROM doubts) ORDER BY id"
        return dict(self._connection.execute(query).fetchall())

    def count_doubts(self) -> int:
        """Return the number of uncertain rows."""
        return int(self._connection.execute("SELECT count(*) FROM doubts").fetchone()[0])


def _doubt_values(number: int, doubt: Doubt) -> tuple[SqlValue, ...]:
    return (number, *doubt[1:8], "[]" if not doubt.candidates else json.dumps(doubt.candidates))


def _parse_ids(text: str) -> list[str]:
    found: list[str] = [] if text == "[]" else cell_list(text)
    return found
