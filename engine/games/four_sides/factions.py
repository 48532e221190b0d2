"""Factions: ready-made decks of cards with four sides, read from TOML files, with everything that is wrong in one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, cast

from ccgrid.catalog.card import Card
from ccgrid.engine import schema
from ccgrid.engine.decks import FactionJson, FactionProblem, SidedCardJson
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.games.four_sides.cards import SIDES, sided_card, sided_card_table
from ccgrid.engine.registry import find_named
from ccgrid.engine.schema import RecordError

FORMAT: Final = 1
_KEYS: Final = ("format", "game", "name", "title", "about", "cards")
_CARD_KEYS: Final = ("name", *SIDES)


@dataclass(frozen=True, slots=True)
class Faction:
    """A deck of a game, with a name that people type, a title that they read, a sentence about it, and its cards."""

    game: str
    name: str
    title: str
    about: str
    cards: tuple[Card, ...]

    def to_dict(self) -> FactionJson:
        """The faction as scripts see it."""
        cards = cast("list[SidedCardJson]", [sided_card_table(card) for card in self.cards])
        return {"game": self.game, "name": self.name, "title": self.title, "about": self.about, "cards": cards}


@dataclass(frozen=True, slots=True)
class Factions:
    """The factions of a game: those in the files of a package, and those in files that people write.

    Attributes:
        game: the game. A file that names none is taken to be of it.
        package: whose files `NAME.toml` are the factions that come with the program.
        sizes: how many cards a faction may have.
    """

    game: str
    package: str
    sizes: range

    def bundled(self) -> tuple[Faction, ...]:
        """The factions that come with the program, by name."""
        return _bundled(self)

    def find(self, name: str) -> Faction:
        """The faction in a file, where the name ends in `.toml`, else the bundled one; raises EngineError."""
        if name.endswith(".toml"):
            return self.read(faction_bytes(name), Path(name).name)
        return find_named("faction", name, self.bundled())

    def read(self, data: bytes, file: str) -> Faction:
        """The faction in the bytes of a file.

        Raises:
            EngineError: something is wrong with it; the first problem, with the file, the card and the key.
        """
        if problems := self.problems(data, file):
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise EngineError(f"{problems[0]}{more}")
        document = schema.parse_toml(data)
        name, cards = document["name"], tuple(sided_card(**card) for card in document["cards"])
        return Faction(self.game, name, document.get("title", name), document.get("about", ""), cards)

    def problems(self, data: bytes, file: str) -> list[FactionProblem]:
        """Everything that is wrong with the bytes of a file, called `file` in the answers; none if all is well."""
        try:
            document = schema.parse_toml(data)
        except RecordError as error:
            return [FactionProblem(file, None, None, error.message)]
        return list(_problems(document, file, self))


@cache
def _bundled(factions: Factions) -> tuple[Faction, ...]:
    folder = resources.files(factions.package)
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name)
    return tuple(factions.read(entry.read_bytes(), entry.name) for entry in files)


def faction_bytes(path: str | Path) -> bytes:
    """What is in a faction file, no more of it than a faction may be long.

    Raises:
        EngineError: the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(schema.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{quoted(path)} cannot be read: {error.strerror or error}") from None


def _problems(document: Mapping[str, Any], file: str, factions: Factions) -> Iterator[FactionProblem]:
    for key in document:
        if key not in _KEYS:
            yield FactionProblem(file, None, schema.key_name(key), f"unknown key; known here: {', '.join(_KEYS)}")
    if document.get("format", FORMAT) != FORMAT:
        yield FactionProblem(file, None, "format", f"must be {FORMAT}, not {schema.kind_of(document['format'])}")
    if document.get("game", factions.game) != factions.game:
        wanted = f"must be {quoted(factions.game)} here, not {schema.kind_of(document['game'])}"
        yield FactionProblem(file, None, "game", wanted)
    for key in ("name", "title", "about"):
        if key not in document:
            if key == "name":
                yield FactionProblem(file, None, key, "is missing: give the name to type")
        elif not isinstance(document[key], str) or not document[key].strip():
            yield FactionProblem(
                file, None, key, f"must be a text with something in it, not {schema.kind_of(document[key])}"
            )
    cards = document.get("cards")
    if not isinstance(cards, list):
        yield FactionProblem(
            file, None, "cards", "is missing" if cards is None else f"must be a list, not {schema.kind_of(cards)}"
        )
        return
    if len(cards) not in factions.sizes:
        counts = f"{factions.sizes[0]} to {factions.sizes[-1]} cards"
        yield FactionProblem(file, None, "cards", f"must be {counts}, not {len(cards)}")
    seen: dict[str, object] = {}
    for number, card in enumerate(cards[: factions.sizes[-1]], start=1):
        yield from _card_problems(card, number, file)
        name = card.get("name") if isinstance(card, dict) else None
        if isinstance(name, str) and seen.setdefault(name, card) != card:
            yield FactionProblem(file, quoted(name), "name", "another card has this name, with other numbers")


def _card_problems(card: object, number: int, file: str) -> Iterator[FactionProblem]:
    if not isinstance(card, dict):
        yield FactionProblem(
            file, str(number), None, f"must be a table like {{ name = …, top = … }}, not {schema.kind_of(card)}"
        )
        return
    name = card.get("name")
    called = quoted(name) if isinstance(name, str) and name.strip() else str(number)
    for key in card:
        if key not in _CARD_KEYS:
            yield FactionProblem(
                file, called, schema.key_name(key), f"unknown key; known here: {', '.join(_CARD_KEYS)}"
            )
    for key in _CARD_KEYS:
        try:
            if key not in card:
                raise RecordError(key, "is missing")  # noqa: TRY301  said like everything else that is wrong with it
            (schema.text if key == "name" else schema.whole)(card[key])
            sided_card(**{"name": "any", **dict.fromkeys(SIDES, 0), key: card[key]})
        except RecordError as error:
            yield FactionProblem(file, called, key, error.message)
