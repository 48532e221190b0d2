"""How functions that are bound to a core are compiled, and where what was compiled is kept."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, get_args, get_type_hints

import numba
import numpy as np
import platformdirs
from llvmlite import ir as llvm
from numba.core import cgutils, config, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ccgrid.catalog.files import make_folder
from ccgrid.engine.dice import FIRST, SECOND, SEED_BITS, STEP, mix
from ccgrid.engine.rows import row as rows
from ccgrid.engine.rows.binding import Binding, calls, in_core

_LINE: Final = 64
"""The bytes of a cache line."""


# A list of one, so that it is exchanged without `global`: what was asked for, and what was made of it.
_LAST_TABLE: Final[list[tuple[Any, Any]]] = [(None, None)]


def ints(row: Any) -> Any:
    """A row of whole numbers as an array."""
    return np.array(row, np.int64)


def floats(row: Any) -> Any:
    """A row of decimal numbers as an array."""
    return np.array(row, np.float64)


def more(row: Any, count: int) -> Any:
    """A row with `count` zeros behind it."""
    return np.concatenate((row, np.zeros(count, row.dtype)))


def zeros(count: int, kind: str = "int64") -> Any:
    """A row of `count` zeros as an array that begins at a cache line."""
    row = np.zeros(count * np.dtype(kind).itemsize + _LINE, np.uint8)
    # One line more than needed, so that a part of it can begin at a line.
    begin = -row.ctypes.data % _LINE
    return row[begin : begin + len(row) - _LINE].view(kind)


def fork_seeds(seed: int, numbers: range) -> Any:
    """The seeds of `Dice(seed).fork(number)` for numbers that follow one another."""
    # `engine.dice.mix` of many numbers at once: numpy's unsigned numbers wrap around at 64 bits, as the mask `ALL`
    # does.
    z = np.arange(numbers.start, numbers.stop, dtype=np.uint64) * np.uint64(STEP) + np.uint64(mix(seed))
    z = (z ^ z >> np.uint64(30)) * np.uint64(FIRST)
    z = (z ^ z >> np.uint64(27)) * np.uint64(SECOND)
    return (z ^ z >> np.uint64(31)) >> np.uint64(64 - SEED_BITS)


def arrays(bundle: Any) -> Any:
    """A bundle of rows (a `NamedTuple`) with its rows as arrays, as many bits to a number as its class says."""
    made: Any = type(bundle)
    kinds = zip(bundle, _kinds_in(made), strict=True)
    return made(*[one if kind is None else np.asarray(one, kind) for one, kind in kinds])


def table_arrays(table: Any) -> Any:
    """As `arrays`, of the table of a core: the last one is there for the next search, which may take less long."""
    before, made = _LAST_TABLE[0]
    # The same object, not an equal one: to compare rows would take longer than to make them.
    if before is not table:
        made = arrays(table)
        _LAST_TABLE[0] = table, made
    return made


def dtype_of(hint: Any) -> str | None:
    """What the numbers of a row are stored as, by its annotation; nothing where that is no row."""
    # `Row32` is `Annotated[list[int], "int32"]`; a plain `list[int]` has no metadata, and no kind.
    row, *kind = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    if row == list[float]:
        return "float64"
    return (kind[0] if kind else "int64") if row == list[int] else None


@cache
def _kinds_in(bundle: Any) -> list[str | None]:
    return [dtype_of(hint) for hint in get_type_hints(bundle, include_extras=True).values()]


@cache
def cache_folder() -> Path:
    """Where compiled code is kept: for each version of Numba and of this room a folder of its own.

    Numba looks at the file of a function alone, not at those whose functions it calls.
    """
    seen = hashlib.sha256(numba.__version__.encode())
    # All of this room: the loops are compiled into every core, and Numba does not see when they change.
    for path in sorted(Path(__file__).parent.glob("*.py")):
        seen.update(path.read_bytes())
    return platformdirs.user_cache_path("ccgrid") / "compiled" / seen.hexdigest()[:16]


def announcement(what: str, how_long: str) -> str:
    """What is said before something is compiled, and why it will be compiled again where it cannot be kept."""
    if why := why_not_saved():
        return f"Compiling {what} takes {how_long}. The result is not kept: {why}."
    return f"Compiling {what} takes {how_long}, only this once."


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


_LOCK: Final = Lock()
_LOADED: Final[dict[tuple[Callable[..., Any], ModuleType], Callable[..., Any]]] = {}


def _bit_instruction(name: str) -> Any:
    """A function of one 64-bit number that the processor has an instruction for; the result is of its type."""

    def typed(typing_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            # The constant says that the result for 0 does not matter: no branch for it.
            return builder.cttz(arguments[0], llvm.Constant(llvm.IntType(1), 1))

        # The type of the argument stays: a signed result of an unsigned number would make Numba go on in decimals.
        kind = types.int64 if number.signed else types.uint64
        return kind(kind), code

    return intrinsic(typed)


def _prefetch_instruction() -> Any:
    """The instruction of the processor that brings a place of an array near."""

    def typed(typing_context: Any, row: Any, place: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = make_array(row)(context, builder, arguments[0])
            byte, number = llvm.IntType(8).as_pointer(), llvm.IntType(32)
            # `llvm.prefetch`: the address; 0 to read; 3 to keep it near; 1 for data, not instructions.
            kind = llvm.FunctionType(llvm.VoidType(), [byte, number, number, number])
            instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            where = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
            builder.call(instruction, [where, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(row, place), code

    return intrinsic(typed)


_INSTRUCTIONS: Final[dict[Any, Any]] = {
    rows.count_bits: _bit_instruction("ctpop"),
    rows.lowest_bit: _bit_instruction("cttz"),
    rows.fetch: _prefetch_instruction(),
}
"""What there is an instruction of the processor for."""


def compiled(function: Callable[..., Any], core: ModuleType) -> Callable[..., Any]:
    """A function that calls this core, compiled, or loaded from where it was kept.

    It takes what its annotations say, rows as arrays (`engine.rows.arrays`); `table` and `hidden` are the core's
    `Table` and `Hidden`. No function makes a row, or keeps one.
    """
    # One thread at a time compiles: `config.CACHE_DIR` in `_compile` is Numba's only one.
    with _LOCK:
        if (function, core) not in _LOADED:
            _LOADED[function, core] = _compile(function, core)
    return _LOADED[function, core]


def is_loaded(function: Callable[..., Any], core: ModuleType) -> bool:
    """Whether a function is compiled for this core here and now."""
    return (function, core) in _LOADED


def _compile(function: Callable[..., Any], core: ModuleType) -> Callable[..., Any]:

    def finish(made: FunctionType, original: FunctionType) -> Any:
        if original in _INSTRUCTIONS:
            return _INSTRUCTIONS[original]
        is_entry = original is function
        # "numpy": a division by 0 gives what numpy gives. Python's own would need an exception, and a branch at each
        # `//`.
        dispatcher = numba.njit(
            made,
            cache=is_entry and not why_not_saved(),  # what it calls is kept with it
            nogil=True,
            error_model="numpy",
            forceinline=not (is_entry or original.__dict__.get("not_inlined")),
            pipeline_class=_Compiler,
            _nrt=False,  # nobody counts who has an array, which takes longer than a move
        )
        template = dispatcher.get_call_template
        # Numba compiles a function once more for each constant that it is called with, which plays no faster.
        dispatcher.get_call_template = lambda arguments, named: template(tuple(map(types.unliteral, arguments)), named)
        return dispatcher

    before = config.CACHE_DIR
    config.CACHE_DIR = str(_folder(function, core))  # another program's functions are kept where they were
    try:
        made = Binding(core, finish, _resolve).of(function)
    finally:
        config.CACHE_DIR = before
    made.compile(_parameters(function, core))
    made.disable_compile()  # for other kinds of rows that would be done when somebody waits
    loaded: Callable[..., Any] = made
    return loaded


def _parameters(function: Callable[..., Any], core: ModuleType) -> tuple[Any, ...]:
    """What Numba calls the types of the parameters of a function."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    of_core = {"table": "Table", "hidden": "Hidden"}
    return tuple([_type(getattr(core, of_core[name]) if name in of_core else hint) for name, hint in hints.items()])


def _type(hint: Any) -> Any:
    if hint in (int, float):
        return types.int64 if hint is int else types.float64
    if kind := dtype_of(hint):
        return types.Array(getattr(types, kind), 1, "C")
    # A `NamedTuple` is a tuple of its fields for Numba, and keeps its class, which has their names.
    return types.BaseTuple.from_types([_type(one) for one in get_type_hints(hint, include_extras=True).values()], hint)


def is_saved(function: Callable[..., Any], core: ModuleType) -> bool:
    """Whether a function was compiled for this core before."""
    # `.nbi` is Numba's index of what it keeps of a function; the machine code itself lies beside it.
    return not why_not_saved() and any(_folder(function, core).rglob(f"*.{function.__name__}-*.nbi"))


@cache
def _folder(function: Any, core: ModuleType) -> Path:
    """Where a function is kept: for what it and all it calls do, and for the numbers that they know, a folder.

    Numba looks at the file of the function alone, which is the same for all games.
    """
    # The source of this module also decides how all of it is compiled.
    seen = hashlib.sha256(Path(__file__).read_bytes())
    for one in _callees(function, core):
        # Bytecode and not source: a comment or a longer line does not make anybody compile again.
        for part in _code_parts(one.__code__, one.__globals__):
            seen.update(part.encode())
    return cache_folder() / seen.hexdigest()[:16]


def _resolve(function: FunctionType, core: ModuleType) -> FunctionType:
    one = in_core(function, core)
    twin: FunctionType = one.__dict__.get("twin", one)
    return twin


def _callees(function: FunctionType, core: ModuleType) -> list[FunctionType]:
    found = {_resolve(function, core): None}
    # Everything that is called, and what that calls, each once.
    left = list(found)
    while left:
        for _, other in calls(left.pop()):
            one = _resolve(other, core)
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


@register_pass(mutates_CFG=False, analysis_only=False)
class _NoNegativeIndices(FunctionPass):  # type: ignore[misc]
    """Numba looks at every index whether it is negative, and counts from the end then; that takes a fifth of the time.

    No core uses negative indices. An unsigned one is not looked at.
    """

    _name = "no_negative_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Makes the indices of rows unsigned."""
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                # To write into a row is a statement of its own; to read from one is the value of an assignment.
                one = statement.value if isinstance(statement, ir.Assign) else statement
                if isinstance(one, ir.SetItem) or (isinstance(one, ir.Expr) and one.op == "getitem"):
                    # Taken out and put in again, since this dictionary refuses to change what it has.
                    signature = state.calltypes.pop(one)
                    row, index, *value = signature.args
                    if isinstance(row, types.Array) and index == types.intp:
                        signature = signature.replace(args=(row, types.uintp, *value))
                    state.calltypes[one] = signature
        return True


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's own way to compile, and the pass above."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_NoNegativeIndices, NopythonTypeInference)
        passes.finalize()
        return [passes]
