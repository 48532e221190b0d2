"""The catalogue as a file: where it is, how it is opened, migrated, written in transactions, and closed."""

import errno
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from ccgrid.catalog.errors import (
    BusyCatalogueError,
    CatalogError,
    CatalogueFileError,
    CatalogueVersionError,
    DamagedCatalogueError,
    MissingCatalogueError,
    WrongKindError,
)
from ccgrid.catalog.files import make_folder
from ccgrid.catalog.outcome import OUTCOME, CommitOutcome

if TYPE_CHECKING:
    from sqlite_utils import Database

BUSY_SECONDS: Final = 60.0
"""How long a command waits for another that is writing."""
_PATIENCE: Final = 0.5
"""Seconds after which a command reports that it waits for another one."""


@contextmanager
def transaction(
    connection: sqlite3.Connection, what: str, waiting: Callable[[], None] | None = None, *, dry_run: bool = False
) -> Iterator[None]:
    """One unit of work, all or nothing; inside another it is a part of that, and is kept with it or not at all.

    `what` it does is named if the command fails later. Waits for a catalogue that another command has locked:
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


def _outcome(connection: sqlite3.Connection) -> CommitOutcome:
    """Where it is noted what became of a unit of work; nowhere for a catalogue in memory, which is gone in the end."""
    # Only whether the path is empty: one that is not UTF-8 cannot be fetched as text.
    (is_file,) = connection.execute("SELECT file <> '' FROM pragma_database_list WHERE name = 'main'").fetchone()
    return OUTCOME if is_file else CommitOutcome()


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
            raise BusyCatalogueError("The catalogue is in use by another command; try again later.", path=None)


@contextmanager
def rollback_journal(connection: sqlite3.Connection, *, straight: bool) -> Iterator[None]:
    """While it lasts changes go `straight` into the file, beside a rollback journal; afterwards into the log again.

    Whoever reads meanwhile waits. Much that goes straight takes a sixth less of SQLite's time, as a write-ahead log is
    written and then copied. Where another command has the file open the log stays.
    """
    if straight:
        _set_journal_mode(connection, "DELETE")
    try:
        yield
    finally:
        _set_journal_mode(connection, "WAL")  # as well where an earlier command was killed before it did


def _set_journal_mode(connection: sqlite3.Connection, journal: str) -> None:
    # Does not wait: while another command has the file open, the mode stays as it is.
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.Error):  # whatever else is wrong with the file shows when it is read or written
        connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def _begin(connection: sqlite3.Connection, seconds: float) -> bool:
    """Begins to write, waiting so long for another command that does; False where that has not ended by then."""
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        # Locks for writing at once: a lock for reading may fail to become one, after something was read.
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


_INDEXES = (
    "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('cards', 'names') AND sql IS NOT NULL"
)


@contextmanager
def without_indexes(connection: sqlite3.Connection) -> Iterator[None]:
    """While the block runs there is no index but those of ids and names; afterwards all again. In a transaction."""
    # Made at once in the end, indexes take a third of the time.
    indexes = connection.execute(f"{_INDEXES} ORDER BY rowid").fetchall()
    for name, _ in indexes:
        connection.execute(f'DROP INDEX "{name}"')
    yield
    for _, made_by in indexes:
        connection.execute(made_by)


def cell_list(text: Any) -> list[Any]:
    """The list in a cell; CatalogError where there is none."""
    found: list[Any] = _cell(text, list)
    return found


def cell_table(text: Any) -> dict[str, Any]:
    """The object in a cell; CatalogError where there is none."""
    found: dict[str, Any] = _cell(text, dict)
    return found


def _cell(text: Any, kind: type[Any]) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedCatalogueError from None
    if not isinstance(value, kind):
        raise DamagedCatalogueError
    return value


APPLICATION_ID: Final = 0x63636772
"""Says whose file it is ("ccgr"), in the place that SQLite keeps for that."""
MIGRATIONS: Final = ("schema.sql", *(f"schema_{version}.sql" for version in range(2, 14)))
"""The scripts that make version 1, make version 2 of that, and so on; those that people have are never changed."""
TABLES: Final = (
    *("imports", "cards", "corrections", "uncorrected", "boxes", "holdings", "collection_files", "doubts"),
    *("decks_out", "file_rows", "scans"),
)
"""What a catalogue holds, in the order in which it can be copied: each after those that it refers to."""
HISTORY: Final = ("changes", "journal", "names")
"""The tables that undoing changes needs, with the numbers of names: half of it would make rows what they never were."""
TROUBLE: Final = (CatalogError, sqlite3.Error, OSError)
"""What keeps anybody from opening or reading a catalogue."""
_NOT_WRITTEN: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
FALSE_TABLE: Final = "a view stands in the place of its table {}: another program has changed it"
_VIEWS: Final = "SELECT lower(name) FROM sqlite_master WHERE type = 'view' ORDER BY name"
_LOG_STARTS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "-wal": (b"\x37\x7f\x06",),
    "-journal": (b"\xd9\xd5\x05\xf9",),
    "-shm": (b"\x18\xe2\x2d\x00", b"\x00\x2d\xe2\x18"),  # as the processor writes numbers
}
"""How the files begin in which SQLite notes changes; zeros where it has not yet written, or has done with one."""
_PAGE: Final = 16384
"""Bytes of a page: larger than usual, for rows of some 500 bytes, which makes imports quicker."""


def default_path() -> Path:
    """Where the catalogue is when nobody says otherwise: `$CCGRID_DB`, else the platform's user data directory."""
    if named := os.environ.get("CCGRID_DB"):
        return Path(named).expanduser()
    return usual_path()


def usual_path() -> Path:
    """Where the catalogue is when no environment variable says otherwise: the platform's user data directory."""
    from platformdirs import user_data_path

    return user_data_path("ccgrid", appauthor=False) / "catalogue.db"


class CatalogueFile:
    """A catalogue that is open; a context manager.

    Raises CatalogError where the file is not a catalogue, was made by a newer ccgrid, or (without `create`) is missing.
    """

    is_changing = False
    """Whether a change that can be taken back is being made."""
    last_path: ClassVar[Path | None] = None
    """The file that this process opened last: what fails after that may come of its damage."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        path = Path(path)
        if path.is_dir():
            raise CatalogueFileError(f"{path} is a folder, and a catalogue is a file.", path=path)
        check_new(path)
        if create:
            make_folder(path.parent)
        elif not path.exists():
            message = f"There is no catalogue at {path} yet. Try: ccgrid import starter"
            raise MissingCatalogueError(message, path=path)
        CatalogueFile.last_path = path
        self._open(path, reads=not create)

    @classmethod
    def in_memory(cls, content: bytes = b"") -> Self:
        """A catalogue that is gone when it is closed; an empty one, or what `content` gave of another."""
        store = cls.__new__(cls)
        store._open(Path(":memory:"), content=content)
        return store

    def content(self) -> bytes:
        """The whole catalogue for `in_memory`; nothing where this SQLite was built without what writes it."""
        serialize = getattr(self.connection, "serialize", bytes)
        written: bytes = serialize()
        return written

    def _open(self, path: Path, *, reads: bool = False, still: bool = False, content: bytes = b"") -> None:
        """Opens the file; one that only is to be read may be where nothing can be written (`still`)."""
        self.path = path
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1" if still else path
        try:
            self.connection = sqlite3.connect(address, timeout=BUSY_SECONDS, isolation_level=None, uri=still)
        except sqlite3.Error as error:
            raise CatalogueFileError(f"{path}: cannot be opened ({error}).", path=path) from None
        try:
            if content:
                self.connection.deserialize(content)
            self._prepare()
        except sqlite3.OperationalError as error:
            self.connection.close()
            # On a read-only disk SQLite cannot make its log; as `immutable` it needs none. Not where a log has
            # changes, which would be missing.
            if reads and not still and _code(error) in _NOT_WRITTEN and not _is_unfinished(path):
                self._open(path, still=True)
                return
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                message = f"{path} is in use by another command; try again later."
                raise BusyCatalogueError(message, path=path) from None
            advice = "Is there space on the disk, and are the file and its folder writable?"
            raise CatalogueFileError(f"{path}: cannot be opened ({error}). {advice}", path=path) from None
        except sqlite3.DatabaseError as error:
            self.connection.close()
            if _code(error) == sqlite3.SQLITE_CORRUPT:
                raise DamagedCatalogueError(path=path) from None
            from ccgrid.catalog.file_kinds import FileKind, detect_kind

            what = detect_kind(path)
            if what.kind in (FileKind.UNKNOWN, FileKind.DATABASE):
                message = f"{path} is not a catalogue of ccgrid ({error}). Name another with --db."
                raise CatalogueFileError(message, path=path) from None
            reason = f"this is {what.title}, not a catalogue of ccgrid. Name another with --db."
            raise WrongKindError(reason, file=path) from None
        except UnicodeDecodeError:  # SQLite quotes what it finds, and that is no text
            self.connection.close()
            raise DamagedCatalogueError(path=path) from None
        except BaseException:  # an interruption too: an open file could not be removed
            self.connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; a catalogue in memory is gone then."""
        self.connection.close()

    @cached_property
    def tables(self) -> "Database":
        """The same catalogue through sqlite-utils, for whatever wants a table rather than a card."""
        from sqlite_utils import Database

        return Database(self.connection)

    def _prepare(self) -> None:
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("BEGIN")  # one look at all three: another command may be making the catalogue meanwhile
        try:
            whose, version, changes = map(self._pragma, ("application_id", "user_version", "schema_version"))
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        if whose != APPLICATION_ID:
            if version or changes:
                message = f"{self.path} is a database of another program. Name another with --db."
                raise CatalogueFileError(message, path=self.path)
        elif version > len(MIGRATIONS):
            message = f"{self.path} was made by a newer ccgrid. Update this one: pip install -U ccgrid"
            raise CatalogueVersionError(message, path=self.path)
        elif view := false_table(self.connection):
            message = f"{self.path}: {FALSE_TABLE.format(view)}. Name another with --db."
            raise CatalogueFileError(message, path=self.path)
        elif version == len(MIGRATIONS):
            return
        self._migrate()

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _migrate(self) -> None:
        """Migrates an empty or older catalogue to this version, whole or not at all."""
        self.connection.execute(f"PRAGMA page_size = {_PAGE}")  # of a new file; of any other it stays as it is
        self.connection.execute("PRAGMA journal_mode = WAL")
        # The scripts fold names of boxes with it: SQLite's own lower() knows ASCII alone.
        self.connection.create_function("ccgrid_small", 1, str.casefold, deterministic=True)
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            for number in range(self._pragma("user_version"), len(MIGRATIONS)):
                script = (resources.files("ccgrid.catalog.store") / MIGRATIONS[number]).read_text(encoding="utf-8")
                for statement in _statements(script):
                    self.connection.execute(statement)
                self.connection.execute(f"PRAGMA user_version = {number + 1}")
            self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk has ended it already
                self.connection.execute("ROLLBACK")
            raise


def false_table(connection: sqlite3.Connection) -> str:
    """The first view that is called as a table of a catalogue is, and may have no end; empty where there is none."""
    ours = {*TABLES, *HISTORY, "names_fts"}
    return next((name for (name,) in connection.execute(_VIEWS) if name in ours), "")


def _code(error: sqlite3.Error) -> int:
    """What kind of error it is, without its finer points."""
    return error.sqlite_errorcode & 0xFF


def _is_unfinished(path: Path) -> bool:
    """Whether a log beside a catalogue holds changes that are still to be merged or rolled back."""
    logs = (Path(f"{path}-wal"), Path(f"{path}-journal"))
    return any(log.exists() and log.stat().st_size > 0 for log in logs)


def check_new(path: Path) -> None:
    """Refuses a link that leads nowhere, and files beside a path that are taken for logs; raises CatalogError."""
    if path.is_symlink() and not path.exists():
        raise CatalogueFileError(f"{path} is a broken link: name the catalogue itself.", path=path)
    check_logs(path)


def check_logs(path: Path) -> None:
    """Refuses to have SQLite look at files that are called like logs of a catalogue and are none: it removes such.

    Raises CatalogError.
    """
    for end, begins in _LOG_STARTS.items():
        log = Path(f"{path}{end}")
        if not os.path.lexists(log):
            continue
        if not path.exists():
            message = f"Found the log {log} but no catalogue. Move it, or choose another catalogue with --db."
            raise CatalogueFileError(message, path=path)
        if log.is_symlink() or ((start := _start(log)).strip(b"\0") and not start.startswith(begins)):
            message = f"{log} is not a catalogue's log: move it away, or name another with --db."
            raise CatalogueFileError(message, path=path)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except FileNotFoundError:  # another command has closed the catalogue
        return b""


def check_closed(path: Path) -> None:
    """Raises OSError where a part of a catalogue that was closed is still in a log beside it: the disk is full."""
    if _is_unfinished(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _statements(script: str) -> Iterable[str]:
    """The statements of an SQL script; unlike `executescript` they stay inside a transaction that is open."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
