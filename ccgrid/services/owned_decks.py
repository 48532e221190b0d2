"""Decks of the cards that one owns: drawn from them, found in their boxes, or checked whether they are there."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from catalog.card import Card, CatalogError
from catalog.collection.pulls import Pull, draw, find_in_boxes, lacking, owned_printing, take_out
from catalog.decks.deck import Deck, DeckEntry, Problem, check_deck, read_deck
from catalog.store.holdings import CollectionStore
from ccgrid.services.collection_store import open_collection
from ccgrid.services.deck_entries import find_entry
from ccgrid.services.deck_sources import find_decks
from engine.dice import Dice
from engine.games import GAMES


def from_collection(source: str) -> bool:
    """Whether a deck is to be of cards that one owns, by what was said with `--from`.

    Raises:
        CatalogError: it is neither all nor collection.
    """
    if source not in ("all", "collection"):
        raise CatalogError(f"Cards come from 'all' or from the 'collection', not from {source!r}.")
    return source == "collection"


def draw_owned(
    game: str, card_games: Sequence[str], dice: Dice, database: Path | None, waiting: Callable[[], None]
) -> Sequence[Card]:
    """The cards of a random legal deck, from copies that are owned and not out in a deck.

    Raises:
        CatalogError: there are too few, or any legal cards are too many for a deck of this game.
    """
    decks = find_decks(game)
    if not decks.any_legal:
        names = " and ".join(one.name for one in GAMES if one.decks is not None and one.decks.any_legal)
        raise CatalogError(f"Decks from a collection are for the {names} game, not for {game}.")
    with open_collection(database, waiting) as collection:
        return draw(collection, decks.sizes[0], dice, card_games)


def owned_deck(file: Path, collection: CollectionStore) -> Deck:
    """The deck in a file, each card found; of a card that is only named, the printing that is owned.

    Raises:
        CatalogError: the file holds no deck, or a card that the catalogue does not have.
    """
    listed = read_deck(file)
    size = len(listed.entries) + len(listed.second)
    deck, problems = check_deck(listed, lambda entry: find_owned(collection, entry), size, lambda card: None)
    if problems:
        raise CatalogError(f"{file}: {problems[0].card}: {problems[0].reason}")
    return deck


def find_owned(collection: CollectionStore, entry: DeckEntry) -> Card:
    """The card that a line of a deck means: the printing that is owned, where the line says no more than a name."""
    return owned_printing(collection, entry) or find_entry(collection.store, entry)


def not_there(file: Path, database: Path | None, waiting: Callable[[], None]) -> list[Problem]:
    """What of a deck is not owned, or is out in another deck, card by card.

    Raises:
        CatalogError: the file holds no deck, or a card that the catalogue does not have.
    """
    with open_collection(database, waiting) as collection:
        deck = owned_deck(file, collection)
        return lacking(collection, deck.cards, deck.name)


class PulledDeck(NamedTuple):
    """A deck by its name, and where its cards are."""

    deck: str
    cards: Pull


def pulled(file: Path, collection: CollectionStore, *, out: bool) -> PulledDeck:
    """Where the cards of the deck in a file are; with `out` they are marked as out in it.

    Raises:
        CatalogError: the file holds no deck, or cards are missing that were to be marked.
    """
    deck = owned_deck(file, collection)
    return PulledDeck(deck.name, (take_out if out else find_in_boxes)(collection, deck.cards, deck.name))
