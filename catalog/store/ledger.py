"""The ledger of imports: what came in, when and from where, and the last import taken back."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from catalog.card import CatalogError
from catalog.store.catalogue import Store
from catalog.store.imports import forget_names, index_names, last_name, note_names, transaction

_ENTRY: Final = (
    *("id", "source", "address", "version", "sha256", "size", "imported", "undone"),
    *("read", "added", "changed", "unchanged", "removed", "skipped"),
)
_SELECT: Final = f"SELECT {', '.join(_ENTRY)} FROM imports"  # noqa: S608  our own column names


def history(store: Store) -> list[dict[str, Any]]:
    """Every import that was recorded, the oldest first, in the documented shape of `history --json`."""
    return [_entry(row) for row in store.connection.execute(f"{_SELECT} ORDER BY id")]


def undo(store: Store, waiting: Callable[[], None] | None = None) -> dict[str, Any]:
    """Takes the last import back, in one transaction, and returns its line of the ledger, which stays, as undone.

    The cards that it added go; those that it changed or removed are again as they were. Raises CatalogError where
    nothing was imported, or where the last import has been taken back: what the one before it replaced is not kept.
    `waiting` is called once where another command holds the catalogue.
    """
    connection = store.connection
    with transaction(connection, waiting):
        last = connection.execute(f"{_SELECT} ORDER BY id DESC LIMIT 1").fetchone()
        if last is None:
            raise CatalogError("There is nothing to undo: nothing was imported yet.")
        entry = _entry(last)
        if entry["undone"] is not None:
            raise CatalogError(
                f"The last import, of {entry['source']}, has been taken back already.\n"
                "What the import before it replaced is not kept any more: only the last one can be taken back."
            )
        _put_back(connection, entry["id"])
        entry["undone"] = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute("UPDATE imports SET undone = ? WHERE id = ?", (entry["undone"], entry["id"]))
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
