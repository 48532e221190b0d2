"""Rules of the tactics game: positions in which a placed card captures neighbours with lower facing numbers."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final, NamedTuple, Self

from ccgrid.catalog.card import Card
from ccgrid.engine.board import AROUND_THE_TABLE, Board
from ccgrid.engine.cards import sorted_by_name, without
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.four_sides import SIDES, Numbers, sided_card_table, sides


class Seating(NamedTuple):
    """The data that depend on the number of players; sides of cards and cells are numbered as in `SIDES`.

    Attributes:
        board: The cells.
        places: The index of each cell in `board.cells`.
        neighbours: For each cell the indices of the neighbours at its top, right, bottom and left, or -1.
        values: The points for holding each cell.
        turns: For each seat, the orientation of its cards in quarter turns clockwise.
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
    # The number of sides on the rim: 2 at a corner, 1 at an edge, 0 in the centre.
    values = tuple(3 - row.count(-1) for row in neighbours)
    # South 0, west 1, north 2, east 3: quarter turns clockwise.
    turns = tuple(AROUND_THE_TABLE[4].index(side) for side in AROUND_THE_TABLE[players])
    return Seating(board, places, neighbours, values, turns)


TABLES: Final[Mapping[int, Seating]] = {2: _table(2, 3), 4: _table(4, 4)}
"""The board for each number of players; a corner is worth 1 point, an edge 2, and the centre 3."""


def rotate_sides(numbers: Numbers, turns: int) -> Numbers:
    """Return a card's numbers at the top, right, bottom and left of the table after quarter turns clockwise."""
    # One quarter turn clockwise: the left number becomes the top one.
    top, right, bottom, left = (*numbers[4 - turns :], *numbers[: 4 - turns])
    return top, right, bottom, left


HAND_SIZE: Final = 3
EMPTY: Final = -1
"""The entry of `TacticsState.grid` for an open cell; other entries are indices in `setup.cards`."""


@dataclass(frozen=True, slots=True)
class TacticsSetup:
    """The players, the starting seat, and each seat's deck from the top; in a view hidden cards are None.

    Attributes:
        cards: The cards of all decks, the first seat's first. A card is identified by its index here.
        lying: Each card's numbers at the top, right, bottom and left of the *table*, in its owner's orientation.
        owners: Each card's owner.
        lists: Each deck before shuffling, None if it is not public: in a view the other seats' decks.
        has_gaps: Whether some cards are unknown in every view; a player who draws one of them holds it nevertheless.
    """

    players: tuple[str, ...]
    first: int
    decks: tuple[tuple[Card | None, ...], ...]
    lists: tuple[tuple[Card, ...] | None, ...] = field(default=(), repr=False, compare=False)
    cards: tuple[Card | None, ...] = field(default=(), repr=False, compare=False)
    lying: tuple[Numbers | None, ...] = field(default=(), repr=False, compare=False)
    owners: tuple[int, ...] = field(default=(), repr=False, compare=False)
    has_gaps: bool = field(default=False, repr=False, compare=False)
    game: ClassVar[str] = "tactics"

    def __post_init__(self) -> None:
        # Views receive the derived data, because they cannot be derived from hidden decks.
        if not self.lists:
            # The class is frozen: derived fields are set with `object.__setattr__`.
            known = [None if None in deck else sorted_by_name([card for card in deck if card]) for deck in self.decks]
            object.__setattr__(self, "lists", tuple(known))
        if not self.cards:
            turns = TABLES[len(self.players)].turns
            owned = [(card, seat) for seat, deck in enumerate(self.decks) for card in deck]
            lying = [card and rotate_sides(sides(card), turns[seat]) for card, seat in owned]
            object.__setattr__(self, "cards", tuple([card for card, _ in owned]))
            object.__setattr__(self, "lying", tuple(lying))
            object.__setattr__(self, "owners", tuple([seat for _, seat in owned]))

    def start(self) -> "TacticsState":
        """Return the first position: three cards in every hand, and an empty board."""
        # `offset` is the index in `cards` at which a seat's deck begins; hands contain such indices.
        offset, hands = 0, []
        for deck in self.decks:
            hands.append(tuple(range(offset, offset + HAND_SIZE)))
            offset += len(deck)
        seats, cells = len(hands), len(TABLES[len(hands)].board.cells)
        return TacticsState(self, (EMPTY,) * cells, tuple(hands), (HAND_SIZE,) * seats, self.first, ((),) * seats)

    def to_table(self) -> dict[str, object]:
        """Return the `[setup]` table of a record; its `pile` lists known cards that are not in a known order."""
        decks = zip(self.players, self.decks, strict=True)
        tables = {player: [sided_card_table(card) for card in deck] for player, deck in decks}
        pile = {
            player: [sided_card_table(card) for card in sorted_by_name(without(whole, [card for card in deck if card]))]
            for player, deck, whole in zip(self.players, self.decks, self.lists, strict=True)
            if None in deck and whole is not None
        }
        return {"decks": tables, "pile": pile} if pile else {"decks": tables}

    def seen_by(self, seat: int, known: Collection[int]) -> "TacticsSetup":
        """Return the setup with all cards hidden except these, and without the lists of the other seats' decks."""
        cards: list[Card | None] = [None] * len(self.cards)
        lying: list[Numbers | None] = [None] * len(self.cards)
        # `known` are indices in `cards`, which is split into decks again.
        for card in known:
            cards[card], lying[card] = self.cards[card], self.lying[card]
        decks, offset = [], 0
        for deck in self.decks:
            decks.append(tuple(cards[offset : offset + len(deck)]))
            offset += len(deck)
        lists = tuple([deck if owner == seat else None for owner, deck in enumerate(self.lists)])
        return TacticsSetup(self.players, self.first, tuple(decks), lists, tuple(cards), tuple(lying), self.owners)


@dataclass(frozen=True, slots=True)
class TacticsState(State):
    """A position: the card on each cell, each seat's hand, drawn cards and captures, and the seat to move.

    Cards are indices in `setup.cards`; `grid` is in the order of the board's cells.
    """

    setup: TacticsSetup = field(repr=False, compare=False)
    grid: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    drawn: tuple[int, ...]
    to_move: int
    captured: tuple[tuple[int, ...], ...]
    game: ClassVar[str] = "tactics"

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    @property
    def table(self) -> Seating:
        """The board, and the positions of the seats around it."""
        return TABLES[len(self.hands)]

    def card_on(self, cell: str) -> Card | None:
        """Return the card on a cell, upright as its owner sees it, or None if the cell is open."""
        card = self.grid[self.table.places[cell]]
        return None if card == EMPTY else self.setup.cards[card]

    def lying_on(self, cell: str) -> dict[str, int]:
        """Return the numbers of the card on a cell by zone, as seen from south; empty if the cell is open."""
        card = self.grid[self.table.places[cell]]
        return {} if card == EMPTY else dict(zip(SIDES, self.lying(card), strict=True))

    def holder(self, cell: str) -> int | None:
        """Return the seat that holds a cell, or None if it is open."""
        card = self.grid[self.table.places[cell]]
        return None if card == EMPTY else self.setup.owners[card]

    def hand(self, seat: int) -> tuple[Card | None, ...]:
        """Return a seat's hand in the order of drawing; in a view hidden cards are None."""
        return tuple(self.setup.cards[card] for card in self.hands[seat])

    def deck_left(self, seat: int) -> int:
        """Return the number of remaining cards in a seat's deck."""
        return len(self.setup.decks[seat]) - self.drawn[seat]

    def cards_captured(self, seat: int) -> tuple[Card | None, ...]:
        """Return a seat's captures in order."""
        return tuple(self.setup.cards[card] for card in self.captured[seat])

    def captures(self, move: str) -> tuple[str, ...]:
        """Return the cells of the cards that a legal move captures, in the order of processing."""
        return tuple([self.table.board.cells[place] for place in self.capture_places(*self.meaning(move))])

    def legal_moves(self) -> tuple[str, ...]:
        """Return every card in hand on every open cell; copies of a card make one move."""
        in_hand = [self.setup.cards[card] for card in self.hands[self.to_move]]
        names = {card.name for card in in_hand if card}
        cells = [cell for cell, card in zip(self.table.board.cells, self.grid, strict=True) if card == EMPTY]
        return tuple(sorted([f"{name}@{cell}" for name in names for cell in cells]))

    def play_unchecked(self, move: str) -> Self:
        """Place a card on a cell, process it, draw a card, and skip players without cards in hand."""
        setup, seat = self.setup, self.to_move
        card, place = self.meaning(move)
        grid, hand, taken = list(self.grid), list(self.hands[seat]), self.captured[seat]
        hand.remove(card)
        grid[place] = card
        for other in self.capture_places(card, place):
            taken = (*taken, grid[other])
            grid[other] = EMPTY
        drawn = self.drawn
        if drawn[seat] < len(setup.decks[seat]):
            # The next card of this seat's deck: after the decks before it in `cards`, and the cards drawn so far.
            top = sum([len(deck) for deck in setup.decks[:seat]]) + drawn[seat]
            if setup.cards[top] is None and not setup.has_gaps:
                raise UnknownCardError("this move draws a card that is not known")
            hand.append(top)
            drawn = (*drawn[:seat], drawn[seat] + 1, *drawn[seat + 1 :])
        hands = (*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :])
        # The seats after this one, and finally this seat, which may be the only one with cards.
        following = (*range(seat + 1, len(hands)), *range(seat + 1))
        to_move = next((one for one in following if hands[one]), seat)
        captured = (*self.captured[:seat], taken, *self.captured[seat + 1 :])
        return type(self)(setup, tuple(grid), hands, drawn, to_move, captured)

    def scores(self) -> tuple[int, ...]:
        """Return each seat's captures at 1 point each, and the cells it holds: corners 1, edges 2, centre 3."""
        points = [len(cards) for cards in self.captured]
        owners = self.setup.owners
        for value, card in zip(self.table.values, self.grid, strict=True):
            if card != EMPTY:
                points[owners[card]] += value
        return tuple(points)

    def ending(self) -> Ending | None:
        """Return the ending if no cell is open or all hands are empty."""
        if EMPTY not in self.grid:
            return Ending("board-full", "every cell is taken")
        return None if any(self.hands) else Ending("no-cards", "no player has a card left")

    def unseen(self, seat: int) -> tuple[Unseen[Card], ...]:
        """Return every deck, and the other hands; a seat knows which cards remain in its own deck."""
        groups, seen, owners = [], self._known(seat), self.setup.owners
        for owner, whole in enumerate(self.setup.lists):
            hidden = [number for number, card in enumerate(self.hand(owner)) if owner != seat or card is None]
            places = [f"hand:{owner}:{number}" for number in hidden]
            places += [f"deck:{owner}:{number}" for number in range(self.deck_left(owner))]
            known = [card for place in sorted(seen) if owners[place] == owner and (card := self.setup.cards[place])]
            left = sorted_by_name(without(whole, known)) if owner == seat and whole is not None else None
            if places:
                groups.append(Unseen(tuple(places), left, tuple(known)))
        return tuple(groups)

    def with_hidden(self, cards: Mapping[int, Card]) -> "TacticsState":
        """Return the position with these cards at these indices of `setup.cards`."""
        setup, decks, offset = self.setup, [], 0
        for deck in setup.decks:
            decks.append(tuple(cards.get(offset + number, card) for number, card in enumerate(deck)))
            offset += len(deck)
        return replace(self, setup=TacticsSetup(setup.players, setup.first, tuple(decks)))

    def hidden_card(self, place: str) -> int:
        """Return the index in `setup.cards` of the card at a hidden position, such as `hand:1:2` or `deck:0:5`."""
        zone, owner, number = place.split(":")
        if zone == "hand":
            return self.hands[int(owner)][int(number)]
        return sum(len(deck) for deck in self.setup.decks[: int(owner)]) + self.drawn[int(owner)] + int(number)

    def is_known(self) -> bool:
        """Return whether all cards of all decks are known."""
        return None not in self.setup.cards

    def view(self, seat: int) -> Self:
        """Return all cards that are or were on the board, and the seat's own hand.

        Other hands and all decks are hidden.
        """
        return type(self)(
            self.setup.seen_by(seat, self._known(seat)),
            self.grid,
            self.hands,
            self.drawn,
            self.to_move,
            self.captured,
        )

    def _known(self, seat: int) -> set[int]:
        # Cards on the board and captures are public; a seat also knows its hand.
        return {*self.grid, *self.hands[seat]}.union(*self.captured) - {EMPTY}

    def meaning(self, move: str) -> tuple[int, int]:
        """Return the card of a legal move, which is in hand, and the cell."""
        name, _, cell = move.rpartition("@")
        cards = self.setup.cards
        for card in self.hands[self.to_move]:
            if (in_hand := cards[card]) and in_hand.name == name:
                return card, self.table.places[cell]
        raise UnknownCardError("this move plays a card that is not known")

    def lying(self, card: int) -> Numbers:
        """Return a card's numbers at the top, right, bottom and left of the table.

        Raises:
            UnknownCardError: If the card is hidden.
        """
        numbers = self.setup.lying[card]
        if numbers is None:
            raise UnknownCardError("the numbers of this card are not known")
        return numbers

    def capture_places(self, card: int, place: int) -> Iterator[int]:
        """Yield the indices of the cells that a card captures from an open cell, in the order of processing."""
        grid, owners = self.grid, self.setup.owners
        seat, numbers = owners[card], self.lying(card)
        turn, neighbours = self.table.turns[seat], self.table.neighbours[place]
        # Clockwise as the owner sees the card, from its top; a higher number ends the captures. `side` is a side of the
        # table, beginning with the one that the card's top faces.
        for side in (turn, (turn + 1) % 4, (turn + 2) % 4, (turn + 3) % 4):
            other = neighbours[side]
            if other < 0 or (facing := grid[other]) == EMPTY or owners[facing] == seat:
                continue
            # The neighbour faces with the opposite side: top and bottom, right and left.
            number, opposing = numbers[side], self.lying(facing)[(side + 2) % 4]
            if number < opposing:
                return
            if number > opposing:
                yield other
