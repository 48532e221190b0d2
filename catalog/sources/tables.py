"""Tables as text, however people export them: comma, tab, semicolon or bar, any encoding, a row at a time.

What is dirty is read where it can be read one way only, and told where it cannot: no row is lost without a word.
"""

import codecs
import io
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple

from catalog.card import CatalogError
from catalog.sources.printing import Unread
from catalog.sources.streams import LONGEST_ROW

Remark = Callable[[str], None]
"""Is told, in one sentence, what a person should know of how data were read."""
Opener = Callable[[], AbstractContextManager[BinaryIO]]
"""Opens the same file anew at every call."""

DELIMITERS: Final = "\t,;|"
_SAMPLE: Final = 500
_LONGEST_CELL: Final = 200
"""So many lines may lie between a quotation mark that opens and the one that closes."""
_MOST_STRAY: Final = 100
_MOST_COLUMNS: Final = 1000
_MACINTOSH: Final = "mac_roman"
_NAMES: Final = {"cp1252": "Windows-1252", _MACINTOSH: "Mac Roman", "utf-16": "UTF-16"}
_MARKS: Final = frozenset("’‘“”–—…•°½¼¾×©®™«»¡¿")


class Cells(NamedTuple):
    """One row: the number of its first line, from 1, and the texts in it."""

    line: int
    texts: list[str]


@dataclass
class Survey:
    """What a first look at a whole file tells: `other` counts lines that are not UTF-8, `likely` weighs encodings."""

    encoding: str = "utf-8"
    lines: int = 0
    utf8: int = 0
    other: int = 0
    likely: Counter[str] = field(default_factory=Counter)


class Table:
    """A table that is open: its header, and its rows in file order.

    `delimiter`, and whether quotation marks enclose cells (`quoted`), are found out where they are not given.
    Raises CatalogError where the file is not text, is empty or is a web page.
    """

    def __init__(
        self,
        stream: BinaryIO,
        survey: Survey,
        name: str,
        remark: Remark,
        delimiter: str = "",
        quoted: bool | None = None,
    ) -> None:
        self.name, self._remark = name, remark
        lines = enumerate(_text_lines(stream, survey, name), 1)
        filled = ((number, line) for number, line in lines if line.strip(" ,;|\t"))
        head = next(filled, None)
        if head is None:
            raise CatalogError(f"{name}: the file is empty.")
        if head[1].strip("\"' ").casefold().startswith("sep=") and len(head[1].strip("\"' ")) <= 5:
            delimiter = head[1].strip("\"'")[4:5] or "\t"
            head = next(filled, None) or head
        if head[1].lstrip().startswith("<"):
            raise CatalogError(f"{name}: this is a web page or XML, not a table. Download the data file itself.")
        self.delimiter = delimiter or max(DELIMITERS, key=lambda mark: _unquoted(head[1]).count(mark))
        sample = [head, *islice(filled, _SAMPLE)]
        self.quoted = self._is_quoted([line for _, line in sample]) if quoted is None else quoted
        self._stray = 0
        self._rows = self._records(chain(sample, filled))
        self.header = self._header(next(self._rows).texts)

    def _header(self, texts: Sequence[str]) -> list[str]:
        """The headings; the second of a name is called `Name #2`, a column without one is left out as ''."""
        if len(texts) > _MOST_COLUMNS:
            raise CatalogError(f"{self.name}: over {_MOST_COLUMNS} columns. Is it the right file?")
        seen: Counter[str] = Counter()
        header = []
        for heading in texts:
            seen[heading] += 1
            header.append(heading if seen[heading] == 1 or not heading else f"{heading} #{seen[heading]}")
        if twice := [heading for heading, count in seen.items() if count > 1 and heading]:
            self._remark(
                f"{self.name}: two columns are called {twice[0]!r}; the second is read as {twice[0] + ' #2'!r}."
            )
        while header and not header[-1]:
            header.pop()
        return header

    def __iter__(self) -> Iterator[Cells | Unread]:
        width = len(self.header)
        for row in self._rows:
            texts = row.texts
            while len(texts) > width and not texts[-1]:
                texts.pop()
            if texts == self.header or not any(texts):
                continue
            if len(texts) > width:
                yield Unread(f"line {row.line}", f"{len(texts)} cells under {width} headings")
            else:
                yield row

    def _is_quoted(self, lines: list[str]) -> bool:
        """Whether quotation marks enclose cells here, rather than being plain text: what gives more whole rows."""
        if not any('"' in line for line in lines):
            return self.delimiter != "\t"
        width = len(_split_quoted(lines[0], self.delimiter) or _split_plain(lines[0], self.delimiter))
        plain = sum(len(_split_plain(line, self.delimiter)) == width for line in lines)
        quoted, held = 0, ""
        for line in lines:
            held = f"{held}\n{line}" if held else line
            if (cells := _split_quoted(held, self.delimiter)) is not None or len(held) > LONGEST_ROW:
                quoted += cells is not None and len(cells) == width
                held = ""
        return quoted > plain or (quoted == plain and self.delimiter != "\t")

    def _records(self, lines: Iterator[tuple[int, str]]) -> Iterator[Cells]:
        waiting: list[tuple[int, str]] = []
        width = 0
        while True:
            number, line = waiting.pop() if waiting else next(lines, (0, ""))
            if not number:
                return
            if not self.quoted or '"' not in line:
                texts: list[str] | None = _split_plain(line, self.delimiter)
            else:
                texts, more = self._enclosed(line, lines, waiting)
                if texts is None or (more and self._is_stray(line, texts, width)):
                    waiting.extend(reversed(more))
                    texts = _split_plain(line, self.delimiter)
                    self._told_stray(number)
            assert texts is not None  # noqa: S101  what could not be split as enclosed was split as plain
            width = width or len(texts)
            yield Cells(number, [text.strip() for text in texts])

    def _enclosed(
        self, line: str, lines: Iterator[tuple[int, str]], waiting: list[tuple[int, str]]
    ) -> tuple[list[str] | None, list[tuple[int, str]]]:
        """The cells of a row that may go on over several lines, and the further lines that it took."""
        held, taken = [line], list[tuple[int, str]]()
        size = len(line)
        while (texts := _split_quoted("\n".join(held), self.delimiter)) is None:
            following = waiting.pop() if waiting else next(lines, None)
            if following is None:
                break
            taken.append(following)
            held.append(following[1])
            size += len(following[1])
            if len(taken) >= _LONGEST_CELL or size > LONGEST_ROW:
                break
        return texts, taken

    def _is_stray(self, line: str, texts: Sequence[str], width: int) -> bool:
        """Whether the line alone is a whole row, and what was made of it and those that follow is none."""
        return len(texts) != width and len(_split_plain(line, self.delimiter)) == width

    def _told_stray(self, number: int) -> None:
        self._stray += 1
        if self._stray == 1:
            self._remark(
                f"{self.name}, line {number}: a quotation mark is not closed; such lines are read as they are."
            )
        if self._stray > _MOST_STRAY:
            raise CatalogError(f"{self.name}, line {number}: too many quotation marks are not closed to be sure of it.")


def _split_plain(line: str, delimiter: str) -> list[str]:
    return line.split(delimiter)


def _split_quoted(text: str, delimiter: str) -> list[str] | None:
    """The cells of a row, those in quotation marks without them; None where one that opens is not closed."""
    cells = []
    position = 0
    while True:
        start = position
        inside = ""
        if text.startswith('"', position):
            start = position + 1
            closing = text.find('"', start)
            while closing >= 0 and text.startswith('"', closing + 1):
                closing = text.find('"', closing + 2)
            if closing < 0:
                return None
            inside, start = text[start:closing].replace('""', '"'), closing + 1
        end = text.find(delimiter, start)
        if end < 0:
            cells.append(inside + text[start:])
            return cells
        cells.append(inside + text[start:end])
        position = end + 1


def _unquoted(line: str) -> str:
    """A line without what stands in quotation marks."""
    return "".join(line.split('"')[::2])


# --- encodings -------------------------------------------------------------------------------------------------


def survey(stream: BinaryIO, name: str) -> Survey:
    """Looks at a whole file once: which encoding it is in, as far as its bytes tell.

    Lines that are not UTF-8 are in one 8-bit encoding, Windows-1252 (of which Latin-1 is a part) or Mac Roman: the
    one in which the bytes are letters among letters. Raises CatalogError where the file is not text.
    """
    found = Survey()
    head = stream.read(4)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(codecs.BOM_UTF32_LE):
        return Survey("utf-16")
    for line in byte_lines(stream, name, head):
        found.lines += 1
        if b"\0" in line:
            raise CatalogError(f"{name}: this is no text (line {found.lines} has a zero byte). Is it the right file?")
        if line.isascii():
            continue
        try:
            line.decode()
            found.utf8 += 1
        except UnicodeDecodeError:
            found.other += 1
            for encoding in ("cp1252", _MACINTOSH):
                found.likely[encoding] += _likelihood(line, encoding)
    if found.other:
        found.encoding = _MACINTOSH if found.likely[_MACINTOSH] > found.likely["cp1252"] else "cp1252"
    return found


def tell_encoding(found: Survey, name: str, remark: Remark) -> None:
    """Remarks on an encoding that had to be guessed."""
    if found.other:
        lines = "1 line is" if found.other == 1 else f"{found.other} lines are"
        remark(f"{name}: {lines} not UTF-8; read as {_NAMES[found.encoding]}.")


def _likelihood(line: bytes, encoding: str) -> int:
    """How well the bytes of a line above 127 read as text in an encoding."""
    text = _decoded(line, encoding)
    weight = 0
    for position, letter in enumerate(text):
        if letter < "\x80":
            continue
        before, after = text[position - 1 : position], text[position + 1 : position + 2]
        if letter.isalpha() and unicodedata.decomposition(letter):
            # An accented letter is likely where it stands among letters, a large one only where a word begins.
            weight += 2 if letter.islower() or not before.isalpha() else 1 if after.isupper() else -1
        elif letter in _MARKS:
            weight += 1
        elif letter.isalpha():
            weight += 1 if letter in "ßæœøÆŒØıð" else -1
        else:
            weight -= 2
    return weight


def _decoded(line: bytes, encoding: str) -> str:
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:  # five bytes mean nothing in Windows-1252
        return line.decode("latin-1")


def byte_lines(stream: BinaryIO, name: str, head: bytes = b"") -> Iterator[bytes]:
    """The lines of a file, whether they end as on Unix, Windows or the old Macintosh, without their ends."""
    held, number = head, 0
    while chunk := stream.readline(LONGEST_ROW):
        chunk, held = held + chunk, b""
        lines = chunk.splitlines()
        if not chunk.endswith(b"\n"):
            held = lines.pop() + (b"\r" if chunk.endswith(b"\r") else b"")
            if len(held) > LONGEST_ROW:
                where = f"line {number + len(lines) + 1} is over {LONGEST_ROW >> 20} MiB long"
                raise CatalogError(f"{name}: {where}. Is it the right file?")
        number += len(lines)
        yield from lines
    yield from held.splitlines()


def _text_lines(stream: BinaryIO, found: Survey, name: str) -> Iterator[str]:
    if found.encoding == "utf-16":
        yield from _wide_lines(stream, name)
        return
    fallback = found.encoding
    for number, line in enumerate(byte_lines(stream, name)):
        if not number:
            line = line.removeprefix(codecs.BOM_UTF8)
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield _decoded(line, fallback)


def _wide_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding="utf-16")
    try:
        while line := text.readline(LONGEST_ROW):
            if len(line) == LONGEST_ROW:
                raise CatalogError(f"{name}: a line of over {LONGEST_ROW >> 20} MiB. Is it the right file?")
            yield line.rstrip("\n")
    except UnicodeError as error:
        raise CatalogError(f"{name}: begins as UTF-16, and is not ({error}). Is it the right file?") from None
    finally:
        text.detach()


def rows_as_dicts(
    header: Sequence[str], rows: Iterable[Cells | Unread]
) -> Iterator[tuple[str, dict[str, str]] | Unread]:
    """The rows of a table as mappings from headings to texts, each with where it stands."""
    for row in rows:
        if isinstance(row, Unread):
            yield row
        else:
            yield f"line {row.line}", dict(zip(header, row.texts, strict=False))
