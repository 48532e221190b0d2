"""Rows as arrays, for functions that are compiled."""

from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np


def ints(row: Any) -> Any:
    """A row of whole numbers as an array."""
    return np.array(row, np.int64)


def floats(row: Any) -> Any:
    """A row of decimal numbers as an array."""
    return np.array(row, np.float64)


def more(row: Any, count: int) -> Any:
    """A row with so many zeros behind it."""
    return np.concatenate((row, np.zeros(count, row.dtype)))


def arrays(bundle: Any) -> Any:
    """A bundle of rows (a `NamedTuple`) with its rows as arrays, as many bits to a number as its class says."""
    made: Any = type(bundle)
    kinds = zip(bundle, _kinds_in(made), strict=True)
    return made(*[one if kind is None else np.array(one, kind) for one, kind in kinds])


def kind_of(hint: Any) -> str | None:
    """What the numbers of a row are stored as, by its annotation; nothing where that is no row."""
    row, *kind = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
    if row == list[float]:
        return "float64"
    return (kind[0] if kind else "int64") if row == list[int] else None


@cache
def _kinds_in(bundle: Any) -> list[str | None]:
    return [kind_of(hint) for hint in get_type_hints(bundle, include_extras=True).values()]
