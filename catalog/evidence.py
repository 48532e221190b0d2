"""What is kept of a card's texts to explain its numbers, and what follows from it by the house rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, get_args

from ccgrid.catalog.card import Confidence
from ccgrid.catalog.numbers import JudgedNumeral, explain, explain_collector, part_from, verdict
from ccgrid.catalog.zones import FACE

CONFIDENCES: Final[tuple[Confidence, ...]] = get_args(Confidence)
COLLECTOR: Final = "collector:"
"""How the words for a collector number begin; behind it is which part of it counts."""
Value = str | Sequence[str]
Fields = Mapping[str, Any]
Evidence = tuple[str, str, str, Value]
"""Where a text with numerals in it is printed, its field, how it is read, and the text.

How it is read is `stats`, `fraction` or `collector:PART` (`collector:first:2-4` where only some of its digits count),
then numbers that mean “not printed” (`-0`), then how sure it is that the text is there, where that is not high:
`collector:last -0 low`.
"""


class CardReading(NamedTuple):
    """What a card shows: zone -> in-range numbers, face numbers, score, and why it may not be used."""

    zones: dict[str, list[int]]
    face: list[int]
    score: int
    reason: str | None
    attack: int | None
    defense: int | None
    evidence: list[Evidence]


class CardReader(Protocol):
    """Reads the numbers of cards, whatever tells it where they are printed."""

    def read(self, fields: Fields, /) -> CardReading:
        """A card's numbers; `fields` maps a field to its text, or to a tuple of texts."""


class EvidenceReader:
    """Reads cards whose numerals were written down with their zones: the bundled ones, and those entered by hand.

    Their fields are `printed` (evidence), `attack`, `defense`, and `reason` where something other than the numbers
    bars them.
    """

    def fingerprint(self) -> str:
        """A few letters for this way of reading, which catalogues hold: of a checksum of its first name."""
        return "67a7eafb7bb9f0d6"

    def read(self, fields: Fields) -> CardReading:
        """A card's numbers by the evidence recorded with it."""
        evidence: list[Evidence] = fields["printed"]
        zones: dict[str, list[int]] = {}
        face: list[int] = []
        for zone, _, found in explain_evidence(evidence):
            if found.counts:
                (face if zone == FACE else zones.setdefault(zone, [])).append(found.value)
        score = sum(sum(numbers) for numbers in zones.values()) + sum(face)
        reason = verdict(zones, fields.get("reason"))
        return CardReading(zones, face, score, reason, fields.get("attack"), fields.get("defense"), evidence)


def numerals_only(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The same evidence with nothing but the numerals of each text: the facts, without the words around them."""
    numerals: list[Evidence] = []
    for zone, name, how, value in evidence:
        found = tuple(number.raw for _, _, number in explain_evidence([(zone, name, how, value)]))
        # Which run of digits is the card's own number is seen from all of them together.
        numerals.append((zone, name, how, (" ".join(found),) if how.startswith(COLLECTOR) else found))
    return numerals


def confidence_in(how: str) -> Confidence:
    """How sure it is where a text is printed, from how it was read: `high`, `medium` or `low`."""
    words = how.split()
    return next((word for word in CONFIDENCES if word in words), CONFIDENCES[0])


def explain_evidence(evidence: Sequence[Evidence]) -> Iterator[tuple[str, str, JudgedNumeral]]:
    """Every numeral of a card as (zone or `face`, field, verdict on it), from the evidence kept with the card."""
    for zone, name, how, value in evidence:
        kind, *ignored = how.split()
        for text in [value] if isinstance(value, str) else value:
            for found in _explain(kind, text):
                if found.counts and f"-{found.value}" in ignored:
                    yield zone, name, found._replace(counts=False, why="means “not printed” in this game's data")
                else:
                    yield zone, name, found


def _explain(kind: str, text: str) -> list[JudgedNumeral]:
    if not kind.startswith(COLLECTOR):
        return explain(text, "stats" if kind == "stats" else "fraction")
    part, _, digits = kind.removeprefix(COLLECTOR).partition(":")
    first, _, last = digits.partition("-")
    return explain_collector(text, part_from(part), (int(first), int(last)) if digits else None)
