"""Where compiled code is kept: what Numba loads there, it runs."""

import hashlib
import os
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import numba
import platformdirs

from ccgrid.catalog.files import make_folder


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: for each version of Numba and of this room a folder of its own.

    Numba looks at the file of a function alone, not at those whose functions it calls.
    """
    seen = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        seen.update(path.read_bytes())
    return platformdirs.user_cache_path("ccgrid") / "compiled" / seen.hexdigest()[:16]


def announcement(what: str, how_long: str) -> str:
    """What is said before something is compiled, and why it will be compiled again where it cannot be kept."""
    if why := why_not_kept():
        return f"Compiling {what} takes {how_long}. The result is not kept: {why}."
    return f"Compiling {what} takes {how_long}, only this once."


@cache
def why_not_kept() -> str:
    """Why what is compiled is not kept, in words; nothing where it is."""
    folder = cache_folder()
    try:
        make_folder(folder, private=True)
    except OSError:
        return f"there is no folder {folder}, and it cannot be made"
    if not os.access(folder, os.W_OK):
        return f"{folder} cannot be written"
    return "" if _is_own(folder) else f"other users can write in {folder}, or above it"


_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def _is_own(folder: Path) -> bool:
    """Whether nobody but this user, or root, can put anything there: Numba unpickles what it finds, which runs it."""
    if not hasattr(os, "getuid"):
        return True
    own = os.getuid()
    if folder.is_symlink() or folder.stat().st_mode & _OTHERS:
        return False
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):  # another process has just given it its name
            found = path.lstat()
            if found.st_uid != own or stat.S_ISLNK(found.st_mode):
                return False
    return all(_is_safe(parent.stat(), own) for parent in folder.resolve().parents)


def _is_safe(folder: os.stat_result, own: int) -> bool:
    """Whether others cannot exchange what lies in a folder: in a sticky one they cannot, even if they may write.

    Where every user has a group of their own, it has the user's number.
    """
    is_own_group = folder.st_gid in (0, own)
    open_to_others = folder.st_mode & (stat.S_IWOTH if is_own_group else _OTHERS)
    return folder.st_uid in (0, own) and (not open_to_others or bool(folder.st_mode & stat.S_ISVTX))
