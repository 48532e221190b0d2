"""Corrections that users make of cards from sources."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import msgspec

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import ENTERED, NUMBER_FIELD, PRINTED_AT, CustomCard
from ccgrid.catalog.evidence import COLLECTOR, CardReading, Evidence, EvidenceReader, explain_evidence
from ccgrid.catalog.typed_numbers import plain_text
from ccgrid.catalog.zones import PLACE_NAMES, PLACES, ZONES

_TEXTS: Final = ("name", "set_code", "collector_number")
_STATS: Final = ("attack", "defense")
_COUNTED: Final = ("multiple-numbers", "no-number")
"""Reasons that follow from a card's numbers."""


class Correction(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Corrections of a card. Omitted keys stay as the source has them.

    Attributes:
        printed: The text in a zone or on the face, instead of the source's; "" for nothing.
        number_at: Where the collector number is printed; "" for nowhere.
    """

    name: str | msgspec.UnsetType = msgspec.UNSET
    set_code: str | msgspec.UnsetType = msgspec.UNSET
    collector_number: str | msgspec.UnsetType = msgspec.UNSET
    attack: int | msgspec.UnsetType | None = msgspec.UNSET
    defense: int | msgspec.UnsetType | None = msgspec.UNSET
    printed: dict[str, str] = msgspec.field(default_factory=dict)
    number_at: str | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Correction":
        """Return the correction in a table with its keys, such as the stored one."""
        return cls(**{key: fields[key] for key in cls.__struct_fields__ if key in fields})

    def given(self) -> dict[str, Any]:
        """Return the corrected fields."""
        return cast("dict[str, Any]", msgspec.to_builtins(self))

    def and_then(self, later: "Correction") -> "Correction":
        """Return both corrections combined; the later one wins."""
        return Correction.of({**self.given(), **later.given(), "printed": {**self.printed, **later.printed}})

    def words(self) -> list[str]:
        """Return the name of each corrected thing, such as `top left`."""
        named = {"set_code": "set", "collector_number": "number", "number_at": "place of the number"}
        texts = [named.get(key, key) for key in self.given() if key not in ("printed", "number_at")]
        places = [PLACE_NAMES[place] for place in PLACES if place in self.printed]
        return texts + places + ([named["number_at"]] if self.number_at is not msgspec.UNSET else [])

    def evidence(self, before: Sequence[Evidence], number: str) -> list[Evidence]:
        """Return the corrected evidence of a card, from the source's evidence and the current collector number."""
        found = [entry for entry in before if entry[0] not in self.printed]
        if not (self.number_at is msgspec.UNSET and self.collector_number is msgspec.UNSET):
            found = list(self._with_number(found, number))
        texts = [(zone, ENTERED, PRINTED_AT, text) for zone in PLACES if (text := self.printed.get(zone, "").strip())]
        return [*found, *texts]

    def _with_number(self, evidence: Sequence[Evidence], number: str) -> Iterator[Evidence]:
        """Yield the evidence with the collector number at its corrected place; other readings of it stay."""
        if self.number_at:
            yield (self.number_at, NUMBER_FIELD, f"{COLLECTOR}first", number)
        for zone, name, how, value in evidence:
            if not how.startswith(COLLECTOR):
                yield zone, name, how, value
            elif self.number_at is msgspec.UNSET and number:
                yield zone, name, how, number

    def on(self, card: Card, before: Sequence[Evidence]) -> tuple[Card, CardReading]:
        """Return a card with the correction, and its numbers by the house rules; `before` is the source's evidence."""
        given = self.given()
        number = given.get("collector_number", card.collector_number)
        attack, defense = given.get("attack", card.attack), given.get("defense", card.defense)
        # A correction supplies the number that the data lack, so that this reason no longer applies.
        lifted = (*_COUNTED, "data:") if any(self.printed.values()) else _COUNTED
        bar = None if card.reason is None or card.reason.startswith(lifted) else card.reason
        read = EvidenceReader().read(
            {"printed": self.evidence(before, number), "reason": bar, "attack": attack, "defense": defense}
        )
        set_code = given.get("set_code", card.set_code)
        corrected = replace(
            card,
            name=given.get("name", card.name),
            set_code=set_code,
            set_name=card.set_name if set_code == card.set_code else "",
            collector_number=number,
            zones={zone: read.zones[zone][0] for zone in ZONES if len(read.zones.get(zone, ())) == 1},
            face=tuple(read.face),
            score=read.score,
            legal=read.reason is None,
            reason=read.reason,
            attack=attack,
            defense=defense,
        )
        return corrected, read


def to_custom_card(card: Card, evidence: Sequence[Evidence]) -> CustomCard:
    """Return a source's card as if the user had entered it: each place has the numerals that the source has there."""
    printed: dict[str, list[str]] = {}
    number_at = ""
    for entry in evidence:
        for zone, _, found in explain_evidence([entry]):
            if entry[2].startswith(COLLECTOR):
                number_at = zone
            else:
                printed.setdefault(zone, []).append(found.raw)
    texts = {zone: ", ".join(numerals) for zone, numerals in printed.items()}
    stats = card.attack, card.defense
    return CustomCard(card.game, card.name, card.set_code, card.collector_number, texts, *stats, number_at)


def correction_between(before: CustomCard, after: CustomCard, *, confirmed: Container[str] = ()) -> Correction:
    """Return the user's changes of a card as a correction; a text in a `confirmed` place counts even if unchanged."""
    changed: dict[str, object] = {
        key: getattr(after, key)
        for key in (*_TEXTS, *_STATS, "number_at")
        if getattr(after, key) != getattr(before, key)
    }
    old, new = before.printed, after.printed
    changed["printed"] = {
        zone: plain_text(new.get(zone, ""))
        for zone in PLACES
        if zone in confirmed or new.get(zone, "") != old.get(zone, "")
    }
    return Correction.of(changed)
