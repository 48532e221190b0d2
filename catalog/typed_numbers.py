"""Numbers as users type them into a zone: `3 of 6`, `5 1/2` and `3/6` (docs/numbers.md, rule 14).

Imported fields are read by `catalog.numbers` alone: there a layout says what a slash means.
"""

import re
from collections.abc import Mapping
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.catalog.zones import PLACE_NAMES

_WHOLE = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+"
_MINUSES = "\\-−–—"
_FORMS: Final = lazy_pattern(
    rf"(?<![\w./+{_MINUSES}])(?:"
    rf"(?P<own>{_WHOLE})\s+of\s+(?:{_WHOLE})"
    rf"|(?P<whole>{_WHOLE})\s+(?P<above>\d+)/(?P<below>\d+)"
    rf"|(?P<first>{_WHOLE})\s*/\s*(?P<second>{_WHOLE})"
    r")(?![\w/]|\.\d)",
    re.IGNORECASE,
)
_LONGEST: Final = 9  # digits; a number with more is above the range anyway


def plain_text(text: str) -> str:
    """Return a typed text in which the house rules for data find the numbers that the user means.

    `3 of 6` becomes its first number, `5 1/2` one number rounded down, and `3/6` two numbers.

    >>> plain_text("3 of 6"), plain_text("5 1/2"), plain_text("2/3,4"), plain_text("+1/+1, 3 of 25")
    ('3', '5', '2, 3,4', '+1/+1, 3')
    """
    return _FORMS.sub(_in_plain, text)


def _in_plain(found: re.Match[str]) -> str:
    if found["own"]:
        return found["own"]
    if found["first"]:
        return f"{found['first']}, {found['second']}"
    whole, above, below = (found[name].replace(",", "")[-_LONGEST:] for name in ("whole", "above", "below"))
    # A fraction of nothing is none: the text stays.
    return str(int(whole) + int(above) // int(below)) if int(below) else found[0]


def ambiguous_pairs(text: str) -> list[str]:
    """Return the parts of a typed text that are two numbers, a collector number with its total, or a fraction.

    >>> ambiguous_pairs("3/6"), ambiguous_pairs("3 of 6, 0 3/6")
    (['3/6'], [])
    """
    return [found[0] for found in _FORMS.finditer(text) if found["first"]]


def meanings(pair: str) -> dict[str, str]:
    """Return the meanings of an ambiguous pair, each with the text that says it; the first one is assumed."""
    first, second = (part.strip() for part in pair.split("/"))
    return {
        f"two numbers, {first} and {second}": f"{first}, {second}",
        f"number {first} of a set of {second}": f"{first} of {second}",
        "a fraction, rounded down": f"0 {first}/{second}",
    }


def assumptions(printed: Mapping[str, str]) -> list[str]:
    """Return a sentence for each ambiguous pair in the texts by place: its assumed meaning, and how to type others."""
    said = []
    for place, text in printed.items():
        for pair in ambiguous_pairs(text):
            (assumed, _), *others = meanings(pair).items()
            other = ", or ".join(f"{typed!r} for {meaning}" for meaning, typed in others)
            said.append(f"{pair} ({PLACE_NAMES[place]}) was read as {assumed}. If that is wrong, type {other}.")
    return said
