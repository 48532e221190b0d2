"""The names of cards in the catalogue: each once, with its folded form, and an index of their words."""

import sqlite3
from collections.abc import Iterable

from catalog.matching.search import fold


def forget_names(connection: sqlite3.Connection) -> None:
    """Drops the names that no card has any more."""
    connection.execute(
        "DELETE FROM names WHERE name NOT IN (SELECT name FROM cards)"
        " AND name NOT IN (SELECT printed_name FROM cards WHERE printed_name IS NOT NULL)"
    )


def last_name(connection: sqlite3.Connection) -> int:
    """The number of the newest name; those above it are still to be indexed."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM names").fetchone()[0])


def note_names(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Keeps every name once, with its folded form."""
    connection.executemany(
        "INSERT OR IGNORE INTO names (name, folded) VALUES (?, ?)", [(name, fold(name)) for name in sorted(names)]
    )


def index_names(connection: sqlite3.Connection, after: int) -> None:
    """Makes the names above a number searchable by word: all at once, which takes a sixth of the time."""
    connection.execute("INSERT INTO names_fts (rowid, folded) SELECT id, folded FROM names WHERE id > ?", (after,))
