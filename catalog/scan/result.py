"""One scanned card: what was read, the card of the catalogue that it is, and its documented JSON."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, NotRequired, TypedDict, cast

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.matching.asking import Row
from ccgrid.catalog.matching.names import Candidate, bare_name, fold, same_number, similarity
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.scan.values import SURE, ScannedCard
from ccgrid.catalog.zones import FACE, PLACES, ZONES, ZoneNumbers, ZoneOrFace

_TRIED: Final = 8
"""How many lines of a card are tried as its name."""
_TITLES: Final = 4
"""Among how many lines a name is the card's own; farther down a text may speak of another card."""
_SHORTEST: Final = 4  # letters of a name that is looked for
_LONGEST: Final = 60  # letters of it
_CLOSE: Final = 88.0  # of 100: names so alike are one if the numbers agree
_AGREED: Final = 2  # the fewest zones with the same numbers
_MOST_PRINTINGS: Final = 40  # of one name that are compared
_PRINTED: Final = 3  # digits of a collector number, in front of which data write the set: 4013


class SeenNumberJson(TypedDict):
    """A numeral on a picture: its centre in per cent of the card's width and height, and how sure it is, 0 to 1."""

    raw: str
    value: int
    zone: ZoneOrFace
    x: float
    y: float
    confidence: float


class ScanDoubtJson(TypedDict):
    """Where a number may have been missed or misread, in per cent of the card's width and height.

    Attributes:
        value: the likeliest number there, null where nothing could be read.
        others: the next likely ones.
    """

    zone: ZoneOrFace
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


class Recognition(NamedTuple):
    """The card of the catalogue that a scanned one is taken for; `sure` where name, number or both leave no other."""

    card: Candidate
    sure: bool
    reason: str


def identify(scanned: ScannedCard, matcher: Resolver, whole: Callable[[str], Card]) -> Recognition | None:
    """The card that a scanned one is, or is most likely; None where no line on it is nearly a name.

    A name counts wherever it is on the card; of several printings the collector number and the other numbers tell
    which. `whole` gives the card with an id.
    """
    named: dict[str, tuple[int, list[Candidate]]] = {}
    for place, line in enumerate(_lines(scanned)):
        # By the name; the same name on two lines counts where it comes first.
        if printings := matcher.cards_printed(line):
            named.setdefault(bare_name(printings[0].name), (place, printings))
    # Names that are on the card as they are come first, then those that are nearly so.
    likely: Recognition | None = None
    for name, (place, printings) in named.items():
        largest = bare_name(scanned.name) == name
        known = _weigh(printings, scanned, whole, first=largest, only=len(named) == 1 and place < _TITLES)
        # "Fire" may be a card of another game.
        if known.sure and not (matcher.is_of_one_game or _tells(known.card, scanned, whole)):
            known = Recognition(known.card, False, "one word may be a name in another game; --game says which it is")
        if known.sure:
            return known
        likely = likely or known
    # Only where no name is on it as it is.
    for line in _lines(scanned)[:_TRIED] if likely is None else ():
        nearly = matcher.likely(Row(0, line, (("normal", 1),), line, number=scanned.collector))
        if nearly is not None:
            sure = _is_proven(nearly, line, scanned, whole)
            known = Recognition(nearly, sure, "" if sure else f"{nearly.name!r} is nearly {line!r}")
            if sure:
                return known
            likely = likely or known
    return likely


def bears_name(scanned: ScannedCard, name: str) -> bool:
    """Whether a line on a scanned card is this name, apart from spaces and signs."""
    return bare_name(name) in map(bare_name, _lines(scanned))


def _is_proven(card: Candidate, line: str, scanned: ScannedCard, whole: Callable[[str], Card]) -> bool:
    """Whether a line that is nearly the name of a card is that: but for spaces, or by number, or by several numbers."""
    agreed, unlike = _compare_zones(scanned, whole(card.id))
    # Blanks come and go where a picture is read.
    if "".join(fold(line).split()) == "".join(fold(card.name).split()):
        return not unlike
    if is_same_number(card.number, scanned.collector):
        return True
    return similarity(line, card) >= _CLOSE and agreed >= _AGREED and not unlike


def _tells(card: Candidate, scanned: ScannedCard, whole: Callable[[str], Card]) -> bool:
    """Whether a name that was read tells the card among several games: one word alone is printed on cards of others."""
    return (
        " " in fold(card.name)
        or is_same_number(card.number, scanned.collector)
        or _compare_zones(scanned, whole(card.id))[0] > 0
    )


def _lines(scanned: ScannedCard) -> list[str]:
    """What may be the name, most likely first: lines, and then what is in quotation marks or behind a colon."""
    whole = [line for line in scanned.names if _SHORTEST <= len(fold(line)) <= _LONGEST]
    # "Agent: Fox" may be called Fox.
    parts = [part for line in whole for part in re.split(r'[":“”]', line)[1:] if len(fold(part)) >= _SHORTEST]
    return list(dict.fromkeys(line.strip() for line in (*whole, *parts)))


def _weigh(
    printings: Sequence[Candidate], scanned: ScannedCard, whole: Callable[[str], Card], *, first: bool, only: bool
) -> Recognition:
    """Which of the printings of a name that was read is meant, and how sure that is."""
    numbered = [card for card in printings if is_same_number(card.number, scanned.collector)]
    compared = [(card, *_compare_zones(scanned, whole(card.id))) for card in numbered or printings[:_MOST_PRINTINGS]]
    # Those without a zone that is certainly another; if all have one, all.
    fitting = [one for one in compared if not one[2]] or compared
    card, agreed, unlike = max(fitting, key=lambda one: one[1])
    if len(fitting) > 1 or (len(printings) > _MOST_PRINTINGS and not numbered):
        return Recognition(card, False, f"{len(printings)} printings have this name")
    if numbered:
        return Recognition(card, True, "")
    proven = agreed >= _AGREED and not unlike
    if scanned.collector and card.number and not proven:
        return Recognition(card, False, f"its number is {card.number}, and {scanned.collector} was read")
    if len(printings) > 1 and not proven:
        return Recognition(card, False, f"{len(printings)} printings have this name")
    if first or proven or (only and not unlike):
        return Recognition(card, True, "")
    return Recognition(card, False, "the name is not the largest text on it")


def _compare_zones(scanned: ScannedCard, card: Card) -> tuple[int, int]:
    """In how many zones a card has the number that was read, and in how many another one was, for certain."""
    read = scanned.zones
    agreed = sum(read.get(zone) == value for zone, value in card.zones.items())
    return agreed, sum(zone in read for zone, _, _ in _unlike(scanned, card))


def is_same_number(number: str, read: str) -> bool:
    """Whether a collector number in the data may be what was read: 4013 is printed as 13, 3R149 as 3 R 149."""
    if not number or not read:
        return False
    runs = [re.findall(r"\d+", text) for text in (number, read)]
    if not all(runs):
        return same_number(number, read)
    own, printed = (run[-1] for run in runs)
    return (
        same_number(number, read)
        or own.lstrip("0") == printed.lstrip("0")
        # 4013: the last three digits are the number, with zeros before it: 013 for 13.
        or (len(own) > _PRINTED >= len(printed) and own.endswith(printed.zfill(_PRINTED)))
    )


def contradictions(scanned: ScannedCard, card: Card) -> list[str]:
    """Where what was read for certain is not what the catalogue says, in words, zone by zone."""
    return [
        f"{zone}: the catalogue has {_in_words(said)}, the picture {_in_words(seen)}"
        for zone, said, seen in _unlike(scanned, card)
    ]


def shows_other_numbers(scanned: ScannedCard, card: Card) -> bool:
    """Whether a number was read for certain where the catalogue has another one, or none."""
    return any(seen for _, _, seen in _unlike(scanned, card))


def _unlike(scanned: ScannedCard, card: Card) -> list[tuple[str, list[int], list[int]]]:
    """The same: each zone, what the catalogue has there, and what the picture."""
    read: dict[str, list[int]] = {}
    for number in scanned.rim:
        if number.confidence >= SURE:
            read.setdefault(number.zone, []).append(number.value)
    doubtful = {doubt.zone for doubt in scanned.doubts} | {n.zone for n in scanned.rim if n.confidence < SURE}
    reason = card.reason or ""
    found = []
    for zone in ZONES:
        said, seen = [card.zones[zone]] if zone in card.zones else [], read.get(zone, [])
        # A card with several numbers in one zone may have others, of which `zones` says nothing either.
        unknown = reason == f"multiple-numbers:{zone}" or (reason.startswith("multiple-numbers") and len(seen) > 1)
        # Where the data say nothing of a zone, and say so, the picture does not contradict them.
        if zone not in doubtful and said != seen and (said or not unknown):
            found.append((zone, said, seen))
    return found


def _in_words(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers)) or "nothing"


def lacks_numbers(card: Card) -> bool:
    """Whether the data of a card say that they lack numbers. A card on which none is printed lacks none."""
    return (card.reason or "").startswith("data:")


def adds_to(shown: Sequence[int], there: Sequence[int]) -> bool:
    """Whether pictures show in a zone all that the data have there, and more.

    >>> adds_to([3, 6], [3]), adds_to([3], []), adds_to([6], [3]), adds_to([3], [3])
    (True, True, False, False)
    """
    # `<`: all of it, and more.
    return Counter(there) < Counter(shown)


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
    known: Recognition | None = None
    card: Card | None = None
    contradictions: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether no person need look at it: the card is known for certain, or every number was read for certain."""
        if self.card is None:
            return self.read.sure
        return not self.contradictions or (self.lacks_numbers and self.agrees and self.read.sure)

    @property
    def lacks_numbers(self) -> bool:
        """Whether it is a card of the catalogue whose data lack numbers: the picture fills them in."""
        return self.card is not None and lacks_numbers(self.card)

    @property
    def agrees(self) -> bool:
        """Whether every number of the data is among those that were read for certain in its zone, if any were."""
        unlike = _unlike(self.read, self.card) if self.card is not None else []
        return all(number in seen for _, said, seen in unlike for number in said)

    @property
    def zones(self) -> dict[str, int]:
        """Its numbers: the catalogue's where it has the card, else those that were read; both where data lack some."""
        if self.card is None:
            return self.read.zones
        return {zone: found[0] for zone, found in self._numbers_by_zone.items() if len(found) == 1}

    @property
    def name(self) -> str:
        """What it is called: by the catalogue, else by the picture."""
        return self.card.name if self.card is not None else self.read.name

    @property
    def doubtful(self) -> frozenset[str]:
        """The zones in which a number may be another one, or may have been missed."""
        return self._unsure | {sentence.partition(":")[0] for sentence in self.contradictions}

    @property
    def _numbers_by_zone(self) -> dict[str, list[int]]:
        """The catalogue's numbers of each zone; where its data lack some, with those of zones without a doubt."""
        there = {zone: [value] for zone, value in self.card.zones.items()} if self.card is not None else {}
        if self.card is None or not (self.lacks_numbers or self.card.reason == "no-number"):
            return there
        seen: dict[str, list[int]] = {}
        for number in self.read.rim:
            if number.zone not in self._unsure:
                seen.setdefault(number.zone, []).append(number.value)
        return there | {zone: found for zone, found in seen.items() if adds_to(found, there.get(zone, ()))}

    @property
    def _unsure(self) -> frozenset[str]:
        unsure = {number.zone for number in self.read.rim if number.confidence < SURE}
        return frozenset(unsure | {doubt.zone for doubt in self.read.doubts})

    def entry(self) -> CustomCard:
        """What a person is shown of it, to accept or to correct: the catalogue's card, else what was read.

        A card whose data lack numbers is shown with what was read for certain.
        """
        known = self.catalogued()
        if known is not None:
            filled = {zone: ", ".join(map(str, found)) for zone, found in self._numbers_by_zone.items()}
            return replace(known, printed={**known.printed, **filled})
        found: dict[str, list[str]] = {}
        for number in self.read.numbers:
            if number.counts:
                found.setdefault(number.zone, []).append(str(number.value))
        texts: dict[str, str] = {place: ", ".join(found[place]) for place in PLACES if place in found}
        return CustomCard(self.game, self.name, "", self.read.collector, texts)

    def catalogued(self) -> CustomCard | None:
        """The catalogue's card as somebody would enter it; None where it is not known for certain."""
        if self.card is None:
            return None
        card = self.card
        printed = {zone: str(value) for zone, value in card.zones.items()}
        if card.face:
            printed[FACE] = ", ".join(map(str, card.face))
        return CustomCard(card.game, card.name, card.set_code, card.collector_number, printed)

    def to_dict(self, *, accepted: bool | None = None) -> ScanJson:
        """The card in the documented shape of `scan --json`, and whether it was kept, where that was asked for."""
        document: ScanJson = {
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
                    "zone": cast("ZoneOrFace", number.zone),
                    "x": round(number.x, 1),
                    "y": round(number.y, 1),
                    "confidence": round(number.confidence, 3),
                }
                for number in self.read.numbers
            ],
            "doubts": [
                {
                    "zone": cast("ZoneOrFace", d.zone),
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
            document["cell"] = self.read.cell + 1
        if accepted is not None:
            document["accepted"] = accepted
        return document
