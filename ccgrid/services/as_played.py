"""A card of the catalogue as a game plays it."""

from typing import TYPE_CHECKING

from catalog.card import Card
from engine.decks import GameDecks

if TYPE_CHECKING:
    from catalog.store.catalogue import Store


def numbered(store: "Store", card: Card, decks: GameDecks) -> Card:
    """The card with the numbers that the game reads off it, wherever they are printed."""
    return decks.numbered(card, lambda: {number["field"]: str(number["raw"]) for number in store.explain(card.id)})
