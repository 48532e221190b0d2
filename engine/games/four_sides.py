"""Cards with a number on each of four sides, and decks of them, ready-made or not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import ClassVar, Final

from ccgrid.catalog.card import HIGHEST, LOWEST, Card
from ccgrid.catalog.errors import CatalogError
from ccgrid.engine import schema
from ccgrid.engine.cards import UNKNOWN, CardEntry
from ccgrid.engine.deck_sources import RandomDecks
from ccgrid.engine.decks import PrintedFields, TooFewCardsError
from ccgrid.engine.errors import EngineError, RecordError, check_name, quoted
from ccgrid.engine.faction_answers import FactionProblem, ShownFaction, SidedCard
from ccgrid.engine.game import Lookup
from ccgrid.engine.schema import Table

SIDES: Final = ("top", "right", "bottom", "left")
"""The four sides of an upright card, clockwise: the order of processing."""

SIDED_CARD_TABLE: Final = schema.table({"name": schema.text, **dict.fromkeys(SIDES, schema.whole)})
SIDED_CARD: Final = schema.text_or_table(SIDED_CARD_TABLE)
"""A card with a name and a number on each side, or its name or id."""

Numbers = tuple[int, int, int, int]
"""A card's numbers, each 0 to 10, in the order of `SIDES`."""


def sided_card(name: str, top: int, right: int, bottom: int, left: int) -> Card:
    """Return a card with this name and these numbers.

    Raises:
        RecordError: If the name is empty, or a number is not 0 to 10; its place is the key.

    >>> sides(sided_card("Gate Warden", 5, 4, 7, 4))
    (5, 4, 7, 4)
    """
    if not name.strip():
        raise RecordError("name", "is empty: moves need card names")
    numbers = dict(zip(SIDES, (top, right, bottom, left), strict=True))
    for side, number in numbers.items():
        if not LOWEST <= number <= HIGHEST:
            raise RecordError(side, f"must be {LOWEST} to {HIGHEST}, not {number}")
    return Card(id="", game="", name=name, zones=numbers, score=sum(numbers.values()))


def sides(card: Card) -> Numbers:
    """Return the numbers of a card that has one on every side."""
    zones = card.zones
    return zones["top"], zones["right"], zones["bottom"], zones["left"]


@lru_cache(maxsize=1024)  # games share decks
def as_sided_card(card: Card) -> Card:
    """Return a card of any card game, with a number on every side, as records store it.

    Raises:
        EngineError: If a number is missing; the message names the side.
    """
    if missing := _missing_sides(card):
        raise EngineError(f"{quoted(card.name)} has no number at its {missing}: this game needs one on each side")
    return sided_card(card.name, *sides(card))


def _missing_sides(card: Card) -> str:
    return " and ".join(side for side in SIDES if side not in card.zones)


def read_sided_card(value: CardEntry, number: int, lookup: Lookup) -> Card | None:
    """Read a card from a valid value (`SIDED_CARD`), or return None for an unknown card.

    Raises:
        RecordError: If a name or id is not found, the card lacks a number, or a value is invalid; with its place.
    """
    if value == UNKNOWN:
        return None
    # Names and ids are looked up; a table contains its numbers, and only `sided_card` checks it.
    if not isinstance(value, str):
        return sided_card(**value)
    try:
        return as_sided_card(lookup(value))
    # This error is an `EngineError` as well, and has its place already.
    except RecordError:
        raise
    except (CatalogError, EngineError) as error:
        raise RecordError("", str(error)) from None


def sided_card_table(card: Card | None) -> dict[str, object] | str:
    """Return the table of a card with four numbers in a record, or the mark of an unknown card."""
    return UNKNOWN if card is None else {"name": card.name, **dict(zip(SIDES, sides(card), strict=True))}


@dataclass(frozen=True, slots=True)
class SidedDecks:
    """The decks of a game of cards with four sides: the allowed sizes, and the size of a random deck."""

    sizes: range
    usual: int
    any_legal: ClassVar[bool] = False
    numbers: ClassVar[tuple[str, ...]] = ()

    def fault(self, card: Card) -> str | None:
        """Return which sides have no number, or None if all have one."""
        missing = _missing_sides(card)
        return f"it has no number at its {missing}" if missing else None

    def dead_deck_reason(self, cards: Sequence[Card]) -> str | None:
        """Return that all numbers are equal, or None if they are not."""
        numbers = {card.zones.get(side) for card in cards for side in SIDES}
        return "all its numbers are equal, so no card can capture" if len(numbers) == 1 else None

    def facing_share(self, cards: Sequence[Card]) -> None:
        """Return None: all cards have all numbers."""

    def with_numbers(self, card: Card, printed: PrintedFields) -> Card:
        """Return the card with a number on each side, if it prints them elsewhere under the names of the sides.

        Triple Triad's four ranks are in one corner; its layouts name the fields after the sides.
        """
        if card.legal or self.fault(card) is None:
            return card
        fields = printed()
        ranks = {side: int(fields[side]) for side in SIDES if fields.get(side, "").isdecimal()}
        if len(ranks) < len(SIDES) or not all(LOWEST <= rank <= HIGHEST for rank in ranks.values()):
            return card
        # A score that counts more than the ranks stays.
        return replace(card, zones=ranks, score=max(card.score, sum(ranks.values())))

    def random_decks(self, cards: Iterable[Card], count: int, numbers: Mapping[str, int]) -> RandomDecks:
        """Return random decks of different cards, as records of the game store them.

        Raises:
            TooFewCardsError: If there are too few cards.
        """
        usable = tuple(as_sided_card(card) for card in cards if self.fault(card) is None)
        if len(usable) < self.usual:
            raise TooFewCardsError(self.usual, "cards with a number on every side", len(usable))
        return RandomDecks(usable, self.usual, count)


FORMAT: Final = 1
_KEYS: Final = ("format", "game", "name", "title", "about", "cards")
_CARD_KEYS: Final = ("name", *SIDES)


@dataclass(frozen=True, slots=True)
class Faction:
    """A ready-made deck: its name for commands, its title, a sentence about it, and its cards."""

    game: str
    name: str
    title: str
    about: str
    cards: tuple[Card, ...]

    def answer(self) -> ShownFaction:
        """Return the faction as `faction show --json` prints it."""
        cards = [SidedCard(name=card.name, **dict(zip(SIDES, sides(card), strict=True))) for card in self.cards]
        return ShownFaction(game=self.game, name=self.name, title=self.title, about=self.about, cards=cards)


@dataclass(frozen=True, slots=True)
class Factions:
    """The factions of a game: those in the files of a package, and those in users' files.

    Attributes:
        game: The game; a file without a game belongs to it.
        package: The package whose files `NAME.toml` are the bundled factions.
        sizes: The numbers of cards that a faction may have.
    """

    game: str
    package: str
    sizes: range

    def bundled(self) -> tuple[Faction, ...]:
        """Return the bundled factions by name."""
        return _bundled(self)

    def find(self, name: str) -> Faction:
        """Return the faction in a file if the name ends in `.toml`, else the bundled one.

        Raises:
            EngineError: If it is not found, or the file is not valid.
        """
        if name.endswith(".toml"):
            return self.read(faction_bytes(name), Path(name).name)
        bundled = {faction.name: faction for faction in self.bundled()}
        check_name("faction", name, list(bundled))
        return bundled[name]

    def read(self, data: bytes, file: str) -> Faction:
        """Read a faction from the content of a file.

        Raises:
            EngineError: If it is not valid; the message has the first problem, with the file, the card and the key.
        """
        if problems := self.problems(data, file):
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise EngineError(f"{problems[0]}{more}")
        # Read the document again, because `problems` does not keep it; a faction has only a few cards.
        document = schema.parse_toml(data)
        name, cards = document["name"], tuple(sided_card(**card) for card in document["cards"])
        return Faction(self.game, name, document.get("title", name), document.get("about", ""), cards)

    def problems(self, data: bytes, file: str) -> list[FactionProblem]:
        """Return all problems of the content of a file; `file` is its name in the messages."""
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
    """Return the content of a faction file, limited to the maximum length of a faction.

    Raises:
        EngineError: If the file cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(schema.LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise EngineError(f"{path}: {error.strerror or error}.") from None


def _problems(document: Table, file: str, factions: Factions) -> Iterator[FactionProblem]:
    for key in document:
        if key not in _KEYS:
            yield FactionProblem(file, None, schema.key_name(key), f"unknown key; known here: {', '.join(_KEYS)}")
    if document.get("format", FORMAT) != FORMAT:
        yield FactionProblem(file, None, "format", f"must be {FORMAT}, not {schema.describe_value(document['format'])}")
    if document.get("game", factions.game) != factions.game:
        wanted = f"must be {quoted(factions.game)} here, not {schema.describe_value(document['game'])}"
        yield FactionProblem(file, None, "game", wanted)
    for key in ("name", "title", "about"):
        if key not in document:
            if key == "name":
                yield FactionProblem(file, None, key, "is missing: give the name to type")
        elif not isinstance(document[key], str) or not document[key].strip():
            yield FactionProblem(
                file, None, key, f"must be a text that is not empty, not {schema.describe_value(document[key])}"
            )
    cards = document.get("cards")
    if not isinstance(cards, list):
        yield FactionProblem(
            file,
            None,
            "cards",
            "is missing" if cards is None else f"must be a list, not {schema.describe_value(cards)}",
        )
        return
    if len(cards) not in factions.sizes:
        counts = f"{factions.sizes[0]} to {factions.sizes[-1]} cards"
        yield FactionProblem(file, None, "cards", f"must be {counts}, not {len(cards)}")
    seen: dict[str, object] = {}
    # Check only the number of cards that a faction may have: a file may contain thousands.
    for number, card in enumerate(cards[: factions.sizes[-1]], start=1):
        yield from _card_problems(card, number, file)
        name = card.get("name") if isinstance(card, dict) else None
        # Copies are listed as equal entries; only another card with this name and other numbers is an error.
        if isinstance(name, str) and seen.setdefault(name, card) != card:
            yield FactionProblem(file, quoted(name), "name", "another card has this name, with other numbers")


def _card_problems(card: object, number: int, file: str) -> Iterator[FactionProblem]:
    if not isinstance(card, dict):
        yield FactionProblem(
            file, str(number), None, f"must be a table like {{ name = …, top = … }}, not {schema.describe_value(card)}"
        )
        return
    name = card.get("name")
    subject = quoted(name) if isinstance(name, str) and name.strip() else str(number)
    for key in card:
        if key not in _CARD_KEYS:
            yield FactionProblem(
                file, subject, schema.key_name(key), f"unknown key; known here: {', '.join(_CARD_KEYS)}"
            )
    for key in _CARD_KEYS:
        try:
            if key not in card:
                raise RecordError(key, "is missing")  # noqa: TRY301  said like everything else that is wrong with it
            (schema.text if key == "name" else schema.whole)(card[key])
            # Only the range of this value is checked; the others are valid placeholders.
            sided_card(**{"name": "any", **dict.fromkeys(SIDES, 0), key: card[key]})
        except RecordError as error:
            yield FactionProblem(file, subject, key, error.message)
