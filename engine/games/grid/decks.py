"""Decks of the grid game: twenty legal cards, with any number of copies."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_pool import CardPool
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.decks import DeckSource, GameDecks, PrintedFields
from ccgrid.engine.games.grid.moves import DECK_SIZE, PAIRS

_WAYS: Final = Counter(zone for *_, zone in PAIRS.values())
"""The number of pairs of neighbouring cells that face each other in a zone."""


def takes(one: Card, other: Card, zone: str) -> bool:
    """Return whether a card captures another one that it faces with this zone."""
    number = one.zones.get(zone)
    return number is not None and number > other.zones.get(OPPOSITE[zone], -1)


class Meeting:
    """Counts how often numbers meet among the cards of a deck on the grid at random; cards can be replaced."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._numbers = [_zone_numbers(card) for card in cards]
        self._captures = self._met = 0
        for place in range(len(cards)):
            self._count(place, self._numbers[:place], 1)

    @property
    def share(self) -> float:
        """The share of captures that compare two numbers, or 0 if there are no captures."""
        return self._met / self._captures if self._captures else 0.0

    @property
    def choices(self) -> float:
        """The average number of legal captures on a full grid."""
        count = len(self._numbers)
        return self._captures / (count * (count - 1)) if count > 1 else 0.0

    def swap(self, place: int, card: Card) -> None:
        """Replace a card of the deck."""
        others = [*self._numbers[:place], *self._numbers[place + 1 :]]
        self._count(place, others, -1)
        self._numbers[place] = _zone_numbers(card)
        self._count(place, others, 1)

    def _count(self, place: int, others: Sequence[Sequence[int]], sign: int) -> None:
        one = self._numbers[place]
        captures = met = 0
        for other in others:
            for zone, (facing, ways) in enumerate(_FACING):
                mine, theirs = one[zone], other[facing]
                if mine != theirs:  # the higher number captures: this card, or the other one in the opposite direction
                    captures += ways
                    met += ways * (mine >= 0 and theirs >= 0)
        self._captures += sign * captures
        self._met += sign * met


def _zone_numbers(card: Card) -> list[int]:
    return [card.zones.get(zone, -1) for zone in ZONES]


_FACING: Final = tuple((ZONES.index(OPPOSITE[zone]), _WAYS[zone]) for zone in ZONES)


def met_share(cards: Sequence[Card]) -> float:
    """Return the share of captures that compare two numbers, with the cards on the grid at random.

    It is 0 without captures.
    """
    return Meeting(cards).share


def can_meet(cards: Sequence[Card]) -> bool:
    """Return whether two of the cards have different numbers in opposite zones."""
    numbers: dict[str, dict[int, int]] = {zone: {} for zone in ZONES}
    for card in cards:
        for zone, number in card.zones.items():
            numbers[zone][number] = numbers[zone].get(number, 0) + 1
    return any(
        numbers[zone] and numbers[OPPOSITE[zone]] and len({*numbers[zone], *numbers[OPPOSITE[zone]]}) > 1
        for zone in ZONES
    )


class GridDecks:
    """The decks of the grid game; random decks have different cards."""

    sizes: Final = range(DECK_SIZE, DECK_SIZE + 1)
    any_legal: Final = True
    numbers: Final[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Return why a card is not legal (docs/numbers.md, rules 9 to 12), or None if it is."""
        return None if card.legal else card.reason or "barred"

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Return that no card captures another in any arrangement, or None if one does."""
        for place, one in enumerate(cards):
            others = (*cards[:place], *cards[place + 1 :])
            if any(takes(one, other, zone) for zone in one.zones for other in others):
                return None
        return "no card of it can take another: a game is over before the first move" if cards else None

    def facing_share(self, cards: Sequence[Card]) -> float:
        """Return the share of facing numbers among neighbours in all eight directions."""
        facing = [
            OPPOSITE[zone] in other.zones
            for card in cards
            for zone in card.zones
            for other in cards
            if other is not card
        ]
        return sum(facing) / len(facing) if facing else 0.0

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """Return the card unchanged: it is played by its zones."""
        return card

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> DeckSource:
        """Return random decks of different cards."""
        from ccgrid.engine.deck_sources import RandomDecks

        return RandomDecks(cards if isinstance(cards, CardPool) else tuple(cards), DECK_SIZE, count)


DECKS: Final[GameDecks] = GridDecks()
