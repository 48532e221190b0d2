"""Functions of `engine.numeric` compiled: the same functions, for arrays."""

from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np
from numba.extending import overload, register_jitable

from engine.kernels.compiled import throwing
from engine.kernels.compiled.compiler import compiled
from engine.numeric import throwing as plain_throwing

INTS: Final = "int64[::1]"
FLOATS: Final = "float64[::1]"
DICE: Final = "uint64[::1]"


def ints(numbers: Sequence[Any]) -> Any:
    """A row of whole numbers, or rows of them."""
    return np.array(numbers, np.int64)


def places(numbers: Sequence[int]) -> Any:
    """A row of whole numbers from 0."""
    return np.array(numbers, np.uint64)


def counts(numbers: Sequence[Any]) -> Any:
    """A row of small whole numbers from 0, or rows of them."""
    return np.array(numbers, np.uint8)


def floats(numbers: Sequence[float]) -> Any:
    """A row of decimal numbers."""
    return np.array(numbers, np.float64)


def more(row: Any, count: int) -> Any:
    """A row with so many zeros behind it."""
    return np.concatenate((row, np.zeros(count, row.dtype)))


def dice(seed: int) -> Any:
    """The row of dice with a seed."""
    return np.array([0, seed], np.uint64)


def _below(dice: Any, sides: Any) -> Callable[..., Any]:
    def thrown(dice: Any, sides: Any) -> Any:
        state, number = throwing.below(dice[0], np.uint64(sides))
        dice[0] = state
        return np.int64(number)

    return thrown


def _fork(dice: Any, number: Any) -> Callable[..., Any]:
    def forked(dice: Any, number: Any) -> None:
        dice[0] = throwing.fork_seed(dice[1], np.uint64(number))

    return forked


@cache
def compile_with(module: ModuleType) -> None:
    """Lets what is compiled call the functions of a module."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__ and function not in _OWN:
            register_jitable(function)


_OWN: Final = {plain_throwing.below: _below, plain_throwing.fork: _fork}
for _plain, _compiled in _OWN.items():
    overload(_plain)(_compiled)


def numeric(function: Callable[..., Any], signature: str, *modules: ModuleType) -> Callable[..., Any]:
    """A function compiled for arrays; `modules` are those whose functions it calls, and which these call."""
    for module in (plain_throwing, *modules):
        compile_with(module)
    return compiled(signature)(function)
