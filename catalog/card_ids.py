"""Parts of card ids."""

import re
import unicodedata
from functools import lru_cache
from typing import Final


def card_game(text: str) -> str:
    """The name of a card game as the catalogue has it, of what somebody wrote."""
    return text.strip().lower()


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
        # An accented letter becomes the letter and a mark, which is dropped.
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return _NOT_IN_ID.sub("-", plain.casefold()).strip("-")
