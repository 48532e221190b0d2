"""Reads and writes JSON Lines, a holding a line: what keeps everything, and what `collection list --json` prints."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ccgrid.catalog.collection.formats.apps import heading_key
from ccgrid.catalog.collection.formats.format import (
    EVERYTHING,
    LONGEST_RAW,
    LONGEST_TEXT,
    MOST_COPIES,
    CollectionFile,
    FileRows,
    Skipped,
)
from ccgrid.catalog.documents import LARGEST_WHOLE
from ccgrid.catalog.holding import NORMAL, Details, Holding, Place, is_yes, tags_of
from ccgrid.catalog.matching.row import Row
from ccgrid.catalog.readers.streams import json_rows, open_data
from ccgrid.catalog.words import finish_word

_OWN: Final = {
    **{"quantity": "copies", "count": "copies", "qty": "copies", "amount": "copies", "cardid": "id", "grpid": "id"},
    **{"cardname": "name", "setcode": "set_code", "set": "set_code", "setname": "set_name", "lang": "language"},
    **{"number": "collector_number", "collectornumber": "collector_number", "cardnumber": "collector_number"},
    **{"foil": "finish", "isfoil": "finish", "printing": "finish", "cn": "collector_number", "arenaid": "id"},
}
"""What others call what is kept here, as `heading_key` writes it."""
_TEXTS = ("id", "name", "set_code", "set_name", "collector_number", "finish", "condition", "language", "rarity", "note")


def sniff(file: CollectionFile) -> bool:
    """Whether a file is JSON, by how it begins."""
    start = file.beginning()
    return start.startswith((b"{", b"[{")) or start.split(b"\n")[0].strip() == b"["


def read(file: CollectionFile) -> FileRows:
    """The rows of a file of JSON."""
    return FileRows(read_json_lines(file.path, file.name), "utf-8", said=EVERYTHING)


def read_json_lines(path: Path, name: str) -> Iterator[Row | Skipped]:
    """The rows of a file, read as they are asked for; raises CatalogError where not JSON at all."""
    with open_data(path) as stream:
        for row in json_rows(stream, name):
            line = int("".join(filter(str.isdigit, row.where)) or 0)
            raw = bytes(row.body[: 4 * LONGEST_RAW]).decode("utf-8", "replace").strip()[:LONGEST_RAW]
            try:
                value = json.loads(bytes(row.body))
            except (ValueError, RecursionError):
                yield Skipped(line, raw, "not JSON")
                continue
            yield _row(line, raw, value)


def _row(line: int, raw: str, value: Any) -> Row | Skipped:
    if not isinstance(value, dict):
        return Skipped(line, raw, "not a JSON object")
    value = {_OWN.get(heading_key(key), key): one for key, one in value.items()}
    texts = [_text(value.get(key)) for key in (*_TEXTS, *Place._fields)]
    if not all(isinstance(text, str) for text in texts):
        return Skipped(line, raw, "a value is not text")
    cut = [text[:LONGEST_TEXT].encode("utf-8", "replace").decode() for text in texts]  # JSON may hold half a character
    card_id, name, set_code, set_name, number, finish, condition, language, rarity, note, *place = cut
    finish = finish_word(finish)
    copies = value.get("copies", 1)
    if not isinstance(copies, int) or isinstance(copies, bool) or not 0 < copies <= MOST_COPIES:
        return Skipped(line, raw, f"{str(copies)[:40]!r} is not a number of copies")
    if not card_id and not name and not number:
        return Skipped(line, raw, "it names no card")
    doubt = value.get("settles")
    if isinstance(doubt, int) and not 0 <= doubt <= LARGEST_WHOLE:
        return Skipped(line, raw, f"{str(doubt)[:40]!r} is not the number of a row in doubt")
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


def _details(value: dict[str, Any], copies: int) -> str:
    """What a line says beyond the kind of its copies, as it is kept; what is no text is left out."""
    known: dict[str, Any] = {}
    for field, kind in Details.__annotations__.items():
        said = value.get(field)
        if field == "for_trade":
            known[field] = copies if said is True else said if isinstance(said, int) and 0 < said <= MOST_COPIES else 0
        elif field == "tags":
            known[field] = tags_of(said if isinstance(said, str) else ",".join(filter(_is_text, said or ())))
        elif field == "own":
            own = said.items() if isinstance(said, dict) else ()
            known[field] = tuple(sorted((_cut(key), _cut(text)) for key, text in own if _is_text(text) and text))
        elif kind is int:
            known[field] = int(is_yes(_text(said)) if isinstance(said, str) else said is True or said == 1)
        else:
            known[field] = _cut(_text(said)) if isinstance(said, str | int | float) else ""
    return Details(**known).text()


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _cut(text: str) -> str:
    return text[:LONGEST_TEXT].encode("utf-8", "replace").decode()


def _text(value: Any) -> Any:
    """A number or a yes as the text that it stands for; what is neither is left as it is."""
    if value is None or value is False:
        return ""
    return str(value).casefold() if isinstance(value, (int, float)) else value


def _ids(text: str, name: str) -> tuple[tuple[str, str], ...]:
    """An id of the catalogue, or a number, which is Arena's; beside a name only where that agrees."""
    if text.isdecimal():
        return (("id" if name else "arena", text),)
    return (("card", text),) if text else ()


def write_json_lines(holdings: Iterable[Holding]) -> Iterator[str]:
    """The lines of a file."""
    for holding in holdings:
        yield json.dumps(holding.to_dict(), ensure_ascii=False) + "\n"
