"""Draws the grid of cards that a game is played on, and a deck as rows of small cards; knows no rules."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from ccgrid.view.tiles import Tile, draw_tiles

if TYPE_CHECKING:
    from rich.text import Text

    from catalog.card import Card


class Shown(Protocol):
    """What a cell must hold to be drawn: a name, and a number for some of the eight zones."""

    @property
    def name(self) -> str:
        """What stands in the middle of the cell."""

    @property
    def zones(self) -> Mapping[str, int]:
        """The numbers on the rim, by zone, as the card lies on the table."""


def cell_name(index: int, columns: int) -> str:
    """Return the name of a cell counted from the top left, row by row.

    >>> [cell_name(index, 3) for index in (0, 2, 3, 8)]
    ['a1', 'c1', 'a2', 'c3']
    """
    row, column = divmod(index, columns)
    return f"{chr(ord('a') + column)}{row + 1}"


def draw_board(
    cells: Sequence[Shown | None],
    *,
    columns: int = 3,
    last: Collection[str] = (),
    captions: Mapping[str, str] | None = None,
    low: bool = False,
) -> "Text":
    """Draw a board, row by row from a1; None is an empty cell.

    `last` names the cells that the last move changed; they are marked. `captions` gives cells a short line of their
    own, such as whose card it is; otherwise a card shows its score, if it has one.
    A low board takes fewer lines: names are cut to one.
    """
    named = {cell_name(index, columns): shown for index, shown in enumerate(cells)}
    tiles = [_tile(cell, shown, (captions or {}).get(cell), cell in last) for cell, shown in named.items()]
    return draw_tiles(tiles, columns, height=5 if columns <= 3 and not low else 4)


def _tile(cell: str, shown: Shown | None, caption: str | None, marked: bool) -> Tile:
    if shown is None:
        return Tile(label=cell, captions=[caption or "empty"], marked=marked)
    if caption is None:
        score = getattr(shown, "score", None)
        caption = None if score is None else f"score {score}"
    zones = {zone: str(number) for zone, number in shown.zones.items()}
    return Tile(label=cell, name=shown.name, zones=zones, captions=[caption] if caption else [], marked=marked)


def draw_deck(cards: Sequence["Card"], *, columns: int = 4) -> "Text":
    """Draw a deck as numbered small cards, each with its zones, name, printing and score."""
    tiles = [
        Tile(
            label=str(number),
            name=card.name,
            zones={zone: str(value) for zone, value in card.zones.items()},
            captions=[f"{card.set_code} {card.collector_number}".strip(), f"score {card.score}"],
        )
        for number, card in enumerate(cards, start=1)
    ]
    return draw_tiles(tiles, columns, height=6)
