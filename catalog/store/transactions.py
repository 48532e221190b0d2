"""Units of work: all or nothing, and patience with other commands that write to the same catalogue."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from catalog.card import CatalogError
from catalog.outcome import OUTCOME, Outcome

BUSY_SECONDS: Final = 60.0
"""How long a command waits for another that is writing."""
_PATIENCE: Final = 0.5
"""Seconds after which a person is told that a command waits for another one."""


@contextmanager
def transaction(
    connection: sqlite3.Connection, what: str, waiting: Callable[[], None] | None = None, *, dry_run: bool = False
) -> Iterator[None]:
    """One unit of work, all or nothing; inside another it is a part of that, and is kept with it or not at all.

    `what` it does is told where the command fails later. A catalogue that another command holds is waited for:
    `waiting` is called once where that takes long; CatalogError where it takes too long. With `dry_run` all is taken
    back in the end.
    """
    if connection.in_transaction:
        with _part(connection, dry_run=dry_run):
            yield
        return
    _wait(connection, waiting)
    outcome, is_ending = _outcome(connection), False
    try:
        yield
        is_ending = not dry_run
        connection.execute("ROLLBACK" if dry_run else "COMMIT")
    except BaseException as error:
        if connection.in_transaction:  # a full disk has ended it already
            outcome.roll_back()
            connection.execute("ROLLBACK")
        elif is_ending and not isinstance(error, sqlite3.Error):  # an interrupt just behind the commit
            outcome.commit(what)
        else:
            outcome.roll_back()
        raise
    if not dry_run:
        outcome.commit(what)


def _outcome(connection: sqlite3.Connection) -> Outcome:
    """Where it is noted what became of a unit of work; nowhere for a catalogue in memory, which is gone in the end."""
    (_, _, file) = connection.execute("PRAGMA database_list").fetchone()
    return OUTCOME if file else Outcome()


@contextmanager
def _part(connection: sqlite3.Connection, *, dry_run: bool) -> Iterator[None]:
    connection.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has ended the whole of it already
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    if dry_run:
        connection.execute("ROLLBACK TO part")
    connection.execute("RELEASE part")


def _wait(connection: sqlite3.Connection, waiting: Callable[[], None] | None) -> None:
    """Begins to write when no other command does; CatalogError where that takes too long."""
    if waiting is None or not _begin(connection, _PATIENCE):
        if waiting is not None:
            waiting()
        if not _begin(connection, BUSY_SECONDS):
            raise CatalogError("The catalogue is in use by another command; try again when that has ended.")


@contextmanager
def journalled(connection: sqlite3.Connection, *, straight: bool) -> Iterator[None]:
    """While it lasts changes go `straight` into the file, beside a rollback journal; afterwards into the log again.

    Whoever reads meanwhile waits. Much that goes straight takes a sixth less of SQLite's time, as a write-ahead log is
    written and then copied. Where another command has the file open the log stays.
    """
    if straight:
        _keep(connection, "DELETE")
    try:
        yield
    finally:
        _keep(connection, "WAL")  # as well where an earlier command was killed before it did


def _keep(connection: sqlite3.Connection, journal: str) -> None:
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.Error):  # whatever else is wrong with the file is told by whoever reads or writes it
        connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def _begin(connection: sqlite3.Connection, seconds: float) -> bool:
    """Begins to write, waiting so long for another command that does; False where that has not ended by then."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True
