"""What is kept of a card's texts to explain its numbers, and what follows from it by the house rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol, get_args

from ccgrid.catalog.card import Confidence
from ccgrid.catalog.numbers import JudgedNumeral, explain, explain_collector, part_from, verdict
from ccgrid.catalog.zones import FACE

CONFIDENCES: Final[tuple[Confidence, ...]] = get_args(Confidence)
COLLECTOR: Final = "collector:"
"""The prefix of the words for a collector number; the part of it that counts follows."""
Value = str | Sequence[str]
Fields = Mapping[str, Any]
Evidence = tuple[str, str, str, Value]
"""The place where a text with numerals is printed, its field, how it is read, and the text.

How it is read is `stats`, `fraction` or `collector:PART` (`collector:first:2-4` if only some digits count), then
numbers that mean “not printed” (`-0`), then the confidence in the place, if it is not high: `collector:last -0 low`.
"""


class CardReading(NamedTuple):
    """The numbers read on a card: those in range by zone, those on the face, the score, and why it is not legal."""

    zones: dict[str, list[int]]
    face: list[int]
    score: int
    reason: str | None
    attack: int | None
    defense: int | None
    evidence: list[Evidence]


class CardReader(Protocol):
    """Reads the numbers of cards."""

    def read(self, fields: Fields, /) -> CardReading:
        """Read a card's numbers; `fields` maps a field to its text or texts."""


class EvidenceReader:
    """Reads cards whose numerals are recorded with their zones: the bundled ones, and those that users enter.

    Their fields are `printed` (evidence), `attack`, `defense`, and `reason` if they are excluded for another reason
    than their numbers.
    """

    def fingerprint(self) -> str:
        """Return the fingerprint of this reader, which catalogues store."""
        return "67a7eafb7bb9f0d6"

    def read(self, fields: Fields) -> CardReading:
        """Read a card's numbers from its evidence."""
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
    """Return the evidence with only the numerals of each text, without the words around them."""
    numerals: list[Evidence] = []
    for zone, name, how, value in evidence:
        found = tuple(number.raw for _, _, number in explain_evidence([(zone, name, how, value)]))
        # All runs of digits together show which one is the card's own number.
        numerals.append((zone, name, how, (" ".join(found),) if how.startswith(COLLECTOR) else found))
    return numerals


def confidence_in(how: str) -> Confidence:
    """Return the confidence in the place of a text, from how it was read."""
    words = how.split()
    return next((word for word in CONFIDENCES if word in words), CONFIDENCES[0])


def explain_evidence(evidence: Sequence[Evidence]) -> Iterator[tuple[str, str, JudgedNumeral]]:
    """Yield every numeral in a card's evidence as place, field and verdict."""
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
