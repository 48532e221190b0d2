"""One scanned card as it is told: what was read, the card of the catalogue that it is, and its documented JSON."""

from dataclasses import dataclass
from typing import Any, Final

from catalog.card import ZONES, Card
from catalog.custom_card import CustomCard
from catalog.evidence import FACE
from catalog.scan.known import Known
from catalog.scan.values import SURE, ScannedCard

PLACES: Final[tuple[str, ...]] = (*ZONES, FACE)
"""Where something may be printed: the zones, and everywhere else."""


@dataclass(frozen=True, slots=True)
class Scan:
    """One card on one picture: what was read, and the card of the catalogue that it is, where it has it.

    `digest` tells the picture from every other, whatever it is called; `known` is the card it most likely is and `card`
    the one it is for certain; `contradictions` say where catalogue and picture disagree.
    """

    file: str
    digest: str
    read: ScannedCard
    game: str = ""
    known: Known | None = None
    card: Card | None = None
    contradictions: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether no person need look at it: the card is known for certain, or every number was read for certain."""
        if self.card is not None:
            return not self.contradictions
        return self.read.sure

    @property
    def zones(self) -> dict[str, int]:
        """Its numbers: the catalogue's where it has the card, else those that were read."""
        return dict(self.card.zones) if self.card is not None else self.read.zones

    @property
    def name(self) -> str:
        """What it is called: by the catalogue, else by the picture."""
        return self.card.name if self.card is not None else self.read.name

    @property
    def doubtful(self) -> frozenset[str]:
        """The zones in which a number may be another one, or may have been missed."""
        unsure = {number.zone for number in self.read.rim if number.confidence < SURE}
        contradicted = {told.partition(":")[0] for told in self.contradictions}
        return frozenset(unsure | {doubt.zone for doubt in self.read.doubts} | contradicted)

    def entry(self) -> CustomCard:
        """What a person is shown of it, to accept or to correct: the catalogue's card, else what was read."""
        if self.card is not None:
            card = self.card
            printed = {zone: str(value) for zone, value in card.zones.items()}
            if card.face:
                printed[FACE] = ", ".join(map(str, card.face))
            return CustomCard(card.game, card.name, card.set_code, card.collector_number, printed)
        found: dict[str, list[str]] = {}
        for number in self.read.numbers:
            if number.counts:
                found.setdefault(number.zone, []).append(str(number.value))
        texts: dict[str, str] = {place: ", ".join(found[place]) for place in PLACES if place in found}
        return CustomCard(self.game, self.name, "", self.read.collector, texts)

    def to_dict(self) -> dict[str, Any]:
        """The card as scripts see it: the documented shape of `scan --json`."""
        told: dict[str, Any] = {
            "file": self.file,
            "name": self.name,
            "game": self.card.game if self.card is not None else self.game or None,
            "id": self.card.id if self.card is not None else None,
            "sure": self.sure,
            "zones": self.zones,
            "numbers": [
                {
                    "raw": number.raw,
                    "value": number.value,
                    "zone": number.zone,
                    "x": round(number.x, 1),
                    "y": round(number.y, 1),
                    "confidence": round(number.confidence, 3),
                }
                for number in self.read.numbers
            ],
            "doubts": [{"zone": d.zone, "x": round(d.x, 1), "y": round(d.y, 1)} for d in self.read.doubts],
            "contradictions": list(self.contradictions),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.read.corners],
        }
        if self.read.cell is not None:
            told["cell"] = self.read.cell + 1
        return told
