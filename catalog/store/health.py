"""The state of a catalogue's file: whether it is complete, what it contains, and what does not fit together."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.store.file import check_logs
from ccgrid.catalog.store.schema import (
    APPLICATION_ID,
    CONVERSION,
    EARLIER,
    EARLIER_APPLICATION_ID,
    FALSE_TABLE,
    find_false_table,
    newest_version,
)

_MOST_LINES: Final = 20  # lines of SQLite's report

_KINDS: Final = {"TEXT": str, "INTEGER": int}

_SQL_TYPES: Final = {str: "text", int: "integer"}


def damage(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return descriptions of what is broken; empty if nothing is."""
    try:
        found = connection.execute(f"PRAGMA integrity_check({_MOST_LINES})").fetchall()
        broken = [str(line).replace("\n", " ") for (line,) in found if line != "ok"]
        return tuple(broken or _mistyped_cells(connection))
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return (str(error),)


def kinds_of(connection: sqlite3.Connection, table: str) -> dict[str, type[object]]:
    """Return the Python types of the text and integer columns of a table. Each cell may also be null."""
    columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
    return {name: _KINDS[kind] for name, kind in columns if kind in _KINDS}


def _mistyped_cells(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the tables with cells of another type than their column has; SQLite accepts such cells."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    for (table,) in tables:
        wrong = [
            f"typeof(\"{column}\") NOT IN ('{_SQL_TYPES[kind]}', 'null')"
            for column, kind in kinds_of(connection, table).items()
        ]
        if not wrong:
            continue
        for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
            pass  # raises if a text is not UTF-8
        query = f'SELECT count(*) FROM "{table}" WHERE {" OR ".join(wrong)}'  # noqa: S608  names of the file's own tables
        (count,) = connection.execute(query).fetchone()
        if count:
            yield f"{counted(count, 'row')} of {table} with something else than text or a number"


SQLITE_VERSION: Final = sqlite3.sqlite_version
"""The version of the library that reads catalogues."""

_COUNTS: Final = (
    ("cards", "SELECT count(*) FROM cards"),
    ("games", "SELECT count(DISTINCT game) FROM cards"),
    ("copies", "SELECT coalesce(sum(copies), 0) FROM holdings"),
    ("boxes", "SELECT count(DISTINCT box) FROM holdings WHERE box <> ''"),
    ("doubts", "SELECT count(*) FROM doubts"),
    ("decks_out", "SELECT count(DISTINCT deck) FROM decks_out"),
    # Inconsistencies: names that no search finds, owned cards that no source has, decks of copies that are not owned.
    ("names_lost", "SELECT count(DISTINCT name) FROM cards WHERE name NOT IN (SELECT name FROM names)"),
    ("cards_gone", "SELECT count(DISTINCT card_id) FROM holdings WHERE card_id NOT IN (SELECT id FROM cards)"),
    ("out_of_nowhere", "SELECT count(*) FROM decks_out WHERE holding_id NOT IN (SELECT id FROM holdings)"),
)
"""The names of the counts, and their queries."""


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a catalogue's file.

    Attributes:
        fault: Why it cannot be read at all, to follow "the file"; empty if it can.
        advice: What to do about the fault, if there is something better than another file.
        version: Of its tables; 0 if there are none.
        damage: What is broken, as text; empty if nothing is.
        counts: What it contains, and what does not fit together, without counts that failed.
        readings: For each imported source, the fingerprint of its reader, and the address of its data.
    """

    fault: str = ""
    advice: str = ""
    version: int = 0
    damage: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_OPEN_MODES: Final = ("mode=rw", "mode=ro", "mode=ro&immutable=1")
"""The ways to open a file, tried in this order. Only an opening that may write leaves no files of SQLite behind."""


def check_health(path: Path) -> Health:
    """Return the state of the catalogue in an existing file. Nothing is changed."""
    try:
        check_logs(path)
    except CatalogError:
        return Health("cannot be read (a file beside it has the name of its log but is not one)")
    for way in _OPEN_MODES:
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True)) as connection:
                connection.execute("PRAGMA query_only = ON")
                return _examine(connection)
        except UnicodeDecodeError as error:
            return Health(f"cannot be read ({error})")
        except sqlite3.Error as error:
            fault = f"cannot be read ({error})"
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_CANTOPEN:
                break
    return Health(fault)


def _examine(connection: sqlite3.Connection) -> Health:
    version = query_number(connection, "PRAGMA user_version")
    whose = query_number(connection, "PRAGMA application_id")
    if whose == EARLIER_APPLICATION_ID:
        return Health(EARLIER, f"{CONVERSION[0].upper()}{CONVERSION[1:]}.")
    if whose != APPLICATION_ID:
        is_empty = not version and not query_number(connection, "PRAGMA schema_version")
        return Health() if is_empty else Health("is a database of another program")
    if version > newest_version():
        return Health("was made by a newer ccgrid", version=version)
    if view := find_false_table(connection):
        return Health(f"cannot be used ({FALSE_TABLE.format(view)})", version=version)
    broken = damage(connection)
    counts = dict[str, int]()
    for name, query in _COUNTS:
        try:
            counts[name] = query_number(connection, query)
        except sqlite3.DatabaseError as error:  # a broken part; the others are still counted
            broken = broken or (str(error),)
    return Health(version=version, damage=broken, counts=counts, readings=_readings(connection))


def _readings(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    query = "SELECT source, layout, address FROM imports WHERE id IN (SELECT max(id) FROM imports GROUP BY source)"
    try:
        return {source: (layout, address) for source, layout, address in connection.execute(query)}
    except sqlite3.DatabaseError:
        return {}


def query_number(connection: sqlite3.Connection, query: str) -> int:
    """Return the number that a query of one number gives."""
    return int(connection.execute(query).fetchone()[0])
