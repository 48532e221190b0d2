"""Rows of card data as a source describes them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ccgrid.catalog.description import UNKNOWN, Description

DataRow = Mapping[str, Any]
"""A row of a data file: the values of its fields, text or JSON, whose types only its source knows."""


class Printing(NamedTuple):
    """One printing of a card as its source describes it; `fields` is what a layout reads and tests.

    `ids` has the ids of other programs, such as `mtgo:64236 tcgplayer:131370`, by which collection files name cards.
    `other_printings` is true if the source says that the card has others, which its data may lack.
    """

    id: str
    name: str
    fields: dict[str, Any]
    set_code: str = ""
    set_name: str = ""
    collector_number: str = ""
    released: str | None = None
    lang: str = "en"
    printed_name: str | None = None
    ids: str = ""
    rarity: str = ""
    artist: str = ""
    description: Description = UNKNOWN
    other_printings: bool = False


class UnreadRow(NamedTuple):
    """A row without what a card needs: its location and the reason why it was omitted."""

    where: str
    why: str


SourceRow = Printing | UnreadRow


class SkippedRows(dict[str, tuple[str, int]]):
    """Skipped rows by reason: the location of the first such row, and their number."""

    _MOST: Final = 20
    OTHER: Final = "other reasons"
    """The reason that all reasons beyond the first twenty are counted under."""

    def note(self, where: str, why: str) -> None:
        """Count a row."""
        if why not in self and len(self) >= self._MOST:
            why = self.OTHER
        first, count = self.get(why, (where, 0))
        self[why] = first, count + 1


def with_file_name(rows: Iterator[SourceRow], name: str, several: bool) -> Iterator[SourceRow]:
    """Yield rows, of which unread ones name their file if there are several."""
    if not several:
        yield from rows
        return
    for row in rows:
        yield UnreadRow(f"{name}, {row.where}", row.why) if isinstance(row, UnreadRow) else row
