"""What every source hands over: printings, rows that could not be read, and the errors of a whole file."""

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

CUSTOM: Final = "custom"
"""The source of the cards that somebody entered by hand: no other source ever changes or removes them."""
