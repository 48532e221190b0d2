"""The history: the changes to the catalogue and to the user's layouts, and how they are undone and redone in order.

Undoing and redoing a change exchange the rows in the journal with those in the tables.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from ccgrid.catalog.clock import local_minute
from ccgrid.catalog.errors import CatalogError, ChangedMeanwhileError, DamagedCatalogueError
from ccgrid.catalog.files import atomic_binary_file, make_folder, remove
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_table
from ccgrid.catalog.store.journal import (
    KEYS,
    LAYOUTS,
    SELECT_LAYOUTS,
    Kind,
    column_names,
    file_content,
    has_keys_above,
    read_marks,
    row_sql,
)
from ccgrid.catalog.store.transactions import transaction


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change: its kind and number, when it was made (UTC), what it did, and whether it is undone."""

    kind: Kind
    id: int
    made: str
    what: str
    undone: bool

    def __str__(self) -> str:
        """Return what the change did, and when it was made."""
        prefix = "the change to the collection, " if self.kind == "collection" else ""
        return f"{prefix}{self.what} ({local_minute(self.made)})"


class ImportChange(Change, frozen=True, kw_only=True):
    """A change that is an import of cards: where its data came from, and what it did with the cards that it read.

    `sha256` and `size`, in bytes, are those of the data; `imported` is when it was made (UTC).
    """

    source: str
    address: str
    version: str | None
    sha256: str | None
    size: int | None
    imported: str
    read: int
    added: int
    changed: int
    unchanged: int
    removed: int
    skipped: int


_INDEXED: Final = {"names": "folded", "descriptions": "text"}
"""The tables with a full-text index, and its column."""
_SELECT: Final = "SELECT id, made, what, kind, undone, details FROM changes"


def _change(row: tuple[Any, ...]) -> Change:
    number, made, what, kind, undone, details = row
    fields = {"id": number, "made": made, "what": what, "kind": kind, "undone": bool(undone)}
    if details is None:
        return Change(**fields)
    try:
        return msgspec.convert({**cell_table(details), **fields}, ImportChange)
    except msgspec.ValidationError:
        raise DamagedCatalogueError from None


def history(store: Store) -> list[Change]:
    """Return all kept changes, oldest first; undone ones come last."""
    return [_change(row) for row in store.connection.execute(f"{_SELECT} ORDER BY id")]


def last_change(store: Store) -> Change | None:
    """Return the last change that is not undone, or None if there is none."""
    row = store.connection.execute(f"{_SELECT} WHERE NOT undone ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else _change(row)


def undo(store: Store, expected: int | None = None, waiting: Callable[[], None] | None = None) -> Change:
    """Undo the last change, and return it. `waiting` is called once if another command holds the catalogue.

    Raises:
        CatalogError: If there is no change, if its number is not the `expected` one, or if it cannot be undone.
    """
    # Entered first and left last: files change only after the catalogue has changed.
    with ExitStack() as files, _exchanging(store, "undo the last change", waiting):
        last = last_change(store)
        if last is None:
            raise CatalogError("There is nothing to undo.")
        if expected not in (None, last.id):
            raise ChangedMeanwhileError(f"Another command made a change since: {last}. See: ccgrid history")
        _exchange(store, files, last.id, undone=True)
    return msgspec.structs.replace(last, undone=True)


def redo(store: Store, waiting: Callable[[], None] | None = None) -> Change:
    """Redo the change that was undone last, and return it; `waiting` as of `undo`.

    Raises:
        CatalogError: If no change is undone, or if it cannot be redone.
    """
    with ExitStack() as files, _exchanging(store, "redo the last undone change", waiting):
        row = store.connection.execute(f"{_SELECT} WHERE undone ORDER BY id LIMIT 1").fetchone()
        if row is None:
            raise CatalogError("There is nothing to redo.")
        change = _change(row)
        _exchange(store, files, change.id, undone=False)
    return msgspec.structs.replace(change, undone=False)


@contextmanager
def _exchanging(store: Store, what: str, waiting: Callable[[], None] | None) -> Iterator[None]:
    try:
        with transaction(store.connection, what, waiting):
            yield
    except sqlite3.IntegrityError as error:
        raise ChangedMeanwhileError(
            f"Cannot {what}: another program has changed the catalogue since ({error})."
        ) from error


def _exchange(store: Store, files: ExitStack, number: int, *, undone: bool) -> None:
    """Exchange the rows of a change in the journal with those in the tables, and its layouts when `files` ends."""
    connection = store.connection
    for key, content in connection.execute(SELECT_LAYOUTS, (number,)).fetchall():
        path = Path(json.loads(key))
        now_there = file_content(path)
        query = "UPDATE journal SET content = ? WHERE (change_id, place, key) = (?, ?, ?)"
        connection.execute(query, (now_there, number, LAYOUTS, key))
        files.enter_context(write_on_success(path, None if content is None else json.loads(content)))
    connection.execute("CREATE TEMP TABLE exchanged (key INTEGER PRIMARY KEY, content TEXT)")
    query = "SELECT DISTINCT place FROM journal WHERE change_id = ?"
    places = {place for (place,) in connection.execute(query, (number,))}
    for table, mark in read_marks(connection, number).items():
        if table not in places and not has_keys_above(connection, table, mark):
            continue
        _exchange_rows(connection, number, table, mark)
        # Rows that a change added are in the journal only while it is undone.
        if not undone:
            query = "DELETE FROM journal WHERE (change_id, place) = (?, ?) AND key > ?"
            connection.execute(query, (number, table, mark))
    connection.execute("DROP TABLE exchanged")
    connection.execute("UPDATE changes SET undone = ? WHERE id = ?", (undone, number))


def _exchange_rows(connection: sqlite3.Connection, number: int, table: str, mark: int) -> None:
    key, columns, row = KEYS[table], column_names(connection, table), row_sql(connection, table)
    its = "journal WHERE (change_id, place) = (?1, ?2)"
    connection.execute("DELETE FROM exchanged")
    connection.execute(
        f"INSERT INTO exchanged SELECT key, (SELECT {row} FROM {table} WHERE {table}.{key} = journal.key) FROM {its}"  # noqa: S608
        f" UNION ALL SELECT {key}, {row} FROM {table} WHERE {key} > ?3",
        (number, table, mark),
    )
    connection.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT key FROM exchanged)")  # noqa: S608  our own names
    names = ", ".join(f'"{name}"' for name in columns)
    cells = ", ".join(f"json_extract(content, '$[{place}]')" for place in range(len(columns)))
    there = f"FROM {its} AND content IS NOT NULL ORDER BY key"
    connection.execute(f"INSERT INTO {table} ({names}) SELECT {cells} {there}", (number, table))
    if column := _INDEXED.get(table):  # a trigger removes the deleted rows from the index
        index = f"INSERT INTO {table}_fts (rowid, {column}) SELECT id, {column} FROM {table}"  # noqa: S608  our own names
        connection.execute(f"{index} WHERE id IN (SELECT key {there})", (number, table))
    connection.execute(f"DELETE FROM {its}", (number, table))  # noqa: S608  our own names
    query = "INSERT INTO journal (change_id, place, key, content) SELECT ?, ?, key, content FROM exchanged"
    connection.execute(query, (number, table))


@contextmanager
def write_on_success(path: Path, text: str | None) -> Iterator[None]:
    """Write a file, or remove it for None, if the block succeeds; otherwise do not touch it."""
    if text is None:
        yield
        remove(path)
        return
    make_folder(path.parent)
    with atomic_binary_file(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()  # reports a full disk here
        yield
