"""Pictures as values: the content of a displayed position or deck, independent of terminal, web page or printed sheet.

A game provides the content: cards, owners, changes, and which parts to omit first. The renderer decides on widths,
frames and colours, and escapes untrusted text. Widths are in terminal cells: a letter has one, a wide character two.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Never, TypeAlias

from ccgrid.catalog.card import Card

USUAL_NAME: Final = 30
"""The maximum width of a name in a sentence, in cells, unless a game has less space."""

_NOTHING: Final[Mapping[str, Never]] = MappingProxyType({})


# The classes are named tuples because they are created in half the time of dataclasses, at the start of each command
# that draws.


class Name(NamedTuple):
    """A name from outside, escaped and shortened to `most` cells when drawn; None means as wide as the space allows."""

    text: str
    most: int | None = USUAL_NAME


Words: TypeAlias = str | tuple[str | Name, ...]
"""A text of one line, in which names are separate from the game's own words."""

Style = Literal["plain", "caption", "strong"]
"""The emphasis of a line: normal, a small explanatory heading, or a warning."""


def together(*parts: Words | Name) -> Words:
    """Concatenate texts.

    >>> together("takes ", Name("Gate Warden"), together(" on ", "a1"))
    ('takes ', Name(text='Gate Warden', most=30), ' on ', 'a1')
    """
    pieces: list[str | Name] = []
    for part in parts:
        pieces += (part,) if isinstance(part, str | Name) else part
    return tuple(pieces)


def joined(between: str, texts: Iterable[Words | Name]) -> Words:
    """Join texts with a separator.

    >>> joined(", ", ["1 up", "2 down"])
    ('1 up', ', ', '2 down')
    """
    pieces: list[Words | Name] = []
    for text in texts:
        pieces += (between, text) if pieces else (text,)
    return together(*pieces)


class Line(NamedTuple):
    """A line of text with `value` right-aligned; a name without a limit fills the space between them."""

    words: Words = ""
    value: str = ""
    style: Style = "plain"


class Listing(NamedTuple):
    """A heading followed by texts separated by commas, on as many lines as necessary.

    If there are few lines, a `brief` listing takes a single one and counts the entries that do not fit. `families` are
    those of its cards, if they matter.
    """

    heading: Words
    entries: tuple[Words, ...]
    brief: bool = False
    families: tuple[str, ...] = ()


class Standings(NamedTuple):
    """A text for each player's standing, two in a line if there is space.

    If tiles have a `seat`, `signs` marks each text with the colour and the sign of its seat.
    """

    entries: tuple[Words, ...]
    signs: bool = False


class Tile(NamedTuple):
    """A card, or an empty cell of a board.

    Attributes:
        label: The text in the upper edge, such as the cell.
        owner: The owner of the card, next to the label, if it matters.
        name: The name of the card.
        zones: The text in each zone (`catalog.card.ZONES`), usually one number.
        captions: Short lines below the name.
        marked: Whether the last move changed the card.
        seat: The owner's seat, which determines colour and sign; None for no owner.
        family: The card game or faction, which determines the colour of the frame where cards are drawn as cards.
        turns: The quarters by which the card is turned clockwise; `zones` has the numbers as they lie.
    """

    label: str = ""
    owner: str = ""
    name: str = ""
    zones: Mapping[str, int | str] = _NOTHING
    captions: tuple[str, ...] = ()
    marked: bool = False
    seat: int | None = None
    family: str = ""
    turns: int = 0

    def __hash__(self) -> int:
        """Return a hash of all fields, also of the mapping among them, so that drawings can be cached."""
        return hash((*self[:3], *self.zones.items(), *self[4:]))

    @property
    def turned(self) -> str:
        """How the card is turned, such as `turned 90°`; "" for an upright card."""
        return f"turned {90 * self.turns}°" if self.turns else ""


class Tiles(NamedTuple):
    """Tiles in rows of `columns`; a name may take up to `name_lines` lines if there is space."""

    tiles: tuple[Tile, ...]
    columns: int
    name_lines: int = 2


class Cell(NamedTuple):
    """The content of a cell of a text grid: a name, a value, or both; and whether the last move changed it.

    `family` determines its colour where cells are drawn as cards.
    """

    value: str = ""
    name: str = ""
    marked: bool = False
    family: str = ""


class GridRow(NamedTuple):
    """A row of a text grid; a `spare` row is omitted first if there are few lines."""

    label: str
    cells: tuple[Cell, ...]
    spare: bool = False


class Divider(NamedTuple):
    """A horizontal line above, between or below the rows of a text grid.

    Attributes:
        labels: A text on the line for each column.
        faces: Whether the grid faces what is below the line.
        spare: Whether it is omitted first if there are few lines.
    """

    labels: tuple[str, ...] = ()
    faces: bool = False
    spare: bool = False


class TextGrid(NamedTuple):
    """A grid of short texts, from top to bottom.

    Attributes:
        lines: Its rows and horizontal lines.
        holds_names: Whether cells contain names, which need space, or only values.
        around: The player at each of the sides `north`, `west`, `east`, `south`.
    """

    lines: tuple[GridRow | Divider, ...]
    holds_names: bool = False
    around: Mapping[str, Words] = _NOTHING


class TableColumn(NamedTuple):
    """A column of a table: its heading, whether it contains numbers, and whether long texts are wrapped."""

    heading: str
    is_number: bool = False
    wraps: bool = False


class PictureTable(NamedTuple):
    """A table with headings."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str | int, ...], ...]


class Stack(NamedTuple):
    """Pictures stacked vertically."""

    parts: "tuple[Picture, ...]"


class Beside(NamedTuple):
    """Two pictures side by side, aligned at the top.

    `below` has the same content as the right picture in fewer lines: it replaces it, below the left one, if there is
    too little width for both.
    """

    left: "Picture"
    right: "Picture"
    below: "Picture | None" = None


class Spare(NamedTuple):
    """A picture that is omitted first if there are few lines."""

    picture: "Picture"


Picture: TypeAlias = Line | Listing | Standings | Tiles | TextGrid | PictureTable | Stack | Beside | Spare


def stacked(parts: Iterable[Picture]) -> Stack:
    """Stack pictures vertically."""
    return Stack(tuple(parts))


DECK_COLUMNS: Final = 4


def deck_tiles(cards: Sequence[Card]) -> Tiles:
    """Return tiles of cards with their number in the deck, their zones, printing and score.

    If the cards are from several card games, each tile shows the game above the printing.
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
            family=card.game,
        )
        for number, card in enumerate(cards, start=1)
    ]
    return Tiles(tuple(tiles), DECK_COLUMNS)
