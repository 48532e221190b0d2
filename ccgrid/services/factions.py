"""The ready-made decks of the games that have some, by the names that people call them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ccgrid.services.ready_decks import ready_decks
from engine import codecs
from engine.decks import FactionProblem, ReadyDeck
from engine.errors import EngineError, quoted
from engine.registry import check_name
from engine.schema import RecordError, kind_of


class Faction(NamedTuple):
    """A ready-made deck, and the game that it is for."""

    game: str
    deck: ReadyDeck


class CheckedFaction(NamedTuple):
    """Everything that is wrong with a faction file, or the faction where nothing is."""

    problems: Sequence[FactionProblem]
    faction: Faction | None


def bundled_factions() -> list[Faction]:
    """The factions that come with the program, game by game."""
    return [Faction(game, deck) for game, decks in ready_decks().items() for deck in decks.bundled()]


def faction_called(name: str) -> Faction:
    """The faction in a file, where the name ends in `.toml`, else the bundled one of this name.

    Raises:
        EngineError: there is none, or something is wrong with it.
    """
    if name.endswith(".toml"):
        problems, faction = checked_faction(Path(name))
        if faction is None:
            raise EngineError(f"{problems[0]}{f' (and {len(problems) - 1} more)' if problems[1:] else ''}")
        return faction
    bundled = {faction.deck.name: faction for faction in bundled_factions()}
    check_name("faction", name, list(bundled))
    return bundled[name]


def checked_faction(file: Path) -> CheckedFaction:
    """What is wrong with a faction file by the rules of the game that it names, or the faction in it.

    A file that names no game is for the first one that has factions. Raises EngineError where it cannot be read.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(codecs.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{quoted(file)} cannot be read: {error.strerror or error}") from None
    ready = ready_decks()
    game: object = next(iter(ready))
    with suppress(RecordError):  # which is told with everything else that is wrong
        game = codecs.parse_toml(data).get("game", game)
    if not isinstance(game, str) or game not in ready:
        reason = f"must be a game that has factions, {' or '.join(ready)}, not {kind_of(game)}"
        return CheckedFaction([FactionProblem(file.name, None, "game", reason)], None)
    problems = ready[game].problems(data, file.name)
    return CheckedFaction(problems, None if problems else Faction(game, ready[game].read(data, file.name)))


def titles() -> dict[tuple[object, ...], str]:
    """The title of every bundled faction by its cards."""
    return {faction.deck.cards: faction.deck.title for faction in bundled_factions()}
