"""Changes to the collection, to cards and to layouts, which can be taken back.

Each is one transaction, with every row as it was before. A change begins to write before it reads, so that two commands
at once never lose what the other did. Triggers keep the journal of the collection (`schema_2.sql`).
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypedDict

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.runtime import now
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.file import cell_list, transaction

MOST_CHANGES: Final = 1000
"""How many changes can be taken back; older ones are forgotten."""

TABLES: Final = {
    "boxes": "id, name, folded",
    "holdings": (
        'id, card_id, copies, finish, condition, language, box, "row", slot, game, name, set_code, set_name,'
        " collector_number, ids, rarity, note, details, added, changed"
    ),
    "collection_files": "id, name, format, sha256, imported, summary",
    "doubts": "id, file_id, line, outcome, reason, raw, written, card_id, candidates",
    "decks_out": "id, deck, holding_id, copies",
    "file_rows": (
        'id, file_id, line, identity, card_id, copies, finish, condition, language, box, "row", slot, decided, note,'
        " details"
    ),
}
"""The tables that are journalled, and their columns in the order in which the journal has them."""


_DELETE_ORPHANS: Final = (
    "DELETE FROM file_rows WHERE file_id IN"
    " (SELECT DISTINCT file_id FROM file_rows EXCEPT SELECT id FROM collection_files)"
)
"""Rows of a file go with the file: the journal has none of them, as they are added without triggers."""


OF_CARDS: Final = {"cards": "id", "corrections": "card_id"}
"""The tables of what cards are, and their keys."""
SCANS: Final = "scans"
"""The table of what was accepted on pictures."""
NOTED: Final = {**OF_CARDS, SCANS: "id"}
"""Tables that no trigger watches, and their keys: who changes a row notes it before."""
LAYOUTS: Final = "layouts"
"""The place of files in people's own folders of layouts, by their paths."""
_NAMES: Final = ", ".join(f"'{table}'" for table in TABLES)
_OF_COLLECTION: Final = f" WHERE EXISTS (SELECT 1 FROM {{}} WHERE change_id = {{}}.id AND place IN ({_NAMES}))"  # noqa: S608  our own names
Step = tuple[str, Any, Any]
"""What was there before: the table, key and columns of a row, or `LAYOUTS`, path and content of a file; all as JSON.

None in place of the columns or the content says that there was none.
"""


class ChangeJson(TypedDict):
    """A change to the collection: when it was made (UTC), what it was, and whether it was taken back."""

    id: int
    made: str
    what: str
    undone: bool


class Change(NamedTuple):
    """A change to the collection: its number, when it was made (UTC), what it was, and whether it was taken back."""

    id: int
    made: str
    what: str
    undone: bool

    def to_dict(self) -> ChangeJson:
        """The documented shape of a line of `collection history --json`."""
        return {"id": self.id, "made": self.made, "what": self.what, "undone": self.undone}


class _NoTraceError(Exception):
    """Ends a change that was only tried, or that changed nothing."""


@contextmanager
def change(
    store: Store, what: str, waiting: Callable[[], None] | None = None, *, dry_run: bool = False
) -> Iterator[None]:
    """One change that can be taken back, all or nothing; one that changes nothing leaves no trace.

    Inside another it is a part of that. With `dry_run` all of it is done, and then taken back.
    """
    if store.is_changing:
        yield
        return
    connection = store.connection
    try:
        store.is_changing = True
        with transaction(connection, what, waiting):
            text = what.encode("utf-8", "replace").decode()  # a command line may hold half a character
            cursor = connection.execute("INSERT INTO changes (made, what) VALUES (?, ?)", (now(), text))
            number = cursor.lastrowid
            yield
            query = "SELECT 1 FROM journal WHERE change_id = ?"
            # Without a row in the journal nothing has changed, and there would be nothing to undo.
            if dry_run or connection.execute(query, (number,)).fetchone() is None:
                raise _NoTraceError  # noqa: TRY301  the transaction takes it all back
            # What was taken back before does not fit any more.
            connection.execute("DELETE FROM journal_undone")
            connection.execute("DELETE FROM changes_undone")
            _forget(connection)
    except _NoTraceError:
        pass
    finally:
        store.is_changing = False


def note_row(store: Store, table: str, key: str) -> None:
    """Writes down how a row of one of the tables in `NOTED` is, before the change that is being made changes it."""
    columns = ", ".join(_columns(store, table))
    row = f"SELECT json_array({columns}) FROM {table} WHERE {NOTED[table]} = ?"  # noqa: S608  our own words
    (before,) = store.connection.execute(row, (key,)).fetchone() or (None,)
    _note(store, table, key, before)


def _columns(store: Store, table: str) -> list[str]:
    found = store.connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return [f'"{name}"' for (name,) in found]


def note_file(store: Store, path: Path) -> None:
    """Writes down what is in a layout, before the change that is being made changes it."""
    before = json.dumps(path.read_bytes().decode("utf-8", "surrogateescape")) if path.exists() else None
    _note(store, LAYOUTS, json.dumps(str(path)), before)


def path_of(key: str) -> Path:
    """The path of a layout, as a step has it."""
    return Path(json.loads(key))


def _note(store: Store, place: str, key: str, before: str | None) -> None:
    store.connection.execute(
        "INSERT INTO journal (change_id, place, row_id, row_key, before)"
        " VALUES ((SELECT max(id) FROM changes), ?, 0, ?, ?)",
        (place, key, before),
    )


def _forget(connection: sqlite3.Connection) -> None:
    row = connection.execute("SELECT id FROM changes ORDER BY id DESC LIMIT 1 OFFSET ?", (MOST_CHANGES,)).fetchone()
    if row is not None:
        connection.execute("DELETE FROM journal WHERE change_id <= ?", row)
        connection.execute("DELETE FROM changes WHERE id <= ?", row)


def revert_change(store: Store, number: int, made: str, what: str) -> None:
    """Takes a change back, in a transaction; what `redo` needs is kept."""
    connection = store.connection
    steps, end = steps_of(store, number), _end(connection)
    _restore(store, steps)
    connection.execute(_DELETE_ORPHANS)
    # What was written down meanwhile is how to do it again.
    connection.execute(
        "INSERT INTO journal_undone (change_id, place, row_id, row_key, before)"
        " SELECT ?, place, row_id, row_key, before FROM journal WHERE id > ? ORDER BY id",
        (number, end),
    )
    connection.execute("INSERT INTO changes_undone (id, made, what) VALUES (?, ?, ?)", (number, made, what))
    connection.execute("DELETE FROM journal WHERE change_id = ? OR id > ?", (number, end))
    connection.execute("DELETE FROM changes WHERE id = ?", (number,))


def reapply_change(store: Store, number: int, made: str, what: str) -> None:
    """Does again a change that was taken back, in a transaction; it is the last one then."""
    connection = store.connection
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM changes").fetchone()
    # Its old number only where that is still the highest: the order of ids is that of the changes.
    again = number if number > last else None
    cursor = connection.execute("INSERT INTO changes (id, made, what) VALUES (?, ?, ?)", (again, made, what))
    end = _end(connection)
    _restore(store, steps_of(store, number, "journal_undone"))
    connection.execute("UPDATE journal SET change_id = ? WHERE id > ?", (cursor.lastrowid, end))
    connection.execute("DELETE FROM journal_undone WHERE change_id = ?", (number,))
    connection.execute("DELETE FROM changes_undone WHERE id = ?", (number,))


def _end(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM journal").fetchone()[0])


def steps_of(store: Store, number: int, journal: str = "journal") -> list[Step]:
    """How what a change changed was before it, the last of it first."""
    key = "coalesce(row_key, row_id)"
    query = f"SELECT place, {key}, before FROM {journal} WHERE change_id = ? ORDER BY id DESC"  # noqa: S608
    return store.connection.execute(query, (number,)).fetchall()


def _restore(store: Store, steps: Iterable[Step]) -> None:
    """Makes rows what they were, and notes what is in files now."""
    connection = store.connection
    for place, key, before in steps:
        if place == LAYOUTS:  # the file itself waits until the catalogue has the change
            note_file(store, path_of(key))
            continue
        if place in NOTED:
            note_row(store, place, str(key))
        connection.execute(f"DELETE FROM {place} WHERE {NOTED.get(place, 'id')} = ?", (key,))  # noqa: S608
        if before is not None:
            values = cell_list(before)
            columns = _columns(store, place) if place in NOTED else TABLES[place].split(", ")
            known = ", ".join(columns[: len(values)])  # an older version wrote down fewer columns
            marks = ", ".join("?" * len(values))
            connection.execute(f"INSERT INTO {place} ({known}) VALUES ({marks})", values)  # noqa: S608


class Changes:
    """The changes to a collection, in a catalogue that is open; `waiting` is called where another command holds it."""

    def __init__(self, store: Store, waiting: Callable[[], None] | None = None) -> None:
        self.store, self.waiting = store, waiting
        self._connection: sqlite3.Connection = store.connection

    def change(self, what: str, *, dry_run: bool = False) -> AbstractContextManager[None]:
        """One change to the collection, all or nothing, as `change` makes one."""
        return change(self.store, what, self.waiting, dry_run=dry_run)

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

    def last_change(self) -> tuple[int, str, str] | None:
        """Number, time and words of the last change to the collection; None where there is none."""
        mine = _OF_COLLECTION.format("journal", "changes")
        query = f"SELECT id, made, what FROM changes{mine} ORDER BY id DESC LIMIT 1"  # noqa: S608  our own words
        row = self._connection.execute(query).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def history(self) -> list[Change]:
        """Every change that is remembered, the oldest first, then those that were taken back, in the same order."""
        mine, back = (
            _OF_COLLECTION.format("journal", "changes"),
            _OF_COLLECTION.format("journal_undone", "changes_undone"),
        )
        done = self._connection.execute(f"SELECT id, made, what, 0 FROM changes{mine} ORDER BY id")  # noqa: S608
        undone = self._connection.execute(f"SELECT id, made, what, 1 FROM changes_undone{back} ORDER BY position DESC")  # noqa: S608
        return [Change(number, made, what, bool(back)) for number, made, what, back in (*done, *undone)]

    def undo(self, expected: int | None = None) -> tuple[str, str]:
        """Takes the last change back, and returns when it was made and what it was.

        Raises CatalogError where there is none, or where it is not the `expected` one but a later one.
        """
        with transaction(self._connection, "undo the last change to the collection", self.waiting):
            last = self.last_change()
            if last is None:
                raise CatalogError("There is nothing to undo.")
            number, made, what = last
            if expected is not None and number != expected:
                raise CatalogError(f"Another command has changed the collection since ({what}); undo that first.")
            self._check_alone(what, steps_of(self.store, number))
            revert_change(self.store, *last)
        return made, what

    def redo(self) -> tuple[str, str]:
        """Does again what was taken back last, and returns when it was made and what it was.

        Raises CatalogError where nothing was taken back, or the collection was changed since.
        """
        with transaction(self._connection, "redo the last change to the collection", self.waiting):
            mine = _OF_COLLECTION.format("journal_undone", "changes_undone")
            query = f"SELECT id, made, what FROM changes_undone{mine} ORDER BY position DESC LIMIT 1"  # noqa: S608
            row = self._connection.execute(query).fetchone()
            if row is None:
                raise CatalogError("There is nothing to redo.")
            self._check_alone(row[2], steps_of(self.store, row[0], "journal_undone"))
            reapply_change(self.store, *row)
        return row[1], row[2]

    def _check_alone(self, what: str, steps: Iterable[Step]) -> None:
        """Refuses a change that is of cards, too: what was done with these since would not fit any more."""
        if any(place in OF_CARDS or place == LAYOUTS for place, _, _ in steps):
            raise CatalogError(f"This also changed a card ({what}). Use: ccgrid undo, ccgrid redo")
