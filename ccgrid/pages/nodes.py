"""Pictures as plain values for a page: every part stands once, however many positions show it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

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
    Tile,
    Tiles,
    Words,
)


def plain(words: Words) -> str:
    """A text with its names as they are: a page breaks lines by itself, and nothing in a text acts there.

    >>> plain(("takes ", Name("Gate Warden")))
    'takes Gate Warden'
    """
    if isinstance(words, str):
        return words
    return "".join(part.text if isinstance(part, Name) else part for part in words)


class Nodes:
    """The parts of pictures, each a list of its kind and what it holds; a part within another is its number."""

    def __init__(self) -> None:
        self.values: list[list[Any]] = []
        self._numbers: dict[str, int] = {}

    def add(self, picture: Picture) -> int:
        """The number of a picture."""
        match picture:
            case Spare():
                return self.add(picture.picture)
            case Line():
                return self._put("line", plain(picture.words), picture.value, picture.style)
            case Listing():
                return self._put("listing", plain(picture.heading), [plain(entry) for entry in picture.entries])
            case Standings():
                return self._put("standings", [plain(entry) for entry in picture.entries])
            case Tiles():
                return self._put("tiles", picture.columns, [self._tile(tile) for tile in picture.tiles])
            case TextGrid():
                return self._grid(picture)
            case Table():
                headings = [column.heading for column in picture.columns]
                numbers = [column.is_number for column in picture.columns]
                return self._put("table", headings, numbers, [list(row) for row in picture.rows])
            case Stack():
                return self._put("stack", [self.add(part) for part in picture.parts])
            case Beside():
                return self._put("beside", self.add(picture.left), self.add(picture.right))

    def _tile(self, tile: Tile) -> int:
        return self._put("tile", tile.label, tile.owner, tile.name, dict(tile.zones), list(tile.captions), tile.marked)

    def _grid(self, grid: TextGrid) -> int:
        columns = max((len(line.cells) for line in grid.lines if isinstance(line, GridRow)), default=0)
        shown = [line for line in grid.lines if isinstance(line, GridRow) or line.labels]
        lines = [self._grid_line(line, columns) for line in shown]
        around: Mapping[str, str] = {side: plain(words) for side, words in grid.around.items()}
        return self._put("board", grid.holds_names, around, lines)

    def _grid_line(self, line: GridRow | Divider, columns: int) -> int:
        if isinstance(line, Divider):
            return self._put("divider", list(line.labels), line.faces, columns)
        return self._put("row", line.label, [self._cell(cell) for cell in line.cells])

    def _cell(self, cell: Cell) -> int:
        return self._put("cell", cell.value, cell.name, cell.marked)

    def _put(self, kind: str, *parts: str | int | bool | Sequence[Any] | Mapping[str, Any]) -> int:
        value = [kind, *parts]
        key = json.dumps(value)
        number = self._numbers.setdefault(key, len(self.values))
        if number == len(self.values):
            self.values.append(value)
        return number
