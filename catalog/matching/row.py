"""What somebody wrote of cards, in a file or at the keyboard, to be matched with those of the catalogue."""

from collections.abc import Callable
from typing import NamedTuple

from catalog.holding import NORMAL, NOWHERE, Place
from catalog.lines import Reading


class Row(NamedTuple):
    """One row: how many copies of what, each in the writer's own words but for those that have a house word.

    `amounts` maps a finish to copies; `ids` are (kind, value) pairs such as ("mtgo", "64236").
    `doubt` is the number of an earlier row that this one settles; `written` is the line that was read, for a name that
    only looks as if it had marks: `B.F.M. (Left)`; `rarity` tells cards of one number apart; `beside` says that the
    copies lie beside a deck, in a sideboard or the like; `note` is what their owner wrote of them; `more` are further
    words beside the name, of which each has to be the card's set, game or number.
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
    """A row of a list as its line is read; what its owner sorts it by is a note."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.copies_meant),),
        name=read.name,
        set_code=read.set_said,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        note=", ".join(read.tags),
        more=read.beside[:-1],
    )


def with_cell(row: Row, read: Reading, is_place: Callable[[str], bool]) -> Row:
    """A row of a table as the cell of its name is read; what other cells say otherwise is left for `more` to tell.

    `is_place` tells whether a word is a set or a game.
    """
    more, set_code, amounts = list(read.beside), row.set_code, row.amounts
    if more and not (row.set_code or row.set_name) and is_place(more[-1]):
        set_code = more.pop()
    if read.finish and [finish for finish, _ in amounts] == [NORMAL]:
        amounts = ((read.finish, row.copies),)
    more += [read.finish] if read.finish not in ("", *(finish for finish, _ in amounts)) else []
    more += [str(read.copies)] if read.copies not in (None, row.copies) else []
    for own, word in ((row.number, read.number), (row.condition, read.condition), (row.language, read.language)):
        more += [word] if word and own not in ("", word) else []
    return row._replace(
        name=read.name,
        amounts=amounts,
        set_code=set_code,
        number=row.number or read.number,
        condition=row.condition or read.condition,
        language=row.language or read.language,
        more=(*more, *read.tags),
    )
