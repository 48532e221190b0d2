"""Rows as arrays, for functions that are compiled."""

from functools import cache
from typing import Any, get_args, get_type_hints

import numpy as np


def array(row: Any, kind: str = "int64") -> Any:
    """A row of whole numbers as an array."""
    return np.array(row, kind)


def arrays(bundle: Any) -> Any:
    """A bundle of rows (a `NamedTuple`) with its rows as arrays, as many bits to a number as its class says."""
    kinds = _kinds(type(bundle))
    return type(bundle)(
        *(one if kind is None else np.array(one, kind) for one, kind in zip(bundle, kinds, strict=True))
    )


@cache
def _kinds(bundle: Any) -> list[str | None]:
    found: list[str | None] = []
    for hint in get_type_hints(bundle, include_extras=True).values():
        row, *kind = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        if row == list[float]:
            found.append("float64")
        else:
            found.append((kind[0] if kind else "int64") if row == list[int] else None)
    return found
