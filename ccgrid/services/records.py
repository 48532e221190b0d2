"""Records of games in files: finding their cards, and checking them."""

import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ccgrid.catalog import matching
from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import is_code
from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.file_kinds import DAMAGED, GAME_FILES, FileKind, detect_kind, wrong_kind_message
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.engine.errors import EngineError, RecordError, quoted
from ccgrid.engine.games import GAMES
from ccgrid.engine.records.files import JSON_LINES, EndingReading, read_ending, read_games, read_single_game
from ccgrid.engine.records.record import DeckLookup, Reading, Record, no_decks
from ccgrid.engine.records.record import replay as replay
from ccgrid.services.choices import Choices, with_game_numbers
from ccgrid.services.files import check_free, is_file
from ccgrid.services.output_kinds import RECORD

if TYPE_CHECKING:
    from ccgrid.catalog.matching.resolver import Resolver
    from ccgrid.catalog.store.catalogue import Store

_NAMED: Final = lazy_pattern(r"(?P<name>.+?)(?:#sha256=(?P<digest>[0-9a-fA-F]{8,64}))?", re.DOTALL)
_ELSEWHERE: Final = lazy_pattern(r"^(?:/|[A-Za-z]:)|\\")
"""A pattern of absolute paths, paths with a drive, and paths of another machine."""
_DEVICE: Final = lazy_pattern(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$) *(?:\..*)?", re.IGNORECASE | re.DOTALL)
"""A pattern of the names of devices on Windows, which no system accepts, so that records mean the same everywhere."""
_JUNCTION: Final = 0xA0000003
"""The tag of a junction, a link to a folder on Windows."""
_SHOWN: Final = 12
"""The number of digits of a checksum in messages."""


def deck_lookup_for(record: Path, database: Path | None, choices: Choices) -> DeckLookup:
    """Return a function that finds decks by name or path in the folder of a record or below it.

    A record in a code or from a pipe has no folder; only ready-made decks are found for it.
    """
    folder = record.parent if is_file(record) and str(record) != "-" and not is_code(str(record)) else None

    def find(text: str, game: str) -> Sequence[Card]:
        named = _NAMED.fullmatch(text)
        name, digest = (named["name"], named["digest"]) if named else (text, None)
        from ccgrid.services.decks import read_legal_deck
        from ccgrid.services.factions import bundled_faction

        path = _path(folder, name)
        if path is None:
            if (faction := bundled_faction(name)) and faction.game == game and digest is None:
                return faction.deck.cards
            if folder is None:
                return no_decks(text, game)
            raise CatalogError(f"there is no deck {quoted(name)} in {folder}")
        if digest is not None and not (found := _digest(path)).startswith(digest.lower()):
            raise CatalogError(f"{quoted(name)} has changed: its sha256 now starts with {found[:_SHOWN]}")
        return read_legal_deck(path, database, game, choices).cards

    return find


def _path(folder: Path | None, name: str) -> Path | None:
    """Return the file of this name, with or without its suffix, in a folder or below it, or None if there is none.

    No file is opened, and nothing outside of the folder is accessed.

    Raises:
        CatalogError: If the name leads out of the folder, or to something other than a plain file.
    """
    parts = name.split("/")
    if _ELSEWHERE.search(name) or ".." in parts or any(map(_DEVICE.fullmatch, parts)):
        raise CatalogError(f"{quoted(name)} is not in the folder of the record: put the deck there, or below it")
    if folder is None or not name.strip() or "\0" in name:
        return None
    return next((path for path in (folder / name, folder / f"{name}.toml") if _is_plain(folder, path)), None)


def _is_plain(folder: Path, path: Path) -> bool:
    """Return whether a file exists; raise CatalogError if it is not a plain file, or is behind a link."""
    inside = path.relative_to(folder)
    is_plain = False
    for part in (*reversed(tuple(inside.parents)[:-1]), inside):
        try:
            found = (folder / part).lstat()
        except (OSError, ValueError):  # not a valid name
            return False
        is_link = stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _JUNCTION
        is_plain = stat.S_ISREG(found.st_mode)
        if is_link or not (stat.S_ISDIR(found.st_mode) or is_plain):
            raise CatalogError(f"{quoted(part)} is a link or a device: put the deck file itself beside the record")
    return is_plain


def _digest(path: Path) -> str:
    from hashlib import sha256

    with path.open("rb") as file:
        return sha256(file.read(LARGEST_DOCUMENT + 1)).hexdigest()


Checked = Reading | EndingReading
"""The result of checking one game in a file."""


class CardLookup:
    """Finds what a record names: cards in a catalogue, and decks in the folder of the record."""

    def __init__(self, find: Callable[[str], Card], decks: Callable[[Path], DeckLookup]) -> None:
        self.find = find
        self.decks = decks

    def __call__(self, text: str) -> Card:
        """Return the card with this id or name; raise CatalogError if there is none."""
        return self.find(text)


@contextmanager
def card_lookup(database: Path | None, choices: Choices | None = None) -> Iterator[CardLookup]:
    """Yield a lookup of the cards that a record names; it opens the catalogue for the first card.

    `choices` collects notices about interpreted names.

    A missing catalogue raises EngineError, unlike an unknown card, because the record is not at fault.
    """
    with ExitStack() as stack:
        readers: list[tuple[Store, Resolver]] = []
        taken = choices or Choices()

        def find(text: str) -> Card:
            if not readers:
                from ccgrid.services.catalogue import open_catalogue

                try:
                    store = stack.enter_context(open_catalogue(database))
                except CatalogError as error:
                    raise EngineError(f"it names {quoted(text)} without its numbers. {error}") from None
                resolver = taken.resolver(store, lambda card: _as_any_game_plays(store, card).legal)
                readers.append((store, resolver))
            store, resolver = readers[0]
            return _as_any_game_plays(store, taken.take(resolver, matching.rows.Row(name=text)).card)

        yield CardLookup(find, lambda record: deck_lookup_for(record, database, taken))


def _as_any_game_plays(store: "Store", card: Card) -> Card:
    """Return a card with the numbers that games read outside of its zones."""
    decks = GAMES.parts("decks").values()
    return reduce(lambda card, one: with_game_numbers(store, card, one), decks, card)


def read_record(file: Path, database: Path | None, choices: Choices | None = None) -> Record:
    """Read the only game in a file; `choices` collects notices about interpreted names.

    Raises:
        RecordError: If it is not valid. The location is `file` if it cannot be read.
        EngineError: If it cannot be checked.
    """
    return read_reading(file, database, choices).require()


def read_reading(file: Path, database: Path | None, choices: Choices | None = None) -> Reading:
    """Read the only game in a file up to its first error.

    Raises:
        RecordError: If it cannot be read, or there are several games.
        EngineError: If it cannot be checked.
    """
    check_game_file(file, GAME_FILES)
    with card_lookup(database, choices) as find:
        try:
            return read_single_game(file, find, find.decks(file))
        except RecordError:
            raise
        except EngineError as error:
            raise EngineError(f"{file}: {error}") from None


def read_unfinished(
    file: Path, database: Path | None, choices: Choices | None, goes_on: Callable[[Record], bool]
) -> Record:
    """Read the only game in a file; its moves may need cards that it does not name, if users can supply them.

    `goes_on` returns whether users can supply the cards of a record.

    Raises:
        RecordError: If the game is not valid otherwise, or its cards cannot be supplied.
        EngineError: If it cannot be checked.
    """
    reading = read_reading(file, database, choices)
    needs_cards = reading.error is not None and reading.error.where.startswith("moves[")
    if needs_cards and reading.record is not None and goes_on(reading.record):
        return reading.record
    return reading.require()


def check_games(file: Path, find: CardLookup, *, ending: bool = False) -> Iterator[Checked]:
    """Yield the checked games in a file, or with `ending` the checked final result.

    A file that cannot be opened or checked yields one unreadable game.
    """
    try:
        check_game_file(file, _ENDINGS if ending else GAME_FILES)
        if ending:
            yield read_ending(file, find)
        else:
            yield from read_games(file, find, find.decks(file))
    except EngineError as error:
        message = error.message if isinstance(error, RecordError) else " ".join(str(error).split())
        yield Reading(str(file), error=RecordError("file", message))


_ENDINGS: Final = frozenset((FileKind.PILES,))


def check_game_file(file: Path, kinds: frozenset[FileKind]) -> None:
    """Raise RecordError if a file is of another kind than these, TOML and JSON that may be damaged excepted."""
    found = detect_kind(file)
    if found.kind not in kinds | DAMAGED:
        needed = FileKind.PILES if kinds is _ENDINGS else FileKind.RECORD
        # A record error is one line, in which a line end would be escaped.
        raise RecordError("file", wrong_kind_message(file, found, needed.value).replace("\n", " "))


def check_free_for(path: Path, record: Record, *, force: bool) -> None:
    """Check that a file may be overwritten, as `check_free` does; an earlier state of the same game always may.

    Raises:
        CatalogError: If it may not; the message says what to do.
    """
    if is_file(path) and not force:
        with suppress(EngineError):
            found = [reading.require() for reading in read_games(path)]
            if len(found) == 1 and found[0].setup == record.setup:
                moves = found[0].moves
                if record.moves[: len(moves)] == moves:
                    return
    check_free(path, RECORD, force=force)


def check_holds_match(path: Path) -> None:
    """Raise CatalogError if a file can hold only one game because of its suffix. Devices have no suffix."""
    if path.suffix not in JSON_LINES and (path.is_file() or not path.exists()):
        raise UsageError(f"{path} would hold one game: save a match in a file like {path.stem}.jsonl.")
