"""HTML drawings of `engine.picture`, with buttons for touchable parts; independent of any game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, assert_never

from markupsafe import Markup, escape

from ccgrid.catalog.zones import PLACE_NAMES, ZONES
from ccgrid.engine.game_view import Touch
from ccgrid.engine.picture import (
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
)
from ccgrid.services.deck_editing import SAME_NAME
from ccgrid.view.text import visible

_HAND: Final = 1
"""Tiles in one column are a hand, which is laid out side by side if there is space."""


@dataclass(slots=True)
class Drawer:
    """Draws pictures for one player.

    Attributes:
        touches: the touchable parts; if a part is drawn twice, the first drawing is the button.
        pictures: the user's own pictures of cards, by card name.
        left: the touchable parts that have not been drawn yet.
    """

    touches: Iterable[Touch] = ()
    pictures: Mapping[str, str] = field(default_factory=dict)
    # A dict as an ordered set: the remaining buttons are in the order of the moves.
    left: dict[Touch, None] = field(init=False)
    _cells: bool = field(init=False)

    def __post_init__(self) -> None:
        self.left = dict.fromkeys(self.touches)
        # If any cell can be touched, make every cell and every card in hand a button: touching a wrong one
        # shows why it is wrong.
        self._cells = any(touch.kind == "cell" for touch in self.left)

    def draw(self, picture: Picture) -> Markup:
        """Return a picture as HTML."""
        match picture:
            case Stack(parts):
                return _join(self.draw(part) for part in parts)
            # Terminals with few lines omit this; a page has space.
            case Spare(inner):
                return self.draw(inner)
            case Beside(left, right):
                html = Markup('<div class="beside"><div>{}</div><div>{}</div></div>')
                return html.format(self.draw(left), self.draw(right))
            case Line(words, value, style):
                if not words and not value:
                    return Markup()
                tail = Markup(' <span class="value">{}</span>').format(value) if value else ""
                css = f"{style}-line{' with-value' if value else ''}"
                return Markup('<p class="{}"><span>{}</span>{}</p>').format(css, words_html(words), tail)
            case Listing():
                return self._listing(picture)
            case Standings(texts):
                listed = _join(Markup("<li>{}</li>").format(words_html(text)) for text in texts)
                return Markup('<ul class="standings">{}</ul>').format(listed)
            case Tiles():
                return self._tiles(picture)
            case TextGrid():
                return self._grid(picture)
            case PictureTable(columns, rows):
                heads = _join(Markup("<th>{}</th>").format(column.heading) for column in columns)
                cells = (_join(Markup("<td>{}</td>").format(cell) for cell in row) for row in rows)
                lines = _join(Markup("<tr>{}</tr>").format(row) for row in cells)
                return Markup('<table class="listed"><tr>{}</tr>{}</table>').format(heads, lines)
        assert_never(picture)

    def _listing(self, listing: Listing) -> Markup:
        """Return the entries as a list; if one card is touchable, all are buttons, which explain why not."""
        # The card of each entry, by its first name, or None for plain text.
        cards = [
            next((Touch("card", piece.text) for piece in entry if isinstance(piece, Name)), None)
            if not isinstance(entry, str)
            else None
            for entry in listing.entries
        ]
        is_hand = any(card in self.left for card in cards)
        drawn = [
            words_html(entry) if card is None else self._button(card, words_html(entry), "entry", "", always=is_hand)
            for card, entry in zip(cards, listing.entries, strict=True)
        ]
        listed = _join(Markup("<li>{}</li>").format(entry) for entry in drawn)
        return Markup('<div class="listing"><p>{}</p><ul>{}</ul></div>').format(words_html(listing.heading), listed)

    def _tiles(self, tiles: Tiles) -> Markup:
        is_hand = tiles.columns == _HAND
        kind = "hand" if is_hand else f"cols-{tiles.columns}"
        drawn = _join(self._tile(tile, in_hand=is_hand) for tile in tiles.tiles)
        return Markup('<div class="grid {}">{}</div>').format(kind, drawn)

    def _tile(self, tile: Tile, *, in_hand: bool) -> Markup:
        rim = Markup('<span class="label">{} {}</span>').format(tile.label, visible(tile.owner))
        numbers = _join(
            Markup('<b class="number {}">{}</b>').format(zone, tile.zones[zone]) for zone in ZONES if zone in tile.zones
        )
        captions = _join(Markup('<span class="caption">{}</span>').format(caption) for caption in tile.captions)
        name = Markup('<span class="name">{}</span>').format(visible(tile.name))
        owned = "" if tile.seat is None else f" seat-{tile.seat}"
        css = f"card{owned}{' last' if tile.marked else ''}{'' if tile.name else ' empty'}"
        printed = ", ".join(f"{PLACE_NAMES[zone]} {value}" for zone, value in tile.zones.items())
        spoken = [tile.label, visible(tile.owner), visible(tile.name) or "empty", printed, *tile.captions]
        label = ", ".join(text for text in (*spoken, "changed last" if tile.marked else "") if text)
        # Decks number cards of the same name, `Griffin #2`; the picture belongs to `Griffin`.
        own = self.pictures.get(SAME_NAME.sub("", tile.name))
        photo = Markup('<img class="photo" src="{}" alt="">').format(own) if own else ""
        inner = Markup('{}{}{}<span class="middle">{}{}</span>').format(photo, rim, numbers, name, captions)
        # A tile with a label is a cell of the board; a tile without one is a card in hand, touched by name.
        touch = Touch("cell", tile.label) if tile.label else Touch("card", tile.name)
        return self._button(touch, inner, css, label, always=self._cells and (in_hand or bool(tile.label)))

    def _grid(self, grid: TextGrid) -> Markup:
        # The first line with labels names the columns.
        columns = next((line.labels for line in grid.lines if isinstance(line, Divider) and line.labels), ())
        # If two grids face each other, only the cells below the dividing line, which are the player's own, can be
        # touched; the upper ones have the same names. Without such a line all cells are the player's own.
        facing = max((at for at, line in enumerate(grid.lines) if isinstance(line, Divider) and line.faces), default=-1)
        rows = []
        for at, line in enumerate(grid.lines):
            if isinstance(line, GridRow):
                cells = _join(
                    self._cell(cell, f"{column}{line.label}", own=at > facing)
                    for column, cell in zip(columns or ("",) * len(line.cells), line.cells, strict=False)
                )
                rows.append(Markup('<tr><th scope="row">{}</th>{}</tr>').format(line.label, cells))
            elif line.faces:
                rows.append(Markup('<tr class="faces"><td colspan="{}"></td></tr>').format(len(columns) + 1))
            elif line.labels:
                heads = _join(Markup('<th scope="col">{}</th>').format(label) for label in line.labels)
                rows.append(Markup('<tr class="line"><td></td>{}</tr>').format(heads))
        kind = "named" if grid.holds_names else "numbers"
        table = Markup('<table class="text-grid {}">{}</table>').format(kind, _join(rows))
        if not grid.around:
            return table
        sides = _join(
            Markup('<span class="{}">{}</span>').format(side, words_html(words)) for side, words in grid.around.items()
        )
        return Markup('<div class="around"><div class="board">{}</div>{}</div>').format(table, sides)

    def _cell(self, cell: Cell, place: str, *, own: bool) -> Markup:
        inner = Markup("<span>{}</span><b>{}</b>").format(visible(cell.name), cell.value)
        label = ", ".join(text for text in (place, visible(cell.name), cell.value or "empty") if text)
        # The empty name of another player's cell is never touchable, so it becomes no button.
        drawn = self._button(Touch("cell", place if own else ""), inner, "cell", label, always=own and self._cells)
        return Markup('<td class="{}">{}</td>').format("last" if cell.marked else "", drawn)

    def _button(self, touch: Touch, inner: Markup, css: str, label: str, *, always: bool = False) -> Markup:
        """Return a button if the part can be touched or tried, else a plain box."""
        if touch in self.left or always:
            self.left.pop(touch, None)
            spoken = Markup(' aria-label="{}"').format(label) if label else ""
            html = Markup('<button type="button" class="{} touch" data-touch="{}"{}>{}</button>')
            return html.format(css, touch_id(touch), spoken, inner)
        spoken = Markup(' role="img" aria-label="{}"').format(label) if label else ""
        return Markup('<div class="{}"{}>{}</div>').format(css, spoken, inner)


def touch_id(touch: Touch) -> str:
    """Return the id of a touchable part, such as `cell:a1`."""
    return f"{touch.kind}:{touch.text}"


def words_html(words: Words) -> Markup:
    """Return text as HTML with untrusted names escaped."""
    pieces = (words,) if isinstance(words, str) else words
    return _join(
        Markup('<span class="called">{}</span>').format(visible(piece.text))
        if isinstance(piece, Name)
        else escape(visible(piece))
        for piece in pieces
    )


def _join(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)
