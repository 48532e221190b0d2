"""The decks that a user names for a game with real cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import is_code
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.engine.errors import quoted
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.real_cards import find_real_cards
from ccgrid.services.choices import Choices
from ccgrid.services.decks import read_legal_deck
from ccgrid.services.factions import bundled_faction, bundled_factions
from ccgrid.services.files import is_file


class RealDecks(NamedTuple):
    """A game and its decks in seat order: one for all players, one for each, or none."""

    game: str
    decks: Sequence[Sequence[Card]]


def real_decks(words: Sequence[str | Path], players: int | None, database: Path | None, choices: Choices) -> RealDecks:
    """Return the game and the decks that words name. An existing file takes precedence over a faction or game.

    Args:
        words: A game, decks (files and factions), or both.
        players: The number of players, or None if it is unknown.
        database: The catalogue that contains the cards.
        choices: Asks about ambiguous names, and collects notices about interpreted ones.

    Raises:
        CatalogError: If a name is unknown, a deck is not legal, or decks are missing or too many.
        EngineError: If the game has no referee.
    """
    game, names = None, list(words)
    if names and not is_file(Path(names[0])) and names[0] in GAMES.names:
        game = str(names.pop(0))
    factions = {one.deck.name: one.game for one in bundled_factions()}
    game = game or next((factions[str(name)] for name in names if name in factions and not is_file(Path(name))), None)
    decks: list[Sequence[Card]] = []
    for name in names:
        found = _deck(name, game, database, choices)
        if game not in (None, found.game):
            raise CatalogError(f"{name} is a deck for {found.game}, not for {game}.")
        game = found.game
        decks += found.decks
    game = game or GAMES.default
    find_real_cards(game)
    needed = find_game(game).decks_needed(players or max(2, len(decks)))
    if needed and not decks:
        wanted = "the deck on the table" if needed == 1 else "one deck for all, or one for each player"
        raise UsageError(f"Name {wanted}: ccgrid table {_example(game, needed)}")
    if len(decks) not in {needed, min(needed, 1)}:
        wanted = f"{needed} decks, or one for all" if needed > 1 else "1 deck" if needed else "its own cards, no deck"
        raise UsageError(f"{game} needs {wanted}, not {len(decks)}.")
    return RealDecks(game, decks)


def _example(game: str, needed: int) -> str:
    factions = [faction.deck.name for faction in bundled_factions() if faction.game == game]
    if len(factions) >= needed > 1:
        return " ".join(factions[:needed])
    return " ".join(["deck.toml"] if needed == 1 else [f"deck-{number}.toml" for number in range(1, needed + 1)])


def _deck(name: str | Path, game: str | None, database: Path | None, choices: Choices) -> RealDecks:
    path = name if isinstance(name, Path) else Path(name)
    if not is_file(path):
        if faction := bundled_faction(name):
            return RealDecks(faction.game, [faction.deck.cards])
        if not path.suffix and not path.exists() and not is_code(str(name)):
            games = ", ".join(GAMES.names)
            named = ", ".join(faction.deck.name for faction in bundled_factions())
            raise UsageError(f"{quoted(name)} is not a file, a game or a faction. Games: {games}. Factions: {named}.")
    deck = read_legal_deck(path, database, game, choices)
    return RealDecks(deck.plays or game or GAMES.default, [deck.cards])
