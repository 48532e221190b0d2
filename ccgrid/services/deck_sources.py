"""Decks of the cards that one owns: drawn from them, or checked whether they are there."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from catalog.card import CatalogError
from catalog.collection.pulls import Pull, find_in_boxes, take_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from catalog.card import Card
    from catalog.decks.deck import Deck, DeckEntry, Problem
    from catalog.store.holdings import CollectionStore


def from_collection(source: str) -> bool:
    """Whether a deck is to be of cards that one owns, by what was said with `--from`.

    Raises:
        CatalogError: it is neither all nor collection.
    """
    if source not in ("all", "collection"):
        raise CatalogError(f"Cards come from 'all' or from the 'collection', not from {source!r}.")
    return source == "collection"


def draw_owned(game: str, card_games: "Sequence[str]", seed: int, database: Path | None) -> "Sequence[Card]":
    """The cards of a random legal deck, from copies that are owned and not out in a deck.

    Raises:
        CatalogError: there are too few, or the game has decks of another kind.
    """
    from catalog.collection.pulls import draw
    from catalog.decks.deck import GRID_DECK
    from ccgrid.services.collection import open_collection
    from engine.dice import Dice

    if game != "grid":
        raise CatalogError(f"Decks from a collection are for the grid game, not for {game}.")
    with open_collection(database, lambda: None) as collection:
        return draw(collection, GRID_DECK, Dice(seed), card_games)


def owned_deck(file: Path, collection: "CollectionStore") -> "Deck":
    """The deck in a file, each card found; of a card that is only named, the printing that is owned.

    Raises:
        CatalogError: the file holds no deck, or a card that the catalogue does not have.
    """
    from catalog.decks.deck import check_deck, read_deck

    listed = read_deck(file)
    size = len(listed.entries) + len(listed.second)
    deck, problems = check_deck(listed, lambda entry: find_owned(collection, entry), size, lambda card: None)
    if problems:
        raise CatalogError(f"{file}: {problems[0].card}: {problems[0].reason}")
    return deck


def find_owned(collection: "CollectionStore", entry: "DeckEntry") -> "Card":
    """The card that a line of a deck means: the printing that is owned, where the line says no more than a name."""
    from catalog.collection.pulls import owned_printing
    from ccgrid.services.deck_entries import find_entry

    return owned_printing(collection, entry) or find_entry(collection.store, entry)


def not_there(file: Path, database: Path | None) -> "list[Problem]":
    """What of a deck is not owned, or is out in another deck, card by card.

    Raises:
        CatalogError: the file holds no deck, or a card that the catalogue does not have.
    """
    from catalog.collection.pulls import lacking
    from ccgrid.services.collection import open_collection

    with open_collection(database, lambda: None) as collection:
        deck = owned_deck(file, collection)
        return lacking(collection, deck.cards, deck.name)


class Pulled(NamedTuple):
    """A deck by its name, and where its cards are."""

    deck: str
    cards: Pull


def pulled(file: Path, collection: "CollectionStore", *, out: bool) -> Pulled:
    """Where the cards of the deck in a file are; with `out` they are marked as out in it.

    Raises:
        CatalogError: the file holds no deck, or cards are missing that were to be marked.
    """
    deck = owned_deck(file, collection)
    return Pulled(deck.name, (take_out if out else find_in_boxes)(collection, deck.cards, deck.name))
