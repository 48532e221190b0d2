"""Rows in memory: copied part by part, and asked for before they are read."""

from engine.rows.binding import compiled_as
from engine.rows.row import Row


def _one_by_one(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    for place in range(count):
        into[at + place] = row[begin + place]


@compiled_as(_one_by_one)
def copy(into: Row, at: int, row: Row, begin: int, count: int) -> None:
    """Copies so many numbers of one row, from `begin` on, into another, to `at` and behind."""
    into[at : at + count] = row[begin : begin + count]


def fetch(row: Row, place: int) -> None:
    """Compiled, an instruction: this place will be read soon, and what else is done meanwhile need not wait for it."""
