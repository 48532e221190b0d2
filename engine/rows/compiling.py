"""Compilation of functions bound to a core: the only module that needs Numba. `saved_code` finds the folder for it."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from types import FunctionType, ModuleType
from typing import Any, Final, cast, get_args, get_type_hints

import numba
import numpy as np
from llvmlite import ir as llvm
from numba.core import config, ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.extending import intrinsic

from ccgrid.engine.dice import FIRST, SECOND, SEED_BITS, STEP, mix
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows import row as rows
from ccgrid.engine.rows import saved_code, solving
from ccgrid.engine.rows.binding import Binding, Function

# A list with one entry, so that it is replaced without `global`: the last argument and result of `table_arrays`.
_LAST_TABLE: Final[list[tuple[Any, Any]]] = [(None, None)]


def ints(row: Any) -> Any:
    """Return a row of integers as an array."""
    return np.array(row, np.int64)


def floats(row: Any) -> Any:
    """Return a row of floats as an array."""
    return np.array(row, np.float64)


def more(row: Any, count: int) -> Any:
    """Return a row extended by `count` zeros."""
    return np.concatenate((row, np.zeros(count, row.dtype)))


def zeros(count: int, kind: str = "int64") -> Any:
    """Return a row of `count` zeros as an array."""
    return np.zeros(count, kind)


def fork_seeds(seed: int, numbers: range) -> Any:
    """Return the seeds of `Dice(seed).fork(number)` for consecutive numbers."""
    # Vectorised `engine.dice.mix`: NumPy's unsigned integers wrap around at 64 bits, like the mask `ALL`.
    z = np.arange(numbers.start, numbers.stop, dtype=np.uint64) * np.uint64(STEP) + np.uint64(mix(seed))
    z = (z ^ z >> np.uint64(30)) * np.uint64(FIRST)
    z = (z ^ z >> np.uint64(27)) * np.uint64(SECOND)
    return (z ^ z >> np.uint64(31)) >> np.uint64(64 - SEED_BITS)


def arrays(bundle: Any) -> Any:
    """Convert the rows of a bundle (a `NamedTuple`) to arrays, with the widths in the annotations of its class."""
    made: Any = type(bundle)
    kinds = zip(bundle, _kinds_in(made), strict=True)
    return made(*[one if kind is None else np.asarray(one, kind) for one, kind in kinds])


def table_arrays(table: Any) -> Any:
    """Convert a core's table like `arrays`; the last result is cached, because a search may take less time."""
    before, made = _LAST_TABLE[0]
    # Compared by identity: comparing rows would take longer than converting them.
    if before is not table:
        made = arrays(table)
        _LAST_TABLE[0] = table, made
    return made


def array_dtype(hint: Any) -> str | None:
    """Return the array type of a row by its annotation, or None if it is not a row."""
    # `Row32` is `Annotated[list[int], "int32"]`; a plain `list[int]` has no metadata.
    row, *kind = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    if row == list[float]:
        return "float64"
    return (kind[0] if kind else "int64") if row == list[int] else None


@cache
def _kinds_in(bundle: Any) -> list[str | None]:
    return [array_dtype(hint) for hint in get_type_hints(bundle, include_extras=True).values()]


_CORE_TYPES: Final = (contract.Table, contract.Hidden, solving.Proofs, solving.Notes)
"""The classes in place of which a core's class of the same name is used."""

_LOCK: Final = Lock()
_LOADED: Final[dict[tuple[Callable[..., object], ModuleType], Callable[..., object]]] = {}


def _bit_instruction(name: str) -> Any:
    """Return a function of one 64-bit integer that compiles to an instruction and returns the same type."""

    def typed(typing_context: Any, number: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            # The constant 1 makes the result for 0 undefined, which avoids a branch.
            return builder.cttz(arguments[0], llvm.Constant(llvm.IntType(1), 1))

        # Keep the signedness: mixing signed and unsigned integers makes Numba convert to floats.
        kind = types.int64 if number.signed else types.uint64
        return kind(kind), code

    return intrinsic(typed)


_INSTRUCTIONS: Final[dict[Any, Any]] = {
    rows.count_bits: _bit_instruction("ctpop"),
    rows.lowest_bit: _bit_instruction("cttz"),
}
"""Functions that compile to single instructions."""


def compiled(function: Function, core: ModuleType) -> Function:
    """Return a function bound to this core, compiled, or loaded from the on-disk cache.

    Its argument types follow the annotations, with rows as arrays (`engine.rows.arrays`); `table` and `hidden` are the
    core's `Table` and `Hidden`. No function creates a row or keeps a reference to one.
    """
    # One thread at a time: `_compile` changes Numba's global `config.CACHE_DIR`.
    with _LOCK:
        if (function, core) not in _LOADED:
            _LOADED[function, core] = _compile(function, core)
    return cast("Function", _LOADED[function, core])


def is_loaded(function: Callable[..., object], core: ModuleType) -> bool:
    """Return whether a function has been compiled for this core in this process."""
    return (function, core) in _LOADED


def _compile(function: Callable[..., object], core: ModuleType) -> Callable[..., object]:

    def finish(made: FunctionType, original: FunctionType) -> Any:
        if original in _INSTRUCTIONS:
            return _INSTRUCTIONS[original]
        is_entry = original is function
        # "numpy": division by 0 as in NumPy; Python's exception would need a branch at each `//`.
        dispatcher = numba.njit(
            made,
            cache=is_entry and not saved_code.unsaved_reason(),  # the functions that it calls are saved with it
            nogil=True,
            error_model="numpy",
            forceinline=not (is_entry or original.__dict__.get("not_inlined")),
            pipeline_class=_Compiler,
            _nrt=False,  # no reference counting, which takes longer than a move
        )
        template = dispatcher.get_call_template
        # Numba would compile a function separately for each constant argument, without any speed-up.
        dispatcher.get_call_template = lambda arguments, named: template(tuple(map(types.unliteral, arguments)), named)
        return dispatcher

    before = config.CACHE_DIR
    config.CACHE_DIR = str(saved_code.code_folder(function, core))  # functions of other programs keep their folder
    try:
        made: Any = Binding(core, finish, saved_code.resolve).of(function)
    finally:
        config.CACHE_DIR = before
    made.compile(_parameters(function, core))
    made.disable_compile()  # otherwise other argument types would be compiled in the middle of a game
    loaded: Callable[..., object] = made
    return loaded


def _parameters(function: Callable[..., object], core: ModuleType) -> tuple[Any, ...]:
    """Return Numba's types of the parameters of a function."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    own = {hint: getattr(core, hint.__name__, hint) for hint in _CORE_TYPES}
    return tuple([_type(own.get(hint, hint)) for hint in hints.values()])


def _type(hint: Any) -> Any:
    if hint in (int, float):
        return types.int64 if hint is int else types.float64
    if kind := array_dtype(hint):
        return types.Array(getattr(types, kind), 1, "C")
    # For Numba, a `NamedTuple` is a tuple of its fields together with its class, which has their names.
    return types.BaseTuple.from_types([_type(one) for one in get_type_hints(hint, include_extras=True).values()], hint)


@register_pass(mutates_CFG=False, analysis_only=False)
class _NoNegativeIndices(FunctionPass):  # type: ignore[misc]
    """Makes indices unsigned.

    Numba checks whether each signed index is negative, which would count from the end; that takes a fifth of the time.
    No core uses negative indices.
    """

    _name = "no_negative_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Make the indices of rows unsigned."""
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                # Writing an element is a statement; reading one is the value of an assignment.
                one = statement.value if isinstance(statement, ir.Assign) else statement
                if isinstance(one, ir.SetItem) or (isinstance(one, ir.Expr) and one.op == "getitem"):
                    # Removed and inserted, because this dictionary rejects changes of existing entries.
                    signature = state.calltypes.pop(one)
                    row, index, *value = signature.args
                    if isinstance(row, types.Array) and index == types.intp:
                        signature = signature.replace(args=(row, types.uintp, *value))
                    state.calltypes[one] = signature
        return True


class _Compiler(CompilerBase):  # type: ignore[misc]
    """Numba's default compiler with the pass above."""

    def define_pipelines(self) -> list[Any]:
        """Return the pipeline with the additional pass."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_NoNegativeIndices, NopythonTypeInference)
        passes.finalize()
        return [passes]
