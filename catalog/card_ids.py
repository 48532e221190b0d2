"""Card ids and their parts."""

import unicodedata
from functools import lru_cache
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern


def card_game(text: str) -> str:
    """Normalise the name of a card game as the catalogue stores it."""
    return text.strip().lower()


CUSTOM: Final = "custom"
"""The source of cards that users enter. No other source changes or removes them."""

_NOT_IN_ID: Final = lazy_pattern(r"[^\w.+★†-]+")
CARD_ID: Final = lazy_pattern(r"[^\s:]+:[^\s:]+")
"""An id of the catalogue, such as `mtg:m10/146`: a colon and no blank."""


@lru_cache(maxsize=1 << 12)
def id_part(text: str) -> str:
    """Return a text as a part of an id: lower case, other characters than letters, digits and number marks as hyphens.

    >>> id_part("Ærie of the 3 Dragons!"), id_part("Café"), id_part("T26/T46")
    ('ærie-of-the-3-dragons', 'cafe', 't26-t46')
    """
    plain = text
    if not text.isascii():
        # NFKD splits an accented letter into the letter and a mark, which is dropped.
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _NOT_IN_ID.sub("-", plain.casefold()).strip("-")
