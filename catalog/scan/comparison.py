"""Comparison of a scanned card with the catalogue's card."""

from collections import Counter
from collections.abc import Sequence

from ccgrid.catalog.card import Card
from ccgrid.catalog.scan.values import SURE, ScannedCard
from ccgrid.catalog.zones import ZONES


def contradictions(scanned: ScannedCard, card: Card) -> list[str]:
    """Where what was read for certain is not what the catalogue says, in words, zone by zone."""
    return [
        f"{zone}: the catalogue has {_in_words(said)}, the picture {_in_words(seen)}"
        for zone, said, seen in differing_zones(scanned, card)
    ]


def shows_other_numbers(scanned: ScannedCard, card: Card) -> bool:
    """Whether a number was read for certain where the catalogue has another one, or none."""
    return any(seen for _, _, seen in differing_zones(scanned, card))


def differing_zones(scanned: ScannedCard, card: Card) -> list[tuple[str, list[int], list[int]]]:
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
