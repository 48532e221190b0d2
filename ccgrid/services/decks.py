"""Decks in files, with their cards found and everything that is wrong with them for their game."""

from collections.abc import Sequence
from pathlib import Path

from ccgrid.catalog.card import Card, CatalogError
from ccgrid.catalog.decks import Deck, DeckEntry, ListedDeck, Problem, check_deck
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.store.catalogue import Store
from ccgrid.engine.decks import GameDecks
from ccgrid.engine.games import GAMES
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices, numbered
from ccgrid.services.deck_sources import find_decks


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
            row = Row(name=entry.text, set_code=entry.set_code, number=entry.collector_number, written=entry.written)
            by_id = self._by_id(entry) if entry.ids else None
            return self._choices.take(*(by_id or (self._resolver, row))).card
        held = self._store.cards([entry.card.id])
        if not held:
            return entry.card
        if (dict(held[0].zones), held[0].score) != (dict(entry.card.zones), entry.card.score):
            raise CatalogError(f"The numbers of {entry.card.id} in the deck differ from the catalogue.")
        return held[0]

    def _by_id(self, entry: DeckEntry) -> tuple[Resolver, Row] | None:
        """What the ids of a line ask for, and whom; None where nobody has them, and the name has to tell."""
        name = "" if entry.text == " ".join(entry.ids[0]) else entry.text
        row = Row(0, entry.text, (), name, entry.set_code, entry.set_code, entry.collector_number, entry.ids)
        match = self._resolver.match(row)
        if match.how == "id" and match.card is not None:
            if not match.others:
                return self._resolver, Row(name=match.card.id)
            # Any printing will do: the usual choice is made.
            return self._resolver.of_game(match.card.game), Row(name=match.card.name)
        if match.card is None and (not name or "id is that of" in match.reason):
            raise CatalogError(f"{match.reason[:1].upper()}{match.reason[1:]}.")
        return None

    def _may_be_in(self, card: Card) -> bool:
        if self._decks is None:
            return card.legal
        return self._decks.fault(numbered(self._store, card, self._decks)) is None


DEFAULT_GAME = GAMES.having("decks")[0]
"""A deck that names no game is for this one."""


def read_legal_deck(file: Path, game: str, database: Path | None, choices: Choices | None = None) -> tuple[Card, ...]:
    """The cards of a deck file; CatalogError, with the first problem, where the deck is not legal in this game."""
    deck, problems = checked_deck(file, database, game, choices)
    if problems:
        what = first_problem(problems)
        option = "" if game == DEFAULT_GAME else f" --for {game}"
        raise CatalogError(f"{file} is not a legal deck: {what}.\nFor all of it: ccgrid deck check {file}{option}")
    return deck.cards


def first_problem(problems: Sequence[Problem]) -> str:
    """What is wrong with a deck, as a sentence says it: the first problem."""
    first = problems[0]
    return f"{first.card}: {first.reason}" if first.card else first.reason


def checked_deck(
    file: Path, database: Path | None, game: str | None = None, choices: Choices | None = None
) -> tuple[Deck, list[Problem]]:
    """The deck in a file with its cards found, and what is wrong with it; a written-out card needs no catalogue.

    It is checked as a deck for `game`, else for the game that the file names, else for `DEFAULT_GAME`. What was taken
    for its names is told by `choices`.

    Raises:
        CatalogError: the file holds no deck, or one for another game.
    """
    from ccgrid.catalog.collection.deck_files import read_deck  # which knows every format of collections, too

    listed = read_deck(file)
    decks = find_decks(_game(listed, file, game))
    sizes: int | range = decks.sizes if len(decks.sizes) > 1 else decks.sizes[0]
    written_out = {entry: entry.card for entry in listed.entries if entry.card is not None}
    if len(written_out) == len(set(listed.entries)) and not has_cards(database):
        return check_deck(listed, lambda entry: written_out[entry], sizes, decks.fault)
    with open_catalogue(database) as store:
        finder = EntryFinder(store, choices or Choices(), decks)
        return check_deck(listed, finder.find, sizes, decks.fault)


def _game(listed: ListedDeck, file: Path, game: str | None) -> str:
    if game is not None:
        find_decks(game)
    if game is not None and listed.plays is not None and game != listed.plays:
        raise CatalogError(f"{file} is a deck for {listed.plays!r}, not for {game}.")
    if game is None and listed.plays is not None:
        try:
            find_decks(listed.plays)
        except CatalogError as error:  # what a file says is not the command line's fault
            raise CatalogError(f"{file}: {error}") from None
    return game or listed.plays or DEFAULT_GAME
