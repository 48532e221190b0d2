"""Rows as arrays, for functions that are compiled."""

from functools import cache
from typing import Any, Final, get_args, get_type_hints

import numpy as np

from ccgrid.engine.dice import FIRST, SECOND, SEED_BITS, STEP, mixed

_LINE: Final = 64
"""So many bytes a line of memory has."""


_LAST: Final[list[tuple[Any, Any]]] = [(None, None)]


def ints(row: Any) -> Any:
    """A row of whole numbers as an array."""
    return np.array(row, np.int64)


def floats(row: Any) -> Any:
    """A row of decimal numbers as an array."""
    return np.array(row, np.float64)


def more(row: Any, count: int) -> Any:
    """A row with so many zeros behind it."""
    return np.concatenate((row, np.zeros(count, row.dtype)))


def zeros(count: int, kind: str = "int64") -> Any:
    """A row of so many zeros as an array, which begins where a line of memory does."""
    row = np.zeros(count * np.dtype(kind).itemsize + _LINE, np.uint8)
    begin = -row.ctypes.data % _LINE
    return row[begin : begin + len(row) - _LINE].view(kind)


def fork_seeds(seed: int, numbers: range) -> Any:
    """The seeds of `Dice(seed).fork(number)` for numbers that follow one another."""
    z = np.arange(numbers.start, numbers.stop, dtype=np.uint64) * np.uint64(STEP) + np.uint64(mixed(seed))
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
    before, made = _LAST[0]
    if before is not table:
        made = arrays(table)
        _LAST[0] = table, made
    return made


def kind_of(hint: Any) -> str | None:
    """What the numbers of a row are stored as, by its annotation; nothing where that is no row."""
    row, *kind = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    if row == list[float]:
        return "float64"
    return (kind[0] if kind else "int64") if row == list[int] else None


@cache
def _kinds_in(bundle: Any) -> list[str | None]:
    return [kind_of(hint) for hint in get_type_hints(bundle, include_extras=True).values()]
