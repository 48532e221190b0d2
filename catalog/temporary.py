"""Folders for what is needed for a while: gone afterwards. Those that killed programs left are removed later."""

import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from filelock import lock_descriptor

PREFIX: Final = "ccgrid-"
MARKER: Final = "ccgrid-temporary-folder.json"
"""The file in a temporary folder that says whose it is; locked as long as the folder is in use."""
_CONTENT: Final = "content"
_LARGEST_MARKER: Final = 1000


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder, removed with all that is in it when the block ends; raises OSError without room."""
    _remove_unused()
    home = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (home / MARKER).open("xb", buffering=0) as marker:
            with suppress(OSError):  # without locks the folder gets no mark, and is never taken for an unused one
                lock_descriptor(marker.fileno())
                marker.write(json.dumps(_mark(home)).encode())
            folder = home / _CONTENT
            folder.mkdir()
            yield folder
    finally:
        _remove(home)


def _mark(home: Path) -> dict[str, Any]:
    """What stands in the marker: with the inode of the folder, so that a copy of the folder is not taken for it."""
    found = home.stat(follow_symlinks=False)
    what = "temporary folder of ccgrid, removed when no program uses it"
    return {"what": what, "format": 1, "folder": home.name, "inode": found.st_ino, "user": found.st_uid}


def _remove_unused() -> None:
    """Removes the temporary folders that killed programs of this user left."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and _is_unused(Path(entry.path)):
                _remove(Path(entry.path))


def _is_unused(home: Path) -> bool:
    """Whether a folder is a temporary one of this user that no running program has locked, with nothing else in it."""
    marker = home / MARKER
    try:
        for path, is_kind in ((home, stat.S_ISDIR), (marker, stat.S_ISREG)):
            found = path.stat(follow_symlinks=False)
            if not is_kind(found.st_mode) or (sys.platform != "win32" and found.st_uid != os.getuid()):
                return False
        if not {path.name for path in home.iterdir()} <= {MARKER, _CONTENT}:
            return False
        with os.fdopen(os.open(marker, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
            is_free = lock_descriptor(file.fileno(), blocking=False)
            return is_free and bool(json.loads(file.read(_LARGEST_MARKER)) == _mark(home))
    except (OSError, ValueError, RecursionError):
        return False


def _remove(home: Path) -> None:
    """Removes a temporary folder; the marker last, so that what an interrupted removal leaves is removed later."""
    shutil.rmtree(home / _CONTENT, ignore_errors=True)  # follows no link
    with suppress(OSError):
        if not os.path.lexists(home / _CONTENT):
            (home / MARKER).unlink(missing_ok=True)
            home.rmdir()
