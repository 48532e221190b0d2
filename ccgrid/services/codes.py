"""The codes of the games or the deck in a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ccgrid.catalog.codes import is_code, read_code
from ccgrid.catalog.decks import Deck
from ccgrid.catalog.file_kinds import DAMAGED, DECK_FILES, GAME_FILES, check_kind
from ccgrid.engine.games import GAMES
from ccgrid.engine.records.codes import WrittenCode, deck_code, record_code
from ccgrid.engine.records.files import read_games
from ccgrid.engine.records.record import Record
from ccgrid.services.choices import Choices
from ccgrid.services.records import card_lookup


class WrittenLine(msgspec.Struct, frozen=True, kw_only=True):
    """The line of a game or a deck, its length, and the parts that were dropped to fit."""

    code: str
    length: int
    left_out: list[str]


class CodeLine(NamedTuple):
    """A game or a deck, and its code."""

    source: Record | Deck
    code: WrittenCode

    def answer(self) -> WrittenLine:
        """Return the line that `code --json` prints."""
        line = self.code.line
        return WrittenLine(code=line, length=len(line), left_out=list(self.code.left_out))


def codes_of(file: Path, database: Path | None, choices: Choices, game: str | None = None) -> Iterator[CodeLine]:
    """Yield the code of every game in a file, or of its deck; `game` is the default game of a deck.

    Raises:
        RecordError: If a game is not valid.
        CatalogError: If the deck is not legal, or there is neither a deck nor a game.
        EngineError: If a game cannot be checked.
    """
    if not holds_games(file):
        from ccgrid.services.decks import read_legal_deck

        deck = read_legal_deck(file, database, game, choices)
        yield CodeLine(deck, deck_code(deck.plays or game or GAMES.default, deck.cards, deck.name, deck.seed))
        return
    with card_lookup(database, choices) as find:
        for reading in read_games(file, find, find.decks(file)):
            record = reading.require()
            yield CodeLine(record, record_code(record))


def holds_games(file: Path) -> bool:
    """Return whether a file or a code contains games instead of a deck."""
    if is_code(str(file)):
        return read_code(str(file)).game is not None  # raises CodeError if it is damaged
    return check_kind(file, GAME_FILES | DECK_FILES | DAMAGED, "a deck or a record of games").kind in GAME_FILES
