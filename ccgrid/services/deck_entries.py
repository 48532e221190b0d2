"""The cards of a catalogue that lines of decks mean, as a game plays them."""

from catalog.card import Card, CatalogError
from catalog.decks.listed import DeckEntry
from catalog.matching.beside import Asked
from catalog.matching.row import Row
from catalog.store.catalogue import Store
from ccgrid.services.as_played import numbered
from ccgrid.services.choices import Choices
from engine.decks import GameDecks


class EntryFinder:
    """Finds the cards that lines of decks mean: for a game, whose decks tell which may be in there, or for none."""

    def __init__(self, store: Store, choices: Choices, decks: GameDecks | None = None) -> None:
        self._store, self._choices, self._decks = store, choices, decks
        self._resolver = choices.resolver(store, self._may_be_in)

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
            asked = asked_by(entry)
            by_id = self._asked_by_id(entry) if entry.ids else None
            return self._choices.take(self._resolver, by_id or asked).card
        held = self._store.cards([entry.card.id])
        if not held:
            return entry.card
        if (dict(held[0].zones), held[0].score) != (dict(entry.card.zones), entry.card.score):
            raise CatalogError(f"The deck says other numbers for {entry.card.id} than the catalogue.")
        return held[0]

    def _asked_by_id(self, entry: DeckEntry) -> Asked | None:
        """What the ids of a line ask for; None where nobody has them, and the name has to tell."""
        name = "" if entry.text == " ".join(entry.ids[0]) else entry.text
        row = Row(0, entry.text, (), name, entry.set_code, entry.set_code, entry.collector_number, entry.ids)
        match = self._resolver.match(row)
        if match.how == "id" and match.card is not None:
            if not match.others:
                return Asked(match.card.id)
            return Asked(match.card.name, games=(match.card.game,))  # any printing will do: the usual choice is made
        if match.card is None and (not name or "id is that of" in match.reason):
            raise CatalogError(f"{match.reason[:1].upper()}{match.reason[1:]}.")
        return None

    def _may_be_in(self, card: Card) -> bool:
        if self._decks is None:
            return card.legal
        return self._decks.fault(numbered(self._store, card, self._decks)) is None


def asked_by(entry: DeckEntry) -> Asked:
    """What a line of a deck asks for; a set or a game stands where the line names one."""
    beside = (entry.set_code,) if entry.set_code else ()
    return Asked(entry.text, beside=beside, number=entry.collector_number, whole=entry.written)
