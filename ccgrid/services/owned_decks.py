"""Decks of the cards that one owns: drawn from them, found in their boxes, or checked whether they are there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from catalog.card import Card, CatalogError
from catalog.collection.deck_files import read_deck
from catalog.collection.pulls import Pull, Wanted, draw, find_in_boxes, lacking, take_out
from catalog.decks.listed import DeckEntry, Problem
from catalog.matching.asking import OtherPrintingError, same_numbers
from catalog.matching.beside import is_of_game
from catalog.store.holdings import CollectionStore
from catalog.store.listed import games
from ccgrid.services.choices import Choices
from ccgrid.services.collection_store import open_collection
from ccgrid.services.deck_entries import EntryFinder
from ccgrid.services.deck_sources import find_decks
from engine.dice import Dice
from engine.games import GAMES


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


class OwnedDeck(NamedTuple):
    """A deck in a file: its name, what it needs, and what of it is no card or not plain."""

    name: str
    needs: list[Wanted]
    unknown: list[Problem]


def owned_deck(file: Path, collection: CollectionStore, choices: Choices) -> OwnedDeck:
    """The deck in a file, with the printings that may be taken for each card.

    For a card that is named those are all of its game, also where it is not known in the set that is named; for one
    that is written out with its numbers those with the same numbers.

    Raises:
        CatalogError: the file holds no deck.
    """
    listed = read_deck(file)
    finder = EntryFinder(collection.store, choices)
    names = games(collection.store)
    needs: dict[tuple[str, bool], Wanted] = {}
    unknown: dict[str, Problem] = {}
    for entry in (*listed.entries, *listed.second):
        try:
            card = _found(finder, entry, choices, names)
        except CatalogError as error:
            unknown.setdefault(entry.text, Problem.of(entry.text, error))
            continue
        key = card.id or card.name, entry.card is not None
        if key not in needs:
            printings = finder.printings(card)
            if entry.card is not None:
                printings = tuple(one for one in printings if same_numbers(one, card))
            needs[key] = Wanted(card, 0, printings)
        needs[key] = needs[key]._replace(copies=needs[key].copies + 1)
    return OwnedDeck(listed.name, list(needs.values()), list(unknown.values()))


def _found(finder: EntryFinder, entry: DeckEntry, choices: Choices, names: Sequence[str]) -> Card:
    """The card that a line means; where its set or number is not known, that of the name: any printing will do."""
    try:
        return finder.find(entry)
    except OtherPrintingError:
        if not (entry.set_code or entry.collector_number) or any(is_of_game(one, entry.set_code) for one in names):
            raise  # what stands beside the name may be a game, and cards of others are no printings of it
        card = finder.find(replace(entry, set_code="", collector_number="", written="", ids=()))
        choices.elsewhere[f"{entry.text} ({entry.set_code}) {entry.collector_number}".replace(" ()", "").strip()] = None
        return card


def not_there(file: Path, database: Path | None, waiting: Callable[[], None], choices: Choices) -> list[Problem]:
    """What of the cards of a deck is not owned, or is out in another deck, card by card.

    Raises:
        CatalogError: the file holds no deck.
    """
    with open_collection(database, waiting) as collection:
        deck = owned_deck(file, collection, choices)
        return lacking(collection, deck.needs, deck.name)


class PulledDeck(NamedTuple):
    """A deck by its name, where its cards are, and what of it is no card or not plain."""

    deck: str
    cards: Pull
    unknown: list[Problem]


def pulled(file: Path, collection: CollectionStore, choices: Choices, *, out: bool) -> PulledDeck:
    """Where the cards of the deck in a file are; with `out` they are marked as out in it.

    Raises:
        CatalogError: the file holds no deck, or cards are missing or unknown that were to be marked.
    """
    deck = owned_deck(file, collection, choices)
    if out and deck.unknown:
        first = deck.unknown[0]
        raise CatalogError(f"Not all of {deck.name!r} is known, so nothing is marked as out. {first.reason}")
    cards = (take_out if out else find_in_boxes)(collection, deck.needs, deck.name)
    return PulledDeck(deck.name, cards, deck.unknown)
