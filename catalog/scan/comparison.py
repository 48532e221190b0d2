"""Comparison of a scanned card with the catalogue's card."""

from collections import Counter
from collections.abc import Sequence

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScannedCard
from ccgrid.catalog.zones import ZONES


def contradictions(scanned: ScannedCard, card: Card) -> list[str]:
    """Return the certain differences between the picture and the catalogue as text, zone by zone."""
    return [
        f"{zone}: the catalogue has {_in_words(said)}, the picture {_in_words(seen)}"
        for zone, said, seen in differing_zones(scanned, card)
    ]


def differing_zones(scanned: ScannedCard, card: Card) -> list[tuple[str, list[int], list[int]]]:
    """Return each zone that differs for certain, with the catalogue's numbers and the picture's."""
    read: dict[str, list[int]] = {}
    for number in scanned.rim:
        if number.confidence >= MIN_CERTAIN_CONFIDENCE:
            read.setdefault(number.zone, []).append(number.value)
    doubtful = {doubt.zone for doubt in scanned.doubts} | {
        n.zone for n in scanned.rim if n.confidence < MIN_CERTAIN_CONFIDENCE
    }
    reason = card.reason or ""
    found = []
    for zone in ZONES:
        said, seen = [card.zones[zone]] if zone in card.zones else [], read.get(zone, [])
        # A card with several numbers in one zone may have others, which `zones` omits, too.
        unknown = reason == f"multiple-numbers:{zone}" or (reason.startswith("multiple-numbers") and len(seen) > 1)
        # A zone that is known to be missing from the data cannot contradict the picture.
        if zone not in doubtful and said != seen and (said or not unknown):
            found.append((zone, said, seen))
    return found


def _in_words(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers)) or "nothing"


def lacks_numbers(card: Card) -> bool:
    """Return whether a card is marked as lacking numbers in its data, unlike a card without printed numbers."""
    return (card.reason or "").startswith("data:")


def adds_to(shown: Sequence[int], there: Sequence[int]) -> bool:
    """Return whether pictures show all numbers that the data have in a zone, and more.

    >>> adds_to([3, 6], [3]), adds_to([3], []), adds_to([6], [3]), adds_to([3], [3])
    (True, True, False, False)
    """
    # `<`: all of it, and more.
    return Counter(there) < Counter(shown)
