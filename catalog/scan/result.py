"""A scanned card with the catalogue's card that it was matched to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.scan.certainty import usual_places, with_usual_numbers
from ccgrid.catalog.scan.comparison import adds_to, contradictions, differing_zones, in_catalogue_zones, lacks_numbers
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScannedCard
from ccgrid.catalog.zones import FACE, PLACES


@dataclass(frozen=True, slots=True)
class Scan:
    """One card on one picture: what was read, and the catalogue's card, if it was identified.

    `digest` identifies the picture independently of its name; `known` is the most likely card and `card` the certain
    one; `contradictions` describe differences between catalogue and picture.
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
        """Whether the user need not check it: the catalogue has the card with its numbers, and the picture agrees.

        A card that is known only by its picture may have more numbers, which nothing saw.
        """
        return not self.needs_numbers and not self.contradictions

    @property
    def lacks_numbers(self) -> bool:
        """Whether the data of its card lack numbers, which the picture supplies."""
        return self.card is not None and lacks_numbers(self.card)

    @property
    def needs_numbers(self) -> bool:
        """Whether its numbers come from the picture, because the catalogue lacks the card or its numbers."""
        return self.card is None or self.lacks_numbers

    @property
    def agrees(self) -> bool:
        """Whether every number of the data is among the certain ones in its zone, if there are any."""
        unlike = differing_zones(self._placed, self.card) if self.card is not None else []
        return all(number in seen for _, said, seen in unlike for number in said)

    @property
    def zones(self) -> dict[str, int]:
        """Its numbers: the catalogue's if the card is known, or those that were read; both if data lack some."""
        if self.card is None:
            return self.read.zones
        return {zone: found[0] for zone, found in self._numbers_by_zone.items() if len(found) == 1}

    @property
    def name(self) -> str:
        """Its name in the catalogue, or else on the picture."""
        return self.card.name if self.card is not None else self.read.name

    @property
    def doubtful(self) -> frozenset[str]:
        """The zones in which a number may be wrong or missing."""
        return self._unsure | {sentence.partition(":")[0] for sentence in self.contradictions}

    @property
    def _numbers_by_zone(self) -> dict[str, list[int]]:
        """The catalogue's numbers by zone; if its data lack some, with those of zones without a doubt."""
        there = {zone: [value] for zone, value in self.card.zones.items()} if self.card is not None else {}
        if self.card is None or not (self.lacks_numbers or self.card.reason == "no-number"):
            return there
        seen: dict[str, list[int]] = {}
        for number in self._placed.rim:
            if number.zone not in self._unsure:
                seen.setdefault(number.zone, []).append(number.value)
        return there | {zone: found for zone, found in seen.items() if adds_to(found, there.get(zone, ()))}

    @property
    def _placed(self) -> ScannedCard:
        """What was read, with the numbers in the zones of the catalogue."""
        return self.read if self.card is None else in_catalogue_zones(self.read, self.card)

    @property
    def _unsure(self) -> frozenset[str]:
        unsure = {number.zone for number in self.read.rim if number.confidence < MIN_CERTAIN_CONFIDENCE}
        return frozenset(unsure | {doubt.zone for doubt in self.read.doubts})

    def of_card(self, card: Card) -> "Scan":
        """Return the scan as one of this card of the catalogue."""
        return replace(self, card=card, game=card.game, contradictions=tuple(contradictions(self.read, card)))

    def entry(self) -> CustomCard:
        """Return the card that the user accepts or corrects: the catalogue's card, or what was read.

        A card whose data lack numbers is completed with the certain ones.
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
        """Return the catalogue's card as an entered card, or None if it is not certain."""
        if self.card is None:
            return None
        card = self.card
        printed = {zone: str(value) for zone, value in card.zones.items()}
        if card.face:
            printed[FACE] = ", ".join(map(str, card.face))
        return CustomCard(card.game, card.name, card.set_code, card.collector_number, printed)


def compared(scan: Scan, others: Sequence[Scan]) -> Scan:
    """Return a scan with doubts about numbers that it lacks, but many of the others of its game have.

    A card of an unknown game is probably of the game of all others. A card whose numbers the catalogue has does not
    change.
    """
    if not scan.needs_numbers:
        return scan
    named = {one.game for one in (*others, scan) if one.game}
    probable = named.pop() if len(named) == 1 else ""
    reads = [one.read for one in (*others, scan) if (one.game or probable) == (scan.game or probable)]
    return replace(scan, read=with_usual_numbers(scan.read, usual_places(reads)))
