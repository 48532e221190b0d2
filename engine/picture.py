"""Pictures as values: what a game shows of a position or a deck, and not how a terminal, a page or a sheet draws it.

A game knows what is where, whose it is, what changed and what may be left out first. Widths, frames, colours, and
making texts that strangers wrote harmless are up to whoever draws. All counts of cells are those of a terminal, where a
letter takes one and a wide character two.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ccgrid.catalog.card import Card

USUAL_NAME: Final = 30
"""In a sentence a name takes at most this many cells, unless a game has less room for it."""

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Name:
    """What a stranger called something: drawn harmless and cut to `most` cells; without a limit to what is left."""

    text: str
    most: int | None = USUAL_NAME


Words: TypeAlias = str | tuple[str | Name, ...]
"""A text of one line, with the names in it told apart from what the game says itself."""

Style = Literal["plain", "caption", "strong"]
"""How loud a line is: as usual, as a small heading that explains, or as what must not be missed."""


def together(*parts: Words | Name) -> Words:
    """One text out of several.

    >>> together("takes ", Name("Gate Warden"), together(" on ", "a1"))
    ('takes ', Name(text='Gate Warden', most=30), ' on ', 'a1')
    """
    pieces: list[str | Name] = []
    for part in parts:
        pieces += part if isinstance(part, tuple) else (part,)
    return tuple(pieces)


def joined(between: str, texts: Iterable[Words | Name]) -> Words:
    """The texts one after the other, with the same words between each two of them.

    >>> joined(", ", ["1 up", "2 down"])
    ('1 up', ', ', '2 down')
    """
    pieces: list[Words | Name] = []
    for text in texts:
        pieces += (between, text) if pieces else (text,)
    return together(*pieces)


# What follows are named tuples, which Python makes in half the time: every command that draws waits for them.


class Line(NamedTuple):
    """A line of text; `value` stands at its right end, and a name without a limit takes the room between the two."""

    words: Words = ""
    value: str = ""
    style: Style = "plain"


class Listing(NamedTuple):
    """A heading and texts after it with commas between, on as many lines as that takes.

    Where there are few lines a `brief` one takes one of them, and counts what does not fit.
    """

    heading: Words
    entries: tuple[Words, ...]
    brief: bool = False


class Standings(NamedTuple):
    """How each player stands, a text for each: two of them in a line where there is room.

    Where tiles have a `seat`, `signs` gives each text the colour and the sign of its seat.
    """

    entries: tuple[Words, ...]
    signs: bool = False


class Tile(NamedTuple):
    """One upright card, or the open cell of a board.

    Attributes:
        label: the text in its upper rim, such as its cell.
        owner: whose card it is, beside the label, where that matters.
        name: what it is called.
        zones: the text in each of its zones (`catalog.card.ZONES`), usually one number.
        captions: short lines below the name.
        marked: whether the last move changed it.
        seat: the owner's number: each seat has its own colour and sign.
    """

    label: str = ""
    owner: str = ""
    name: str = ""
    zones: Mapping[str, int | str] = _NOTHING
    captions: tuple[str, ...] = ()
    marked: bool = False
    seat: int | None = None


class Tiles(NamedTuple):
    """Tiles in rows of `columns`; `name_lines` is how many lines a name may take where there is room."""

    tiles: tuple[Tile, ...]
    columns: int
    name_lines: int = 2


class Cell(NamedTuple):
    """The content of one cell of a text grid: a name, a value behind it, or one of them; and whether it changed."""

    value: str = ""
    name: str = ""
    marked: bool = False


class GridRow(NamedTuple):
    """A row of a text grid; a `spare` one is left out first where there are few lines."""

    label: str
    cells: tuple[Cell, ...]
    spare: bool = False


class Divider(NamedTuple):
    """A line across a text grid: above it, between two of its rows, or below it.

    Attributes:
        labels: a text on the line for each column.
        faces: whether the grid faces what comes below the line.
        spare: whether it is left out first where there are few lines.
    """

    labels: tuple[str, ...] = ()
    faces: bool = False
    spare: bool = False


class TextGrid(NamedTuple):
    """A grid of short texts, from the top.

    Attributes:
        lines: its rows, and the lines across it.
        holds_names: whether names stand in its cells, which need room, or values alone.
        around: who sits at its sides `north`, `west`, `east`, `south`.
    """

    lines: tuple[GridRow | Divider, ...]
    holds_names: bool = False
    around: Mapping[str, Words] = _NOTHING


class TableColumn(NamedTuple):
    """A column of a table: its heading, whether it holds numbers, whether long texts in it break into lines."""

    heading: str
    is_number: bool = False
    wraps: bool = False


class PictureTable(NamedTuple):
    """A table with headings."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str | int, ...], ...]


class Stack(NamedTuple):
    """Pictures one below the other."""

    parts: "tuple[Picture, ...]"


class Beside(NamedTuple):
    """Two pictures side by side, their tops level.

    `below` says the same as the right one in fewer lines: it stands below the left one where both have too little room.
    """

    left: "Picture"
    right: "Picture"
    below: "Picture | None" = None


class Spare(NamedTuple):
    """A picture that is left out first where there are few lines."""

    picture: "Picture"


Picture: TypeAlias = Line | Listing | Standings | Tiles | TextGrid | PictureTable | Stack | Beside | Spare


def stacked(parts: Iterable[Picture]) -> Stack:
    """The pictures one below the other, as many as there are."""
    return Stack(tuple(parts))


DECK_COLUMNS: Final = 4


def deck_tiles(cards: Sequence[Card]) -> Tiles:
    """The cards with their numbers in the deck and those in their zones, each with its printing and its score.

    Where they are of several card games, each has its game above its printing.
    """
    mixed = len({card.game for card in cards}) > 1
    tiles = [
        Tile(
            label=str(number),
            name=card.name,
            zones=card.zones,
            captions=(
                *((card.game,) if mixed else ()),
                f"{card.set_code} {card.collector_number}".strip(),
                f"score {card.score}",
            ),
        )
        for number, card in enumerate(cards, start=1)
    ]
    return Tiles(tuple(tiles), DECK_COLUMNS)
