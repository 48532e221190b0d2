"""The history: every change to the catalogue and to the user's layouts, undone and redone in order.

A change is one transaction. While it is made, triggers write each row that it changes or removes into `journal`, as the
row was before. Rows that it adds are not written: their keys are above the highest key before the change (its marks).
Undoing and redoing a change exchange the rows in the journal with those in the tables.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypedDict, cast

from ccgrid.catalog.clock import local_minute, now
from ccgrid.catalog.errors import CatalogError, ChangedMeanwhileError
from ccgrid.catalog.files import atomic_binary_file, make_folder, remove
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.cells import cell_table
from ccgrid.catalog.store.schema import TABLES
from ccgrid.catalog.store.transactions import transaction

MOST_CHANGES: Final = 1000
"""The number of changes that are kept. Older ones cannot be undone any more."""
MOST_TEXT: Final = 200_000_000
"""The most characters that the rows of all kept changes may have together; the last change is kept whatever it has."""

KEYS: Final[Mapping[str, str]] = dict.fromkeys((*TABLES, "names"), "id") | {"cards": "number", "uncorrected": "number"}
"""The tables that changes are kept of, and the column of each with the whole number that is the key of a row."""
Kind = Literal["collection", "card", "layout", "import"]
_LAYOUTS: Final = "layouts"
"""The place in the journal of files in the user's own folder of layouts; their keys are their paths."""
_KINDS: Final[Mapping[Kind, frozenset[str]]] = {
    "import": frozenset({"imports"}),
    "layout": frozenset({_LAYOUTS}),
    "card": frozenset({"cards", "corrections"}),
    "collection": frozenset({"boxes", "holdings", "collection_files", "doubts", "decks_out", "file_rows"}),
}
"""The kinds of changes by the tables that they write: the first that fits, else card."""


class HistoryEntryJson(TypedDict):
    """A change: its kind and number, when it was made (UTC), what it did, and whether it is undone."""

    kind: Kind
    id: int
    made: str
    what: str
    undone: bool


class ImportEntryJson(TypedDict):
    """An import of cards: where its data came from, and what it did with the cards that it read.

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


class ImportHistoryJson(HistoryEntryJson, ImportEntryJson):
    """A change that is an import of cards."""


class Change(NamedTuple):
    """A change in the history; `details` is set for imports of cards."""

    number: int
    made: str
    what: str
    kind: Kind
    undone: bool = False
    details: ImportEntryJson | None = None

    def __str__(self) -> str:
        """What it did, and when."""
        of = "the change to the collection, " if self.kind == "collection" else ""
        return f"{of}{self.what} ({local_minute(self.made)})"

    def to_dict(self) -> HistoryEntryJson | ImportHistoryJson:
        """Return the documented shape of a line of `history --json`."""
        entry: HistoryEntryJson = {
            "kind": self.kind,
            "id": self.number,
            "made": self.made,
            "what": self.what,
            "undone": self.undone,
        }
        return entry if self.details is None else {**entry, **self.details}


class _NoTraceError(Exception):
    """Ends a change that was only tried, or that changed nothing."""


@contextmanager
def change(
    store: Store, what: str, waiting: Callable[[], None] | None = None, *, dry_run: bool = False
) -> Iterator[None]:
    """Make one change that can be undone, all or nothing; one that changes nothing leaves no trace.

    Inside another change it is a part of that. With `dry_run` all of it is done and then rolled back.
    `waiting` is called once if another command holds the catalogue.
    """
    if store.is_changing:
        yield
        return
    connection = store.connection
    try:
        store.is_changing = True
        # It begins to write before it reads, so that two commands at once never lose what the other did.
        with transaction(connection, what, waiting):
            number = _begin(connection, what)
            yield
            if dry_run or not _end(connection, number):
                raise _NoTraceError  # noqa: TRY301  the transaction rolls all of it back
    except _NoTraceError:
        pass
    finally:
        store.is_changing = False


def _begin(connection: sqlite3.Connection, what: str) -> int:
    """Enter a new change, and have the triggers write its rows into the journal; return its number."""
    _create_triggers(connection)
    marks = {
        table: connection.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchone()[0]  # noqa: S608
        for table, key in KEYS.items()
    }
    text = what.encode("utf-8", "replace").decode()  # a command line may hold half a character
    query = "INSERT INTO changes (made, what, marks) VALUES (?, ?, ?)"
    number = connection.execute(query, (now(), text, json.dumps(marks))).lastrowid or 0
    connection.executemany(
        "INSERT INTO recording (place, change_id, mark) VALUES (?, ?, ?)",
        ((table, number, mark) for table, mark in marks.items()),
    )
    return number


def _create_triggers(connection: sqlite3.Connection) -> None:
    """Create the triggers that keep the journal, as far as this connection lacks them.

    They do nothing unless `recording` has a row for their table, which is so during a change alone.
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

    Statements that add many rows to it say OR FAIL: else SQLite prepares to roll back each row, as it fires a trigger.
    """
    key = KEYS[table]
    cells = ", ".join(f'old."{name}"' for name in _columns(connection, table))
    for event, row, content in (
        ("INSERT", "new", "NULL"),
        ("UPDATE", "old", f"json_array({cells})"),
        ("DELETE", "old", f"json_array({cells})"),
    ):
        # Only the first time: what the row was before the change counts. OR IGNORE would not do, as the OR of the
        # statement that fires a trigger holds for those in it. The plus lets the comparison use the index.
        connection.execute(
            f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON main.{table}"  # noqa: S608  our own names
            f" WHEN {row}.{key} <= (SELECT mark FROM recording WHERE place = '{table}') BEGIN"
            f" INSERT INTO journal (change_id, place, key, content)"
            f" SELECT change_id, place, {row}.{key}, {content} FROM recording WHERE place = '{table}'"
            f" AND NOT EXISTS (SELECT 1 FROM journal WHERE (change_id, place, key)"
            f" = (recording.change_id, recording.place, +{row}.{key})); END"
        )


@contextmanager
def noting_cards(connection: sqlite3.Connection) -> Iterator[Callable[[str, Sequence[Any]], None]]:
    """Suspend the triggers of `cards` while the block runs, which take a third of the time of an import.

    The block must call what it gets before it changes or removes cards, with the condition that they meet and its
    values. It may not add cards after it has removed some: those could get the numbers of cards that it removed.
    If it fails, its change is rolled back, and with that the triggers are there again.
    """
    for event in ("INSERT", "UPDATE", "DELETE"):
        connection.execute(f"DROP TRIGGER temp.cards_{event}")
    query = (
        "INSERT OR IGNORE INTO journal (change_id, place, key, content)"  # noqa: S608  our own names
        f" SELECT change_id, place, number, {_row(connection, 'cards')} FROM cards, recording"
        " WHERE place = 'cards' AND number <= mark AND "
    )

    def note(condition: str, values: Sequence[Any]) -> None:
        connection.execute(query + condition, values)

    yield note
    _create_triggers_of(connection, "cards")


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return [name for (name,) in found]


def _row(connection: sqlite3.Connection, table: str) -> str:
    """Return the SQL of a row of a table as the journal has it."""
    cells = (f'{table}."{name}"' for name in _columns(connection, table))
    return f"json_array({', '.join(cells)})"


def _end(connection: sqlite3.Connection, number: int) -> bool:
    """Complete a change; return False if it changed nothing."""
    connection.execute("DELETE FROM recording")
    places = {
        table for table, mark in _marks(connection, number).items() if _has_keys_above(connection, table, mark)
    } | {_LAYOUTS for _ in connection.execute(_ITS_LAYOUTS, (number,))}
    query = "SELECT DISTINCT place FROM journal WHERE change_id = ? AND place <> ?"
    for (table,) in connection.execute(query, (number, _LAYOUTS)).fetchall():
        # A row that is again as it was is no change.
        connection.execute(
            "DELETE FROM journal WHERE change_id = ?1 AND place = ?2 AND content IS"  # noqa: S608  our own names
            f" (SELECT {_row(connection, table)} FROM {table} WHERE {table}.{KEYS[table]} = journal.key)",
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
    _forget(connection)
    return True


_ITS_LAYOUTS: Final = f"SELECT key, content FROM journal WHERE change_id = ? AND place = '{_LAYOUTS}'"  # noqa: S608


def _marks(connection: sqlite3.Connection, number: int) -> dict[str, int]:
    (marks,) = connection.execute("SELECT marks FROM changes WHERE id = ?", (number,)).fetchone()
    return cell_table(marks)


def _has_keys_above(connection: sqlite3.Connection, table: str, mark: int) -> bool:
    query = f"SELECT 1 FROM {table} WHERE {KEYS[table]} > ? LIMIT 1"  # noqa: S608  our own names
    return connection.execute(query, (mark,)).fetchone() is not None


def _forget(connection: sqlite3.Connection) -> None:
    """Forget the oldest changes, if there are too many or their rows take too much room."""
    query = (
        "SELECT max(id) FROM (SELECT id, row_number() OVER newest AS place, sum(size) OVER newest AS total FROM changes"
        " WINDOW newest AS (ORDER BY id DESC)) WHERE place > 1 AND (place > ? OR total > ?)"
    )
    (last,) = connection.execute(query, (MOST_CHANGES, MOST_TEXT)).fetchone()
    if last is not None:
        connection.execute("DELETE FROM journal WHERE change_id <= ?", (last,))
        connection.execute("DELETE FROM changes WHERE id <= ?", (last,))


def describe_import(connection: sqlite3.Connection, entry: ImportEntryJson) -> None:
    """Note in the change that is being made what an import of cards read and did."""
    what = f"import {entry['source']}: " + ", ".join(f"{entry[name]:,} {name}" for name in _SHOWN_COUNTS)
    connection.execute(
        "UPDATE changes SET what = ?, details = ? WHERE id = (SELECT max(id) FROM changes)", (what, json.dumps(entry))
    )


_SHOWN_COUNTS: Final = cast("tuple[Literal['added', 'changed', 'removed'], ...]", ("added", "changed", "removed"))
_SELECT: Final = "SELECT id, made, what, kind, undone, details FROM changes"


def _change(row: tuple[Any, ...]) -> Change:
    number, made, what, kind, undone, details = row
    told = None if details is None else cast("ImportEntryJson", cell_table(details))
    return Change(number, made, what, kind, bool(undone), told)


def history(store: Store) -> list[Change]:
    """Return all changes that are kept, the oldest first; those that are undone come last."""
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
    # Entered first and left last: files change only after the catalogue has the change.
    with ExitStack() as files, _exchanging(store, "undo the last change", waiting):
        last = last_change(store)
        if last is None:
            raise CatalogError("There is nothing to undo.")
        if expected not in (None, last.number):
            raise ChangedMeanwhileError(f"Another command made a change since: {last}. See: ccgrid history")
        _exchange(store, files, last.number, undone=True)
    return last._replace(undone=True)


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
        _exchange(store, files, change.number, undone=False)
    return change._replace(undone=False)


@contextmanager
def _exchanging(store: Store, what: str, waiting: Callable[[], None] | None) -> Iterator[None]:
    try:
        with transaction(store.connection, what, waiting):
            yield
    except sqlite3.IntegrityError as error:
        message = f"Cannot {what}: another program has changed the catalogue since ({error})."
        raise ChangedMeanwhileError(message) from error


def _exchange(store: Store, files: ExitStack, number: int, *, undone: bool) -> None:
    """Exchange the rows of a change in the journal with those in the tables; its layouts when `files` ends."""
    connection = store.connection
    for key, content in connection.execute(_ITS_LAYOUTS, (number,)).fetchall():
        path = Path(json.loads(key))
        now_there = _file_content(path)
        query = "UPDATE journal SET content = ? WHERE (change_id, place, key) = (?, ?, ?)"
        connection.execute(query, (now_there, number, _LAYOUTS, key))
        files.enter_context(write_on_success(path, None if content is None else json.loads(content)))
    connection.execute("CREATE TEMP TABLE exchanged (key INTEGER PRIMARY KEY, content TEXT)")
    query = "SELECT DISTINCT place FROM journal WHERE change_id = ?"
    places = {place for (place,) in connection.execute(query, (number,))}
    for table, mark in _marks(connection, number).items():
        if table not in places and not _has_keys_above(connection, table, mark):
            continue
        _exchange_rows(connection, number, table, mark)
        # Of a change that stands, the rows that it added are in their table alone.
        if not undone:
            query = "DELETE FROM journal WHERE (change_id, place) = (?, ?) AND key > ?"
            connection.execute(query, (number, table, mark))
    connection.execute("DROP TABLE exchanged")
    connection.execute("UPDATE changes SET undone = ? WHERE id = ?", (undone, number))


def _exchange_rows(connection: sqlite3.Connection, number: int, table: str, mark: int) -> None:
    key, columns, row = KEYS[table], _columns(connection, table), _row(connection, table)
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
    if table == "names":  # what is removed from `names` a trigger removes from its index as well
        index = f"INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE id IN (SELECT key {there})"  # noqa: S608
        connection.execute(index, (number, table))
    connection.execute(f"DELETE FROM {its}", (number, table))  # noqa: S608  our own names
    query = "INSERT INTO journal (change_id, place, key, content) SELECT ?, ?, key, content FROM exchanged"
    connection.execute(query, (number, table))


def note_layout(store: Store, path: Path, waiting: Callable[[], None] | None = None) -> None:
    """Record that a layout in the user's own folder of layouts is about to be written, so that it can be undone."""
    with change(store, f"write the layout {path.stem}", waiting):
        store.connection.execute(
            "INSERT INTO journal (change_id, place, key, content) VALUES ((SELECT max(id) FROM changes), ?, ?, ?)",
            (_LAYOUTS, json.dumps(str(path)), _file_content(path)),
        )


def _file_content(path: Path) -> str | None:
    """Return the text of a layout as the journal has it, or None if there is no such file."""
    return json.dumps(path.read_bytes().decode("utf-8", "surrogateescape")) if path.exists() else None


@contextmanager
def write_on_success(path: Path, text: str | None) -> Iterator[None]:
    """Give a file this text, or remove it for None, as soon as the block ends well; else it stays as it was."""
    if text is None:
        yield
        remove(path)
        return
    make_folder(path.parent)
    with atomic_binary_file(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()  # a full disk is met here
        yield
