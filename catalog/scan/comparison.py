"""Comparison of a scanned card with the catalogue's card."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScannedCard, middle_of
from ccgrid.catalog.zones import ZONES


def contradictions(scanned: ScannedCard, card: Card) -> list[str]:
    """Return the certain differences between the picture and the catalogue as text, zone by zone."""
    return [
        f"{zone}: the catalogue has {_in_words(said)}, the picture {_in_words(seen)}"
        for zone, said, seen in differing_zones(in_catalogue_zones(scanned, card), card)
    ]


def in_catalogue_zones(scanned: ScannedCard, card: Card) -> ScannedCard:
    """Return a scan with each number in the zone in which the catalogue has it, if it was read in the one beside it.

    The box around a number may lie in another zone than its digits, and the zone of the box counts.
    """
    numbers = list(scanned.numbers)
    surplus = Counter((number.zone, number.value) for number in numbers)
    surplus.subtract(card.zones.items())
    filled = {number.zone for number in scanned.rim}
    for zone, value in card.zones.items():
        beside = [
            number
            for number in numbers
            if number.value == value and _are_beside(number.zone, zone) and surplus[number.zone, value] > 0
        ]
        if beside and zone not in filled:
            nearest = min(beside, key=lambda number: math.dist((number.x, number.y), middle_of(zone)))
            surplus[nearest.zone, value] -= 1
            numbers[numbers.index(nearest)] = nearest._replace(zone=zone)
    return replace(scanned, numbers=tuple(numbers))


def _are_beside(zone: str, other: str) -> bool:
    """Return whether two zones are a corner and one of its sides, such as `top-left` and `top`."""
    return zone != other and (zone in other.split("-") or other in zone.split("-"))


def differing_zones(scanned: ScannedCard, card: Card) -> list[tuple[str, list[int], list[int]]]:
    """Return each zone that differs for certain, with the catalogue's numbers and the picture's.

    The numbers of the scan are in the zones of the catalogue (`in_catalogue_zones`).
    """
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
