"""The two spellings of documents, TOML and JSON: bytes to plain values and back, bounded whatever the bytes are."""

import datetime
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import tomli_w

from engine.game import quoted
from engine.schema import RecordError

LARGEST_DOCUMENT: Final = 1 << 20
"""The most bytes that one document may have: a TOML file, or one line of JSON Lines."""

WIDTH: Final = 100

_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_MOST_PARTS: Final = 40
_ENDLESS_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}\.[ \t]*+){{{_MOST_PARTS}}}")
"""A dotted key that costs `tomllib` the square of its length, or a text of as many words without a space between."""


def parse_toml(data: bytes) -> dict[str, Any]:
    """The table in a TOML document.

    Raises:
        RecordError: it is none, or it is larger or deeper than any record.
    """
    text = _decoded(data)
    if _ENDLESS_KEY.search(text):
        raise RecordError("file", f"has a key of more than {_MOST_PARTS} parts: no table is nested that deep")
    if not text.strip():
        raise RecordError("file", "is empty: it holds no game")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise RecordError("file", "is nested too deeply to be read") from None
    except ValueError as error:
        raise RecordError("file", f"is not TOML: {_printable(error)}") from None


def parse_json(data: bytes) -> dict[str, Any]:
    """The object in a JSON document, of which no key may stand twice, and whose texts can be written again.

    Raises:
        RecordError: it is none, or it is larger or deeper than any record.
    """
    text = _decoded(data)
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(document, ensure_ascii=False).encode()
    except RecursionError:
        raise RecordError("file", "is nested too deeply to be read") from None
    except UnicodeEncodeError:
        raise RecordError("file", "holds half of a surrogate pair, which is no character") from None
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError("file", f"is not JSON: {_printable(error)}") from None
    if not isinstance(document, dict):
        raise RecordError("file", "is not a JSON object: a game is written as { ... }")
    return document


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST_DOCUMENT:
        raise RecordError("file", f"is larger than {LARGEST_DOCUMENT} bytes, which no game needs")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError("file", f"is not UTF-8 text (byte {error.start + 1}): save it as UTF-8") from None


def _printable(error: ValueError) -> str:
    return "".join(c if c.isprintable() else " " for c in str(error))[:200]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise RecordError("file", f"has the key {quoted(twice)} twice")
    return table


def _no_constant(name: str) -> object:
    raise RecordError("file", f"is not JSON: {name} is no number")


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
