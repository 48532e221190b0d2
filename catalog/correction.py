"""Corrections of a card's printed numbers, name, set and number."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from ccgrid.catalog.card import Card, CorrectionJson
from ccgrid.catalog.custom_card import ENTERED, NUMBER_FIELD, PRINTED_AT, CustomCard
from ccgrid.catalog.evidence import COLLECTOR, CardReading, Evidence, EvidenceReader, explain_evidence
from ccgrid.catalog.zones import PLACE_NAMES, PLACES, ZONES

_TEXTS: Final = ("name", "set_code", "collector_number")
_STATS: Final = ("attack", "defense")
_COUNTED: Final = ("multiple-numbers", "no-number")
"""Reasons that follow from a card's numbers."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What differs on a card from what its source says; what is not given stays as it is.

    Attributes:
        texts: `name`, `set_code` and `collector_number`, as far as they are given.
        printed: the text in a zone, or on the face, in place of all that the source has there; empty for nothing.
        stats: `attack` and `defense`, each a number or None.
        number_at: where the collector number is printed, empty for nowhere; None where that is not given.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    printed: Mapping[str, str] = field(default_factory=dict)
    stats: Mapping[str, int | None] = field(default_factory=dict)
    number_at: str | None = None

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Correction":
        """A correction from what it was kept as, or from the options of a command line."""
        texts = {key: fields[key] for key in _TEXTS if key in fields}
        stats = {key: fields[key] for key in _STATS if key in fields}
        return cls(texts, dict(fields.get("printed", {})), stats, fields.get("number_at"))

    def to_dict(self) -> CorrectionJson:
        """The documented shape: the keys that are given."""
        at = {} if self.number_at is None else {"number_at": self.number_at}
        fields = {**self.texts, **self.stats, **({"printed": dict(self.printed)} if self.printed else {}), **at}
        return cast("CorrectionJson", fields)

    def and_then(self, later: "Correction") -> "Correction":
        """Both, of which the later one counts where they have the same key."""
        at = self.number_at if later.number_at is None else later.number_at
        texts, printed = {**self.texts, **later.texts}, {**self.printed, **later.printed}
        return Correction(texts, printed, {**self.stats, **later.stats}, at)

    def words(self) -> list[str]:
        """What is corrected, each thing in a word or two, such as `top left`."""
        named = {"set_code": "set", "collector_number": "number"}
        places = [PLACE_NAMES[place] for place in PLACES if place in self.printed]
        at = [] if self.number_at is None else ["place of the number"]
        return [named.get(key, key) for key in (*self.texts, *self.stats)] + places + at

    def evidence(self, before: Sequence[Evidence], number: str) -> list[Evidence]:
        """What is printed on the card, from what its source says and the collector number that it has now."""
        found = [entry for entry in before if entry[0] not in self.printed]
        if self.number_at is not None or "collector_number" in self.texts:
            found = list(self._with_number(found, number))
        texts = [(zone, ENTERED, PRINTED_AT, text) for zone in PLACES if (text := self.printed.get(zone, "").strip())]
        return [*found, *texts]

    def _with_number(self, evidence: Sequence[Evidence], number: str) -> Iterator[Evidence]:
        """The evidence with the number where it is printed now; its other readings stay."""
        if self.number_at:
            yield (self.number_at, NUMBER_FIELD, f"{COLLECTOR}first", number)
        for zone, name, how, value in evidence:
            if not how.startswith(COLLECTOR):
                yield zone, name, how, value
            elif self.number_at is None and number:
                yield zone, name, how, number

    def on(self, card: Card, before: Sequence[Evidence]) -> tuple[Card, CardReading]:
        """The card as it is corrected, and its numbers by the house rules; `before` is what its source says of them."""
        number = self.texts.get("collector_number", card.collector_number)
        attack, defense = self.stats.get("attack", card.attack), self.stats.get("defense", card.defense)
        # What the data lack is there once somebody has said what is printed.
        lifted = (*_COUNTED, "data:") if any(self.printed.values()) else _COUNTED
        bar = None if card.reason is None or card.reason.startswith(lifted) else card.reason
        read = EvidenceReader().read(
            {"printed": self.evidence(before, number), "reason": bar, "attack": attack, "defense": defense}
        )
        set_code = self.texts.get("set_code", card.set_code)
        corrected = replace(
            card,
            name=self.texts.get("name", card.name),
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
    """A card of a source as if somebody had entered it: in each zone the numerals that the source has there."""
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


def correction_between(before: CustomCard, after: CustomCard) -> Correction:
    """What somebody has changed on a card."""
    changed: dict[str, Any] = {
        key: getattr(after, key)
        for key in (*_TEXTS, *_STATS, "number_at")
        if getattr(after, key) != getattr(before, key)
    }
    old, new = before.printed, after.printed
    changed["printed"] = {zone: new.get(zone, "") for zone in PLACES if new.get(zone, "") != old.get(zone, "")}
    return Correction.of(changed)
