"""Selections of cards: conditions on rows of the table `cards`, and their order."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.store.cells import SqlValue

Sql = tuple[str, list[SqlValue]]
"""An SQL condition, and the values of its parameters."""


class Selection(NamedTuple):
    """A selection of rows of `cards AS c`: a condition, the values of its parameters, and the order."""

    test: str
    values: list[SqlValue]
    order: str = "c.id"


ALL_CARDS: Final = Selection("1", [])
"""The selection of every card."""


def where_clause(games: Sequence[str], only: Selection, *, legal: bool) -> Sql:
    """Return the `WHERE` clause for the selected cards of these games, or of all, and its values."""
    tests = ["legal = 1"] if legal else []
    if games:
        tests.append(f"game IN ({','.join('?' * len(games))})")
    if only != ALL_CARDS:
        tests.append(only.test)
    return f"WHERE {' AND '.join(tests)}" if tests else "", [*games, *only.values]
