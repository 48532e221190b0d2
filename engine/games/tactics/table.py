"""The tactics game's table: its cells, what they are worth, and how the cards lie that each seat plays."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.board import AROUND_THE_TABLE, Board
from engine.games.four_sides.cards import SIDES, Numbers


class Seating(NamedTuple):
    """What follows from the number of players; sides of cards and of cells are numbered as in `SIDES`.

    Attributes:
        board: the cells.
        places: a cell's place in `board.cells`.
        neighbours: for each cell the place of the neighbour at its top, right, bottom and left, or -1.
        values: the points for holding each cell.
        turns: for each seat how many quarter turns clockwise its cards lie.
    """

    board: Board
    places: Mapping[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    turns: tuple[int, ...]


def _table(players: int, size: int) -> Seating:
    board = Board(size)
    places = {cell: place for place, cell in enumerate(board.cells)}
    neighbours = tuple(
        tuple(places.get(board.neighbour(cell, side) or "", -1) for side in SIDES) for cell in board.cells
    )
    values = tuple(3 - row.count(-1) for row in neighbours)
    turns = tuple(AROUND_THE_TABLE[4].index(side) for side in AROUND_THE_TABLE[players])
    return Seating(board, places, neighbours, values, turns)


TABLES: Final[Mapping[int, Seating]] = {2: _table(2, 3), 4: _table(4, 4)}
"""The board by the number of players; a corner, with two sides on the rim, is worth 1, a side cell 2, a centre 3."""


def turned(numbers: Numbers, turns: int) -> Numbers:
    """The numbers at the top, right, bottom and left of the table, of a card turned so many quarters clockwise."""
    top, right, bottom, left = (*numbers[4 - turns :], *numbers[: 4 - turns])
    return top, right, bottom, left
