"""Schemas of data from files: small functions that check keys and types and report the location of an error.

They check the structure only; each game checks whether the values are valid.
"""

import datetime
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ccgrid.catalog.documents import (
    LARGEST_WHOLE,
    LONGEST_KEY,
    DocumentError,
    Limits,
    load_json,
    load_toml,
    read_text,
)
from ccgrid.catalog.toml_values import toml_key, toml_value
from ccgrid.engine.errors import RecordError, quoted

Schema = Callable[[object], None]
"""Checks the keys and types of a value from a file, and raises `RecordError` with the location."""

Table: TypeAlias = Mapping[str, Any]
"""A table in a file, whose schema has checked the types of its values."""

DEEPEST_NOTE = 20


def key_name(key: str) -> str:
    """Return a key for a location, in quotes unless it is a plain word."""
    return key if key and len(key) < 40 and all(c.isalnum() or c in "_- #" for c in key) else quoted(key)


def describe_value(value: object) -> str:
    """Return a description of a value for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    # `quoted` shortens and escapes; a number needs no quotes. Python refuses to format integers of thousands of digits.
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
    if isinstance(value, datetime.date):  # a date with a time is one, too
        return "a date and a time" if isinstance(value, datetime.datetime) else "a date"
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else "a time"


def text(value: object) -> None:
    """Check that a value is a text."""
    if not isinstance(value, str):
        raise RecordError("", f"must be a text, not {describe_value(value)}")


def whole(value: object) -> None:
    """Check that a value is an integer of at most 64 bits, and not a boolean."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError("", f"must be a whole number, not {describe_value(value)}")
    if not -LARGEST_WHOLE - 1 <= value <= LARGEST_WHOLE:
        raise RecordError("", "is too large a number")


def truth(value: object) -> None:
    """Check that a value is a boolean."""
    if not isinstance(value, bool):
        raise RecordError("", f"must be true or false, not {describe_value(value)}")


def day(value: object) -> None:
    """Check that a value is a date, with or without a time of day; it may be text, because JSON has no dates."""
    try:
        # A text that is not a date continues to the error below, because it is no `datetime.date` either.
        if isinstance(value, str):
            read_day(value)
            return
    except ValueError:
        pass
    # A date with a time of day is a `datetime`, a subclass of `date`.
    if not isinstance(value, datetime.date):
        raise RecordError("", f"must be a date like 2026-11-21, not {describe_value(value)}")


def read_day(value: str | datetime.date) -> datetime.date:
    """Return the date in a value that has passed `day`."""
    if isinstance(value, datetime.date):
        return value
    # A date has ten characters; a longer text includes a time of day.
    return datetime.date.fromisoformat(value) if len(value) == 10 else datetime.datetime.fromisoformat(value)


def list_of(shape: Schema) -> Schema:
    """Return the schema of a list whose entries match a schema."""

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
    """Return the schema of a table with arbitrary keys whose values match a schema."""

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
    """Return the schema of a table with exactly these keys; the optional ones may be missing."""
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


def player_entries(table: Mapping[str, Any], key: str, players: Sequence[str], missing: str) -> list[tuple[str, Any]]:
    """Return every player's entry of the table under a key, in seat order, as pairs of its location and value.

    `missing` is the explanation in the error message for a missing entry.

    Raises:
        RecordError: If a key is not a player's name, or a player's entry is missing.
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
    """Return the schema of a text or a value of another schema."""

    def check(value: object) -> None:
        if not isinstance(value, str):
            shape(value)

    return check


def text_or_table(shape: Schema) -> Schema:
    """Return the schema of a text or a table of a schema: a card's name, id or number, or its numbers."""
    either = text_or(shape)

    def check(value: object) -> None:
        if not isinstance(value, str | dict):
            raise RecordError("", f"must be a text or a table, not {describe_value(value)}")
        either(value)

    return check


def notes(value: object) -> None:
    """Check that a value is a table of values that both file formats can represent, nested at most 20 deep."""
    if not isinstance(value, dict):
        raise RecordError("", f"must be a table, not {describe_value(value)}")
    _check_note(value, DEEPEST_NOTE)


def _check_note(value: object, depth: int) -> None:
    if depth == 0:
        raise RecordError("", f"is nested more than {DEEPEST_NOTE} deep")
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise RecordError("", "must be a text, a number, true or false, a date, a list or a table")
    if isinstance(value, int):
        # Booleans are integers in Python, but need no check of the size.
        if not isinstance(value, bool):
            whole(value)
        return
    entries: Sequence[tuple[str, object]] = ()
    if isinstance(value, dict):
        if (longest := max(map(len, value), default=0)) > LONGEST_KEY:
            raise RecordError("", f"has a key of {longest:,} characters; the maximum is {LONGEST_KEY:,}")
        entries = [(key_name(key), entry) for key, entry in value.items()]
    elif isinstance(value, list):
        entries = [(f"[{index}]", entry) for index, entry in enumerate(value)]
    for key, entry in entries:
        try:
            _check_note(entry, depth - 1)
        except RecordError as error:
            raise error.under(key) from None


def read_notes(value: object) -> Any:
    """Return the notes in a value that has passed `notes`, with dates and times as text, as in both file formats."""
    if isinstance(value, dict):
        return {key: read_notes(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [read_notes(entry) for entry in value]
    # TOML has dates, JSON does not: both are read as the same value.
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


LARGEST_DOCUMENT: Final = 1 << 20
"""The maximum size of a document in bytes: a TOML file, or one line of JSON Lines."""

# The maximum length of a line of TOML in characters, unless a single entry is longer.
WIDTH: Final = 100

_LIMITS: Final = Limits(LARGEST_DOCUMENT, any_characters=True)


def parse_toml(data: bytes) -> dict[str, Any]:
    """Return the table in a TOML document.

    Raises:
        RecordError: If it is invalid, or larger or deeper than any record.
    """
    try:
        text = read_text(data, _LIMITS)
        if not text.strip():
            raise RecordError("file", "is empty")
        return load_toml(text, _LIMITS)
    except DocumentError as error:
        raise RecordError("file", str(error)) from None


def parse_json(data: bytes) -> dict[str, Any]:
    """Return the object in a JSON document. Duplicate keys and texts that cannot be written again are errors.

    Raises:
        RecordError: If it is invalid, or larger or deeper than any record.
    """
    try:
        document = load_json(read_text(data, _LIMITS), _LIMITS)
    except DocumentError as error:
        raise RecordError("file", str(error)) from None
    if not isinstance(document, dict):
        raise RecordError("file", "is not a JSON object: a game is written as { ... }")
    return document


def to_json_line(document: Mapping[str, object]) -> str:
    """Return the document as one line of JSON, without the line break; dates become text."""
    import json

    return json.dumps(document, default=_format_date, separators=(",", ":"), allow_nan=False)


def _format_date(value: object) -> str:
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"a document cannot hold {value!r}")


def to_toml(document: Mapping[str, object]) -> str:
    """Return the document as readable TOML: tables in lists on one line each, long lists wrapped, little nesting."""
    return "\n".join(_table_lines(document, ())) + "\n"


def _table_lines(table: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    # Tables come after all plain keys, because keys after a heading `[a.b]` belong to that table.
    later = []
    for key, value in table.items():
        line = f"{toml_key(key)} = {toml_value(value)}"
        # Below the top level, a small table stays on one line.
        plain = isinstance(value, Mapping) and path and not any(isinstance(v, dict | list) for v in value.values())
        if isinstance(value, Mapping) and not (plain and len(line) <= WIDTH):
            later.append((key, value))
        elif isinstance(value, list | tuple) and (len(line) > WIDTH or any(isinstance(v, Mapping) for v in value)):
            yield f"{toml_key(key)} = ["
            yield from _entry_lines(value)
            yield "]"
        else:
            yield line
    for key, value in later:
        deeper = (*path, toml_key(key))
        yield f"[{'.'.join(deeper)}]"
        yield from _table_lines(value, deeper)


def _entry_lines(values: list[object] | tuple[object, ...]) -> Iterator[str]:
    line = ""
    for value in values:
        entry = f"{toml_value(value)},"
        # A table is on its own line; other entries share lines.
        if line and (isinstance(value, Mapping) or len(line) + 1 + len(entry) > WIDTH):
            yield line
            line = ""
        line = f"{line} {entry}" if line else f"  {entry}"
        if isinstance(value, Mapping):
            yield line
            line = ""
    if line:
        yield line
