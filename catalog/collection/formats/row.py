"""What every format hands over: rows as somebody wrote them, and rows that could not be read."""

from typing import Final, NamedTuple

from catalog.holding import Place

MOST_COPIES: Final = 1_000_000
"""How many copies one row may have."""
LONGEST_TEXT: Final = 300
"""How much of a cell is kept, in characters; the longest card name has 141."""
LONGEST_RAW: Final = 500
"""How much of a row is quoted in a report, in characters."""


class Row(NamedTuple):
    """One row of a file: how many copies of what, each in the file's own words but for those that have a house word.

    `amounts` maps a finish to copies; `ids` are (kind, value) pairs such as ("mtgo", "64236").
    `doubt` is the number of an earlier row that this one settles; `written` is the text before a set was read in it,
    for a name that only looks as if it held one: `B.F.M. (Left)`.
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
    place: Place = Place()
    doubt: int | None = None
    written: str = ""

    @property
    def copies(self) -> int:
        """How many copies the row has, of all finishes."""
        return sum(copies for _, copies in self.amounts)


class Skipped(NamedTuple):
    """A row that says of no card how many there are: where it stands and why it was left out."""

    line: int
    raw: str
    reason: str
