"""Files imported into the collection, their rows, and the rows with an uncertain match."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

from ccgrid.catalog.clock import now
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_list, cell_table
from ccgrid.catalog.store.recording import change
from ccgrid.catalog.surrogates import replace_surrogates

_ROW: Final = 'file_id, line, identity, card_id, copies, finish, condition, language, box, "row", slot, note, details'

_ADD_ROW: Final = f"INSERT OR FAIL INTO file_rows ({_ROW}) VALUES ({', '.join('?' * 13)})"  # noqa: S608  our own column names

_REWRITE: Final = f"INSERT INTO file_rows ({_ROW}, decided) VALUES ({', '.join('?' * 14)})"  # noqa: S608

_NOT_REPLACED: Final = "json_extract(summary, '$.replaced_by') IS NULL"

_SHARED: Final = (
    "SELECT count(*), coalesce(sum({0} IN (SELECT {0} FROM file_rows WHERE file_id = ?2)), 0)"
    " FROM (SELECT DISTINCT {0} FROM file_rows WHERE file_id = ?1 AND {0} IS NOT NULL)"
)

_ADD_DOUBT: Final = (
    "INSERT OR FAIL INTO doubts (id, file_id, line, outcome, reason, raw, written, card_id, candidates)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_DOUBT: Final = "doubts.id, file_id, line, outcome, reason, raw, written, card_id, candidates"


class Doubt(NamedTuple):
    """A row of a file that was not matched for certain.

    `written` is what was read in it, as JSON, `card_id` the card that it was taken for.
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
    """A file that was imported: when, and what the import said."""

    id: int
    name: str
    format: str
    imported: str
    summary: dict[str, Any]


class FileRow(NamedTuple):
    """Copies in a row of an imported file, also where the row was not matched and nothing was added.

    `identity` is a hash of what is written of the card, whatever the copies. A row with several finishes has several.
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
    """The files that were imported into a collection, in a catalogue that is open.

    `waiting` is called if another command holds the catalogue.
    """

    def __init__(self, store: Store, waiting: Callable[[], None] | None = None) -> None:
        self.store, self.waiting = store, waiting
        self._connection = store.connection

    def change(self, what: str, *, dry_run: bool = False) -> AbstractContextManager[None]:
        """Make one change to the collection, all or nothing (`history.change`)."""
        return change(self.store, what, self.waiting, dry_run=dry_run)

    def file(self, sha256: str) -> ImportedFile | None:
        """The last import of a file with this SHA-256; None where there is none, or a newer file replaced it."""
        return next(self._files("sha256 = ?", sha256), None)

    def all_files(self) -> Iterator[ImportedFile]:
        """The imported files, the last one first, without those that a newer export replaced."""
        return self._files("format <> ?", "")

    def _files(self, where: str, value: str) -> Iterator[ImportedFile]:
        query = (
            f"SELECT id, name, format, imported, summary FROM collection_files WHERE {where} AND {_NOT_REPLACED}"  # noqa: S608
            " ORDER BY id DESC"
        )
        for number, name, format_name, imported, summary in self._connection.execute(query, (value,)).fetchall():
            yield ImportedFile(number, name, format_name, imported, cell_table(summary))

    def add_file(self, name: str, sha256: str) -> int:
        """The number of a file that is about to be imported."""
        cursor = self._connection.execute(
            "INSERT INTO collection_files (name, format, sha256, imported, summary) VALUES (?, '', ?, ?, '{}')",
            (replace_surrogates(name), sha256, now()),
        )
        return int(cursor.lastrowid or 0)

    def close_file(self, number: int, format_name: str, summary: Mapping[str, object]) -> None:
        """Notes what the import of a file said."""
        self._connection.execute(
            "UPDATE collection_files SET format = ?, summary = ? WHERE id = ?",
            (format_name, json.dumps(summary), number),
        )

    def replace_file(self, old: ImportedFile, new: int) -> None:
        """Notes that the file with the number `new` replaces an older one, whose doubts are dropped."""
        self.close_file(old.id, old.format, {**old.summary, "replaced_by": new})
        self._connection.execute("DELETE FROM doubts WHERE file_id = ?", (old.id,))
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ?", (old.id,))

    # --- rows ---------------------------------------------------------------------------------------------------

    def add_rows(self, file_id: int, rows: Iterable[FileRow]) -> None:
        """Stores the rows of a file."""
        self._connection.executemany(_ADD_ROW, ((file_id, *row) for row in rows))

    def rewrite_row(self, file_id: int, line: int, rows: Sequence[FileRow], *, decided: bool) -> None:
        """Replaces the copies of the row at a line of a file.

        `decided` says that somebody wants it so, which holds for newer exports as well.
        """
        self._connection.execute("DELETE FROM file_rows WHERE file_id = ? AND line = ?", (file_id, line))
        self._connection.executemany(_REWRITE, ((file_id, *row, int(decided)) for row in rows))

    def decided_rows(self, file_id: int) -> Iterator[FileRow]:
        """The rows of a file that somebody has decided on; those without a card were dropped."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND decided ORDER BY id"  # noqa: S608  our own words
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id,)).fetchall())

    def known_rows(self, file_id: int, line: int | None = None) -> Iterator[FileRow]:
        """The rows of a file that are cards, or those at a line of it."""
        query = f"SELECT {_ROW} FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL AND line = coalesce(?, line)"  # noqa: S608
        return (FileRow(*row[1:]) for row in self._connection.execute(query, (file_id, line)).fetchall())

    def copies_in_file(self, file_id: int) -> Iterator[tuple[Any, ...]]:
        """The copies of a file: card, finish, condition, language, box, row, slot, note, details, count."""
        kind = 'card_id, finish, condition, language, box, "row", slot, note, details'
        return self._connection.execute(
            f"SELECT {kind}, sum(copies) FROM file_rows WHERE file_id = ? AND card_id IS NOT NULL"  # noqa: S608
            f" GROUP BY {kind}",
            (file_id,),
        )

    def shared_cards(self, new: int, old: int) -> tuple[int, int, int]:
        """How many different cards two files have, each and both, as they are written or as they were matched."""
        # Compared as written and as matched; the comparison with more cards in both counts.
        found = (0, 0, 0)
        for column in ("identity", "card_id"):
            count, both = self._connection.execute(_SHARED.format(column), (new, old)).fetchone()
            other = self._connection.execute(_SHARED.format(column), (old, new)).fetchone()[0]
            found = max(found, (count, other, both), key=lambda counts: counts[2])
        return found

    # --- doubts -------------------------------------------------------------------------------------------------

    def add_doubt(self, doubt: Doubt) -> int:
        """Notes a row in doubt, and returns its number; that of `doubt` does not count."""
        number = self._next_doubt()
        self._connection.execute(_ADD_DOUBT, _doubt_values(number, doubt))
        return number

    def add_doubts(self, doubts: Iterable[Doubt]) -> int:
        """Notes rows in doubt, and returns the number of the first; each of the others has the next one."""
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
        """The rows in doubt for which all that is said is so."""
        tests = {
            "file_id = ?": file_id,
            "doubts.id = ?": number,
            "file_id IN (SELECT id FROM collection_files WHERE name = ? COLLATE NOCASE)": file_name or None,
            "outcome = ?": outcome or None,
        }
        said = {test: value for test, value in tests.items() if value is not None}
        where = f"WHERE {' AND '.join(said)}" if said else ""
        query = f"SELECT {_DOUBT} FROM doubts {where} ORDER BY id"  # noqa: S608  our own words
        for row in self._connection.execute(query, tuple(said.values())).fetchall():
            own, of_file, line, how, reason, raw, written, card_id, candidates = row
            yield Doubt(own, of_file, line, how, reason, raw, written, card_id, _list(candidates))

    def settle(self, doubt: Doubt) -> None:
        """Forgets a row in doubt."""
        self._connection.execute("DELETE FROM doubts WHERE id = ?", (doubt.id,))

    def doubtful_files(self) -> dict[int, str]:
        """The names of the files that have rows in doubt, by their numbers."""
        query = "SELECT id, name FROM collection_files WHERE id IN (SELECT file_id FROM doubts) ORDER BY id"
        return dict(self._connection.execute(query).fetchall())

    def count_doubts(self) -> int:
        """How many rows are in doubt."""
        return int(self._connection.execute("SELECT count(*) FROM doubts").fetchone()[0])


def _doubt_values(number: int, doubt: Doubt) -> tuple[Any, ...]:
    return (number, *doubt[1:8], "[]" if not doubt.candidates else json.dumps(doubt.candidates))


def _list(text: str) -> list[str]:
    found: list[str] = [] if text == "[]" else cell_list(text)
    return found
