"""One scanned card as it is told: what was read, the card of the catalogue that it is, and its documented JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NotRequired, TypedDict, cast

from ccgrid.catalog.card import ZONES, Card, ZoneNumbers
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.evidence import FACE, Printed
from ccgrid.catalog.matching.names import fold
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.row import MatchResult, Row
from ccgrid.catalog.matching.spellings import Candidate, same_number
from ccgrid.catalog.scan.values import SURE, ScannedCard

_TRIED: Final = 8
"""So many lines of a card are tried as its name."""
_SHORTEST: Final = 4  # letters of a name that is looked for
_LONGEST: Final = 60


class SeenNumberJson(TypedDict):
    """A numeral on a picture: its centre in per cent of the card's width and height, and how sure it is, 0 to 1."""

    raw: str
    value: int
    zone: Printed
    x: float
    y: float
    confidence: float


class ScanDoubtJson(TypedDict):
    """Where a number may have been missed or misread, in per cent of the card's width and height.

    Attributes:
        value: the likeliest number there, null where nothing could be read.
        others: the next likely ones.
    """

    zone: Printed
    x: float
    y: float
    value: int | None
    others: list[int]


class ScanJson(TypedDict):
    """One card on a picture: what was read, and the card of the catalogue that it is, by its `id`, null for none.

    Attributes:
        contradictions: where catalogue and picture disagree.
        corners: the card's corners on the picture, in per cent, clockwise from the card's own top left.
        cell: its place on a 3x3 grid, 1 to 9 row by row, where one was asked for.
        accepted: whether it was kept, where that was asked for.
    """

    file: str
    name: str
    game: str | None
    id: str | None
    sure: bool
    zones: ZoneNumbers
    numbers: list[SeenNumberJson]
    doubts: list[ScanDoubtJson]
    contradictions: list[str]
    corners: list[list[float]]
    cell: NotRequired[int]
    accepted: NotRequired[bool]


class Known(NamedTuple):
    """The card of the catalogue that a scanned one is taken for; `sure` where name, number or both leave no other."""

    card: Candidate
    sure: bool
    reason: str


def recognise(scanned: ScannedCard, matcher: Resolver, names: Sequence[str]) -> Known | None:
    """The card that a scanned one is, or is most likely; None where no line on it is nearly a name.

    `names` are its lines that may be a name, most likely first.
    """
    likely: Known | None = None
    for name in names[:_TRIED]:
        if not _SHORTEST <= len(fold(name)) <= _LONGEST:
            continue
        row = Row(0, name, (("normal", 1),), name, number=scanned.collector)
        found = matcher.match(row)
        if found.card is None and (nearly := matcher.likely(row)):
            found = MatchResult(nearly, "fuzzy", f"{nearly.name!r} is nearly {name!r}")
        if found.card is None:
            continue
        known = _weighed(found, found.card, scanned, first=name == names[0])
        if known.sure:
            return known
        likely = likely or known
    return likely


def _weighed(found: MatchResult, card: Candidate, scanned: ScannedCard, *, first: bool) -> Known:
    """How sure a match is: a name as it is in the catalogue, whose number is not another one than is printed."""
    numbered = bool(scanned.collector and card.number)
    agrees = numbered and same_number(card.number, scanned.collector)
    if found.how == "fuzzy":
        return Known(card, agrees, found.reason)
    if numbered and not agrees:
        return Known(card, False, f"its number is {card.number}, and {scanned.collector} was read")
    if found.others and not agrees:
        return Known(card, False, f"{found.others + 1} printings have this name")
    return Known(card, agrees or first, "" if agrees or first else "the name is not the largest text on it")


def contradictions(scanned: ScannedCard, card: Card) -> list[str]:
    """Where what was read for certain is not what the catalogue says, in words, zone by zone."""
    found = []
    read: dict[str, list[int]] = {}
    for number in scanned.rim:
        if number.confidence >= SURE:
            read.setdefault(number.zone, []).append(number.value)
    doubtful = {doubt.zone for doubt in scanned.doubts} | {n.zone for n in scanned.rim if n.confidence < SURE}
    for zone in ZONES:
        said, seen = card.zones.get(zone), read.get(zone, [])
        if zone in doubtful or card.reason == f"multiple-numbers:{zone}":
            continue
        if said is not None and seen != [said]:
            found.append(f"{zone}: the catalogue has {said}, the picture {' and '.join(map(str, seen)) or 'nothing'}")
        elif said is None and seen:
            found.append(f"{zone}: the catalogue has nothing, the picture {' and '.join(map(str, seen))}")
    return found


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

    def to_dict(self, *, accepted: bool | None = None) -> ScanJson:
        """The card in the documented shape of `scan --json`, and whether it was kept, where that was asked for."""
        told: ScanJson = {
            "file": self.file,
            "name": self.name,
            "game": self.card.game if self.card is not None else self.game or None,
            "id": self.card.id if self.card is not None else None,
            "sure": self.sure,
            "zones": cast("ZoneNumbers", self.zones),
            "numbers": [
                {
                    "raw": number.raw,
                    "value": number.value,
                    "zone": cast("Printed", number.zone),
                    "x": round(number.x, 1),
                    "y": round(number.y, 1),
                    "confidence": round(number.confidence, 3),
                }
                for number in self.read.numbers
            ],
            "doubts": [
                {
                    "zone": cast("Printed", d.zone),
                    "x": round(d.x, 1),
                    "y": round(d.y, 1),
                    "value": d.value,
                    "others": list(d.others),
                }
                for d in self.read.doubts
            ],
            "contradictions": list(self.contradictions),
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.read.corners],
        }
        if self.read.cell is not None:
            told["cell"] = self.read.cell + 1
        if accepted is not None:
            told["accepted"] = accepted
        return told
