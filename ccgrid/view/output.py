"""Output of results: JSON for scripts, tables and drawings on a terminal, aligned text in a pipe, notices on stderr.

Everything is printed through `streams`. Rich is imported when something is shown on a terminal, so that scripts that
read from a pipe need not wait for it.
"""

import os
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from ccgrid.catalog.formatting import amount
from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.view.streams import PLAIN, flush, is_quiet, is_terminal, text_stream, write, write_notice
from ccgrid.view.text import fitting, pad, shorten, visible, width

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

GAP: Final = 2
"""Blanks between two columns."""

MOST_LINES: Final = 8
"""Maximum number of lines of a value, so that no name floods the screen."""

_COMFORTABLE: Final = 14
"""Width below which a wrapped column is not narrowed before less important columns are left out."""

_WORD: Final = lazy_pattern(r"(?:(?!\.{3})[^\s/\-_])*(?:[/\-_]|\.{3,})?\s*")

_COMMAND: Final = lazy_pattern(r"\bccgrid(?: \S*[^\s.,;:)])* \S+")

_EMPTY_COLUMN: Final = 99
"""The `spare` of a column without values, which is left out first."""


class OutputColumn(NamedTuple):
    """A column of a table.

    Attributes:
        heading: the heading.
        align: the alignment of its values.
        wrap: whether long values are wrapped on a terminal; others are cut if there is no other way.
        style: the colour.
        spare: 0 is shown on every terminal; the others are left out if space is scarce, the highest first.
        whole: whether its texts are wrapped rather than cut, such as ids, which users copy.
    """

    heading: str
    align: Literal["left", "right"] = "left"
    wrap: bool = False
    style: str = ""
    spare: int = 0
    whole: bool = False


def fit_columns(columns: Sequence[OutputColumn], rows: Sequence[Sequence[str]], cells: int) -> dict[int, int]:
    """Return the columns of a table of at most `cells` cells, by index, and the width of each.

    Spare columns are left out first; then texts are wrapped; then they are cut.
    """
    texts = [[column.heading, *(row[index] for row in rows)] for index, column in enumerate(columns)]
    shown = {index: _widest(column) for index, column in enumerate(texts)}
    words = {
        index: _widest(part for text in column for part in _parts(text))
        for index, column in enumerate(texts)
        if columns[index].wrap
    }
    natural = dict(shown)
    while _total_width(shown) > cells:
        least = {index: _minimum_width(natural[index], words.get(index), _COMFORTABLE) for index in shown}
        spares = {index: columns[index].spare if any(texts[index][1:]) else _EMPTY_COLUMN for index in shown}
        spare = max(shown, key=lambda index: (spares[index], index))
        if _total_width(least) > cells and spares[spare] and len(shown) > 1:
            del shown[spare]
            continue
        for comfortable in range(_COMFORTABLE, -1, -2):
            least = {index: _minimum_width(natural[index], words.get(index), comfortable) for index in shown}
            if _total_width(least) <= cells:
                break
        return _narrow(_widen(least, natural, cells), cells)
    return shown


def break_lines(text: str, cells: int) -> list[str]:
    """Wrap a text in a column; only a word that is longer than a line is broken.

    >>> break_lines("Adun Oakenshield of the Hills", 17)
    ['Adun Oakenshield', 'of the Hills']
    """
    lines = [""]
    for part in _parts(text, keep_blanks=True):
        if width(lines[-1] + part.rstrip()) <= cells:
            lines[-1] += part
            continue
        if lines[-1]:
            lines.append("")
        rest = part
        while width(rest.rstrip()) > cells and (piece := fitting(rest, cells)):
            lines[-1], rest = piece, rest[len(piece) :]
            lines.append("")
        lines[-1] = rest
    return [line.rstrip() for line in lines]


def wrapped_cells(
    columns: Sequence[OutputColumn], row: Sequence[str], widths: dict[int, int], ellipsis: str
) -> list[str]:
    """Return a row's texts in the shown columns, wrapped or cut to their widths."""
    texts = []
    for index, cells in widths.items():
        lines = break_lines(row[index], cells) if columns[index].wrap or columns[index].whole else [row[index]]
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], " ".join(lines[MOST_LINES - 1 :])]
        texts.append("\n".join(shorten(line, cells, ellipsis) for line in lines))
    return texts


def _parts(text: str, *, keep_blanks: bool = False) -> Iterator[str]:
    """Yield the parts between which a text can be wrapped: after blanks, - / _ and ..., and between wide characters."""
    for match in _WORD.finditer(text):
        part = match[0]
        if not part:
            continue
        if not part.isascii() and width(part.rstrip()) > len(part.rstrip()):
            yield from part if keep_blanks else part.rstrip()
        else:
            yield part if keep_blanks else part.rstrip()


def _widest(texts: Iterable[str]) -> int:
    return max(map(width, texts), default=0)


def _minimum_width(natural: int, longest_word: int | None, comfortable: int) -> int:
    """Return the minimum width of a column: its full width, or if it is wrapped, that of its longest word."""
    if longest_word is None:
        return natural
    return min(natural, max(longest_word, min(natural, comfortable)))


def _total_width(widths: dict[int, int]) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def _widen(least: dict[int, int], natural: dict[int, int], cells: int) -> dict[int, int]:
    """Return the widths after distributing the remaining cells, one by one, to the narrowest columns that need more."""
    widths = dict(least)
    for _ in range(cells - _total_width(widths)):
        wanting = [index for index, wide in widths.items() if wide < natural[index]]
        if not wanting:
            break
        widths[min(wanting, key=lambda index: widths[index])] += 1
    return widths


def _narrow(widths: dict[int, int], cells: int) -> dict[int, int]:
    """Return the widths after taking cells, one by one, from the widest columns until all fit."""
    while _total_width(widths) > cells and max(widths.values()) > 1:
        widths[max(widths, key=lambda index: widths[index])] -= 1
    return widths


Piece = tuple[str, str]
"""A text without control characters, and the name of its style, "" for the default."""


class Drawing(NamedTuple):
    """Lines of pieces, from the top."""

    lines: tuple[tuple[Piece, ...], ...]

    @classmethod
    def of(cls, lines: Iterable[str], style: str = "") -> "Drawing":
        """Return a drawing of lines in one style."""
        return cls(tuple(((line, style),) for line in lines))

    @property
    def plain(self) -> str:
        """The lines as text, without styles."""
        return "\n".join("".join(text for text, _ in line) for line in self.lines)

    @property
    def cells(self) -> int:
        """The width of the widest line."""
        return max(map(_cells, self.lines), default=0)


def below(drawings: Iterable[Drawing]) -> Drawing:
    """Return the drawings, one below another."""
    return Drawing(tuple(line for drawing in drawings for line in drawing.lines))


def beside(left: Drawing, right: Drawing, gap: int) -> Drawing:
    """Return two drawings side by side, aligned at the top, `gap` cells apart."""
    lines, inner = [], left.cells
    for line, other in zip_longest(left.lines, right.lines, fillvalue=()):
        if _cells(other):
            line = (*line, (" " * (inner - _cells(line) + gap), ""), *other)
        lines.append(line)
    return Drawing(tuple(lines))


def _cells(line: tuple[Piece, ...]) -> int:
    return sum(width(text) for text, _ in line)


Value = str | int | float | None

WIDEST_ALIGNED: Final = 60
"""Maximum width of an aligned column in a pipe; a longer value is printed in full and shifts its row."""


LONGEST_VALUE: Final = 400
LONGEST_SENTENCE: Final = 2000
"""Maximum number of cells of a line of text on a terminal, and `LONGEST_VALUE` of a value in a table."""


class ProgressBar(Protocol):
    """A callback for progress: the amount done and the total, if known, both in one unit, such as bytes."""

    def __call__(self, done: int, total: int | None = None, doing: str = "") -> None:
        """Show the progress; `doing` describes the current step."""


def console(*, stderr: bool = False) -> "Console":
    """Return a Rich console that treats data as text, not markup, and honours `NO_COLOR` and `FORCE_COLOR`."""
    from rich.console import Console

    return Console(file=text_stream(stderr=stderr), markup=False, emoji=False, highlight=False)


def is_on_terminal(*, stderr: bool = False) -> bool:
    """Return whether output is shown on a terminal, or is to look like it.

    Rich decides, but is loaded only if a terminal is possible.
    """
    return is_terminal(stderr=stderr) and console(stderr=stderr).is_terminal


def can_draw() -> bool:
    """Return whether the output can show box-drawing characters; if not, pictures are drawn in ASCII."""
    return _encodable("│┌▶…·")


def printable(text: str) -> str:
    """Return an untrusted text as it appears in the output, so that it can be measured.

    Control characters, and characters that the encoding of the output lacks, are escaped.
    """
    safe = visible(text)
    return safe if _encodable(safe) else safe.encode(_encoding(), PLAIN).decode(_encoding())


def _encoding() -> str:
    return getattr(text_stream(), "encoding", None) or "ascii"


def _encodable(text: str) -> bool:
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


def show(*parts: str | Drawing) -> None:
    """Print sentences and drawings, each from a new line; strings are data, never markup."""
    if not is_on_terminal():
        # Do not wrap lines in a pipe: the reader has its own width.
        for part in parts:
            write("\n".join(map(printable, part.split("\n"))) if isinstance(part, str) else part.plain)
        flush()
        return
    from rich.text import Text

    target = console()
    for part in parts:
        if isinstance(part, str):
            lines = [shorten(printable(line), LONGEST_SENTENCE) for line in part.split("\n")]
            if has_command := _COMMAND.search(part) is not None:
                lines = [_wrapped(line, target.width) for line in lines]
            target.print(Text("\n".join(lines)), soft_wrap=has_command)
        else:
            target.print(_rich_text(part))


def _wrapped(text: str, cells: int) -> str:
    """Wrap a text at blanks, but not in a command or a path, which users copy: the terminal wraps those itself."""
    whole = _COMMAND.sub(lambda found: found[0].replace(" ", "\0"), text)
    return textwrap.fill(whole, cells, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def _rich_text(drawing: Drawing) -> "Text":
    from rich.text import Text

    pieces = ([(visible(text), style) for text, style in line] for line in drawing.lines)
    return Text("\n").join(Text.assemble(*line) for line in pieces)


def show_markdown(text: str) -> None:
    """Print a trusted Markdown page: formatted on a terminal, unchanged into a pipe."""
    if not is_on_terminal():
        write(text.removesuffix("\n"))
        return
    from rich.markdown import Markdown

    console().print(Markdown(text))


def show_json(document: object) -> None:
    """Print an answer, a `msgspec.Struct` or plain JSON values, as one line of JSON."""
    write(json_line(document))


def show_json_lines(documents: Iterable[object]) -> None:
    """Print answers as JSON, one per line."""
    for document in documents:
        show_json(document)


def json_line(document: object) -> str:
    """Return an answer, a `msgspec.Struct` or plain JSON values, as one line of JSON.

    Escape every character outside ASCII if the text has characters that control a terminal, or that the encoding of
    the output lacks. Damaged data may contain half of a surrogate pair, which no encoding has.
    """
    import json

    text = json.dumps(document, ensure_ascii=False, default=to_json_values)
    return text if text.isprintable() and _encodable(text) else json.dumps(document, default=to_json_values)


def to_json_values(answer: object) -> Any:
    """Convert an answer to dicts, lists and plain values under its JSON keys.

    Raises:
        TypeError: If a value has no JSON form.
    """
    import msgspec

    return msgspec.to_builtins(answer)


def show_table(
    columns: Sequence[OutputColumn],
    rows: Iterable[Sequence[Value]],
    title: str | None = None,
    beside: Drawing | None = None,
) -> None:
    """Print a table: with rules and colours on a terminal, as aligned, unabridged text into a pipe; None is blank.

    A terminal shows a drawing beside it, and a pipe above it.
    """
    if is_on_terminal():
        target = console()
        taken = 0 if beside is None else beside.cells + GAP
        table = _rich_table(columns, _texts(rows), title, target.width - taken)
        target.print(table if beside is None else _side_by_side(beside, table))
        return
    if beside is not None:
        show(beside, "")
    if title is not None:
        write(printable(title))
    for line in aligned_lines(columns, rows):
        write(line)


def _side_by_side(drawing: Drawing, table: "RenderableType") -> "RenderableType":
    from rich.table import Table

    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_row(_rich_text(drawing), table)
    return grid


def _texts(rows: Iterable[Sequence[Value]]) -> list[list[str]]:
    return [["" if value is None else printable(str(value)) for value in row] for row in rows]


def _rich_table(
    columns: Sequence[OutputColumn], rows: Sequence[Sequence[str]], title: str | None, cells: int
) -> "RenderableType":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=None if title is None else Text(printable(title), style="bold"),
        title_justify="left",
        box=SIMPLE_HEAD,
        padding=(0, GAP - 1, 0, 0),
        pad_edge=False,
        show_edge=False,
    )
    columns = [column._replace(heading=printable(column.heading)) for column in columns]
    short = [[shorten(value, LONGEST_VALUE) for value in row] for row in rows]
    widths = fit_columns(columns, short, cells)
    ellipsis = "…" if can_draw() else "~"
    for index, inner in widths.items():
        column = columns[index]
        heading = "\n".join(break_lines(column.heading, inner))
        table.add_column(Text(heading), justify=column.align, style=column.style, no_wrap=True, width=inner)
    for row in short:
        table.add_row(*map(Text, wrapped_cells(columns, row, widths, ellipsis)))
    return table


def aligned_lines(columns: Sequence[OutputColumn], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """Yield the lines of a table as aligned text; None is blank."""
    lines = [[printable(column.heading) for column in columns], *_texts(rows)]
    widths = [
        max((wide for line in lines if (wide := width(line[index])) <= WIDEST_ALIGNED), default=0)
        for index in range(len(columns))
    ]
    for line in lines:
        yield "  ".join(
            value if width(value) > cells else pad(value, cells, column.align)
            for value, cells, column in zip(line, widths, columns, strict=True)
        ).rstrip()


def note(message: str) -> None:
    """Print a notice for the user at a terminal on standard error; scripts do not get it."""
    if text_stream(stderr=True).isatty():
        remark(message)


def remark(message: str) -> None:
    """Print a notice that affects the meaning of the result on standard error, unless --quiet is given."""
    if is_quiet():
        return
    text, stream = visible(message), text_stream(stderr=True)
    if stream.isatty():
        with suppress(OSError):  # some terminals do not say how wide they are
            cells = os.get_terminal_size(stream.fileno()).columns or len(text)
            text = _wrapped(text, cells) if text.strip() else text
    write_notice(text)


_WIDE_ENOUGH: Final = 76
"""Minimum width of a terminal for a progress bar besides the numbers."""


@contextmanager
def progress(
    description: str, *, unit: Literal["bytes", "items"] = "items", total: int | None = None
) -> Iterator[ProgressBar]:
    """Show the progress of the block on standard error, if it is a terminal; yield the callback that reports it.

    An animation and the elapsed time show that the program works even if no amount is known. After Ctrl-C the amount
    done is printed.
    """
    last = _ProgressState(0, total)
    try:
        with _bar(description, unit, total) as move:

            def report(done: int, total: int | None = None, doing: str = "") -> None:
                nonlocal last
                last = _ProgressState(done, last.total if total is None and not doing else total)
                move(last.done, last.total, doing)

            yield report
    except KeyboardInterrupt:
        if last.done:
            remark(f"{description}: {last.words(unit)} done.")
        raise


class _ProgressState(NamedTuple):
    """The last reported progress."""

    done: int
    total: int | None

    def words(self, unit: str) -> str:
        say = amount if unit == "bytes" else "{:,}".format
        return f"{say(self.done)} of {say(self.total)}" if self.total else say(self.done)


@contextmanager
def _bar(description: str, unit: str, total: int | None) -> Iterator[ProgressBar]:
    """Yield the callback of a progress bar, or one that ignores progress if there is no terminal."""
    if not is_on_terminal(stderr=True):
        yield _ignore_progress
        return
    target = console(stderr=True)
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    words = TextColumn("{task.description}", markup=False)
    bar_column = (BarColumn(20),) if target.width >= _WIDE_ENOUGH else ()
    counted = TextColumn("{task.fields[amount]}", markup=False)
    times = TimeElapsedColumn(), TimeRemainingColumn()
    columns = (SpinnerColumn("line"), words, *bar_column, counted, *times)
    with Progress(*columns, console=target, transient=True) as bar:
        task = bar.add_task(visible(description), total=total, amount="")
        doing_now: str | None = None

        def report(done: int, total: int | None = None, doing: str = "") -> None:
            nonlocal doing_now
            said, is_new = visible(f"{description}: {doing}" if doing else description), doing != doing_now
            doing_now = doing
            last = _ProgressState(done, total).words(unit)
            bar.update(task, completed=done, total=total, description=said, amount=last, refresh=is_new)

        yield report


def _ignore_progress(done: int, total: int | None = None, doing: str = "") -> None:
    """Ignore progress reports."""
