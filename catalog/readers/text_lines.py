"""Lines of text files in any encoding, with any line ends."""

import codecs
import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from ccgrid.catalog.documents import wide_encoding
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.read_limits import check_blank_length
from ccgrid.catalog.readers.encodings import NAMES, SAMPLE, decode_line, detect_encoding
from ccgrid.catalog.readers.streams import LONGEST_ROW, Warn
from ccgrid.catalog.readers.worksheets import WORKBOOK, Worksheet


@dataclass
class Survey:
    """The form of a file, from one pass over it.

    Attributes:
        encoding: The encoding of lines that are not UTF-8, or of the whole file for UTF-16.
        lines: The number of lines.
        other: The number of lines that are not UTF-8.
        sheet: The name of the sheet of a spreadsheet that is read.
        other_sheets: The names of its other sheets that are not empty.
    """

    encoding: str = "utf-8"
    lines: int = 0
    other: int = 0
    sheet: str = ""
    other_sheets: tuple[str, ...] = ()


def survey(stream: BinaryIO, name: str) -> Survey:
    """Read a whole file once to determine its encoding.

    All lines that are not UTF-8 are assumed to share one encoding: Windows-1252 (a superset of Latin-1), Mac Roman, or
    one that charset_normalizer detects.

    Raises:
        FileFormatError: If the file is not text.
    """
    found, sample = Survey(), bytearray()
    if isinstance(stream, Worksheet):
        found.sheet, found.other_sheets = stream.sheet, stream.others
    # A stream cannot be rewound: `byte_lines` gets these bytes.
    head = stream.read(4)
    # A zip file (xlsx, ods) or an OLE file (xls).
    if head in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        raise FileFormatError(f"{WORKBOOK}", file=name)
    if wide := wide_encoding(head):
        return Survey(wide)
    filled = 0
    for line in byte_lines(stream, name, head):
        found.lines += 1
        # Check the number of consecutive empty lines: an endless file may consist of line ends.
        if line:
            filled = found.lines
        else:
            check_blank_length(name, found.lines - filled)
        if b"\0" in line:
            raise FileFormatError(
                f"this is not text (line {found.lines} has a zero byte). Is it the right file?", file=name
            )
        if line.isascii():
            continue
        try:
            line.decode()
        except UnicodeDecodeError:
            found.other += 1
            if len(sample) < SAMPLE:
                sample += line[:SAMPLE] + b"\n"
    if found.other:
        found.encoding = detect_encoding(bytes(sample))
    return found


def warn_about_survey(found: Survey, name: str, warn: Warn) -> None:
    """Warn about a guessed encoding, and about sheets that are not read."""
    if found.other_sheets:
        others = ", ".join(map(repr, found.other_sheets))
        warn(f"{name}: the sheet {found.sheet!r} is read; not read: {others}.")
    if found.other:
        lines = "1 line is" if found.other == 1 else f"{found.other} lines are"
        warn(f"{name}: {lines} not UTF-8; read as {NAMES[found.encoding]}.")


def byte_lines(stream: BinaryIO, name: str, head: bytes = b"") -> Iterator[bytes]:
    """Yield the lines of a file, with line ends of Unix, Windows or the old Macintosh, without these."""
    buffer, number = head, 0
    # Limited, because a file may have no line ends.
    while chunk := stream.readline(LONGEST_ROW):
        chunk, buffer = buffer + chunk, b""
        # Also splits at a single `\r`, the line end of the old Macintosh.
        lines = chunk.splitlines()
        if not chunk.endswith(b"\n"):
            # A `\r` at the end may be the first half of `\r\n`: keep it for the next chunk.
            buffer = lines.pop() + (b"\r" if chunk.endswith(b"\r") else b"")
            if len(buffer) > LONGEST_ROW:
                where = f"line {number + len(lines) + 1} is over {LONGEST_ROW >> 20} MiB long"
                raise FileFormatError(f"{where}. Is it the right file?", file=name)
        number += len(lines)
        yield from lines
    yield from buffer.splitlines()


def text_lines(stream: BinaryIO, found: Survey, name: str) -> Iterator[str]:
    """Yield the lines of a file as text: those that are UTF-8 as UTF-8, the others in the encoding of the survey."""
    if found.encoding.startswith("utf-16"):
        yield from _wide_lines(stream, found.encoding, name)
        return
    fallback = found.encoding
    for number, line in enumerate(byte_lines(stream, name)):
        # A byte order mark does not belong to the first cell.
        if not number:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield decode_line(line, fallback)


def _wide_lines(stream: BinaryIO, encoding: str, name: str) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding=encoding)
    try:
        while line := text.readline(LONGEST_ROW):
            if len(line) == LONGEST_ROW:
                raise FileFormatError(f"a line of over {LONGEST_ROW >> 20} MiB. Is it the right file?", file=name)
            yield line.rstrip("\n")
    except UnicodeError as error:
        raise FileFormatError(f"starts as UTF-16 but is not ({error}). Is it the right file?", file=name) from None
    finally:
        # The wrapper would close the stream, which belongs to the caller.
        with suppress(ValueError):  # the file may be closed before we are
            text.detach()
