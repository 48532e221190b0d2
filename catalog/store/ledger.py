"""The ledger of imports: what came in, when and from where, and the last import taken back."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from catalog.card import CatalogError
from catalog.store.catalogue import Store
from catalog.store.corrections import uncorrected
from catalog.store.names import forget_names, index_names, last_name, note_names
from catalog.store.summary import COUNTS, ImportSummary, Provenance
from catalog.store.transactions import transaction

_ENTRY: Final = (
    *("id", "source", "address", "version", "sha256", "size", "imported", "undone"),
    *("read", "added", "changed", "unchanged", "removed", "skipped"),
)
_SELECT: Final = f"SELECT {', '.join(_ENTRY)} FROM imports"  # noqa: S608  our own column names


def last_import(store: Store, source: str) -> tuple[Provenance, int] | None:
    """The origin of a source's last import that stands, and how many cards it had; None where there is none."""
    row = store.connection.execute(
        "SELECT source, address, layout, version, sha256, size, read - skipped FROM imports"
        " WHERE source = ? AND undone IS NULL ORDER BY id DESC LIMIT 1",
        (source,),
    ).fetchone()
    return (Provenance(*row[:-1]), row[-1]) if row else None


def unchanged(store: Store, origin: Provenance) -> ImportSummary:
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
    now = datetime.now(UTC).isoformat(timespec="seconds")
    cursor = connection.execute(
        "INSERT INTO imports (source, address, layout, version, sha256, size, imported,"
        " read, added, changed, unchanged, removed, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)",
        (*values, now),
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


def history(store: Store) -> list[dict[str, Any]]:
    """Every import that was recorded, the oldest first, in the documented shape of `history --json`."""
    return [_entry(row) for row in store.connection.execute(f"{_SELECT} ORDER BY id")]


def last_entry(store: Store) -> dict[str, Any] | None:
    """The line of the last import in the ledger, taken back or not; None where there is none."""
    row = store.connection.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else _entry(row)


def undo(store: Store, waiting: Callable[[], None] | None = None, expected: int | None = None) -> dict[str, Any]:
    """Takes the last import back, in one transaction, and returns its line of the ledger, which stays, as undone.

    The cards that it added go; those that it changed or removed are again as they were. Raises CatalogError where
    nothing was imported, or where the last import has been taken back: what the one before it replaced is not kept; or
    where the last import is not the `expected` one but a later one.
    `waiting` is called once where another command holds the catalogue.
    """
    connection = store.connection
    with transaction(connection, "take the last import back", waiting):
        last = connection.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
        if last is None:
            raise CatalogError("There is nothing to undo: nothing was imported yet.")
        entry = _entry(last)
        if expected is not None and entry["id"] != expected:
            raise CatalogError(f"Another command has imported {entry['source']} since; look at it: ccgrid history")
        if entry["undone"] is not None:
            raise CatalogError(
                f"The last import, of {entry['source']}, has been taken back already.\n"
                "What the import before it replaced is not kept any more: only the last one can be taken back."
            )
        with uncorrected(store):
            _put_back(connection, entry["id"])
        entry["undone"] = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute("UPDATE imports SET undone = ? WHERE id = ?", (entry["undone"], entry["id"]))
        connection.execute("DELETE FROM changes WHERE import_id = ?", (entry["id"],))
    return entry


def _put_back(connection: sqlite3.Connection, import_id: int) -> None:
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


def _entry(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(_ENTRY, row, strict=True))
