"""A card of the catalogue as a game plays it."""

from catalog.card import Card
from catalog.store.catalogue import Store
from engine.decks import GameDecks


def numbered(store: Store, card: Card, decks: GameDecks) -> Card:
    """The card with the numbers that the game reads off it, wherever they are printed."""
    return decks.numbered(card, lambda: {number["field"]: str(number["raw"]) for number in store.explain(card.id)})
