"""The one place where files are made, replaced, renamed and removed; `catalog/files.py` makes temporary folders.

Files are written whole: what was there stays as it was until the new file is whole. No link is followed to write.
"""

import errno
import io
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

from ccgrid.catalog.errors import CatalogError, CatalogueFileError

PREFIX: Final = "ccgrid-"
HIDDEN: Final = f".{PREFIX}"
"""How temporary folders in the folders of people begin."""
MARKER: Final = "ccgrid-temporary-folder.json"
"""The file in a temporary folder that says whose it is; locked as long as the folder is in use."""
CONTENT: Final = "content"
_LARGEST_MARKER: Final = 1000  # bytes that are read of a marker
_searched: Final = set[Path]()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder, removed with all that is in it when the block ends; raises OSError without room."""
    from tempfile import gettempdir

    _remove_unused(Path(gettempdir()), PREFIX)
    with _marked_folder(None, PREFIX) as folder:
        yield folder


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """The same in the folder of a file, on the same disk, so that what is in it can take the place of the file.

    Once for each folder, those that killed programs left there are removed.
    """
    parent = Path(os.fspath(target)).parent  # also of one that is called otherwise, such as "standard output"
    if parent not in _searched:
        _searched.add(parent)
        _remove_unused(parent, HIDDEN)
    with _marked_folder(parent, HIDDEN) as folder:
        yield folder


@contextmanager
def _marked_folder(parent: Path | None, prefix: str) -> Iterator[Path]:
    import json
    from tempfile import mkdtemp

    from filelock import lock_descriptor

    home = Path(mkdtemp(prefix=prefix, dir=parent))
    try:
        with (home / MARKER).open("xb", buffering=0) as marker:
            with suppress(OSError):  # without locks the folder gets no mark, and is never taken for an unused one
                lock_descriptor(marker.fileno())
                marker.write(json.dumps(_mark(home)).encode())
            folder = home / CONTENT
            folder.mkdir()
            yield folder
    finally:
        _remove(home)


def _mark(home: Path) -> dict[str, Any]:
    """What is in the marker: with the inode of the folder, so that a copy of the folder is not taken for it."""
    found = home.stat(follow_symlinks=False)
    what = "temporary folder of ccgrid, removed when no program uses it"
    return {"what": what, "format": 1, "folder": home.name, "inode": found.st_ino, "user": found.st_uid}


def _remove_unused(parent: Path, prefix: str) -> None:
    """Removes the temporary folders that killed programs of this user left."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and _is_unused(Path(entry.path)):
                _remove(Path(entry.path))


def _is_unused(home: Path) -> bool:
    """Whether a folder is a temporary one of this user that no running program has locked, with nothing else in it."""
    import json

    from filelock import lock_descriptor

    marker = home / MARKER
    try:
        for path, is_kind in ((home, stat.S_ISDIR), (marker, stat.S_ISREG)):
            found = path.stat(follow_symlinks=False)
            if not is_kind(found.st_mode) or (sys.platform != "win32" and found.st_uid != os.getuid()):
                return False
        if not {path.name for path in home.iterdir()} <= {MARKER, CONTENT}:
            return False
        with os.fdopen(os.open(marker, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            is_free = lock_descriptor(file.fileno(), blocking=False)
            return is_free and bool(json.loads(file.read(_LARGEST_MARKER)) == _mark(home))
    except (OSError, ValueError, RecursionError):
        return False


def _remove(home: Path) -> None:
    """Removes a temporary folder; the marker last, so that what an interrupted removal leaves is removed later."""
    shutil.rmtree(home / CONTENT, ignore_errors=True)  # follows no link
    with suppress(OSError):
        if not os.path.lexists(home / CONTENT):
            (home / MARKER).unlink(missing_ok=True)
            home.rmdir()


LOGS: Final = ("-wal", "-shm", "-journal")
"""How the files beside a database are called that hold what is not yet in it, or what was in it before."""
LINK: Final = "this is a link, and links are not written through; name the file itself"
_FLAGS: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING: Final = getattr(os, "O_NONBLOCK", 0)  # for whoever reads a pipe
_NEW: Final = 0o666  # less what the umask takes
_PRIVATE: Final = 0o600  # for its user alone
_PATIENCE: Final = 2.0 if sys.platform == "win32" else 0.0
"""Seconds in which other programs, such as those that look for viruses, let go of a file, where that matters."""


# --- writing whole files ----------------------------------------------------------------------------------------


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A file to write UTF-8 text into; it takes its place when the block ends well, and else leaves no trace.

    A file that is there keeps its mode and, where that is allowed, its owner. A device, a pipe and this program's own
    output are written as they are, also where a link leads to them. Raises OSError where the file cannot be written,
    or is a link.
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
    if (stream := _stream(path)) is not None:
        with stream:
            yield stream
        return
    check_target(path)
    before = path.stat() if path.exists() else None
    with errors_naming(path), folder_beside(path) as folder:
        part = folder / "file"
        # Private while it is written; then it gets the mode of the file that it replaces.
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, _NEW if before is None else _PRIVATE)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            # On the disk before it gets its name: after a crash there is the old file or the new one.
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _like(part, before)
        rename(part, path)
    _keep_name(path.parent)


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes a text or bytes so that the file is there whole or, if anything goes wrong, as it was; raises OSError."""
    if isinstance(content, bytes):
        with whole_binary(path) as binary:
            binary.write(content)
    else:
        with whole_file(path) as file:
            file.write(content)


def check_target(path: Path) -> None:
    """Raises OSError where no file can be written: at a folder, and at a link, unless it leads to a device."""
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


def put_in_place(new: Path, target: Path) -> None:
    """Gives a file of the program a name that nothing has yet; raises FileExistsError where something has by now."""
    # `link` fails where something has the name by now; `rename` would replace it.
    try:
        os.link(new, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a disk that knows one name for each file alone
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        rename(new, target)
    _keep_name(target.parent)


# --- other files that the program makes -------------------------------------------------------------------------


def new_file(path: Path) -> BinaryIO:
    """A file that is not there yet, open to be written; raises OSError where anything is there, be it a link."""
    return path.open("xb")


def open_own(path: Path) -> BinaryIO:
    """A file that grows over several runs of the program, made where it is missing; what is written is not buffered.

    Raises OSError where it is a link or a device, or has another name, too: more would change than this file.
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
    """Hold the lock of a file, as the only process and thread, while the block runs; yield whether it is held.

    The system holds it on `path` + ".lock", since the file itself may be replaced meanwhile, and frees it with the
    process. It is not held if another has it and this call does not wait.

    Raises:
        OSError: The lock cannot be made in the folder of the file.
    """
    from filelock import lock_descriptor

    with open_own(path.with_name(f"{path.name}.lock")) as handle:
        yield lock_descriptor(handle.fileno(), blocking=waits)


def make_folder(path: Path, *, private: bool = False) -> None:
    """Makes a folder and its parents, where they are missing; `private` ones are for their user alone."""
    for missing in reversed([one for one in (path, *path.parents) if not one.exists()]):
        missing.mkdir(0o700 if private else 0o777, exist_ok=True)
    if not path.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def remove(*paths: Path) -> None:
    """Removes files of the program, where they are there; of a link, the link."""
    for path in paths:
        _patiently(partial(path.unlink, missing_ok=True))


def rename(path: Path, target: Path) -> None:
    """Gives a file of the program another name, in the place of a file of that name, if any; raises OSError."""
    check_target(target)
    if target.exists() and not target.is_file():
        raise FileExistsError(errno.EEXIST, "this is a device or a pipe, not a file", str(target))
    _patiently(partial(path.replace, target))


def copy_new(path: Path, target: Path) -> None:
    """Copies a file, whole, to a name that nothing has yet; raises OSError."""
    with folder_beside(target) as folder, path.open("rb") as source:
        part = folder / "file"
        with new_file(part) as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
            copy.flush()
            os.fsync(copy.fileno())
        _like(part, os.fstat(source.fileno()))
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        rename(part, target)


def keep(path: Path, target: Path) -> None:
    """Gives a file a second name, which nothing has yet; copies it where the disk knows one name for each alone."""
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        copy_new(path, target)


def _patiently(work: Callable[[], object]) -> None:
    """Does something that other programs keep from being done while they have a file open, where they can."""
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


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Errors about temporary files name this one: nobody has heard of them."""
    try:
        yield
    except OSError as error:
        if HIDDEN in str(error.filename):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    except CatalogError as error:
        if HIDDEN not in str(error):
            raise
        home = re.escape(str(path.with_name(HIDDEN))) + r"[^/\\]+[/\\]" + CONTENT
        error.args = (re.sub(home, lambda _: str(path.parent), str(error)),)
        if isinstance(error, CatalogueFileError):
            error.path = path
        raise


def _stream(path: Path) -> BinaryIO | None:
    """A device, a pipe, or this program's own output, opened; None for any other file and for one that is missing."""
    try:
        found = path.stat()
    except OSError:
        return None
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
        with suppress(OSError, ValueError):  # one that is closed is not meant
            if os.path.samestat(found, os.fstat(stream.fileno())):
                stream.flush()
                return os.fdopen(os.dup(stream.fileno()), "wb")
    return None if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode) else path.open("wb")


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


class CommitOutcome:
    """What was committed to catalogues since `begin`, and whether a unit of work was rolled back."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forgets what earlier commands did."""
        self.committed = 0
        self.last = ""
        self.is_rolled_back = False

    def commit(self, what: str) -> None:
        """Notes a unit of work that is in the catalogue; `what` it did, such as `add 2 Griffin`."""
        self.committed += 1
        self.last = what

    def roll_back(self) -> None:
        """Notes a unit of work of which nothing is in the catalogue."""
        self.is_rolled_back = True

    def discard(self) -> None:
        """Notes that what was committed was in a file that is gone, as there was no catalogue before."""
        self.begin()
        self.roll_back()

    def __str__(self) -> str:
        """A part of a sentence on what the command changed; empty where it did not begin to write."""
        if self.committed > 1:
            return f"{self.committed:,} earlier changes were saved, the last: {self.last}"
        if self.committed:
            return f"this was done and saved before: {self.last}"
        return "nothing changed" if self.is_rolled_back else ""


OUTCOME: Final = CommitOutcome()
"""That of the command that this process carries out."""


_ENDING: Final = re.compile(r"\.[A-Za-z]\w{0,9}")


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
