"""Games and decks in files, or in codes, as codes: one line of text each, to be sent in a message."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.codes import is_code, read_code
from ccgrid.catalog.decks import Deck
from ccgrid.engine.records.codes import WrittenCode, deck_code, record_code
from ccgrid.engine.records.files import JSON_LINES, read_games
from ccgrid.engine.records.record import Record
from ccgrid.engine.schema import RecordError
from ccgrid.services.choices import Choices
from ccgrid.services.decks import DEFAULT_GAME, checked_deck, first_problem
from ccgrid.services.records import card_lookup

_BEGINNING = 1 << 16
_PLAYERS: Final = re.compile(r'^\s*players\s*=|(?s:\A\s*\{.*"players")', re.MULTILINE)
"""What games have, and decks have not."""


class CodeJson(TypedDict):
    """The line of a game or a deck, its characters, and in words what was left out for lack of room."""

    code: str
    length: int
    left_out: list[str]


class Coded(NamedTuple):
    """A game or a deck, and its line."""

    source: Record | Deck
    code: WrittenCode

    def to_dict(self) -> CodeJson:
        """The documented shape of a line of `code --json`."""
        return {"code": self.code.line, "length": len(self.code.line), "left_out": list(self.code.left_out)}


def coded(file: Path, database: Path | None, choices: Choices, game: str | None = None) -> Iterator[Coded]:
    """Every game in a file, or the deck in it, as codes; `game` is what a deck is for that does not say it.

    Raises:
        RecordError: a game is not valid.
        CatalogError: the deck is not legal, or is no deck.
        EngineError: a game cannot be checked.
    """
    if not holds_games(file):
        deck = _legal(file, database, choices, game)
        yield Coded(deck, deck_code(deck.plays or game or DEFAULT_GAME, deck.cards, deck.name, deck.seed))
        return
    with card_lookup(database, choices) as find:
        for reading in read_games(file, find, find.decks(file)):
            record = reading.require()
            yield Coded(record, record_code(record))


def holds_games(file: Path) -> bool:
    """Whether a file, or a code, holds games and not a deck."""
    if is_code(str(file)):
        return read_code(str(file)).game is not None
    if file.suffix in JSON_LINES:
        return True
    try:
        with file.open("rb") as opened:
            text = opened.read(_BEGINNING).decode("utf-8-sig", "replace")
    except OSError as error:
        raise RecordError("file", f"cannot be read: {error.strerror or error}") from None
    first = text.strip().partition("\n")[0]
    return read_code(first).game is not None if is_code(first) else _PLAYERS.search(text) is not None


def _legal(file: Path, database: Path | None, choices: Choices, game: str | None) -> Deck:
    deck, problems = checked_deck(file, database, game, choices)
    if problems:
        what = first_problem(problems)
        raise CatalogError(f"This deck is not legal: {what}.\nFor all of it: ccgrid deck check FILE")
    return deck
