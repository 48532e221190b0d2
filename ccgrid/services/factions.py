"""The ready-made decks of the games that have some, by the names that people call them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ccgrid.services.ready_decks import ready_decks
from engine import codecs
from engine.decks import DeckProblem, ReadyDeck, ReadyDecks
from engine.errors import EngineError, quoted


class Faction(NamedTuple):
    """A ready-made deck, and the game that it is for."""

    game: str
    deck: ReadyDeck


class CheckedFaction(NamedTuple):
    """Everything that is wrong with a faction file, or the faction where nothing is."""

    problems: Sequence[DeckProblem]
    deck: ReadyDeck | None


def bundled_factions() -> list[Faction]:
    """The factions that come with the program, game by game."""
    return [Faction(game, deck) for game, decks in ready_decks().items() for deck in decks.bundled()]


def faction_called(name: str) -> Faction:
    """The faction in a file, where the name ends in `.toml`, else the bundled one of this name.

    Raises:
        EngineError: there is none, or something is wrong with it.
    """
    for faction in bundled_factions():
        if faction.deck.name == name:
            return faction
    game, decks = _first()
    return Faction(game, decks.find(name))


def checked_faction(file: Path) -> CheckedFaction:
    """What is wrong with a faction file, or the faction in it; EngineError where the file cannot be read."""
    try:
        with file.open("rb") as opened:
            data = opened.read(codecs.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{quoted(file)} cannot be read: {error.strerror or error}") from None
    _, decks = _first()
    problems = decks.problems(data, file.name)
    return CheckedFaction(problems, None if problems else decks.read(data, file.name))


def titles() -> dict[tuple[object, ...], str]:
    """The title of every bundled faction by its cards."""
    return {faction.deck.cards: faction.deck.title for faction in bundled_factions()}


def _first() -> tuple[str, ReadyDecks]:
    """The game whose files of ready-made decks are meant where nothing says which: the first that has any."""
    return next(iter(ready_decks().items()))
