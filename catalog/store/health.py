"""How a catalogue's file is, looked at without changing it: whether it is whole, what is in it, what does not fit."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from catalog.card import CatalogError
from catalog.store.damage import damage
from catalog.store.file import APPLICATION_ID, FALSE_TABLE, MIGRATIONS, check_logs, false_table

SQLITE_VERSION: Final = sqlite3.sqlite_version
"""Of the library that reads catalogues."""

_COUNTS: Final = (
    ("cards", 1, "SELECT count(*) FROM cards"),
    ("games", 1, "SELECT count(DISTINCT game) FROM cards"),
    ("copies", 2, "SELECT coalesce(sum(copies), 0) FROM holdings"),
    ("boxes", 2, "SELECT count(DISTINCT box) FROM holdings WHERE box <> ''"),
    ("doubts", 2, "SELECT count(*) FROM doubts"),
    ("decks_out", 2, "SELECT count(DISTINCT deck) FROM decks_out"),
    # What does not fit together: a name that no search finds, an owned card that no source has, a deck without cards.
    ("names_lost", 1, "SELECT count(DISTINCT name) FROM cards WHERE name NOT IN (SELECT name FROM names)"),
    ("cards_gone", 2, "SELECT count(DISTINCT card_id) FROM holdings WHERE card_id NOT IN (SELECT id FROM cards)"),
    ("out_of_nowhere", 2, "SELECT count(*) FROM decks_out WHERE holding_id NOT IN (SELECT id FROM holdings)"),
)
"""What is counted, since which version of the catalogue there is such a thing, and how."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a catalogue's file is.

    Attributes:
        fault: why it cannot be read at all, to stand behind "the file"; empty where it can.
        version: of its tables; 0 where there are none.
        newest: the version that this program makes.
        damage: what is broken, in words; none where all is whole.
        counts: what is in it, and what does not fit together; a thing that cannot be counted is left out.
        readings: for each source whose import stands, how its data were read, and from where.
    """

    fault: str = ""
    version: int = 0
    newest: int = len(MIGRATIONS)
    damage: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    readings: Mapping[str, tuple[str, str]] = field(default_factory=dict)


_WAYS: Final = ("mode=rw", "mode=ro", "mode=ro&immutable=1")
"""How a file is opened, the next way where one fails. Only who may write leaves none of SQLite's files beside it."""


def examine(path: Path) -> Health:
    """How the catalogue in a file that is there is; nothing is changed."""
    try:
        check_logs(path)
    except CatalogError:
        return Health("cannot be read (a file beside it is called like its log, and is none)")
    for way in _WAYS:
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
    version = _number(connection, "PRAGMA user_version")
    if _number(connection, "PRAGMA application_id") != APPLICATION_ID:
        is_empty = not version and not _number(connection, "PRAGMA schema_version")
        return Health() if is_empty else Health("is a database of another program")
    if version > len(MIGRATIONS):
        return Health("was made by a newer ccgrid", version)
    if view := false_table(connection):
        return Health(f"cannot be used ({FALSE_TABLE.format(view)})", version)
    broken = damage(connection)
    counts = dict[str, int]()
    for name, since, query in _COUNTS:
        if version >= since:
            try:
                counts[name] = _number(connection, query)
            except sqlite3.DatabaseError as error:  # the part that is broken; the others are counted
                broken = broken or (str(error),)
    return Health("", version, damage=broken, counts=counts, readings=_readings(connection) if version else {})


def _readings(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    query = (
        "SELECT source, layout, address FROM imports"
        " WHERE id IN (SELECT max(id) FROM imports WHERE undone IS NULL GROUP BY source)"
    )
    try:
        return {source: (layout, address) for source, layout, address in connection.execute(query)}
    except sqlite3.DatabaseError:
        return {}


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])
