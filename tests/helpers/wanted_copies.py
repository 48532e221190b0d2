"""The copies that decks need."""

from collections import Counter
from collections.abc import Iterable

from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.pulls import WantedCopies


def deck_needs(cards: Iterable[Card]) -> list[WantedCopies]:
    """Return what a deck of these printings needs."""
    # Cards without a catalogue entry are distinguished by name.
    copies = Counter(card.id or card.name for card in cards)
    return [WantedCopies(card, copies[key]) for key, card in {card.id or card.name: card for card in cards}.items()]
