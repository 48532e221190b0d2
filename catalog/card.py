"""The card that all modules share, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from ccgrid.catalog.zones import PLACE_NAMES

Confidence = Literal["high", "medium", "low"]
"""How certain the zone of a printed number is."""

LOWEST: Final = 0
HIGHEST: Final = 10
PLAYSET: Final = 4
"""Copies in a playset: the most of a card in a deck, unless a layout states another number."""
LONGEST_NAME: Final = 200
"""The most characters of a name of a card, a set, a box or a game."""


def short_reason(reason: str) -> str:
    """Return in two or three words why a card is not legal; an unknown reason is returned unchanged.

    >>> short_reason("multiple-numbers:bottom-right")
    'two numbers, bottom right'
    """
    kind, _, detail = reason.partition(":")
    if kind == "multiple-numbers" and detail in PLACE_NAMES:
        return f"two numbers, {PLACE_NAMES[detail]}"
    if kind in ("layout", "data") and detail:
        return f"{'layout' if kind == 'layout' else 'data lack'} {detail.replace('-', ' ')}"
    return {"digital": "digital-only", "no-number": "no number"}.get(reason, reason)


@dataclass(frozen=True, slots=True)
class Card:
    """One printing of a card with its numbers, each 0 to 10, read by the house rules.

    `zones` maps a zone to its number, without zones that have no number or several. `face` has the numbers printed
    elsewhere, in reading order; `score` is the sum of all of them (rule 13).
    """

    id: str
    game: str
    name: str
    zones: Mapping[str, int]
    score: int
    set_code: str = ""
    set_name: str = ""
    collector_number: str = ""
    face: tuple[int, ...] = ()
    legal: bool = True
    reason: str | None = None
    attack: int | None = None
    defense: int | None = None
    released: str | None = None
    lang: str = "en"
    printed_name: str | None = None

    def __hash__(self) -> int:
        # `zones` is a mapping, which has no hash.
        return hash((self.id, self.name, self.score))
