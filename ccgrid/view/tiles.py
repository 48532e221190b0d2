"""Draws tiles, upright cards with a number in each of their eight zones, side by side in 80 columns; knows no game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.view.drawing import Drawing, Piece
from ccgrid.view.output import can_draw, shown
from ccgrid.view.text import pad, shorten, width, wrap, wrap_in
from engine.picture import Tile

COLUMNS: Final = 80
"""A terminal is at least this many cells wide; no picture is wider."""

NUMBER: Final = "bold cyan"
NAME: Final = "bold"
CAPTION: Final = "dim"
MARK: Final = "bold reverse"


@dataclass(frozen=True, slots=True)
class Pen:
    """The characters of which a picture is made; `corners` are left end, joint and right end of each kind of rule."""

    corners: tuple[str, str, str]  # for the top, the middle, the bottom
    across: str
    down: str
    marks: tuple[str, str]
    ellipsis: str


_FINE: Final = Pen(("┌┬┐", "├┼┤", "└┴┘"), "─", "│", ("▶", "◀"), "…")
_PLAIN: Final = Pen(("+++", "+++", "+++"), "-", "|", (">", "<"), "~")


def pen() -> Pen:
    """The characters with which to draw on this output: ASCII where it cannot show box-drawing characters."""
    return _FINE if can_draw() else _PLAIN


def captions_fit(tiles: Sequence[Tile], inner: int) -> bool:
    """Whether each tile has at most one caption, which has room beside its label in its upper rim."""
    return any(tile.captions for tile in tiles) and all(
        len(tile.captions) <= 1 and width(_label(tile, pen(), inner)) + sum(map(width, tile.captions)) + 4 <= inner
        for tile in tiles
    )


def draw_tiles(
    tiles: Sequence[Tile], columns: int, *, inner: int | None = None, height: int = 5, in_rim: bool = False
) -> Drawing:
    """Draw tiles in rows of `columns`, as one drawing.

    `inner` is the width of a tile without its frame, in cells, by default what 80 columns allow; `height` its lines
    without the frame, at least 3. A marked tile has `▶label◀`. Where the output cannot show box-drawing characters,
    ASCII stands in for them. With `in_rim` captions stand beside the labels, where `captions_fit`.
    """
    drawing = pen()
    cells = inner if inner is not None else (COLUMNS - 1) // columns - 1
    missing = -len(tiles) % columns
    filled = [*tiles, *(Tile() for _ in range(missing))]
    rows = [filled[start : start + columns] for start in range(0, len(filled), columns)]
    lines: list[tuple[Piece, ...]] = []
    bar = (drawing.down, "")
    for index, row in enumerate(rows):
        lines.append(_rim(row, cells, drawing, drawing.corners[min(index, 1)], in_rim=in_rim))
        bodies = [list(_body(tile._replace(captions=()) if in_rim else tile, cells, height, drawing)) for tile in row]
        for parts in zip(*bodies, strict=True):
            lines.append((bar, *(piece for part in parts for piece in (*part, bar))))
    lines.append(_rim([Tile()] * columns, cells, drawing, drawing.corners[2]))
    return Drawing(tuple(lines))


def _label(tile: Tile, pen: Pen, cells: int) -> str:
    """What stands in the rim of a tile at the left."""
    if not tile.label:
        return ""
    before, after = pen.marks if tile.marked else (" ", " ")
    text = f"{tile.label} {tile.owner}" if tile.owner else tile.label
    return before + shorten(shown(text), cells - 4, pen.ellipsis) + after


def _rim(row: Sequence[Tile], cells: int, pen: Pen, ends: str, *, in_rim: bool = False) -> tuple[Piece, ...]:
    """Draw the line above a row of tiles, with their labels, and perhaps their captions."""
    line = [(ends[0], "")]
    for index, tile in enumerate(row):
        used = 0
        if label := _label(tile, pen, cells):
            line += [(pen.across, ""), (label, MARK if tile.marked else "")]
            used = 1 + width(label)
        end = ends[2] if index == len(row) - 1 else ends[1]
        if in_rim and tile.captions:
            caption = f" {shown(tile.captions[0])} "
            line += [(pen.across * (cells - used - width(caption) - 1), ""), (caption, CAPTION)]
            line.append((pen.across + end, ""))
            continue
        line.append((pen.across * (cells - used) + end, ""))
    return tuple(line)


def _body(tile: Tile, cells: int, height: int, pen: Pen) -> Iterator[tuple[Piece, ...]]:
    """Draw the lines of a tile inside its frame."""
    zones = {zone: shown(str(number)) for zone, number in tile.zones.items()}
    left, right = zones.get("left", ""), zones.get("right", "")
    gutter = min(max(width(left), width(right), 2) + 1, cells // 3)
    captions = [shown(caption) for caption in tile.captions][: height - 3]
    lines = height - 2 - len(captions)
    middle = (height - 2) // 2
    margins = [(gutter, gutter) if index == middle else (1, 1) for index in range(height - 2)]
    name = wrap(shown(tile.name), cells - 2, lines, pen.ellipsis)
    if len(name) > middle:  # then it must leave room for the numbers at the sides
        name = wrap(shown(tile.name), cells - 2 * gutter, lines, pen.ellipsis)
    if name[-1:] and name[-1].endswith(pen.ellipsis):  # no more than there are
        margins[middle] = (min(width(left) + 1, gutter), min(width(right) + 1, gutter))
        name = wrap_in(shown(tile.name), [cells - sum(margin) for margin in margins[:lines]], pen.ellipsis)
    yield (_three(*(zones.get(zone, "") for zone in ("top-left", "top", "top-right")), cells=cells, pen=pen),)
    for index, text in enumerate([*name, *[""] * (lines - len(name)), *captions]):
        before, after = margins[index]
        yield (
            (pad(left if index == middle else "", before, "left", pen.ellipsis), NUMBER),
            (pad(text, cells - before - after, "center", pen.ellipsis), NAME if index < len(name) else CAPTION),
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
