"""What a game says of the sheets that are printed for it, its part `sheet`: values, which whoever prints them draws."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card


@dataclass(frozen=True, slots=True)
class CardFace:
    """What is printed on a card: numbers in zones, its name, what is large in its middle, lines below, its foot."""

    name: str
    zones: Mapping[str, int | str] = field(default_factory=dict)
    large: str = ""
    lines: tuple[str, ...] = ()
    foot: str = ""


class ScoreTable(NamedTuple):
    """A table to write on: how many a page, its rows, the heading of their first column, each player's columns."""

    tables: int
    rows: Sequence[str]
    heading: str
    columns: Sequence[str]
    sums: str = "sum"
    players: int = 2


def numbered(count: int) -> list[str]:
    """The rows of a table that are numbered from 1."""
    return [str(number) for number in range(1, count + 1)]


def zone_face(card: Card) -> CardFace:
    """A card with the numbers in its zones."""
    return CardFace(card.name, card.zones)


def numbers_in_zones(card: Card) -> str:
    """The numbers of a card as a deck list says them."""
    return ", ".join(f"{zone.replace('-', ' ')} {value}" for zone, value in card.zones.items())


_TURNS: Final = ScoreTable(1, numbered(20), "turn", ("points",))


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed; what has a default may be left out.

    Attributes:
        scores: what is written on while one plays.
        boards: for so many players how many rows and columns each board has, of which the first has cells for cards.
        note: what stands at the board.
        face: a card of a deck as the game uses it.
        own: the cards of a game that has its own, for so many players.
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


USUAL: Final = Sheet()
"""What is printed for a game that does not say it."""
