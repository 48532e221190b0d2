"""How functions that are bound to a core are compiled, and where what was compiled is kept."""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from threading import Lock
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, get_type_hints

import numba
from llvmlite import ir as llvm
from numba.core import cgutils, config, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ccgrid.engine.rows import row as rows
from ccgrid.engine.rows.arrays import kind_of
from ccgrid.engine.rows.binding import Binding, calls, in_core
from ccgrid.engine.rows.code_cache import cache_folder, why_not_kept

_LOCK: Final = Lock()
_LOADED: Final[dict[tuple[Callable[..., Any], ModuleType], Callable[..., Any]]] = {}


def _counted(name: str) -> Any:
    """A function of one 64-bit number that the processor has an instruction for; the result is of its type."""

    def typed(typing_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            return builder.cttz(arguments[0], llvm.Constant(llvm.IntType(1), 1))

        kind = types.int64 if number.signed else types.uint64
        return kind(kind), code

    return intrinsic(typed)


def _fetched() -> Any:
    """The instruction of the processor that brings a place of an array near."""

    def typed(typing_context: Any, row: Any, place: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = make_array(row)(context, builder, arguments[0])
            byte, number = llvm.IntType(8).as_pointer(), llvm.IntType(32)
            kind = llvm.FunctionType(llvm.VoidType(), [byte, number, number, number])
            instruction = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            where = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
            builder.call(instruction, [where, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(row, place), code

    return intrinsic(typed)


_INSTRUCTIONS: Final[dict[Any, Any]] = {
    rows.count_bits: _counted("ctpop"),
    rows.lowest_bit: _counted("cttz"),
    rows.fetch: _fetched(),
}
"""What there is an instruction of the processor for."""


def compiled(function: Callable[..., Any], core: ModuleType) -> Callable[..., Any]:
    """A function that calls this core, compiled, or loaded from where it was kept.

    It takes what its annotations say, rows as arrays (`engine.rows.arrays`); `table` and `hidden` are the core's
    `Table` and `Hidden`. No function makes a row, or keeps one.
    """
    with _LOCK:
        if (function, core) not in _LOADED:
            _LOADED[function, core] = _compiled(function, core)
    return _LOADED[function, core]


def is_loaded(function: Callable[..., Any], core: ModuleType) -> bool:
    """Whether a function is compiled for this core here and now."""
    return (function, core) in _LOADED


def _compiled(function: Callable[..., Any], core: ModuleType) -> Callable[..., Any]:

    def finish(made: FunctionType, original: FunctionType) -> Any:
        if original in _INSTRUCTIONS:
            return _INSTRUCTIONS[original]
        is_entry = original is function
        dispatcher = numba.njit(
            made,
            cache=is_entry and not why_not_kept(),  # what it calls is kept with it
            nogil=True,
            error_model="numpy",
            forceinline=not (is_entry or original.__dict__.get("is_called")),
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
        made = Binding(core, finish, _meant).of(function)
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
    if kind := kind_of(hint):
        return types.Array(getattr(types, kind), 1, "C")
    return types.BaseTuple.from_types([_type(one) for one in get_type_hints(hint, include_extras=True).values()], hint)


def is_kept(function: Callable[..., Any], core: ModuleType) -> bool:
    """Whether a function was compiled for this core before."""
    return not why_not_kept() and any(_folder(function, core).rglob(f"*.{function.__name__}-*.nbi"))


@cache
def _folder(function: Any, core: ModuleType) -> Path:
    """Where a function is kept: for what it and all it calls do, and for the numbers that they know, a folder.

    Numba looks at the file of the function alone, which is the same for all games.
    """
    seen = hashlib.sha256(Path(__file__).read_bytes())
    for one in _all_called(function, core):
        for part in _parts(one.__code__, one.__globals__):
            seen.update(part.encode())
    return cache_folder() / seen.hexdigest()[:16]


def _meant(function: FunctionType, core: ModuleType) -> FunctionType:
    one = in_core(function, core)
    twin: FunctionType = one.__dict__.get("twin", one)
    return twin


def _all_called(function: FunctionType, core: ModuleType) -> list[FunctionType]:
    found = {_meant(function, core): None}
    left = list(found)
    while left:
        for _, other in calls(left.pop()):
            one = _meant(other, core)
            if one not in found:
                found[one] = None
                left.append(one)
    return list(found)


def _parts(code: CodeType, names: dict[str, Any]) -> Iterator[str]:
    yield f"{code.co_name} {code.co_code!r} {code.co_names} {code.co_varnames}"
    for name in code.co_names:
        if isinstance(value := names.get(name), (int, float, tuple)):
            yield repr(value)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts(constant, names)
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
                one = statement.value if isinstance(statement, ir.Assign) else statement
                if isinstance(one, ir.SetItem) or (isinstance(one, ir.Expr) and one.op == "getitem"):
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
