"""Tables as text, separated by comma, tab, semicolon or bar, in any encoding, read one row at a time.

A malformed row is read if it has only one meaning, and else reported: no row is lost silently.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple

from ccgrid.catalog.csv_lines import formula_text
from ccgrid.catalog.errors import FileFormatError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.printing import UnreadRow
from ccgrid.catalog.read_limits import check_blank_length
from ccgrid.catalog.readers.streams import LONGEST_ROW, Warn, markup_advice
from ccgrid.catalog.readers.text_lines import Survey, text_lines

DELIMITERS: Final = "\t,;|"
_SAMPLE: Final = 500  # lines for detecting the form of a table
_TITLES: Final = 30  # lines that may be above the headings
_LONGEST_CELL: Final = 200
"""The most lines of a cell in quotation marks."""
_MOST_STRAY: Final = 100  # quotation marks that are not closed
_MOST_COLUMNS: Final = 1000  # headings
_LONGEST_LIST: Final = 600  # characters of the headings in an error
# Parts of headings of prices, in several languages.
_PRICE = re.compile(
    r"price|preis|prix|prezzo|precio|preço|cost|value|wert|market|trend|low|mid|high|avg", re.IGNORECASE
)


class Cells(NamedTuple):
    """A row: the number of its first line, from 1, and the texts of its cells."""

    line: int
    texts: list[str]


class TextTable:
    """An open table: its `header`, its first rows as `sample`, and all rows by iteration, in file order.

    Args:
        stream: The file.
        survey: The encoding of the file.
        name: The name of the file in errors.
        warn: Receives warnings.
        delimiter: The separator of cells; "" detects it.
        quoted: Whether quotation marks enclose cells; None detects it.
        sure: Whether the file is certainly a table, so that its rows must fit its headings.
        is_header: Returns whether a line is the header; the lines above the first such line are skipped.
        is_known: Returns whether all headings are known, so that short rows only lack empty cells.

    Raises:
        FileFormatError: If the file is not text, is empty, is a web page, or its rows do not fit its headings.
    """

    def __init__(
        self,
        stream: BinaryIO,
        survey: Survey,
        name: str,
        warn: Warn,
        delimiter: str = "",
        quoted: bool | None = None,
        *,
        sure: bool = True,
        is_header: Callable[[list[str]], bool] | None = None,
        is_known: Callable[[list[str]], bool] | None = None,
    ) -> None:
        self.name, self._warn = name, warn
        lines = enumerate(text_lines(stream, survey, name), 1)
        filled = _filled_lines(lines, name)
        head = next(filled, None)
        if head is None:
            raise FileFormatError("the file is empty.", file=name)
        # Excel's first line `sep=;` names the delimiter; `sep=` stands for a tab.
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
        # The first row is the header; iteration starts after it.
        self.header = self._header(next(self._rows).texts)
        self.sample = list(islice(self._rows, _SAMPLE))
        self._rows = chain(self.sample, self._rows)
        if sure and self.delimiter != "\t":
            self._check_widths(self.sample, is_known)

    def _check_widths(self, rows: Sequence[Cells], is_known: Callable[[list[str]], bool] | None) -> None:
        """Check that the cells of rows fit the headings. If all headings are known, rows may be short.

        Raises:
            FileFormatError: If they do not.
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
            # Only a row that is too wide may contain a number that was split at its comma.
            places = range(len(row.texts) - 1 if len(row.texts) > self._width else 0)
            if (where := next((at for at in places if self._is_decimal(row.texts, at)), None)) is not None:
                # 3,50 becomes "3" and "50" if the separator is a comma.
                whole, part = row.texts[where : where + 2]
                raise FileFormatError(
                    f"{counted(len(row.texts), 'cell')} under "
                    f"{counted(self._width, 'heading')}: the comma in"
                    f" {whole},{part} splits it in two. Save the table with semicolons.",
                    file=self.name,
                    line=row.line,
                )

    def _is_decimal(self, texts: Sequence[str], place: int) -> bool:
        """Return whether a price was split at its decimal comma, so that the next cell has only two digits."""
        is_price = place < len(self.header) and _PRICE.search(self.header[place])
        return bool(
            is_price and texts[place].strip("€$£ ").isdecimal() and re.fullmatch(r"\d\d *[€$£]?", texts[place + 1])
        )

    def _header(self, texts: Sequence[str]) -> list[str]:
        """Return the headings; a repeated one becomes `Name #2`, and a missing one ""."""
        if len(texts) > _MOST_COLUMNS:
            raise FileFormatError(f"over {_MOST_COLUMNS} columns. Is it the right file?", file=self.name)
        seen: Counter[str] = Counter()
        header = []
        for heading in texts:
            seen[heading] += 1
            header.append(heading if seen[heading] == 1 or not heading else f"{heading} #{seen[heading]}")
        if twice := [heading for heading, count in seen.items() if count > 1 and heading]:
            self._warn(f"{self.name}: two columns are called {twice[0]!r}; the second is read as {twice[0] + ' #2'!r}.")
        self._width = len(header)  # a column without a heading may contain notes
        while header and not header[-1]:
            header.pop()
        return header

    def __iter__(self) -> Iterator[Cells | UnreadRow]:
        width = max(self._width, len(self.header))
        blank = 0
        for row in self._rows:
            texts = row.texts
            # Empty cells beyond the header are allowed.
            while len(texts) > len(self.header) and not texts[-1]:
                texts.pop()
            # Concatenated files repeat the header.
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
        """Return whether quotation marks enclose cells: whether this gives more complete rows than plain text.

        If it is a tie, they enclose cells in a table with commas, and are plain text in one with tabs.
        """
        if not any('"' in line for line in lines):
            return self.delimiter != "\t"
        # The expected number of cells in a row.
        width = len(_split_quoted(lines[0], self.delimiter) or _split_plain(lines[0], self.delimiter))
        plain = sum(len(_split_plain(line, self.delimiter)) == width for line in lines)
        enclosed, broken, quoted = 0, 0, ""
        # A cell may span several lines: join them until the quotation marks are closed.
        for line in lines:
            quoted = f"{quoted}\n{line}" if quoted else line
            cells = _split_quoted(quoted, self.delimiter)
            if cells is None and len(quoted) < LONGEST_ROW:
                continue
            fits = cells is not None and (
                # Some programs omit empty cells at the end.
                len(cells) == width or (len(cells) < width and _encloses(quoted, self.delimiter))
            )
            enclosed, broken, quoted = enclosed + fits, broken + (not fits), ""
        if self.delimiter == "\t":
            # In a table with tabs quotation marks are plain text unless they fit as enclosing marks at least as well.
            return enclosed >= plain and broken < len(lines) - plain
        if enclosed < plain:
            self._warn(f"{self.name}: some quotation marks are not closed; they are read literally.")
        return enclosed >= plain

    def _records(self, lines: Iterator[tuple[int, str]]) -> Iterator[Cells]:
        # A stack of lines that were read ahead and are separate rows.
        waiting: list[tuple[int, str]] = []
        width = 0
        while True:
            number, line = waiting.pop() if waiting else next(lines, (0, ""))
            if not number:
                return
            # Split without regard to quotation marks, unless they certainly enclose cells of this row.
            if '"' not in line or not (self.quoted or (self.delimiter != "\t" and _encloses(line, self.delimiter))):
                cells = _split_plain(line, self.delimiter)
                # A spreadsheet may have doubled quotation marks.
                texts: list[str] | None = list(map(_unwrap, cells)) if '""' in line else cells
            else:
                texts, more = self._quoted_row(line, lines, waiting)
                if texts is None or (more and self._is_stray([line, *(text for _, text in more)], texts, width)):
                    # Reversed, because `pop` takes the last one.
                    waiting.extend(reversed(more))
                    texts = _split_plain(line, self.delimiter)
                    self._note_stray(number)
            assert texts is not None  # noqa: S101  else it was split without quotation marks
            width = width or len(texts)
            yield Cells(number, [text.strip() for text in texts])

    def _quoted_row(
        self, line: str, lines: Iterator[tuple[int, str]], waiting: list[tuple[int, str]]
    ) -> tuple[list[str] | None, list[tuple[int, str]]]:
        """Return the cells of a row that may span several lines, or None, and the further lines that were read."""
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
        """Return whether lines that were joined to one row are separate rows, with stray quotation marks."""
        # Whether each line has the width of a row if quotation marks are plain text.
        whole = [len(_split_plain(line, self.delimiter)) == width for line in lines]
        return all(whole) or (whole[0] and len(texts) != width) or not _closes("\n".join(lines), self.delimiter)

    def _note_stray(self, number: int) -> None:
        self._stray += 1
        if self._stray == 1:
            self._warn(f"{self.name}, line {number}: a quotation mark is not closed; such lines are read literally.")
        if self._stray > _MOST_STRAY:
            raise FileFormatError("too many quotation marks are not closed.", file=self.name, line=number)


def _delimiter_of(line: str) -> str:
    """Return the most frequent delimiter of a line outside quotation marks, or the first of `DELIMITERS` for a tie."""
    return max(DELIMITERS, key=lambda mark: _without_quotes(line).count(mark))


def _cells(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line that may be the header, or an empty list if there is only one."""
    mark = delimiter or _delimiter_of(line)
    found = _split_quoted(line, mark) or _split_plain(line, mark)
    return [text.strip() for text in found] if len(found) > 1 else []


def _filled_lines(lines: Iterable[tuple[int, str]], name: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank, with their numbers."""
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
    """Return a cell without the quotation marks that a spreadsheet added around it and doubled in it.

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
    """Return the cells of a row without enclosing quotation marks, or None if one of these is not closed.

    Blanks may precede the marks if nothing but blanks follows them.

    >>> _split_quoted('1, "Elf, the Wise", "Oak" the Elf', ",")
    ['1', 'Elf, the Wise', ' "Oak" the Elf']
    """
    cells = []
    position = 0
    while True:
        start = opening = position
        inside = ""
        while text.startswith(" ", opening):
            opening += 1
        if text.startswith('"', opening):
            # A doubled mark is part of the cell.
            closing = text.find('"', opening + 1)
            while closing >= 0 and text.startswith('"', closing + 1):
                closing = text.find('"', closing + 2)
            # After blanks, marks that do not end the cell are plain text.
            is_enclosing = opening == position or (closing >= 0 and _ends_cell(text, closing + 1, delimiter))
            if is_enclosing and closing < 0:
                return None
            if is_enclosing:
                inside, start = text[opening + 1 : closing].replace('""', '"'), closing + 1
        end = text.find(delimiter, start)
        if end < 0:
            cells.append(inside + text[start:])
            return cells
        cells.append(inside + text[start:end])
        position = end + 1


def _ends_cell(text: str, place: int, delimiter: str) -> bool:
    """Return whether only blanks follow in a cell from a place on."""
    while text.startswith(" ", place):
        place += 1
    return place == len(text) or text.startswith(delimiter, place)


def _closes(text: str, delimiter: str) -> bool:
    r"""Return whether every cell that begins with a quotation mark ends with one.

    >>> _closes('"Ash,A\n"Bee",B', ","), _closes('"Ash\nthe Great",A', ",")
    (False, True)
    """
    mark = re.escape(delimiter)
    # Each cell is in marks, perhaps with spaces after it, or begins without a mark, or is empty. Then comes the
    # delimiter or the end. `*+` does not backtrack, so that the time is linear.
    return re.fullmatch(f'(?:(?:"(?:[^"]|"")*+" *|[^"{mark}][^{mark}]*+|)(?:{mark}|$))*', text) is not None


def _encloses(text: str, delimiter: str) -> bool:
    """Return whether quotation marks certainly enclose cells of a row.

    They do if no cell has text outside its marks, and a cell in marks is followed by a delimiter. The number of cells
    does not matter, since some programs omit empty cells at the end.

    >>> _encloses('"Aragorn, the Uniter",LTR', ","), _encloses('3" disk,3" tape', ",")
    (True, False)
    """
    mark = re.escape(delimiter)
    whole = re.compile(f'(?:(?: *"(?:[^"]|"")*" *|[^"{mark}]*)(?:{mark}|$))*')
    # A cell in marks before a delimiter, not only at the end of the row.
    return bool(whole.fullmatch(text)) and bool(re.search(f'(?:^|{mark}) *"(?:[^"]|"")*{mark}', text))


def _without_quotes(line: str) -> str:
    """Return a line without the parts in quotation marks."""
    # Every second piece is outside quotation marks.
    return "".join(line.split('"')[::2])


def headings_shown(headings: Iterable[str]) -> str:
    """Format the headings of a table for an error, cut to a limit."""
    found = ", ".join(filter(None, headings)) or "none"
    return found if len(found) <= _LONGEST_LIST else f"{found[:_LONGEST_LIST]} …"


# 2,5 · -0,25
_DECIMAL: Final = re.compile(r"[+-]?\d+,\d{1,2}")


def with_points(rows: Iterable[Cells | UnreadRow], name: str, warn: Warn) -> Iterator[Cells | UnreadRow]:
    """Yield the rows of a table with semicolons, with decimal commas replaced by points: `2,5` is two and a half."""
    for row in rows:
        if not isinstance(row, UnreadRow) and any(map(_DECIMAL.fullmatch, row.texts)):
            warn(f"{name}: 2,5 is read as 2.5, as usual in tables with semicolons.")
            texts = (text.replace(",", ".") if _DECIMAL.fullmatch(text) else text for text in row.texts)
            row = row._replace(texts=list(texts))
        yield row


def rows_as_dicts(
    header: Sequence[str], rows: Iterable[Cells | UnreadRow]
) -> Iterator[tuple[str, dict[str, str]] | UnreadRow]:
    """Yield the rows of a table as mappings from headings to texts, each with its position."""
    for row in rows:
        if isinstance(row, UnreadRow):
            yield row
        else:
            yield f"line {row.line}", dict(zip(header, row.texts, strict=False))


def without_formulas(rows: Iterable[Cells | UnreadRow]) -> Iterator[Cells | UnreadRow]:
    """Yield the rows of a table with the texts that its cells stand for: `="001"` is 001, and `'+2 Mace` is +2 Mace."""
    for row in rows:
        yield row if isinstance(row, UnreadRow) else row._replace(texts=list(map(formula_text, row.texts)))
