"""The grid game, 3x3 CCG Battle: nine cards face up, and who moves takes a neighbour by a higher facing number."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import gt, itemgetter
from typing import Any, ClassVar, Final, Self

from catalog.card import HIGHEST, ZONES, Card
from engine import schema
from engine.board import OPPOSITE, Board
from engine.cards import (
    SCORE_CARD,
    ZONE_CARD,
    label,
    no_lookup,
    read_cards,
    read_score_card,
    read_zone_card,
    zone_card,
    zone_card_table,
)
from engine.game import EngineError, Lookup, Schema, State, UnknownCardError, check_seats, quoted
from engine.schema import RecordError

DECK_SIZE: Final = 20
BOARD: Final = Board(3)
GRID_SIZE: Final = len(BOARD.cells)
EMPTY: Final = -1
"""Stands in `GridState.grid` for a cell without a card; every other number there is a card's place in the deck."""

_NO_NUMBERS: Final = (-1,) * len(ZONES)
_CANNOT_BE_TAKEN: Final = (HIGHEST + 1,) * len(ZONES)
_PAIRS: Final = {
    f"{cell}x{other}": (cell, other, zone)
    for cell in sorted(BOARD.cells)
    for zone, other in sorted(BOARD.neighbours(cell).items(), key=itemgetter(1))
}
_MOVES: Final = tuple(_PAIRS)
_CELLS: Final = {move: (BOARD.cells.index(a), BOARD.cells.index(b)) for move, (a, b, _) in _PAIRS.items()}
_zones = len(ZONES)
_MOVING = itemgetter(*(_CELLS[move][0] * _zones + ZONES.index(_PAIRS[move][2]) for move in _MOVES))
_FACING = itemgetter(*(_CELLS[move][1] * _zones + ZONES.index(OPPOSITE[_PAIRS[move][2]]) for move in _MOVES))

_NOTATION = re.compile(r"[a-c][1-3]x[a-c][1-3]")
_TYPED = re.compile(
    r"(?P<source>[a-c][1-3])?\s*(?P<takes>x|×|to|takes|[-=]*>|-)?\s*(?P<target>[a-c][1-3])?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class GridSetup:
    """The players, the seat that starts, and the cards in the order in which they are turned up, as far as known.

    `moving` and `facing` are the cards' numbers in the order of `ZONES`, made for comparing: where a card has none it
    moves with -1 and is taken by 0. After the last card stands the empty cell, which takes nothing and is not taken.
    """

    players: tuple[str, ...]
    first: int
    cards: tuple[Card, ...]
    moving: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)
    facing: tuple[tuple[int, ...], ...] = field(default=(), repr=False, compare=False)
    game: ClassVar[str] = "grid"

    def __post_init__(self) -> None:
        if not self.moving:
            numbers = tuple(tuple(map(card.zones.get, ZONES, _NO_NUMBERS)) for card in self.cards)
            object.__setattr__(self, "moving", (*numbers, _NO_NUMBERS))
            object.__setattr__(self, "facing", (*numbers, _CANNOT_BE_TAKEN))

    def start(self) -> "GridState":
        """The nine first cards on the grid, and nobody has taken any."""
        return GridState(self, tuple(range(GRID_SIZE)), GRID_SIZE, self.first, ((),) * len(self.players))

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record."""
        return {"cards": [zone_card_table(card) for card in self.cards]}

    def first_known(self, count: int) -> "GridSetup":
        """The same with only the first so many cards known."""
        if count >= len(self.cards):
            return self
        moving, facing = ((*rows[:count], rows[-1]) for rows in (self.moving, self.facing))
        return GridSetup(self.players, self.first, self.cards[:count], moving, facing)


@dataclass(frozen=True, slots=True)
class GridState(State):
    """A position: which card lies on each cell, how many were turned up, who moves, and what each seat has taken.

    Cards are their places in `setup.cards`; `grid` is in the order of `BOARD.cells`.
    """

    setup: GridSetup = field(repr=False)
    grid: tuple[int, ...]
    turned_up: int
    to_move: int
    taken: tuple[tuple[int, ...], ...]
    notation: ClassVar[str] = "a1xb2: the card on a1 takes the card on b2"

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def pile(self) -> int:
        """The number of cards in the draw pile."""
        return DECK_SIZE - self.turned_up

    def card_on(self, cell: str) -> Card | None:
        """The card on a cell, or nothing where it is empty."""
        card = self.grid[BOARD.cells.index(cell)]
        return None if card == EMPTY else self.setup.cards[card]

    def cards_taken(self, seat: int) -> tuple[Card, ...]:
        """A seat's pile, in the order in which the cards were taken."""
        return tuple(self.setup.cards[card] for card in self.taken[seat])

    def legal_moves(self) -> tuple[str, ...]:
        """Every capture of a neighbour by a higher facing number, or by any number where the neighbour has none."""
        a, b, c, d, e, f, g, h, i = self.grid
        row = self.setup.moving
        moving = (*row[a], *row[b], *row[c], *row[d], *row[e], *row[f], *row[g], *row[h], *row[i])
        row = self.setup.facing
        facing = (*row[a], *row[b], *row[c], *row[d], *row[e], *row[f], *row[g], *row[h], *row[i])
        return tuple(compress(_MOVES, map(gt, _MOVING(moving), _FACING(facing))))

    def play_unchecked(self, move: str) -> Self:
        """Takes the card, moves the other onto its cell, and fills the cell it left from the draw pile."""
        source, target = _CELLS[move]
        seat, turned_up, taken, grid = self.to_move, self.turned_up, self.taken, list(self.grid)
        captured, grid[target], grid[source] = grid[target], grid[source], EMPTY
        if turned_up < DECK_SIZE:
            if turned_up == len(self.setup.cards):
                raise UnknownCardError(f"this move turns up card {turned_up + 1} of the deck, which is not known")
            grid[source] = turned_up
            turned_up += 1
        taken = (*taken[:seat], (*taken[seat], captured), *taken[seat + 1 :])
        return type(self)(self.setup, tuple(grid), turned_up, (seat + 1) % len(taken), taken)

    def scores(self) -> tuple[int, ...]:
        """Each seat's sum of the scores of the cards it has taken."""
        cards = self.setup.cards
        return tuple([sum([cards[card].score for card in pile]) for pile in self.taken])

    def ending(self) -> str | None:
        """The game is over when nobody has a move, also while cards are left in the draw pile."""
        if self.legal_moves():
            return None
        left = f", with {self.pile} left in the draw pile" if self.pile else ""
        return f"no card on the grid can take a neighbour{left}"

    def view(self, seat: int) -> Self:
        """All but the draw pile, which is hidden from everybody."""
        return type(self)(self.setup.first_known(self.turned_up), self.grid, self.turned_up, self.to_move, self.taken)

    def heuristic(self, move: str) -> int:
        """The score of the card that the move takes."""
        return self.setup.cards[self.grid[_CELLS[move][1]]].score

    def is_notation(self, move: str) -> bool:
        """Whether the text is two cells joined by an `x`."""
        return _NOTATION.fullmatch(move) is not None

    def why_illegal(self, move: str) -> str:
        """The sentence of the rules that the move breaks, with the numbers and cells it is about."""
        source, target = move.split("x")
        mover, captured = self.card_on(source), self.card_on(target)
        zone = BOARD.zone_towards(source, target)
        if zone is None:
            return "a card cannot take itself" if source == target else f"{source} and {target} are not neighbours"
        if mover is None or captured is None:
            return f"there is no card on {target if mover else source}"
        if zone not in mover.zones:
            return f"{source} has no number at its {zone}, which faces {target}"
        number, facing = mover.zones[zone], captured.zones[OPPOSITE[zone]]
        equal = ", and equal does not capture" if facing == number else ""
        return f"{target} has {facing} facing {source}'s {number}{equal}"

    def moves_meant(self, text: str) -> tuple[str, ...]:
        """`A1 x B2`, `a1b2`, `a1 b2`, `a1-b2`; also `a1`, whatever it can take, and `xb2`, whoever can take it."""
        typed = _TYPED.fullmatch(text.strip())
        source, takes, target = typed.group("source", "takes", "target") if typed else (None, None, None)
        if source and target:
            return (f"{source}x{target}".lower(),)
        if source and not takes:
            return tuple(move for move in _MOVES if move.startswith(source.lower()))
        if target and takes:
            return tuple(move for move in _MOVES if move.endswith(target.lower()))
        return ()


class GridGame:
    """The grid game as `engine.games` lists it."""

    name: Final = "grid"
    title: Final = "3x3 CCG Battle"
    player_counts: Final = (2, 3, 4)
    has_first: Final = True
    setup_schema: Final[Schema] = staticmethod(schema.table({"cards": schema.list_of(ZONE_CARD)}))
    ending_schema: Final[Schema] = staticmethod(schema.table({"piles": schema.table_of(schema.list_of(SCORE_CARD))}))

    def decks_needed(self, players: int) -> int:
        """One deck, which all players share."""
        return 1

    def deal(
        self,
        players: Sequence[str],
        decks: Sequence[Sequence[Card]],
        rng: random.Random,
        *,
        first: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> GridSetup:
        """Shuffles one deck of exactly 20 legal cards."""
        check_seats(self, players)
        if options:
            raise EngineError(f"{self.name} has no option {quoted(next(iter(options)))}")
        if len(decks) != 1 or len(decks[0]) != DECK_SIZE:
            raise EngineError(
                f"{self.name} is played with one deck of {DECK_SIZE} cards, not {[len(d) for d in decks]}"
            )
        cards = [zone_card(_legal(card)) for card in decks[0]]
        rng.shuffle(cards)
        return GridSetup(tuple(players), rng.randrange(len(players)) if first is None else first, label(cards))

    def read_setup(
        self, table: Mapping[str, Any], players: tuple[str, ...], first: int | None, lookup: Lookup = no_lookup
    ) -> GridSetup:
        """The cards of a record: 9 to 20 legal ones."""
        values = table["cards"]
        if not GRID_SIZE <= len(values) <= DECK_SIZE:
            raise RecordError("cards", f"must be {GRID_SIZE} to {DECK_SIZE} cards, not {len(values)}")
        return GridSetup(players, first or 0, label(read_cards(values, "cards", read_zone_card, lookup)))

    def score_ending(self, document: Mapping[str, Any], lookup: Lookup = no_lookup) -> dict[str, int]:
        """The sum of the scores of each player's pile; together at most 19 cards, for one always stays on the grid."""
        piles: Mapping[str, list[Any]] = document["piles"]
        try:
            check_seats(self, tuple(piles))
        except EngineError as error:
            raise RecordError("piles", str(error)) from None
        if (count := sum(map(len, piles.values()))) >= DECK_SIZE:
            raise RecordError("piles", f"hold {count} cards; at most {DECK_SIZE - 1} can be taken")
        return {
            player: sum(
                card.score for card in read_cards(pile, f"piles.{schema.key_name(player)}", read_score_card, lookup)
            )
            for player, pile in piles.items()
        }


def _legal(card: Card) -> Card:
    if not card.legal or not card.zones:
        raise EngineError(f"{quoted(card.name)} may not be used: {card.reason or 'it has no number in any zone'}")
    return card
