"""Decks in files, with their cards found and everything that is wrong with them for their game."""

from collections.abc import Sequence
from pathlib import Path

from catalog.card import Card, CatalogError
from catalog.decks.deck import Deck
from catalog.decks.listed import ListedDeck, Problem, check_deck
from ccgrid.services.catalogue import has_cards, open_catalogue
from ccgrid.services.choices import Choices
from ccgrid.services.deck_entries import EntryFinder
from ccgrid.services.deck_sources import find_decks
from engine.games import GAMES

DEFAULT_GAME = GAMES.having("decks")[0]
"""A deck that names no game is for this one."""


def read_legal_deck(file: Path, game: str, database: Path | None, choices: Choices | None = None) -> tuple[Card, ...]:
    """The cards of a deck file; CatalogError, with the first problem, where the deck is not legal in this game."""
    deck, problems = checked_deck(file, database, game, choices)
    if problems:
        what = first_problem(problems)
        option = "" if game == DEFAULT_GAME else f" --for {game}"
        raise CatalogError(f"{file} is not a legal deck: {what}.\nSee all of it with: ccgrid deck check {file}{option}")
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
    from catalog.collection.deck_files import read_deck  # which knows every format of collections, too

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
