"""Positions of Ladder: five cards in every hand, and at most one on the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Self

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import zone_card_table
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen

HAND: Final = 5
NONE: Final = -1

Hidden = Card | None
"""A card, or None where it may not be seen."""


@dataclass(frozen=True, slots=True)
class LadderSetup:
    """The players, the seat that starts, and each seat's five cards; in a view a hidden card is None."""

    players: tuple[str, ...]
    first: int
    decks: tuple[tuple[Hidden, ...], ...]
    game: ClassVar[str] = "ladder"

    def start(self) -> "LadderState":
        """Everybody holds their five cards."""
        return LadderState(self, (tuple(range(HAND)),) * len(self.players), NONE, self.first, (0,) * len(self.players))

    def to_table(self) -> dict[str, Any]:
        """The `[setup]` table of a record."""
        decks = zip(self.players, self.decks, strict=True)
        return {"decks": {player: [zone_card_table(card) for card in deck if card] for player, deck in decks}}


@dataclass(frozen=True, slots=True)
class LadderState(State):
    """A position: which of its cards each seat still holds, the card on the table, who moves, and the points."""

    setup: LadderSetup = field(repr=False, compare=False)
    hands: tuple[tuple[int, ...], ...]
    table: int
    to_move: int
    points: tuple[int, ...]
    game: ClassVar[str] = "ladder"

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names in seat order."""
        return self.setup.players

    def hand(self, seat: int) -> tuple[Hidden, ...]:
        """The cards that a seat holds."""
        return tuple(self.setup.decks[seat][card] for card in self.hands[seat])

    def on_table(self) -> Hidden:
        """The card that the leader of this round played."""
        return None if self.table == NONE else self.setup.decks[1 - self.to_move][self.table]

    def card_in_hand(self, name: str) -> Card:
        """The card of this name in the hand of who moves."""
        return next(card for card in self.hand(self.to_move) if card is not None and card.name == name)

    def legal_moves(self) -> tuple[str, ...]:
        """The names of the cards in hand."""
        return tuple(sorted({card.name for card in self.hand(self.to_move) if card}))

    def play_unchecked(self, move: str) -> Self:
        """Puts the card on the table, or settles the round."""
        seat, deck = self.to_move, self.setup.decks[self.to_move]
        number = next(number for number in self.hands[seat] if (card := deck[number]) and card.name == move)
        hand = tuple(other for other in self.hands[seat] if other != number)
        hands = tuple(hand if one == seat else held for one, held in enumerate(self.hands))
        led = self.on_table()
        if self.table == NONE:
            return type(self)(self.setup, hands, number, 1 - seat, self.points)
        played = deck[number]
        if led is None or played is None:
            raise UnknownCardError("a card of this round is not known")
        if played.score == led.score:
            return type(self)(self.setup, hands, NONE, 1 - seat, self.points)
        taker = seat if played.score > led.score else 1 - seat
        points = tuple(count + (one == taker) for one, count in enumerate(self.points))
        return type(self)(self.setup, hands, NONE, taker, points)

    def scores(self) -> tuple[int, ...]:
        """A point for each round taken."""
        return self.points

    def ending(self) -> Ending | None:
        """The game is over when all cards are played."""
        return None if any(self.hands) or self.table != NONE else Ending("all-rounds", "every card is played")

    def is_known(self) -> bool:
        """Whether both hands are known."""
        return not any(None in deck for deck in self.setup.decks)

    def view(self, seat: int) -> Self:
        """What was played, and the seat's own cards."""
        decks = tuple(
            deck
            if one == seat
            else tuple(None if number in self.hands[one] else card for number, card in enumerate(deck))
            for one, deck in enumerate(self.setup.decks)
        )
        return replace(self, setup=replace(self.setup, decks=tuple(decks)))

    def unseen(self, seat: int) -> tuple[Unseen, ...]:
        """The other hand, of which nobody says what is in it; one's own cards tell what cards look like."""
        other = 1 - seat
        places = tuple(f"hand:{other}:{number}" for number in range(len(self.hands[other])))
        played = (card for number, card in enumerate(self.setup.decks[other]) if number not in self.hands[other])
        own = Unseen((), (), self.setup.decks[seat])
        return (Unseen(places, None, tuple(card for card in played if card)), own) if places else ()

    def with_hidden(self, cards: Mapping[str, Card]) -> "LadderState":
        """The same with these cards in hands."""
        decks = [list(deck) for deck in self.setup.decks]
        for place, card in cards.items():
            _, owner, number = place.split(":")
            decks[int(owner)][self.hands[int(owner)][int(number)]] = card
        return replace(self, setup=replace(self.setup, decks=tuple(map(tuple, decks))))
