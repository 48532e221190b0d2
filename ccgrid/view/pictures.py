"""Drawings of `engine.picture` on a terminal or into a pipe, independent of any game."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

from ccgrid.catalog.formatting import counted
from ccgrid.engine.picture import (
    USUAL_NAME,
    Beside,
    Cell,
    Divider,
    GridRow,
    Line,
    Listing,
    Name,
    Picture,
    PictureTable,
    Spare,
    Stack,
    Standings,
    TextGrid,
    Tile,
    Tiles,
    Words,
    together,
)
from ccgrid.view.output import (
    Drawing,
    OutputColumn,
    Piece,
    aligned_lines,
    below,
    beside,
    break_lines,
    can_draw,
    console,
    is_on_terminal,
    printable,
    show,
    show_table,
)
from ccgrid.view.text import pad, shorten, width, wrap, wrap_pieces

NUMBER: Final = "bold cyan"
NAME: Final = "bold"
CAPTION: Final = "dim"
MARK: Final = "bold reverse"
SEATS: Final = ("green", "magenta", "yellow", "blue")
"""The colour of each seat's cards."""


class Pen(NamedTuple):
    """The characters of drawings.

    Attributes:
        corners: the left end, the joint and the right end of rules at the top, in the middle and at the bottom.
        across: horizontal rules.
        down: vertical rules.
        marks: the brackets of a marked label.
        ellipsis: the end of a text that was cut.
        seats: the players' symbols.
        degree: the sign after degrees.
    """

    corners: tuple[str, str, str]
    across: str
    down: str
    marks: tuple[str, str]
    ellipsis: str
    seats: str
    degree: str


_FINE: Final = Pen(("┌┬┐", "├┼┤", "└┴┘"), "─", "│", ("▶", "◀"), "…", "●○◆◇", "°")
_PLAIN: Final = Pen(("+++", "+++", "+++"), "-", "|", (">", "<"), "~", "*o#x", "")


def current_pen() -> Pen:
    """Return the characters for this output: box-drawing characters, or ASCII if it lacks them."""
    return _FINE if can_draw() else _PLAIN


def captions_fit(tiles: Sequence[Tile], inner: int) -> bool:
    """Return whether each tile has at most one caption, and it fits next to the label in the upper rim."""
    return any(tile.captions for tile in tiles) and all(
        len(tile.captions) <= 1
        and width(_label(tile, current_pen(), inner)) + sum(map(width, tile.captions)) + 4 <= inner
        for tile in tiles
    )


def draw_tiles(
    tiles: Sequence[Tile], columns: int, *, inner: int, height: int, is_label_in_rim: bool = False
) -> Drawing:
    """Draw tiles in rows of `columns`, as one drawing.

    Args:
        tiles: the tiles, row by row.
        columns: the number of tiles in a row.
        inner: the width of a tile without its frame, in cells.
        height: the lines of a tile without its frame, at least 3.
        is_label_in_rim: whether captions are next to the labels in the rim; only if `captions_fit`.
    """
    pen = current_pen()
    missing = -len(tiles) % columns
    shown_tiles = [*tiles, *(Tile() for _ in range(missing))]
    rows = [shown_tiles[start : start + columns] for start in range(0, len(shown_tiles), columns)]
    lines: list[tuple[Piece, ...]] = []
    bar = (pen.down, "")
    for index, row in enumerate(rows):
        lines.append(_rim(row, inner, pen, pen.corners[min(index, 1)], is_label_in_rim=is_label_in_rim))
        bodies = [
            list(_body(tile._replace(captions=()) if is_label_in_rim else tile, inner, height, pen)) for tile in row
        ]
        for parts in zip(*bodies, strict=True):
            lines.append((bar, *(piece for part in parts for piece in (*part, bar))))
    lines.append(_rim([Tile()] * columns, inner, pen, pen.corners[2]))
    return Drawing(tuple(lines))


def _label(tile: Tile, pen: Pen, cells: int) -> str:
    """Return the text at the left of a tile's upper rim."""
    if not tile.label:
        return ""
    before, after = pen.marks if tile.marked else (" ", " ")
    sign = "" if tile.seat is None else f"{pen.seats[tile.seat % len(pen.seats)]} "
    text = f"{tile.label} {sign}{tile.owner}" if tile.owner else tile.label
    if tile.turns:
        text += f" {90 * tile.turns}{pen.degree}"
    return before + shorten(printable(text), cells - 4, pen.ellipsis) + after


def _seat_style(style: str, seat: int | None) -> str:
    """Return a style in the colour of a seat, if there is one."""
    return style if seat is None else f"{style} {SEATS[seat % len(SEATS)]}".strip()


def _rim(row: Sequence[Tile], cells: int, pen: Pen, ends: str, *, is_label_in_rim: bool = False) -> tuple[Piece, ...]:
    """Draw the line above a row of tiles, with their labels, and perhaps their captions."""
    line = [(ends[0], "")]
    for index, tile in enumerate(row):
        used = 0
        if label := _label(tile, pen, cells):
            line += [(pen.across, ""), (label, _seat_style(MARK if tile.marked else "", tile.seat))]
            used = 1 + width(label)
        end = ends[2] if index == len(row) - 1 else ends[1]
        if is_label_in_rim and tile.captions:
            caption = f" {printable(tile.captions[0])} "
            line += [(pen.across * (cells - used - width(caption) - 1), ""), (caption, CAPTION)]
            line.append((pen.across + end, ""))
            continue
        line.append((pen.across * (cells - used) + end, ""))
    return tuple(line)


def _body(tile: Tile, cells: int, height: int, pen: Pen) -> Iterator[tuple[Piece, ...]]:
    """Draw the lines of a tile inside its frame."""
    zones = {zone: printable(str(number)) for zone, number in tile.zones.items()}
    left, right = zones.get("left", ""), zones.get("right", "")
    gutter = min(max(width(left), width(right), 2) + 1, cells // 3)
    captions = [printable(caption) for caption in tile.captions][: height - 3]
    lines = height - 2 - len(captions)
    middle = (height - 2) // 2
    margins = [(gutter, gutter) if index == middle else (1, 1) for index in range(height - 2)]
    name = wrap(printable(tile.name), cells - 2, lines, pen.ellipsis)
    if len(name) > middle:  # then leave space for the numbers at the sides
        name = wrap(printable(tile.name), cells - 2 * gutter, lines, pen.ellipsis)
    if name[-1:] and name[-1].endswith(pen.ellipsis):  # the name was cut: use the space next to the numbers
        margins[middle] = (min(width(left) + 1, gutter), min(width(right) + 1, gutter))
        name = wrap_pieces(printable(tile.name), [cells - sum(margin) for margin in margins[:lines]], pen.ellipsis)
    yield (_three(*(zones.get(zone, "") for zone in ("top-left", "top", "top-right")), cells=cells, pen=pen),)
    named = _seat_style(NAME, tile.seat)
    for index, text in enumerate([*name, *[""] * (lines - len(name)), *captions]):
        before, after = margins[index]
        yield (
            (pad(left if index == middle else "", before, "left", pen.ellipsis), NUMBER),
            (pad(text, cells - before - after, "center", pen.ellipsis), named if index < len(name) else CAPTION),
            (pad(right if index == middle else "", after, "right", pen.ellipsis), NUMBER),
        )
    below = ("bottom-left", "bottom", "bottom-right")
    yield (_three(*(zones.get(zone, "") for zone in below), cells=cells, pen=pen),)


def _three(left: str, middle: str, right: str, *, cells: int, pen: Pen) -> Piece:
    """Draw a line with something at its left end, in its middle and at its right end."""
    side = cells // 3
    return (
        pad(left, side, "left", pen.ellipsis)
        + pad(middle, cells - 2 * side, "center", pen.ellipsis)
        + pad(right, side, "right", pen.ellipsis),
        NUMBER,
    )


def player_name(name: str, cells: int = USUAL_NAME) -> str:
    """Return a player's name for sentences and prompts, in at most `cells` cells."""
    return cut(printable(name), cells)


def cut(text: str, cells: int) -> str:
    """Shorten a text to at most `cells` cells, with this output's ellipsis."""
    return shorten(text, cells, current_pen().ellipsis)


def say(words: Words, cells: int | None = None) -> str:
    """Return words as one line; names are cut to their limits, and names without one share the rest of `cells`."""
    pieces = (words,) if isinstance(words, str) else words
    texts = [_piece(piece) for piece in pieces]
    unlimited = [index for index, piece in enumerate(pieces) if isinstance(piece, Name) and piece.most is None]
    if cells is not None and unlimited:
        taken = sum(width(text) for index, text in enumerate(texts) if index not in unlimited)
        for index in unlimited:
            texts[index] = cut(texts[index], (cells - taken) // len(unlimited))
    return "".join(texts)


def _piece(piece: str | Name) -> str:
    if isinstance(piece, str):
        return printable(piece)
    return printable(piece.text) if piece.most is None else player_name(piece.text, piece.most)


CELLS: Final = 79
"""Width of a picture in a pipe: one less than 80, because some terminals wrap a full line."""

MOST_CELLS: Final = 119
"""Maximum width of a picture on a wide terminal."""

_STYLES: Final = {"plain": "", "caption": CAPTION, "strong": NAME}

NARROWEST: Final = 40
"""Minimum width of a picture, also on narrower terminals."""

_COLUMN_BESIDE_TILES: Final = 24
_GAP_BESIDE_TILES: Final = 2
_GAP_BESIDE_TEXTS: Final = 4
"""Tiles fill their width and leave a column of this width next to them, or a third of a narrow terminal; other pictures
leave what they do not need.
"""

_ROOM_FOR_TILES_AND_A_COLUMN: Final = 70
"""Width below which a picture next to tiles is listed below them, if possible."""

_LOW_WITH_TWO: Final = 4
_NARROW_TILES: Final = range(17, 20)
_FEW_ROWS: Final = 3
"""Low tiles have one line for a name, or two (`_LOW_WITH_TWO` lines in all) if they have no captions, one of these
widths, and few rows: wider tiles need one line, and next to narrower ones a list of moves needs the lines.
"""

_STANDINGS_IN_A_LINE: Final = 2
_STANDINGS_GAP: Final = 2
_SHORTEST_NAME: Final = 3
"""Two standings share a line if this many cells of each name remain."""

_VALUE_CELLS: Final = 7
_VALUE_MARGIN: Final = 4
_NAME_MARGIN: Final = 2
_WEST_MARGIN: Final = 20
"""Width of a cell of a text grid that contains values only; and the left margin of a grid of values, of names, and of
one with a player at its left.
"""

_NARROW_VALUE_CELLS: Final = 5
_LEAST_BESIDE_TEXTS: Final = 20
"""Width of such a cell on narrow terminals; and the minimum width of a picture next to a text grid."""


def draw(picture: Picture, cells: int = CELLS, *, low: bool = False, more: int = 0) -> Drawing:
    """Draw a picture in at most `cells` cells.

    With `low` it takes fewer lines: tiles are flatter, and spare parts are omitted. Tiles get `more` additional lines.
    """
    match picture:
        case Line():
            return _line(picture, cells)
        case Listing():
            heading, texts = _squeeze(picture.heading, cells), [say(entry) for entry in picture.entries]
            return Drawing.of(
                [one_line(heading, texts, cells)] if low and picture.brief else fill_lines(heading, texts, cells)
            )
        case Standings():
            return _standings(picture, cells)
        case Tiles():
            return _tiles(picture, cells, low=low, more=more)
        case TextGrid():
            return Drawing.of(_text_grid(picture, cells, low=low))
        case PictureTable():
            return Drawing.of(aligned_lines(*_table(picture)))
        case Stack():
            parts = [part for part in picture.parts if not (low and isinstance(part, Spare))]
            return below(draw(part, cells, low=low, more=more) for part in parts)
        case Beside():
            return _beside(picture, cells, low=low, more=more)
        case Spare():
            return Drawing(()) if low else draw(picture.picture, cells, more=more)
        case _:
            assert_never(picture)


def picture_cells() -> int:
    """Return the width for pictures on this output; the terminal may have been resized."""
    return min(MOST_CELLS, max(NARROWEST, console().width - 1)) if is_on_terminal() else CELLS


def show_picture(picture: Picture) -> None:
    """Print a picture in full; a table may be as wide as the terminal."""
    for part in picture.parts if isinstance(picture, Stack) else (picture,):
        if isinstance(part, PictureTable):
            show_table(*_table(part))
        else:
            show(draw(part, picture_cells()))


def fill_lines(heading: str, texts: Sequence[str], cells: int = CELLS) -> list[str]:
    """Return lines of at most `cells` cells with a heading and comma-separated texts."""
    lines, indent = [heading], "  "
    for number, text in enumerate(texts):
        part = cut(text, cells - 4) + ("," if number < len(texts) - 1 else "")
        if width(lines[-1]) + 1 + width(part) > cells:
            lines.append(indent + part)
        else:
            lines[-1] += f" {part}"
    return lines


def one_line(heading: str, texts: Sequence[str], cells: int = CELLS) -> str:
    """Return one line of at most `cells` cells with a heading, as many texts as fit, and the number of the others.

    >>> one_line("Your pile:", ["Amber Drake 4", "Brass Herald 2", "Iron Drake 7"], 40)
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
    value = printable(line.value)
    room = cells - width(value) - 1 if value else cells
    words = say(line.words, room)
    if not value and width(words) > cells:
        first, *rest = break_lines(words, cells)
        return Drawing.of(
            [first, *(f"  {text}" for text in break_lines(" ".join(rest), cells - 2))], _STYLES[line.style]
        )
    return Drawing.of(
        [f"{pad(words, room, 'left', current_pen().ellipsis)} {value}" if value else words], _STYLES[line.style]
    )


def _standings(picture: Standings, cells: int) -> Drawing:
    in_a_line, room = 1, cells
    entries = picture.entries
    if picture.signs:
        entries = tuple(together(f"{sign} ", entry) for sign, entry in zip(current_pen().seats, entries, strict=False))
    beside = (cells - _STANDINGS_GAP * (_STANDINGS_IN_A_LINE - 1)) // _STANDINGS_IN_A_LINE
    if all(width(say(_with_short_names(entry, _SHORTEST_NAME))) <= beside for entry in entries):
        in_a_line, room = _STANDINGS_IN_A_LINE, beside
    lines: list[tuple[Piece, ...]] = []
    for seat, entry in enumerate(entries):
        piece = say(entry, room), _seat_style("", seat if picture.signs else None)
        if seat % in_a_line:
            lines[-1] = (*lines[-1], (" " * (room + _STANDINGS_GAP - width(lines[-1][0][0])), ""), piece)
        else:
            lines.append((piece,))
    return Drawing(tuple(lines))


def _table(table: PictureTable) -> tuple[list[OutputColumn], tuple[tuple[str | int, ...], ...]]:
    columns = [
        OutputColumn(column.heading, "right" if column.is_number else "left", wrap=column.wraps)
        for column in table.columns
    ]
    return columns, table.rows


# --- side by side -------------------------------------------------------------------------------------------------


def _tiles(tiles: Tiles, cells: int, *, low: bool, more: int) -> Drawing:
    captions = max((len(tile.captions) for tile in tiles.tiles), default=0)
    inner, rows = (cells - 1) // tiles.columns - 1, -(-len(tiles.tiles) // tiles.columns)
    height = 2 + captions + (1 if low else tiles.name_lines) + (more if tiles.columns > 1 else 0)
    is_label_in_rim = low and captions_fit(tiles.tiles, inner)
    if is_label_in_rim:
        height = max(height, _LOW_WITH_TWO)
    elif low and not captions and inner in _NARROW_TILES and rows <= _FEW_ROWS:
        height = _LOW_WITH_TWO
    return draw_tiles(tiles.tiles, tiles.columns, inner=inner, height=height, is_label_in_rim=is_label_in_rim)


def _beside(picture: Beside, cells: int, *, low: bool, more: int) -> Drawing:
    """Draw two pictures side by side, or stacked on a narrow terminal."""
    if picture.below is not None and cells < _ROOM_FOR_TILES_AND_A_COLUMN and _fills(picture.left):
        return below([draw(picture.left, cells, low=low), draw(picture.below, cells, low=low)])
    if _fills(picture.left):
        gap, column = _GAP_BESIDE_TILES, min(_COLUMN_BESIDE_TILES + max(0, cells - CELLS) // 4, cells // 3)
        left = draw(picture.left, cells - gap - column, low=low, more=more)
    else:
        gap = _GAP_BESIDE_TEXTS
        left = draw(picture.left, cells, low=low)
        column = cells - gap - left.cells
        if column < _LEAST_BESIDE_TEXTS:
            return below([left, draw(picture.right, cells, low=low)])
    return beside(left, draw(picture.right, column, low=low), gap)


def _fills(picture: Picture) -> bool:
    """Return whether a picture takes any width that it gets."""
    return isinstance(picture, Tiles) or (isinstance(picture, Stack) and any(map(_fills, picture.parts)))


# --- grids of texts -----------------------------------------------------------------------------------------------


def _text_grid(grid: TextGrid, cells: int, *, low: bool) -> list[str]:
    """Return the lines of a grid with the players around it: left and right of its middle row, above and below."""
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
        beside = pad(_squeeze(around.get(west, ""), margin - 3), margin - 2)
        texts = [_cell(cell, inner, has_names=has_names) for cell in line.cells]
        after = f"  {_squeeze(around[east], east_room)}" if east in around else ""
        drawn.append(f"{beside}{line.label} {_row(texts, inner, has_names=has_names)}{after}")
    for side, at in (("north", 0), ("south", len(drawn) + 1)):
        if side in around:
            drawn.insert(at, " " * margin + pad(say(around[side]), columns * (inner + 1) + 1, "center").rstrip())
    return drawn


def _squeeze(words: Words, cells: int) -> str:
    """Return words in at most `cells` cells, cutting names rather than other words."""
    if width(text := say(words)) > cells:
        text = say(_with_short_names(words, None), cells)
    return shorten(text, cells, current_pen().ellipsis)


def _with_short_names(words: Words, most: int | None) -> Words:
    """Return words with each name limited to `most` cells."""
    pieces = (words,) if isinstance(words, str) else words
    return tuple(Name(piece.text, most) if isinstance(piece, Name) else piece for piece in pieces)


def _cell(cell: Cell, inner: int, *, has_names: bool) -> str:
    pen, value = current_pen(), printable(cell.value)
    text = value
    if cell.name:
        text = f"{pad(printable(cell.name), inner - 3 - width(value), 'left', pen.ellipsis)} {value}"
    before, after = pen.marks if cell.marked and text else (" ", " ")
    return f"{before}{text}{after}"


def _across(columns: int, inner: int, kind: int, labels: Sequence[str]) -> str:
    """Return a rule above a grid, between its rows or below it (`kind` 0, 1, 2), with column labels."""
    pen = current_pen()
    ends = pen.corners[kind]
    parts = [pen.across * inner] * columns
    if labels:
        parts = [f" {label} ".center(inner, pen.across) if label else pen.across * inner for label in labels]
    return ends[0] + ends[1].join(parts) + ends[2]


def _row(texts: Sequence[str], inner: int, *, has_names: bool) -> str:
    pen = current_pen()
    align = "left" if has_names else "center"
    return pen.down + pen.down.join(pad(text, inner, align, pen.ellipsis) for text in texts) + pen.down
