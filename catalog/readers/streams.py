"""Opens files that people downloaded: gzips, spreadsheets, text in any encoding, JSON in every shape, a row at a time.

Memory holds one row or one chunk, however long the file, and what a hostile file would unpack to is stopped early.
"""

import codecs
import csv
import datetime
import gzip
import io
import json
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from ccgrid.catalog.documents import LARGEST_DOCUMENT, wide_encoding
from ccgrid.catalog.errors import CatalogError, FileFormatError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.read_limits import Allowance, Report, check_blank_length
from ccgrid.catalog.words import heading_key, vocabulary

NAMES: Final[Mapping[str, str]] = {
    "cp1252": "Windows-1252",
    "mac_roman": "Mac Roman",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "shift_jis": "Shift JIS",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "euc_kr": "EUC-KR",
}
"""The encodings that are detected, the likelier first, and what people call them."""
SAMPLE: Final = 1 << 14
"""Bytes from which an encoding is detected."""

_LATIN: Final = ("cp1252", "mac_roman")
_FEW: Final = 12  # bytes that are not ASCII: fewer are no statistics
# What western texts have above 127 beside letters.
_MARKS: Final = frozenset("’‘“”–—…•°½¼¾×™®©«»¡¿")


def detect_encoding(sample: bytes) -> str:
    """The encoding of a sample of lines that are not UTF-8, one of `NAMES`.

    A few letters, or many apostrophes and fractions, are no statistics: they are Windows-1252 or Mac Roman, whichever
    makes them letters among letters, and the detector decides only between what is as good.
    """
    # Windows-1252 has ’ at 0x92, Mac Roman at 0xD5: read in the other's way it is í or Õ.
    texts = {encoding: decode_line(sample, encoding) for encoding in _LATIN}
    likely = {encoding: _likelihood(text) for encoding, text in texts.items()}
    few = sum(byte > 127 for byte in sample) < _FEW or any(map(_is_punctuation, texts.values()))
    # Both read as something; one clearly better.
    if few and max(likely.values()) > 0 and abs(likely["cp1252"] - likely["mac_roman"]) > 1:
        return max(_LATIN, key=likely.__getitem__)
    # A tenth of a second, which only files that are not UTF-8 cost.
    from charset_normalizer import from_bytes

    allowed = _LATIN if few else tuple(NAMES)
    # Only these encodings are tried.
    found = from_bytes(sample, cp_isolation=list(allowed), preemptive_behaviour=False)
    verdicts = {
        # How messy it looks, rounded; then how much it looks like a language, more is better, so with a minus.
        encoding: (round(match.chaos, 2), -round(match.coherence, 1))
        for match in found
        for encoding in match.could_be_from_charset
    }
    best = min(verdicts.values(), default=None)
    equal = [encoding for encoding in allowed if best is None or verdicts.get(encoding) == best]
    # Of equal verdicts the one whose letters read best; then the likelier encoding.
    return max(equal, key=lambda encoding: likely.get(encoding, 0))


def decode_line(line: bytes, encoding: str) -> str:
    """A line as text; what means nothing in Windows-1252 is read as Latin-1, and in other encodings as a mark."""
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        # Five bytes mean nothing in Windows-1252; Latin-1 has a character for every byte.
        return line.decode("latin-1") if encoding == "cp1252" else line.decode(encoding, "replace")


def _is_punctuation(text: str) -> bool:
    """Whether nearly all that is not ASCII in a text are quotation marks, dashes, fractions and the like."""
    others = [letter for letter in text if letter > "\x7f"]
    # Three quarters of them.
    return sum(letter in _MARKS for letter in others) * 4 >= len(others) * 3


def _likelihood(text: str) -> int:
    """How well the letters of a text above 127 read as those of a western language."""
    weight = 0
    for position, letter in enumerate(text):
        if letter < "\x80":
            continue
        # Slices, which are empty at the ends.
        before, after = text[position - 1 : position], text[position + 1 : position + 2]
        if letter in "’‘" and before.isalpha() and after.isalpha():
            weight += 3  # an apostrophe: in the other encoding it is a letter with an accent
        elif letter in "®©™" and after.isalpha():
            weight -= 1
        # It decomposes into a plain letter and an accent (é); "<" begins the others, such as ª.
        elif letter.isalpha() and unicodedata.decomposition(letter)[:1] not in ("", "<"):
            # An accented letter is likely where it is among letters, a large one only where a word begins.
            if before.isalpha() or after.isalpha():
                weight += 2 if letter.islower() or not before.isalpha() else 1 if after.isupper() else -1
        elif letter in _MARKS:
            weight += 1
        # Letters that do not decompose: those of western languages, or others.
        elif letter.isalpha():
            weight += 1 if letter in "ßæœøÆŒØıð" else -1
        else:
            weight -= 2
    return weight


Remark = Callable[[str], None]
"""Receives, in one sentence, what a person should know of how data were read."""


@dataclass
class Survey:
    """What a first look at a whole file tells; `other` counts lines that are not UTF-8.

    Of a spreadsheet it tells which `sheet` is read, and which others hold something.
    """

    encoding: str = "utf-8"
    lines: int = 0
    other: int = 0
    sheet: str = ""
    other_sheets: tuple[str, ...] = ()


def survey(stream: BinaryIO, name: str) -> Survey:
    """Looks at a whole file once: which encoding it is in, as far as its bytes tell.

    Lines that are not UTF-8 are in one encoding: Windows-1252 (of which Latin-1 is a part), Mac Roman, or another that
    a detector makes out. Raises CatalogError where the file is not text.
    """
    found, sample = Survey(), bytearray()
    if isinstance(stream, Worksheet):
        found.sheet, found.other_sheets = stream.sheet, stream.others
    # What was read is handed on to `byte_lines`: a stream cannot go back.
    head = stream.read(4)
    # A zip (xlsx, ods) and an OLE file (xls).
    if head in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        raise FileFormatError(f"{WORKBOOK}", file=name)
    if wide := wide_encoding(head):
        return Survey(wide)
    filled = 0
    for line in byte_lines(stream, name, head):
        found.lines += 1
        # How many lines in a row were empty: a file of nothing but line ends has no end.
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


def remark_survey(found: Survey, name: str, remark: Remark) -> None:
    """Remarks on an encoding that had to be guessed, and on sheets that are not read."""
    if found.other_sheets:
        others = ", ".join(map(repr, found.other_sheets))
        remark(f"{name}: the sheet {found.sheet!r} is read; not read: {others}.")
    if found.other:
        lines = "1 line is" if found.other == 1 else f"{found.other} lines are"
        remark(f"{name}: {lines} not UTF-8; read as {NAMES[found.encoding]}.")


def byte_lines(stream: BinaryIO, name: str, head: bytes = b"") -> Iterator[bytes]:
    """The lines of a file, whether they end as on Unix, Windows or the old Macintosh, without their ends."""
    buffer, number = head, 0
    # At most so many bytes at a time: a file may have no line ends at all.
    while chunk := stream.readline(LONGEST_ROW):
        chunk, buffer = buffer + chunk, b""
        # Also at a lone `\r`, as the old Macintosh ended lines.
        lines = chunk.splitlines()
        if not chunk.endswith(b"\n"):
            # A `\r` at the end may be the first half of `\r\n`: it waits for the next chunk.
            buffer = lines.pop() + (b"\r" if chunk.endswith(b"\r") else b"")
            if len(buffer) > LONGEST_ROW:
                where = f"line {number + len(lines) + 1} is over {LONGEST_ROW >> 20} MiB long"
                raise FileFormatError(f"{where}. Is it the right file?", file=name)
        number += len(lines)
        yield from lines
    yield from buffer.splitlines()


def text_lines(stream: BinaryIO, found: Survey, name: str) -> Iterator[str]:
    """The lines of a file as text, in the encoding that a survey of it found; a line that is UTF-8 is read as that."""
    if found.encoding.startswith("utf-16"):
        yield from _wide_lines(stream, found.encoding, name)
        return
    fallback = found.encoding
    for number, line in enumerate(byte_lines(stream, name)):
        # The mark at the beginning belongs to no cell.
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
        # The stream is not ours to close, which the wrapper would do with itself.
        with suppress(ValueError):  # the file may be closed before we are
            text.detach()


WORKBOOK_SUFFIXES: Final = frozenset((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"))
_TOP: Final = 30  # rows of a sheet that may be above its headings
_HEADS: Final = (b"PK", b"\xd0\xcf")
_LARGEST: Final = 256 << 20
"""The most that is unpacked of one, in bytes: all of it is in memory at once."""
WORKBOOK: Final = "a spreadsheet, not text. Save it as CSV (UTF-8) and use that file."
"""What is said of Excel's and LibreOffice's own files where they are not read."""


def is_workbook(path: Path, head: bytes) -> bool:
    """Whether a file is a spreadsheet, by its name and how it begins."""
    return head in _HEADS and path.suffix.casefold() in WORKBOOK_SUFFIXES


class Worksheet(io.BytesIO):
    """A sheet as CSV in UTF-8: what it is called, and which others hold something."""

    def __init__(self, table: bytes, sheet: str, others: tuple[str, ...]) -> None:
        super().__init__(table)
        self.sheet, self.others = sheet, others


def as_table(path: Path, name: str) -> Worksheet:
    """The first sheet with headings of cards, else with anything in it; `name` is what errors call the file.

    Raises CatalogError where what reads spreadsheets is not installed, or the file is none, or too large.
    """
    state = path.stat()
    return Worksheet(*_first_sheet(path, name, state.st_mtime_ns, state.st_size))


@lru_cache(1)  # a file is opened several times while its format is detected
def _first_sheet(path: Path, name: str, _changed: int, _size: int) -> tuple[bytes, str, tuple[str, ...]]:
    try:
        import python_calamine
    except ImportError:
        raise FileFormatError(
            f"{WORKBOOK}\nOr install what reads it: {install_command('spreadsheet')}", file=name
        ) from None
    try:
        _check_size(path, name)
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            # Empty rows stay, so that lines have the numbers that they have in the sheet.
            sheets = {one: book.get_sheet_by_name(one).to_python(skip_empty_area=False) for one in book.sheet_names}
    except (CatalogError, KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # what it is written in ends with errors of its own
        why = str(error)[:80]
        raise FileFormatError(
            f"a spreadsheet that cannot be read ({why}). Save it as CSV (UTF-8) there.", file=name
        ) from None
    filled = [one for one, rows in sheets.items() if any(any(cell != "" for cell in row) for row in rows)]
    # Notes may be on a sheet before that of the cards.
    chosen = next((one for one in filled if _has_headings(sheets[one])), filled[0] if filled else "")
    rows: list[list[Any]] = sheets[chosen] if filled else []
    # The table begins with the first row of several cells.
    titles = next((place for place, row in enumerate(rows) if sum(cell != "" for cell in row) > 1), 0)
    rows[:titles] = [[]] * titles  # what is over a table, often in merged cells; lines keep their numbers
    text = io.StringIO()
    # From here on it is read as any other CSV.
    csv.writer(text, lineterminator="\n").writerows([_cell_text(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace"), chosen, tuple(one for one in filled if one != chosen)


def _has_headings(rows: Sequence[Sequence[Any]]) -> bool:
    """Return whether a row at the top of a sheet has headings of a table of cards, one of which names the cards."""
    for row in rows[:_TOP]:
        fields = {vocabulary().find("headings", heading_key(cell)) for cell in row if isinstance(cell, str) and cell}
        if len(fields - {""}) > 1 and fields & {"name", "number", "card", "scryfall"}:
            return True
    return False


def _check_size(path: Path, name: str) -> None:
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        # As the archive itself says it: what is larger than it says ends with an error there.
        if sum(member.file_size for member in archive.infolist()) > _LARGEST:
            raise FileFormatError(f"over {_LARGEST >> 20} MiB unpacked. Save it as CSV, and name that file.", file=name)


def _cell_text(cell: Any) -> str:
    """A cell as a table in text has it: numbers as they are shown, dates year first."""
    if isinstance(cell, float):
        # 3.0 is a 3 that a spreadsheet keeps as a decimal; 15 digits are what it keeps.
        return str(int(cell)) if cell.is_integer() else f"{cell:.15g}"
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, bool):
        return str(cell).lower()
    return " ".join(str(cell).splitlines())


LONGEST_ROW: Final = 1 << 20
"""The longest row that is read, in bytes; real ones stay under 100 KiB."""
_CHUNK: Final = 1 << 18  # bytes
_BOM: Final = b"\xef\xbb\xbf"


class EmptyFileError(FileFormatError):
    """A data file has nothing in it."""


class Raw(msgspec.Struct, frozen=True, gc=False):
    """One JSON value of a file as its bytes, and where it is: in which line, or as which value."""

    kind: str
    number: int
    body: bytes

    @property
    def where(self) -> str:
        """Where it is, in words; made only where somebody asks, as a large file has very many."""
        return f"{self.kind} {self.number}" if self.number else self.kind


class _GzipStream(io.RawIOBase):
    """The unpacked bytes of a gzip file, stopped when they outgrow what real data would."""

    def __init__(self, packed: BinaryIO, watched: "_CountedFile", name: str, allowance: Allowance) -> None:
        self._watched, self._name, self._allowance, self._count = watched, name, allowance, 0
        self._unpacked = gzip.GzipFile(fileobj=packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            # What has been unpacked so far, no more: nothing waits for the rest.
            data = self._unpacked.read1(len(buffer))
        except EOFError:
            raise FileFormatError("the gzip file ends too early. Download it again.", file=self._name) from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise FileFormatError(f"the gzip file is damaged ({error}). Download it again.", file=self._name) from None
        self._count += len(data)
        if not self._allowance.inside:
            # Of a pipe nobody knows the size: what came of it so far.
            self._allowance.packed = max(self._watched.total, self._watched.count)
        self._allowance.take(f"{self._name}, unpacked", self._count)
        self._watched.send_report()
        buffer[: len(data)] = data
        return len(data)


class _CountedFile(io.FileIO):
    """A file, or a pipe, that counts the bytes read of it and says how many they are."""

    report: Report | None = None
    total = 0
    count = 0

    def readinto(self, buffer: Any) -> int | None:
        count = super().readinto(buffer)
        self.count += count or 0
        self.send_report()
        return count

    def send_report(self) -> None:
        """Reports how far it has come."""
        if self.report is not None:
            self.report(self.count, self.total)


@contextmanager
def open_data(
    path: Path, report: Report | None = None, allowance: Allowance | None = None, name: str = ""
) -> Iterator[BinaryIO]:
    """The bytes of a data file, unpacked where it is gzipped, as CSV where it is a spreadsheet.

    `report` gets the bytes read, and their total. A file that was taken out of an archive has the archive's
    `allowance`, and in errors the `name` that it had there. Raises CatalogError where the file is missing, empty, a
    folder, or not what it claims.
    """
    try:
        raw = _CountedFile(path)
        raw.report, raw.total = report, path.stat().st_size
    except IsADirectoryError:
        raise FileFormatError("this is a folder; name the file in it.", file=path) from None
    except OSError as error:
        raise FileFormatError(f"{error.strerror or error}.", file=path) from None
    name = name or path.name
    with io.BufferedReader(raw, _CHUNK) as file:
        # Peeked at, not taken.
        head = file.peek(2)[:2]
        if not head:
            raise EmptyFileError("the file is empty.", file=name)
        if is_workbook(path, head):
            yield as_table(path, name)
            return
        if head != b"\x1f\x8b":
            yield file
            return
        with io.BufferedReader(_GzipStream(file, raw, name, allowance or Allowance(name)), _CHUNK) as unpacked:
            yield unpacked


def json_rows(stream: BinaryIO, name: str) -> Iterator[Raw]:
    """The values of a JSON file one after the other, whatever its shape.

    Reads JSON Lines; an array with an object a line, which streams as fast; any other array; and one object, which
    is that object or, where it has a list under `data`, for what that holds. Raises CatalogError where the file is
    none of these or is cut off; a damaged row in the middle is handed on as it is.
    """
    # The first line decides which shape the file has: a stream cannot be rewound.
    number, first = 1, stream.readline(LONGEST_ROW).removeprefix(_BOM)
    while first.isspace():
        number, first = number + 1, stream.readline(LONGEST_ROW)
        check_blank_length(name, number - 1)
    head = first.strip()
    if head.startswith(b"{"):
        # An object that goes on in the next line is one document; a whole one in a line is JSON Lines, or a list in one
        # line.
        if not (head.endswith(b"}") and first.endswith(b"\n")):
            return _document(stream, name, first)
        listed = _list_in(head)
        return _lines(stream, name, first, number) if listed is None else _array_values(listed, name)
    if head.startswith(b"["):
        row = head[1:]
        # The bracket stands alone on its line: what comes first is on the next.
        if not row:
            number, row = number + 1, stream.readline(LONGEST_ROW)
        # An object a line, with a comma behind it: each line is a row, with nothing to be parsed here.
        if _looks_like_row(row):
            return _array_lines(stream, name, row, number)
        return _array_values(stream, name, row)
    if not head:
        raise FileFormatError("the file is empty.", file=name)
    if head.startswith(b"<"):
        raise FileFormatError(f"{markup_advice(head.decode('ascii', 'replace'), 'JSON')}", file=name)
    shown = head[:20].decode("ascii", "backslashreplace")
    raise FileFormatError(f"not a JSON file (it begins with {shown!r}).", file=name)


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
        raise FileFormatError(f"one JSON object of over {LARGEST_DOCUMENT >> 20} MiB. Is it the right file?", file=name)
    try:
        msgspec.json.decode(body, type=msgspec.Raw)
    except RecursionError:
        raise FileFormatError("nested too deeply to be card data.", file=name) from None
    except msgspec.DecodeError as error:
        raise FileFormatError(f"the file is damaged or cut off ({error}). Download it again.", file=name) from None
    listed = _list_in(body)
    if listed is not None:
        return _array_values(listed, name)
    if len(body) > LONGEST_ROW:
        raise FileFormatError(f"one JSON object of over {LONGEST_ROW >> 20} MiB. Is it the right file?", file=name)
    return iter([Raw("the file", 0, body)])


def _looks_like_row(line: bytes) -> bool:
    # Without the comma or the bracket behind it.
    row = line.strip().rstrip(b",]").rstrip()
    return row.startswith(b"{") and row.endswith(b"}") and _is_complete(row)


def _is_complete(value: bytes) -> bool:
    try:
        msgspec.json.decode(value, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _numbered_lines(stream: BinaryIO, name: str, first: int) -> Iterator[tuple[int, bytes]]:
    """The lines that follow, numbered, none of them too long to be a row."""
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
        if line.endswith(b"}\n"):  # as nearly every line of a large file does
            filled = number
            yield Raw("line", number, line)
        elif line.isspace():
            check_blank_length(name, number - filled)
        else:
            # The last line of a file may lack its end; it must be whole all the same.
            if not line.endswith(b"\n") and not _is_complete(line):
                raise FileFormatError(f"the file ends in the middle of line {number}. Download it again.", file=name)
            filled = number
            yield Raw("line", number, line)


def _array_lines(stream: BinaryIO, name: str, first: bytes, at: int) -> Iterator[Raw]:
    filled = number = at
    for number, row in chain([(at, first)], _numbered_lines(stream, name, at + 1)):
        if row.endswith(b"},\n"):  # as nearly every line of a large file does
            filled = number
            yield Raw("line", number, row[:-2])
            continue
        stripped = row.strip()
        if stripped.endswith(b","):
            yield Raw("line", number, stripped[:-1])
        elif stripped == b"]":
            return _check_rest(stream, name)
        # The last row, with the bracket of the list behind it.
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
    """Reads on to the end of the file: only there is a compressed one known to be sound, and nothing may follow."""
    while not rest.strip():
        if not (rest := stream.read(_CHUNK)):
            return
    raise FileFormatError("there is more after the end of the list. Is it the right file?", file=name)


# Spaces and commas between two values.
_BETWEEN = re.compile(r"[\s,]*")


def _array_values(stream: BinaryIO, name: str, pending: bytes = b"") -> Iterator[Raw]:
    """The values of an array in any layout, with one chunk and one value in memory; its bracket has been read."""
    # Only where a value ends is asked here: what is in it, whoever decodes the row will judge.
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
            # Not whole yet, or damaged: that shows when no more comes.
            left = len(buffer) - position
            if left > LONGEST_ROW:
                trouble = f"value {number + 1} is damaged, or over {LONGEST_ROW >> 20} MiB long"
                raise FileFormatError(f"{trouble}. Is it the right file?", file=name) from None
            # Reading as much again as is held keeps the number of tries small.
            chunk = stream.read(max(_CHUNK, left))
            if not chunk:
                where = f"after {number} values" if number else "at its beginning"
                raise FileFormatError(
                    f"the JSON is damaged or cut off {where} ({error}). Download it again.", file=name
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


def markup_advice(head: str, wanted: str) -> str:
    """Why a file that begins with `<` is not read as what was wanted, and how it is read where it is XML."""
    if not head.lstrip().startswith("<?xml"):
        return f"this is a web page or XML, not {wanted}. Download the data file itself."
    return f"this is XML, not {wanted}. For OCTGN's set.xml: ccgrid import octgn; for Cockatrice's: import cockatrice."
