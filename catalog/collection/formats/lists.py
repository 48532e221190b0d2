"""Reads and writes lists of cards as text, as people and apps do, and as JSON Lines, which keeps everything.

Reads the decks of YGOPro and MTGJSON, too.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from ccgrid.catalog.collection.formats.format import (
    EVERYTHING,
    LONGEST_RAW,
    NO_COPIES,
    CollectionFile,
    FileRows,
    SkippedRow,
    skip_part,
)
from ccgrid.catalog.collection.formats.table_columns import known_fields
from ccgrid.catalog.collection.formats.tables import read_objects
from ccgrid.catalog.copy_terms import NORMAL, finish_word, language_code
from ccgrid.catalog.deck_text import parse_deck
from ccgrid.catalog.decks import DeckEntry
from ccgrid.catalog.details import Details
from ccgrid.catalog.documents import LARGEST_DOCUMENT, LARGEST_WHOLE, DocumentError, Limits, load_json, read_text
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.file_kinds import FileKind, detect_kind
from ccgrid.catalog.holding import LONGEST_TEXT, MOST_COPIES, Holding, Place
from ccgrid.catalog.holding_answers import ShownHolding, shown_holding
from ccgrid.catalog.json_lines import json_array
from ccgrid.catalog.lines import LONGEST_LINE, is_considered, most_detailed_reading
from ccgrid.catalog.list_text import ListLine, list_lines
from ccgrid.catalog.matching.rows import Row, with_reading
from ccgrid.catalog.readers.json_rows import json_rows
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.readers.text_lines import Survey, text_lines
from ccgrid.catalog.surrogates import replace_surrogates
from ccgrid.catalog.typed_details import is_yes, parse_tags
from ccgrid.catalog.words import heading_key, vocabulary

_TICKED: Final = re.compile(r"\s*(?:[-*+]\s+)?(?:\[[xX✓✔]\]|[☑✅✓✔])\s*\S")
_NOT_TICKED: Final = re.compile(r"\s*(?:[-*+]\s+)?(?:\[ ?\]|[☐⬜✗✘❌])\s*\S")
# M10 · PLST · 4ED
_CODE: Final = re.compile(r"[A-Za-z0-9_-]{1,10}")


def read(file: CollectionFile) -> FileRows:
    """Read the rows of a list. Cards in a sideboard count, because they are owned as well.

    Raises:
        CatalogError: If the file is not text.
    """
    found = file.survey()

    def rows() -> Iterator[Row | SkippedRow]:
        # Without any tick, the boxes are for ticking off what is found.
        is_checklist = any(_TICKED.match(raw) for _, raw in _short_lines(file, found, "to be a card"))
        for line in list_lines(_short_lines(file, found, "to be a card")):
            if line.role == "card":
                yield _row(line, is_checklist and _NOT_TICKED.match(line.raw) is not None)

    return FileRows(rows(), found.encoding)


def _short_lines(file: CollectionFile, found: Survey, purpose: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers; raise CatalogError if one is too long for its purpose."""
    with open_data(file.path) as stream:
        for number, raw in enumerate(text_lines(stream, found, file.name), 1):
            if len(raw) > LONGEST_LINE:
                raise CatalogError(f"{file.name}, line {number} is too long {purpose}. Is it the right file?")
            yield number, raw


def _row(line: ListLine, is_missing: bool) -> Row | SkippedRow:
    """Read the row in a line as far as possible without knowing the names of cards; `is_missing` if it lacks a tick."""
    read, raw = most_detailed_reading(line.text), " ".join(line.raw.split())[:LONGEST_RAW]
    if is_missing:
        return SkippedRow(line.number, raw, "not owned: it is not ticked, and other lines are")
    if part := line.section.capitalize() if is_considered(line.section) else read.not_owned:
        return skip_part(line.number, raw, part, read.copies_meant)
    if not read.copies_meant:
        return SkippedRow(line.number, raw, NO_COPIES)
    # Kept for reading it again with names at hand; a line that was cut would mean another card.
    whole = line.text if len(line.text) <= LONGEST_RAW else ""
    row = with_reading(Row(line.number, raw, (), written=whole, heading=line.doubt), read)
    return row._replace(name=row.name[:LONGEST_TEXT])


def is_list_code(set_code: str) -> bool:
    """Return whether a list may contain this set code; otherwise it omits printing, number and finish."""
    return bool(_CODE.fullmatch(set_code))


def write_list(holdings: Iterable[Holding], *, printing: bool) -> Iterator[str]:
    """Yield the lines of a list, with set and number if `printing` is set; a finish is a mark at the end."""
    for holding in holdings:
        name = " ".join(holding.name.split())
        shown = f"{holding.copies} {name}"
        if printing and is_list_code(holding.set_code):
            shown += f" ({holding.set_code.upper()}) {holding.number}".rstrip()
            shown += {"foil": " *F*", "etched": " *E*"}.get(holding.finish, "")
        yield shown + "\n"


_YDK_BEGINNING: Final = re.compile(rb"(?:#created by|#main\b|#extra\b|!side\b)", re.IGNORECASE)
_PASSCODE: Final = re.compile(r"(\d{1,10})(?:\s+(?:#|--|//).*)?")
"""A passcode, perhaps with a comment."""


def sniff_ydk(file: CollectionFile) -> bool:
    """Return whether a file starts like a `.ydk` deck or has its ending."""
    return bool(_YDK_BEGINNING.match(file.beginning())) or ".ydk" in map(str.casefold, file.path.suffixes)


def read_ydk(file: CollectionFile) -> FileRows:
    """Read the rows of a deck, one copy each.

    Raises:
        CatalogError: If the file is not text.
    """
    found = file.survey()

    def rows() -> Iterator[Row | SkippedRow]:
        beside = False
        for number, raw in _short_lines(file, found, "for a passcode"):
            line = raw.strip()
            # #main, #extra, !side
            if line.startswith(("#", "!")):
                beside = line[1:].strip().casefold().startswith("side")
            elif passcode := _PASSCODE.fullmatch(line):
                # 00012345 is printed, 12345 is the passcode in most data.
                code = passcode[1].lstrip("0")
                yield Row(number, line[:LONGEST_RAW], ((NORMAL, 1),), ids=(("konami", code),), beside=beside)
            elif line:
                yield SkippedRow(number, line[:LONGEST_RAW], "not a passcode")

    return FileRows(rows(), found.encoding)


_LIMITS: Final = Limits(LARGEST_DOCUMENT)
_DECK: Final = ("commander", "mainBoard")
_BESIDE: Final = ("sideBoard", "displayCommander", "planes", "schemes", "tokens")
# { "meta": { … or { "data": { …
_MTGJSON_BEGINNING: Final = re.compile(rb'\{\s*"(?:meta|data)"\s*:\s*\{')
_BOARD: Final = re.compile(rb'"(?:mainBoard|commander)"\s*:\s*\[')
_IDS: Final = {"scryfallId": "scryfall"}


def sniff_mtgjson(file: CollectionFile) -> bool:
    """Return whether a file starts like MTGJSON's decks, or like its sets, which `read_mtgjson` rejects."""
    start = file.beginning()
    return start.startswith(b"{") and bool(_MTGJSON_BEGINNING.match(start) or _BOARD.search(start))


def read_mtgjson(file: CollectionFile) -> FileRows:
    """Read the rows of a deck.

    Raises:
        CatalogError: If the file is not one of MTGJSON.
    """
    with open_data(file.path) as stream:
        data = stream.read(LARGEST_DOCUMENT + 1)
    try:
        found = load_json(read_text(data, _LIMITS), _LIMITS)
    except DocumentError as error:
        raise FileFormatError(f"this looks like a deck of MTGJSON, but the file {error}.", file=file.name) from None
    deck = found.get("data", found) if isinstance(found, dict) else None
    if not isinstance(deck, dict) or not isinstance(deck.get("mainBoard"), list):
        whole = " To import the cards of a set: ccgrid import mtgjson FILE" if _is_set(deck) else ""
        raise FileFormatError(f"not a deck of MTGJSON: it has no list 'mainBoard'.{whole}", file=file.name)
    name = deck.get("name")
    return FileRows(_rows(deck), "utf-8", deck=name[:LONGEST_TEXT] if isinstance(name, str) else "")


def _is_set(deck: object) -> bool:
    return isinstance(deck, dict) and isinstance(deck.get("cards"), list)


def _rows(deck: Mapping[str, object]) -> Iterator[Row | SkippedRow]:
    number = 0
    for board in (*_DECK, *_BESIDE):
        cards = deck.get(board)
        for card in cards if isinstance(cards, list) else ():
            number += 1
            yield _mtgjson_row(number, f"{board}: ", card, beside=board in _BESIDE)


def _mtgjson_row(number: int, where: str, card: object, *, beside: bool) -> Row | SkippedRow:
    if not isinstance(card, dict):
        return SkippedRow(number, f"{where}{card}"[:LONGEST_RAW], "not a card")
    name, set_code, own = (_text(card, key) for key in ("name", "setCode", "number"))
    count, raw = card.get("count", 1), f"{where}{card.get('count', 1)} {name} ({set_code}) {own}"[:LONGEST_RAW]
    if not isinstance(count, int) or isinstance(count, bool) or not 0 < count <= MOST_COPIES:
        return SkippedRow(number, raw, f"{str(count)[:40]!r} is not a number of copies")
    if not name:
        return SkippedRow(number, raw, "it names no card")
    ids = card.get("identifiers")
    known_ids = ids if isinstance(ids, dict) else {}
    finish = "etched" if card.get("isEtched") is True else "foil" if card.get("isFoil") is True else NORMAL
    return Row(
        number,
        raw,
        ((finish, count),),
        name,
        set_code,
        "",
        own,
        tuple((kind, value) for key, kind in _IDS.items() if (value := _text(known_ids, key))),
        language=language_code(_text(card, "language")),
        rarity=_text(card, "rarity"),
        beside=beside,
    )


def _text(card: Mapping[str, Any], key: str) -> str:
    value = card.get(key)
    return value[:LONGEST_TEXT] if isinstance(value, str) else ""


def sniff_own_deck(file: CollectionFile) -> bool:
    """Return whether a file is a deck of this program: TOML, JSON or a code."""
    return detect_kind(file.path).kind in (FileKind.DECK, FileKind.DECK_CODE)


def read_own_deck(file: CollectionFile) -> FileRows:
    """Read the cards of a deck of this program, copies of a card as one row.

    Raises:
        CatalogError: If the file is damaged, or too large for a deck.
    """
    with open_data(file.path) as stream:
        data = stream.read(LARGEST_DOCUMENT + 1)
    try:
        text = read_text(data, _LIMITS)
    except DocumentError as error:
        raise FileFormatError(f"this looks like a deck, but the file {error}.", file=file.name) from None
    listed = parse_deck(text, file.path.stem)
    # The place of a card differs from copy to copy.
    copies = Counter(entry._replace(where="") for entry in listed.entries)
    rows = (_deck_row(number, entry, count) for number, (entry, count) in enumerate(copies.items(), 1))
    return FileRows(rows, "utf-8", deck=listed.name)


def _deck_row(number: int, entry: DeckEntry, copies: int) -> Row:
    """Return the row of a card in a deck; an id in it is certain."""
    card_id = entry.card.id if entry.card is not None else entry.text if ":" in entry.text else ""
    name = "" if entry.text == card_id else entry.text
    set_code, own = (entry.card.set_code, entry.card.collector_number) if entry.card is not None else ("", "")
    ids = (("card", card_id),) if card_id else ()
    raw = f"{copies} {entry.text}{f' ({card_id})' if name and card_id else ''}"[:LONGEST_RAW]
    return Row(number, raw, ((NORMAL, copies),), name[:LONGEST_TEXT], set_code, "", own, ids)


_KEYS: Final = {"set": "set_code", "number": "collector_number", "arena": "id"}
"""The keys of what this program writes for fields of tables with another name."""
_OWN: Final = frozenset((*ShownHolding.__struct_fields__, "settles"))
"""The keys of what this program writes."""
_SAMPLE: Final = 50
"""The number of objects by whose keys a file of another program is recognised."""
_NO_JSON: Final = object()
"""Stands for a value that is not JSON."""
_TEXTS = ("id", "name", "set_code", "set_name", "collector_number", "finish", "condition", "language", "rarity", "note")


def sniff_own(file: CollectionFile) -> bool:
    """Return whether a file starts like JSON."""
    start = file.beginning()
    # An object, a list of objects, or a list that begins on the next line.
    return start.startswith((b"{", b"[{")) or start.split(b"\n")[0].strip() == b"["


def read_own(file: CollectionFile) -> FileRows:
    """Read the rows of a JSON file: of this program, or objects of another one, which are read like a table.

    Objects without names have ids, such as those of Arena, which a table does not take for cards.

    Raises:
        CatalogError: If it is not JSON at all.
    """
    values = partial(_json_values, file.path, file.name)
    first = [value for _, _, value in islice(values(), _SAMPLE)]
    objects = [value for value in first if isinstance(value, dict)]
    keys = {key for one in objects for key in one}
    nested = {key for one in objects for key, value in one.items() if isinstance(value, dict)}
    fields = known_fields(list(keys))
    # An object inside may be anything, but not what a table has in one cell. Other kinds of files have names as well.
    is_table = "name" in fields and not known_fields(list(nested)) and (not nested or "copies" in fields)
    if file.columns is not None or (is_table and not keys <= _OWN):
        return read_objects(file, values)
    return FileRows(read_json_lines(file.path, file.name), "utf-8", fields=EVERYTHING)


def read_json_lines(path: Path, name: str) -> Iterator[Row | SkippedRow]:
    """Yield the rows of a file lazily.

    Raises:
        CatalogError: If it is not JSON at all.
    """
    for line, raw, value in _json_values(path, name):
        yield SkippedRow(line, raw, "not JSON") if value is _NO_JSON else _own_row(line, raw, value)


def _json_values(path: Path, name: str) -> Iterator[tuple[int, str, object]]:
    """Yield the values in a file with their lines, and the beginnings of their texts."""
    with open_data(path) as stream:
        for row in json_rows(stream, name):
            raw = bytes(row.body[: 4 * LONGEST_RAW]).decode("utf-8", "replace").strip()[:LONGEST_RAW]
            try:
                value = json.loads(bytes(row.body))
            except (ValueError, RecursionError):
                value = _NO_JSON
            yield row.number, raw, value


def _own_row(line: int, raw: str, value: Any) -> Row | SkippedRow:
    if not isinstance(value, dict):
        return SkippedRow(line, raw, "not a JSON object")
    value = {_own_key(key): one for key, one in value.items()}
    texts = [_own_text(value.get(key)) for key in (*_TEXTS, *Place._fields)]
    if not all(isinstance(text, str) for text in texts):
        return SkippedRow(line, raw, "a value is not text")
    card_id, name, set_code, set_name, number, finish, condition, language, rarity, note, *place = map(_cut, texts)
    finish = finish_word(finish)
    copies = value.get("copies", 1)
    if not isinstance(copies, int) or isinstance(copies, bool) or not 0 < copies <= MOST_COPIES:
        return SkippedRow(line, raw, f"{str(copies)[:40]!r} is not a number of copies")
    if not card_id and not name and not number:
        return SkippedRow(line, raw, "it names no card")
    # The object of another kind of file may have a name as well.
    if not card_id and not set_code and "copies" not in value and any(isinstance(one, dict) for one in value.values()):
        return SkippedRow(line, raw, "it has no number of copies")
    doubt = value.get("settles")
    if isinstance(doubt, int) and not 0 <= doubt <= LARGEST_WHOLE:
        return SkippedRow(line, raw, f"{str(doubt)[:40]!r} is not the number of an uncertain row")
    return Row(
        line,
        raw,
        ((finish or NORMAL, copies),),
        name,
        set_code,
        set_name,
        number,
        _ids(card_id, name),
        condition,
        language,
        Place(*place),
        doubt if isinstance(doubt, int) else None,
        rarity=rarity,
        note=note,
        details=_details(value, copies),
    )


def _own_key(key: str) -> str:
    """Return the key of this program for one of an object; keys of others are read like headings of tables."""
    if key in _OWN:
        return key
    # A `cardId` next to no name is an id, and that of a table a collector number.
    field = "arena" if heading_key(key) == "cardid" else vocabulary().find("headings", heading_key(key))
    return _KEYS.get(field, field or key)


def _details(value: dict[str, Any], copies: int) -> str:
    """Return the details of a line, as the catalogue stores them; other values than texts are omitted."""
    known: dict[str, Any] = {}
    for field, kind in Details.__annotations__.items():
        found = value.get(field)
        if field == "for_trade":
            # True means all copies.
            is_count = isinstance(found, int) and 0 < found <= MOST_COPIES
            known[field] = copies if found is True else found if is_count else 0
        elif field == "tags":
            tags = [found] if isinstance(found, str) else found if isinstance(found, list) else ()
            known[field] = parse_tags(",".join(filter(_is_text, tags)))
        elif field == "own":
            own = found.items() if isinstance(found, dict) else ()
            known[field] = tuple(sorted((_cut(key), _cut(text)) for key, text in own if _is_text(text) and text))
        elif kind is int:
            known[field] = int(is_yes(_own_text(found)) if isinstance(found, str) else found is True or found == 1)
        else:
            known[field] = _cut(_own_text(found)) if isinstance(found, str | int | float) else ""
    return Details(**known).text()


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _cut(text: str) -> str:
    # JSON may contain lone surrogates.
    return replace_surrogates(text[:LONGEST_TEXT])


def _own_text(value: object) -> Any:
    """Return a number or a boolean as text, anything else unchanged."""
    if value is None or value is False:
        return ""
    return str(value).casefold() if isinstance(value, (int, float)) else value


def _ids(text: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return an id of the catalogue, or Arena's if it is a number; next to a name only if both agree."""
    # A number alone is Arena's id; next to a name its origin is unknown.
    if text.isdecimal():
        return (("id" if name else "arena", text),)
    return (("card", text),) if text else ()


def write_json_array(holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield the text of one JSON array, with one entry per line."""
    return json_array(write_json_lines(holdings))


def write_json_lines(holdings: Iterable[Holding]) -> Iterator[str]:
    """Yield the lines of a file."""
    for holding in holdings:
        # Read back, the catalogue's rarity would become the owner's.
        own = shown_holding(holding._replace(card_rarity=""))
        yield json.dumps(msgspec.structs.asdict(own), ensure_ascii=False) + "\n"
