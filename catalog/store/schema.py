"""The tables of a catalogue: their version, and the migration of a catalogue to this version."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ccgrid.catalog import matching
from ccgrid.catalog.errors import CatalogueFileError, CatalogueVersionError

APPLICATION_ID: Final = 0x63636731
"""The number ("ccg1") by which SQLite marks a catalogue as a file of this program."""
EARLIER_APPLICATION_ID: Final = 0x63636772
"""The number ("ccgr") of catalogues from before version 1, which counted their own versions from 1 to 13."""
MIGRATIONS: Final = ("schema.sql", *(f"schema{number}.sql" for number in range(2, 8)))
"""The scripts that make version 1, then version 2 from it, and so on. A released script is never changed."""
EARLIER: Final = "was made by an earlier version of ccgrid"
CONVERSION: Final = (
    "export your collection with that version (ccgrid collection export -o owned.csv), move this file away, and import"
    " the sources and the collection with this one (ccgrid collection import owned.csv)"
)
"""How a user takes a collection out of a catalogue from before version 1."""
TABLES: Final = (
    *(
        "imports",
        "descriptions",
        "game_fields",
        "cards",
        "corrections",
        "uncorrected",
        "boxes",
        "holdings",
        "collection_files",
        "doubts",
    ),
    *("decks_out", "file_rows", "scans"),
)
"""The tables with data, in an order in which they can be copied: each after those that it refers to."""
HISTORY: Final = ("changes", "journal", "names")
"""The tables that undo needs, with the numbers of names. They are useless unless all of them are complete."""
FALSE_TABLE: Final = "a view stands in the place of its table {}: another program has changed it"
_VIEWS: Final = "SELECT lower(name) FROM sqlite_master WHERE type = 'view' ORDER BY name"
_PAGE_BYTES: Final = 16384
"""Larger than SQLite's default, which makes imports of rows of some 500 bytes faster."""


def newest_version() -> int:
    """Return the version of the catalogues that this program writes."""
    return len(MIGRATIONS)


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a database is a catalogue or empty, and migrate it to this version if it is older.

    Raises:
        CatalogueVersionError: If it is newer, or from before version 1.
        CatalogueFileError: If it belongs to another program, or a view replaces one of its tables.
    """
    connection.execute("BEGIN")  # one reading of all three: another command may be creating the catalogue
    try:
        owner, version, changes = (
            _pragma(connection, name) for name in ("application_id", "user_version", "schema_version")
        )
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if owner == EARLIER_APPLICATION_ID:
        raise earlier_version_error(path)
    if owner != APPLICATION_ID:
        if version or changes:
            raise CatalogueFileError(f"{path} is a database of another program. Name another with --db.", path=path)
    elif version > newest_version():
        raise CatalogueVersionError(
            f"{path} was made by a newer ccgrid. Install that version, as you installed this one.", path=path
        )
    elif view := find_false_table(connection):
        raise CatalogueFileError(f"{path}: {FALSE_TABLE.format(view)}. Name another with --db.", path=path)
    elif version == newest_version():
        return
    _migrate(connection)


def earlier_version_error(path: Path) -> CatalogueVersionError:
    """Return the error for a catalogue from before version 1; it says how to take the collection out of it."""
    return CatalogueVersionError(f"{path} {EARLIER}: {CONVERSION}.", path=path)


def find_false_table(connection: sqlite3.Connection) -> str:
    """Return the name of the first view that replaces a table of a catalogue, or "".

    Such a view may return rows without end.
    """
    ours = {*TABLES, *HISTORY, "names_fts", "descriptions_fts"}
    return next((name for (name,) in connection.execute(_VIEWS) if name in ours), "")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    """Migrate an empty or older catalogue to this version in one transaction."""
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")  # has an effect on new files only
    connection.execute("PRAGMA journal_mode = WAL")
    connection.create_function("fold", 1, matching.names.fold, deterministic=True)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in range(_pragma(connection, "user_version"), newest_version()):
            from importlib import resources

            script = (resources.files("ccgrid.catalog.store") / MIGRATIONS[number]).read_text(encoding="utf-8")
            for statement in _split_statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has already ended it
            connection.execute("ROLLBACK")
        raise


def _split_statements(script: str) -> Iterator[str]:
    """Yield the statements of an SQL script. `executescript` would commit the open transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
