"""How functions that are bound to a core are compiled; the one module that needs Numba (`saved_code` says where)."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, Final, get_args, get_type_hints

import numba
import numpy as np
from llvmlite import ir as llvm
from numba.core import cgutils, config, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from ccgrid.engine.dice import FIRST, SECOND, SEED_BITS, STEP, mix
from ccgrid.engine.rows import row as rows
from ccgrid.engine.rows import saved_code
from ccgrid.engine.rows.binding import Binding

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
            cache=is_entry and not saved_code.why_not_saved(),  # what it calls is kept with it
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
    config.CACHE_DIR = str(saved_code.folder_of(function, core))  # another program's functions are kept where they were
    try:
        made = Binding(core, finish, saved_code.resolve).of(function)
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
