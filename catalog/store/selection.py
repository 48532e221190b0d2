"""Selections of cards: conditions on rows of the table `cards`, and their order."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

Sql = tuple[str, list[Any]]
"""A condition, and the values of its question marks."""


class Selection(NamedTuple):
    """Which rows of `cards AS c` are meant: a condition, the values of its question marks, and the order."""

    test: str
    values: list[Any]
    order: str = "c.id"


ALL_CARDS: Final = Selection("1", [])
"""Every card."""


def where_clause(games: Sequence[str], only: Selection, *, legal: bool) -> Sql:
    """The `WHERE` of cards of these games, or of all, for which a condition is so, or legal ones of these alone."""
    tests = ["legal = 1"] if legal else []
    if games:
        tests.append(f"game IN ({','.join('?' * len(games))})")
    if only != ALL_CARDS:
        tests.append(only.test)
    return f"WHERE {' AND '.join(tests)}" if tests else "", [*games, *only.values]
