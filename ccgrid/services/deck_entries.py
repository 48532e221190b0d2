"""The cards of a catalogue that lines of decks mean, as a game plays them."""

from catalog.card import Card, CatalogError
from catalog.decks.deck import DeckEntry
from catalog.matching.beside import Asked
from catalog.store.catalogue import Store
from ccgrid.services.choices import Choices
from engine.decks import GameDecks


class EntryFinder:
    """Finds the cards that lines of decks mean: for a game, whose decks tell which may be in there, or for none."""

    def __init__(self, store: Store, choices: Choices, decks: GameDecks | None = None) -> None:
        self._store, self._choices, self._decks = store, choices, decks
        self._resolver = choices.resolver(store, None if decks is None else self._may_be_in)

    def find(self, entry: DeckEntry) -> Card:
        """The card that a line means, as the game plays it.

        Raises:
            CatalogError: there is none, it is not plain which, or the line says other numbers than the catalogue.
        """
        card = self._entry(entry)
        return card if self._decks is None else numbered(self._store, card, self._decks)

    def printings(self, card: Card) -> tuple[Card, ...]:
        """All printings of a card in its game."""
        return self._resolver.printings(card)

    def _entry(self, entry: DeckEntry) -> Card:
        if entry.card is None:
            return self._choices.take(self._resolver, asked_by(entry)).card
        held = self._store.cards([entry.card.id])
        if not held:
            return entry.card
        if (dict(held[0].zones), held[0].score) != (dict(entry.card.zones), entry.card.score):
            raise CatalogError(f"The deck says other numbers for {entry.card.id} than the catalogue.")
        return held[0]

    def _may_be_in(self, card: Card) -> bool:
        return self._decks is not None and self._decks.fault(numbered(self._store, card, self._decks)) is None


def asked_by(entry: DeckEntry) -> Asked:
    """What a line of a deck asks for; a set or a game stands where the line names one."""
    beside = (entry.set_code,) if entry.set_code else ()
    return Asked(entry.text, beside=beside, number=entry.collector_number, whole=entry.written)


def numbered(store: Store, card: Card, decks: GameDecks) -> Card:
    """A card of the catalogue as a game plays it."""
    return decks.numbered(card, lambda: {number["field"]: str(number["raw"]) for number in store.explain(card.id)})
