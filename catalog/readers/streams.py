"""Opens files that people downloaded: plain or gzipped, told apart by content; JSON in every shape, a row at a time.

Memory holds one row or one chunk, however long the file, and what a hostile file would unpack to is stopped early.
"""

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.documents import LARGEST_DOCUMENT, Allowance, Report, not_endless
from ccgrid.catalog.readers.workbooks import as_table, is_workbook

LONGEST_ROW: Final = 1 << 20
"""The longest row that is read, in bytes; real ones stay under 100 KiB."""
_CHUNK: Final = 1 << 18
_BOM: Final = b"\xef\xbb\xbf"


class EmptyFileError(CatalogError):
    """A data file has nothing in it."""


class Raw(msgspec.Struct, frozen=True, gc=False):
    """One JSON value of a file as its bytes, and where it stands: in which line, or as which value."""

    kind: str
    number: int
    body: bytes

    @property
    def where(self) -> str:
        """Where it stands, in words; made only where somebody asks, as a large file has very many."""
        return f"{self.kind} {self.number}" if self.number else self.kind


class _Unpacked(io.RawIOBase):
    """The unpacked bytes of a gzip file, stopped when they outgrow what real data would."""

    def __init__(self, packed: BinaryIO, watched: "_Watched", name: str, allowance: Allowance) -> None:
        self._watched, self._name, self._allowance, self._count = watched, name, allowance, 0
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
        if not self._allowance.inside:
            self._allowance.packed = max(self._watched.total, self._watched.count)
        self._allowance.take(f"{self._name}, unpacked", self._count)
        self._watched.tell_report()
        buffer[: len(data)] = data
        return len(data)


class _Watched(io.FileIO):
    """A file, or a pipe, that counts the bytes read of it and says how many they are."""

    report: Report | None = None
    total = 0
    count = 0

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self.count += count or 0
        self.tell_report()
        return count

    def tell_report(self) -> None:
        """Tells how far it has come."""
        if self.report is not None:
            self.report(self.count, self.total)


@contextmanager
def open_data(
    path: Path, report: Report | None = None, allowance: Allowance | None = None, name: str = ""
) -> Iterator[BinaryIO]:
    """The bytes of a data file, unpacked where it is gzipped, as CSV where it is a spreadsheet.

    `report` is told the bytes read, and of how many. A file that was taken out of an archive has the archive's
    `allowance`, and in errors the `name` that it had there. Raises CatalogError where the file is missing, empty, a
    folder, or not what it claims.
    """
    try:
        raw = _Watched(path)
        raw.report, raw.total = report, path.stat().st_size
    except IsADirectoryError:
        raise CatalogError(f"{path}: this is a folder; name the file in it.") from None
    except OSError as error:
        raise CatalogError(f"{path}: {error.strerror or error}.") from None
    name = name or path.name
    with io.BufferedReader(raw, _CHUNK) as file:
        head = file.peek(2)[:2]
        if not head:
            raise EmptyFileError(f"{name}: the file is empty.")
        if is_workbook(path, head):
            yield io.BytesIO(as_table(path, name))
            return
        if head != b"\x1f\x8b":
            yield file
            return
        with io.BufferedReader(_Unpacked(file, raw, name, allowance or Allowance(name)), _CHUNK) as unpacked:
            yield unpacked


def json_rows(stream: BinaryIO, name: str) -> Iterator[Raw]:
    """The values of a JSON file one after the other, whatever its shape.

    Reads JSON Lines; an array with an object a line, which streams as fast; any other array; and one object, which
    stands for itself or, where it has a list under `data`, for what that holds. Raises CatalogError where the file is
    none of these or is cut off; a damaged row in the middle is handed on as it is.
    """
    number, first = 1, stream.readline(LONGEST_ROW).removeprefix(_BOM)
    while first.isspace():
        number, first = number + 1, stream.readline(LONGEST_ROW)
        not_endless(name, number - 1)
    head = first.strip()
    if head.startswith(b"{"):
        if not (head.endswith(b"}") and first.endswith(b"\n")):
            return _document(stream, name, first)
        listed = _list_in(head)
        return _lines(stream, name, first, number) if listed is None else _array_values(listed, name)
    if head.startswith(b"["):
        row = head[1:]
        if not row:
            number, row = number + 1, stream.readline(LONGEST_ROW)
        if _looks_like_row(row):
            return _array_lines(stream, name, row, number)
        return _array_values(stream, name, row)
    if not head:
        raise CatalogError(f"{name}: the file is empty.")
    if head.startswith(b"<"):
        raise CatalogError(f"{name}: {marked_up(head.decode('ascii', 'replace'), 'JSON')}")
    shown = head[:20].decode("ascii", "backslashreplace")
    raise CatalogError(f"{name}: not a JSON file (it begins with {shown!r}).")


class _List(msgspec.Struct):
    data: msgspec.Raw


def _list_in(document: bytes) -> BinaryIO | None:
    """What follows the bracket of the list that an object has under `data`; None where it has none."""
    try:
        data = bytes(msgspec.json.decode(document, type=_List).data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return io.BytesIO(data[1:]) if data.startswith(b"[") else None


def _document(stream: BinaryIO, name: str, first: bytes) -> Iterator[Raw]:
    body = first + stream.read(LARGEST_DOCUMENT)
    if len(body) > LARGEST_DOCUMENT:
        raise CatalogError(f"{name}: one JSON object of over {LARGEST_DOCUMENT >> 20} MiB. Is it the right file?")
    try:
        msgspec.json.decode(body, type=msgspec.Raw)
    except RecursionError:
        raise CatalogError(f"{name}: nested too deeply to be card data.") from None
    except msgspec.DecodeError as error:
        raise CatalogError(f"{name}: the file is damaged or cut off ({error}). Download it again.") from None
    listed = _list_in(body)
    if listed is not None:
        return _array_values(listed, name)
    if len(body) > LONGEST_ROW:
        raise CatalogError(f"{name}: one JSON object of over {LONGEST_ROW >> 20} MiB. Is it the right file?")
    return iter([Raw("the file", 0, body)])


def _looks_like_row(line: bytes) -> bool:
    row = line.strip().rstrip(b",]").rstrip()
    return row.startswith(b"{") and row.endswith(b"}") and _is_complete(row)


def _is_complete(value: bytes) -> bool:
    try:
        msgspec.json.decode(value, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _numbered(stream: BinaryIO, name: str, first: int) -> Iterator[tuple[int, bytes]]:
    """The lines that follow, numbered, none of them too long to be a row."""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_ROW), b""), first):
        if len(line) == LONGEST_ROW:
            raise CatalogError(f"{name}: line {number} is over {LONGEST_ROW >> 20} MiB long. Is it the right file?")
        yield number, line


def _lines(stream: BinaryIO, name: str, first: bytes, at: int) -> Iterator[Raw]:
    yield Raw("line", at, first)
    filled = at
    for number, line in _numbered(stream, name, at + 1):
        if line.endswith(b"}\n"):  # as nearly every line of a large file does
            filled = number
            yield Raw("line", number, line)
        elif line.isspace():
            not_endless(name, number - filled)
        else:
            if not line.endswith(b"\n") and not _is_complete(line):
                raise CatalogError(f"{name}: the file ends in the middle of line {number}. Download it again.")
            filled = number
            yield Raw("line", number, line)


def _array_lines(stream: BinaryIO, name: str, first: bytes, at: int) -> Iterator[Raw]:
    filled = number = at
    for number, row in chain([(at, first)], _numbered(stream, name, at + 1)):
        if row.endswith(b"},\n"):  # as nearly every line of a large file does
            filled = number
            yield Raw("line", number, row[:-2])
            continue
        stripped = row.strip()
        if stripped.endswith(b","):
            yield Raw("line", number, stripped[:-1])
        elif stripped == b"]":
            return _check_rest(stream, name)
        elif stripped.endswith(b"]") and _is_complete(stripped[:-1]):
            yield Raw("line", number, stripped[:-1])
            return _check_rest(stream, name)
        elif stripped:
            filled = number
            yield Raw("line", number, stripped)
        else:
            not_endless(name, number - filled)
    raise CatalogError(f"{name}: the file ends before its list does, in line {number}. Download it again.")


def _check_rest(stream: BinaryIO, name: str, rest: bytes = b"") -> None:
    """Reads on to the end of the file: only there is a compressed one known to be sound, and nothing may follow."""
    while not rest.strip():
        if not (rest := stream.read(_CHUNK)):
            return
    raise CatalogError(f"{name}: there is more after the end of the list. Is it the right file?")


_BETWEEN = re.compile(r"[\s,]*")


def _array_values(stream: BinaryIO, name: str, pending: bytes = b"") -> Iterator[Raw]:
    """The values of an array in any layout, with one chunk and one value in memory; its bracket has been read."""
    # Only where a value ends is asked here: what is in it, whoever decodes the row will judge.
    decode = json.JSONDecoder(parse_int=str, parse_float=str, strict=False).raw_decode
    as_text = partial(_decoded, codecs.getincrementaldecoder("utf-8")(), name)
    buffer, position, number = as_text(pending), 0, 0
    while True:
        match = _BETWEEN.match(buffer, position)
        position = match.end() if match else position
        if buffer.startswith("]", position):
            return _check_rest(stream, name, buffer[position + 1 :].encode())
        try:
            _, end = decode(buffer, position)
        except RecursionError:
            raise CatalogError(f"{name}: value {number + 1} is nested too deeply to be a card.") from None
        except ValueError as error:
            held = len(buffer) - position
            if held > LONGEST_ROW:
                trouble = f"value {number + 1} is damaged, or over {LONGEST_ROW >> 20} MiB long"
                raise CatalogError(f"{name}: {trouble}. Is it the right file?") from None
            # Reading as much again as is held keeps the number of tries small.
            chunk = stream.read(max(_CHUNK, held))
            if not chunk:
                where = f"after {number} values" if number else "at its beginning"
                raise CatalogError(
                    f"{name}: the JSON is damaged or cut off {where} ({error}). Download it again."
                ) from None
            buffer, position = buffer[position:] + as_text(chunk), 0
            continue
        number += 1
        yield Raw("value", number, buffer[position:end].encode())
        position = end


def _decoded(decoder: codecs.IncrementalDecoder, name: str, chunk: bytes) -> str:
    try:
        return decoder.decode(chunk)
    except UnicodeDecodeError:
        raise CatalogError(f"{name}: not UTF-8, which JSON requires. Is it the right file?") from None


def marked_up(head: str, wanted: str) -> str:
    """Why a file that begins with `<` is not read as what was wanted, and how it is read where it is XML."""
    if not head.lstrip().startswith("<?xml"):
        return f"this is a web page or XML, not {wanted}. Download the data file itself."
    return f"this is XML, not {wanted}. For OCTGN's set.xml: ccgrid import octgn; for Cockatrice's: import cockatrice."
