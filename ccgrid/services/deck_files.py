"""Decks in files, with the places of their cards and the contents of sheets."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog import collection as owned_cards
from ccgrid.catalog.card import Card
from ccgrid.catalog.collection.pulls import Pull, WantedCopies, deck_problems, find_in_boxes, take_out
from ccgrid.catalog.decks import Deck, DeckEntry, Problem
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.holding import Holding
from ccgrid.catalog.matching.asking import OtherPrintingError, same_numbers
from ccgrid.catalog.matching.sets import is_of_game
from ccgrid.catalog.store.holdings import CollectionStore
from ccgrid.catalog.store.lists import game_names
from ccgrid.engine.games import GAMES
from ccgrid.services.catalogue import has_cards, open_collection
from ccgrid.services.choices import Choices
from ccgrid.services.decks import EntryFinder, read_legal_deck, read_listed_deck
from ccgrid.services.factions import bundled_faction, bundled_factions
from ccgrid.services.files import is_file


class OwnedDeck(NamedTuple):
    """A deck in a file: its name, the cards that it needs, and its unknown or ambiguous lines."""

    name: str
    needs: list[WantedCopies]
    unknown: list[Problem]


def owned_deck(file: Path, collection: CollectionStore, choices: Choices, card_games: Sequence[str] = ()) -> OwnedDeck:
    """Read the deck in a file, with the acceptable printings of each card.

    For a named card these are all printings in its game, even if it is unknown in the named set. For a card written out
    with its numbers they are the printings with the same numbers.

    Raises:
        CatalogError: If the file contains no deck.
    """
    listed = read_listed_deck(file)
    choices.left_out |= listed.left_out
    finder = EntryFinder(collection.store, choices, games=card_games)
    names = game_names(collection.store)
    needs: dict[tuple[str, bool], WantedCopies] = {}
    unknown: dict[str, Problem] = {}
    for entry in (*listed.entries, *listed.second):
        try:
            card = _find_any_printing(finder, entry, choices, names)
        except CatalogError as error:
            unknown.setdefault(entry.text, Problem.of(entry.text, error))
            continue
        key = card.id or card.name, entry.card is not None
        if key not in needs:
            printings = finder.printings(card)
            if entry.card is not None:
                printings = tuple(one for one in printings if same_numbers(one, card))
            needs[key] = WantedCopies(card, 0, printings)
        needs[key] = needs[key]._replace(copies=needs[key].copies + 1)
    return OwnedDeck(listed.name, list(needs.values()), list(unknown.values()))


def _find_any_printing(finder: EntryFinder, entry: DeckEntry, choices: Choices, names: Sequence[str]) -> Card:
    """Return the card of a line; if its set or number is unknown, any printing of the name."""
    try:
        return finder.find(entry)
    except OtherPrintingError:
        if not (entry.set_code or entry.collector_number) or any(is_of_game(one, entry.set_code) for one in names):
            raise  # the text next to the name may be a game: cards of other games are not printings of this card
        card = finder.find(entry._replace(set_code="", collector_number="", written="", ids=()))
        choices.elsewhere[f"{entry.text} ({entry.set_code}) {entry.collector_number}".replace(" ()", "").strip()] = None
        return card


def missing_copies(file: Path, database: Path | None, waiting: Callable[[], None], choices: Choices) -> list[Problem]:
    """Return a problem for each card of a deck that is not owned or is checked out in another deck.

    Raises:
        CatalogError: If the file contains no deck.
    """
    with open_collection(database, waiting) as collection:
        deck = owned_deck(file, collection, choices)
        return deck_problems(collection, deck.needs, deck.name)


class DeckPull(NamedTuple):
    """The name of a deck, the places of its cards, and its unknown or ambiguous lines."""

    deck: str
    cards: Pull
    unknown: list[Problem]


def pull_deck(file: Path, collection: CollectionStore, choices: Choices, *, out: bool) -> DeckPull:
    """Find the cards of the deck in a file; with `out`, check them out.

    Raises:
        CatalogError: If the file contains no deck. With `out`, also if cards are missing or unknown.
    """
    deck = owned_deck(file, collection, choices)
    if out and deck.unknown:
        first = deck.unknown[0]
        raise CatalogError(f"Not all of {deck.name!r} is known, so nothing is marked as out. {first.reason}")
    cards = (take_out if out else find_in_boxes)(collection, deck.needs, deck.name)
    return DeckPull(deck.name, cards, deck.unknown)


def want_list(
    collection: CollectionStore, files: Sequence[Path], sets: Sequence[str], games: Sequence[str], choices: Choices
) -> tuple[list[Holding], list[Problem]]:
    """Return the missing cards of decks and sets, and the lines without a card.

    Without files and sets, return the missing cards of all begun sets.

    Raises:
        CatalogError: If a file cannot be read.
    """
    short, unknown = list[tuple[str, int]](), list[Problem]()
    for file in files:
        deck = owned_deck(file, collection, choices, games)
        unknown += deck.unknown
        short += [(card.id, count) for card, count in find_in_boxes(collection, deck.needs, deck.name).missing]
    found = owned_cards.wanted.want_list(collection, short)
    if games:
        found = [one for one in found if one.game in games]
    known = {one.card_id for one in found}
    missing = owned_cards.wanted.missing(collection, sets, games) if sets or not files else []
    return [*found, *(one for one in missing if one.card_id not in known)], unknown


class SourceDeck(NamedTuple):
    """A deck: its title, its cards, their boxes by card id, and the user's pictures by card name."""

    title: str
    cards: Sequence[Card]
    boxes: Mapping[str, str]
    pictures: Mapping[str, bytes]


class SheetSource(NamedTuple):
    """The game of a sheet, and the decks on it."""

    game: str
    decks: Sequence[SourceDeck]


def sheet_source(
    source: str | Path, database: Path | None, choices: Choices, waiting: Callable[[], None], game: str | None = None
) -> SheetSource:
    """Return the decks named by a file, a code, a faction or a game; `game` is the default game of a deck.

    An existing file takes precedence over a faction or game of the same name.

    Raises:
        CatalogError: If nothing has this name, or the deck is not legal.
    """
    path = source if isinstance(source, Path) else Path(source)
    if not is_file(path):
        if isinstance(source, str) and source in GAMES.names:
            factions = (one.deck for one in bundled_factions() if one.game == source)
            return SheetSource(source, [SourceDeck(one.title, one.cards, {}, {}) for one in factions])
        if faction := bundled_faction(source):
            return SheetSource(faction.game, [SourceDeck(faction.deck.title, faction.deck.cards, {}, {})])
    deck = read_legal_deck(path, database, game, choices)
    boxes = _boxes_of(path, database, choices, waiting)
    return SheetSource(
        deck.plays or game or GAMES.default, [SourceDeck(deck.name, deck.cards, boxes, _pictures_of(deck, database))]
    )


def _pictures_of(deck: Deck, database: Path | None) -> dict[str, bytes]:
    """Return the user's pictures of the cards of a deck, by name."""
    from ccgrid.services import card_pictures

    named = card_pictures.pictures_of(database)
    found = (
        (card.name, card_pictures.read_picture(database, named[card.name])) for card in deck.cards if card.name in named
    )
    return {name: picture for name, picture in found if picture is not None}


def _boxes_of(file: Path, database: Path | None, choices: Choices, waiting: Callable[[], None]) -> dict[str, str]:
    """Return the boxes of a deck's cards by card id; empty without a collection."""
    found: dict[str, list[str]] = {}
    if not has_cards(database):
        return {}
    with suppress(CatalogError), open_collection(database, waiting) as collection:
        pull = pull_deck(file, collection, choices, out=False).cards
        for holding, copies in pull.found:
            stands_for = pull.instead.get(holding.card_id)
            place = str(holding.place) or "in no box"
            found.setdefault(stands_for.id if stands_for else holding.card_id, []).append(
                place if copies == 1 else f"{place} ({copies})"
            )
    return {card_id: ", ".join(dict.fromkeys(places)) for card_id, places in found.items()}
