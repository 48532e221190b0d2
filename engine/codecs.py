"""The two spellings of documents, TOML and JSON: bytes to plain values and back, bounded whatever the bytes are."""

import datetime
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import tomli_w

from catalog.documents import DocumentError, Limits, load_json, load_toml, read_text
from engine.schema import RecordError

LARGEST_DOCUMENT: Final = 1 << 20
"""The most bytes that one document may have: a TOML file, or one line of JSON Lines."""

WIDTH: Final = 100

_LIMITS: Final = Limits(LARGEST_DOCUMENT, any_characters=True)


def parse_toml(data: bytes) -> dict[str, Any]:
    """The table in a TOML document.

    Raises:
        RecordError: it is none, or it is larger or deeper than any record.
    """
    try:
        text = read_text(data, _LIMITS)
        if not text.strip():
            raise RecordError("file", "is empty: it holds no game")
        return load_toml(text, _LIMITS)
    except DocumentError as error:
        raise RecordError("file", str(error)) from None


def parse_json(data: bytes) -> dict[str, Any]:
    """The object in a JSON document, of which no key may stand twice, and whose texts can be written again.

    Raises:
        RecordError: it is none, or it is larger or deeper than any record.
    """
    try:
        document = load_json(read_text(data, _LIMITS), _LIMITS)
    except DocumentError as error:
        raise RecordError("file", str(error)) from None
    if not isinstance(document, dict):
        raise RecordError("file", "is not a JSON object: a game is written as { ... }")
    return document


def to_json_line(document: Mapping[str, Any]) -> str:
    """The document as one line of JSON, without the line's end; dates become text."""
    return json.dumps(document, default=_day_text, separators=(",", ":"), allow_nan=False)


def _day_text(value: object) -> str:
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"a document cannot hold {value!r}")


def to_toml(document: Mapping[str, Any]) -> str:
    """The document as TOML for people: lists of tables one a line, long lists wrapped, nothing nested without need."""
    return "\n".join(_table_lines(document, ())) + "\n"


def _table_lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    later = []
    for key, value in table.items():
        line = f"{_key(key)} = {_inline(value)}"
        plain = isinstance(value, Mapping) and path and not any(isinstance(v, dict | list) for v in value.values())
        if isinstance(value, Mapping) and not (plain and len(line) <= WIDTH):
            later.append((key, value))
        elif isinstance(value, list | tuple) and (len(line) > WIDTH or any(isinstance(v, Mapping) for v in value)):
            yield f"{_key(key)} = ["
            yield from _entry_lines(value)
            yield "]"
        else:
            yield line
    for key, value in later:
        deeper = (*path, _key(key))
        yield f"[{'.'.join(deeper)}]"
        yield from _table_lines(value, deeper)


def _entry_lines(values: list[Any] | tuple[Any, ...]) -> Iterator[str]:
    line = ""
    for value in values:
        entry = f"{_inline(value)},"
        if line and (isinstance(value, Mapping) or len(line) + 1 + len(entry) > WIDTH):
            yield line
            line = ""
        line = f"{line} {entry}" if line else f"  {entry}"
        if isinstance(value, Mapping):
            yield line
            line = ""
    if line:
        yield line


@lru_cache(maxsize=256)
def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_key(key)} = {_inline(entry)}" for key, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_inline(entry) for entry in value)}]"
    return tomli_w.dumps({"v": value}).removeprefix("v = ").removesuffix("\n")
