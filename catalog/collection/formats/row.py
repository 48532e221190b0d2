"""What a row of a file may hold, and rows of which no card and no copies could be read."""

from typing import Final, NamedTuple

MOST_COPIES: Final = 1_000_000
"""How many copies one row may have."""
LONGEST_TEXT: Final = 300
"""How much of a cell is kept, in characters; the longest card name has 141."""
LONGEST_RAW: Final = 500
"""How much of a row is quoted in a report, in characters."""

NO_COPIES: Final = "it has no copies"
"""Why a row is left out of which nobody has any."""


class Skipped(NamedTuple):
    """A row that says of no card how many there are: where it stands and why it was left out."""

    line: int
    raw: str
    reason: str


_BESIDE: Final = frozenset(
    ("sideboard", "side", "side deck", "sb", "maybeboard", "considering", "tokens", "planes/schemes", "yes", "true")
)


def is_beside(part: str) -> bool:
    """Whether a part of a deck lies beside it, such as a sideboard; MTGO only says whether it is one.

    >>> is_beside("Sideboard"), is_beside("Yes"), is_beside("main")
    (True, True, False)
    """
    return part.strip().casefold() in _BESIDE
