"""Positions of the tactics game: a card is put on the board and takes what its numbers beat, side by side."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, NamedTuple, Self

from ccgrid.catalog.card import Card
from ccgrid.engine.board import AROUND_THE_TABLE, Board
from ccgrid.engine.cards import sorted_by_name, without
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen
from ccgrid.engine.games.four_sides import SIDES, Numbers, sided_card_table, sides


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
    # Sides on the rim: 2 at a corner, 1 at a side, 0 in the centre.
    values = tuple(3 - row.count(-1) for row in neighbours)
    # South 0, west 1, north 2, east 3: quarter turns clockwise.
    turns = tuple(AROUND_THE_TABLE[4].index(side) for side in AROUND_THE_TABLE[players])
    return Seating(board, places, neighbours, values, turns)


TABLES: Final[Mapping[int, Seating]] = {2: _table(2, 3), 4: _table(4, 4)}
"""The board by the number of players; a corner, with two sides on the rim, is worth 1, a side cell 2, a centre 3."""


def rotate_sides(numbers: Numbers, turns: int) -> Numbers:
    """The numbers at the top, right, bottom and left of the table, of a card turned by quarters clockwise."""
    # One quarter clockwise: the left number comes to the top.
    top, right, bottom, left = (*numbers[4 - turns :], *numbers[: 4 - turns])
    return top, right, bottom, left


HAND_SIZE: Final = 3
EMPTY: Final = -1
"""Stands in `TacticsState.grid` for an open cell; every other number there is a card's place in `setup.cards`."""


@dataclass(frozen=True, slots=True)
class TacticsSetup:
    """The players, the seat that starts, and each seat's deck from the top; in a view a hidden card is `None`.

    All decks in a row are `cards`, the first seat's first: a card is known by its place there. `lying` is what each
    shows at the top, right, bottom and left of the *table*, turned as its owner plays it, and `owners` whose it is.
    `lists` are each deck before it was shuffled, `None` where nobody may know: in a view the other seats'. With
    `has_gaps` nobody knows where all cards lie, in no view; who draws one that is not known holds it all the same.
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
        # Views are given what follows from the decks: it cannot be worked out of decks that are hidden.
        if not self.lists:
            # The class is frozen, so what is derived is put in past it.
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
        """Three cards in every hand, and an empty board."""
        # `offset` is the place in `cards` where the deck of a seat begins: hands hold places there.
        offset, hands = 0, []
        for deck in self.decks:
            hands.append(tuple(range(offset, offset + HAND_SIZE)))
            offset += len(deck)
        seats, cells = len(hands), len(TABLES[len(hands)].board.cells)
        return TacticsState(self, (EMPTY,) * cells, tuple(hands), (HAND_SIZE,) * seats, self.first, ((),) * seats)

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record; cards that are known, but not where they lie in a deck, are its `pile`."""
        decks = zip(self.players, self.decks, strict=True)
        table = {"decks": {player: [sided_card_table(card) for card in deck] for player, deck in decks}}
        pile = {
            player: [sided_card_table(card) for card in sorted_by_name(without(whole, [card for card in deck if card]))]
            for player, deck, whole in zip(self.players, self.decks, self.lists, strict=True)
            if None in deck and whole is not None
        }
        return {**table, "pile": pile} if pile else table

    def seen_by(self, seat: int, known: Collection[int]) -> "TacticsSetup":
        """The same with all cards hidden but these, and the lists of all decks but this seat's."""
        cards: list[Card | None] = [None] * len(self.cards)
        lying: list[Numbers | None] = [None] * len(self.cards)
        # `known` are places in `cards`, from which decks are cut again.
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
    """A position: the card on each cell, each seat's hand, how many it has drawn, who moves, and what each captured.

    Cards are their places in `setup.cards`; `grid` is in the order of the board's cells.
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
        """The board, and how the seats sit around it."""
        return TABLES[len(self.hands)]

    def card_on(self, cell: str) -> Card | None:
        """The card on a cell, upright as its owner sees it, or nothing where the cell is open."""
        card = self.grid[self.table.places[cell]]
        return None if card == EMPTY else self.setup.cards[card]

    def lying_on(self, cell: str) -> dict[str, int]:
        """The numbers at the sides of the card on a cell as seen from south, by zone; none where the cell is open."""
        card = self.grid[self.table.places[cell]]
        return {} if card == EMPTY else dict(zip(SIDES, self.lying(card), strict=True))

    def holder(self, cell: str) -> int | None:
        """The seat that holds a cell, or nothing where it is open."""
        card = self.grid[self.table.places[cell]]
        return None if card == EMPTY else self.setup.owners[card]

    def hand(self, seat: int) -> tuple[Card | None, ...]:
        """A seat's hand, in the order in which the cards were drawn; in a view a hidden card is `None`."""
        return tuple(self.setup.cards[card] for card in self.hands[seat])

    def deck_left(self, seat: int) -> int:
        """How many cards are left in a seat's deck."""
        return len(self.setup.decks[seat]) - self.drawn[seat]

    def cards_captured(self, seat: int) -> tuple[Card | None, ...]:
        """What a seat captured, in that order."""
        return tuple(self.setup.cards[card] for card in self.captured[seat])

    def captures(self, move: str) -> tuple[str, ...]:
        """The cells of the cards that a legal move captures, in the order of processing."""
        return tuple([self.table.board.cells[place] for place in self.capture_places(*self.meaning(move))])

    def legal_moves(self) -> tuple[str, ...]:
        """Every card in hand on every open cell; copies of one card make one move."""
        in_hand = [self.setup.cards[card] for card in self.hands[self.to_move]]
        names = {card.name for card in in_hand if card}
        cells = [cell for cell, card in zip(self.table.board.cells, self.grid, strict=True) if card == EMPTY]
        return tuple(sorted([f"{name}@{cell}" for name in names for cell in cells]))

    def play_unchecked(self, move: str) -> Self:
        """Puts the card on the cell, processes it, draws a card, and passes over whoever has no card in hand."""
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
            # The next card of this seat's deck: the decks before it in `cards`, then what was drawn of its own.
            top = sum([len(deck) for deck in setup.decks[:seat]]) + drawn[seat]
            if setup.cards[top] is None and not setup.has_gaps:
                raise UnknownCardError("this move draws a card that is not known")
            hand.append(top)
            drawn = (*drawn[:seat], drawn[seat] + 1, *drawn[seat + 1 :])
        hands = (*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :])
        # Everybody after this seat, and at last the seat itself, which may be the only one with cards.
        following = (*range(seat + 1, len(hands)), *range(seat + 1))
        to_move = next((one for one in following if hands[one]), seat)
        captured = (*self.captured[:seat], taken, *self.captured[seat + 1 :])
        return type(self)(setup, tuple(grid), hands, drawn, to_move, captured)

    def scores(self) -> tuple[int, ...]:
        """Each seat's captured cards at 1 point, and the cells it holds: corners 1, sides 2, centres 3."""
        points = [len(cards) for cards in self.captured]
        owners = self.setup.owners
        for value, card in zip(self.table.values, self.grid, strict=True):
            if card != EMPTY:
                points[owners[card]] += value
        return tuple(points)

    def ending(self) -> Ending | None:
        """The game is over when no cell is open, or nobody has a card in hand."""
        if EMPTY not in self.grid:
            return Ending("board-full", "every cell is taken")
        return None if any(self.hands) else Ending("no-cards", "nobody has a card left")

    def unseen(self, seat: int) -> tuple[Unseen, ...]:
        """Every deck, and the other hands; of its own deck a seat knows which cards are left in it."""
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
        """The same position with these cards at these places of `setup.cards`."""
        setup, decks, offset = self.setup, [], 0
        for deck in setup.decks:
            decks.append(tuple(cards.get(offset + number, card) for number, card in enumerate(deck)))
            offset += len(deck)
        return replace(self, setup=TacticsSetup(setup.players, setup.first, tuple(decks)))

    def hidden_card(self, place: str) -> int:
        """The place in `setup.cards` of the card at an unseen place, such as `hand:1:2` or `deck:0:5`."""
        zone, owner, number = place.split(":")
        if zone == "hand":
            return self.hands[int(owner)][int(number)]
        return sum(len(deck) for deck in self.setup.decks[: int(owner)]) + self.drawn[int(owner)] + int(number)

    def is_known(self) -> bool:
        """Whether all cards of all decks are known."""
        return None not in self.setup.cards

    def view(self, seat: int) -> Self:
        """All cards that are or were on the board, and the seat's own hand; other hands and all decks are hidden."""
        return type(self)(
            self.setup.seen_by(seat, self._known(seat)),
            self.grid,
            self.hands,
            self.drawn,
            self.to_move,
            self.captured,
        )

    def _known(self, seat: int) -> set[int]:
        # Everybody knows what lies or was taken; a seat also what it holds.
        return {*self.grid, *self.hands[seat]}.union(*self.captured) - {EMPTY}

    def meaning(self, move: str) -> tuple[int, int]:
        """What a legal move says: the card, which is in hand, and the cell."""
        name, _, cell = move.rpartition("@")
        cards = self.setup.cards
        for card in self.hands[self.to_move]:
            if (in_hand := cards[card]) and in_hand.name == name:
                return card, self.table.places[cell]
        raise UnknownCardError("this move plays a card that is not known")

    def lying(self, card: int) -> Numbers:
        """What a card shows at the top, right, bottom and left of the table; `UnknownCardError` where it is hidden."""
        numbers = self.setup.lying[card]
        if numbers is None:
            raise UnknownCardError("the numbers of this card are not known")
        return numbers

    def capture_places(self, card: int, place: int) -> Iterator[int]:
        """The places of the cards that a card captures when it is put on an open cell, in the order of processing."""
        grid, owners = self.grid, self.setup.owners
        seat, numbers = owners[card], self.lying(card)
        turn, neighbours = self.table.turns[seat], self.table.neighbours[place]
        # Clockwise as the owner sees the card, from its top; a higher number ends it.
        # `side` is one of the table, from where the card's own top looks.
        for side in (turn, (turn + 1) % 4, (turn + 2) % 4, (turn + 3) % 4):
            other = neighbours[side]
            if other < 0 or (facing := grid[other]) == EMPTY or owners[facing] == seat:
                continue
            # The neighbour shows the side opposite: top and bottom, right and left.
            number, opposing = numbers[side], self.lying(facing)[(side + 2) % 4]
            if number < opposing:
                return
            if number > opposing:
                yield other
