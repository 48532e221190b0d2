"""What a page is made of: the deck or the game in a file or a code."""

from pathlib import Path

from catalog.card import CatalogError
from catalog.decks.deck import Deck
from ccgrid.services.choices import Choices
from ccgrid.services.codes import holds_games
from ccgrid.services.deck_checks import checked_deck, first_problem
from ccgrid.services.records import read_record
from engine.games import GAMES, find_game
from engine.records.record import Record


def deck_or_game(file: Path, database: Path | None, choices: Choices) -> Deck | Record:
    """The legal deck for a game that is played on a page, or the game of any kind, in a file or a code.

    Raises:
        RecordError: the game is not valid, or there are several.
        CatalogError: the deck is not legal, or is for another game.
        EngineError: the game cannot be checked.
    """
    if holds_games(file):
        return read_record(file, database, choices)
    deck, problems = checked_deck(file, database, None, choices)
    if deck.plays not in (None, *(there := GAMES.having("page"))):
        titles = " or ".join(find_game(game).title for game in there)
        raise CatalogError(f"The page of a deck is for {titles}, and this deck is for {deck.plays}.")
    if problems:
        what = first_problem(problems)
        raise CatalogError(f"This is not a legal deck: {what}.\nSee all of it with: ccgrid deck check FILE")
    return deck
