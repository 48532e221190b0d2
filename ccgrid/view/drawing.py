"""What is drawn before it is printed: lines made of pieces, each with a style; below and beside each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from ccgrid.view.text import width

Piece = tuple[str, str]
"""A text, with nothing in it that acts on a terminal, and the name of its style, empty for the usual one."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of pieces, from the top."""

    lines: tuple[tuple[Piece, ...], ...]

    @classmethod
    def of(cls, lines: Iterable[str], style: str = "") -> "Drawing":
        """Lines of one style."""
        return cls(tuple(((line, style),) for line in lines))

    @property
    def plain(self) -> str:
        """The lines without their styles, with line ends between them."""
        return "\n".join("".join(text for text, _ in line) for line in self.lines)

    @property
    def cells(self) -> int:
        """How many cells the widest line takes."""
        return max(map(_cells, self.lines), default=0)


def below(drawings: Iterable[Drawing]) -> Drawing:
    """The drawings one below the other."""
    return Drawing(tuple(line for drawing in drawings for line in drawing.lines))


def beside(left: Drawing, right: Drawing, gap: int) -> Drawing:
    """Two drawings side by side, their tops level, `gap` cells apart."""
    lines, inner = [], left.cells
    for line, other in zip_longest(left.lines, right.lines, fillvalue=()):
        if _cells(other):
            line = (*line, (" " * (inner - _cells(line) + gap), ""), *other)
        lines.append(line)
    return Drawing(tuple(lines))


def _cells(line: tuple[Piece, ...]) -> int:
    return sum(width(text) for text, _ in line)
