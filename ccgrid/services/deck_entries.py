"""The cards of a catalogue that lines of decks mean."""

from dataclasses import replace

from catalog.card import HIGHEST, LOWEST, Card, CatalogError
from catalog.decks.deck import DeckEntry
from catalog.store.catalogue import Store
from engine.games.tactics.cards import SIDES


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


def with_sides(store: Store, card: Card) -> Card:
    """The card with a number on each of its four sides, where it prints these elsewhere; else as it is.

    Triple Triad's four ranks stand in one corner; its layouts call the fields after the sides.
    """
    if card.legal or all(side in card.zones for side in SIDES):
        return card
    printed = {number["field"]: str(number["raw"]) for number in store.explain(card.id)}
    ranks = {side: int(printed[side]) for side in SIDES if printed.get(side, "").isdecimal()}
    if len(ranks) < len(SIDES) or not all(LOWEST <= rank <= HIGHEST for rank in ranks.values()):
        return card
    return replace(card, zones=ranks, score=max(card.score, sum(ranks.values())))
