"""Rules of the grid game: positions of nine cards face up, which capture neighbours by a higher facing number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from operator import gt, itemgetter
from typing import ClassVar, Final, Self

from ccgrid.catalog.card import HIGHEST, Card
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import CLOCKWISE, OPPOSITE
from ccgrid.engine.cards import sorted_by_name, without, zone_card_table
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.grid.moves import BOARD, DECK_SIZE, GRID_SIZE, MOVES, PAIRS
from ccgrid.engine.games.grid.options import USUAL, Options

EMPTY: Final = -1
"""The entry of `GridState.grid` for a cell without a card; other entries are indices in the deck."""

# -1 never captures, because no number is lower. 11 is never captured, because no number is higher.
_NO_NUMBERS: Final = (-1,) * len(ZONES)
_CANNOT_BE_TAKEN: Final = (HIGHEST + 1,) * len(ZONES)
_CELLS: Final = {move: (BOARD.cells.index(a), BOARD.cells.index(b)) for move, (a, b, _) in PAIRS.items()}
_zones = len(ZONES)
# The numbers of nine cards form a row of 72. These select for each move the moving number and the facing one, so that
# one `map` compares all moves (`GridState.legal_moves`).
_MOVING = itemgetter(*(_CELLS[move][0] * _zones + ZONES.index(PAIRS[move][2]) for move in MOVES))
_FACING = itemgetter(*(_CELLS[move][1] * _zones + ZONES.index(OPPOSITE[PAIRS[move][2]]) for move in MOVES))


QUARTERS: Final = 4
"""The number of quarter turns after which a card is upright again."""


def turned_zones(zones: Mapping[str, int], turns: int) -> dict[str, int]:
    """Return the numbers of a card by the zones at which they are after this many quarter turns clockwise.

    >>> turned_zones({"top-left": 3, "bottom": 5}, 1)
    {'top-right': 3, 'left': 5}
    """
    for _ in range(turns):
        zones = {CLOCKWISE[zone]: number for zone, number in zones.items()}
    return {zone: zones[zone] for zone in ZONES if zone in zones}


def _places_turned(turns: int) -> tuple[int, ...]:
    """Return, for each zone, the index in `ZONES` of the zone that is there after this many quarter turns."""
    numbers = turned_zones({zone: number for number, zone in enumerate(ZONES)}, turns)
    return tuple(numbers[zone] for zone in ZONES)


_TURNED: Final = tuple(map(_places_turned, range(QUARTERS)))

NumberRows = tuple[tuple[int, ...], ...]
"""For each card its numbers in the order of `ZONES`, followed by those of the empty cell."""


def number_rows(cards: Sequence[Card]) -> tuple[NumberRows, NumberRows]:
    """Return the numbers of cards for comparison: those with which they capture, and those that they defend with."""
    numbers = [_zone_numbers(tuple(card.zones.items())) for card in cards]
    # A card without a number in a zone has -1 in both rows: it captures nothing in that direction, and 0 captures it.
    return (*numbers, _NO_NUMBERS), (*numbers, _CANNOT_BE_TAKEN)


@lru_cache(maxsize=1 << 13)  # the same cards occur in many decks
def _zone_numbers(zones: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    return tuple(map(dict(zones).get, ZONES, _NO_NUMBERS))


@dataclass(frozen=True, slots=True)
class GridSetup:
    """The players, the starting seat, and the known cards in the order in which they are revealed.

    Attributes:
        deck: All 20 cards in the order before shuffling, which is public; empty if it is not known.
        moving, facing: The cards' numbers in the order of `ZONES`, prepared for comparison: without a number, a card
            captures nothing, and 0 captures it. The last entry is the empty cell, which neither captures nor is
            captured.
        options: The variants.
    """

    players: tuple[str, ...]
    first: int
    cards: tuple[Card, ...]
    deck: tuple[Card, ...] = field(default=(), repr=False, compare=False)
    moving: NumberRows = field(default=(), repr=False, compare=False)
    facing: NumberRows = field(default=(), repr=False, compare=False)
    options: Options = field(default=USUAL, repr=False)
    game: ClassVar[str] = "grid"

    def __post_init__(self) -> None:
        if not self.deck and len(self.cards) == DECK_SIZE:
            # The dataclass is frozen: derived fields are set once.
            object.__setattr__(self, "deck", sorted_by_name(self.cards))
        if not self.moving:
            moving, facing = number_rows(self.cards)
            object.__setattr__(self, "moving", moving)
            object.__setattr__(self, "facing", facing)

    def start(self) -> "GridState":
        """Return the first position: nine cards on the grid, and none captured.

        Raises:
            UnknownCardError: If no capture is possible, the option `empty-pile` is on, and the top card of the draw
                pile is not known.
        """
        turns = (0,) * GRID_SIZE if self.options.turns_cards else ()
        state = GridState(self, tuple(range(GRID_SIZE)), GRID_SIZE, self.first, ((),) * len(self.players), turns)
        return state.cover() if self.options.empty_pile else state

    def to_table(self) -> dict[str, object]:
        """Return the `[setup]` table of a record; its `pile` lists known cards that are not in a known order."""
        table: dict[str, object] = {"cards": [zone_card_table(card) for card in self.cards]}
        if self.deck and len(self.cards) < DECK_SIZE:
            table["pile"] = [zone_card_table(card) for card in sorted_by_name(without(self.deck, self.cards))]
        return table | self.options.to_table()

    def first_known(self, count: int) -> "GridSetup":
        """Return the setup with only the first `count` cards known."""
        if count >= len(self.cards):
            return self
        # The last row is that of the empty cell, which stays after the known cards.
        moving, facing = ((*rows[:count], rows[-1]) for rows in (self.moving, self.facing))
        return GridSetup(self.players, self.first, self.cards[:count], self.deck, moving, facing, self.options)


@dataclass(frozen=True, slots=True)
class GridState(State):
    """A position: the card on each cell, the revealed cards, the seat to move, and each seat's captured cards.

    Cards are indices in `setup.cards`; `grid` is in the order of `BOARD.cells`, and `turned_up` is a count. `turns` has
    the quarter turns (0 to 3) of the card on each cell; it is empty if cards are never turned.
    """

    setup: GridSetup = field(repr=False, compare=False)
    grid: tuple[int, ...]
    turned_up: int
    to_move: int
    taken: tuple[tuple[int, ...], ...]
    turns: tuple[int, ...] = ()
    game: ClassVar[str] = "grid"

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def variant(self) -> Mapping[str, object]:
        """The options that differ from their defaults."""
        return self.setup.options.to_table()

    @property
    def pile(self) -> int:
        """The number of cards in the draw pile."""
        return DECK_SIZE - self.turned_up

    def card_on(self, cell: str) -> Card | None:
        """Return the card on a cell, or None if the cell is empty."""
        card = self.grid[BOARD.cells.index(cell)]
        return None if card == EMPTY else self.setup.cards[card]

    def turns_on(self, cell: str) -> int:
        """Return how many quarters (0 to 3) the card on a cell is turned clockwise."""
        return self.turns[BOARD.cells.index(cell)] if self.turns else 0

    def zones_on(self, cell: str) -> Mapping[str, int]:
        """Return the numbers of the card on a cell by the zones at which they are; none if the cell is empty."""
        card = self.card_on(cell)
        return {} if card is None else turned_zones(card.zones, self.turns_on(cell))

    def cards_taken(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's captured cards in the order of capture."""
        return tuple(self.setup.cards[card] for card in self.taken[seat])

    def card_taken(self, move: str) -> Card:
        """Return the card that a legal move captures."""
        return self.setup.cards[self.grid[_CELLS[move][1]]]

    def legal_moves(self) -> tuple[str, ...]:
        """Return all captures: of a neighbour with a lower facing number, or with none."""
        if self.turns:
            moving, facing = self._as_turned(self.setup.moving), self._as_turned(self.setup.facing)
            return tuple(compress(MOVES, map(gt, _MOVING(moving), _FACING(facing))))
        a, b, c, d, e, f, g, h, i = self.grid
        row = self.setup.moving
        moving = (*row[a], *row[b], *row[c], *row[d], *row[e], *row[f], *row[g], *row[h], *row[i])
        row = self.setup.facing
        facing = (*row[a], *row[b], *row[c], *row[d], *row[e], *row[f], *row[g], *row[h], *row[i])
        return tuple(compress(MOVES, map(gt, _MOVING(moving), _FACING(facing))))

    def _as_turned(self, rows: NumberRows) -> tuple[int, ...]:
        """Return the 72 numbers of the cards on the grid as they are turned."""
        cards = zip(self.grid, self.turns, strict=True)
        return tuple([rows[card][place] for card, turns in cards for place in _TURNED[turns]])

    def play_unchecked(self, move: str) -> Self:
        """Capture a card: move the other card onto its cell, and refill the vacated cell from the draw pile."""
        source, target = _CELLS[move]
        seat, turned_up, taken, grid, turns = self.to_move, self.turned_up, self.taken, list(self.grid), self.turns
        # The right side is evaluated before assignment, and `target` is assigned before `source`.
        captured, grid[target], grid[source] = grid[target], grid[source], EMPTY
        if turned_up < DECK_SIZE:
            self._check_known(turned_up)
            grid[source] = turned_up
            turned_up += 1
        if turns:
            after = list(turns)
            after[target], after[source] = (turns[source] + 1) % QUARTERS, 0
            turns = tuple(after)
        options = self.setup.options
        # Order 1-2-2: moves 2 and 3 belong to one player, 4 and 5 to the next. An odd number of moves precedes the
        # first of two.
        goes_on = options.in_pairs and sum(map(len, taken)) % 2 == 1
        taken = (*taken[:seat], (*taken[seat], captured), *taken[seat + 1 :])
        seat = seat if goes_on else (seat + 1) % len(taken)
        state = type(self)(self.setup, tuple(grid), turned_up, seat, taken, turns)
        return state.cover() if options.empty_pile else state

    def cover(self) -> Self:
        """Return the position after covering cards on the grid, from a1 on, until a capture is possible.

        That is the option `empty-pile`. Return the position itself if a capture is possible, or the draw pile is empty.
        """
        state, place = self, 0
        while state.turned_up < DECK_SIZE and not state.legal_moves():
            self._check_known(state.turned_up)
            grid, turns = list(state.grid), state.turns
            grid[place] = state.turned_up
            if turns:
                turns = (*turns[:place], 0, *turns[place + 1 :])
            state = type(self)(self.setup, tuple(grid), state.turned_up + 1, self.to_move, self.taken, turns)
            place = (place + 1) % GRID_SIZE
        return state

    def scores(self) -> tuple[int, ...]:
        """Return each seat's score: its captured cards, and the komi for all except the starting player."""
        cards, first, komi = self.setup.cards, self.setup.first, self.setup.options.komi
        points = [sum([cards[card].score for card in pile]) for pile in self.taken]
        return tuple([score + (komi if seat != first else 0) for seat, score in enumerate(points)])

    def ending(self) -> Ending | None:
        """Return the ending if no capture is possible, even if the draw pile is not empty."""
        if self.legal_moves():
            return None
        left = f", with {self.pile} left in the draw pile" if self.pile else ""
        return Ending("no-captures", f"no card on the grid can take a neighbour{left}")

    def is_known(self) -> bool:
        """Return whether all cards of the draw pile are known in their order."""
        return len(self.setup.cards) == DECK_SIZE

    def view(self, seat: int) -> Self:
        """Return the position without the draw pile, which is hidden from all seats."""
        setup = self.setup.first_known(self.turned_up)
        return type(self)(setup, self.grid, self.turned_up, self.to_move, self.taken, self.turns)

    def unseen(self, seat: int) -> tuple[Unseen[Card], ...]:
        """Return the draw pile as the only hidden cards."""
        if not self.pile:
            return ()
        known = self.setup.cards[: self.turned_up]
        left = sorted_by_name(without(self.setup.deck, known)) if self.setup.deck else None
        return (Unseen(tuple(f"pile:{number}" for number in range(self.pile)), left, known),)

    def with_pile(self, cards: Sequence[Card]) -> "GridState":
        """Return the position with these cards as its draw pile, the top one first."""
        known = self.setup.cards[: self.turned_up]
        setup = GridSetup(self.players, self.setup.first, (*known, *cards), options=self.setup.options)
        return replace(self, setup=setup)

    def _check_known(self, card: int) -> None:
        if card >= len(self.setup.cards):
            raise UnknownCardError(f"this move turns up card {card + 1} of the deck, which is not known")
