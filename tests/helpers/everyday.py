"""Selection of test cases: a few for `pytest`, more for `.ci/run`, and all for the weekly search."""

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def part_of(values: Sequence[T], place: int, parts: int) -> list[T]:
    """Return one of `parts` parts of many values, such as all cards; with CCGRID_EVERY_CASE all of them.

    Tests of several formats try each format with another part.
    """
    return list(values if os.environ.get("CCGRID_EVERY_CASE") else values[place % parts :: parts])


def sampled(values: Iterable[T], *sample: T) -> list[T]:
    """Return the sample, which `.ci/run` tries, or all values with CCGRID_EVERY_CASE, as in the weekly search."""
    return list(values if os.environ.get("CCGRID_EVERY_CASE") else sample)


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
