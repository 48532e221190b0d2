"""Zones of a card: their names, abbreviations and phrases, and the one parser for zones as users type them."""

import re
from typing import Final, Literal, TypedDict, get_args

from ccgrid.catalog.lazy_patterns import lazy_pattern

Zone = Literal["top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right"]
ZONES: Final[tuple[str, ...]] = get_args(Zone)
"""The eight zones on the rim of a card held upright, in the order in which the house rules name them."""

ZoneOrFace = Literal[Zone, "face"]
FACE: Final = "face"
"""The part of a card within the zones. Numbers printed there count for the score only."""
PLACES: Final[tuple[str, ...]] = (*ZONES, FACE)
"""Everything that a number can be printed on: the eight zones and the face."""
ROWS: Final = (
    ("top-left", "top", "top-right"),
    ("left", FACE, "right"),
    ("bottom-left", "bottom", "bottom-right"),
)
"""The places as they are arranged on a card."""

ZoneNumbers = TypedDict(
    "ZoneNumbers",
    {
        "top-left": int,
        "top": int,
        "top-right": int,
        "left": int,
        "right": int,
        "bottom-left": int,
        "bottom": int,
        "bottom-right": int,
    },
    total=False,
)
"""A number, or a count, for each zone that has one."""


EveryZone = TypedDict(
    "EveryZone",
    {
        "top-left": int | None,
        "top": int | None,
        "top-right": int | None,
        "left": int | None,
        "right": int | None,
        "bottom-left": int | None,
        "bottom": int | None,
        "bottom-right": int | None,
    },
)
"""The number in each of the eight zones, null if there is none or more than one."""


ZONE_LETTERS: Final = {zone: "".join(part[0] for part in zone.split("-")) for zone in ZONES}
"""The abbreviation of each zone, such as `tl`."""
PLACE_NAMES: Final = {place: place.replace("-", " ") for place in PLACES}
"""Each place as messages and headings name it, such as `top left`."""
ZONE_PHRASES: Final = {
    **{zone: f"in the {zone} corner" for zone in ZONES},
    **{zone: f"at the {zone}" for zone in ("top", "bottom")},
    **{zone: f"on the {zone} side" for zone in ("left", "right")},
}
"""The location of each zone for use in a sentence, such as `at the top`."""

_SPELLINGS: Final = {
    **{name: place for place, name in PLACE_NAMES.items()},
    **{letters: zone for zone, letters in ZONE_LETTERS.items()},
    **{f"{word} {end}": f"top-{end}" for word in ("upper", "up") for end in ("left", "right")},
    **{f"{word} {end}": f"bottom-{end}" for word in ("lower", "down") for end in ("left", "right")},
    **{f"{end} {side}": f"{side}-{end}" for end in ("left", "right") for side in ("top", "bottom")},
    "other": FACE,
    "elsewhere": FACE,
}
"""All spellings of the places. Between two words a hyphen or nothing may replace the space."""
_NOWHERE: Final = ("", "-", "none")

ONE_WORD_SPELLINGS: Final = {
    spelling.replace(" ", joint): place for spelling, place in _SPELLINGS.items() for joint in ("-", "")
}
"""All spellings without a space, for fields of queries."""

_ANY_SPELLING: Final = "|".join(sorted((word.replace(" ", "[ -]?") for word in _SPELLINGS), key=len, reverse=True))
_PLACE: Final = rf"(?<![\w-])(?:{_ANY_SPELLING})(?![\w-])"
_PLACE_PATTERN: Final = lazy_pattern(_PLACE, re.IGNORECASE)
_TEXT_AND_PLACE: Final = lazy_pattern(
    rf"\s*(?:and\s+)?(?P<text>[^;a-z]*\d[^;a-z]*?)\s*(?:(?:at|in|on|the)\s+)*(?P<place>{_PLACE})"
    r"(?:\s+(?:corner|side))?\s*(?:[,;.]\s*|$|(?=\s))",
    re.IGNORECASE,
)
_VALUE: Final = lazy_pattern(r"\s*(?:[=:]\s*)?\S*\d")


def parse_place(text: str) -> str | None:
    """Parse a zone or the face as users type it.

    Returns:
        The name of the place, "" for `none`, `-` and a blank text, or None if the text is not a place.

    >>> parse_place("Top left"), parse_place("br"), parse_place("elsewhere"), parse_place("none")
    ('top-left', 'bottom-right', 'face', '')
    """
    words = " ".join(text.casefold().replace("-", " ").split())
    if text.strip().casefold() in _NOWHERE:
        return ""
    return _SPELLINGS.get(words) or ONE_WORD_SPELLINGS.get(words)


def parse_printed(line: str) -> dict[str, str]:
    """Parse the texts printed on a card, each before or after its place.

    In a line that begins with a place, a later word is a place if a number follows it or if it is an unmistakable
    spelling such as `br` or `top-left`. A place that was named before belongs to the text.

    Returns:
        The text of each place, "" if the line names a place without a text. Empty if the line is not understood.

    >>> parse_printed("tl 4 br 3 of 25"), parse_printed("4 top left, 7 bottom right")
    ({'top-left': '4', 'bottom-right': '3 of 25'}, {'top-left': '4', 'bottom-right': '7'})
    >>> parse_printed("top-left=4"), parse_printed("br 2,3"), parse_printed("tl")
    ({'top-left': '4'}, {'bottom-right': '2,3'}, {'top-left': ''})
    """
    line = line.strip()
    if _PLACE_PATTERN.match(line):
        return _parse_places_first(line)
    printed: dict[str, str] = {}
    position = 0
    while position < len(line):
        match = _TEXT_AND_PLACE.match(line, position)
        if match is None or (place := parse_place(match["place"]) or "") in printed:
            return {}
        printed[place] = match["text"].strip()
        position = match.end()
    return printed


def _parse_places_first(line: str) -> dict[str, str]:
    places: dict[str, re.Match[str]] = {}
    for match in _PLACE_PATTERN.finditer(line):
        is_place = match.start() == 0 or _VALUE.match(line, match.end()) or _is_unmistakable(match[0])
        if is_place and (place := parse_place(match[0]) or "") not in places:
            places[place] = match
    ends = [*(match.start() for match in places.values()), len(line)][1:]
    return {
        place: re.sub(r"\s+and\s*$", "", line[match.end() : end].strip(" \t=:")).strip(" \t,;=:")
        for (place, match), end in zip(places.items(), ends, strict=True)
    }


def _is_unmistakable(spelling: str) -> bool:
    return "-" in spelling or (len(spelling) > 1 and spelling.casefold() in ZONE_LETTERS.values())
