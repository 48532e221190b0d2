"""Fits tables into the width of a terminal: what gives way, and where texts break; names never break inside a word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ccgrid.view.text import fitting, shorten, width

GAP: Final = 2
"""Between two columns stand so many blanks."""

MOST_LINES: Final = 8
"""No value takes more lines: no name floods the screen."""

_COMFORTABLE: Final = 14
"""Before a column that breaks its texts becomes narrower than this, the columns that matter less are left out."""

_WORD: Final = re.compile(r"(?:(?!\.{3})[^\s/\-_])*(?:[/\-_]|\.{3,})?\s*")

_EMPTY: Final = 99
"""How spare a column is in which nothing stands: the first to go."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        heading: what stands above it.
        align: how its values stand.
        wrap: whether long ones break into lines on a terminal; else they are cut where nothing else helps.
        style: how it is coloured.
        spare: 0 stays on every terminal; the others are left out where there is no room, the highest first.
    """

    heading: str
    align: Literal["left", "right"] = "left"
    wrap: bool = False
    style: str = ""
    spare: int = 0


def fitted(columns: Sequence[Column], rows: Sequence[Sequence[str]], cells: int) -> dict[int, int]:
    """Which columns are shown in a table of at most `cells` cells, by their index, and in how many cells each.

    Columns that are spare go first; then texts break into more lines; at last they are cut.
    """
    texts = [[column.heading, *(row[index] for row in rows)] for index, column in enumerate(columns)]
    shown = {index: _widest(column) for index, column in enumerate(texts)}
    words = {
        index: _widest(part for text in column for part in _parts(text))
        for index, column in enumerate(texts)
        if columns[index].wrap
    }
    natural = dict(shown)
    while _sum(shown) > cells:
        least = {index: _least(natural[index], words.get(index), _COMFORTABLE) for index in shown}
        spares = {index: columns[index].spare if any(texts[index][1:]) else _EMPTY for index in shown}
        spare = max(shown, key=lambda index: (spares[index], index))
        if _sum(least) > cells and spares[spare] and len(shown) > 1:
            del shown[spare]
            continue
        for comfortable in range(_COMFORTABLE, -1, -2):
            least = {index: _least(natural[index], words.get(index), comfortable) for index in shown}
            if _sum(least) <= cells:
                break
        return _cut(_spread(least, natural, cells), cells)
    return shown


def broken(text: str, cells: int) -> list[str]:
    """The lines of a text in a column of so many cells; a word that is longer than a whole line is the only one broken.

    >>> broken("Adun Oakenshield of the Hills", 17)
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


def lines_of(columns: Sequence[Column], row: Sequence[str], widths: dict[int, int], ellipsis: str) -> list[str]:
    """A row's texts in the columns that are shown, each as it stands in its cells, its lines joined by line ends."""
    texts = []
    for index, cells in widths.items():
        lines = broken(row[index], cells) if columns[index].wrap else [row[index]]
        if len(lines) > MOST_LINES:
            lines = [*lines[: MOST_LINES - 1], " ".join(lines[MOST_LINES - 1 :])]
        texts.append("\n".join(shorten(line, cells, ellipsis) for line in lines))
    return texts


def _parts(text: str, *, keep_blanks: bool = False) -> Iterator[str]:
    """The parts between which a text may break: after blanks, - / _ and ..., and between wide characters."""
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


def _least(natural: int, longest_word: int | None, comfortable: int) -> int:
    """The cells that a column needs: all of them, or where its texts break those of its longest word."""
    if longest_word is None:
        return natural
    return min(natural, max(longest_word, min(natural, comfortable)))


def _sum(widths: dict[int, int]) -> int:
    return sum(widths.values()) + GAP * (len(widths) - 1)


def _spread(least: dict[int, int], natural: dict[int, int], cells: int) -> dict[int, int]:
    """The widths with the cells that are left given one by one to the narrowest columns that want more."""
    widths = dict(least)
    for _ in range(cells - _sum(widths)):
        wanting = [index for index, wide in widths.items() if wide < natural[index]]
        if not wanting:
            break
        widths[min(wanting, key=lambda index: widths[index])] += 1
    return widths


def _cut(widths: dict[int, int], cells: int) -> dict[int, int]:
    """The widths with cells taken one by one from the widest columns, as long as all are too wide together."""
    while _sum(widths) > cells and max(widths.values()) > 1:
        widths[max(widths, key=lambda index: widths[index])] -= 1
    return widths
