"""Combat in a column of the ninecard game, and the forward movement of creatures; without turns or players.

A column begins at its front, the row nearest to the enemy. A grid has its cells in the order of `BOARD.cells`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
"""Every two cells between which creatures move and swap, in alphabetical order."""

Grid = tuple[Creature | None, ...]
"""A player's nine cells, in the order of `BOARD.cells`: row 1, the front, is first."""

EMPTY_GRID: Final[Grid] = (None,) * len(BOARD.cells)


@dataclass(frozen=True, slots=True)
class Clash:
    """The result of an attack: whether the attacker survives, the fallen defenders, and the loss of the target's life.

    `fallen` are indices among the living defenders of the column, from 0 at its front; `breach` is in points of life.
    """

    attacker_lives: bool
    fallen: tuple[int, ...]
    breach: int


def clash(attacker: Creature, defenders: Sequence[Creature]) -> Clash:
    """Return the result of an attack on a column of living defenders, front to back.

    >>> clash(Creature("Drake", 7, 5), [Creature("Scout", 2, 3), Creature("Guard", 3, 2)])
    Clash(attacker_lives=False, fallen=(0, 1), breach=0)
    """
    # `damage` sums up the attacks of all defenders met; `attack` is the remaining attack of the attacker.
    attack, damage = attacker.attack, 0
    fallen = []
    for place, defender in enumerate(defenders):
        damage += defender.attack
        if attack >= defender.defense:
            fallen.append(place)
        lives = damage < attacker.defense
        # The attacker continues to the next defender only if its attack exceeds the defense of this one.
        if not lives or attack <= defender.defense:
            return Clash(lives, tuple(fallen), 0)
        attack -= defender.defense
    return Clash(True, tuple(fallen), attack)


def column_cells(column: int) -> range:
    """Return the indices of a column's cells, front to back."""
    return range(column, len(BOARD.cells), BOARD.size)


def column_of(grid: Grid, column: int) -> list[Creature]:
    """Return the creatures in a column, front to back, without the empty cells."""
    return [creature for creature in grid[column :: BOARD.size] if creature is not None]


def possible_attackers(grid: Grid, last: int | None) -> list[int]:
    """Return the cells, as indices, whose creatures may attack next; `last` is the cell of the previous attack.

    In a column the front-most creature may attack first, then the next one behind it; an attack in a later column ends
    the earlier ones. A creature with attack 0 cannot attack, and neither can those behind it.
    """
    # Columns attack from left to right, and creatures in a column from its front. Before the first attack `last` is -1,
    # which is before every cell.
    column, behind = (0, -1) if last is None else (last % BOARD.size, last)
    found = []
    for later in range(column, BOARD.size):
        for cell in column_cells(later):
            creature = grid[cell]
            # Cells are numbered row by row: in a column, a later row has a higher number.
            if creature is None or (later == column and cell <= behind):
                continue
            if creature.attack > 0:
                found.append(cell)
            # Only the front-most one of each column; one with attack 0 blocks all behind it.
            break
    return found


def landing(grid: Grid, column: int) -> int | None:
    """Return the cell, as an index, to which a creature slides that is played into a column, or None if it is full.

    It enters at the rear and slides forward while the next cell is empty.
    """
    # From the rear to the front, until a cell is occupied.
    free = None
    for cell in reversed(column_cells(column)):
        if grid[cell] is not None:
            break
        free = cell
    return free


def slide(grid: Grid) -> Grid:
    """Return the grid after every creature has moved forward in its column to the first free cell."""
    columns = [column_of(grid, column) for column in range(BOARD.size)]
    # Row by row across the columns: the order of `BOARD.cells`.
    return tuple(column[row] if row < len(column) else None for row in range(BOARD.size) for column in columns)


def with_creatures(grid: Grid, cards: Mapping[int, Creature | None]) -> Grid:
    """Return the grid with these creatures, or None, on these cells, given as indices."""
    return tuple([cards.get(cell, creature) for cell, creature in enumerate(grid)])


Value = TypeVar("Value")


def fast_replace(value: Value, **changes: object) -> Value:
    """Return a copy of a dataclass with other values in these fields, twice as fast as `dataclasses.replace`.

    Raises:
        KeyError: If there is no such field.

    >>> from ccgrid.engine.games.ninecard.cards import Creature
    >>> fast_replace(Creature("Drake", 7, 5), defense=6)
    Creature(name='Drake', attack=7, defense=6)
    """
    kind: Any = type(value)
    read, places = _fields(kind)
    # `attrgetter` reads all fields in one call; `dataclasses.replace` inspects each of them.
    values = list(read(value))
    for name, new in changes.items():
        values[places[name]] = new
    made: Value = kind(*values)
    return made


@cache
def _fields(kind: Any) -> tuple[Callable[[object], Iterable[object]], dict[str, int]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Side:
    """A player's side: the life in points, and the cards in each zone, the deck with its top first.

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
        """Return the number of cards in the energy zone, ready or spent."""
        return len(self.energy) + len(self.facedown)

    def draw(self, count: int) -> "Side":
        """Return the side after drawing `count` cards, or all remaining cards if there are fewer.

        Raises:
            UnknownCardError: If one of them is hidden.
        """
        if count <= 0 or not self.deck:
            return self
        # Slices end at the end of the deck.
        cards = self.deck[:count]
        if HIDDEN in cards:
            raise UnknownCardError("this move draws a card that is hidden")
        return fast_replace(self, deck=self.deck[count:], hand=self.hand + cards)

    def in_deck(self) -> tuple[Energy | Creature, ...]:
        """Return the known cards of the deck, top first."""
        return known_cards(self.deck)

    def visible(self, *, own: bool) -> tuple[Energy | Creature, ...]:
        """Return the cards of this side that its owner sees, or that the others see."""
        lying = (*self.energy, *self.discard, *(creature for creature in self.grid if creature is not None))
        in_hand = (*self.hand, *self.facedown) if own else ()
        return known_cards((*in_hand, *lying))

    def with_cards(self, cards: Mapping[str, BattleCard], owner: int) -> "Side":
        """Return the side with these cards at hidden positions such as `deck:0:5`, in which `owner` is the seat."""
        hand, facedown, deck = (
            tuple(cards.get(f"{zone}:{owner}:{number}", card) for number, card in enumerate(lying))
            for zone, lying in (("hand", self.hand), ("facedown", self.facedown), ("deck", self.deck))
        )
        return fast_replace(self, hand=hand, facedown=facedown, deck=deck)

    def masked(self, *, own: bool) -> "Side":
        """Return the side as its owner sees it, without the deck, or as the others see it."""
        deck = (HIDDEN,) * len(self.deck)
        if own:
            return fast_replace(self, deck=deck)
        hand, facedown = (HIDDEN,) * len(self.hand), (HIDDEN,) * len(self.facedown)
        return fast_replace(self, deck=deck, hand=hand, facedown=facedown)

    def without_creatures(self, cells: Sequence[int]) -> "Side":
        """Return the side with the creatures on these cells, given as indices, discarded."""
        fallen = tuple([creature for cell in cells if (creature := self.grid[cell]) is not None])
        return fast_replace(self, grid=with_creatures(self.grid, dict.fromkeys(cells)), discard=self.discard + fallen)

    def without_gap(self) -> "Side":
        """Return the side without the first unknown card in hand.

        Raises:
            ValueError: If there is none.
        """
        # `GAP` instead of `HIDDEN`: a card hidden from one seat is known to its holder.
        place = self.hand.index(GAP)
        return fast_replace(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))

    def without_in_hand(self, name: str) -> tuple[Energy | Creature, "Side"]:
        """Return the card of this name in hand, and the side without it.

        Raises:
            ValueError: If there is none.
        """
        for place, card in enumerate(self.hand):
            if not isinstance(card, HiddenCard) and card.name == name:
                return card, fast_replace(self, hand=(*self.hand[:place], *self.hand[place + 1 :]))
        raise ValueError(f"not in hand: {name}")
