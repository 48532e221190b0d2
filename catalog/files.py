"""Writing, renaming and removing of files. Only this module and `catalog/temporary.py` change files.

A file is replaced atomically: the old content stays until the new file is complete. Links are never followed.
"""

import errno
import io
import os
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.temporary import errors_naming, temporary_folder_beside

LOGS: Final = ("-wal", "-shm", "-journal")
"""Suffixes of the files next to a database that hold pending or earlier content."""
LINK: Final = "this is a link; name the file that it leads to"
_FLAGS: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING: Final = getattr(os, "O_NONBLOCK", 0)  # do not wait for a reader of a pipe
_NEW: Final = 0o666  # before the umask
_PRIVATE: Final = 0o600  # for the user only
_PATIENCE: Final = 2.0 if sys.platform == "win32" else 0.0
"""Seconds to retry while another program, such as a virus scanner, locks a file (Windows only)."""


# --- writing whole files ----------------------------------------------------------------------------------------


@contextmanager
def atomic_text_file(path: Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file for atomic writing.

    The file replaces `path` if the block succeeds, and is discarded otherwise. An existing file keeps its mode and, if
    permitted, its owner. A device, a pipe and this program's own output are written directly, also through a link.

    Raises:
        OSError: If the file cannot be written or is a link.
    """
    with atomic_binary_file(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="surrogatepass", newline="\n")
        try:
            yield text
        finally:
            text.detach()  # flushes, and leaves the file itself open


@contextmanager
def atomic_binary_file(path: Path) -> Iterator[BinaryIO]:
    """Open a binary file for atomic writing, as `atomic_text_file` opens a text file."""
    if (stream := _stream(path)) is not None:
        with stream:
            yield stream
        return
    check_target(path)
    before = path.stat() if path.exists() else None
    with errors_naming(path), temporary_folder_beside(path) as folder:
        part = folder / "file"
        # Private while it is written; afterwards it gets the mode of the replaced file.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
        descriptor = os.open(part, flags, _NEW if before is None else _PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            _sync_file(file)
        if before is not None:
            _copy_owner_and_mode(part, before)
        rename(part, path)
    _sync_folder(path.parent)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder to fill; it becomes `path` if the block succeeds, and is discarded otherwise.

    Raises:
        OSError: If anything of this name exists, or the folder cannot be made.
    """
    with errors_naming(path), temporary_folder_beside(path) as home:
        part = home / path.name
        part.mkdir()
        yield part
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        _retry_while_locked(partial(part.rename, path))
    _sync_folder(path.parent)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a text or bytes atomically.

    Raises:
        OSError: If the file cannot be written. An existing file is unchanged then.
    """
    if isinstance(content, bytes):
        with atomic_binary_file(path) as binary:
            binary.write(content)
    else:
        with atomic_text_file(path) as file:
            file.write(content)


def write_own_file(path: Path, content: bytes) -> None:
    """Write a file of a folder that only the program uses atomically, in half the time.

    The new content is written beside the file. A file that a killed program left there is replaced by the next one.

    Raises:
        OSError: If the file cannot be written. An existing file is unchanged then.
    """
    part = path.with_name(f"{path.name}.part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _FLAGS, _PRIVATE), "wb") as file:
        file.write(content)
        _sync_file(file)
    _retry_while_locked(partial(part.replace, path))
    _sync_folder(path.parent)


def _sync_file(file: BinaryIO) -> None:
    """Write a file to the disk before it is renamed: after a crash the old or the new file exists."""
    file.flush()
    os.fsync(file.fileno())


def check_target(path: Path) -> None:
    """Check that a file can be written at a path.

    Raises:
        OSError: If the path is a folder, or a link that does not lead to a device.
    """
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "this is not a file name", str(path))
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.is_symlink() and (found is None or stat.S_ISREG(found.st_mode)):
        raise OSError(errno.ELOOP, LINK, str(path))


def move_to_new_name(new: Path, target: Path) -> None:
    """Move a file of the program to a name that does not exist.

    Raises:
        FileExistsError: If the name exists by now.
    """
    # A link fails if the name exists by now; `rename` would replace it.
    if not _add_name(new, target):
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        rename(new, target)
    _sync_folder(target.parent)


# --- other files that the program makes -------------------------------------------------------------------------


def new_file(path: Path) -> BinaryIO:
    """Create a file and open it for writing.

    Raises:
        OSError: If the name exists, even as a link.
    """
    return path.open("xb")


def open_growing_file(path: Path) -> BinaryIO:
    """Open a file that several runs of the program extend, unbuffered; create it if it is missing.

    Raises:
        OSError: If it is a link, a device, or a file with another name, since more than this file would change.
    """
    if path.is_symlink():
        raise OSError(errno.ELOOP, LINK, str(path))
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS | _NO_WAITING, _NEW), "r+b", 0)
    found = os.fstat(file.fileno())
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
        return file
    file.close()
    raise OSError(errno.EINVAL, "this is a device or a file with several names", str(path))


@contextmanager
def lock_beside(path: Path, *, waits: bool = True) -> Iterator[bool]:
    """Hold the lock of a file, exclusively among processes and threads, in the block; yield whether it is held.

    The system holds it on `path` + ".lock", since the file itself may be replaced meanwhile, and frees it with the
    process. It is not held if another has it and this call does not wait.

    Raises:
        OSError: If the lock cannot be made in the folder of the file.
    """
    from filelock import lock_descriptor

    with open_growing_file(path.with_name(f"{path.name}.lock")) as handle:
        yield lock_descriptor(handle.fileno(), blocking=waits)


def make_folder(path: Path, *, private: bool = False) -> None:
    """Create a folder and its missing parents; with `private`, only for the user."""
    for missing in reversed([*takewhile(lambda one: not one.exists(), (path, *path.parents))]):
        missing.mkdir(0o700 if private else 0o777, exist_ok=True)
    if not path.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def remove(*paths: Path) -> None:
    """Delete files of the program if they exist. A link is deleted itself."""
    for path in paths:
        _retry_while_locked(partial(path.unlink, missing_ok=True))


def rename(path: Path, target: Path) -> None:
    """Rename a file of the program, replacing an existing file.

    Raises:
        OSError: If the file cannot be renamed.
    """
    check_target(target)
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "this is a device or a pipe, not a file", str(target))
    _retry_while_locked(partial(path.replace, target))


def copy_new(path: Path, target: Path) -> None:
    """Copy a file atomically to a name that does not exist.

    Raises:
        OSError: If the file cannot be copied.
    """
    with temporary_folder_beside(target) as folder, path.open("rb") as source:
        part = folder / "file"
        with new_file(part) as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
            _sync_file(copy)
        _copy_owner_and_mode(part, os.fstat(source.fileno()))
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        rename(part, target)


def keep(path: Path, target: Path) -> None:
    """Give a file a second name, which must not exist, by a hard link or, if the disk has none, by a copy."""
    if not _add_name(path, target):
        copy_new(path, target)


def _add_name(path: Path, target: Path) -> bool:
    """Give a file a second name by a hard link; return False if the system or the disk has none.

    Raises:
        FileExistsError: If the name exists.
    """
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):  # Python in a browser lacks the function
        return False
    return True


def _retry_while_locked(work: Callable[[], object]) -> None:
    """Do some work, and retry it while another program has the file open (Windows)."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            work()
        except PermissionError:
            if time.monotonic() >= end:
                raise
            time.sleep(0.02)
        else:
            return


def _stream(path: Path) -> BinaryIO | None:
    """Open a device, a pipe or this program's own output for writing; return None for a regular or missing file."""
    try:
        found = path.stat()
    except OSError:
        return None
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
        with suppress(OSError, ValueError):  # a closed stream cannot match
            if os.path.samestat(found, os.fstat(stream.fileno())):
                stream.flush()
                return os.fdopen(os.dup(stream.fileno()), "wb")
    return None if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) else path.open("wb")


def _copy_owner_and_mode(path: Path, before: os.stat_result) -> None:
    """Give a file another file's mode and, if permitted, owner."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, if the system can, so that a new name in it survives a crash."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


_ENDING: Final = lazy_pattern(r"\.[A-Za-z]\w{0,9}")


def ending_of(path: Path | None) -> str:
    """Return the ending of a file that is to be written, in lower case; "" for streams and devices.

    >>> ending_of(Path("Cards.CSV")), ending_of(Path("deck v1.2")), ending_of(None)
    ('.csv', '', '')
    """
    if path is None or bool(getattr(path, "stream", False)):
        return ""
    if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113  these say no to an impossible name
        return ""
    return path.suffix.lower() if _ENDING.fullmatch(path.suffix) else ""
