"""Copies of a card that somebody owns: what kind they are, where, what is noted of them, and the words for it."""

from typing import Final, NamedTuple

from ccgrid.catalog.details import NO_DETAILS, Details, parse_details

MOST_COPIES: Final = 1_000_000
"""The maximum number of copies in a row of a file or in one command."""
LONGEST_TEXT: Final = 300
"""The maximum length of a stored text, in characters; the longest card name has 141."""


class Place(NamedTuple):
    """Where copies are; an empty text where nobody said."""

    box: str = ""
    row: str = ""
    slot: str = ""

    def __str__(self) -> str:
        parts = [self.box, f"row {self.row}" if self.row else "", f"slot {self.slot}" if self.slot else ""]
        return ", ".join(part for part in parts if part)


NOWHERE: Final = Place()
"""The place of copies of which nobody said where they are."""


class Holding(NamedTuple):
    """Copies of one card, of one finish, condition and language, in one place, with one note.

    Name, set and number are those that the card had when the catalogue last had it. `rarity` is what a file called it;
    `note` is what the owner wrote of the copies, `details` what else they know of them, as `Details.text` keeps it.
    They were `added`, and became more or fewer (`changed`), at these times, UTC, where that is known; `out` counts
    those that are in decks just now.
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

    @property
    def known(self) -> Details:
        """What the owner knows of the copies beyond their kind."""
        return parse_details(self.details)

    def source_id(self, kind: str) -> str:
        """What others call the card, such as its id at `scryfall`; nothing where that is not known."""
        return next((one.partition(":")[2] for one in self.ids.split() if one.startswith(f"{kind}:")), "")
