"""The rows of the journal, in which the history keeps the previous content of rows."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from ccgrid.catalog.store.cells import cell_table
from ccgrid.catalog.store.schema import TABLES

KEYS: Final[Mapping[str, str]] = dict.fromkeys((*TABLES, "names"), "id") | {"cards": "number", "uncorrected": "number"}
"""The tables that the history covers, and the column of each with its integer key."""

Kind = Literal["collection", "card", "layout", "import"]

LAYOUTS: Final = "layouts"
"""The value of `place` for files in the user's folder of layouts. Their keys are their paths."""


def column_names(connection: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns of a table, in their order."""
    found = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return [name for (name,) in found]


def row_sql(connection: sqlite3.Connection, table: str) -> str:
    """Return the SQL expression of a row of a table as the journal stores it."""
    cells = (f'{table}."{name}"' for name in column_names(connection, table))
    return f"json_array({', '.join(cells)})"


SELECT_LAYOUTS: Final = f"SELECT key, content FROM journal WHERE change_id = ? AND place = '{LAYOUTS}'"  # noqa: S608


def read_marks(connection: sqlite3.Connection, number: int) -> dict[str, int]:
    """Return for each table the highest key before a change."""
    (marks,) = connection.execute("SELECT marks FROM changes WHERE id = ?", (number,)).fetchone()
    return cell_table(marks)


def has_keys_above(connection: sqlite3.Connection, table: str, mark: int) -> bool:
    """Return whether a table has rows with a key above the mark."""
    query = f"SELECT 1 FROM {table} WHERE {KEYS[table]} > ? LIMIT 1"  # noqa: S608  our own names
    return connection.execute(query, (mark,)).fetchone() is not None


def file_content(path: Path) -> str | None:
    """Return the text of a layout as the journal stores it, or None if there is no such file."""
    return json.dumps(path.read_bytes().decode("utf-8", "surrogateescape")) if path.exists() else None
