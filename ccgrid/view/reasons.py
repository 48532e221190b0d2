"""Sentences that say why a card is not legal."""

from typing import Final

from ccgrid.catalog.zones import ZONE_PHRASES

_REASONS: Final = {
    "digital": "digital-only (rule 11)",
    "oversized": "oversized, so its back gives it away (rule 11)",
    "no-number": "no number from 0 to 10 in any corner or on any side (rule 10)",
}
"""Reasons why a card is not legal, with the rule."""


def reason_text(reason: str) -> str:
    """Return why a card is not legal, with the rule; return an unknown reason unchanged.

    >>> reason_text("multiple-numbers:bottom-right")
    'two numbers in the bottom-right corner (rule 9)'
    """
    kind, _, detail = reason.partition(":")
    if kind == "multiple-numbers" and detail in ZONE_PHRASES:
        return f"two numbers {ZONE_PHRASES[detail]} (rule 9)"
    if kind == "layout" and detail:
        return f"not a single upright front, but the layout '{detail}' (rule 11)"
    if kind == "data" and detail:
        return f"numbers missing from the data: {detail.replace('-', ' ')}"
    return _REASONS.get(reason, reason)
