"""Rows of JSON files in any form, with one row in memory at a time."""

import codecs
import io
import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO, Final

import msgspec

from ccgrid.catalog.documents import LARGEST_DOCUMENT
from ccgrid.catalog.errors import FileFormatError, WrongKindError
from ccgrid.catalog.read_limits import check_blank_length
from ccgrid.catalog.readers.streams import LONGEST_ROW, markup_advice

_CHUNK: Final = 1 << 18  # bytes
_BOM: Final = b"\xef\xbb\xbf"


class Raw(msgspec.Struct, frozen=True, gc=False):
    """The bytes of one JSON value of a file, and its position: the number of its line, or of the value."""

    kind: str
    number: int
    body: bytes

    @property
    def where(self) -> str:
        """The position as text, computed on demand, because a large file has very many."""
        return f"{self.kind} {self.number}" if self.number else self.kind


def json_rows(stream: BinaryIO, name: str) -> Iterator[Raw]:
    """Yield the values of a JSON file.

    The file may be JSON Lines; an array with one object per line, which is as fast; any other array; or one object,
    which is the value itself or contains a list of values under `data`.

    Raises:
        FileFormatError: If the file is none of these, or incomplete.
    """
    # The first line determines the form of the file, since a stream cannot be rewound.
    number, first = 1, stream.readline(LONGEST_ROW).removeprefix(_BOM)
    while first.isspace():
        number, first = number + 1, stream.readline(LONGEST_ROW)
        check_blank_length(name, number - 1)
    head = first.strip()
    if head.startswith(b"{"):
        # An object over several lines is one document. An object in one line is JSON Lines, or a document with a list.
        if not (head.endswith(b"}") and first.endswith(b"\n")):
            return _document(stream, name, first)
        listed = _list_in(head)
        return _lines(stream, name, first, number) if listed is None else _array_values(listed, name)
    if head.startswith(b"["):
        row = head[1:]
        # The bracket is alone on its line.
        if not row:
            number, row = number + 1, stream.readline(LONGEST_ROW)
        # One object and a comma per line: each line is a row, without parsing.
        if _looks_like_row(row):
            return _array_lines(stream, name, row, number)
        return _array_values(stream, name, row)
    if not head:
        raise FileFormatError("the file is empty.", file=name)
    if head.startswith(b"<"):
        raise FileFormatError(f"{markup_advice(head.decode('ascii', 'replace'), 'JSON')}", file=name)
    shown = head[:20].decode("ascii", "backslashreplace")
    raise WrongKindError(f"not a JSON file (it begins with {shown!r}).", file=name)


class _List(msgspec.Struct):
    data: msgspec.Raw


def _list_in(document: bytes) -> BinaryIO | None:
    """Return the text after the bracket of the list under `data` in an object, or None if there is no such list."""
    try:
        data = bytes(msgspec.json.decode(document, type=_List).data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return io.BytesIO(data[1:]) if data.startswith(b"[") else None


def _document(stream: BinaryIO, name: str, first: bytes) -> Iterator[Raw]:
    body = first + stream.read(LARGEST_DOCUMENT)
    if len(body) > LARGEST_DOCUMENT:
        raise FileFormatError(f"one JSON object of over {LARGEST_DOCUMENT >> 20} MiB. Is it the right file?", file=name)
    try:
        msgspec.json.decode(body, type=msgspec.Raw)
    except RecursionError:
        raise FileFormatError("nested too deeply to be card data.", file=name) from None
    except msgspec.DecodeError as error:
        raise FileFormatError(f"the file is damaged or incomplete ({error}). Download it again.", file=name) from None
    listed = _list_in(body)
    if listed is not None:
        return _array_values(listed, name)
    if len(body) > LONGEST_ROW:
        raise FileFormatError(f"one JSON object of over {LONGEST_ROW >> 20} MiB. Is it the right file?", file=name)
    return iter([Raw("the file", 0, body)])


def _looks_like_row(line: bytes) -> bool:
    # Ignore the comma or bracket at the end.
    row = line.strip().rstrip(b",]").rstrip()
    return row.startswith(b"{") and row.endswith(b"}") and _is_complete(row)


def _is_complete(value: bytes) -> bool:
    try:
        msgspec.json.decode(value, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _numbered_lines(stream: BinaryIO, name: str, first: int) -> Iterator[tuple[int, bytes]]:
    """Yield the following lines with their numbers.

    Raises:
        FileFormatError: If a line is too long.
    """
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_ROW), b""), first):
        if len(line) == LONGEST_ROW:
            raise FileFormatError(
                f"line {number} is over {LONGEST_ROW >> 20} MiB long. Is it the right file?", file=name
            )
        yield number, line


def _lines(stream: BinaryIO, name: str, first: bytes, at: int) -> Iterator[Raw]:
    yield Raw("line", at, first)
    filled = at
    for number, line in _numbered_lines(stream, name, at + 1):
        if line.endswith(b"}\n"):  # fast path: nearly all lines of a large file
            filled = number
            yield Raw("line", number, line)
        elif line.isspace():
            check_blank_length(name, number - filled)
        else:
            # The last line may have no line end, but must be complete.
            if not line.endswith(b"\n") and not _is_complete(line):
                raise FileFormatError(f"the file ends in the middle of line {number}. Download it again.", file=name)
            filled = number
            yield Raw("line", number, line)


def _array_lines(stream: BinaryIO, name: str, first: bytes, at: int) -> Iterator[Raw]:
    filled = number = at
    for number, row in chain([(at, first)], _numbered_lines(stream, name, at + 1)):
        if row.endswith(b"},\n"):  # fast path: nearly all lines of a large file
            filled = number
            yield Raw("line", number, row[:-2])
            continue
        stripped = row.strip()
        if stripped.endswith(b","):
            yield Raw("line", number, stripped[:-1])
        elif stripped == b"]":
            return _check_rest(stream, name)
        # The last row, followed by the bracket of the list.
        elif stripped.endswith(b"]") and _is_complete(stripped[:-1]):
            yield Raw("line", number, stripped[:-1])
            return _check_rest(stream, name)
        elif stripped:
            filled = number
            yield Raw("line", number, stripped)
        else:
            check_blank_length(name, number - filled)
    raise FileFormatError(f"the file ends before its list does, in line {number}. Download it again.", file=name)


def _check_rest(stream: BinaryIO, name: str, rest: bytes = b"") -> None:
    """Read to the end of the stream, to verify the checksum of a compressed file.

    Raises:
        FileFormatError: If data follow the list.
    """
    while not rest.strip():
        if not (rest := stream.read(_CHUNK)):
            return
    raise FileFormatError("there is more after the end of the list. Is it the right file?", file=name)


# Spaces and commas between two values.
_BETWEEN = re.compile(r"[\s,]*")


def _array_values(stream: BinaryIO, name: str, pending: bytes = b"") -> Iterator[Raw]:
    """Yield the values of an array, whose bracket has been read, with one chunk and one value in memory."""
    # This decoder only finds the end of each value; the reader of the source validates it.
    decode = json.JSONDecoder(parse_int=str, parse_float=str, strict=False).raw_decode
    as_text = partial(_decode_chunk, codecs.getincrementaldecoder("utf-8")(), name)
    buffer, position, number = as_text(pending), 0, 0
    while True:
        match = _BETWEEN.match(buffer, position)
        position = match.end() if match else position
        # The end of the list.
        if buffer.startswith("]", position):
            return _check_rest(stream, name, buffer[position + 1 :].encode())
        try:
            _, end = decode(buffer, position)
        except RecursionError:
            raise FileFormatError(f"value {number + 1} is nested too deeply to be a card.", file=name) from None
        except ValueError as error:
            # Incomplete so far, or damaged.
            left = len(buffer) - position
            if left > LONGEST_ROW:
                trouble = f"value {number + 1} is damaged, or over {LONGEST_ROW >> 20} MiB long"
                raise FileFormatError(f"{trouble}. Is it the right file?", file=name) from None
            # Double the buffer, to keep the number of attempts small.
            chunk = stream.read(max(_CHUNK, left))
            if not chunk:
                where = f"after {number} values" if number else "at its beginning"
                raise FileFormatError(
                    f"the JSON is damaged or incomplete {where} ({error}). Download it again.", file=name
                ) from None
            buffer, position = buffer[position:] + as_text(chunk), 0
            continue
        number += 1
        yield Raw("value", number, buffer[position:end].encode())
        position = end


def _decode_chunk(decoder: codecs.IncrementalDecoder, name: str, chunk: bytes) -> str:
    try:
        return decoder.decode(chunk)
    except UnicodeDecodeError:
        raise FileFormatError("not UTF-8, which JSON requires. Is it the right file?", file=name) from None
