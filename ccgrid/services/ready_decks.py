"""The ready-made decks of all games: what help texts and completion ask for, without anything that knows cards."""

from engine.decks import ReadyDecks
from engine.games import GAMES


def ready_decks() -> dict[str, ReadyDecks]:
    """The ready-made decks of every game that has some, by the game's name."""
    return {game.name: game.decks.ready for game in GAMES if game.decks is not None and game.decks.ready is not None}
