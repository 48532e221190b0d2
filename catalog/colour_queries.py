"""Colours in queries: letters of Magic's colours, names of colours of any game, and names of groups of colours."""

from typing import Final, Literal, NamedTuple

from ccgrid.catalog.description import COLOURS, colour_names

_GROUPS: Final = {
    **{"azorius": "wu", "dimir": "ub", "rakdos": "br", "gruul": "rg", "selesnya": "gw", "orzhov": "wb", "izzet": "ur"},
    **{"golgari": "bg", "boros": "rw", "simic": "gu", "bant": "gwu", "esper": "wub", "grixis": "ubr", "jund": "brg"},
    **{"naya": "rgw", "abzan": "wbg", "jeskai": "urw", "sultai": "bgu", "mardu": "rwb", "temur": "gur"},
}
"""Groups of colours by the names that players of Magic use."""
MOST: Final = 20
"""The most colours of a card."""


class WantedColours(NamedTuple):
    """Colours that a query asks for: some by name, how many, or more than one."""

    names: tuple[str, ...] = ()
    number: int = 0
    kind: Literal["names", "count", "several"] = "names"


def parse_colours(text: str) -> WantedColours | None:
    """Return the colours in the value of a query, or None if they are too many.

    >>> [parse_colours(text).names for text in ("rg", "azorius", "emerald")], parse_colours("2").number
    ([('Red', 'Green'), ('White', 'Blue'), ('Emerald',)], 2)
    """
    word = text.strip().casefold()
    if word.isdecimal():
        return WantedColours(number=int(word), kind="count") if len(word) < len("1000") else None
    if word in ("c", "colorless", "colourless"):
        return WantedColours(kind="count")
    if word in ("m", "multicolor", "multicolour", "multicolored", "multicoloured"):
        return WantedColours(kind="several")
    letters = _GROUPS.get(word, word)
    if set(letters) <= COLOURS.keys():
        return WantedColours(tuple(dict.fromkeys(COLOURS[letter] for letter in letters)))
    names = colour_names([text])
    return WantedColours(names) if len(names) <= MOST else None
