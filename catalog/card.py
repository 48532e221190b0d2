"""The words every other module speaks: zones, cards, and what goes wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

ZONES: Final = ("top-left", "top", "top-right", "left", "right", "bottom-left", "bottom", "bottom-right")
"""The eight zones on the rim of a card held upright, in the order in which the house rules name them."""

LOWEST: Final = 0
HIGHEST: Final = 10


LONGEST_NAME: Final = 200
"""So many characters has a name at most, of a card, a set, a box or a game, wherever it comes in."""


class CatalogError(ValueError):
    """Something that could not be done with cards: one or two lines that say what is wrong and what to do."""


class UnknownNameError(CatalogError):
    """Somebody named a game, a source, a format or a layout that there is not; the message says which there are."""


class ContradictionError(CatalogError):
    """What somebody asks for does not fit together, whatever cards there are: something of it has to be left out."""


class NothingFoundError(CatalogError):
    """Nothing answers what was asked; the message says what may be meant."""


class NotConfirmedError(CatalogError):
    """Something that is done only where a person confirms it; the message says with which option."""


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
        return hash((self.id, self.name, self.score))

    def to_dict(self) -> dict[str, Any]:
        """The card as scripts see it: the keys of the documented JSON shape, in that order."""
        return {
            "id": self.id,
            "game": self.game,
            "name": self.name,
            "set_code": self.set_code,
            "collector_number": self.collector_number,
            "zones": dict(self.zones),
            "face": list(self.face),
            "score": self.score,
            "legal": self.legal,
            "reason": self.reason,
            "attack": self.attack,
            "defense": self.defense,
        }
