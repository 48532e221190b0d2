"""What a game owes to be shown: the picture of a position, words for its moves, its rules page, sheets to print."""

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.engine.picture import Picture, Words, deck_tiles

RULES_PAGE: Final = "rules.md"


class Choice(NamedTuple):
    """A legal move in a list under a heading: what the heading does not say of it, and what it gains."""

    move: str
    short: Words
    effect: str = ""


class MoveGroup(NamedTuple):
    """Legal moves that a person looks for together: those with one card, or of one kind."""

    heading: Words
    choices: Sequence[Choice]


class Touch(NamedTuple):
    """What a person touches on a screen: a cell of the board, a card in hand, or words that stand by themselves."""

    kind: Literal["cell", "card", "words"]
    text: str


Way = tuple[Touch, ...]
"""What a person touches to make a move, one after the other."""


class CardFace(NamedTuple):
    """What is printed on a card: numbers in zones, its name, what is large in its middle, lines below, its foot.

    Cards of one `family`, such as a game or a faction, have one colour; without one those with the same foot. Behind
    all that is the card's own `picture`, a JPEG, where there is one.
    """

    name: str
    zones: Mapping[str, int | str] = MappingProxyType({})
    large: str = ""
    lines: tuple[str, ...] = ()
    foot: str = ""
    family: str = ""
    picture: bytes = b""


class ScoreTable(NamedTuple):
    """A table to write on: how many a page, its rows, the heading of their first column, each player's columns."""

    tables: int
    rows: Sequence[str]
    heading: str
    columns: Sequence[str]
    sums: str = "sum"
    players: int = 2


def row_numbers(count: int) -> list[str]:
    """The rows of a table that are numbered from 1."""
    return [str(number) for number in range(1, count + 1)]


def zone_face(card: Card) -> CardFace:
    """A card with the numbers in its zones."""
    return CardFace(card.name, card.zones)


def numbers_in_zones(card: Card) -> str:
    """The numbers of a card as a deck list says them."""
    return ", ".join(f"{zone.replace('-', ' ')} {value}" for zone, value in card.zones.items())


_TURNS: Final = ScoreTable(1, row_numbers(20), "turn", ("points",))


class Sheet(NamedTuple):
    """What is printed; what has a default may be left out.

    Attributes:
        scores: what is written on while one plays.
        boards: for a number of players the rows and columns of each board; the first has cells for cards.
        note: a remark printed at the board.
        face: a card of a deck as the game uses it.
        own: the cards of a game that has its own, for a number of players.
        heading, numbers: how a deck list calls what a card has beside its name, and says it.
        shows_score: whether the score of a card counts.
    """

    scores: ScoreTable = _TURNS
    boards: Callable[[int], Sequence[int]] = lambda players: (3,)
    note: str = ""
    face: Callable[[Card], CardFace] = zone_face
    own: Callable[[int], Sequence[CardFace]] = lambda players: ()
    heading: str = "numbers"
    numbers: Callable[[Card], str] = numbers_in_zones
    shows_score: bool = False


class GameView(NamedTuple):
    """How one game is shown; states are of the game's own type.

    Attributes:
        package: the package of the game, which holds its rules in Markdown, `rules.md`.
        picture: a position, with what the last move changed marked, for the seat that looks at it, of which the
            position is the view; or, without a seat, for everybody.
        describe: what a legal move would do, in a few words.
        deck: the cards of a deck as the game uses them.
        groups: the legal moves in groups; without it they are listed one by one.
        tell: what the others are told of a move that was made, where that is not the move and what it does.
        legend: what the effects behind the moves in groups mean, where that must be said.
        ways: in which ways a person makes a legal move by touching; without it by words that are the move itself. No
            way begins with all of a way of another move. A seat's own cells are those below the line that faces them
            (`Divider.faces`), where a grid has one.
        shows_scores: whether the picture says who has how many points.
        hidden: what a whole position holds that nobody sees, for those who may know everything.
        only_end_counts: whether what a move gains may be lost again, so that the last position alone says who wins.
        sheet: what is printed to play it at a table.
    """

    package: str
    picture: Callable[[Any, int | None, str | None], Picture]
    describe: Callable[[Any, str], Words]
    deck: Callable[[Sequence[Card]], Picture] = deck_tiles
    groups: Callable[[Any], Sequence[MoveGroup]] | None = None
    tell: Callable[[Any, str], Words] | None = None
    legend: Callable[[Any], Words] | None = None
    ways: Callable[[Any, str], Sequence[Way]] = lambda state, move: ((Touch("words", move),),)
    shows_scores: bool = True
    hidden: Callable[[Any], Picture] | None = None
    only_end_counts: bool = False
    sheet: Sheet = Sheet()

    def rules_page(self) -> str:
        """The rules of the game in Markdown, as this program plays it.

        Raises:
            FileNotFoundError: the package has no such page.
        """
        return (resources.files(self.package) / RULES_PAGE).read_text(encoding="utf-8")
