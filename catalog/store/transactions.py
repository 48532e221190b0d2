"""Transactions on a catalogue, and faster settings for large ones."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from ccgrid.catalog.errors import BusyCatalogueError
from ccgrid.catalog.outcome import OUTCOME, CommitOutcome

BUSY_SECONDS: Final = 60.0
"""Seconds that a command waits while another one writes."""
_PATIENCE_SECONDS: Final = 0.5
"""Seconds before a command reports that it is waiting."""


@contextmanager
def transaction(connection: sqlite3.Connection, what: str, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Run the block as one transaction. Inside another transaction, its changes are kept or rolled back with that one.

    Args:
        connection: An open catalogue.
        what: What the block does, for the message if the command fails later.
        waiting: Called once if another command holds the catalogue for more than a moment.

    Raises:
        BusyCatalogueError: If another command holds the catalogue for longer than BUSY_SECONDS.
    """
    if connection.in_transaction:
        with _savepoint(connection):
            yield
        return
    _begin(connection, waiting)
    outcome, is_ending = _outcome(connection), False
    try:
        yield
        is_ending = True
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:  # a full disk has already ended it
            outcome.roll_back()
            connection.execute("ROLLBACK")
        elif is_ending and not isinstance(error, sqlite3.Error):  # an interrupt right after the commit
            outcome.commit(what)
        else:
            outcome.roll_back()
        raise
    outcome.commit(what)


def _outcome(connection: sqlite3.Connection) -> CommitOutcome:
    """Return where to record the outcome of a transaction. That of a catalogue in memory is not reported."""
    # Only whether there is a path: a path that is not UTF-8 cannot be fetched as text.
    (is_file,) = connection.execute("SELECT file <> '' FROM pragma_database_list WHERE name = 'main'").fetchone()
    return OUTCOME if is_file else CommitOutcome()


@contextmanager
def _savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has already ended the whole transaction
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    connection.execute("RELEASE part")


def _begin(connection: sqlite3.Connection, waiting: Callable[[], None] | None) -> None:
    if waiting is not None:
        if _try_begin(connection, _PATIENCE_SECONDS):
            return
        waiting()
    if not _try_begin(connection, BUSY_SECONDS):
        raise BusyCatalogueError("The catalogue is in use by another command; try again later.", path=None)


def _try_begin(connection: sqlite3.Connection, seconds: float) -> bool:
    """Begin a writing transaction; return False if another command still writes after this time."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        # Lock for writing at once: a read lock cannot always be upgraded later.
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


@contextmanager
def rollback_journal(connection: sqlite3.Connection, *, is_wanted: bool) -> Iterator[None]:
    """Use a rollback journal in place of the write-ahead log during the block, if it is wanted.

    Readers then wait. A large import takes a sixth less of SQLite's time, because a log is written and then copied.
    The log stays in use if another command has the file open.
    """
    if is_wanted:
        _set_journal_mode(connection, "DELETE")
    try:
        yield
    finally:
        _set_journal_mode(connection, "WAL")  # even if not wanted: a killed command may have left the other mode


def _set_journal_mode(connection: sqlite3.Connection, mode: str) -> None:
    # Without waiting: the mode does not change while another command has the file open.
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.Error):  # any other problem with the file is reported when it is read or written
        connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


_INDEXES = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('cards', 'names') AND sql IS NOT NULL"
)


@contextmanager
def without_indexes(connection: sqlite3.Connection) -> Iterator[None]:
    """Drop the indexes of cards and names during the block, except those of their keys. Use inside a transaction."""
    # Building an index at the end takes a third of the time of updating it for each row.
    indexes = connection.execute(f"{_INDEXES} ORDER BY rowid").fetchall()
    for name, _ in indexes:
        connection.execute(f'DROP INDEX "{name}"')
    yield
    for _, statement in indexes:
        connection.execute(statement)
