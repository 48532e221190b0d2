"""The cards that a game is played with: a deck somebody names, or one drawn from the catalogue or the bundled cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from catalog.card import Card
    from catalog.decks import Deck, Problem
    from engine.simulation import DeckSource


def read_legal_deck(file: Path, database: Path | None) -> "tuple[Card, ...]":
    """The cards of a deck file; CatalogError, with the first problem, where the deck is not legal."""
    from catalog.card import CatalogError

    deck, problems = checked_deck(file, database)
    if problems:
        first = problems[0]
        what = f"{first.card}: {first.reason}" if first.card else first.reason
        raise CatalogError(f"{file} is not a legal deck: {what}.\nSee all of it with: ccgrid deck check {file}")
    return deck.cards


def checked_deck(file: Path, database: Path | None) -> "tuple[Deck, list[Problem]]":
    """The deck in a file with its cards found, and what is wrong with it; a written-out card needs no catalogue."""
    from catalog.decks import check_deck, read_deck
    from ccgrid.shelf import find_entry, has_cards, open_catalogue

    listed = read_deck(file)
    written_out = {entry: entry.card for entry in listed.entries if entry.card is not None}
    if len(written_out) == len(set(listed.entries)) and not has_cards(database):
        return check_deck(listed, lambda entry: written_out[entry])
    with open_catalogue(database) as store:
        return check_deck(listed, lambda entry: find_entry(store, entry))


def deck_source(
    game: str, players: int, file: Path | None, card_games: Sequence[str], database: Path | None
) -> "DeckSource":
    """Where the decks of many games come from: the file for every game, or random legal cards for each."""
    from engine.games import find_game
    from engine.simulation import FixedDecks, RandomDecks

    needed = find_game(game).decks_needed(players)
    if file is not None:
        return FixedDecks((read_legal_deck(file, database),) * needed)
    from catalog.decks import GRID_DECK
    from ccgrid.shelf import open_cards

    with open_cards(database) as store:
        for card_game in card_games:
            store.check_game(card_game)
        return RandomDecks(tuple(store.all_cards(card_games, legal=True)), GRID_DECK, needed)
