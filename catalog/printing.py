"""What every source hands over: printings, rows that could not be read, and the errors of a whole file."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple


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


class Unread(NamedTuple):
    """A row that lacks what a card needs: where it stands and why it was left out."""

    where: str
    why: str


SourceRow = Printing | Unread


def in_file(rows: Iterator[SourceRow], name: str, several: bool) -> Iterator[SourceRow]:
    """The rows of one of several files, of which those that could not be read say in which file they stand."""
    if not several:
        yield from rows
        return
    for row in rows:
        yield Unread(f"{name}, {row.where}", row.why) if isinstance(row, Unread) else row


CUSTOM: Final = "custom"
"""The source of the cards that somebody entered by hand: no other source ever changes or removes them."""

_NOT_IN_ID: Final = re.compile(r"[^\w.+★†-]+")


@lru_cache(maxsize=1 << 12)
def id_part(text: str) -> str:
    """A text as a part of an id: small letters, whatever is not a letter, digit or mark of a number as a hyphen.

    >>> id_part("Ærie of the 3 Dragons!"), id_part("Café"), id_part("T26/T46")
    ('ærie-of-the-3-dragons', 'cafe', 't26-t46')
    """
    plain = text
    if not text.isascii():
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _NOT_IN_ID.sub("-", plain.casefold()).strip("-")
