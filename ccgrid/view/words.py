"""The words in which people are told what the program knows by short codes: zones, and why a card is barred."""

from typing import Final

ZONE_PHRASES: Final = {
    "top-left": "in the top-left corner",
    "top": "at the top",
    "top-right": "in the top-right corner",
    "left": "on the left side",
    "right": "on the right side",
    "bottom-left": "in the bottom-left corner",
    "bottom": "at the bottom",
    "bottom-right": "in the bottom-right corner",
}
"""Where each zone is, to be put into a sentence."""

ZONE_LETTERS: Final = {zone: "".join(part[0] for part in zone.split("-")) for zone in ZONE_PHRASES}
"""Each zone in one or two letters, such as `tl`."""

_REASONS: Final = {
    "digital": ("exists only on screens (rule 11)", "only on screens"),
    "oversized": ("larger than its fellows, so that its back gives it away (rule 11)", "oversized"),
    "no-number": ("no number from 0 to 10 in any corner or on any side (rule 10)", "no number"),
}
"""Why a card is barred, in a sentence with the house rule that bars it, and in two or three words."""


def reason_in_words(reason: str) -> str:
    """Say why a card is barred from decks, with the house rule that bars it; an unknown reason is returned as it is.

    >>> reason_in_words("multiple-numbers:bottom-right")
    'more than one number in the bottom-right corner (rule 9)'
    """
    return _in_words(reason)[0]


def short_reason(reason: str) -> str:
    """Say in two or three words why a card is barred, for a column of a table; an unknown reason as it is.

    >>> short_reason("multiple-numbers:bottom-right")
    'two numbers, bottom right'
    """
    return _in_words(reason)[1]


def _in_words(reason: str) -> tuple[str, str]:
    kind, _, detail = reason.partition(":")
    plain = detail.replace("-", " ")
    if kind == "multiple-numbers" and detail in ZONE_PHRASES:
        return f"more than one number {ZONE_PHRASES[detail]} (rule 9)", f"two numbers, {plain}"
    if kind == "layout" and detail:
        return f"not a single upright front, but of the layout '{detail}' (rule 11)", f"layout {detail}"
    if kind == "data" and detail:
        return f"the card shows more than the data say: {plain}", f"data lack {plain}"
    return _REASONS.get(reason, (reason, reason))


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "card"), counted(1200, "card"), counted(0, "copy", "copies")
    ('1 card', '1,200 cards', '0 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def share(part: float, whole: float) -> str:
    """Return a part of a whole in per cent; a part of nothing is a dash.

    >>> share(1, 3), share(0, 0)
    ('33.3 %', '-')
    """
    return f"{100 * part / whole:.1f} %" if whole else "-"
