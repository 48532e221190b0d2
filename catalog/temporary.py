"""Temporary folders, which are removed after use even if a program was killed."""

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

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
def temporary_folder_beside(target: Path) -> Iterator[Path]:
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
