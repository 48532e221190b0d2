"""The rules for decks of Ladder."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import RandomDecks
from ccgrid.engine.decks import GameDecks, PrintedFields

from .rules import HAND


class LadderDeckRules:
    """The rules for decks: any five legal cards."""

    sizes: Final = range(HAND, HAND + 1)
    any_legal: Final = True
    numbers: Final[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Return why a card is not legal, or None if it is."""
        return None if card.legal else card.reason or "barred"

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Return None: something can happen with every deck."""
        return None

    def facing_share(self, cards: Sequence[Card]) -> None:
        """Return None: the zones of the numbers do not matter."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """Return the card unchanged."""
        return card

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> RandomDecks:
        """Return a source of decks of different cards."""
        return RandomDecks(tuple(cards), HAND, count)


DECKS: Final[GameDecks] = LadderDeckRules()
