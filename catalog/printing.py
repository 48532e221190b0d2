"""Rows of card data as a source describes them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

DataRow = Mapping[str, Any]
"""A row of a data file: the values of its fields, text or JSON, whose types only its source knows."""


class Printing(NamedTuple):
    """One printing of one card as its source describes it; `fields` is what a layout reads and asks about.

    `ids` is what others call the card, such as `mtgo:64236 tcgplayer:131370`: collection files name cards so.
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


class UnreadRow(NamedTuple):
    """A row that lacks what a card needs: where it is and why it was left out."""

    where: str
    why: str


SourceRow = Printing | UnreadRow


class SkippedRows(dict[str, tuple[str, int]]):
    """Why rows were skipped: for each reason where the first such row is, and how many there are."""

    _MOST: Final = 20
    OTHER: Final = "other reasons"
    """What reasons beyond the first twenty are counted as."""

    def note(self, where: str, why: str) -> None:
        """Counts a row."""
        if why not in self and len(self) >= self._MOST:
            why = self.OTHER
        first, count = self.get(why, (where, 0))
        self[why] = first, count + 1


def with_file_name(rows: Iterator[SourceRow], name: str, several: bool) -> Iterator[SourceRow]:
    """The rows of one of several files, of which those that could not be read say in which file they are."""
    if not several:
        yield from rows
        return
    for row in rows:
        yield UnreadRow(f"{name}, {row.where}", row.why) if isinstance(row, UnreadRow) else row
