"""What somebody wrote of cards, in a file or at the keyboard, to be matched with those of the catalogue."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from ccgrid.catalog.card import Card
from ccgrid.catalog.holding import NO_DETAILS, NORMAL, NOWHERE, Place
from ccgrid.catalog.lines import WrittenCard
from ccgrid.catalog.matching.search import NameHit
from ccgrid.catalog.matching.similar_names import NamePairs
from ccgrid.catalog.matching.spellings import Candidate


class Row(NamedTuple):
    """What somebody wrote of a card: how many copies of what, in their own words but for those that have a house word.

    It is a row of a table, a line of a list or a deck, or what a person asks for. `amounts` maps a finish to copies;
    `ids` are (kind, value) pairs such as ("mtgo", "64236"). `doubt` is the number of an earlier row that this one
    settles; `written` is the line that was read, for a name that only looks as if it had marks: `B.F.M. (Left)`;
    `rarity` tells cards of one number apart; `beside` says that the copies lie beside a deck, in a sideboard or the
    like; `note` is what their owner wrote of them; `more` are further words beside the name, of which each has to be
    the card's set, game or number; `details` is what else the owner knows, as `Details.text` keeps it.
    """

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

    @property
    def copies(self) -> int:
        """How many copies the row has, of all finishes."""
        return sum(copies for _, copies in self.amounts)


def with_reading(row: Row, read: WrittenCard) -> Row:
    """A row of a list as its line is read; what its owner sorts it by is a note."""
    return row._replace(
        amounts=((read.finish or NORMAL, read.copies_meant),),
        name=read.name,
        set_code=read.set_said,
        number=read.number,
        condition=read.condition,
        language=read.language,
        beside=read.is_beside,
        note=read.note,
        more=read.beside[:-1],
        details=read.details,
    )


def with_cell(row: Row, read: WrittenCard, is_place: Callable[[str], bool]) -> Row:
    """A row of a table as the cell of its name is read; what other cells say otherwise is left for `more` to tell.

    `is_place` tells whether a word is a set or a game. Where the row has no copies, the cell says them.
    """
    more, set_code = list(read.beside), row.set_code
    amounts = row.amounts or ((read.finish or NORMAL, read.copies_meant),)
    if more and not (row.set_code or row.set_name) and is_place(more[-1]):
        set_code = more.pop()
    if read.finish and [finish for finish, _ in amounts] == [NORMAL]:
        amounts = ((read.finish, row.copies),)
    more += [read.finish] if read.finish not in ("", *(finish for finish, _ in amounts)) else []
    more += [str(read.copies)] if row.amounts and read.copies not in (None, row.copies) else []
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


How = Literal["id", "number", "name", "fuzzy", "missed"]


class Lookup(NamePairs, Protocol):
    """Where cards are looked up."""

    def card(self, card_id: str) -> Candidate | None:
        """The card with this id of the catalogue."""

    def by_source_id(self, kind: str, value: str) -> Sequence[Candidate]:
        """The cards that others call so."""

    def numbered(self, set_code: str, numbers: Sequence[str]) -> Sequence[Candidate]:
        """The cards of a set with one of these collector numbers."""

    def named(self, name: str, set_code: str | None = None) -> Sequence[Candidate]:
        """The printings of a name as it is written, in a set or in all."""

    def spelled(self, folded: str) -> Sequence[str]:
        """The names of which this is the folded form, else those of which it is that of a half."""

    def cards(self, ids: Sequence[str]) -> Sequence[Card]:
        """The cards with these ids, whole, in this order."""

    def halved(self, half: str) -> Sequence[str]:
        """The names with halves of which a folded text is the first, else those of which it is another."""

    def owned_among(self, ids: Sequence[str]) -> frozenset[str]:
        """Those of the ids of which somebody owns copies."""

    def near(self, query: str) -> Sequence[NameHit]:
        """The names that a person may mean who types, best first, however they are misspelt."""

    def games(self) -> Sequence[str]:
        """The games of which there are cards."""

    def sets(self) -> Iterable[tuple[str, str]]:
        """Code and name of every set."""


class MatchResult(NamedTuple):
    """What a row means: the card, how it was found, and, where that is not exact, why.

    `others` counts printings that fit as well, of which the row did not say which, `differing` those among them with
    other numbers; `finish` is what an id says of it. `fitting` are all that fit, of a miss one of each game that has
    some; `owned` says that one was taken because its owner has it.
    """

    card: Candidate | None
    how: How
    reason: str = ""
    candidates: tuple[str, ...] = ()
    others: int = 0
    differing: int = 0
    finish: str = ""
    fitting: Sequence[Candidate] = ()
    owned: bool = False

    def finished(self, row: Row) -> Row:
        """The row with the finish that its id says, where it says none of its own."""
        if not self.finish:
            return row
        return row._replace(
            amounts=tuple((self.finish if kind == NORMAL else kind, copies) for kind, copies in row.amounts)
        )
