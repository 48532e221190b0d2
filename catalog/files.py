"""Writes files whole: what was there stays as it was until the new file is complete. The one writer for all rooms."""

import errno
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from catalog.held import hold

LOGS: Final = ("-wal", "-shm", "-journal")
"""How the files beside a database are called that hold what is not yet in it, or what was in it before."""
_OPEN: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NEW: Final = 0o666  # less what the umask takes
_PRIVATE: Final = 0o600
_LEFT: Final = re.compile(r"\.ccgrid-[0-9a-f]{16}\.new")
_YOUNG: Final = 60.0
"""Seconds for which a file that nobody holds may be one that is only being begun."""
_OLD: Final = 24 * 3600.0
"""Seconds after which a file is swept where nobody can hold one."""
_swept: Final = set[Path]()


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A file to write UTF-8 text into; it takes its place when the block ends well, and else leaves no trace.

    What a link points to is written, and the link stays; so do the mode of a file that is there and, where that is
    allowed, its owner. A device, a pipe and this program's own output are written as they are. Raises OSError where
    the file cannot be written.
    """
    with whole_binary(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="surrogatepass", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # flushes, and leaves the file itself open


@contextmanager
def whole_binary(path: Path) -> Iterator[BinaryIO]:
    """The same for bytes."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if (straight := _written_as_it_is(path)) is not None:
        with straight:
            yield straight
        return
    try:
        target = path.resolve()
    except RuntimeError:  # links in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    before = target.stat() if target.exists() else None
    sweep_beside(target)
    beside = name_beside(target)
    try:
        descriptor = os.open(beside, _OPEN, _NEW if before is None else _PRIVATE)
    except OSError as error:  # it names the temporary file, which nobody has heard of
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            hold(descriptor)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _like(beside, before)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    _keep_name(target.parent)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a text or bytes so that the file is there whole or, if anything goes wrong, as it was; raises OSError."""
    if isinstance(content, bytes):
        with whole_binary(path) as binary:
            binary.write(content)
    else:
        with whole_file(path) as file:
            file.write(content)


def name_beside(target: Path) -> Path:
    """A name in the same folder for what is to take a file's place: nobody can know it beforehand."""
    return target.with_name(f".ccgrid-{os.urandom(8).hex()}.new")


def sweep_beside(target: Path) -> None:
    """Removes, once for each folder, what programs that were killed left unfinished in the folder of a file.

    What a running program holds, what is young, and what is a link or somebody else's stays.
    """
    if target.parent in _swept:
        return
    _swept.add(target.parent)
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if _LEFT.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_left(entry)


def _remove_left(entry: os.DirEntry[str]) -> None:
    found = entry.stat(follow_symlinks=False)
    own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    age = time.time() - found.st_mtime
    if not (own and stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and age > _YOUNG):
        return
    with os.fdopen(os.open(entry.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        left = hold(file.fileno())
    if left or (sys.platform == "win32" and age > _OLD):
        for log in ("", *LOGS):
            Path(f"{entry.path}{log}").unlink(missing_ok=True)


def _written_as_it_is(path: Path) -> BinaryIO | None:
    """A device, a pipe, or this program's own output, opened; None for a plain file and for one that is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
        with suppress(OSError, ValueError):  # one that is closed is not meant
            if os.path.samestat(found, os.fstat(stream.fileno())):
                stream.flush()
                return os.fdopen(os.dup(stream.fileno()), "wb")
    return None if stat.S_ISREG(found.st_mode) else path.open("wb")


def _like(path: Path, before: os.stat_result) -> None:
    """Gives a file the owner, where that is allowed, and the mode that another had."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))


def _keep_name(folder: Path) -> None:
    """Has the system write a folder down, so that a new name in it outlives a crash; not all systems can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
