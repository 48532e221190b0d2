"""The ready-made decks of all games: what completion asks for, without anything that knows a catalogue."""

from engine.decks import ReadyDecks
from engine.games import GAMES, find_game


def ready_decks() -> dict[str, ReadyDecks]:
    """The ready-made decks of every game that has some, by the game's name."""
    games = map(find_game, GAMES.having("factions"))
    return {game.name: game.factions for game in games if game.factions is not None}
