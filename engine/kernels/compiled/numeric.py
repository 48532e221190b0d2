"""Rows of numbers as arrays, and functions on them that run as they stand and compiled."""

from collections.abc import Sequence
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np
from numba.extending import register_jitable

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


@cache
def compile_with(module: ModuleType) -> None:
    """Lets what is compiled call the functions of a module."""
    for function in vars(module).values():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            register_jitable(function)
