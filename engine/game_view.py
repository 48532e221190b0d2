"""Interfaces for displaying a game: pictures of positions, descriptions of moves, rules page, and printed sheets."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Generic, Literal, NamedTuple, TypeVar

from ccgrid.catalog.card import Card
from ccgrid.engine.picture import Picture, Words, deck_tiles

RULES_PAGE: Final = "rules.md"

StateT = TypeVar("StateT")
"""The positions of the game."""


class Choice(NamedTuple):
    """A legal move in a group: the part of its description that the heading does not contain, and its effect."""

    move: str
    short: Words
    effect: str = ""


class MoveGroup(NamedTuple):
    """Legal moves that the user looks for together, such as all moves with one card."""

    heading: Words
    choices: Sequence[Choice]


class Touch(NamedTuple):
    """An element that the user touches on a screen: a cell of the board, a card in hand, or a separate text."""

    kind: Literal["cell", "card", "words"]
    text: str


Way = tuple[Touch, ...]
"""The elements that the user touches, in sequence, to make a move."""


class CardFace(NamedTuple):
    """The content of a printed card: numbers in zones, name, large text in the middle, lines below it, and footer.

    Cards of one `family`, such as a game or a faction, have the same colour; if it is empty, cards with the same footer
    do. `picture` is a JPEG of the original card for the background, or empty.
    """

    name: str
    zones: Mapping[str, int | str] = MappingProxyType({})
    large: str = ""
    lines: tuple[str, ...] = ()
    foot: str = ""
    family: str = ""
    picture: bytes = b""


class ScoreTable(NamedTuple):
    """A score table to fill in: tables per page, rows, the heading of the first column, and each player's columns."""

    tables: int
    rows: Sequence[str]
    heading: str
    columns: Sequence[str]
    sums: str = "sum"
    players: int = 2


def row_numbers(count: int) -> list[str]:
    """Return the labels of `count` rows numbered from 1."""
    return [str(number) for number in range(1, count + 1)]


def zone_face(card: Card) -> CardFace:
    """Return the face of a card with the numbers in its zones."""
    return CardFace(card.name, card.zones)


def numbers_in_zones(card: Card) -> str:
    """Return the numbers of a card as text for a deck list."""
    return ", ".join(f"{zone.replace('-', ' ')} {value}" for zone, value in card.zones.items())


_TURNS: Final = ScoreTable(1, row_numbers(20), "turn", ("points",))


class Sheet(NamedTuple):
    """Content of the printed sheets; every field is optional.

    Attributes:
        scores: The table in which the players write the score.
        boards: For a number of players, the number of rows and columns of each board; the first one has cells for
            cards.
        note: A note printed next to the board.
        face: The face of a deck's card as the game uses it.
        own: The cards of a game that has its own cards, for a number of players.
        heading: The heading, in a deck list, of the column after the name.
        numbers: The text of a card in that column.
        shows_score: Whether the score of a card matters.
    """

    scores: ScoreTable = _TURNS
    boards: Callable[[int], Sequence[int]] = lambda players: (3,)
    note: str = ""
    face: Callable[[Card], CardFace] = zone_face
    own: Callable[[int], Sequence[CardFace]] = lambda players: ()
    heading: str = "numbers"
    numbers: Callable[[Card], str] = numbers_in_zones
    shows_score: bool = False


class GameView(NamedTuple, Generic[StateT]):
    """The display of one game.

    Attributes:
        package: The package of the game, which contains its rules in Markdown, `rules.md`.
        picture: Draws a position, with the effects of the last move marked, for the seat whose view it is; or, with
            seat None, for all players.
        describe: Describes the effect of a legal move in a few words.
        deck: Draws the cards of a deck as the game uses them.
        groups: Returns the legal moves in groups; None lists them one by one.
        tell: Describes a move for the opponents, if parts of the move or its effect are hidden from them.
        legend: Explains the effects shown in groups, if they need an explanation.
        ways: Returns the sequences of touches for a legal move; by default one button with the move as text. No
            sequence is a prefix of another move's. A seat's own cells are below the line that faces them
            (`Divider.faces`), if a grid has one.
        shows_scores: Whether the picture includes the scores.
        hidden: Draws the part of a full position that no player sees, for viewers with perfect information.
        only_end_counts: Whether points gained can be lost again, so that only the final position decides.
        sheet: The printed material for play at a table.
    """

    package: str
    picture: Callable[[StateT, int | None, str | None], Picture]
    describe: Callable[[StateT, str], Words]
    deck: Callable[[Sequence[Card]], Picture] = deck_tiles
    groups: Callable[[StateT], Sequence[MoveGroup]] | None = None
    tell: Callable[[StateT, str], Words] | None = None
    legend: Callable[[StateT], Words] | None = None
    ways: Callable[[StateT, str], Sequence[Way]] = lambda state, move: ((Touch("words", move),),)
    shows_scores: bool = True
    hidden: Callable[[StateT], Picture] | None = None
    only_end_counts: bool = False
    sheet: Sheet = Sheet()

    def rules_page(self) -> str:
        """Return the rules of the game, as this program implements them, in Markdown.

        Raises:
            FileNotFoundError: If the package has no rules page.
        """
        from importlib import resources

        return (resources.files(self.package) / RULES_PAGE).read_text(encoding="utf-8")

    def rules_in_short(self) -> str:
        """Return the section `In short` of the rules page, or the whole page if it has none."""
        page = self.rules_page()
        _, heading, rest = page.partition("\n## In short\n")
        return rest.partition("\n## ")[0].strip() + "\n" if heading else page
