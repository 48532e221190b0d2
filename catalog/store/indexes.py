"""The indexes of cards and their names: made at once for an empty catalogue, which takes a third of the time."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

_INDEXES = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('cards', 'names') AND sql IS NOT NULL"
)


@contextmanager
def indexed_afterwards(connection: sqlite3.Connection) -> Iterator[None]:
    """While the block runs there is no index but those of ids and names; afterwards all again. In a transaction."""
    indexes = connection.execute(f"{_INDEXES} ORDER BY rowid").fetchall()
    for name, _ in indexes:
        connection.execute(f'DROP INDEX "{name}"')
    yield
    for _, made_by in indexes:
        connection.execute(made_by)
