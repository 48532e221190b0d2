"""HTML drawings of `engine.picture`, with buttons for touchable parts; independent of any game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, assert_never

from markupsafe import escape

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
from ccgrid.pages.card_looks import family_hue, hyphenated, widest_word
from ccgrid.services.deck_editing import SAME_NAME
from ccgrid.view.text import visible
from ccgrid.web.markup import Markup

_HAND: Final = 1
"""Tiles in one column are a hand, which is laid out side by side if there is space."""
_cached: Final = lru_cache(2048)
"""Caches drawings: all at a table see mostly the same cards, and a move changes few of them."""


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
            case Line():
                return _line(picture)
            case Listing():
                return self._listing(picture)
            case Standings():
                return _standings(picture)
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
        hues = map(_hue, listing.families or ("",) * len(cards))
        is_hand = any(card in self.left for card in cards)
        # A pile is brief; the cards of a hand are drawn as cards.
        are_drawn = any(cards) and not listing.brief
        drawn_name = _name if are_drawn else _called
        drawn = [
            words_html(entry)
            if card is None
            else _box(self._touched(card, always=is_hand), words_html(entry, drawn_name), f"entry{hue}", "", card.text)
            for card, entry, hue in zip(cards, listing.entries, hues, strict=True)
        ]
        listed = _join(Markup("<li>{}</li>").format(entry) for entry in drawn)
        css = "listing hand-list" if are_drawn else "listing"
        html = Markup('<div class="{}"><p>{}</p><ul>{}</ul></div>')
        return html.format(css, words_html(listing.heading), listed)

    def _tiles(self, tiles: Tiles) -> Markup:
        is_hand = tiles.columns == _HAND
        kind = "hand" if is_hand else f"cols-{tiles.columns}"
        drawn = [self._tile(tile, in_hand=is_hand) for tile in tiles.tiles]
        columns, rows = edge_labels(tuple(tile.label for tile in tiles.tiles), tiles.columns)
        if columns:
            kind += " edged"
            starts = range(0, len(drawn), tiles.columns)
            lines = ((_edge(row), *drawn[at : at + tiles.columns]) for row, at in zip(rows, starts, strict=True))
            drawn = [*(part for line in lines for part in line), *map(_edge, ("", *columns))]
        return Markup('<div class="grid {}">{}</div>').format(kind, _join(drawn))

    def _tile(self, tile: Tile, *, in_hand: bool) -> Markup:
        # A tile with a label is a cell of the board; a tile without one is a card in hand, touched by name.
        touch = Touch("cell", tile.label) if tile.label else Touch("card", tile.name)
        always = self._cells and (in_hand or bool(tile.label))
        css, label, inner = _face(tile, self._photo(tile.name, tile.turns))
        return _box(self._touched(touch, always=always), inner, css, label, tile.name)

    def _photo(self, name: str, turns: int = 0) -> Markup:
        """Return the user's own picture of a card, if there is one, turned by `turns` quarters."""
        # Decks number cards of the same name, `Griffin #2`; the picture belongs to `Griffin`.
        own = self.pictures.get(SAME_NAME.sub("", name)) if self.pictures else None
        css = f"photo turns-{turns}" if turns else "photo"
        return Markup('<img class="{}" src="{}" alt="">').format(css, own) if own else Markup()

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
        # The empty name of another player's cell is never touchable, so it becomes no button.
        touched = self._touched(Touch("cell", place if own else ""), always=own and self._cells)
        return _text_cell(touched, cell, place, self._photo(cell.name))

    def _touched(self, touch: Touch, *, always: bool = False) -> str:
        """Return the id of a part that can be touched or tried, or "" for another one."""
        is_button = touch in self.left or always
        self.left.pop(touch, None)
        return touch_id(touch) if is_button else ""


@_cached
def _face(tile: Tile, photo: Markup) -> tuple[str, str, Markup]:
    """Return the classes, the description and the inside of a card, or of an empty cell."""
    owner, name = visible(tile.owner), visible(tile.name)
    # The edges of the board name the cells; a card shows its owner, and an empty cell its own name.
    rim = owner if tile.name else tile.label
    numbers = _join(
        Markup('<b class="number {}">{}</b>').format(zone, tile.zones[zone]) for zone in ZONES if zone in tile.zones
    )
    texts = [*tile.captions, *([tile.turned] if tile.turned else ())]
    captions = _join(Markup('<span class="caption">{}</span>').format(text) for text in texts)
    owned = "" if tile.seat is None else f" seat-{tile.seat}"
    css = f"card hue-{family_hue(tile.family)}{owned}{' last' if tile.marked else ''}{'' if name else ' empty'}"
    printed = ", ".join(f"{PLACE_NAMES[zone]} {value}" for zone, value in tile.zones.items())
    spoken = [tile.label, owner, name or "empty", printed, *texts]
    label = ", ".join(text for text in (*spoken, "changed last" if tile.marked else "") if text)
    rim_html = Markup('<span class="label">{}</span>').format(rim) if rim else Markup()
    middle = Markup('<span class="middle">{}{}</span>').format(_name(name), captions) if name else Markup()
    return css, label, _join((photo, rim_html, numbers, middle))


def _hue(family: str) -> str:
    return f" hue-{family_hue(family)}" if family else ""


@_cached
def _line(line: Line) -> Markup:
    if not line.words and not line.value:
        return Markup()
    tail = Markup(' <span class="value">{}</span>').format(line.value) if line.value else ""
    css = f"{line.style}-line{' with-value' if line.value else ''}"
    return Markup('<p class="{}"><span>{}</span>{}</p>').format(css, words_html(line.words), tail)


@_cached
def _standings(standings: Standings) -> Markup:
    listed = _join(Markup("<li>{}</li>").format(words_html(text)) for text in standings.entries)
    return Markup('<ul class="standings">{}</ul>').format(listed)


@_cached
def _text_cell(touch: str, cell: Cell, place: str, photo: Markup) -> Markup:
    name = visible(cell.name)
    inner = Markup("{}{}<b>{}</b>").format(photo, _name(name), cell.value)
    label = ", ".join(text for text in (place, name, cell.value or "empty") if text)
    css = f"tile cell{_hue(cell.family)}{'' if name or cell.value else ' empty'}"
    drawn = _box(touch, inner, css, label, cell.name or cell.value)
    return Markup('<td class="{}">{}</td>').format("last" if cell.marked else "", drawn)


@_cached
def _box(touch: str, inner: Markup, css: str, label: str, card: str) -> Markup:
    """Return a button for a touchable part with an id, or else a plain box; `card` is what visibly moves."""
    spoken = Markup(' aria-label="{}"').format(label) if label else Markup()
    if card:
        spoken += Markup(' data-card="{}"').format(card)
    if touch:
        html = Markup('<button type="button" class="{} touch" data-touch="{}"{}>{}</button>')
        return html.format(css, touch, spoken, inner)
    role = Markup(' role="img"') if label else ""
    return Markup('<div class="{}"{}{}>{}</div>').format(css, role, spoken, inner)


@_cached
def _name(name: str) -> Markup:
    """Return the name of a card, with the class of its size."""
    return Markup('<span class="name fit-{}">{}</span>').format(widest_word(name), hyphenated(name))


@_cached
def edge_labels(labels: tuple[str, ...], columns: int) -> tuple[list[str], list[str]]:
    """Return the names of the columns and of the rows of a board, from the labels of its cells, row by row.

    A board may be turned, so that a column has one digit and a row has one letter. Both lists are empty if the labels
    do not name the cells of a board.

    >>> edge_labels(("a1", "b1", "a2", "b2"), 2)
    (['a', 'b'], ['1', '2'])
    >>> edge_labels(("b1", "b2", "a1", "a2"), 2)
    (['1', '2'], ['b', 'a'])
    """
    if not labels or len(labels) % columns or any(len(label) != len("a1") for label in labels):
        return [], []
    lines = [labels[at : at + columns] for at in range(0, len(labels), columns)]
    shared = [[set.intersection(*map(set, line)) for line in side] for side in (zip(*lines, strict=True), lines)]
    if any(len(one) != 1 for side in shared for one in side):
        return [], []
    across, down = ([one.pop() for one in side] for side in shared)
    return across, down


@_cached
def _edge(text: str) -> Markup:
    return Markup('<span class="edge" aria-hidden="true">{}</span>').format(text)


def touch_id(touch: Touch) -> str:
    """Return the id of a touchable part, such as `cell:a1`."""
    return f"{touch.kind}:{touch.text}"


@_cached
def _called(name: str) -> Markup:
    """Return a name within a text."""
    return Markup('<span class="called">{}</span>').format(name)


@_cached
def words_html(words: Words, drawn_name: Callable[[str], Markup] = _called) -> Markup:
    """Return text as HTML with untrusted names escaped, each drawn by `drawn_name`."""
    pieces = (words,) if isinstance(words, str) else words
    return _join(
        drawn_name(visible(piece.text)) if isinstance(piece, Name) else escape(visible(piece)) for piece in pieces
    )


def _join(parts: Iterable[str]) -> Markup:
    return Markup("").join(parts)
