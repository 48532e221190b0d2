"""How functions are compiled, and where what was compiled is kept."""

import hashlib
import os
from collections.abc import Callable
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

_ENGINE: Final = Path(__file__).parents[2]
_SOURCES: Final = ("kernels/compiled/*.py", "numeric/*.py", "games/*/compiled/*.py", "games/*/rows/*.py")


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
    return any((cache_folder() / module).rglob(f"*.{name}-*.nbi"))


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
                signature, cache=_can_keep(), nogil=True, error_model="numpy", forceinline=inline, _nrt=not borrows
            )
            made: Function = compile_it(function)
        finally:
            config.CACHE_DIR = before
        return made

    return decorate


@cache
def _can_keep() -> bool:
    try:
        make_folder(cache_folder())
    except OSError:
        return False
    return os.access(cache_folder(), os.W_OK)


def bundle(kind: type[tuple[Any, ...]], *fields: Any) -> Any:
    """The type of a named tuple whose fields are of these types, or as signatures write them."""
    read = [sigutils.normalize_signature(f"void({one})")[0][0] if isinstance(one, str) else one for one in fields]
    return types.BaseTuple.from_types(read, kind)


def _counted(name: str) -> Any:
    """A function of one 64-bit number that the processor has an instruction for."""

    def typed(typing_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.uint64(types.uint64), code

    return intrinsic(typed)


count_bits: Final = _counted("ctpop")
"""How many bits of a number are set."""

lowest_bit: Final = _counted("cttz")
"""The place of the lowest bit that is set, of a number that is not 0."""
