"""Owned copies of a card: their kind, location and details."""

from typing import Final, NamedTuple

from ccgrid.catalog.details import NO_DETAILS, Details, parse_details

MOST_COPIES: Final = 1_000_000
"""The maximum number of copies in a row of a file or in one command."""
LONGEST_TEXT: Final = 300
"""The maximum length of a stored text, in characters; the longest card name has 141."""


class Place(NamedTuple):
    """The location of copies; unknown parts are empty."""

    box: str = ""
    row: str = ""
    slot: str = ""

    def __str__(self) -> str:
        parts = [self.box, f"row {self.row}" if self.row else "", f"slot {self.slot}" if self.slot else ""]
        return ", ".join(part for part in parts if part)


NOWHERE: Final = Place()
"""An unknown location."""


class Holding(NamedTuple):
    """Copies of one card, of one finish, condition and language, in one place, with one note.

    Name, set and number are the last ones that the catalogue had. `rarity` is a file's word for it; `note` is the
    owner's text, `details` further facts, as `Details.text` stores them. The copies were `added`, and their number
    `changed`, at these times in UTC, if known; `out` counts those checked out in decks. `card_rarity` is the
    catalogue's.
    """

    id: int
    card_id: str
    copies: int
    finish: str
    condition: str
    language: str
    place: Place
    game: str
    name: str
    set_code: str
    set_name: str
    number: str
    ids: str
    rarity: str = ""
    note: str = ""
    details: str = NO_DETAILS
    added: str | None = None
    changed: str | None = None
    out: int = 0
    card_rarity: str = ""

    @property
    def known(self) -> Details:
        """The details of the copies."""
        return parse_details(self.details)

    def source_id(self, kind: str) -> str:
        """Return the card's id in another program, such as `scryfall`, or "" if unknown."""
        return next((one.partition(":")[2] for one in self.ids.split() if one.startswith(f"{kind}:")), "")
