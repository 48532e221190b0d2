"""What somebody wrote of cards, in a file or at the keyboard, to be matched with those of the catalogue."""

from typing import NamedTuple

from catalog.holding import NORMAL, NOWHERE, Place
from catalog.lines import Reading


class Row(NamedTuple):
    """One row: how many copies of what, each in the writer's own words but for those that have a house word.

    `amounts` maps a finish to copies; `ids` are (kind, value) pairs such as ("mtgo", "64236").
    `doubt` is the number of an earlier row that this one settles; `written` is the line that was read, for a name that
    only looks as if it had marks: `B.F.M. (Left)`; `rarity` tells cards of one number apart; `beside` says that the
    copies lie beside a deck, in a sideboard or the like; `note` is what their owner wrote of them; `more` are further
    words beside the name, of which each has to be the card's set or game.
    """

    line: int
    raw: str
    amounts: tuple[tuple[str, int], ...]
    name: str = ""
    set_code: str = ""
    set_name: str = ""
    number: str = ""
    ids: tuple[tuple[str, str], ...] = ()
    condition: str = ""
    language: str = ""
    place: Place = NOWHERE
    doubt: int | None = None
    written: str = ""
    rarity: str = ""
    beside: bool = False
    note: str = ""
    more: tuple[str, ...] = ()

    @property
    def copies(self) -> int:
        """How many copies the row has, of all finishes."""
        return sum(copies for _, copies in self.amounts)


def with_reading(row: Row, read: Reading) -> Row:
    """A row of a list as its line is read."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.count),),
        name=read.name,
        set_code=read.set_said,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        more=read.beside[:-1],
    )
