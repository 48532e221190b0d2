"""Tables as text, however people export them: comma, tab, semicolon or bar, any encoding, a row at a time.

Malformed rows are read where they can mean one thing only, and reported where not: no row is lost silently.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple

from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.printing import UnreadRow
from ccgrid.catalog.read_limits import check_blank_length
from ccgrid.catalog.readers.streams import LONGEST_ROW, Remark, Survey, markup_advice, text_lines

DELIMITERS: Final = "\t,;|"
_SAMPLE: Final = 500  # lines from which the form of a table is detected
_TITLES: Final = 30  # lines that may be above the headings
_LONGEST_CELL: Final = 200
"""The most lines that one cell in quotation marks has."""
_MOST_STRAY: Final = 100  # quotation marks that are not closed
_MOST_COLUMNS: Final = 1000  # headings
_LONGEST_LIST: Final = 600  # characters of the headings in an error
# What headings of prices have in them, in several languages.
_PRICE = re.compile(
    r"price|preis|prix|prezzo|precio|preço|cost|value|wert|market|trend|low|mid|high|avg", re.IGNORECASE
)


class Cells(NamedTuple):
    """One row: the number of its first line, from 1, and the texts in it."""

    line: int
    texts: list[str]


class TextTable:
    """A table that is open: its header, and its rows in file order.

    `delimiter`, and whether quotation marks enclose cells (`quoted`), are found out where they are not given. What is
    above the first line that `is_header` accepts is passed over; `is_known` says that all headings are known. `sample`
    are the first rows.
    Raises CatalogError where the file is not text, is empty or is a web page, and, where it is known to be a table
    (`sure`), where its rows cannot be under its headings.
    """

    def __init__(
        self,
        stream: BinaryIO,
        survey: Survey,
        name: str,
        remark: Remark,
        delimiter: str = "",
        quoted: bool | None = None,
        *,
        sure: bool = True,
        is_header: Callable[[list[str]], bool] | None = None,
        is_known: Callable[[list[str]], bool] | None = None,
    ) -> None:
        self.name, self._remark = name, remark
        lines = enumerate(text_lines(stream, survey, name), 1)
        filled = _filled_lines(lines, name)
        head = next(filled, None)
        if head is None:
            raise FileFormatError("the file is empty.", file=name)
        # Excel's own first line, `sep=;`, names the delimiter.
        # Five characters; where nothing stands behind `sep=`, a tab is meant.
        if head[1].strip("\"' ").casefold().startswith("sep=") and len(head[1].strip("\"' ")) <= 5:
            delimiter = head[1].strip("\"'")[4:5] or "\t"
            head = next(filled, None) or head
        if head[1].lstrip().startswith("<"):
            raise FileFormatError(f"{markup_advice(head[1], 'a table')}", file=name)
        if is_header is not None:
            above = list(islice(filled, _TITLES))
            begun = [head, *above]
            start = next((place for place, (_, line) in enumerate(begun) if is_header(_cells(line, delimiter))), 0)
            head, *above = begun[start:]
            filled = chain(above, filled)
        self.delimiter = delimiter or _delimiter_of(head[1])
        sample = [head, *islice(filled, _SAMPLE)]
        self.quoted = self._is_quoted([line for _, line in sample]) if quoted is None else quoted
        self._stray = 0
        self._rows = self._records(chain(sample, filled))
        # The first row; whoever iterates gets those behind it.
        self.header = self._header(next(self._rows).texts)
        self.sample = list(islice(self._rows, _SAMPLE))
        self._rows = chain(self.sample, self._rows)
        if sure and self.delimiter != "\t":
            self._check_widths(self.sample, is_known)

    def _check_widths(self, rows: Sequence[Cells], is_known: Callable[[list[str]], bool] | None) -> None:
        """Raises CatalogError where the cells of rows cannot be under the headings that they seem to.

        With headings that are all known short rows lack empty cells at the end.
        """
        width, widest = len(self.header), max((len(row.texts) for row in rows), default=0)
        # A comma within a heading makes a header wider than all of its rows.
        is_short = 0 < widest < width and (len(rows) > 1 or widest == 1)
        if is_short and not (is_known is not None and is_known(self.header)):
            raise FileFormatError(
                f"no row has more than {counted(widest, 'cell')} under "
                f"{counted(width, 'heading')}. Is there a comma in a "
                f"heading, or another separator? Save the table again.",
                file=self.name,
            )
        for row in rows:
            # Only rows that are too wide can have been parted at a comma of a number.
            places = range(len(row.texts) - 1 if len(row.texts) > self._width else 0)
            if (where := next((at for at in places if self._is_decimal(row.texts, at)), None)) is not None:
                # 3,50 is "3" and "50" where the separator is a comma.
                whole, part = row.texts[where : where + 2]
                raise FileFormatError(
                    f"{counted(len(row.texts), 'cell')} under "
                    f"{counted(self._width, 'heading')}: the comma in"
                    f" {whole},{part} parts it in two. Save the table with semicolons.",
                    file=self.name,
                    line=row.line,
                )

    def _is_decimal(self, texts: Sequence[str], place: int) -> bool:
        """Whether a price was parted at its decimal comma, of which there are two digits and nothing else behind it."""
        is_price = place < len(self.header) and _PRICE.search(self.header[place])
        return bool(
            is_price and texts[place].strip("€$£ ").isdecimal() and re.fullmatch(r"\d\d *[€$£]?", texts[place + 1])
        )

    def _header(self, texts: Sequence[str]) -> list[str]:
        """The headings; the second of a name is called `Name #2`, a column without one is left out as ''."""
        if len(texts) > _MOST_COLUMNS:
            raise FileFormatError(f"over {_MOST_COLUMNS} columns. Is it the right file?", file=self.name)
        seen: Counter[str] = Counter()
        header = []
        for heading in texts:
            seen[heading] += 1
            header.append(heading if seen[heading] == 1 or not heading else f"{heading} #{seen[heading]}")
        if twice := [heading for heading, count in seen.items() if count > 1 and heading]:
            self._remark(
                f"{self.name}: two columns are called {twice[0]!r}; the second is read as {twice[0] + ' #2'!r}."
            )
        self._width = len(header)  # a note may be in a column without a heading
        while header and not header[-1]:
            header.pop()
        return header

    def __iter__(self) -> Iterator[Cells | UnreadRow]:
        width = max(self._width, len(self.header))
        blank = 0
        for row in self._rows:
            texts = row.texts
            # Cells beyond the header that are empty are no mistake.
            while len(texts) > len(self.header) and not texts[-1]:
                texts.pop()
            # A header that comes again, as in files that were put together, is no row.
            if texts == self.header or not any(texts):
                blank += 1
                check_blank_length(self.name, blank)
                continue
            blank = 0
            if len(texts) > width:
                yield UnreadRow(f"line {row.line}", f"{counted(len(texts), 'cell')} under {counted(width, 'heading')}")
            else:
                yield row

    def _is_quoted(self, lines: list[str]) -> bool:
        """Whether quotation marks enclose cells here, rather than being plain text: which of both makes whole rows.

        In doubt they enclose cells between commas, and are plain text between tabs.
        """
        if not any('"' in line for line in lines):
            return self.delimiter != "\t"
        # How many cells a row has to have.
        width = len(_split_quoted(lines[0], self.delimiter) or _split_plain(lines[0], self.delimiter))
        plain = sum(len(_split_plain(line, self.delimiter)) == width for line in lines)
        enclosed, broken, quoted = 0, 0, ""
        # A cell may go on in the next lines: these are joined until the marks are closed.
        for line in lines:
            quoted = f"{quoted}\n{line}" if quoted else line
            cells = _split_quoted(quoted, self.delimiter)
            if cells is None and len(quoted) < LONGEST_ROW:
                continue
            fits = cells is not None and (
                # Or shorter, since some programs leave out empty cells at the end.
                len(cells) == width or (len(cells) < width and _encloses(quoted, self.delimiter))
            )
            enclosed, broken, quoted = enclosed + fits, broken + (not fits), ""
        if self.delimiter == "\t":
            # Between tabs marks are plain text unless nothing speaks against their enclosing cells.
            return enclosed >= plain and broken < len(lines) - plain
        if enclosed < plain:
            self._remark(f"{self.name}: some quotation marks are not closed; they are read literally.")
        return enclosed >= plain

    def _records(self, lines: Iterator[tuple[int, str]]) -> Iterator[Cells]:
        # A stack of lines that were read ahead and turned out to be rows of their own.
        waiting: list[tuple[int, str]] = []
        width = 0
        while True:
            # Lines that were given back come first, the last one in first out.
            number, line = waiting.pop() if waiting else next(lines, (0, ""))
            if not number:
                return
            # Without a mark, or where marks are plain text, unless this row can mean one thing only.
            if '"' not in line or not (self.quoted or (self.delimiter != "\t" and _encloses(line, self.delimiter))):
                cells = _split_plain(line, self.delimiter)
                # A spreadsheet may have doubled marks where nobody asked for any.
                texts: list[str] | None = list(map(_unwrap, cells)) if '""' in line else cells
            else:
                texts, more = self._quoted_row(line, lines, waiting)
                if texts is None or (more and self._is_stray([line, *(text for _, text in more)], texts, width)):
                    # Reversed: `pop` takes from the end.
                    waiting.extend(reversed(more))
                    texts = _split_plain(line, self.delimiter)
                    self._note_stray(number)
            assert texts is not None  # noqa: S101  what could not be split as enclosed was split as plain
            width = width or len(texts)
            yield Cells(number, [text.strip() for text in texts])

    def _quoted_row(
        self, line: str, lines: Iterator[tuple[int, str]], waiting: list[tuple[int, str]]
    ) -> tuple[list[str] | None, list[tuple[int, str]]]:
        """The cells of a row that may span several lines, and the further lines that it took."""
        lines_read, taken = [line], list[tuple[int, str]]()
        size = len(line)
        while (texts := _split_quoted("\n".join(lines_read), self.delimiter)) is None:
            following = waiting.pop() if waiting else next(lines, None)
            if following is None:
                break
            taken.append(following)
            lines_read.append(following[1])
            size += len(following[1])
            if len(taken) >= _LONGEST_CELL or size > LONGEST_ROW:
                break
        return texts, taken

    def _is_stray(self, lines: Sequence[str], texts: Sequence[str], width: int) -> bool:
        """Whether lines that were taken for one row are rows each: a mark that nobody meant opened and closed there."""
        # As plain text each of them has as many cells as a row.
        whole = [len(_split_plain(line, self.delimiter)) == width for line in lines]
        return all(whole) or (whole[0] and len(texts) != width) or not _closes("\n".join(lines), self.delimiter)

    def _note_stray(self, number: int) -> None:
        self._stray += 1
        if self._stray == 1:
            self._remark(f"{self.name}, line {number}: a quotation mark is not closed; such lines are read literally.")
        if self._stray > _MOST_STRAY:
            raise FileFormatError("too many quotation marks are not closed.", file=self.name, line=number)


def _delimiter_of(line: str) -> str:
    """Return the mark that a line has most often outside of quotation marks; of equals the first of `DELIMITERS`."""
    return max(DELIMITERS, key=lambda mark: _without_quotes(line).count(mark))


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line that may be the headings, or nothing if it has only one."""
    mark = delimiter or _delimiter_of(line)
    found = _split_quoted(line, mark) or _split_plain(line, mark)
    return [text.strip() for text in found] if len(found) > 1 else []


def _filled_lines(lines: Iterable[tuple[int, str]], name: str) -> Iterator[tuple[int, str]]:
    """The lines in which there is anything, with their numbers."""
    blank = 0
    for number, line in lines:
        if line.strip(" ,;|\t"):
            blank = 0
            yield number, line
        else:
            blank += 1
            check_blank_length(name, blank)


def _split_plain(line: str, delimiter: str) -> list[str]:
    return line.split(delimiter)


def _unwrap(text: str) -> str:
    """A cell as it was before a spreadsheet put marks around it and doubled those in it; any other as it is.

    >>> _unwrap('"Khelben ""Blackstaff"" Arunsun"')
    'Khelben "Blackstaff" Arunsun'
    >>> _unwrap('"Rock People"')
    '"Rock People"'
    """
    bare = text.strip()
    inside = bare[1:-1]
    if bare[:1] == bare[-1:] == '"' and '""' in inside and '"' not in inside.replace('""', ""):
        return inside.replace('""', '"')
    return text


def _split_quoted(text: str, delimiter: str) -> list[str] | None:
    """The cells of a row, those in quotation marks without them; None where one that opens is not closed."""
    cells = []
    position = 0
    while True:
        start = position
        inside = ""
        if text.startswith('"', position):
            start = position + 1
            # A doubled mark is one mark in the cell, and does not end it.
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


def _closes(text: str, delimiter: str) -> bool:
    r"""Whether every cell that begins with a mark ends with one, and nothing is behind that.

    >>> _closes('"Ash,A\n"Bee",B', ","), _closes('"Ash\nthe Great",A', ",")
    (False, True)
    """
    mark = re.escape(delimiter)
    # Each cell: in marks, with spaces behind; or beginning without a mark; or empty. Then the delimiter or the end.
    # `*+` gives nothing back, so that a long text costs no more than its length.
    return re.fullmatch(f'(?:(?:"(?:[^"]|"")*+" *|[^"{mark}][^{mark}]*+|)(?:{mark}|$))*', text) is not None


def _encloses(text: str, delimiter: str) -> bool:
    """Whether marks enclose cells of a row for certain: with a delimiter in them, and nothing beside them in a cell.

    Some programs leave out cells at the end of a row that are empty, so that such rows are shorter than their header.

    >>> _encloses('"Aragorn, the Uniter",LTR', ","), _encloses('3" disk,3" tape', ",")
    (True, False)
    """
    mark = re.escape(delimiter)
    whole = re.compile(f'(?:(?:"(?:[^"]|"")*"|[^"{mark}]*)(?:{mark}|$))*')
    # A cell in marks that has the delimiter behind it, not only at the end of the row.
    return bool(whole.fullmatch(text)) and bool(re.search(f'(?:^|{mark})"(?:[^"]|"")*{mark}', text))


def _without_quotes(line: str) -> str:
    """A line without what is in quotation marks."""
    # Every second piece between marks is outside of them.
    return "".join(line.split('"')[::2])


def headings_shown(headings: Iterable[str]) -> str:
    """The headings of a table as an error lists them, cut where they are long."""
    found = ", ".join(filter(None, headings)) or "none"
    return found if len(found) <= _LONGEST_LIST else f"{found[:_LONGEST_LIST]} …"


# 2,5 · -0,25
_DECIMAL: Final = re.compile(r"[+-]?\d+,\d{1,2}")


def with_points(rows: Iterable[Cells | UnreadRow], name: str, remark: Remark) -> Iterator[Cells | UnreadRow]:
    """The rows of a table with semicolons, where `2,5` is two and a half, with points in place of decimal commas."""
    for row in rows:
        if not isinstance(row, UnreadRow) and any(map(_DECIMAL.fullmatch, row.texts)):
            remark(f"{name}: 2,5 is read as 2.5, as tables with semicolons mean it.")
            texts = (text.replace(",", ".") if _DECIMAL.fullmatch(text) else text for text in row.texts)
            row = row._replace(texts=list(texts))
        yield row


def rows_as_dicts(
    header: Sequence[str], rows: Iterable[Cells | UnreadRow]
) -> Iterator[tuple[str, dict[str, str]] | UnreadRow]:
    """The rows of a table as mappings from headings to texts, each with where it is."""
    for row in rows:
        if isinstance(row, UnreadRow):
            yield row
        else:
            yield f"line {row.line}", dict(zip(header, row.texts, strict=False))
