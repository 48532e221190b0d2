"""How functions are compiled, and where what was compiled is kept."""

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import platformdirs
from llvmlite import ir
from numba.core import config, sigutils, types
from numba.extending import intrinsic

from catalog.files import make_folder

Function = TypeVar("Function", bound=Callable[..., Any])

_ENGINE: Final = Path(__file__).parents[1]
_SOURCES: Final = ("rows/*.py", "games/*/compiled/*.py")


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: for each version of Numba and of these modules a folder of its own.

    Numba looks at the file of a function alone, not at those whose functions it calls.
    """
    seen = hashlib.sha256(numba.__version__.encode())
    for path in sorted(path for source in _SOURCES for path in _ENGINE.glob(source)):
        seen.update(path.read_bytes())
    return platformdirs.user_cache_path("ccgrid") / "compiled" / seen.hexdigest()[:16]


def is_kept(function: str) -> bool:
    """Whether a function, by its name with its module's, was compiled and kept."""
    module, _, name = function.rpartition(".")
    return not why_not_kept() and any((cache_folder() / module).rglob(f"*.{name}-*.nbi"))


def compiled(signature: Any, *, inline: bool = False, borrows: bool = False) -> Callable[[Function], Function]:
    """Compiles a function for these types, or loads it from where it was kept.

    With `inline` it becomes part of the functions that call it: handing over many arrays takes longer than a small one.
    With `borrows` it makes no array and keeps none, so that nobody counts who has them, which takes longer than a move.
    """

    def decorate(function: Function) -> Function:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(cache_folder() / function.__module__)  # those of other programs stay where they were
        try:
            compile_it = numba.njit(
                signature,
                cache=not why_not_kept(),
                nogil=True,
                error_model="numpy",
                forceinline=inline,
                _nrt=not borrows,
            )
            made: Function = compile_it(function)
        finally:
            config.CACHE_DIR = before
        return made

    return decorate


def announcement(what: str, how_long: str) -> str:
    """What is said before something is compiled, and why it will be compiled again where it cannot be kept."""
    if why := why_not_kept():
        return f"Compiling {what}: that takes {how_long}, and it is not kept, for {why}."
    return f"Compiling {what}, once for all: that takes {how_long}."


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
    return "" if _is_own(folder) else f"others than you may write in {folder}, or above it"


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


def bundle(kind: type[tuple[Any, ...]], *fields: Any) -> Any:
    """The type of a named tuple whose fields are of these types, or as signatures write them."""
    read = [sigutils.normalize_signature(f"void({one})")[0][0] if isinstance(one, str) else one for one in fields]
    return types.BaseTuple.from_types(read, kind)


def _counted(name: str) -> Any:
    """A function of one 64-bit number that the processor has an instruction for; the result is of its type."""

    def typed(typing_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        kind = types.int64 if number.signed else types.uint64
        return kind(kind), code

    return intrinsic(typed)


count_bits: Final = _counted("ctpop")
"""How many bits of a number are set."""

lowest_bit: Final = _counted("cttz")
"""The place of the lowest bit that is set, of a number that is not 0."""
