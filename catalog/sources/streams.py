"""Opens files that people downloaded: plain or gzipped, told apart by content; JSON in every shape, a row at a time.

Memory holds one row or one chunk, however long the file, and what a hostile file would unpack to is stopped early.
"""

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import msgspec

from catalog.card import CatalogError

LONGEST_ROW: Final = 16 << 20
"""The longest row that is read, in bytes; real ones stay under 100 KiB."""
LARGEST_DOCUMENT: Final = 64 << 20
"""The largest JSON document that is read whole (one object, pretty-printed), in bytes."""
LARGEST_UNPACKED: Final = 32 << 30
"""The most that a compressed file may unpack to, in bytes."""
STEEPEST: Final = 200
"""The steepest compression that is believed; card data has about 10 to 1, a gzip bomb 1000 to 1."""
_CHUNK: Final = 1 << 18
_BOM: Final = b"\xef\xbb\xbf"


Report = Callable[[int, int], None]


class Raw(NamedTuple):
    """One JSON value of a file as its bytes, and where it stands."""

    where: str
    body: bytes | msgspec.Raw


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a gzip file, stopped when they outgrow what real data would."""

    def __init__(self, packed: BinaryIO, name: str) -> None:
        self._packed, self._name, self._count = packed, name, 0
        self._unpacked = gzip.GzipFile(fileobj=packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._unpacked.read1(len(buffer))
        except EOFError:
            raise CatalogError(f"{self._name}: the gzip file ends too early. Download it again.") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise CatalogError(f"{self._name}: the gzip file is damaged ({error}). Download it again.") from None
        self._count += len(data)
        steep = self._count > LARGEST_DOCUMENT and self._count > STEEPEST * self._packed.tell()
        if steep or self._count > LARGEST_UNPACKED:
            raise CatalogError(
                f"{self._name}: stopped, it unpacks to far more than card data would. Is it the right file?"
            )
        buffer[: len(data)] = data
        return len(data)


class _Watched(io.FileIO):
    """A file that says how much of it has been read."""

    report: Report | None = None
    total = 0

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        if self.report is not None:
            self.report(self.tell(), self.total)
        return count


@contextmanager
def open_data(path: Path, report: Report | None = None) -> Iterator[BinaryIO]:
    """The bytes of a data file, unpacked where it is gzipped; `report` is told the bytes read, and of how many.

    Raises CatalogError where the file is missing, empty, a folder, or not what it claims.
    """
    try:
        raw = _Watched(path)
        raw.report, raw.total = report, path.stat().st_size
    except IsADirectoryError:
        raise CatalogError(f"{path}: this is a folder; name the file in it.") from None
    except OSError as error:
        raise CatalogError(f"{path}: {error.strerror or error}.") from None
    with io.BufferedReader(raw, _CHUNK) as file:
        head = file.peek(2)[:2]
        if not head:
            raise CatalogError(f"{path.name}: the file is empty.")
        if head != b"\x1f\x8b":
            yield file
            return
        with io.BufferedReader(_Unpacked(file, path.name), _CHUNK) as unpacked:
            yield unpacked


def json_rows(stream: BinaryIO, name: str) -> Iterator[Raw]:
    """The values of a JSON file one after the other, whatever its shape.

    Reads JSON Lines; an array with an object a line, which streams as fast; any other array; and one object, which
    stands for itself or, where it has a list under `data`, for what that holds. Raises CatalogError where the file is
    none of these or is cut off; a damaged row in the middle is handed on as it is.
    """
    first = stream.readline(LONGEST_ROW).removeprefix(_BOM)
    while first.isspace():
        first = stream.readline(LONGEST_ROW)
    head = first.strip()
    if head.startswith(b"{"):
        if not head.endswith(b"}"):
            return iter(_document(first + stream.read(LARGEST_DOCUMENT + 1), name))
        return iter(_listed(head)) if _list_of(head) is not None else _lines(stream, name, first)
    if head.startswith(b"["):
        row = head[1:] or stream.readline(LONGEST_ROW)
        if _looks_like_row(row):
            return _array_lines(stream, name, row, 1 if head[1:] else 2)
        return _array_values(stream, name, row)
    if not head:
        raise CatalogError(f"{name}: the file is empty.")
    if head.startswith(b"<"):
        raise CatalogError(f"{name}: this is a web page or XML, not JSON. Download the data file itself.")
    shown = head[:20].decode("ascii", "backslashreplace")
    raise CatalogError(f"{name}: not a JSON file (it begins with {shown!r}).")


class _List(msgspec.Struct):
    data: list[msgspec.Raw]


def _list_of(document: bytes) -> list[msgspec.Raw] | None:
    try:
        return msgspec.json.decode(document, type=_List).data
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def _listed(document: bytes) -> list[Raw]:
    return [Raw(f"data[{i}]", row) for i, row in enumerate(_list_of(document) or ())]


def _document(body: bytes, name: str) -> list[Raw]:
    if len(body) > LARGEST_DOCUMENT:
        raise CatalogError(f"{name}: one JSON object of over {LARGEST_DOCUMENT >> 20} MiB. Is it the right file?")
    try:
        msgspec.json.decode(body)
    except RecursionError:
        raise CatalogError(f"{name}: nested too deeply to be card data.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{name}: the file is damaged or cut off ({error}).") from None
    return [Raw("the file", body)] if _list_of(body) is None else _listed(body)


def _looks_like_row(line: bytes) -> bool:
    row = line.strip().rstrip(b",]").rstrip()
    return row.startswith(b"{") and row.endswith(b"}") and _is_complete(row)


def _is_complete(value: bytes) -> bool:
    try:
        msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


def _numbered(stream: BinaryIO, name: str, number: int) -> Iterator[tuple[int, bytes]]:
    """The lines that follow, numbered, none of them too long to be a row."""
    for place, line in enumerate(iter(partial(stream.readline, LONGEST_ROW), b""), number):
        if len(line) == LONGEST_ROW:
            raise CatalogError(f"{name}: line {place} is over {LONGEST_ROW >> 20} MiB long. Is it the right file?")
        yield place, line


def _lines(stream: BinaryIO, name: str, first: bytes) -> Iterator[Raw]:
    yield Raw("line 1", first)
    for number, line in _numbered(stream, name, 2):
        if not line.endswith(b"\n") and not _is_complete(line):
            raise CatalogError(f"{name}: the file ends in the middle of line {number}. Download it again.")
        if not line.isspace():
            yield Raw(f"line {number}", line)


def _array_lines(stream: BinaryIO, name: str, row: bytes, number: int) -> Iterator[Raw]:
    lines = _numbered(stream, name, number + 1)
    while row:
        row = row.strip()
        if row.endswith(b","):
            yield Raw(f"line {number}", row[:-1])
        elif row.endswith(b"]") and not _is_complete(row):
            if row := row[:-1].rstrip():
                yield Raw(f"line {number}", row)
            return
        elif row == b"]":
            return
        elif row:
            yield Raw(f"line {number}", row)
        number, row = next(lines, (number, b""))
    raise CatalogError(f"{name}: the file ends before its list does, in line {number}. Download it again.")


_BETWEEN = re.compile(r"[\s,]*")


def _array_values(stream: BinaryIO, name: str, pending: bytes) -> Iterator[Raw]:
    """The values of an array in any layout, with one chunk and one value in memory."""
    decode = json.JSONDecoder().raw_decode
    as_text = codecs.getincrementaldecoder("utf-8")().decode
    buffer, position, number = as_text(pending), 0, 0
    while True:
        match = _BETWEEN.match(buffer, position)
        position = match.end() if match else position
        if buffer.startswith("]", position):
            return
        try:
            _, end = decode(buffer, position)
        except RecursionError:
            raise CatalogError(f"{name}: value {number + 1} is nested too deeply to be a card.") from None
        except ValueError as error:
            held = len(buffer) - position
            # Reading as much again as is held keeps the number of tries small.
            chunk = stream.read(max(_CHUNK, held)) if held <= LONGEST_ROW else b""
            if not chunk:
                where = f"after {number} values" if number else "at its beginning"
                raise CatalogError(f"{name}: the JSON is damaged or cut off {where} ({error}).") from None
            try:
                buffer, position = buffer[position:] + as_text(chunk), 0
            except UnicodeDecodeError:
                raise CatalogError(f"{name}: not UTF-8, which JSON is. Is it the right file?") from None
            continue
        number += 1
        yield Raw(f"value {number}", buffer[position:end].encode("utf-8", "surrogatepass"))
        position = end
