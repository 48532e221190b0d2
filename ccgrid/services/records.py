"""Games that were played, read from their files with the cards that they name, and whether they are valid."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from catalog.card import Card, CatalogError
from catalog.matching.beside import Asked
from catalog.matching.resolver import Resolver
from ccgrid.services.as_played import numbered
from ccgrid.services.choices import Choices
from ccgrid.services.record_decks import decks_beside
from engine.errors import EngineError, quoted
from engine.games import GAMES
from engine.records.decks import DeckLookup
from engine.records.files import EndingReading, read_ending, read_games, read_one
from engine.records.record import Reading, Record
from engine.records.record import replay_json as replay_json
from engine.schema import RecordError

if TYPE_CHECKING:
    from catalog.store.catalogue import Store

Checked = Reading | EndingReading
"""What became of one game in a file."""


@dataclass(frozen=True, slots=True)
class CardLookup:
    """Finds what a record names: cards in a catalogue, and decks in the folder of a record."""

    find: Callable[[str], Card]
    decks: Callable[[Path], DeckLookup]

    def __call__(self, text: str) -> Card:
        """The card with this id or name; raises CatalogError where there is none."""
        return self.find(text)


@contextmanager
def card_lookup(database: Path | None, choices: Choices | None = None) -> Iterator[CardLookup]:
    """Finds cards that a record names; the catalogue is opened when the first is asked for.

    What was taken for names is told by `choices`.

    Where there is none that is an EngineError: it is no fault of the record, as a card that is not found would be.
    """
    with ExitStack() as stack:
        opened: list[tuple[Store, Resolver]] = []
        taken = choices or Choices()

        def find(text: str) -> Card:
            if not opened:
                from ccgrid.services.catalogue import open_catalogue

                try:
                    store = stack.enter_context(open_catalogue(database))
                except CatalogError as error:
                    raise EngineError(f"it names {quoted(text)} without its numbers. {error}") from None
                resolver = taken.resolver(store, lambda card: _as_any_game_plays(store, card).legal)
                opened.append((store, resolver))
            store, resolver = opened[0]
            return _as_any_game_plays(store, taken.take(resolver, Asked(text)).card)

        yield CardLookup(find, lambda record: decks_beside(record, database, taken))


def _as_any_game_plays(store: "Store", card: Card) -> Card:
    """The card with the numbers of the game that plays it by others than its zones."""
    decks = [game.decks for game in GAMES if game.decks is not None]
    return reduce(lambda card, one: numbered(store, card, one), decks, card)


def read_record(file: Path, database: Path | None, choices: Choices | None = None) -> Record:
    """The one game in a file; what was taken for names is told by `choices`.

    Raises:
        RecordError: it is not valid; the place is `file` where it cannot be read at all.
        EngineError: it cannot be checked.
    """
    return read_reading(file, database, choices).require()


def read_reading(file: Path, database: Path | None, choices: Choices | None = None) -> Reading:
    """The one game in a file as far as it could be played, with what is wrong with it.

    Raises:
        RecordError: it cannot be read at all, or there are several.
        EngineError: it cannot be checked.
    """
    with card_lookup(database, choices) as find:
        try:
            return read_one(file, find, find.decks(file))
        except RecordError:
            raise
        except EngineError as error:
            raise EngineError(f"{file}: {error}") from None


def read_begun(file: Path, database: Path | None, choices: Choices | None, goes_on: Callable[[Record], bool]) -> Record:
    """The one game in a file, whose moves may need cards that it does not name, if somebody may tell them.

    `goes_on` says of a record whether its cards can be told.

    Raises:
        RecordError: it is not valid in another way, or its cards cannot be told.
        EngineError: it cannot be checked.
    """
    reading = read_reading(file, database, choices)
    needs_cards = reading.error is not None and reading.error.where.startswith("moves[")
    if needs_cards and reading.record is not None and goes_on(reading.record):
        return reading.record
    return reading.require()


def checked_games(file: Path, find: CardLookup, *, ending: bool = False) -> Iterator[Checked]:
    """The games in a file, or with `ending` what its players ended with.

    A file that cannot be opened or checked is a game that cannot be read.
    """
    try:
        if ending:
            yield read_ending(file, find)
        else:
            yield from read_games(file, find, find.decks(file))
    except EngineError as error:
        message = error.message if isinstance(error, RecordError) else " ".join(str(error).split())
        yield Reading(str(file), error=RecordError("file", message))
