"""Folders for what is needed for a while: gone afterwards, and those of programs that were killed are swept away."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from catalog.held import hold

PREFIX: Final = "ccgrid-"
_LOCK: Final = "in-use"
_CONTENT: Final = "content"
_OLD: Final = 24 * 3600.0
"""Seconds after which a folder is swept that does not say whether anybody uses it."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder of our own, gone with all that is in it when the block ends; raises OSError without room."""
    home = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (home / _LOCK).open("wb") as lock:
            hold(lock.fileno())
            folder = home / _CONTENT
            folder.mkdir()
            yield folder
    finally:
        shutil.rmtree(home, ignore_errors=True)


def sweep() -> None:
    """Removes the folders that programs left which were killed; those of others, and of other people, stay."""
    with suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            if entry.name.startswith(PREFIX) and _is_left(entry):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether a folder is ours, and nobody uses it any more."""
    try:
        found = entry.stat(follow_symlinks=False)
        if not entry.is_dir(follow_symlinks=False) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
            return False
        lock = Path(entry.path, _LOCK)
        if sys.platform == "win32" or not lock.is_file() or not Path(entry.path, _CONTENT).is_dir():
            return time.time() - found.st_mtime > _OLD
        with lock.open("rb") as file:
            return hold(file.fileno())
    except OSError:
        return False
