"""The file of a catalogue: its location, opening and closing it, and the log files next to it."""

import errno
import os
import sqlite3
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

from ccgrid.catalog.errors import (
    BusyCatalogueError,
    CatalogError,
    CatalogueFileError,
    DamagedCatalogueError,
    MissingCatalogueError,
    WrongKindError,
)
from ccgrid.catalog.files import make_folder
from ccgrid.catalog.store.schema import prepare
from ccgrid.catalog.store.transactions import BUSY_SECONDS
from ccgrid.catalog.user_folders import user_folder

if TYPE_CHECKING:
    from sqlite_utils import Database

_MEMORY: Final = Path(":memory:")
OPENING_ERRORS: Final = (CatalogError, sqlite3.Error, OSError)
"""The errors that opening or reading a catalogue raises."""
_READ_ONLY_CODES: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_LOG_STARTS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "-wal": (b"\x37\x7f\x06",),
    "-journal": (b"\xd9\xd5\x05\xf9",),
    "-shm": (b"\x18\xe2\x2d\x00", b"\x00\x2d\xe2\x18"),  # in the processor's byte order
}
"""The first bytes of SQLite's log files. They are zeros in a log that is new or no longer in use."""


def default_path() -> Path:
    """Return the path of the catalogue if none is given: `$CCGRID_DB`, or a file in the platform's user data folder."""
    if named := os.environ.get("CCGRID_DB"):
        return Path(named).expanduser()
    return usual_path()


def usual_path() -> Path:
    """Return the path of the catalogue if no environment variable names one: in the platform's user data folder."""
    return user_folder("data") / "catalogue.db"


class CatalogueFile:
    """An open catalogue, usable as a context manager.

    Raises:
        CatalogueFileError: If the file is not a catalogue of this version, or does not exist and `create` is false.
    """

    is_changing = False
    """Whether a change that can be undone is in progress."""
    last_path: ClassVar[Path | None] = None
    """The file that this process opened last. Its damage may explain a later error."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        path = Path(path)
        if path.is_dir():
            raise CatalogueFileError(f"{path} is a folder, and a catalogue is a file.", path=path)
        check_new(path)
        if create:
            make_folder(path.parent)
        elif not path.exists():
            raise MissingCatalogueError(f"There is no catalogue at {path} yet. Try: ccgrid import starter", path=path)
        CatalogueFile.last_path = path
        self._open(path, reads=not create)

    @classmethod
    def in_memory(cls, content: bytes = b"") -> Self:
        """Return a catalogue in memory, empty or with the `content` of another one."""
        store = cls.__new__(cls)
        store._open(_MEMORY, content=content)
        return store

    @property
    def is_in_memory(self) -> bool:
        """Whether the catalogue is not in a file."""
        return self.path == _MEMORY

    def content(self) -> bytes:
        """Return the whole catalogue for `in_memory`, or nothing if SQLite was built without serialisation."""
        serialize = getattr(self.connection, "serialize", bytes)
        written: bytes = serialize()
        return written

    def _open(self, path: Path, *, reads: bool = False, still: bool = False, content: bytes = b"") -> None:
        """Open the file; without a log if `still`, for a disk that is read-only."""
        self.path = path
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1" if still else path
        try:
            self.connection = sqlite3.connect(address, timeout=BUSY_SECONDS, isolation_level=None, uri=still)
        except sqlite3.Error as error:
            raise CatalogueFileError(f"{path}: cannot be opened ({error}).", path=path) from None
        try:
            if content:
                self.connection.deserialize(content)
            self.connection.execute("PRAGMA foreign_keys = ON")
            prepare(self.connection, path)
        except sqlite3.OperationalError as error:
            self.connection.close()
            # On a read-only disk SQLite cannot create its log; an `immutable` file needs none. Changes in an existing
            # log would be missing.
            if reads and not still and _primary_code(error) in _READ_ONLY_CODES and not _is_unfinished(path):
                self._open(path, still=True)
                return
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise BusyCatalogueError(f"{path} is in use by another command; try again later.", path=path) from None
            advice = "Is there space on the disk, and are the file and its folder writable?"
            raise CatalogueFileError(f"{path}: cannot be opened ({error}). {advice}", path=path) from None
        except sqlite3.DatabaseError as error:
            self.connection.close()
            if _primary_code(error) == sqlite3.SQLITE_CORRUPT:
                raise DamagedCatalogueError(path=path) from None
            from ccgrid.catalog.file_kinds import FileKind, detect_kind

            what = detect_kind(path)
            if what.kind in (FileKind.UNKNOWN, FileKind.DATABASE):
                raise CatalogueFileError(
                    f"{path} is not a catalogue of ccgrid ({error}). Name another with --db.", path=path
                ) from None
            reason = f"this is {what.title}, not a catalogue of ccgrid. Name another with --db."
            raise WrongKindError(reason, file=path) from None
        except UnicodeDecodeError:  # SQLite quotes the file's content in the message
            self.connection.close()
            raise DamagedCatalogueError(path=path) from None
        except BaseException:  # an interrupt, too: an open file cannot be removed on Windows
            self.connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. A catalogue in memory is lost."""
        self.connection.close()

    @cached_property
    def tables(self) -> "Database":
        """This catalogue as an object of sqlite-utils."""
        from sqlite_utils import Database

        return Database(self.connection)


def _primary_code(error: sqlite3.Error) -> int:
    """Return the primary result code of an error."""
    return error.sqlite_errorcode & 0xFF


def _is_unfinished(path: Path) -> bool:
    """Return whether a log next to a catalogue holds changes that are still to be merged or rolled back."""
    logs = (Path(f"{path}-wal"), Path(f"{path}-journal"))
    return any(log.exists() and log.stat().st_size > 0 for log in logs)


def check_new(path: Path) -> None:
    """Check that a path is not a broken link, and that no other file would be mistaken for its log.

    Raises:
        CatalogueFileError: If it is.
    """
    if path.is_symlink() and not path.exists():
        raise CatalogueFileError(f"{path} is a broken link: name the catalogue itself.", path=path)
    check_logs(path)


def check_logs(path: Path) -> None:
    """Check that files with the names of a catalogue's logs are logs. SQLite would delete any other file.

    Raises:
        CatalogueFileError: If such a file is not a log, or there is no catalogue.
    """
    for end, begins in _LOG_STARTS.items():
        log = Path(f"{path}{end}")
        if not os.path.lexists(log):
            continue
        if not path.exists():
            raise CatalogueFileError(
                f"Found the log {log} but no catalogue. Move it, or choose another catalogue with --db.", path=path
            )
        if log.is_symlink() or ((start := _first_bytes(log)).strip(b"\0") and not start.startswith(begins)):
            raise CatalogueFileError(
                f"{log} is not a catalogue's log: move it away, or name another with --db.", path=path
            )


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except FileNotFoundError:  # another command has just closed the catalogue
        return b""


def check_closed(path: Path) -> None:
    """Raise OSError if a closed catalogue still has changes in its log, because the disk is full."""
    if _is_unfinished(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
