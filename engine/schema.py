"""The keys and types of what is read from files, checked by small functions that say where something is wrong.

Only shapes: whether a value makes sense in a game is the game's to say.
"""

import datetime
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from ccgrid.catalog.documents import LONGEST_KEY, DocumentError, Limits, load_json, load_toml, read_text
from ccgrid.engine.errors import RecordError, quoted

Schema = Callable[[object], None]
"""Checks the keys and types of a value out of a file, and raises `RecordError` with the place."""

DEEPEST_NOTE = 20
# The whole numbers that TOML and JSON readers in other languages keep: 64 bits with a sign.
LARGEST_WHOLE = 2**63 - 1


def key_name(key: str) -> str:
    """A key as places show it: bare when it is a plain word, else between quotes."""
    return key if key and len(key) < 40 and all(c.isalnum() or c in "_- #" for c in key) else quoted(key)


def describe_value(value: object) -> str:
    """What a value is, in the words of messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    # `quoted` cuts and cleans; a number stands without the quotes. One of thousands of digits Python does not even
    # write.
    if isinstance(value, int | float):
        return (
            f"the number {quoted(value)[1:-1]}"
            if not isinstance(value, int) or abs(value) < 10**20
            else "a huge number"
        )
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if value is None:
        return "null"
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else "a date or time"


def text(value: object) -> None:
    """A text."""
    if not isinstance(value, str):
        raise RecordError("", f"must be a text, not {describe_value(value)}")


def whole(value: object) -> None:
    """A whole number of at most 64 bits; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError("", f"must be a whole number, not {describe_value(value)}")
    if abs(value) > LARGEST_WHOLE:
        raise RecordError("", "is too large a number")


def truth(value: object) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise RecordError("", f"must be true or false, not {describe_value(value)}")


def day(value: object) -> None:
    """A date, with or without a time of day; as text where the file's format has no dates."""
    try:
        # A text that is no date falls through to the error below, as it is no `datetime.date` either.
        if isinstance(value, str):
            read_day(value)
            return
    except ValueError:
        pass
    # A date with a time of day is a `datetime`, which is a `date` as well.
    if not isinstance(value, datetime.date):
        raise RecordError("", f"must be a date like 2026-11-21, not {describe_value(value)}")


def read_day(value: str | datetime.date) -> datetime.date:
    """The date in a value that has passed `day`."""
    if isinstance(value, datetime.date):
        return value
    # A date has ten characters; what is longer has a time of day.
    return datetime.date.fromisoformat(value) if len(value) == 10 else datetime.datetime.fromisoformat(value)


def list_of(shape: Schema) -> Schema:
    """A list, each entry of which has a shape."""

    def check(value: object) -> None:
        if not isinstance(value, list):
            raise RecordError("", f"must be a list, not {describe_value(value)}")
        for index, entry in enumerate(value):
            try:
                shape(entry)
            except RecordError as error:
                raise error.under(f"[{index}]") from None

    return check


def table_of(shape: Schema) -> Schema:
    """A table with any keys, each value of which has a shape."""

    def check(value: object) -> None:
        if not isinstance(value, dict):
            raise RecordError("", f"must be a table, not {describe_value(value)}")
        for key, entry in value.items():
            try:
                shape(entry)
            except RecordError as error:
                raise error.under(key_name(key)) from None

    return check


def table(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """A table with exactly these keys, each with its shape; the optional ones may be missing."""
    shapes = {**required, **(optional or {})}

    def check(value: object) -> None:
        if not isinstance(value, dict):
            raise RecordError("", f"must be a table, not {describe_value(value)}")
        for key, entry in value.items():
            shape = shapes.get(key)
            if shape is None:
                raise RecordError(key_name(key), f"unknown key; known here: {', '.join(shapes)}")
            try:
                shape(entry)
            except RecordError as error:
                raise error.under(key) from None
        for key in required:
            if key not in value:
                raise RecordError(key, "is missing")

    return check


def each_players(table: Mapping[str, Any], key: str, players: Sequence[str], missing: str) -> list[tuple[str, Any]]:
    """Every player's entry of the table under a key, in seat order, each with its place; `missing` says what is not.

    Raises:
        RecordError: an entry is nobody's, or a player has none.
    """
    entries: Mapping[str, Any] = table[key]
    for name in entries:
        if name not in players:
            raise RecordError(f"{key}.{key_name(name)}", "is not one of the players")
    for player in players:
        if player not in entries:
            raise RecordError(f"{key}.{key_name(player)}", f"is missing: {missing}")
    return [(f"{key}.{key_name(player)}", entries[player]) for player in players]


def text_or(shape: Schema) -> Schema:
    """A text, or else this shape: a card by its name or id, or written out."""

    def check(value: object) -> None:
        if not isinstance(value, str):
            shape(value)

    return check


def notes(value: object) -> None:
    """A table that may hold anything both spellings of a record can say, nested at most 20 deep."""
    if not isinstance(value, dict):
        raise RecordError("", f"must be a table, not {describe_value(value)}")
    _note(value, DEEPEST_NOTE)


def _note(value: object, depth: int) -> None:
    if depth == 0:
        raise RecordError("", f"is nested more than {DEEPEST_NOTE} deep")
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise RecordError("", "must be a text, a number, true or false, a date, a list or a table")
    if isinstance(value, int):
        # True and false are numbers in Python; in a note they may be what they are.
        if not isinstance(value, bool):
            whole(value)
        return
    entries: Sequence[tuple[str, object]] = ()
    if isinstance(value, dict):
        if (longest := max(map(len, value), default=0)) > LONGEST_KEY:
            raise RecordError("", f"has a key of {longest:,} characters; {LONGEST_KEY:,} is the most")
        entries = [(key_name(key), entry) for key, entry in value.items()]
    elif isinstance(value, list):
        entries = [(f"[{index}]", entry) for index, entry in enumerate(value)]
    for key, entry in entries:
        try:
            _note(entry, depth - 1)
        except RecordError as error:
            raise error.under(key) from None


def read_notes(value: Any) -> Any:
    """The notes in a value that has passed `notes`: dates and times become text, so that both spellings agree."""
    if isinstance(value, dict):
        return {key: read_notes(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [read_notes(entry) for entry in value]
    # TOML has dates, JSON has not: both spellings read the same.
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


LARGEST_DOCUMENT: Final = 1 << 20
"""The most bytes that one document may have: a TOML file, or one line of JSON Lines."""

# Characters that a line of TOML has at most, unless a single entry is longer.
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
    # Tables come after all plain keys: what stands behind `[a.b]` would belong to it.
    later = []
    for key, value in table.items():
        line = f"{_key(key)} = {_inline(value)}"
        # Below the top level a small table stays on one line.
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
        # A table has a line of its own; other entries share lines.
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
    import tomli_w

    # The library knows when a key needs quotes: `key = 0` without ` = 0`.
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


def _inline(value: object) -> str:
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_key(key)} = {_inline(entry)}" for key, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_inline(entry) for entry in value)}]"
    import tomli_w

    # The library quotes and escapes; only the layout is made here.
    return tomli_w.dumps({"v": value}).removeprefix("v = ").removesuffix("\n")
