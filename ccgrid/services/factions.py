"""Factions: the ready-made decks of games, bundled or in files."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ccgrid.engine import schema
from ccgrid.engine.decks import ReadyDeck
from ccgrid.engine.errors import EngineError, RecordError, check_name
from ccgrid.engine.games import ready_decks
from ccgrid.engine.schema import describe_value

if TYPE_CHECKING:
    from ccgrid.engine.faction_answers import FactionProblem
    from ccgrid.services.faction_answers import FactionCheckResult, ListedFaction


class FoundFaction(NamedTuple):
    """A ready-made deck, and its game."""

    game: str
    deck: ReadyDeck

    def answer(self) -> "ListedFaction":
        """Return a line of `faction list --json`."""
        from ccgrid.services.faction_answers import ListedFaction

        deck = self.deck
        return ListedFaction(game=self.game, name=deck.name, title=deck.title, about=deck.about, cards=len(deck.cards))


class FactionCheck(NamedTuple):
    """The problems of a faction file, or the faction if there are none."""

    problems: "Sequence[FactionProblem]"
    faction: FoundFaction | None

    def larger_rival(self) -> ReadyDeck | None:
        """Return the smallest bundled faction of the game, if it has more cards; else None."""
        if self.faction is None:
            return None
        bundled = ready_decks()[self.faction.game].bundled()
        rival = min(bundled, key=lambda deck: len(deck.cards), default=None)
        return rival if rival and len(rival.cards) > len(self.faction.deck.cards) else None

    def answer(self, file: Path) -> "FactionCheckResult":
        """Return what `faction check --json` prints."""
        from ccgrid.services.faction_answers import FactionCheckResult

        return FactionCheckResult(ok=self.faction is not None, file=str(file), problems=list(self.problems))


def bundled_factions() -> list[FoundFaction]:
    """Return the factions that come with the program, game by game."""
    return [FoundFaction(game, deck) for game, decks in ready_decks().items() for deck in decks.bundled()]


def bundled_faction(name: object) -> FoundFaction | None:
    """Return the faction of this name that comes with the program, or None if there is none."""
    return next((one for one in bundled_factions() if one.deck.name == name), None)


def find_faction(name: str) -> FoundFaction:
    """Read a faction from a file if the name ends in `.toml`, or else return the bundled faction of this name.

    Raises:
        EngineError: If there is none, or the file is invalid.
    """
    if name.endswith(".toml"):
        problems, faction = check_faction(Path(name))
        if faction is None:
            raise EngineError(f"{problems[0]}{f' (and {len(problems) - 1} more)' if problems[1:] else ''}")
        return faction
    bundled = {faction.deck.name: faction for faction in bundled_factions()}
    check_name("faction", name, list(bundled))
    return bundled[name]


def check_faction(file: Path) -> FactionCheck:
    """Check a faction file by the rules of the game that it names; a bundled faction's name is valid, too.

    A file that names no game is for the first game with factions.

    Raises:
        EngineError: If the file cannot be read.
    """
    if not file.exists() and (faction := bundled_faction(str(file))):
        return FactionCheck([], faction)
    from ccgrid.catalog.file_kinds import DAMAGED, FileKind, check_kind
    from ccgrid.engine.faction_answers import FactionProblem

    check_kind(file, {FileKind.FACTION} | DAMAGED, FileKind.FACTION.value)
    try:
        with file.open("rb") as stream:
            data = stream.read(schema.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{file}: {error.strerror or error}.") from None
    ready = ready_decks()
    game: object = next(iter(ready))
    with suppress(RecordError):  # it is reported with all other problems
        game = schema.parse_toml(data).get("game", game)
    if not isinstance(game, str) or game not in ready:
        reason = f"must be a game that has factions, {' or '.join(ready)}, not {describe_value(game)}"
        return FactionCheck([FactionProblem(file=file.name, card=None, key="game", reason=reason)], None)
    problems = ready[game].problems(data, file.name)
    return FactionCheck(problems, None if problems else FoundFaction(game, ready[game].read(data, file.name)))
