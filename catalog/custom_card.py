"""Cards entered by hand: what a person says is printed on one, checked, and read by the house rules."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from ccgrid.catalog.card import HIGHEST, LONGEST_NAME, LOWEST, ZONES, Card, CorrectionJson, id_part
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import COLLECTOR, FACE, CardReading, Evidence, EvidenceReader, explain_evidence
from ccgrid.catalog.numbers import single_value

ID_SET: Final = "hand"
"""The set in their ids: `mtg:hand/my-card`."""

WHERE: Final = (*ZONES, FACE)
"""Where something may be printed: the zones, and everywhere else."""

ENTERED: Final = "entered"
"""The field of a text that somebody entered."""
PRINTED_AT: Final = "fraction"
"""How such a text is read."""
NUMBER_FIELD: Final = "collector_number"
_HOW_NUMBER: Final = f"{COLLECTOR}first"
_GAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_LONGEST_TEXT: Final = 200  # characters
_LONGEST_SLUG: Final = 80  # characters


@dataclass(frozen=True, slots=True)
class CustomCard:
    """A card as somebody typed it; nothing of it has been checked.

    `printed` maps a zone to the text that is printed there; `attack` and `defense` are 0 to 10; `number_at` is where
    the collector number is printed, and counts, empty for nowhere.
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
        """Everything that is wrong with it, in sentences; none where it can be kept."""
        found = []
        if not _GAME.fullmatch(self.game):
            found.append("The game is a short name of lower-case letters, digits, - and _, such as mtg.")
        if not self.name.strip():
            found.append("The card needs a name.")
        elif len(self.name) > LONGEST_NAME:
            found.append(f"The name has {len(self.name):,} characters; {LONGEST_NAME:,} is the most.")
        found += [
            f"The {what} has {len(text):,} characters; {_LONGEST_TEXT} is the most."
            for what, text in (("set", self.set_code), ("number", self.collector_number), *self._texts())
            if len(text) > _LONGEST_TEXT
        ]
        if self.number_at and self.number_at not in WHERE:
            found.append(f"The number's place is one of: {', '.join(WHERE)}.")
        found += [
            f"{what} is a whole number from {LOWEST} to {HIGHEST}."
            for what, stat in (("Attack", self.attack), ("Defense", self.defense))
            if stat is not None and not LOWEST <= stat <= HIGHEST
        ]
        return found

    def check(self) -> None:
        """Raises CatalogError where it cannot be kept, with the first two problems."""
        if problems := self.problems():
            raise CatalogError("\n".join(problems[:2]))

    def slug(self) -> str:
        """The name as the last part of an id, such as `amber-drake`."""
        return id_part(self.name)[:_LONGEST_SLUG].strip("-") or "card"

    def reading(self) -> CardReading:
        """Its numbers by the house rules."""
        return EvidenceReader().read({"printed": self.evidence(), "attack": self.attack, "defense": self.defense})

    def evidence(self) -> list[Evidence]:
        """What is kept to explain its numbers: the text of each zone in which there is any."""
        found: list[Evidence] = [(zone, ENTERED, PRINTED_AT, text) for zone, text in self._texts()]
        if self.number_at and self.collector_number.strip():
            found.append((self.number_at, NUMBER_FIELD, _HOW_NUMBER, self.collector_number.strip()))
        return found

    @classmethod
    def from_evidence(cls, card: Card, evidence: Sequence[Evidence]) -> "CustomCard":
        """A card as it was entered, from what is kept of it."""
        texts = {zone: text for zone, name, _, text in evidence if name == ENTERED and isinstance(text, str)}
        number_at = next((zone for zone, name, _, _ in evidence if name == NUMBER_FIELD), "")
        stats = card.attack, card.defense
        return cls(card.game, card.name, card.set_code, card.collector_number, texts, *stats, number_at)

    def numbers(self) -> list[dict[str, Any]]:
        """Every number on it with what it came to: zone, raw, value, counts, why."""
        return [
            {"zone": zone, "raw": found.raw, "value": found.value, "counts": found.counts, "why": found.why}
            for zone, _, found in explain_evidence(self.evidence())
        ]

    def without_numeral(self) -> list[tuple[str, str]]:
        """The zones, and the face, whose text holds no numeral at all, each with that text."""
        have = {number["zone"] for number in self.numbers()}
        return [(zone, text) for zone, text in self._texts() if zone not in have]

    def card(self, card_id: str = "") -> Card:
        """The card that it makes."""
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
        return [(zone, text) for zone in WHERE if (text := self.printed.get(zone, "").strip())]


def read_stat(text: str) -> int | None:
    """An attack or a defense as it was typed; None for nothing. Raises CatalogError where it is not a number 0 to 10.

    >>> read_stat("3"), read_stat("")
    (3, None)
    """
    if not text.strip():
        return None
    value = single_value(text)
    if value is None:
        raise CatalogError(f"{text[:20]!r} is not a whole number from {LOWEST} to {HIGHEST}.")
    return value


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
        places = [place.replace("-", " ") for place in WHERE if place in self.printed]
        at = [] if self.number_at is None else ["place of the number"]
        return [named.get(key, key) for key in (*self.texts, *self.stats)] + places + at

    def evidence(self, before: Sequence[Evidence], number: str) -> list[Evidence]:
        """What is printed on the card, from what its source says and the collector number that it has now."""
        found = [entry for entry in before if entry[0] not in self.printed]
        if self.number_at is not None or "collector_number" in self.texts:
            found = list(self._with_number(found, number))
        texts = [(zone, ENTERED, PRINTED_AT, text) for zone in WHERE if (text := self.printed.get(zone, "").strip())]
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
    changed["printed"] = {zone: new.get(zone, "") for zone in WHERE if new.get(zone, "") != old.get(zone, "")}
    return Correction.of(changed)
