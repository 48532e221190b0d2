"""Cards that users enter: their printed texts, checked and read by the house rules."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ccgrid.catalog.card import HIGHEST, LONGEST_NAME, LOWEST, Card
from ccgrid.catalog.card_ids import id_part
from ccgrid.catalog.errors import CatalogError, UsageError
from ccgrid.catalog.evidence import COLLECTOR, CardReading, Evidence, EvidenceReader, explain_evidence
from ccgrid.catalog.numbers import numerals, single_value
from ccgrid.catalog.typed_numbers import plain_text
from ccgrid.catalog.zones import PLACE_NAMES, PLACES, ZONES

ID_SET: Final = "hand"
"""The set in their ids: `mtg:hand/my-card`."""

ENTERED: Final = "entered"
"""The field of an entered text."""
PRINTED_AT: Final = "fraction"
"""How an entered text is read."""
NUMBER_FIELD: Final = "collector_number"
_HOW_NUMBER: Final = f"{COLLECTOR}first"
_GAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_LONGEST_TEXT: Final = 200  # characters
_LONGEST_SLUG: Final = 80  # characters


@dataclass(frozen=True, slots=True)
class CustomCard:
    """A card as the user typed it, unchecked.

    `printed` maps a place to the text that is printed there; `attack` and `defense` are 0 to 10; `number_at` is the
    place of the collector number, which counts there, or "" for nowhere.
    """

    game: str = ""
    name: str = ""
    set_code: str = ""
    collector_number: str = ""
    printed: Mapping[str, str] = field(default_factory=dict)
    attack: int | None = None
    defense: int | None = None
    number_at: str = ""

    def problems(self) -> list[str]:
        """Return the problems of the card, in sentences."""
        found = []
        if not _GAME.fullmatch(self.game):
            found.append("The card needs a game: a short name of lower-case letters, digits, - and _, such as mtg.")
        if not self.name.strip():
            found.append("The card needs a name.")
        elif len(self.name) > LONGEST_NAME:
            found.append(f"The name has {len(self.name):,} characters; the maximum is {LONGEST_NAME:,}.")
        found += [
            f"The {what} has {len(text):,} characters; the maximum is {_LONGEST_TEXT}."
            for what, text in (("set", self.set_code), ("number", self.collector_number), *self._texts())
            if len(text) > _LONGEST_TEXT
        ]
        have = {zone for zone, _, _ in explain_evidence(self.evidence())}
        found += [
            f"{text!r} ({PLACE_NAMES[zone]}) has no number. Type one, or leave the place empty."
            for zone, text in self._texts()
            if zone not in have
        ]
        if self.number_at and self.number_at not in PLACES:
            found.append(f"The number's place is one of: {', '.join(PLACES)}.")
        found += [
            f"{what} is a whole number from {LOWEST} to {HIGHEST}."
            for what, stat in (("Attack", self.attack), ("Defense", self.defense))
            if stat is not None and not LOWEST <= stat <= HIGHEST
        ]
        return found

    def check(self) -> None:
        """Raise CatalogError with the first two problems, if there are any."""
        if problems := self.problems():
            raise CatalogError("\n".join(problems[:2]))

    def slug(self) -> str:
        """Return the name as the last part of an id, such as `amber-drake`."""
        return id_part(self.name)[:_LONGEST_SLUG].strip("-") or "card"

    def reading(self) -> CardReading:
        """Read the card's numbers by the house rules."""
        return EvidenceReader().read({"printed": self.evidence(), "attack": self.attack, "defense": self.defense})

    def evidence(self) -> list[Evidence]:
        """Return the stored evidence of the card's numbers: the text in each place that has one."""
        found: list[Evidence] = [(zone, ENTERED, PRINTED_AT, plain_text(text)) for zone, text in self._texts()]
        if self.number_at and self.collector_number.strip():
            found.append((self.number_at, NUMBER_FIELD, _HOW_NUMBER, self.collector_number.strip()))
        return found

    @classmethod
    def from_evidence(cls, card: Card, evidence: Sequence[Evidence]) -> "CustomCard":
        """Return a card as it was entered, from its stored evidence."""
        texts = {zone: _as_data(text) for zone, name, _, text in evidence if name == ENTERED and isinstance(text, str)}
        number_at = next((zone for zone, name, _, _ in evidence if name == NUMBER_FIELD), "")
        stats = card.attack, card.defense
        return cls(card.game, card.name, card.set_code, card.collector_number, texts, *stats, number_at)

    def card(self, card_id: str = "") -> Card:
        """Return the card with its numbers."""
        read = self.reading()
        return Card(
            id=card_id,
            game=self.game,
            name=self.name,
            zones={zone: read.zones[zone][0] for zone in ZONES if len(read.zones.get(zone, ())) == 1},
            score=read.score,
            set_code=self.set_code,
            collector_number=self.collector_number,
            face=tuple(read.face),
            legal=read.reason is None,
            reason=read.reason,
            attack=self.attack,
            defense=self.defense,
        )

    def _texts(self) -> list[tuple[str, str]]:
        return [(zone, text) for zone in PLACES if (text := self.printed.get(zone, "").strip())]


def _as_data(text: str) -> str:
    """Return a stored text so that, typed again, it has the numbers that it has as data."""
    return text if plain_text(text) == text else ", ".join(str(number.value) for number in numerals(text))


def read_stat(text: str) -> int | None:
    """Parse an attack or defense, or None for a blank text.

    Raises:
        CatalogError: If it is not a whole number from 0 to 10.
    """
    if not text.strip():
        return None
    value = single_value(text)
    if value is None:
        raise UsageError(f"{text[:20]!r} is not a whole number from {LOWEST} to {HIGHEST}.")
    return value
