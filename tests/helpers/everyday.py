"""The part of a table of cases that `pytest` tries every day; the whole table is tried with `-m ''`."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow_except(values: Iterable[Any], *everyday: Any) -> list[Any]:
    """Return values for `parametrize`, with all but the everyday ones marked as slow; a tuple has several arguments."""
    return [value if value in everyday else _slow(value) for value in values]


def one_in(step: int, values: Iterable[Any]) -> list[Any]:
    """Return values for `parametrize`, with all but every `step`-th marked as slow."""
    return [_slow(value) if place % step else value for place, value in enumerate(values)]


def _slow(value: Any) -> Any:
    if isinstance(value, type(pytest.param())):
        return value._replace(marks=(*value.marks, pytest.mark.slow))
    return pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.slow)
