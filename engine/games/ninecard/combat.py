"""What happens when creatures meet in a column of the ninecard game, and how they slide forward; no turns, no players.

A column is seen from its front, the row nearest the enemy. A grid holds its cells in the order of `BOARD.cells`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.board import Board
from engine.games.ninecard.cards import Creature

BOARD: Final = Board(3)
COLUMNS: Final = "abc"

Grid = tuple[Creature | None, ...]
"""A player's own nine cells, in the order of `BOARD.cells`: row 1, the front, comes first."""

EMPTY_GRID: Final[Grid] = (None,) * len(BOARD.cells)


@dataclass(frozen=True, slots=True)
class Clash:
    """What one attack did: whether the attacker lives, which defenders fell, and what is taken from the target's life.

    `fallen` are places in the column of living defenders, counted from 0 at its front; `breach` is in points of life.
    """

    attacker_lives: bool
    fallen: tuple[int, ...]
    breach: int


def clash(attacker: Creature, defenders: Sequence[Creature]) -> Clash:
    """One attack on a column of living defenders, front to back.

    >>> clash(Creature("Drake", 7, 5), [Creature("Scout", 2, 3), Creature("Guard", 3, 2)])
    Clash(attacker_lives=False, fallen=(0, 1), breach=0)
    """
    attack, damage = attacker.attack, 0
    fallen = []
    for place, defender in enumerate(defenders):
        damage += defender.attack
        if attack >= defender.defense:
            fallen.append(place)
        lives = damage < attacker.defense
        if not lives or attack <= defender.defense:
            return Clash(lives, tuple(fallen), 0)
        attack -= defender.defense
    return Clash(True, tuple(fallen), attack)


def column_cells(column: int) -> range:
    """The places in a grid of a column's cells, front to back."""
    return range(column, len(BOARD.cells), BOARD.size)


def column_of(grid: Grid, column: int) -> list[Creature]:
    """The creatures in a column, front to back, whatever cells are empty between them."""
    return [creature for creature in grid[column :: BOARD.size] if creature is not None]


def possible_attackers(grid: Grid, last: int | None) -> list[int]:
    """The cells, as places in the grid, that may attack next: `last` is the one that attacked before.

    In a column the front-most creature may attack, then the next behind it; a later column passes the earlier ones.
    A creature with attack 0 cannot, and nobody behind it can either.
    """
    column, behind = (0, -1) if last is None else (last % BOARD.size, last)
    found = []
    for later in range(column, BOARD.size):
        for cell in column_cells(later):
            creature = grid[cell]
            if creature is None or (later == column and cell <= behind):
                continue
            if creature.attack > 0:
                found.append(cell)
            break
    return found


def landing(grid: Grid, column: int) -> int | None:
    """The cell, as a place in the grid, to which a creature slides that is played into a column; nothing if it is full.

    It enters at the rear and slides forward while the next cell is empty.
    """
    free = None
    for cell in reversed(column_cells(column)):
        if grid[cell] is not None:
            break
        free = cell
    return free


def slide(grid: Grid) -> Grid:
    """The grid after every creature has moved as far forward in its column as it can."""
    columns = [column_of(grid, column) for column in range(BOARD.size)]
    return tuple(column[row] if row < len(column) else None for row in range(BOARD.size) for column in columns)


def put(grid: Grid, cards: Mapping[int, Creature | None]) -> Grid:
    """The grid with these creatures, or none, on these cells, given as places in it."""
    return tuple([cards.get(cell, creature) for cell, creature in enumerate(grid)])
