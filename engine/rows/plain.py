"""Functions bound to a core in plain Python, with lists as rows: the counterpart of `compiling`, by the same names."""

from typing import TypeVar

from ccgrid.engine.dice import fork_seeds
from ccgrid.engine.rows.binding import bound as compiled
from ccgrid.engine.rows.row import Row

__all__ = ["arrays", "compiled", "floats", "fork_seeds", "ints", "more", "table_arrays", "zeros"]

Bundle = TypeVar("Bundle")

ints = floats = list


def more(row: Row, count: int) -> Row:
    """Return a row extended by `count` zeros."""
    return row + [0] * count


def zeros(count: int, kind: str = "int64") -> Row:
    """Return a row of `count` zeros."""
    return [0] * count


def arrays(bundle: Bundle) -> Bundle:
    """Return the bundle: its rows stay lists."""
    return bundle


table_arrays = arrays
