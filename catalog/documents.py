"""Reads TOML and JSON that strangers wrote, bounded in size, depth and numbers; writes lines of tables for them."""

import codecs
import csv
import io
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from ccgrid.catalog.errors import CatalogError

LARGEST_DOCUMENT: Final = 16 << 20
"""The largest document of card data that is read whole (a deck, one object of an API), in bytes."""
LARGEST_WHOLE: Final = (1 << 63) - 1
"""No whole number in a document is larger, nor smaller than the negative of it less one: 64 bits, as TOML has them."""
LONGEST_KEY: Final = 1000
"""The most characters that a key may have."""
_LONGEST_WHOLE: Final = len(str(-LARGEST_WHOLE))
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""


class DocumentError(ValueError):
    """A document that is not read; the message completes "the file …", and `line` is where, if that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class Limits(NamedTuple):
    """How large a document may be, in bytes; how deep it may nest; how long its keys may be, in characters.

    Where people's names are keys, as in records, any characters may be in them.
    """

    size: int
    depth: int = 40
    key: int = LONGEST_KEY
    any_characters: bool = False


def read_text(data: bytes, limits: Limits) -> str:
    """The text in the bytes of a document; raises DocumentError where it is too large, or not UTF-8."""
    if len(data) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"is not UTF-8 text (byte {error.start + 1}): save it as UTF-8") from None


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


def load_toml(text: str, limits: Limits) -> dict[str, Any]:
    """The table in a TOML document.

    Raises:
        DocumentError: it is not TOML, or beyond the limits.
    """
    import tomllib

    if len(text) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    if found := _endless_key(limits.depth).search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise DocumentError(f"has a key of more than {limits.depth} parts: no table is nested that deep", line)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise DocumentError("is nested too deeply to be read") from None
    except ValueError as error:  # TOMLDecodeError, and what Python says to a number of 5000 digits
        raise DocumentError(f"is not TOML: {_printable(error)}") from None
    _check(table, limits)
    return table


def load_json(text: str, limits: Limits) -> Any:
    """The value in a JSON document, in which no object has a key twice, and whose texts can be written again.

    Raises:
        DocumentError: it is not JSON, or beyond the limits.
    """
    if len(text) > limits.size:
        raise DocumentError(f"is larger than {_size(limits.size)}")
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_int=_whole, parse_float=_finite, parse_constant=_no_constant
        )
        # Only an escape can write half of a surrogate pair: the text itself was UTF-8.
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
def _endless_key(depth: int) -> re.Pattern[str]:
    """Finds a dotted key that costs `tomllib` the square of its length, or as many words without a space between."""
    return re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{depth}}}")


def _check(table: dict[str, Any], limits: Limits) -> None:
    """Raises DocumentError where a table is nested too deeply, or holds a key or a number beyond the limits."""
    # A stack and no recursion, as the depth is what is checked.
    pending: list[tuple[Any, int]] = [(table, 0)]
    while pending:
        value, depth = pending.pop()
        if depth > limits.depth:
            raise DocumentError("is nested too deeply to be read")
        if isinstance(value, dict):
            for key in value:
                if not (limits.any_characters or key.isprintable()) or len(key) > limits.key:
                    raise DocumentError(f"has a key that is too long, or holds control characters: {_quoted_key(key)}")
            pending.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            pending.extend((inner, depth + 1) for inner in value)
        elif isinstance(value, int) and not -LARGEST_WHOLE - 1 <= value <= LARGEST_WHOLE:
            raise DocumentError("is not TOML: it holds a number of more than 64 bits")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise DocumentError(f"has the key {_quoted_key(twice)} twice")
    return table


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_WHOLE or not -LARGEST_WHOLE - 1 <= (number := int(digits)) <= LARGEST_WHOLE:
        raise DocumentError("is not JSON that can be read: it holds a number of more than 64 bits")
    return number


def _finite(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise DocumentError("is not JSON that can be read: it holds a number beyond all measure")
    return number


def _no_constant(name: str) -> NoReturn:
    raise DocumentError(f"is not JSON: {name} is not a number")


def _size(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


def _quoted_key(key: str) -> str:
    """A key between quotes, short, and without anything that a terminal would obey."""
    return f'"{_harmless(key[:60])}{"…" if len(key) > 60 else ""}"'


def _printable(error: ValueError) -> str:
    return _harmless(str(error))[:200]


def _harmless(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


LARGEST_UNPACKED: Final = 32 << 30
"""The most that a compressed file may unpack to, in bytes."""
STEEPEST: Final = 200
"""The steepest compression that is believed; card data has about 10 to 1, a gzip bomb 1000 to 1."""
ALWAYS_UNPACKED: Final = 4 << 20
"""What an input may unpack to however steep it is, in bytes."""
MOST_BLANK: Final = 100_000
"""The most lines in a row that may hold nothing."""
QUIET_SECONDS: Final = 5.0
"""The processor time that may pass without a row, whatever the size of the file."""
QUIET_BYTES: Final = 1 << 20
"""Bytes of the file that give a second more: a look at a whole large file takes its time."""

Report = Callable[[int, int], None]
"""Receives the bytes that were read, and their total."""
Row = TypeVar("Row")


class Allowance:
    """What one input may unpack to, counted over all of its members and layers together.

    A member that is read again counts once. `packed` is the size of the outermost file in bytes, as far as it is
    known; `inside` says that what is read now was taken out of that file, and has no say in its size.
    """

    def __init__(self, name: str, packed: int = 0) -> None:
        self.name, self.packed, self.inside = name, packed, False
        self._furthest: dict[str, int] = {}
        self._total = 0

    def take(self, member: str, count: int) -> None:
        """Notes that `count` bytes of a member are unpacked; raises CatalogError where all together are too many."""
        more = count - self._furthest.get(member, 0)
        if more <= 0:
            return
        self._furthest[member] = count
        self._total += more
        steep = self._total > ALWAYS_UNPACKED and self._total > STEEPEST * self.packed
        if steep or self._total > LARGEST_UNPACKED:
            raise CatalogError(f"{self.name}: stopped, it unpacks to far more than card data. Is it the right file?")


class RowWatch:
    """Stops the reading of an input in which no row comes, however busy its bytes keep us.

    `report` is to be used in place of the report that was given, which it calls; `clock` gives seconds of processor
    time.
    """

    def __init__(self, name: str, report: Report | None = None, clock: Callable[[], float] = time.process_time) -> None:
        self._name, self._report, self._clock = name, report, clock
        self._since, self._met = clock(), False

    def report(self, done: int, total: int) -> None:
        """Raises CatalogError where too much time has passed since the last row."""
        if self._met:
            self._since, self._met = self._clock(), False
        elif self._clock() - self._since > QUIET_SECONDS + total / QUIET_BYTES:
            raise CatalogError(f"{self._name}: stopped, it is endless and has no card. Is it the right file?")
        if self._report is not None:
            self._report(done, total)

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, each of which starts the time anew."""
        for row in rows:
            self._met = True
            yield row


def not_endless(name: str, blank: int) -> None:
    """Raises CatalogError where `blank` empty lines in a row are too many."""
    if blank > MOST_BLANK:
        raise CatalogError(f"{name}: over {MOST_BLANK} lines in a row are empty. Is it the right file?")


# --- lines of tables: no spreadsheet runs a cell as a formula, and the same cells come back ----------------------


_OPENS_A_FORMULA: Final = re.compile(r"'*(?:[\t\r\n]|[\s\x00-\x1f\u200b\ufeff]*[=+\-@＝＋－＠])")
"""Spreadsheets pass over blanks, and some read full width; a cell of ours has an apostrophe before it."""


def csv_line(cells: Iterable[object], delimiter: str = ",") -> str:
    """A line with its end, each text made harmless; None is blank."""
    line = io.StringIO()
    texts = (escape_formula(cell) if isinstance(cell, str) else cell for cell in cells)
    # Either end is one to most programs: a cell that holds one is quoted.
    csv.writer(line, delimiter=delimiter, lineterminator="\r\n").writerow(texts)
    return line.getvalue().removesuffix("\r\n") + "\n"


def escape_formula(text: str) -> str:
    """A cell that no spreadsheet runs: what opens a formula gets an apostrophe before it.

    >>> escape_formula("+2 Mace"), escape_formula(" ＝1"), escape_formula("Ant"), escape_formula("'=1")
    ("'+2 Mace", "' ＝1", 'Ant', "''=1")
    """
    return "'" + text if _OPENS_A_FORMULA.match(text) else text


def formula_text(text: str) -> str:
    """A cell as it was before `escape_formula`.

    >>> formula_text("'+2 Mace"), formula_text("'Twas Night"), formula_text("''=1")
    ('+2 Mace', "'Twas Night", "'=1")
    """
    return text[1:] if text.startswith("'") and _OPENS_A_FORMULA.match(text) else text
