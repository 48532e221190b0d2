"""Decks of the grid game: twenty legal cards, any of them, as often as one likes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from catalog.card import Card
from catalog.pool import CardPool
from engine.deck_sources import RandomDecks
from engine.decks import GameDecks, Printed
from engine.games.grid.meeting import takes
from engine.games.grid.state import DECK_SIZE


class GridDecks:
    """The decks of the grid game; those that are drawn have different cards."""

    sizes: Final = range(DECK_SIZE, DECK_SIZE + 1)
    any_legal: Final = True
    numbers: Final[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Why the card is barred (NUMBERS.md, rules 9 to 12)."""
        return None if card.legal else card.reason or "barred"

    def why_dead(self, cards: Sequence[Card]) -> str | None:
        """No card of it takes another, whatever lies where."""
        for place, one in enumerate(cards):
            others = (*cards[:place], *cards[place + 1 :])
            if any(takes(one, other, zone) for zone in one.zones for other in others):
                return None
        return "no card of it can take another: a game is over before the first move" if cards else None

    def numbered(self, card: Card, printed: Printed) -> Card:
        """The card: it is played by its zones."""
        return card

    def drawn(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> RandomDecks:
        """Decks of different ones of the cards."""
        return RandomDecks(cards if isinstance(cards, CardPool) else tuple(cards), DECK_SIZE, count)


DECKS: Final[GameDecks] = GridDecks()
