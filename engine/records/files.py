"""Files of games: read one record or a million, each with its own result; write one, all or nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from io import BufferedReader
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import NAME as CODE_NAME
from ccgrid.catalog.codes import is_code
from ccgrid.catalog.files import write_whole
from ccgrid.engine import schema
from ccgrid.engine.cards import no_lookup, read_cards, read_score_card
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import Ending, Lookup, Outcome
from ccgrid.engine.records.codes import code_document
from ccgrid.engine.records.record import (
    DeckLookup,
    PileCardJson,
    Reading,
    Record,
    ScoredReadingJson,
    document_game,
    no_decks,
    read_document,
    reading_json,
)
from ccgrid.engine.schema import RecordError

JSON_LINES: Final = (".jsonl", ".ndjson")
_CHUNK: Final = 1 << 16
_SHOWN: Final = 20
"""So many characters of a code stand in messages."""


def read_games(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Iterator[Reading]:
    """The games in a file, one after the other: of a `.toml` one, of a `.jsonl` one a line. Or that of a code.

    Any other file is JSON Lines when its first character is a brace, codes when it begins as they do, else TOML. What
    is wrong with a game is in its reading; blank lines are skipped. `decks` finds those that records name.

    Raises:
        RecordError: the file cannot be read.
    """
    if is_code(str(path)):
        yield _reading(str(path).encode("utf-8", "replace"), _parse_code, _short(str(path)), lookup)
        return
    with _opened(path) as stream:
        yield from read_stream(stream, str(path), lookup, decks)


def read_stream(
    stream: BufferedReader, name: str, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks
) -> Iterator[Reading]:
    """The games in an open file of this name, as `read_games` says."""
    start = b"" if name.endswith(".toml") else _text_start(stream)
    is_codes = start.lower() == CODE_NAME.encode()
    if name.endswith(JSON_LINES) or is_codes or start[:1] == b"{":
        number = 0
        for number, line in _numbered_lines(stream):
            yield _reading(line, _parse_code if is_codes else schema.parse_json, f"{name}:{number}", lookup, decks)
        if number == 0:
            yield Reading(name, error=RecordError("file", "holds no game"))
    else:
        yield _reading(stream.read(schema.LARGEST_DOCUMENT + 1), schema.parse_toml, name, lookup, decks)


def read_game(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Record:
    """The one game in a file, all of it checked.

    Raises:
        RecordError: the file cannot be read, holds more than one game, or something is wrong with it.
    """
    return read_one(path, lookup, decks).require()


def read_one(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Reading:
    """The one game in a file as far as it could be played, with what is wrong with it.

    Raises:
        RecordError: the file cannot be read, or holds more games behind one that is right.
    """
    games = read_games(path, lookup, decks)
    reading = next(games)
    if reading.error is None and next(games, None) is not None:
        raise RecordError("file", "holds more than one game: give a file with one")
    return reading


def write_game(record: Record, path: str | Path) -> None:
    """Writes a record in the spelling that the file's name asks for, TOML unless it ends in `.jsonl`; all or nothing.

    Raises:
        EngineError: the file cannot be written.
    """
    path = Path(path)
    text = record.to_json_line() + "\n" if path.suffix in JSON_LINES else record.to_toml()
    if not path.name or "\0" in str(path):
        raise EngineError(f"{quoted(path)} cannot be written: this is not a file name")
    try:
        write_whole(path, text)
    except OSError as error:
        raise EngineError(f"{quoted(path)} cannot be written: {error.strerror or error}") from None


@dataclass(frozen=True, slots=True)
class EndingReading:
    """What became of a file by people who kept no record but what they ended with: each player's points.

    The file is TOML. `game` says which game; the rest is that game's, as its rules page shows. Cards are written as in
    a record, where the zones may be missing.
    """

    file: str
    game: str | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    error: RecordError | None = None
    piles: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)

    def to_dict(self) -> ScoredReadingJson:
        """The ending as scripts see it, in the keys of `score --json`, with the cards of piles; no moves are known."""
        points = tuple(self.scores.values())
        outcome = Outcome.of(points, Ending("as-told", "the players say so")) if points else None
        answer = reading_json(self.file, self.game, tuple(self.scores), 0, points, outcome, self.error)
        piles: dict[str, list[PileCardJson]] = {
            player: [{"id": card.id or None, "name": card.name, "score": card.score} for card in cards]
            for player, cards in self.piles.items()
        }
        return {**answer, "piles": piles} if piles else answer


def read_ending(path: str | Path, lookup: Lookup = no_lookup) -> EndingReading:
    """The ending in a file.

    Raises:
        RecordError: the file cannot be read.
    """
    with _opened(path) as stream:
        data = stream.read(schema.LARGEST_DOCUMENT + 1)
    ending = EndingReading(str(path))
    try:
        document = schema.parse_toml(data)
        game = document_game(document)
        ending = replace(ending, game=game.name)
        rest = {key: value for key, value in document.items() if key != "game"}
        game.ending_schema(rest)
        ending = replace(ending, scores=game.score_ending(rest, lookup))
        piles = {
            player: tuple(read_cards(pile, f"piles.{schema.key_name(player)}", read_score_card, lookup))
            for player, pile in rest.get("piles", {}).items()
        }
        return replace(ending, piles=piles)
    except RecordError as error:
        return replace(ending, error=error)


@contextmanager
def _opened(path: str | Path) -> Iterator[BufferedReader]:
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise RecordError("file", f"cannot be read: {error.strerror or error}") from None


def _reading(
    data: bytes,
    parse: Callable[[bytes], dict[str, Any]],
    name: str,
    lookup: Lookup,
    decks: DeckLookup = no_decks,
) -> Reading:
    try:
        document = parse(data)
    except RecordError as error:
        return Reading(name, error=error)
    return read_document(document, lookup, file=name, decks=decks)


def _parse_code(data: bytes) -> dict[str, Any]:
    return code_document(data.decode("utf-8", "replace"))


def _short(code: str) -> str:
    """A code as messages name it."""
    return code if len(code) <= _SHOWN else f"{code[:_SHOWN]}…"


def _text_start(stream: BufferedReader) -> bytes:
    return stream.peek(_CHUNK).removeprefix(b"\xef\xbb\xbf").lstrip()[: len(CODE_NAME)]


def _numbered_lines(stream: BufferedReader) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(schema.LARGEST_DOCUMENT + 1):
        number += 1
        if line.strip():
            yield number, line
        if len(line) > schema.LARGEST_DOCUMENT:  # its rest is not a game of its own
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
