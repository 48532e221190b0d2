"""Decks of Ladder: five legal cards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ccgrid.catalog.card import Card
from ccgrid.engine.decks import GameDecks, PrintedFields, RandomDecks
from ccgrid.engine.games.ladder.state import HAND


class LadderDecks:
    """Any five legal cards."""

    sizes: Final = range(HAND, HAND + 1)
    any_legal: Final = True
    numbers: Final[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Why the card is barred."""
        return None if card.legal else card.reason or "barred"

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Every deck plays."""
        return None

    def facing_share(self, cards: Sequence[Card]) -> None:
        """Numbers have no zones here."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """The card as it is."""
        return card

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> RandomDecks:
        """Decks of different cards."""
        return RandomDecks(tuple(cards), HAND, count)


DECKS: Final[GameDecks] = LadderDecks()
