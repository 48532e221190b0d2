"""Where compiled functions are saved, and whether one is there: asked without the library that compiles them."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

from ccgrid.catalog.files import make_folder
from ccgrid.engine.rows.binding import calls, in_core


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: for each version of Numba and of this room a folder of its own.

    Numba looks at the file of a function alone, not at those whose functions it calls.
    """
    from importlib.metadata import version

    import platformdirs

    seen = hashlib.sha256(version("numba").encode())
    # All of this room: the loops are compiled into every core, and Numba does not see when they change.
    for path in sorted(Path(__file__).parent.glob("*.py")):
        seen.update(path.read_bytes())
    return platformdirs.user_cache_path("ccgrid") / "compiled" / seen.hexdigest()[:16]


@cache
def why_not_saved() -> str:
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
    # What is there already counts too: somebody may have put it there while the folder was open to them.
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):  # another process has just given it its name
            found = path.lstat()
            if found.st_uid != own or stat.S_ISLNK(found.st_mode):
                return False
    # Who can rename a folder above can put another in its place.
    return all(_is_safe(parent.stat(), own) for parent in folder.resolve().parents)


def _is_safe(folder: os.stat_result, own: int) -> bool:
    """Whether others cannot exchange what lies in a folder: in a sticky one they cannot, even if they may write.

    Where every user has a group of their own, it has the user's number.
    """
    is_own_group = folder.st_gid in (0, own)
    open_to_others = folder.st_mode & (stat.S_IWOTH if is_own_group else _OTHERS)
    return folder.st_uid in (0, own) and (not open_to_others or bool(folder.st_mode & stat.S_ISVTX))


def announcement(what: str, how_long: str) -> str:
    """What is said before something is compiled, and why it will be compiled again where it cannot be kept."""
    if why := why_not_saved():
        return f"Compiling {what} takes {how_long}. The result is not kept: {why}."
    return f"Compiling {what} takes {how_long}, only this once."


def is_saved(function: Callable[..., Any], core: ModuleType) -> bool:
    """Whether a function was compiled for this core before."""
    # `.nbi` is Numba's index of what it keeps of a function; the machine code itself lies beside it.
    return not why_not_saved() and any(folder_of(function, core).rglob(f"*.{function.__name__}-*.nbi"))


@cache
def folder_of(function: Any, core: ModuleType) -> Path:
    """Where a function is kept: for what it and all it calls do, and for the numbers that they know, a folder.

    Numba looks at the file of the function alone, which is the same for all games.
    """
    seen = hashlib.sha256()
    for one in _callees(function, core):
        # Bytecode and not source: a comment or a longer line does not make anybody compile again.
        for part in _code_parts(one.__code__, one.__globals__):
            seen.update(part.encode())
    return cache_folder() / seen.hexdigest()[:16]


def resolve(function: FunctionType, core: ModuleType) -> FunctionType:
    """The function that is compiled for one: the core's own version of it, or what is marked as its twin."""
    one = in_core(function, core)
    twin: FunctionType = one.__dict__.get("twin", one)
    return twin


def _callees(function: FunctionType, core: ModuleType) -> list[FunctionType]:
    found = {resolve(function, core): None}
    # Everything that is called, and what that calls, each once.
    left = list(found)
    while left:
        for _, other in calls(left.pop()):
            one = resolve(other, core)
            if one not in found:
                found[one] = None
                left.append(one)
    return list(found)


def _code_parts(code: CodeType, names: dict[str, Any]) -> Iterator[str]:
    yield f"{code.co_name} {code.co_code!r} {code.co_names} {code.co_varnames}"
    # Numbers of a module are compiled in as constants: another `WIDTH` is other machine code.
    for name in code.co_names:
        if isinstance(value := names.get(name), (int, float, tuple)):
            yield repr(value)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant, names)
        else:
            yield repr(constant)
