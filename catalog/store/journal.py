"""Changes to the collection: one transaction each, with every row as it was before, so that they can be taken back.

A change begins to write before it reads, so that two commands at once never lose what the other did. Triggers keep the
journal (`schema_2.sql`).
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from catalog.card import CatalogError
from catalog.store.catalogue import Store
from catalog.store.cells import cell_list
from catalog.store.transactions import transaction

MOST_CHANGES: Final = 1000
"""How many changes can be taken back; older ones are forgotten."""

TABLES: Final = {
    "holdings": (
        'id, card_id, copies, finish, condition, language, box, "row", slot, game, name, set_code, set_name,'
        " collector_number, ids, rarity, note"
    ),
    "collection_files": "id, name, format, sha256, imported, summary",
    "doubts": "id, file_id, line, outcome, reason, raw, written, card_id, candidates",
    "decks_out": "id, deck, holding_id, copies",
    "file_rows": (
        'id, file_id, line, identity, card_id, copies, finish, condition, language, box, "row", slot, decided, note'
    ),
}
"""The tables that are journalled, and their columns in the order in which the journal has them."""


_WITHOUT_FILE: Final = (
    "DELETE FROM file_rows WHERE file_id IN"
    " (SELECT DISTINCT file_id FROM file_rows EXCEPT SELECT id FROM collection_files)"
)
"""What a file brought goes with the file: its rows are not written down while it is read."""


class Change(NamedTuple):
    """A change to the collection: its number, when it was made (UTC), what it was, and whether it was taken back."""

    id: int
    made: str
    what: str
    undone: bool

    def to_dict(self) -> dict[str, Any]:
        """The documented shape of a line of `collection history --json`."""
        return self._asdict()


class _NoTraceError(Exception):
    """Ends a change that was only tried, or that changed nothing."""


class Changes:
    """The changes to a collection, in a catalogue that is open; `waiting` is called where another command holds it."""

    def __init__(self, store: Store, waiting: Callable[[], None] | None = None) -> None:
        self.store, self.waiting = store, waiting
        self._connection: sqlite3.Connection = store.connection

    @contextmanager
    def change(self, what: str, *, dry_run: bool = False) -> Iterator[None]:
        """One change to the collection, all or nothing; one that changes nothing leaves no trace.

        With `dry_run` all of it is done, and then taken back.
        """
        try:
            with transaction(self._connection, what, self.waiting):
                cursor = self._connection.execute("INSERT INTO changes (made, what) VALUES (?, ?)", (now(), what))
                number = cursor.lastrowid
                yield
                query = "SELECT 1 FROM journal WHERE change_id = ?"
                if dry_run or self._connection.execute(query, (number,)).fetchone() is None:
                    raise _NoTraceError  # noqa: TRY301  the transaction takes it all back
                # What was taken back before does not fit any more.
                self._connection.execute("DELETE FROM journal_undone")
                self._connection.execute("DELETE FROM changes_undone")
                self._forget()
        except _NoTraceError:
            pass

    @contextmanager
    def _in_bulk(self, table: str) -> Iterator[None]:
        """Rows that are added to a table meanwhile are written down all at once in the end, in half the time.

        Whatever goes wrong in between has to end the change: that brings the trigger back.
        """
        trigger = f"{table}_added"
        (sql,) = self._connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (trigger,)).fetchone()
        (last,) = self._connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608
        (step,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM journal").fetchone()
        self._connection.execute(f"DROP TRIGGER {trigger}")
        yield
        self._connection.execute(sql)
        change = self._connection.execute("SELECT max(id) FROM changes").fetchone()[0]
        # What was added and changed meanwhile was not there before, and that alone is to be known.
        self._connection.execute("DELETE FROM journal WHERE id > ? AND place = ? AND row_id > ?", (step, table, last))
        self._connection.execute(
            f"INSERT INTO journal (change_id, place, row_id, before)"  # noqa: S608  our own words
            f" SELECT ?, ?, id, NULL FROM {table} WHERE id > ? ORDER BY id",
            (change, table, last),
        )

    def _forget(self) -> None:
        row = self._connection.execute(
            "SELECT id FROM changes ORDER BY id DESC LIMIT 1 OFFSET ?", (MOST_CHANGES,)
        ).fetchone()
        if row is not None:
            self._connection.execute("DELETE FROM journal WHERE change_id <= ?", row)
            self._connection.execute("DELETE FROM changes WHERE id <= ?", row)

    def last_change(self) -> tuple[int, str, str] | None:
        """Number, time and words of the last change; None where there is none."""
        row = self._connection.execute("SELECT id, made, what FROM changes ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def history(self) -> list[Change]:
        """Every change that is remembered, the oldest first, then those that were taken back, in the same order."""
        done = self._connection.execute("SELECT id, made, what, 0 FROM changes ORDER BY id")
        undone = self._connection.execute("SELECT id, made, what, 1 FROM changes_undone ORDER BY position DESC")
        return [Change(number, made, what, bool(back)) for number, made, what, back in (*done, *undone)]

    def undo(self, expected: int | None = None) -> tuple[str, str]:
        """Takes the last change back, and returns when it was made and what it was.

        Raises CatalogError where there is none, or where it is not the `expected` one but a later one.
        """
        with transaction(self._connection, "take the last change to the collection back", self.waiting):
            last = self.last_change()
            if last is None:
                raise CatalogError("There is nothing to undo: no change to the collection is remembered.")
            number, made, what = last
            if expected is not None and number != expected:
                raise CatalogError(f"Another command has changed the collection since ({what}); undo that first.")
            steps = self._steps("journal", number)
            end = self._connection.execute("SELECT max(id) FROM journal").fetchone()[0]
            self._put_back(steps)
            self._connection.execute(_WITHOUT_FILE)
            # What the triggers wrote down meanwhile is how to do it again.
            self._connection.execute(
                "INSERT INTO journal_undone (change_id, place, row_id, before)"
                " SELECT change_id, place, row_id, before FROM journal WHERE change_id = ? AND id > ? ORDER BY id",
                (number, end),
            )
            self._connection.execute("INSERT INTO changes_undone (id, made, what) VALUES (?, ?, ?)", last)
            self._connection.execute("DELETE FROM journal WHERE change_id = ?", (number,))
            self._connection.execute("DELETE FROM changes WHERE id = ?", (number,))
        return made, what

    def redo(self) -> tuple[str, str]:
        """Does again what was taken back last, and returns when it was made and what it was.

        Raises CatalogError where nothing was taken back, or the collection was changed since.
        """
        with transaction(self._connection, "do the last change to the collection again", self.waiting):
            row = self._connection.execute(
                "SELECT id, made, what FROM changes_undone ORDER BY position DESC LIMIT 1"
            ).fetchone()
            if row is None:
                raise CatalogError("There is nothing to do again: nothing was taken back since the last change.")
            number, made, what = row
            self._connection.execute("INSERT INTO changes (id, made, what) VALUES (?, ?, ?)", row)
            self._put_back(self._steps("journal_undone", number))
            self._connection.execute("DELETE FROM journal_undone WHERE change_id = ?", (number,))
            self._connection.execute("DELETE FROM changes_undone WHERE id = ?", (number,))
        return made, what

    def _steps(self, journal: str, number: int) -> list[tuple[str, int, str | None]]:
        """How the rows of a change were before it, the last one first."""
        query = f"SELECT place, row_id, before FROM {journal} WHERE change_id = ? ORDER BY id DESC"  # noqa: S608
        return self._connection.execute(query, (number,)).fetchall()

    def _put_back(self, steps: Iterable[tuple[str, int, str | None]]) -> None:
        """Makes rows what they were."""
        for table, row_id, before in steps:
            columns = TABLES[table]
            self._connection.execute(f"DELETE FROM {table} WHERE id = ?", (row_id,))  # noqa: S608
            if before is not None:
                values = cell_list(before)
                known = ", ".join(columns.split(", ")[: len(values)])  # an older version wrote down fewer columns
                marks = ", ".join("?" * len(values))
                self._connection.execute(f"INSERT INTO {table} ({known}) VALUES ({marks})", values)  # noqa: S608


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
