"""The ready-made decks of all games: what completion asks for, without anything that knows a catalogue."""

from engine.decks import ReadyDecks
from engine.games import GAMES


def ready_decks() -> dict[str, ReadyDecks]:
    """The ready-made decks of every game that has some, by the game's name."""
    games = [entry.load() for entry in GAMES.entries if entry.has_ready_decks]
    return {game.name: game.decks.ready for game in games if game.decks is not None and game.decks.ready is not None}
