"""Draws the pictures of `engine.picture` on a terminal or into a pipe; knows no game."""

from collections.abc import Sequence
from typing import Final, assert_never

from ccgrid.view.columns import broken
from ccgrid.view.drawing import Drawing, below, beside
from ccgrid.view.names import cut, say
from ccgrid.view.output import Column, aligned, console, on_terminal, show, show_table, shown
from ccgrid.view.text import pad, shorten, width
from ccgrid.view.tiles import CAPTION, NAME, captions_fit, draw_tiles, pen
from ccgrid.view.words import counted
from engine.picture import (
    Beside,
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    Spare,
    Stack,
    Standings,
    Table,
    TextGrid,
    Tiles,
    Words,
)

CELLS: Final = 79
"""A picture takes at most this many cells: a terminal has 80, and some break a line that fills them all."""

_STYLES: Final = {"plain": "", "caption": CAPTION, "strong": NAME}

NARROWEST: Final = 40
"""On a terminal that is narrower pictures are drawn for one of so many cells."""

_COLUMN_BESIDE_TILES: Final = 24
_GAP_BESIDE_TILES: Final = 2
_GAP_BESIDE_TEXTS: Final = 4
"""Tiles fill the cells that they are given, and leave a column so wide; other pictures leave what they do not need.
Where there is less room than usual the column is a third of it."""

_ROOM_FOR_TILES_AND_A_COLUMN: Final = 70
"""In fewer cells what stands beside tiles is listed below them, if it can be."""

_LOW_WITH_TWO: Final = 4
_NARROW_TILES: Final = range(17, 20)
_FEW_ROWS: Final = 3
"""A low tile with two lines for its name has so many. Of tiles without captions those of these widths have them, in so
few rows: wider ones need one, and beside narrower ones stands a column, where the list of moves needs the lines."""

_STANDINGS_IN_A_LINE: Final = 2
_STANDINGS_GAP: Final = 2
_SHORTEST_NAME: Final = 3
"""Two stand in a line as long as so many cells of each name are left."""

_VALUE_CELLS: Final = 7
_VALUE_MARGIN: Final = 4
_NAME_MARGIN: Final = 2
_WEST_MARGIN: Final = 20
"""The width of a cell of a text grid that holds values alone; and the cells left of a grid: for the labels of its rows
where it holds values, where it holds names, and where somebody sits there."""

_NARROW_VALUE_CELLS: Final = 5
_LEAST_BESIDE_TEXTS: Final = 20
"""The width of such a cell where there is less room; what stands beside a text grid has this much, or stands below."""


def draw(picture: Picture, cells: int = CELLS, *, low: bool = False) -> Drawing:
    """The picture in at most `cells` cells.

    A low one takes few lines: tiles are flatter, and what may be left out is.
    """
    match picture:
        case Line():
            return _line(picture, cells)
        case Listing():
            heading, texts = _squeezed(picture.heading, cells), [say(entry) for entry in picture.entries]
            return Drawing.of(
                [in_one(heading, texts, cells)] if low and picture.brief else filled(heading, texts, cells)
            )
        case Standings():
            return Drawing.of(_standings(picture.entries, cells))
        case Tiles():
            return _tiles(picture, cells, low=low)
        case TextGrid():
            return Drawing.of(_text_grid(picture, cells, low=low))
        case Table():
            return Drawing.of(aligned(*_table(picture)))
        case Stack():
            parts = [part for part in picture.parts if not (low and isinstance(part, Spare))]
            return below(draw(part, cells, low=low) for part in parts)
        case Beside():
            return _beside(picture, cells, low=low)
        case Spare():
            return Drawing(()) if low else draw(picture.picture, cells)
        case _:
            assert_never(picture)


def picture_cells() -> int:
    """The cells that a picture may take on this output now; a terminal may be narrower than it was."""
    return min(CELLS, max(NARROWEST, console().width - 1)) if on_terminal() else CELLS


def show_picture(picture: Picture) -> None:
    """Print a picture of which nothing is left out; a table is as wide as the terminal lets it be."""
    for part in picture.parts if isinstance(picture, Stack) else (picture,):
        if isinstance(part, Table):
            show_table(*_table(part))
        else:
            show(draw(part, picture_cells()))


def filled(heading: str, texts: Sequence[str], cells: int = CELLS) -> list[str]:
    """Lines of at most `cells` cells that hold a heading and texts one after the other, with commas between."""
    lines, indent = [heading], "  "
    for number, text in enumerate(texts):
        part = cut(text, cells - 4) + ("," if number < len(texts) - 1 else "")
        if width(lines[-1]) + 1 + width(part) > cells:
            lines.append(indent + part)
        else:
            lines[-1] += f" {part}"
    return lines


def in_one(heading: str, texts: Sequence[str], cells: int = CELLS) -> str:
    """One line of at most `cells` cells with a heading and as many of the texts as fit; the others are counted.

    >>> in_one("Your pile:", ["Amber Drake 4", "Brass Herald 2", "Iron Drake 7"], 40)
    'Your pile: Amber Drake 4, and 2 more'
    """
    line = heading
    for number, text in enumerate(texts):
        left = len(texts) - number
        longer = f"{line} {text}" + ("," if left > 1 else "")
        if width(longer) + (width(f" and {left - 1} more") if left > 1 else 0) > cells:
            return cut(f"{line} and {left} more" if number else f"{line} {counted(left, 'card')}", cells)
        line = longer
    return line


def _line(line: Line, cells: int) -> Drawing:
    value = shown(line.value)
    room = cells - width(value) - 1 if value else cells
    words = say(line.words, room)
    if not value and width(words) > cells:
        first, *rest = broken(words, cells)
        return Drawing.of([first, *(f"  {text}" for text in broken(" ".join(rest), cells - 2))], _STYLES[line.style])
    return Drawing.of([f"{pad(words, room)} {value}" if value else words], _STYLES[line.style])


def _standings(entries: Sequence[Words], cells: int) -> list[str]:
    in_a_line, room = 1, cells
    beside = (cells - _STANDINGS_GAP * (_STANDINGS_IN_A_LINE - 1)) // _STANDINGS_IN_A_LINE
    if all(width(say(_named(entry, _SHORTEST_NAME))) <= beside for entry in entries):
        in_a_line, room = _STANDINGS_IN_A_LINE, beside
    texts = [pad(say(entry, room), room) for entry in entries]
    lines = (texts[start : start + in_a_line] for start in range(0, len(texts), in_a_line))
    return [(" " * _STANDINGS_GAP).join(line).rstrip() for line in lines]


def _table(table: Table) -> tuple[list[Column], tuple[tuple[str | int, ...], ...]]:
    columns = [
        Column(column.heading, "right" if column.is_number else "left", wrap=column.wraps) for column in table.columns
    ]
    return columns, table.rows


# --- side by side -------------------------------------------------------------------------------------------------


def _tiles(tiles: Tiles, cells: int, *, low: bool) -> Drawing:
    captions = max((len(tile.captions) for tile in tiles.tiles), default=0)
    inner, rows = (cells - 1) // tiles.columns - 1, -(-len(tiles.tiles) // tiles.columns)
    height = 2 + captions + (1 if low else tiles.name_lines)
    if low and (in_rim := captions_fit(tiles.tiles, inner)):
        height = max(height, _LOW_WITH_TWO)
    elif low and not captions and inner in _NARROW_TILES and rows <= _FEW_ROWS:
        height = _LOW_WITH_TWO
    return draw_tiles(tiles.tiles, tiles.columns, inner=inner, height=height, in_rim=low and in_rim)


def _beside(picture: Beside, cells: int, *, low: bool) -> Drawing:
    """The left picture and, at its right, the other one in the room that it leaves."""
    if picture.below is not None and cells < _ROOM_FOR_TILES_AND_A_COLUMN and _fills(picture.left):
        return below([draw(picture.left, cells, low=low), draw(picture.below, cells, low=low)])
    if _fills(picture.left):
        gap, column = _GAP_BESIDE_TILES, min(_COLUMN_BESIDE_TILES, cells // 3)
        left = draw(picture.left, cells - gap - column, low=low)
    else:
        gap = _GAP_BESIDE_TEXTS
        left = draw(picture.left, cells, low=low)
        column = cells - gap - left.cells
        if column < _LEAST_BESIDE_TEXTS:
            return below([left, draw(picture.right, cells, low=low)])
    return beside(left, draw(picture.right, column, low=low), gap)


def _fills(picture: Picture) -> bool:
    """Whether a picture is as wide as it can be."""
    return isinstance(picture, Tiles) or (isinstance(picture, Stack) and any(map(_fills, picture.parts)))


# --- grids of texts -----------------------------------------------------------------------------------------------


def _text_grid(grid: TextGrid, cells: int, *, low: bool) -> list[str]:
    """The grid, and who sits around it: beside its middle row, and above and below it."""
    lines = [line for line in grid.lines if not (low and line.spare)]
    rows = [line for line in lines if isinstance(line, GridRow)]
    columns, has_names = len(rows[0].cells), grid.holds_names
    around = grid.around
    beside_it = 2 * _WEST_MARGIN if "west" in around else 0
    narrow = not has_names and beside_it + columns * (_VALUE_CELLS + 1) + 1 > cells
    inner = _NARROW_VALUE_CELLS if narrow else _VALUE_CELLS
    margin = _NAME_MARGIN if has_names else _VALUE_MARGIN
    if "west" in around:
        margin = min(_WEST_MARGIN, max(_VALUE_MARGIN, (cells - columns * (inner + 1) - 1) // 2))
    if has_names:
        inner = (cells - margin - 1) // columns - 1
    east_room = cells - margin - columns * (inner + 1) - 1 - 2
    drawn = []
    for number, line in enumerate(lines):
        if isinstance(line, Divider):
            kind = 0 if number == 0 else 2 if number == len(lines) - 1 and not line.faces else 1
            drawn.append(" " * margin + _across(columns, inner, kind, line.labels))
            continue
        west, east = ("west", "east") if line is rows[len(rows) // 2] else ("", "")
        beside = pad(_squeezed(around.get(west, ""), margin - 3), margin - 2)
        texts = [_cell(cell, inner, has_names=has_names) for cell in line.cells]
        after = f"  {_squeezed(around[east], east_room)}" if east in around else ""
        drawn.append(f"{beside}{line.label} {_row(texts, inner, has_names=has_names)}{after}")
    for side, at in (("north", 0), ("south", len(drawn) + 1)):
        if side in around:
            drawn.insert(at, " " * margin + pad(say(around[side]), columns * (inner + 1) + 1, "center").rstrip())
    return drawn


def _squeezed(words: Words, cells: int) -> str:
    """The words in at most `cells` cells: the names in them give way, not what is said of them."""
    if width(text := say(words)) > cells:
        text = say(_named(words, None), cells)
    return shorten(text, cells, pen().ellipsis)


def _named(words: Words, most: int | None) -> Words:
    """The words with each name in at most so many cells."""
    pieces = (words,) if isinstance(words, str) else words
    return tuple(Name(piece.text, most) if isinstance(piece, Name) else piece for piece in pieces)


def _cell(cell: Cell, inner: int, *, has_names: bool) -> str:
    drawing, value = pen(), shown(cell.value)
    text = value
    if cell.name:
        text = f"{pad(shown(cell.name), inner - 3 - width(value), 'left', drawing.ellipsis)} {value}"
    before, after = drawing.marks if cell.marked and text else (" ", " ")
    return f"{before}{text}{after}"


def _across(columns: int, inner: int, kind: int, labels: Sequence[str]) -> str:
    """A line across a grid: above it, between its rows or below it (`kind` 0, 1, 2), with labels on its columns."""
    drawing = pen()
    ends = drawing.corners[kind]
    parts = [drawing.across * inner] * columns
    if labels:
        parts = [f" {label} ".center(inner, drawing.across) if label else drawing.across * inner for label in labels]
    return ends[0] + ends[1].join(parts) + ends[2]


def _row(texts: Sequence[str], inner: int, *, has_names: bool) -> str:
    drawing = pen()
    align = "left" if has_names else "center"
    return drawing.down + drawing.down.join(pad(text, inner, align, drawing.ellipsis) for text in texts) + drawing.down
