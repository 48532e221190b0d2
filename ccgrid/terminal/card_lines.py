"""What people type of a card at a prompt: places and what is printed there, in whatever order they say it."""

import re
from typing import Final

from catalog.custom_card import WHERE

_CORNERS: Final = {f"{side}-{end}": (side, end) for side in ("top", "bottom") for end in ("left", "right")}
_OTHER_WORDS: Final = {"top": ("upper", "up"), "bottom": ("lower", "down")}

_PLACES: Final = {
    **{zone: zone for zone in WHERE},
    **{"".join(part[0] for part in zone.split("-")): zone for zone in WHERE[:-1]},
    **{f"{word} {end}": zone for zone, (side, end) in _CORNERS.items() for word in (side, *_OTHER_WORDS[side])},
    **{f"{end} {side}": zone for zone, (side, end) in _CORNERS.items()},
    "other": WHERE[-1],
    "elsewhere": WHERE[-1],
}
"""Every way to name a place, and the place."""

_WORD: Final = "|".join(re.escape(word).replace(r"\ ", "[ -]?") for word in sorted(_PLACES, key=len, reverse=True))
_PLACE: Final = re.compile(rf"(?<![\w-])(?:{_WORD})(?![\w-])", re.IGNORECASE)
_VALUE: Final = re.compile(r"\s*(?:[=:]\s*)?\S*\d")
_BEFORE: Final = re.compile(
    rf"\s*(?:and\s+)?(?P<text>[^;a-z]*\d[^;a-z]*?)\s*(?:(?:at|in|on|the)\s+)*(?P<place>{_PLACE.pattern})"
    r"(?:\s+(?:corner|side))?\s*(?:[,;.]\s*|$|(?=\s))",
    re.IGNORECASE,
)


def read_place(text: str) -> str | None:
    """The place that is named; None for anything else.

    >>> read_place("Top left"), read_place("br"), read_place("nowhere")
    ('top-left', 'bottom-right', None)
    """
    return _place(text) if _PLACE.fullmatch(text.strip()) else None


def read_places(line: str) -> dict[str, str]:
    """What is printed in each place that a line names; an empty text takes back what was there. Nothing: no place.

    >>> read_places("tl 4 br 7")
    {'top-left': '4', 'bottom-right': '7'}
    >>> read_places("4 top left, 7 bottom right")
    {'top-left': '4', 'bottom-right': '7'}
    >>> read_places("top-left=4"), read_places("br 2,3"), read_places("tl")
    ({'top-left': '4'}, {'bottom-right': '2,3'}, {'top-left': ''})
    """
    line = line.strip()
    if _PLACE.match(line):
        return _places_first(line)
    found: dict[str, str] = {}
    position = 0
    while position < len(line):
        match = _BEFORE.match(line, position)
        if match is None:
            return {}
        found[_place(match["place"])] = match["text"].strip()
        position = match.end()
    return found


def _places_first(line: str) -> dict[str, str]:
    """A line that begins with a place: each place and what follows it; later words are places before numbers alone."""
    starts = [match for match in _PLACE.finditer(line) if match.start() == 0 or _VALUE.match(line, match.end())]
    ends = [*(match.start() for match in starts[1:]), len(line)]
    texts = (line[match.end() : end] for match, end in zip(starts, ends, strict=True))
    cleaned = (re.sub(r"\s+and\s*$", "", text.strip(" \t=:")).strip(" \t,;=:") for text in texts)
    return {_place(match[0]): text for match, text in zip(starts, cleaned, strict=True)}


def _place(word: str) -> str:
    key = " ".join(word.casefold().replace("-", " ").split())
    for spelled, place in _PLACES.items():
        if spelled.replace("-", " ") == key or spelled.replace("-", "").replace(" ", "") == key.replace(" ", ""):
            return place
    raise ValueError(word)
