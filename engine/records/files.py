"""Games in files: reading of single games or streams, each with its own errors; atomic writing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.codes import NAME as CODE_NAME
from ccgrid.catalog.codes import is_code
from ccgrid.catalog.files import write_atomically
from ccgrid.engine import schema
from ccgrid.engine.cards import no_lookup, read_cards, read_score_card
from ccgrid.engine.errors import EngineError, RecordError, quoted
from ccgrid.engine.game import Ending, Lookup, Outcome
from ccgrid.engine.records.record import (
    CheckedRecord,
    DeckLookup,
    Reading,
    Record,
    document_game,
    no_decks,
    read_document,
)

JSON_LINES: Final = (".jsonl", ".ndjson")
_CHUNK: Final = 1 << 16
_MOST_QUOTED: Final = 20
"""The maximum number of characters of a code in a message."""


def read_games(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Iterator[Reading]:
    """Yield the games of a file (`.toml`: one game, `.jsonl`: one per line), or the game of a code.

    Files with other suffixes are JSON Lines, or one game as JSON, if they begin with a brace, codes if they begin like
    one, else TOML. Errors of a game are in its reading; blank lines are skipped. `decks` finds the decks that records
    name.

    Raises:
        RecordError: If the file cannot be read.
    """
    if is_code(str(path)):
        yield _reading(str(path).encode("utf-8", "replace"), _parse_code, _shorten_code(str(path)), lookup)
        return
    with _open_stream(path) as stream:
        yield from read_stream(stream, str(path), lookup, decks)


def read_stream(
    stream: BufferedReader, name: str, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks
) -> Iterator[Reading]:
    """Yield the games of an open file of this name, as described in `read_games`."""
    start = b"" if name.endswith(".toml") else _text_start(stream)
    is_codes = start.lower() == CODE_NAME.encode()
    # The format follows from the name or the beginning of the file.
    if name.endswith(JSON_LINES) or is_codes or start[:1] == b"{":
        number = 0
        lines = _numbered_lines(stream)
        if is_codes:
            lines = _whole_codes(lines)
        elif not name.endswith(JSON_LINES):
            lines = _whole_json(lines)
        for number, line in lines:
            yield _reading(line, _parse_code if is_codes else schema.parse_json, f"{name}:{number}", lookup, decks)
        if number == 0:
            yield Reading(name, error=RecordError("file", "holds no game"))
    else:
        # One byte more than allowed, to detect a document that is too large.
        yield _reading(stream.read(schema.LARGEST_DOCUMENT + 1), schema.parse_toml, name, lookup, decks)


def read_game(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Record:
    """Read the only game of a file and check it completely.

    Raises:
        RecordError: If the file cannot be read, contains more than one game, or the game has an error.
    """
    return read_single_game(path, lookup, decks).require()


def read_single_game(path: str | Path, lookup: Lookup = no_lookup, decks: DeckLookup = no_decks) -> Reading:
    """Read the only game of a file, up to its first error.

    Raises:
        RecordError: If the file cannot be read, or a valid game is followed by another one.
    """
    games = read_games(path, lookup, decks)
    # There is always a reading: that of an empty file contains an error.
    reading = next(games)
    if reading.error is None and next(games, None) is not None:
        raise RecordError("file", "holds more than one game: give a file with one")
    return reading


def write_game(record: Record, path: str | Path) -> None:
    """Write a record atomically: JSON Lines if the suffix is `.jsonl` or `.ndjson`, else TOML.

    Raises:
        EngineError: If the file cannot be written.
    """
    path = Path(path)
    text = record.to_json_line() + "\n" if path.suffix in JSON_LINES else record.to_toml()
    if not path.name or "\0" in str(path):
        raise EngineError(f"{quoted(path)} cannot be written: this is not a file name")
    try:
        write_atomically(path, text)
    except OSError as error:
        raise EngineError(f"{quoted(path)} cannot be written: {error.strerror or error}") from None


class EndingReading(NamedTuple):
    """The result of reading a file that contains only the end of a game: each player's points.

    The file is TOML. `game` names the game; its rules page describes the other keys. Cards are written as in a record,
    but may lack zones.
    """

    file: str
    game: str | None = None
    scores: Mapping[str, int] = MappingProxyType({})
    error: RecordError | None = None
    piles: Mapping[str, tuple[Card, ...]] = MappingProxyType({})

    def check(self) -> CheckedRecord:
        """Return the result of the check, with the cards of piles; the moves are unknown."""
        points = tuple(self.scores.values())
        outcome = Outcome.of(points, Ending("as-told", "the players say so")) if points else None
        return CheckedRecord(self.file, self.game, tuple(self.scores), 0, points, outcome, self.error, self.piles)


def read_ending(path: str | Path, lookup: Lookup = no_lookup) -> EndingReading:
    """Read the end of a game from a file.

    Raises:
        RecordError: If the file cannot be read.
    """
    with _open_stream(path) as stream:
        data = stream.read(schema.LARGEST_DOCUMENT + 1)
    # Updated after each check: after an error, it keeps the results of earlier checks.
    ending = EndingReading(str(path))
    try:
        document = schema.parse_toml(data)
        game = document_game(document)
        ending = ending._replace(game=game.name)
        rest = {key: value for key, value in document.items() if key != "game"}
        game.ending_schema(rest)
        ending = ending._replace(scores=game.score_ending(rest, lookup))
        piles = {
            player: tuple(read_cards(pile, f"piles.{schema.key_name(player)}", read_score_card, lookup))
            for player, pile in rest.get("piles", {}).items()
        }
        return ending._replace(piles=piles)
    except RecordError as error:
        return ending._replace(error=error)


@contextmanager
def _open_stream(path: str | Path) -> Iterator[BufferedReader]:
    try:
        with Path(path).open("rb") as stream:
            yield stream
    except OSError as error:
        raise RecordError("file", f"{error.strerror or error}.") from None


def _reading(
    data: bytes,
    parse: Callable[[bytes], dict[str, object]],
    name: str,
    lookup: Lookup,
    decks: DeckLookup = no_decks,
) -> Reading:
    try:
        document = parse(data)
    except RecordError as error:
        return Reading(name, error=error)
    return read_document(document, lookup, file=name, decks=decks)


def _parse_code(data: bytes) -> dict[str, object]:
    from ccgrid.engine.records.codes import code_document

    return code_document(data.decode("utf-8", "replace"))


def _shorten_code(code: str) -> str:
    """Return a code shortened for messages."""
    return code if len(code) <= _MOST_QUOTED else f"{code[:_MOST_QUOTED]}…"


def _text_start(stream: BufferedReader) -> bytes:
    # `peek` does not consume. EF BB BF is the byte order mark that some editors write.
    return stream.peek(_CHUNK).removeprefix(b"\xef\xbb\xbf").lstrip()[: len(CODE_NAME)]


def _whole_codes(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield codes, each with the number of its first line: a code may be wrapped over several."""
    read, size = list[tuple[int, bytes]](), 0
    for number, line in chain(lines, [(0, b"")]):
        is_next = not number or line.lstrip().lower().startswith(CODE_NAME.encode())
        if read and (is_next or size > schema.LARGEST_DOCUMENT):
            yield from _joined(read, _parse_code)
            read, size = [], 0
        read.append((number, line))
        size += len(line)


def _whole_json(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield lines with a game each, or one game if the first line is not JSON, but all lines together are."""
    for first in lines:
        read, size = [first], len(first[1])
        if not _is_valid(schema.parse_json, first[1]):
            for line in lines:
                read.append(line)
                size += len(line[1])
                if size > schema.LARGEST_DOCUMENT:
                    break
        yield from _joined(read, schema.parse_json)
        yield from lines


def _joined(lines: list[tuple[int, bytes]], parse: Callable[[bytes], dict[str, object]]) -> Iterator[tuple[int, bytes]]:
    """Yield lines as one if they are valid together, or else each of them."""
    whole = b"".join(line for _, line in lines)
    yield from [(lines[0][0], whole)] if len(lines) > 1 and _is_valid(parse, whole) else lines


def _is_valid(parse: Callable[[bytes], dict[str, object]], data: bytes) -> bool:
    try:
        parse(data)
    except RecordError:
        return False
    return True


def _numbered_lines(stream: BufferedReader) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := stream.readline(schema.LARGEST_DOCUMENT + 1):
        number += 1
        if line.strip():
            yield number, line
        # `readline` returned only the beginning of a long line.
        if len(line) > schema.LARGEST_DOCUMENT:  # the rest of the line is not another game
            while line and not line.endswith(b"\n"):
                line = stream.readline(_CHUNK)
