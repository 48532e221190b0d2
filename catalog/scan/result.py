"""A scanned card with the catalogue's card that it was matched to."""

from dataclasses import dataclass, replace

from ccgrid.catalog.card import Card
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.scan.comparison import adds_to, differing_zones, lacks_numbers
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.values import SURE, ScannedCard
from ccgrid.catalog.zones import FACE, PLACES


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
        unlike = differing_zones(self.read, self.card) if self.card is not None else []
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
