"""Rules of Ladder: positions with five cards in each hand, and at most one on the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Self

from ccgrid.catalog.card import Card
from ccgrid.engine.cards import zone_card_table
from ccgrid.engine.errors import UnknownCardError
from ccgrid.engine.game import Ending, State, Unseen

HAND: Final = 5
NO_CARD: Final = -1

Hidden = Card | None
"""A card, or None if the seat may not see it."""


@dataclass(frozen=True, slots=True)
class LadderSetup:
    """The players, the starting seat, and each seat's five cards; in a view a hidden card is None."""

    players: tuple[str, ...]
    first: int
    decks: tuple[tuple[Hidden, ...], ...]
    game: ClassVar[str] = "ladder"

    def start(self) -> "LadderState":
        """Return the position before the first move."""
        return LadderState(self, (tuple(range(HAND)),) * 2, NO_CARD, self.first, (0, 0))

    def to_table(self) -> dict[str, Any]:
        """Return the `[setup]` table of a record."""
        decks = zip(self.players, self.decks, strict=True)
        return {"decks": {player: [zone_card_table(card) for card in deck if card] for player, deck in decks}}


@dataclass(frozen=True, slots=True)
class LadderState(State):
    """A position: the cards in each hand, the card on the table (both as numbers), the player to move, the points."""

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
        """Return the cards in the hand of a seat."""
        return tuple(self.setup.decks[seat][card] for card in self.hands[seat])

    def on_table(self) -> Hidden:
        """Return the card that leads this round, or None."""
        return None if self.table == NO_CARD else self.setup.decks[1 - self.to_move][self.table]

    def card_in_hand(self, name: str) -> Card:
        """Return the card with this name in the hand of the player to move."""
        return next(card for card in self.hand(self.to_move) if card is not None and card.name == name)

    def legal_moves(self) -> tuple[str, ...]:
        """Return the names of the cards in hand, sorted."""
        return tuple(sorted({card.name for card in self.hand(self.to_move) if card}))

    def play_unchecked(self, move: str) -> Self:
        """Return the position after a move: the card leads a round, or decides it."""
        seat, deck = self.to_move, self.setup.decks[self.to_move]
        number = next(number for number in self.hands[seat] if (card := deck[number]) and card.name == move)
        hand = tuple(other for other in self.hands[seat] if other != number)
        hands = tuple(hand if one == seat else held for one, held in enumerate(self.hands))
        led = self.on_table()
        if self.table == NO_CARD:
            return type(self)(self.setup, hands, number, 1 - seat, self.points)
        played = deck[number]
        if led is None or played is None:
            raise UnknownCardError("a card of this round is not known")
        if played.score == led.score:
            return type(self)(self.setup, hands, NO_CARD, 1 - seat, self.points)
        taker = seat if played.score > led.score else 1 - seat
        points = tuple(count + (one == taker) for one, count in enumerate(self.points))
        return type(self)(self.setup, hands, NO_CARD, taker, points)

    def scores(self) -> tuple[int, ...]:
        """Return each seat's points, one for each round taken."""
        return self.points

    def ending(self) -> Ending | None:
        """Return the ending if all cards are played, else None."""
        return None if any(self.hands) or self.table != NO_CARD else Ending("all-rounds", "every card is played")

    def is_known(self) -> bool:
        """Return whether both hands are known."""
        return not any(None in deck for deck in self.setup.decks)

    def view(self, seat: int) -> Self:
        """Return the position with the cards in the other hand hidden."""
        decks = tuple(
            deck
            if one == seat
            else tuple(None if number in self.hands[one] else card for number, card in enumerate(deck))
            for one, deck in enumerate(self.setup.decks)
        )
        return replace(self, setup=replace(self.setup, decks=tuple(decks)))

    def unseen(self, seat: int) -> tuple[Unseen[Card | None], ...]:
        """Return the hidden cards of the other hand; the cards that a seat sees are examples of what they may be."""
        other = 1 - seat
        places = tuple(f"hand:{other}:{number}" for number in range(len(self.hands[other])))
        played = (card for number, card in enumerate(self.setup.decks[other]) if number not in self.hands[other])
        own = Unseen((), (), self.setup.decks[seat])
        return (Unseen(places, None, tuple(card for card in played if card)), own) if places else ()

    def with_hidden(self, cards: Mapping[str, Card]) -> "LadderState":
        """Return the position with these cards at hidden places, such as `hand:1:0`."""
        decks = [list(deck) for deck in self.setup.decks]
        for place, card in cards.items():
            _, owner, number = place.split(":")
            decks[int(owner)][self.hands[int(owner)][int(number)]] = card
        return replace(self, setup=replace(self.setup, decks=tuple(map(tuple, decks))))
