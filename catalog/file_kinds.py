"""Kinds of files: `detect_kind` recognises a file by its content, and `check_kind` refuses files of other kinds.

A kind is recognised by its beginning, whatever its name says, also if the file is damaged further on. To add a kind of
another program, add a line to `OTHER_PROGRAMS`.
"""

import io
import re
import stat
import zlib
from collections.abc import Collection, Iterator
from enum import Enum
from itertools import islice
from os import SEEK_END
from pathlib import Path
from typing import Final, NamedTuple

from ccgrid.catalog.documents import wide_encoding
from ccgrid.catalog.errors import WrongKindError
from ccgrid.catalog.formatting import shell_word
from ccgrid.catalog.lazy_patterns import lazy_pattern


class FileKind(Enum):
    """A kind of file; the value is what messages call it."""

    RECORD = "a record of games"
    GAME_CODE = "the code of a game"
    DECK = "a deck"
    DECK_CODE = "the code of a deck"
    FACTION = "a faction"
    LAYOUT = "a layout"
    APP = "a description of an app's tables"
    PILES = "the piles of a finished game"
    SCAN = "what ccgrid scan read"
    COUNTS = "counts of played games"
    SETTINGS = "a file of settings"
    ANSWER = "an answer of ccgrid as JSON"
    CATALOGUE_CARDS = "a list of the catalogue's cards"
    COLLECTION = "a collection"
    CARD_DATA = "card data"
    TABLE = "a table"
    LIST = "a list as text"
    TEXT = "a plain text"
    DECK_XML = "a deck in XML"
    OTHER_PROGRAM = "a file of another program"
    SPREADSHEET = "a spreadsheet"
    PARQUET = "a Parquet file"
    BACKUP = "a backup of ccgrid"
    DATABASE = "an SQLite database"
    PICTURE = "a picture"
    OUR_PICTURE = "a picture of ccgrid"
    PDF = "a PDF"
    OUR_PDF = "a PDF of ccgrid"
    PAGE = "a page of ccgrid"
    HTML = "an HTML page"
    DOCUMENT = "a document of a word processor"
    ARCHIVE = "an archive"
    PROSE = "a text of sentences"
    JSON = "JSON of an unknown kind"
    WIDE_JSON = "JSON in UTF-16"
    TOML = "TOML of an unknown kind"
    XML = "XML of an unknown kind"
    BINARY = "neither text nor a picture"
    UNKNOWN = "a file"


class RecognisedFile(NamedTuple):
    """The kind of a file, and its name in messages."""

    kind: FileKind
    title: str

    @classmethod
    def of(cls, kind: FileKind) -> "RecognisedFile":
        """Return a kind under its usual name."""
        return cls(kind, kind.value)


class OtherProgram(NamedTuple):
    """A file of another program: its name in messages, and a pattern of its beginning."""

    title: str
    beginning: re.Pattern[str]


OTHER_PROGRAMS: Final = (
    OtherProgram("a Yu-Gi-Oh! deck link (YDKE)", lazy_pattern(r"\s*ydke://")),
    OtherProgram(
        "a .ydk deck of Yu-Gi-Oh!", lazy_pattern(r"\s*(?:#created by|#main\b|#extra\b|!side\b)", re.IGNORECASE)
    ),
    OtherProgram(
        "a Hearthstone deck code", lazy_pattern(r"\s*(?:###? [^\n]*\n(?:\s*#[^\n]*\n)*\s*)?AAE[A-Za-z0-9+/=]{20,}")
    ),
    OtherProgram("a saved object of Tabletop Simulator", lazy_pattern(r'\s*\{\s*"(?:SaveName|ObjectStates)"')),
)
"""Files of other programs recognised by their first characters. Formats of collections decide which can be read."""
_FIRST_LETTERS: Final = ("y", "#", "!", "A", "{")
"""With which they begin; most files begin differently, and the patterns take long to compile."""

GAME_FILES: Final = frozenset((FileKind.RECORD, FileKind.GAME_CODE))
_LISTS: Final = frozenset(
    (FileKind.DECK, FileKind.DECK_CODE, FileKind.COLLECTION, FileKind.TABLE, FileKind.LIST, FileKind.DECK_XML)
) | {FileKind.TEXT}
COLLECTION_FILES: Final = _LISTS | {FileKind.OTHER_PROGRAM, FileKind.SPREADSHEET, FileKind.JSON}
"""The kinds of files that an import of a collection reads."""
DECK_FILES: Final = COLLECTION_FILES | {FileKind.GAME_CODE, FileKind.FACTION}
"""The kinds of files that hold the cards of a deck."""
DATA_FILES: Final = frozenset(
    (FileKind.CARD_DATA, FileKind.CATALOGUE_CARDS, FileKind.TABLE, FileKind.SPREADSHEET, FileKind.ARCHIVE)
) | {FileKind.JSON, FileKind.XML, FileKind.TEXT}
"""The kinds of files that hold data of a card game."""
DAMAGED: Final = frozenset((FileKind.UNKNOWN, FileKind.TOML, FileKind.JSON, FileKind.TEXT, FileKind.BINARY))
"""Kinds that a damaged file may seem to have: its reader reports the damage."""

_TO_READ: Final = {
    FileKind.RECORD: "To check it: ccgrid score {}",
    FileKind.GAME_CODE: "To see it: ccgrid replay {}",
    FileKind.DECK: "To see it: ccgrid deck show {0}; to play: ccgrid play --deck {0}",
    FileKind.DECK_CODE: "To see it: ccgrid deck show {}",
    FileKind.FACTION: "To check it: ccgrid faction check {}",
    FileKind.LAYOUT: "To check it: ccgrid layout check {}",
    FileKind.APP: "To use it, put it into the folder of formats: ccgrid doctor shows it.",
    FileKind.PILES: "To score them: ccgrid score --piles {}",
    FileKind.SCAN: "To keep its cards: ccgrid scan IMAGE --yes --own",
    FileKind.COUNTS: "To continue it: ccgrid arena --resume {}",
    FileKind.SETTINGS: "To see them: ccgrid config",
    FileKind.CATALOGUE_CARDS: "To import them: ccgrid import file {}",
    FileKind.COLLECTION: "To import it: ccgrid collection import {}",
    FileKind.CARD_DATA: "To import it: ccgrid import SOURCE {}",
    FileKind.LIST: "To import it: ccgrid collection import {}",
    FileKind.TABLE: "To import it: ccgrid collection import {}",
    FileKind.DECK_XML: "To see it: ccgrid deck show {}",
    FileKind.DATABASE: "To open a catalogue: ccgrid stats --db {}",
    FileKind.PICTURE: "To read the cards on it: ccgrid scan {}",
    FileKind.PAGE: "Open it in a browser.",
    FileKind.HTML: "Save its cards as a text or a table.",
    FileKind.WIDE_JSON: "Save it as UTF-8.",
    FileKind.ARCHIVE: "Unpack it, and name the file in it.",
    FileKind.BACKUP: "To restore it: ccgrid restore {}",
}
"""The command that reads a kind of file."""


def check_kind(path: Path, wanted: Collection[FileKind], what: str, name: str = "") -> RecognisedFile:
    """Return the kind of a file if it is one of the wanted kinds or cannot be recognised.

    Args:
        path: A file, or a code.
        wanted: The kinds of files that the command reads.
        what: The name of the needed file in messages, such as "a deck".
        name: The name of this file in messages, if not its path.

    Raises:
        WrongKindError: If the file is of another kind. The message names it and the command that reads it.
    """
    found = detect_kind(path)
    if found.kind in wanted or found.kind is FileKind.UNKNOWN:
        return found
    raise WrongKindError(wrong_kind_message(path, found, what), file=name or path)


def wrong_kind_message(path: Path, found: RecognisedFile, what: str) -> str:
    """Return a message that names the kind of a file, the kind that is needed, and the command that reads the file."""
    advice = _advice(path, found)
    return f"this is {found.title}, not {what}.\n{advice}".rstrip()


def describe_file(path: Path) -> str:
    """Return the kind of a file and the command that reads it, in one line, or "" if it cannot be recognised."""
    found = detect_kind(path)
    return "" if found.kind is FileKind.UNKNOWN else f"{path} is {found.title}. {_advice(path, found)}".rstrip()


def _advice(path: Path, found: RecognisedFile) -> str:
    return _TO_READ.get(found.kind, "").format(shell_word(path))


_MOST: Final = 1 << 18
"""Bytes at the beginning of a file from which it is recognised."""
_TAIL: Final = 64
PAGE_MARK: Final = '<meta name="generator" content="ccgrid">'
SVG_MARK: Final = "<title>ccgrid</title>"
END_MARK: Final = b"%ccgrid\n"
"""Appended to a PDF of this program; other readers ignore it."""


def detect_kind(path: Path) -> RecognisedFile:
    """Recognise a file by its content; return UNKNOWN if it is empty, missing, not a regular file or unreadable."""
    from ccgrid.catalog.codes import is_code

    if is_code(str(path)):
        return RecognisedFile.of(_code_kind(str(path)))
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return RecognisedFile.of(FileKind.UNKNOWN)
        with path.open("rb") as file:
            head = file.read(_MOST)
            file.seek(max(0, file.seek(0, SEEK_END) - _TAIL))
            tail = file.read()
    except (OSError, ValueError):
        return RecognisedFile.of(FileKind.UNKNOWN)
    return _what(head, tail)


def _what(head: bytes, tail: bytes) -> RecognisedFile:
    kind = _binary_kind(head, tail)
    if kind is not None:
        return RecognisedFile.of(kind)
    if head.startswith(b"\x1f\x8b"):
        return _what(_unpacked(head), b"")
    text = _decoded(head)
    if text is None:
        return RecognisedFile.of(FileKind.BINARY)
    if not text.strip():
        return RecognisedFile.of(FileKind.UNKNOWN)
    # Readers of JSON expect UTF-8, as its standard says.
    if wide_encoding(head) and _JSON_BEGINNING.match(text):
        return RecognisedFile.of(FileKind.WIDE_JSON)
    if text.lstrip().startswith(_FIRST_LETTERS):
        for program in OTHER_PROGRAMS:
            if program.beginning.match(text):
                return RecognisedFile(FileKind.OTHER_PROGRAM, program.title)
    return RecognisedFile.of(_text_kind(text))


# --- binary files -------------------------------------------------------------------------------------------------

_MAGIC: Final = (
    (b"SQLite format 3\0", FileKind.DATABASE),
    (b"\x89PNG\r\n\x1a\n", FileKind.PICTURE),
    (b"\xff\xd8\xff", FileKind.PICTURE),
    (b"GIF87a", FileKind.PICTURE),
    (b"GIF89a", FileKind.PICTURE),
    (b"II*\0", FileKind.PICTURE),
    (b"MM\0*", FileKind.PICTURE),
    (b"\0\0\1\0", FileKind.PICTURE),
    (b"%PDF-", FileKind.PDF),
    (b"PAR1", FileKind.PARQUET),
    (b"{\\rtf", FileKind.DOCUMENT),
    (b"7z\xbc\xaf\x27\x1c", FileKind.ARCHIVE),
    (b"Rar!\x1a\x07", FileKind.ARCHIVE),
    (b"BZh", FileKind.ARCHIVE),
    (b"\xfd7zXZ\0", FileKind.ARCHIVE),
    (b"(\xb5/\xfd", FileKind.ARCHIVE),
    (b"\xd0\xcf\x11\xe0", FileKind.SPREADSHEET),
)
_PHONE_PICTURES: Final = (b"ftyphei", b"ftypmif1", b"ftypmsf1", b"ftypavif", b"ftypavis")
"""What follows the first four bytes of pictures of phones, HEIC and AVIF."""
_TAR: Final = slice(257, 262)
_TABLES: Final = (b"xl/", b"opendocument.spreadsheet", b"content.xml")
_TEXTS: Final = (b"word/", b"opendocument.text")
BACKUP_ENTRY: Final = "ccgrid-backup.json"
"""The first entry of a backup."""


def _binary_kind(head: bytes, tail: bytes) -> FileKind | None:
    """Return the kind of a binary file, or None if it is text."""
    if head.startswith(b"PK\x03\x04"):
        if head[30:].startswith(BACKUP_ENTRY.encode()):  # the name of the first entry
            return FileKind.BACKUP
        if any(mark in head for mark in _TEXTS):
            return FileKind.DOCUMENT
        return FileKind.SPREADSHEET if any(mark in head for mark in _TABLES) else FileKind.ARCHIVE
    if head[_TAR] == b"ustar":
        return FileKind.ARCHIVE
    is_bitmap = head.startswith(b"BM") and head[6:10] == b"\0\0\0\0"
    is_webp = head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    if is_bitmap or is_webp or head.startswith(_PHONE_PICTURES, 4):
        return FileKind.PICTURE
    kind = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
    return FileKind.OUR_PDF if kind in (FileKind.PDF, None) and tail.endswith(END_MARK) else kind


def _unpacked(head: bytes) -> bytes:
    """Decompress the beginning of a gzip file."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _MOST)
    except zlib.error:
        return b""


def _decoded(head: bytes) -> str | None:
    """Decode the beginning of a text file; return None if it is binary."""
    if wide := wide_encoding(head):
        return head.decode(wide, "replace").removeprefix("\ufeff")
    if b"\0" in head:
        return None
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A character may be cut at the end.
        return head[: error.start].decode("utf-8-sig") if error.start > len(head) - 4 else head.decode("latin-1")


# --- texts -------------------------------------------------------------------------------------------------------

_JSON_BEGINNING: Final = lazy_pattern(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[{"\[\]]|-?\d+\s*[,\]]|$))')
_HTML: Final = lazy_pattern(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|table|div|p|h1|script)\b", re.DOTALL | re.I
)
_ROOT: Final = lazy_pattern(r"<([A-Za-z_][\w:.-]*)")
_DECK_ROOTS: Final = frozenset(("deck", "cockatrice_deck"))
_DATA_ROOTS: Final = frozenset(("cockatrice_carddatabase", "carddefs", "set", "game", "sets", "cards"))


def _text_kind(text: str) -> FileKind:
    from ccgrid.catalog.codes import is_code

    first = text.strip().partition("\n")[0]
    if is_code(first):
        return _code_kind(first)
    if text.lstrip().startswith("<"):
        from ccgrid.catalog.list_text import is_html_list  # its patterns take time to compile

        if not is_html_list(text):
            return _markup_kind(text)
    if text.lstrip().startswith(("{", "[")) and _JSON_BEGINNING.match(text):
        return _json_kind(text)
    return _toml_kind(text) or _table_kind(text) or _lines_kind(text)


def _code_kind(text: str) -> FileKind:
    from ccgrid.catalog.codes import CodeError, read_code

    try:
        return FileKind.DECK_CODE if read_code(text).game is None else FileKind.GAME_CODE
    except CodeError:
        return FileKind.UNKNOWN  # its reader reports what is wrong


def _markup_kind(text: str) -> FileKind:
    if _HTML.match(text):
        return FileKind.PAGE if PAGE_MARK in text else FileKind.HTML
    root = _ROOT.search(text)
    name = root[1].casefold() if root else ""
    if name == "svg":
        return FileKind.OUR_PICTURE if SVG_MARK in text else FileKind.PICTURE
    return FileKind.DECK_XML if name in _DECK_ROOTS else FileKind.CARD_DATA if name in _DATA_ROOTS else FileKind.XML


_TOKEN: Final = lazy_pattern(r'"(?:[^"\\]|\\.)*"|[{}\[\]:]')
_ANSWERS: Final = tuple(
    frozenset(keys.split())
    for keys in (
        *("ok problems", "ok errors", "ok error", "ok findings", "ok guesses", "plies over", "over moves players"),
        *("source version", "source keeper", "cards legal games", "file format rows", "player value line"),
        *("player exact best", "player best moves", "game games players", "games met", "code length"),
        *("ratings puzzles", "game markdown", "game lessons", "path settings", "file paper", "file bytes"),
        *("give take", "deck found missing", "there missing moved", "game zones layout"),
        *("cards places", "kind made what", "id made what", "collection made", "collection kind what"),
        *("id source address", "address workers", "box entries", "game set_code owned", "legal decks"),
        *("rows added removed left", "lines copies undone", "line raw outcome", "copies kind reason"),
        *("game title about", "id corrected", "address lan", "folder files", "made files catalogue"),
        "field counted values",
    )
)
"""Keys that occur together only in one of the program's answers."""


def _json_kind(text: str) -> FileKind:
    keys = frozenset(_first_keys(text))
    if {"object", "name", "layout", "lang"} <= keys:  # a card of Scryfall
        return FileKind.CARD_DATA
    if {"file", "sure"} <= keys:
        return FileKind.SCAN
    if "copies" in keys and not keys.isdisjoint(("id", "name", "settles")) and not keys & {"kind", "lines"}:
        return FileKind.COLLECTION
    if {"id", "name", "zones", "score"} <= keys:
        return FileKind.CATALOGUE_CARDS
    if any(answer <= keys for answer in _ANSWERS):
        return FileKind.ANSWER
    if {"game", "moves"} <= keys or {"game", "players", "setup"} <= keys or {"players", "moves"} <= keys:
        return FileKind.RECORD
    if keys > {"cards"} and keys <= {"name", "game", "seed", "cards", "rating", "explanation", "meets", "not_found"}:
        return FileKind.DECK
    return FileKind.COUNTS if {"ccgrid", "work"} <= keys else FileKind.JSON


def _first_keys(text: str) -> Iterator[str]:
    """Yield the keys of the first object in a text, even if it is truncated or damaged later."""
    depth, last, is_object = 0, "", False
    for part in map(re.Match.group, _TOKEN.finditer(text)):
        if part in "{[":
            depth += 1
            # A list of objects is recognised by its first one.
            if part == "[" and depth == 1:
                depth = 0
            is_object = is_object or part == "{"
        elif part in "}]":
            depth -= 1
            if depth <= 0:
                return
        elif part == ":":
            if depth == 1 and is_object and last:
                yield _text_of(last)
        else:
            last = part


def _text_of(part: str) -> str:
    import json

    try:
        return str(json.loads(part))
    except ValueError:
        return part


_KEY: Final = lazy_pattern(r"\s*(?:[\w-]+|\"[^\"\n]*\")(?:\.[\w-]+)*\s*=\s*(?:[\"'\[{+-]|\d|true\b|false\b)")
_HEADER: Final = lazy_pattern(r"\s*\[{1,2}\s*([\w-]+|\"[^\"\n]*\")(?:\s*\.[^\]\n]*)?\s*\]{1,2}\s*(?:#.*)?")
SETTINGS: Final = frozenset(("game", "players", "database", "language", "colour", "pager", "think"))
"""The settings of a file of settings."""


def _toml_kind(text: str) -> FileKind | None:
    """Return the kind of a TOML file, or None if it is not TOML."""
    keys, tables, lists = set[str](), set[str](), set[str]()
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if not lines or not (_KEY.match(lines[0]) or _HEADER.fullmatch(lines[0])):
        return None
    for line in lines:
        if found := _HEADER.fullmatch(line):
            tables.add(name := found[1].strip('"'))
            if line.lstrip().startswith("[["):
                lists.add(name)
        elif not tables and _KEY.match(line) and not line.startswith((" ", "\t")):
            written, _, value = line.partition("=")
            keys.add(name := written.strip().strip('"'))
            if value.lstrip().startswith("["):
                lists.add(name)
    if not keys and not any(map(_KEY.match, lines)):
        return None
    names = keys | tables
    if "printed" in names or "barred" in names or {"game", "slash"} <= names:
        return FileKind.LAYOUT
    if "columns" in names:
        return FileKind.LAYOUT if "game" in keys else FileKind.APP
    if "moves" in keys or {"game", "setup"} <= names:
        return FileKind.RECORD
    # The cards of a deck are a list; a table of that name may say how many cards every player has in the end.
    if "cards" in lists:
        return FileKind.FACTION if keys & {"title", "about"} else FileKind.DECK
    if "game" in keys and names & {"piles", "board", "scores"}:
        return FileKind.PILES
    return FileKind.SETTINGS if keys and names <= SETTINGS else FileKind.TOML


_DELIMITERS: Final = "\t;,|"
_COUNT_WORDS: Final = frozenset(
    ("count", "quantity", "qty", "copies", "amount", "anzahl", "menge", "quantité", "cantidad", "quantità", "owned")
)
_OWNER_WORDS: Final = (
    "condition",
    "zustand",
    "état",
    "estado",
    "foil",
    "finish",
    "language",
    "langue",
    "tradelist",
    "purchase",
)


def _table_kind(text: str) -> FileKind | None:
    """Return the kind of a table if the first line has headings, else None."""
    import csv

    beginning = text.lstrip()
    first = beginning.partition("\n")[0]
    for delimiter in _DELIMITERS:
        if delimiter not in first:
            continue
        try:
            rows = list(islice(csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter), _ROWS))
        except csv.Error:
            continue
        headings = [cell.strip().casefold() for cell in rows[0]]
        if len(headings) < 2 or any(len(cell) > _LONGEST_HEADING or cell[:1].isdecimal() for cell in headings):
            continue
        filled = [row for row in rows[1:] if any(row)]
        if 2 * sum(2 * len(row) > len(headings) for row in filled) < len(filled):
            continue
        is_counted = not _COUNT_WORDS.isdisjoint(headings)
        is_owned = any(word in cell for cell in headings for word in _OWNER_WORDS)
        return FileKind.COLLECTION if is_counted and is_owned else FileKind.TABLE
    return None


_ROWS: Final = 50
_LONGEST_HEADING: Final = 60
_COUNTED: Final = lazy_pattern(r"\W*\d{1,4}\s*[xX×]?\W*\s\S")
_SENTENCE_END: Final = lazy_pattern(r".*[.!?:;。！？：；…][)\"'»”’*_`]*\s*$")
_WORDS_OF_SENTENCE: Final = 6
_LONG_LINE: Final = 12  # words; the longest names of cards have fewer
_LETTERS_OF_SENTENCE: Final = 20  # in scripts without blanks between words


def _lines_kind(text: str) -> FileKind:
    """Return the kind of a text that is read line by line."""
    lines = [line.strip() for line in islice(text.splitlines(), 400) if line.strip()]
    if 3 * sum(map(_is_sentence, lines)) > len(lines):
        return FileKind.PROSE
    return FileKind.LIST if 3 * sum(bool(_COUNTED.match(line)) for line in lines) > len(lines) else FileKind.TEXT


def _is_sentence(line: str) -> bool:
    from ccgrid.catalog.lines import heading_of

    if _COUNTED.match(line) or heading_of(line) is not None:
        return False
    words = len(line.split())
    is_long = words >= _WORDS_OF_SENTENCE or (not line.isascii() and len(line) > _LETTERS_OF_SENTENCE)
    return words >= _LONG_LINE or (is_long and bool(_SENTENCE_END.match(line)))
