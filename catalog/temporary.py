"""Temporary folders, which are removed after use even if a program was killed."""

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError, CatalogueFileError

PREFIX: Final = "ccgrid-"
HIDDEN: Final = f".{PREFIX}"
"""Prefix of temporary folders in the user's folders."""
MARKER: Final = "ccgrid-temporary-folder.json"
"""The file in a temporary folder that identifies it; locked while the folder is in use."""
CONTENT: Final = "content"
_LARGEST_MARKER: Final = 1000  # bytes
_searched: Final = set[Path]()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Create an empty folder for the duration of the block.

    Raises:
        OSError: If the disk has no room.
    """
    from tempfile import gettempdir

    parent = Path(gettempdir())
    _remove_unused(parent, PREFIX)
    with _marked_folder(parent, PREFIX) as folder:
        yield folder


@contextmanager
def temporary_folder_beside(target: Path) -> Iterator[Path]:
    """Create a temporary folder in the folder of a file, so that its files can be renamed to the file.

    Folders that killed programs left there are removed once per process.
    """
    parent = Path(os.fspath(target)).parent  # the path may have a display name, such as "standard output"
    if parent not in _searched:
        _searched.add(parent)
        _remove_unused(parent, HIDDEN)
    with _marked_folder(parent, HIDDEN) as folder:
        yield folder


@contextmanager
def _marked_folder(parent: Path, prefix: str) -> Iterator[Path]:
    import json

    from filelock import lock_descriptor

    home = parent / f"{prefix}{os.urandom(8).hex()}"  # named before it exists, so that an interrupt leaves no folder
    try:
        home.mkdir(mode=0o700)
        with (home / MARKER).open("xb", buffering=0) as marker:
            with suppress(OSError):  # without locks the folder gets no marker, and is never removed as unused
                lock_descriptor(marker.fileno())
                marker.write(json.dumps(_mark(home)).encode())
            folder = home / CONTENT
            folder.mkdir()
            yield folder
    finally:
        try:
            _remove(home)
        except BaseException:  # interrupted
            _remove(home)
            raise


def _mark(home: Path) -> dict[str, object]:
    """Return the content of the marker, with the folder's inode so that a copy of the folder does not match."""
    found = home.stat(follow_symlinks=False)
    what = "temporary folder of ccgrid, removed when no program uses it"
    return {"what": what, "format": 1, "folder": home.name, "inode": found.st_ino, "user": found.st_uid}


def _remove_unused(parent: Path, prefix: str) -> None:
    """Remove temporary folders that this user's killed programs left."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and _is_unused(Path(entry.path)):
                _remove(Path(entry.path))


def _is_unused(home: Path) -> bool:
    """Return whether a folder is a temporary folder of this user without other files, unlocked by any program."""
    import json

    from filelock import lock_descriptor

    marker = home / MARKER
    if sys.platform == "emscripten":  # locks have no effect there, so a folder in use would seem unused
        return False
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
    """Remove a temporary folder, its marker last, so that an interrupted removal is completed later."""
    shutil.rmtree(home / CONTENT, ignore_errors=True)  # does not follow links
    with suppress(OSError):
        if not os.path.lexists(home / CONTENT):
            (home / MARKER).unlink(missing_ok=True)
            home.rmdir()


@contextmanager
def errors_naming(path: Path) -> Iterator[None]:
    """Replace the names of temporary files in errors by this path, which the user knows."""
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
