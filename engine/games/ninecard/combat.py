"""What happens when creatures meet in a column of the ninecard game, and how they slide forward; no turns, no players.

A column is seen from its front, the row nearest the enemy. A grid holds its cells in the order of `BOARD.cells`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import combinations
from operator import attrgetter
from typing import Any, Final, TypeVar

from ccgrid.engine.board import Board
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.games.ninecard.cards import GAP, HIDDEN, BattleCard, Creature, Energy, HiddenCard, known_cards

BOARD: Final = Board(3)
COLUMNS: Final = "abc"

NEIGHBOURS: Final = tuple(
    (a, b)
    for a, b in combinations(sorted(BOARD.cells), 2)
    if BOARD.zone_towards(a, b) in ("top", "right", "bottom", "left")
)
"""Every two cells between which creatures move and swap, the first in alphabetical order first."""

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
    # `damage` adds up what all defenders met deal out; `attack` is what is left of the attacker's.
    attack, damage = attacker.attack, 0
    fallen = []
    for place, defender in enumerate(defenders):
        damage += defender.attack
        if attack >= defender.defense:
            fallen.append(place)
        lives = damage < attacker.defense
        # It goes on to the next defender only with more attack than the defense of this one.
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
    # Columns are passed from left to right, and in each creatures attack from the front.
    # Before the first attack nothing is behind: -1 is before every cell.
    column, behind = (0, -1) if last is None else (last % BOARD.size, last)
    found = []
    for later in range(column, BOARD.size):
        for cell in column_cells(later):
            creature = grid[cell]
            # Cells are numbered row by row, so within a column a later row has a higher number.
            if creature is None or (later == column and cell <= behind):
                continue
            if creature.attack > 0:
                found.append(cell)
            # Only the front-most one of each column; one with attack 0 holds up all behind it.
            break
    return found


def landing(grid: Grid, column: int) -> int | None:
    """The cell, as a place in the grid, to which a creature slides that is played into a column; nothing if it is full.

    It enters at the rear and slides forward while the next cell is empty.
    """
    # From the rear to the front, until somebody stands there.
    free = None
    for cell in reversed(column_cells(column)):
        if grid[cell] is not None:
            break
        free = cell
    return free


def slide(grid: Grid) -> Grid:
    """The grid after every creature has moved as far forward in its column as it can."""
    columns = [column_of(grid, column) for column in range(BOARD.size)]
    # Row after row across the columns: the order of `BOARD.cells`.
    return tuple(column[row] if row < len(column) else None for row in range(BOARD.size) for column in columns)


def with_creatures(grid: Grid, cards: Mapping[int, Creature | None]) -> Grid:
    """The grid with these creatures, or none, on these cells, given as places in it."""
    return tuple([cards.get(cell, creature) for cell, creature in enumerate(grid)])


Value = TypeVar("Value")


def fast_replace(value: Value, **changes: Any) -> Value:
    """The same dataclass with other values in these fields: `dataclasses.replace` in less than half its time.

    Raises:
        KeyError: there is no such field.

    >>> from ccgrid.engine.games.ninecard.cards import Creature
    >>> fast_replace(Creature("Drake", 7, 5), defense=6)
    Creature(name='Drake', attack=7, defense=6)
    """
    kind: Any = type(value)
    read, places = _fields(kind)
    # `attrgetter` reads all fields in one call; `dataclasses.replace` looks at each of them.
    values = list(read(value))
    for name, new in changes.items():
        values[places[name]] = new
    made: Value = kind(*values)
    return made


@cache
def _fields(kind: Any) -> tuple[Any, dict[str, int]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Side:
    """What is one player's: life in points, and the cards where they are, the deck top first.

    `energy` are the cards laid face up as energy, `facedown` the creatures laid face down as energy.
    """

    life: int
    deck: tuple[BattleCard, ...] = field(repr=False, hash=False)
    hand: tuple[BattleCard, ...] = ()
    energy: tuple[BattleCard, ...] = ()
    facedown: tuple[BattleCard, ...] = ()
    grid: Grid = EMPTY_GRID
    discard: tuple[BattleCard, ...] = ()
    is_out: bool = False

    @property
    def all_energy(self) -> int:
        """How many cards are in the energy zone, ready or spent."""
        return len(self.energy) + len(self.facedown)

    def draw(self, count: int) -> "Side":
        """The same with `count` cards drawn, or as many as the deck has.

        Raises:
            UnknownCardError: one of them is hidden.
        """
        if count <= 0 or not self.deck:
            return self
        # Slices go on where the deck is too short: as many as there are.
        cards = self.deck[:count]
        if HIDDEN in cards:
            raise UnknownCardError("this move draws a card that is hidden")
        return fast_replace(self, deck=self.deck[count:], hand=self.hand + cards)

    def in_deck(self) -> tuple[Energy | Creature, ...]:
        """The cards of the deck that are known, top first."""
        return known_cards(self.deck)

    def visible(self, *, own: bool) -> tuple[Energy | Creature, ...]:
        """The cards of this side that its owner sees, or that the others do."""
        lying = (*self.energy, *self.discard, *(creature for creature in self.grid if creature is not None))
        in_hand = (*self.hand, *self.facedown) if own else ()
        return known_cards((*in_hand, *lying))

    def with_cards(self, cards: Mapping[str, BattleCard], owner: int) -> "Side":
        """The same with these cards at unseen places such as `deck:0:5`, where `owner` is the seat in their names."""
        hand, facedown, deck = (
            tuple(cards.get(f"{zone}:{owner}:{number}", card) for number, card in enumerate(lying))
            for zone, lying in (("hand", self.hand), ("facedown", self.facedown), ("deck", self.deck))
        )
        return fast_replace(self, hand=hand, facedown=facedown, deck=deck)

    def masked(self, *, own: bool) -> "Side":
        """The same as its owner sees it, who does not see the deck, or as the others do."""
        deck = (HIDDEN,) * len(self.deck)
        if own:
            return fast_replace(self, deck=deck)
        hand, facedown = (HIDDEN,) * len(self.hand), (HIDDEN,) * len(self.facedown)
        return fast_replace(self, deck=deck, hand=hand, facedown=facedown)

    def without_creatures(self, cells: Sequence[int]) -> "Side":
        """The same with the creatures of these cells, as places in the grid, discarded."""
        fallen = tuple([creature for cell in cells if (creature := self.grid[cell]) is not None])
        return fast_replace(self, grid=with_creatures(self.grid, dict.fromkeys(cells)), discard=self.discard + fallen)

    def without_gap(self) -> "Side":
        """The same without the first card in hand that nobody knows; `ValueError` where there is none."""
        # `GAP`, not `HIDDEN`: what one seat may not see is known to the one that holds it.
        place = self.hand.index(GAP)
        return fast_replace(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))

    def without_in_hand(self, name: str) -> tuple[Energy | Creature, "Side"]:
        """The card of this name in hand, and the same without it; `ValueError` where there is none."""
        for place, card in enumerate(self.hand):
            if not isinstance(card, HiddenCard) and card.name == name:
                return card, fast_replace(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))
        raise ValueError(f"not in hand: {name}")
