"""The words every other module speaks: zones, cards, and many of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypedDict, cast

from ccgrid.catalog.zones import PLACE_NAMES, EveryZone, ZoneNumbers, ZoneOrFace

Confidence = Literal["high", "medium", "low"]
"""How sure it is that a number is printed where it is said to be."""

LOWEST: Final = 0
HIGHEST: Final = 10


LONGEST_NAME: Final = 200
"""The most characters of a name, of a card, a set, a box or a game, wherever it comes from."""


def short_reason(reason: str) -> str:
    """Why a card is barred, in two or three words; an unknown reason as it is.

    >>> short_reason("multiple-numbers:bottom-right")
    'two numbers, bottom right'
    """
    kind, _, detail = reason.partition(":")
    if kind == "multiple-numbers" and detail in PLACE_NAMES:
        return f"two numbers, {PLACE_NAMES[detail]}"
    if kind in ("layout", "data") and detail:
        return f"{'layout' if kind == 'layout' else 'data lack'} {detail.replace('-', ' ')}"
    return {"digital": "digital-only", "no-number": "no number"}.get(reason, reason)


class PrintedCardJson(TypedDict):
    """What is known of a card beside its zones; `face` holds the numbers printed elsewhere."""

    id: str
    game: str
    name: str
    set_code: str
    collector_number: str
    face: list[int]
    score: int
    legal: bool
    reason: str | None
    attack: int | None
    defense: int | None


class CardJson(PrintedCardJson):
    """A card: its numbers by zone, which leave out a zone with no number or with several, and on its face."""

    zones: ZoneNumbers


class ExportedCardJson(PrintedCardJson):
    """A card as tables want it: each of the eight zones is there, null where there is no number or more than one."""

    zones: EveryZone


class NumberJson(TypedDict):
    """A number printed on a card: where it was read, what it comes to, whether it counts and why.

    `confidence` says how sure it is that the field is printed there.
    """

    zone: ZoneOrFace
    field: str
    raw: str
    value: int
    counts: bool
    why: str
    confidence: Confidence


class CorrectionJson(TypedDict, total=False):
    """What is corrected on a card: the keys that are there; `printed` has a text for each place that is."""

    name: str
    set_code: str
    collector_number: str
    attack: int | None
    defense: int | None
    printed: dict[ZoneOrFace, str]
    number_at: str


@dataclass(frozen=True, slots=True)
class Card:
    """One printing of one card with its numbers, each 0 to 10, read by the house rules.

    `zones` maps a zone to its number; a zone with no number, or with several, is left out. `face` holds the numbers
    printed elsewhere, in reading order; `score` is the sum of all of them (rule 13).
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

    def to_dict(self) -> CardJson:
        """The card as scripts see it: the keys of the documented JSON shape, in that order."""
        return {
            "id": self.id,
            "game": self.game,
            "name": self.name,
            "set_code": self.set_code,
            "collector_number": self.collector_number,
            "zones": cast("ZoneNumbers", dict(self.zones)),
            "face": list(self.face),
            "score": self.score,
            "legal": self.legal,
            "reason": self.reason,
            "attack": self.attack,
            "defense": self.defense,
        }
