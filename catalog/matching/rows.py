"""Rows: written cards with their copies, as tables, lists, decks and people give them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ccgrid.catalog.copy_terms import NORMAL
from ccgrid.catalog.details import NO_DETAILS
from ccgrid.catalog.holding import NOWHERE, Place

if TYPE_CHECKING:
    from ccgrid.catalog.lines import WrittenCard


class Row(NamedTuple):
    """A written card with its copies, in the words of its writer except for canonical terms.

    It is a row of a table, a line of a list or a deck, or what a person asks for. `amounts` maps a finish to copies;
    `ids` are (kind, value) pairs such as ("mtgo", "64236"). `doubt` is the number of an earlier row that this one
    settles; `written` is the line that was read, for a name that only looks as if it had marks: `B.F.M. (Left)`;
    `rarity` distinguishes cards of one number; `beside` says that the copies are outside a deck, in a sideboard or the
    like; `note` is what their owner wrote of them; `more` are further words next to the name, of which each has to be
    the card's set, game or number; `details` is what else the owner knows, as `Details.text` keeps it; `called`
    is what an app itself calls the printing, as holdings keep it; `game` is what the row calls the card's game;
    `heading` says why a line of a list may rather be a heading; `maybe_number` is a number under `#`, which may be that
    of the card or of the row.
    """

    # Rows in doubt are stored as JSON lists of these fields (`newer.row_json`): new ones go to the end.
    line: int = 0
    raw: str = ""
    amounts: tuple[tuple[str, int], ...] = ()
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
    details: str = NO_DETAILS
    called: str = ""
    game: str = ""
    heading: str = ""
    maybe_number: str = ""

    @property
    def copies(self) -> int:
        """The number of copies in the row, of all finishes."""
        return sum(copies for _, copies in self.amounts)


def with_reading(row: Row, read: "WrittenCard") -> Row:
    """Return a row of a list with the reading of its line; categories become a note."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.copies_meant),),
        name=read.name,
        set_code=read.set_hint,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        note=read.note,
        more=read.beside[:-1],
        details=read.details,
        ids=(("group", read.group.casefold()),) if read.group else row.ids,
    )


def with_cell(row: Row, read: "WrittenCard", is_place: Callable[[str], bool]) -> Row:
    """Return a row of a table with the reading of its name cell; other cells take precedence.

    `is_place` tests whether a word is a set or a game. If the row has no number of copies, that of the cell applies.
    """
    more, set_code = list(read.beside), row.set_code
    amounts = row.amounts or ((read.finish or NORMAL, read.copies_meant),)
    if more and not (row.set_code or row.set_name) and is_place(more[-1]):
        set_code = more.pop()
    if read.finish and [finish for finish, _ in amounts] == [NORMAL]:
        amounts = ((read.finish, row.copies),)
    more += [read.finish] if read.finish not in ("", *(finish for finish, _ in amounts)) else []
    more += [f"{read.copies}x"] if row.amounts and read.copies not in (None, row.copies) else []
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
