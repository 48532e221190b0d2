"""Colours in queries: letters of Magic's colours, names of colours of any game, and names of groups of colours."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

from ccgrid.catalog.description import COLOURS, colour_names

_GROUPS: Final = {
    **{"azorius": "wu", "dimir": "ub", "rakdos": "br", "gruul": "rg", "selesnya": "gw", "orzhov": "wb", "izzet": "ur"},
    **{"golgari": "bg", "boros": "rw", "simic": "gu", "bant": "gwu", "esper": "wub", "grixis": "ubr", "jund": "brg"},
    **{"naya": "rgw", "abzan": "wbg", "jeskai": "urw", "sultai": "bgu", "mardu": "rwb", "temur": "gur"},
    **{"lorehold": "rw", "prismari": "ur", "quandrix": "gu", "silverquill": "wb", "witherbloom": "bg"},
    **{"chaos": "ubrg", "aggression": "brgw", "altruism": "rgwu", "growth": "gwub", "artifice": "wubr"},
}
"""Groups of colours by the names that players of Magic use."""
MOST: Final = 20
"""The most colours of a card."""

COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    **{"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    **{"=": operator.eq, "!=": operator.eq, ":": operator.eq},
}
"""The comparisons of a query; a negation by `!=` is made later."""


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


def has_colours(said: str | None, sign: str, text: str, usual: str) -> bool:
    """Return whether the colours of a card, between commas, compare so with those in a query; `!=` is negated later.

    `usual` is the comparison that `:` means for names of colours: `>=` for these and perhaps more.

    >>> has_colours("White, Blue", ":", "u", ">="), has_colours("White, Blue", ":", "u", "<=")
    (True, False)
    """
    wanted = parse_colours(text)
    if said is None or wanted is None:
        return False
    names = set(filter(None, said.casefold().split(", ")))
    if wanted.kind == "several":
        return len(names) > 1
    if wanted.kind == "count":
        return COMPARE[sign](len(names), wanted.number)
    return COMPARE[usual if sign == ":" else sign](names, {name.casefold() for name in wanted.names})
