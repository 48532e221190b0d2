"""What a game owes to be shown: its picture, words for its moves; and small drawing that several games share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ccgrid.view.output import console, shown
from ccgrid.view.text import pad, shorten, width
from ccgrid.view.tiles import COLUMNS, pen

if TYPE_CHECKING:
    from rich.text import Text

_LOW: Final = 30
"""On a terminal of fewer lines boards are drawn with flatter cards."""

_LONGEST_NAME: Final = 30
"""So many cells of a player's name are shown at most."""


class Choice(NamedTuple):
    """A legal move as it stands in a list under a heading: what of it the heading does not say, and what it gains."""

    move: str
    short: str
    effect: str = ""


class MoveGroup(NamedTuple):
    """Legal moves that a person looks for together: those with one card, or of one kind."""

    heading: str
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class GameView:
    """How one game is shown.

    Attributes:
        draw: the picture of a position, with what the last move changed marked, for the seat that looks at it, of
            which the position is the view; or, without a seat, for everybody.
        describe: what a legal move would do, in a few words.
        groups: the legal moves in groups; without it they are listed one by one.
        tell: what the others are told of a move that was made, where that is not the move and what it does.
        legend: what the effects behind the moves in groups mean, where that must be said.
        shows_scores: whether the picture says who has how many points.
    """

    draw: Callable[[Any, "int | None", "str | None"], "Text"]
    describe: Callable[[Any, str], str]
    groups: Callable[[Any], Sequence[MoveGroup]] | None = None
    tell: Callable[[Any, str], str] | None = None
    legend: Callable[[Any], str] | None = None
    shows_scores: bool = True


def is_low() -> bool:
    """Whether the terminal is so low that a board should be."""
    screen = console()
    return screen.is_terminal and screen.height < _LOW


def player_name(name: str, cells: int = _LONGEST_NAME) -> str:
    """A player's name as it stands in sentences and at the prompt: nothing in it acts, and it floods nothing."""
    return cut(shown(name), cells)


def cut(text: str, cells: int) -> str:
    """The text in at most so many cells, its end as a picture on this output can show it."""
    return shorten(text, cells, pen().ellipsis)


def beside(left: "Text", right: "Text", gap: int = 2) -> "Text":
    """Two pictures side by side, their tops level."""
    from rich.text import Text

    lines, others = left.split("\n"), right.split("\n")
    cells = max(line.cell_len for line in lines)
    rows = []
    for index in range(max(len(lines), len(others))):
        line = lines[index] if index < len(lines) else Text()
        if index < len(others) and others[index].cell_len:
            line = Text.assemble(line, " " * (cells - line.cell_len + gap), others[index])
        rows.append(line)
    return Text("\n").join(rows)


def rule(columns: int, inner: int, place: int, labels: Sequence[str] = ()) -> str:
    """A line across a grid: above it, between its rows or below it (`place` 0, 1, 2), with labels on its columns."""
    drawing = pen()
    ends = drawing.corners[place]
    parts = [drawing.across * inner] * columns
    if labels:
        parts = [f" {label} ".center(inner, drawing.across) if label else drawing.across * inner for label in labels]
    return ends[0] + ends[1].join(parts) + ends[2]


def row(cells: Sequence[str], inner: int, align: str = "center") -> str:
    """A line of a grid that holds texts."""
    drawing = pen()
    return drawing.down + drawing.down.join(pad(text, inner, align, drawing.ellipsis) for text in cells) + drawing.down


def filled(heading: str, texts: Sequence[str], cells: int = COLUMNS - 1) -> list[str]:
    """Lines of at most so many cells that hold a heading and texts one after the other, with commas between."""
    lines, indent = [heading], "  "
    for number, text in enumerate(texts):
        part = cut(text, cells - 4) + ("," if number < len(texts) - 1 else "")
        if width(lines[-1]) + 1 + width(part) > cells:
            lines.append(indent + part)
        else:
            lines[-1] += f" {part}"
    return lines
