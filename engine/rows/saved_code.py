"""The on-disk cache of compiled code: its folder, its safety, and lookups that do not import Numba."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Final, cast

from ccgrid.catalog.files import make_folder
from ccgrid.engine.rows.binding import calls, in_core


@cache
def can_compile() -> bool:
    """Return whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


@cache
def cache_folder() -> Path:
    """Return the folder of compiled code, specific to the version of Numba and the source of this package.

    Numba checks only the file of a function itself, not those of the functions that it calls.
    """
    from importlib.metadata import version

    import platformdirs

    seen = hashlib.sha256(version("numba").encode())
    # All modules of this package: they are compiled into every core, and Numba does not notice their changes.
    for path in sorted(Path(__file__).parent.glob("*.py")):
        seen.update(path.read_bytes())
    return platformdirs.user_cache_path("ccgrid") / "compiled" / seen.hexdigest()[:16]


@cache
def unsaved_reason() -> str:
    """Return why compiled code is not saved, as text, or "" if it is."""
    folder = cache_folder()
    try:
        make_folder(folder, private=True)
    except OSError:
        return f"there is no folder {folder}, and it cannot be made"
    if not os.access(folder, os.W_OK):
        return f"{folder} cannot be written"
    return "" if _is_own(folder) else f"other users can write in {folder}, or above it"


_WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def _is_own(folder: Path) -> bool:
    """Return whether only this user and root can write to a folder: Numba unpickles its files, which can run code."""
    if not hasattr(os, "getuid"):
        return True
    own = os.getuid()
    if folder.is_symlink() or folder.stat().st_mode & _WRITABLE_BY_OTHERS:
        return False
    # Check existing files as well: another user may have created them while the folder was writable.
    for path in (folder, *folder.rglob("*")):
        with suppress(FileNotFoundError):  # another process may just have renamed it
            found = path.lstat()
            if found.st_uid != own or stat.S_ISLNK(found.st_mode):
                return False
    # A user who can rename a parent folder can replace the folder.
    return all(_is_safe(parent.stat(), own) for parent in folder.resolve().parents)


def _is_safe(folder: os.stat_result, own: int) -> bool:
    """Return whether other users cannot replace entries of a folder.

    A sticky folder protects its entries even if it is writable. If every user has a private group, the group has the
    user's number.
    """
    is_own_group = folder.st_gid in (0, own)
    open_to_others = folder.st_mode & (stat.S_IWOTH if is_own_group else _WRITABLE_BY_OTHERS)
    return folder.st_uid in (0, own) and (not open_to_others or bool(folder.st_mode & stat.S_ISVTX))


def announcement(what: str, how_long: str) -> str:
    """Return the message before a compilation, with the reason if its result cannot be saved."""
    if why := unsaved_reason():
        return f"Compiling {what} takes {how_long}. The result is not kept: {why}."
    return f"Compiling {what} takes {how_long}, only this once."


def is_saved(function: Callable[..., object], core: ModuleType) -> bool:
    """Return whether a function has been compiled for this core and saved."""
    # `.nbi` is Numba's index for a function; the machine code is next to it.
    return not unsaved_reason() and any(code_folder(function, core).rglob(f"*.{function.__name__}-*.nbi"))


@cache
def code_folder(function: Callable[..., object], core: ModuleType) -> Path:
    """Return the folder of a compiled function, specific to its code, that of all functions called, and constants.

    Numba checks only the file of the function itself, which is the same for all games.
    """
    seen = hashlib.sha256()
    for one in _callees(cast("FunctionType", function), core):
        # Bytecode instead of source, so that changed comments and line breaks do not cause a compilation.
        for part in _code_parts(one.__code__, one.__globals__):
            seen.update(part.encode())
    return cache_folder() / seen.hexdigest()[:16]


def resolve(function: FunctionType, core: ModuleType) -> FunctionType:
    """Return the function to compile for another one: the core's own version of it, and its twin if it has one."""
    one = in_core(function, core)
    twin: FunctionType = one.__dict__.get("twin", one)
    return twin


def _callees(function: FunctionType, core: ModuleType) -> list[FunctionType]:
    found = {resolve(function, core): None}
    # All called functions, transitively, each once.
    left = list(found)
    while left:
        for _, other in calls(left.pop()):
            one = resolve(other, core)
            if one not in found:
                found[one] = None
                left.append(one)
    return list(found)


def _code_parts(code: CodeType, names: dict[str, object]) -> Iterator[str]:
    yield f"{code.co_name} {code.co_code!r} {code.co_names} {code.co_varnames}"
    # Constants of modules are compiled in: another `WIDTH` gives other machine code.
    for name in code.co_names:
        if isinstance(value := names.get(name), (int, float, tuple)):
            yield repr(value)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code_parts(constant, names)
        else:
            yield repr(constant)
