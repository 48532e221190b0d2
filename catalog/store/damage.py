"""What is broken in a catalogue: pages and indexes, as SQLite finds them, and cells that hold what they cannot."""

import sqlite3
from collections.abc import Iterator
from typing import Any, Final

_MOST: Final = 20
_KINDS: Final = {"TEXT": str, "INTEGER": int}
_STORED: Final = {str: "text", int: "integer"}


def damage(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What is broken, in words; nothing where all is whole."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({_MOST})").fetchall()
        broken = [str(line).replace("\n", " ") for (line,) in found if line != "ok"]
        return tuple(broken or _false_cells(connection))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return (str(error),)


def kinds_of(connection: sqlite3.Connection, table: str) -> dict[str, type[Any]]:
    """What the columns of a table hold where it is text or whole numbers; each may also hold nothing."""
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
    return {name: _KINDS[kind] for name, kind in columns if kind in _KINDS}


def _false_cells(connection: sqlite3.Connection) -> Iterator[str]:
    """The tables with cells that hold something else than their column does, which SQLite does not mind."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in tables:
        wrong = [
            f"typeof(\"{column}\") NOT IN ('{_STORED[kind]}', 'null')"
            for column, kind in kinds_of(connection, table).items()
        ]
        if not wrong:
            continue
        for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
            pass  # a text that is none is told by whoever reads it
        query = f'SELECT count(*) FROM "{table}" WHERE {" OR ".join(wrong)}'  # noqa: S608  names of the file's own tables
        (count,) = connection.execute(query).fetchone()
        if count:
            yield f"{count} row{'s' if count > 1 else ''} of {table} with something else than text or a number"
