"""Recording of changes, so that they can be undone.

A change is one transaction. During it, triggers write each row that it changes or removes into `journal`, as it was
before. Rows that it adds are not written: their keys are above the highest key before the change (its marks).
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ccgrid.catalog.clock import now
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import SqlValue
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
from ccgrid.catalog.surrogates import replace_surrogates

MOST_CHANGES: Final = 1000
"""The maximum number of changes that are kept. Older ones cannot be undone."""

MOST_TEXT: Final = 200_000_000
"""The maximum number of characters of the rows of all kept changes. The last change is kept in any case."""

_KINDS: Final[Mapping[Kind, frozenset[str]]] = {
    "import": frozenset({"imports"}),
    "layout": frozenset({LAYOUTS}),
    "card": frozenset({"cards", "corrections"}),
    "collection": frozenset({"boxes", "holdings", "collection_files", "doubts", "decks_out", "file_rows"}),
}
"""The kinds of changes by the tables that they write. The first match counts; without one it is a card."""


class _NoEffectError(Exception):
    """Raised to roll back a change that was only tried, or that changed nothing."""


@contextmanager
def change(
    store: Store, what: str, waiting: Callable[[], None] | None = None, *, dry_run: bool = False
) -> Iterator[None]:
    """Make one undoable change in one transaction during the block. A change without an effect is not recorded.

    Inside another change it is a part of that. With `dry_run` everything is rolled back at the end.
    `waiting` is called once if another command holds the catalogue.
    """
    if store.is_changing:
        yield
        return
    connection = store.connection
    try:
        store.is_changing = True
        # It locks before it reads, so that two commands at once never lose each other's changes.
        with transaction(connection, what, waiting):
            number = _begin(connection, what)
            yield
            if dry_run or not _end(connection, number):
                raise _NoEffectError  # noqa: TRY301  the transaction rolls all of it back
    except _NoEffectError:
        pass
    finally:
        store.is_changing = False


def _begin(connection: sqlite3.Connection, what: str) -> int:
    """Record a new change, have the triggers write its rows into the journal, and return its number."""
    _create_triggers(connection)
    marks = {
        table: connection.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchone()[0]  # noqa: S608
        for table, key in KEYS.items()
    }
    query = "INSERT INTO changes (made, what, marks) VALUES (?, ?, ?)"
    number = connection.execute(query, (now(), replace_surrogates(what), json.dumps(marks))).lastrowid or 0
    connection.executemany(
        "INSERT INTO recording (place, change_id, mark) VALUES (?, ?, ?)",
        ((table, number, mark) for table, mark in marks.items()),
    )
    return number


def _create_triggers(connection: sqlite3.Connection) -> None:
    """Create the triggers that write the journal, unless this connection has them.

    They do nothing unless `recording` has a row for their table, which it has during a change only.
    """
    query = "SELECT 1 FROM temp.sqlite_master WHERE name = 'recording'"
    if connection.execute(query).fetchone() is not None:
        return
    connection.execute(
        "CREATE TEMP TABLE recording"
        " (place TEXT PRIMARY KEY, change_id INTEGER NOT NULL, mark INTEGER NOT NULL) WITHOUT ROWID"
    )
    for table in KEYS:
        _create_triggers_of(connection, table)


def _create_triggers_of(connection: sqlite3.Connection, table: str) -> None:
    """Create the triggers of one table.

    Statements that add many rows to it need OR FAIL: otherwise SQLite prepares to roll back each row, because a
    trigger is fired.
    """
    key = KEYS[table]
    cells = ", ".join(f'old."{name}"' for name in column_names(connection, table))
    for event, row, content in (
        ("INSERT", "new", "NULL"),
        ("UPDATE", "old", f"json_array({cells})"),
        ("DELETE", "old", f"json_array({cells})"),
    ):
        # Only the first time: the row before the change counts. OR IGNORE does not work, because the OR clause of the
        # statement that fires a trigger overrides it. The plus lets the comparison use the index.
        connection.execute(
            f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON main.{table}"  # noqa: S608  our own names
            f" WHEN {row}.{key} <= (SELECT mark FROM recording WHERE place = '{table}') BEGIN"
            f" INSERT INTO journal (change_id, place, key, content)"
            f" SELECT change_id, place, {row}.{key}, {content} FROM recording WHERE place = '{table}'"
            f" AND NOT EXISTS (SELECT 1 FROM journal WHERE (change_id, place, key)"
            f" = (recording.change_id, recording.place, +{row}.{key})); END"
        )


@contextmanager
def card_triggers_suspended(connection: sqlite3.Connection) -> Iterator[Callable[[str, Sequence[SqlValue]], None]]:
    """Suspend the triggers of `cards` during the block; they take a third of the time of an import.

    The block gets a function. It must call it before it changes or removes cards, with the condition that they meet and
    its values. It must not add cards after it has removed some: those could get the numbers of removed cards.
    If the block fails, its change is rolled back, which restores the triggers.
    """
    for event in ("INSERT", "UPDATE", "DELETE"):
        connection.execute(f"DROP TRIGGER temp.cards_{event}")
    query = (
        "INSERT OR IGNORE INTO journal (change_id, place, key, content)"  # noqa: S608  our own names
        f" SELECT change_id, place, number, {row_sql(connection, 'cards')} FROM cards, recording"
        " WHERE place = 'cards' AND number <= mark AND "
    )

    def note(condition: str, values: Sequence[SqlValue]) -> None:
        connection.execute(query + condition, values)

    yield note
    _create_triggers_of(connection, "cards")


def _end(connection: sqlite3.Connection, number: int) -> bool:
    """Complete a change; return False if it changed nothing."""
    connection.execute("DELETE FROM recording")
    places = {
        table for table, mark in read_marks(connection, number).items() if has_keys_above(connection, table, mark)
    } | {LAYOUTS for _ in connection.execute(SELECT_LAYOUTS, (number,))}
    query = "SELECT DISTINCT place FROM journal WHERE change_id = ? AND place <> ?"
    for (table,) in connection.execute(query, (number, LAYOUTS)).fetchall():
        # A row with its previous content is not changed.
        connection.execute(
            "DELETE FROM journal WHERE change_id = ?1 AND place = ?2 AND content IS"  # noqa: S608  our own names
            f" (SELECT {row_sql(connection, table)} FROM {table} WHERE {table}.{KEYS[table]} = journal.key)",
            (number, table),
        )
        query = "SELECT 1 FROM journal WHERE (change_id, place) = (?, ?)"
        if connection.execute(query, (number, table)).fetchone() is not None:
            places.add(table)
    if not places:
        return False
    connection.execute("DELETE FROM journal WHERE change_id IN (SELECT id FROM changes WHERE undone)")
    connection.execute("DELETE FROM changes WHERE undone")
    kind = next((kind for kind, tables in _KINDS.items() if tables & places), "card")
    connection.execute(
        "UPDATE changes SET kind = ?2, size ="
        " (SELECT coalesce(sum(length(content)), 0) FROM journal WHERE change_id = ?1) WHERE id = ?1",
        (number, kind),
    )
    _delete_oldest(connection)
    return True


def _delete_oldest(connection: sqlite3.Connection) -> None:
    """Delete the oldest changes if there are too many, or their rows take too much space."""
    query = (
        "SELECT max(id) FROM (SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS total FROM changes"
        " WINDOW newest AS (ORDER BY id DESC)) WHERE place > 1 AND (place > ? OR total > ?)"
    )
    (last,) = connection.execute(query, (MOST_CHANGES, MOST_TEXT)).fetchone()
    if last is not None:
        connection.execute("DELETE FROM journal WHERE change_id <= ?", (last,))
        connection.execute("DELETE FROM changes WHERE id <= ?", (last,))


def describe_import(connection: sqlite3.Connection, entry: Mapping[str, object]) -> None:
    """Record in the current change what an import of cards read and did, under the keys of `ImportChange`."""
    counts = ", ".join(f"{entry[name]:,} {name}" for name in ("added", "changed", "removed"))
    what = f"import {entry['source']}: {counts}"
    connection.execute(
        "UPDATE changes SET what = ?, details = ? WHERE id = (SELECT max(id) FROM changes)", (what, json.dumps(entry))
    )


def note_layout(store: Store, path: Path, waiting: Callable[[], None] | None = None) -> None:
    """Record that a layout in the user's folder is about to be written, so that this can be undone."""
    with change(store, f"write the layout {path.stem}", waiting):
        store.connection.execute(
            "INSERT INTO journal (change_id, place, key, content) VALUES ((SELECT max(id) FROM changes), ?, ?, ?)",
            (LAYOUTS, json.dumps(str(path)), file_content(path)),
        )
