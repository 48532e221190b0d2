"""Reading of TOML and JSON from untrusted files, with limits on size, depth and numbers."""

import codecs
import math
import re
from collections import Counter
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

LARGEST_DOCUMENT: Final = 16 << 20
"""The largest document of card data that is read into memory (a deck, one object of an API), in bytes."""
LARGEST_WHOLE: Final = (1 << 63) - 1
"""The largest whole number in a document or a record: readers in other languages preserve 64 bits, as TOML requires."""
LONGEST_KEY: Final = 1000
"""The most characters of a key."""
_LONGEST_WHOLE: Final = len(str(-LARGEST_WHOLE))
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""


class DocumentError(ValueError):
    """Raised if a document cannot be read. The message completes "the file …"; `line` is its line, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class Limits(NamedTuple):
    """Limits of a document: its size in bytes, its depth, and the length of its keys in characters.

    `any_characters` allows any characters in keys, for records, in which names of players are keys.
    """

    size: int
    depth: int = 40
    key: int = LONGEST_KEY
    any_characters: bool = False


def read_text(data: bytes, limits: Limits) -> str:
    """Decode a document.

    Raises:
        DocumentError: If it is too large or not UTF-8.
    """
    if len(data) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        remedy = "unpack it with gzip" if data.startswith(b"\x1f\x8b") else "save it as UTF-8"
        raise DocumentError(f"is not UTF-8 text (byte {error.start + 1}): {remedy}") from None


def wide_encoding(head: bytes) -> str:
    """Return the encoding of a text in UTF-16 by its first bytes, with a mark or without; "" if it is none.

    >>> wide_encoding("Ant".encode("utf-16-be")), wide_encoding("Ant".encode("utf-16")), wide_encoding(b"Ants")
    ('utf-16-be', 'utf-16', '')
    """
    # The mark of UTF-32 begins as that of UTF-16 does.
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(codecs.BOM_UTF32_LE):
        return "utf-16"
    first = head[:4]
    is_wide = len(first) == 4 and first.isascii()
    if is_wide and first[1] == first[3] == 0 and first[0] and first[2]:
        return "utf-16-le"
    return "utf-16-be" if is_wide and first[0] == first[2] == 0 and first[1] and first[3] else ""


def load_toml(text: str, limits: Limits) -> dict[str, object]:
    """Parse a TOML document.

    Raises:
        DocumentError: If it is not TOML or exceeds the limits.
    """
    import tomllib

    if len(text) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    if found := _deep_key_pattern(limits.depth).search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise DocumentError(f"has a key of more than {limits.depth} parts: no table is nested that deep", line)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise DocumentError("is nested too deeply to be read") from None
    except ValueError as error:  # TOMLDecodeError, or Python's error for a number of 5000 digits
        raise DocumentError(f"is not TOML: {_printable(error)}") from None
    _check(table, limits)
    return table


def load_json(text: str, limits: Limits) -> Any:
    """Parse a JSON document without repeated keys and lone surrogates.

    Raises:
        DocumentError: If it is not JSON or exceeds the limits.
    """
    if len(text) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    import json

    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_int=_whole, parse_float=_finite, parse_constant=_no_constant
        )
        # Only an escape can be a lone surrogate: the text itself was UTF-8.
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise DocumentError("is nested too deeply to be read") from None
    except UnicodeEncodeError:
        raise DocumentError("holds half of a surrogate pair, not a character") from None
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"is not JSON: {_printable(error)}") from None
    return value


@cache
def _deep_key_pattern(depth: int) -> re.Pattern[str]:
    """Return a pattern of a dotted key with too many parts, which `tomllib` reads in quadratic time."""
    return re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{depth}}}")


def _check(table: dict[str, Any], limits: Limits) -> None:
    """Check the depth, keys and numbers of a table.

    Raises:
        DocumentError: If one of them exceeds the limits.
    """
    # An explicit stack, because the depth is unknown.
    pending: list[tuple[object, int]] = [(table, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > limits.depth:
            raise DocumentError("is nested too deeply to be read")
        if isinstance(value, dict):
            for key in value:
                if not (limits.any_characters or key.isprintable()) or len(key) > limits.key:
                    raise DocumentError(
                        f"has a key that is too long or contains control characters: {_quoted_key(key)}"
                    )
            pending.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            pending.extend((inner, depth + 1) for inner in value)
        elif isinstance(value, int) and not -LARGEST_WHOLE - 1 <= value <= LARGEST_WHOLE:
            raise DocumentError("has a number of more than 64 bits")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise DocumentError(f"has the key {_quoted_key(twice)} twice")
    return table


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_WHOLE or not -LARGEST_WHOLE - 1 <= (number := int(digits)) <= LARGEST_WHOLE:
        raise DocumentError("has a number of more than 64 bits")
    return number


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise DocumentError("has a number that is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise DocumentError(f"is not JSON: {name} is not a number")


def _size(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def _quoted_key(key: str) -> str:
    """Return a key in quotes, shortened and without control characters."""
    return f'"{_harmless(key[:60])}{"…" if len(key) > 60 else ""}"'


def _printable(error: ValueError) -> str:
    return _harmless(str(error))[:200]


def _harmless(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
