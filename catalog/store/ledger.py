"""The ledger of imports: what came in, when and from where, and the last import taken back."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, NotRequired, TypedDict, cast, final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.files import make_folder, remove, whole_binary
from ccgrid.catalog.runtime import local_minute, now
from ccgrid.catalog.store.catalogue import COUNTS, ImportSummary, Provenance, Store
from ccgrid.catalog.store.custom_cards import without_corrections
from ccgrid.catalog.store.file import transaction
from ccgrid.catalog.store.journal import (
    LAYOUTS,
    OF_CARDS,
    TABLES,
    Step,
    change,
    note_file,
    path_of,
    reapply_change,
    revert_change,
    steps_of,
)
from ccgrid.catalog.store.lookup import forget_names, index_names, last_name, note_names

Kind = Literal["collection", "card", "layout", "import"]


class HistoryEntryJson(TypedDict):
    """Something that was done: by its number, when (UTC), what, and whether it was taken back.

    The line of an import says more; there `undone` is when it was taken back (UTC), or null.
    """

    kind: Kind
    id: int
    made: str
    what: str
    undone: bool


class ImportEntryJson(TypedDict):
    """An import in the ledger: where its data came from, when it was made (UTC), and what it did.

    `undone` is when it was taken back (UTC), or null; `sha256` and `size`, in bytes, are those of the data.
    """

    id: int
    source: str
    address: str
    version: str | None
    sha256: str | None
    size: int | None
    imported: str
    undone: str | None
    read: int
    added: int
    changed: int
    unchanged: int
    removed: int
    skipped: int


class ImportHistoryJson(ImportEntryJson):
    """An import in the list of what was done."""

    kind: Literal["import"]
    made: str
    what: str


@final
class RevertedJson(TypedDict):
    """What was taken back, or done again, and when it was made (UTC); `collection` says a change to that once more."""

    collection: NotRequired[str]
    kind: Kind
    what: str
    made: str


_ENTRY: Final = (
    *("id", "source", "address", "version", "sha256", "size", "imported", "undone"),
    *("read", "added", "changed", "unchanged", "removed", "skipped"),
)
_SELECT: Final = f"SELECT {', '.join(_ENTRY)} FROM imports"  # noqa: S608  our own column names


def last_import(store: Store, source: str) -> tuple[Provenance, int] | None:
    """The origin of a source's last import that is not undone, and how many cards it had; None where there is none."""
    row = store.connection.execute(
        "SELECT source, address, layout, version, sha256, size, read - skipped FROM imports"
        " WHERE source = ? AND undone IS NULL ORDER BY id DESC LIMIT 1",
        (source,),
    ).fetchone()
    return (Provenance(*row[:-1]), row[-1]) if row else None


def unchanged_summary(store: Store, origin: Provenance) -> ImportSummary:
    """The summary of an import whose data is what the catalogue holds already: nothing is read."""
    summary = ImportSummary(origin.source, origin.version)
    query = "SELECT reason, count(*) FROM cards WHERE source = ? GROUP BY reason"
    summary.count(store.connection.execute(query, (origin.source,)))
    summary.read = summary.unchanged = summary.legal + summary.barred.total()
    return summary


def open_entry(connection: sqlite3.Connection, origin: Provenance) -> int:
    """The number of a new line in the ledger; what the import before replaced is forgotten."""
    connection.execute("DELETE FROM replaced")
    values = (origin.source, origin.address, origin.layout, origin.version, origin.sha256, origin.size)
    cursor = connection.execute(
        "INSERT INTO imports (source, address, layout, version, sha256, size, imported,"
        " read, added, changed, unchanged, removed, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)",
        (*values, now()),
    )
    return int(cursor.lastrowid or 0)


def close_entry(connection: sqlite3.Connection, import_id: int, summary: ImportSummary, origin: Provenance) -> None:
    """Writes what an import did into its line of the ledger, and counts the cards that it saw."""
    if origin.digest is not None:
        connection.execute("UPDATE imports SET sha256 = ? WHERE id = ?", (origin.digest(), import_id))
    connection.execute(
        "UPDATE imports SET read = ?, added = ?, changed = ?, unchanged = ?, removed = ?, skipped = ? WHERE id = ?",
        (*(getattr(summary, name) for name in COUNTS), import_id),
    )
    connection.execute(
        "INSERT INTO changes (made, what, import_id)"
        " SELECT imported, 'import ' || source, id FROM imports WHERE id = ?",
        (import_id,),
    )
    query = "SELECT reason, count(*) FROM cards WHERE seen_id = ? GROUP BY reason"
    summary.count(connection.execute(query, (import_id,)))


def history(store: Store) -> list[ImportEntryJson]:
    """Every import that was recorded, the oldest first, in the documented shape of `history --json`."""
    return [_entry(row) for row in store.connection.execute(f"{_SELECT} ORDER BY id")]


def last_entry(store: Store) -> ImportEntryJson | None:
    """The line of the last import in the ledger, taken back or not; None where there is none."""
    row = store.connection.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else _entry(row)


def undo_import(
    store: Store, waiting: Callable[[], None] | None = None, expected: int | None = None
) -> ImportEntryJson:
    """Takes the last import back, in one transaction, and returns its line of the ledger, which stays, as undone.

    The cards that it added go; those that it changed or removed are again as they were. Raises CatalogError where
    nothing was imported, or where the last import has been taken back: what the one before it replaced is not kept; or
    where the last import is not the `expected` one but a later one.
    `waiting` is called once where another command holds the catalogue.
    """
    connection = store.connection
    with transaction(connection, "undo the last import", waiting):
        last = connection.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
        if last is None:
            raise CatalogError("There is nothing to undo.")
        entry = _entry(last)
        if expected is not None and entry["id"] != expected:
            raise CatalogError(f"Another command has imported {entry['source']} since; see: ccgrid history")
        if entry["undone"] is not None:
            raise CatalogError(
                f"The last import, of {entry['source']}, is already undone.\nOnly the last import can be undone."
            )
        with without_corrections(store):
            _restore(connection, entry["id"])
        entry["undone"] = now()
        connection.execute("UPDATE imports SET undone = ? WHERE id = ?", (entry["undone"], entry["id"]))
        connection.execute("DELETE FROM changes WHERE import_id = ?", (entry["id"],))
    return entry


def _restore(connection: sqlite3.Connection, import_id: int) -> None:
    """Makes cards and names what they were before the last import, and forgets what that had replaced."""
    before = last_name(connection)
    connection.execute("DELETE FROM cards WHERE import_id = ?", (import_id,))
    connection.execute("INSERT INTO cards SELECT * FROM replaced")
    names = connection.execute(
        "SELECT name FROM replaced UNION SELECT printed_name FROM replaced WHERE printed_name IS NOT NULL"
    )
    note_names(connection, [name for (name,) in names])
    index_names(connection, before)
    forget_names(connection)
    connection.execute("DELETE FROM replaced")


def _entry(row: tuple[Any, ...]) -> ImportEntryJson:
    return cast("ImportEntryJson", dict(zip(_ENTRY, row, strict=True)))


class HistoryEntry(NamedTuple):
    """Something that was done: of which kind, by its number, when (UTC), what, and whether it was taken back."""

    kind: Kind
    number: int
    made: str
    what: str
    undone: bool = False

    def __str__(self) -> str:
        """What it was, and when."""
        of = "the change to the collection, " if self.kind == "collection" else ""
        return f"{of}{self.what} ({local_minute(self.made)})"

    def to_dict(self) -> HistoryEntryJson:
        """The documented shape of a line of `history --json`."""
        return {"kind": self.kind, "id": self.number, "made": self.made, "what": self.what, "undone": self.undone}


def last_history_entry(store: Store) -> HistoryEntry | None:
    """The last change that is not undone; an import by an older ccgrid comes behind all else. None for nothing."""
    row = store.connection.execute("SELECT id, made, what, import_id FROM changes ORDER BY id DESC LIMIT 1").fetchone()
    if row is None or row[3] is not None:
        return last_import_entry(store)
    return _history_entry(store, row[:3], "journal")


def last_import_entry(store: Store) -> HistoryEntry | None:
    """The last import, if it is not undone."""
    entry = last_entry(store)
    return None if entry is None or entry["undone"] is not None else _of_import(entry)


def history_entries(store: Store) -> list[tuple[HistoryEntry, ImportEntryJson | None]]:
    """All that is remembered, the oldest first, with the line of the ledger of an import."""
    changed = "SELECT id, made, what FROM changes WHERE import_id IS NULL ORDER BY id"
    undone = "SELECT id, made, what FROM changes_undone ORDER BY position DESC"
    places = dict(store.connection.execute("SELECT import_id, id FROM changes WHERE import_id IS NOT NULL"))
    found, place = list[tuple[HistoryEntry, ImportEntryJson | None, int]](), 0
    for entry in history(store):
        place = places.get(entry["id"], place)  # one that was undone comes behind the one before it
        found.append((_of_import(entry), entry, place))
    found += [
        (_history_entry(store, row, "journal"), None, row[0]) for row in store.connection.execute(changed).fetchall()
    ]
    found.sort(key=lambda one: (one[0].made, one[2]))
    back = [_history_entry(store, row, "journal_undone") for row in store.connection.execute(undone).fetchall()]
    return [
        *((item, entry) for item, entry, _ in found),
        *((item._replace(undone=True), None) for item in back),
    ]


def history_json(item: HistoryEntry, entry: ImportEntryJson | None) -> HistoryEntryJson | ImportHistoryJson:
    """The documented shape of a line of `history --json`; that of an import has its line in the ledger."""
    if entry is None:
        return item.to_dict()
    return {"kind": "import", "made": item.made, "what": item.what, **entry}


def _history_entry(store: Store, row: tuple[int, str, str], journal: str) -> HistoryEntry:
    query = f"SELECT DISTINCT place FROM {journal} WHERE change_id = ?"  # noqa: S608  our own words
    places = {place for (place,) in store.connection.execute(query, row[:1])}
    of_collection = places.isdisjoint(OF_CARDS) and not places.isdisjoint(TABLES)
    kind: Kind = "layout" if LAYOUTS in places else "collection" if of_collection else "card"
    return HistoryEntry(kind, *row)


def _of_import(entry: ImportEntryJson) -> HistoryEntry:
    counts = f"{entry['added']:,} added, {entry['changed']:,} changed, {entry['removed']:,} removed"
    what = f"import {entry['source']}: {counts}"
    return HistoryEntry("import", entry["id"], entry["imported"], what, entry["undone"] is not None)


def undo(store: Store, item: HistoryEntry, waiting: Callable[[], None] | None = None) -> ImportEntryJson | RevertedJson:
    """Takes back what was done last, and returns what it was; of an import its line of the ledger.

    Raises CatalogError where it is not the last any more, or cannot be taken back.
    """
    if item.kind == "import":
        return undo_import(store, waiting, item.number)
    # Entered first and left last: files change only when the catalogue has.
    with ExitStack() as files, transaction(store.connection, "undo the last change", waiting):
        last = last_history_entry(store)
        if last != item:
            raise CatalogError(f"Another command made a change since: {last}. See: ccgrid history")
        steps = steps_of(store, item.number)
        _restore_files(files, steps)
        with _without_corrections(store, steps):
            revert_change(store, item.number, item.made, item.what)
    return _reverted(item)


def redo(store: Store, waiting: Callable[[], None] | None = None) -> RevertedJson:
    """Does again what was taken back last, and returns what it was; CatalogError where there is nothing."""
    with ExitStack() as files, transaction(store.connection, "redo the last undone change", waiting):
        row = store.connection.execute(
            "SELECT id, made, what FROM changes_undone ORDER BY position DESC LIMIT 1"
        ).fetchone()
        if row is None:
            raise CatalogError("There is nothing to redo. To redo an import, import again.")
        item = _history_entry(store, row, "journal_undone")
        steps = steps_of(store, item.number, "journal_undone")
        _restore_files(files, steps)
        with _without_corrections(store, steps):
            reapply_change(store, *row)
    return _reverted(item)


def _reverted(item: HistoryEntry) -> RevertedJson:
    fields: RevertedJson = {"kind": item.kind, "what": item.what, "made": item.made}
    return {"collection": item.what, **fields} if item.kind == "collection" else fields


@contextmanager
def _without_corrections(store: Store, steps: list[Step]) -> Iterator[None]:
    """While the block runs cards are as their sources have them, where cards are changed; then all have their names."""
    if all(place not in OF_CARDS for place, _, _ in steps):
        yield
        return
    connection = store.connection
    with without_corrections(store):
        yield
        before = last_name(connection)
        ids = [str(key) for place, key, _ in steps if place == "cards"]
        note_names(connection, [card.name for card in store.cards(ids)])
        index_names(connection, before)
        forget_names(connection)


def note_layout(store: Store, path: Path, waiting: Callable[[], None] | None = None) -> None:
    """Notes that a layout in a person's own folder of layouts is about to be written, so that it can be taken back."""
    with (
        transaction(store.connection, f"prepare to restore the layout {path.stem}", waiting),
        change(store, f"write the layout {path.stem}"),
    ):
        note_file(store, path)


def _restore_files(files: ExitStack, steps: Iterable[Step]) -> None:
    """Has files become what they were when all else is done, and not before."""
    for place, key, before in steps:
        if place == LAYOUTS:
            files.enter_context(write_on_success(path_of(key), None if before is None else json.loads(before)))


@contextmanager
def write_on_success(path: Path, text: str | None) -> Iterator[None]:
    """A file that has this text, or is gone for None, as soon as the block ends well; else it stays as it was."""
    if text is None:
        yield
        remove(path)
        return
    make_folder(path.parent)
    with whole_binary(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()  # a full disk is met here
        yield
