"""Simulated disk failures: the n-th write of SQLite or Python fails, or ends the process.

For SQLite these are its system calls, or its statements; for Python every operation that creates or names a file, and
`fsync`, which reports a full disk for earlier writes.
"""

import ctypes
import errno
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Final, cast

import pytest

_WRITES: Final = ("write", "pwrite", "pwrite64", "ftruncate", "fallocate")
_SIGNATURES: Final[dict[str, Any]] = {
    "write": ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, use_errno=True),
    "pwrite": ctypes.CFUNCTYPE(
        ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
    ),
    "ftruncate": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, use_errno=True),
    "fallocate": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64, use_errno=True),
    "open": ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_int, use_errno=True),
}
_NAMING: Final = ("os.rename", "os.link", "os.mkdir", "os.truncate")
_STATEMENTS: Final = (
    *("INSERT", "REPLACE", "UPDATE", "DELETE", "CREATE", "DROP"),
    *("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"),
)
_SIGNATURES["pwrite64"] = _SIGNATURES["pwrite"]


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int),
        ("size", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("open", "delete", "access", "full", "dl", "error", "symbol", "close")),
        *((name, ctypes.c_void_p) for name in ("random", "sleep", "time", "last", "time64")),
        ("set", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)),
        ("get", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)),
    )


def _vfs() -> Any:
    """Return the VFS of the SQLite library that Python uses, or None if it is not accessible."""
    try:
        library = ctypes.CDLL(next(path for path in _libraries() if "sqlite3.so" in path))
    except (StopIteration, OSError):
        return None
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    return library.sqlite3_vfs_find(None)


def _libraries() -> Iterator[str]:
    sqlite3.connect(":memory:").close()
    with open("/proc/self/maps") as maps:  # noqa: PTH123
        yield from {line.split()[-1] for line in maps if ".so" in line}


def can_fail() -> bool:
    """Return whether SQLite's system calls can be replaced on this system."""
    return os.path.exists("/proc/self/maps") and _vfs() is not None  # noqa: PTH110


class FailingDisk:
    """A counter of writes: write `fails` and all later ones raise the error, or the first ends the process."""

    def __init__(self, fails: int | None, error: int | str = errno.ENOSPC, once: bool = False) -> None:
        self.fails, self.error, self.once, self.writes = fails, error, once, 0

    def refuses(self) -> bool:
        self.writes += 1
        if self.fails is None or self.writes < self.fails or (self.once and self.writes > self.fails):
            return False
        if self.error == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        return True


@contextmanager
def failing(disk: FailingDisk) -> Iterator[FailingDisk]:
    """Make SQLite's writes, and Python's creation, naming and syncing of files, use this disk during the block."""
    _listen()

    def fsync(descriptor: int) -> None:
        if disk.refuses():
            raise OSError(int(disk.error), os.strerror(int(disk.error)))
        usual(descriptor)

    usual, os.fsync = os.fsync, fsync
    with _replaced(dict.fromkeys(_WRITES, disk)):
        _watching.append(disk)
        try:
            yield disk
        finally:
            _watching.remove(disk)
            os.fsync = usual


_watching: Final[list[FailingDisk]] = []


@cache
def _listen() -> None:
    sys.addaudithook(_heard)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    """Raise the error of the simulated disk if Python opens a file for writing or names one."""
    if not _watching or event not in ("open", *_NAMING):
        return
    if event == "open" and (arguments[0] == os.devnull or not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
        return
    disk = _watching[-1]
    if disk.refuses():
        raise OSError(int(disk.error), os.strerror(int(disk.error)), arguments[0])


class FailingStatements(FailingDisk):
    """A counter of statements that change a catalogue: one raises an error, before or after it has run."""

    def __init__(self, fails: int | None, error: BaseException, *, behind: bool = False) -> None:
        super().__init__(fails, once=True)
        self.thrown, self.behind = error, behind


@contextmanager
def failing_statements(disk: FailingStatements, monkeypatch: pytest.MonkeyPatch) -> Iterator[FailingStatements]:
    """Count the statements that change a catalogue during the block, and let one of them fail."""

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            return cast("sqlite3.Cursor", self._carry_out(super().execute, sql, *values))

        def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
            return cast("sqlite3.Cursor", self._carry_out(super().executemany, sql, *values))

        def _carry_out(self, usual: Callable[..., object], sql: str, *values: Any) -> object:
            refused = sql.lstrip().startswith(_STATEMENTS) and disk.refuses()
            if refused and not disk.behind:
                raise disk.thrown
            result = usual(sql, *values)
            if refused:
                raise disk.thrown
            return result

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Connection))
        yield disk


def full() -> sqlite3.OperationalError:
    """Return the error that SQLite raises if the disk is full."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


@contextmanager
def read_only(refused: Callable[[str], bool]) -> Iterator[None]:
    """Make the files with these names read-only for SQLite during the block, and prevent their creation."""
    vfs = _vfs()
    was = vfs.contents.get(vfs, b"open")
    usual = _SIGNATURES["open"](was)

    def open_file(path: bytes, flags: int, mode: int) -> int:
        if refused(os.fsdecode(path)) and flags & (os.O_RDWR | os.O_WRONLY | os.O_CREAT):
            ctypes.set_errno(errno.EROFS)
            return -1
        return int(usual(path, flags, mode))

    stand_in = _SIGNATURES["open"](open_file)
    vfs.contents.set(vfs, b"open", ctypes.cast(stand_in, ctypes.c_void_p))
    try:
        yield
    finally:
        vfs.contents.set(vfs, b"open", was)


@contextmanager
def _replaced(disks: dict[str, FailingDisk]) -> Iterator[None]:
    vfs = _vfs()
    references: list[Any] = []
    before = {name: vfs.contents.get(vfs, name.encode()) for name in disks}
    for name, was in before.items():
        if was:
            stand_in = _stand_in(name, was, disks[name])
            references.append(stand_in)
            vfs.contents.set(vfs, name.encode(), ctypes.cast(stand_in, ctypes.c_void_p))
    try:
        yield
    finally:
        for name, was in before.items():
            if was:
                vfs.contents.set(vfs, name.encode(), was)


def _stand_in(name: str, was: int, disk: FailingDisk) -> Any:
    usual = _SIGNATURES[name](was)

    def call(*arguments: int) -> int:
        if disk.refuses():
            ctypes.set_errno(int(disk.error))
            return -1
        return int(usual(*arguments))

    return _SIGNATURES[name](call)
