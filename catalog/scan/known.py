"""Recognising scanned cards that the catalogue has: by name and collector number, through the one resolver."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from catalog.card import ZONES, Card
from catalog.matching.lookup import MatchResult
from catalog.matching.resolver import Resolver
from catalog.matching.row import Row
from catalog.matching.search import fold
from catalog.matching.spellings import Candidate, same_number
from catalog.scan.values import SURE, ScannedCard

_TRIED: Final = 8
"""So many lines of a card are tried as its name."""
_SHORTEST: Final = 4  # letters of a name that is looked for
_LONGEST: Final = 60


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
