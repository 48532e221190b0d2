"""The cards of a catalogue that lines of decks mean, as a game plays them."""

from catalog.card import Card, CatalogError
from catalog.decks.deck import DeckEntry
from catalog.store.catalogue import Store
from engine.decks import GameDecks


def find_entry(store: Store, entry: DeckEntry) -> Card:
    """The card that a line of a deck means; CatalogError where there is none, or where it says other numbers."""
    if entry.card is None:
        if entry.written != entry.text and store.named(entry.written):  # brackets that belong to the name
            return store.find(entry.written)
        return store.find(entry.text, entry.set_code, entry.collector_number)
    held = store.cards([entry.card.id])
    if not held:
        return entry.card
    if (dict(held[0].zones), held[0].score) != (dict(entry.card.zones), entry.card.score):
        raise CatalogError(f"The deck says other numbers for {entry.card.id} than the catalogue.")
    return held[0]


def find_playable(store: Store, entry: DeckEntry, decks: GameDecks) -> Card:
    """The card that a line means as a game plays it: of several of one name, one that may be in its decks.

    Raises:
        CatalogError: as `find_entry` says.
    """
    card = numbered(store, find_entry(store, entry), decks)
    if entry.card is not None or entry.set_code or decks.fault(card) is None:
        return card
    others = (numbered(store, other, decks) for other in store.named(entry.text))
    return next((other for other in others if decks.fault(other) is None), card)


def numbered(store: Store, card: Card, decks: GameDecks) -> Card:
    """A card of the catalogue as a game plays it."""
    return decks.numbered(card, lambda: {number["field"]: str(number["raw"]) for number in store.explain(card.id)})
