"""Identification of a scanned card in the catalogue."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.matching.asking import Row
from ccgrid.catalog.matching.names import Candidate, bare_name, fold, same_number, similarity
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.scan.comparison import differing_zones
from ccgrid.catalog.scan.values import ScannedCard

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
        if known.sure and not (matcher.is_of_one_game or _identifies_card(known.card, scanned, whole)):
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


def _identifies_card(card: Candidate, scanned: ScannedCard, whole: Callable[[str], Card]) -> bool:
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
    return agreed, sum(zone in read for zone, _, _ in differing_zones(scanned, card))


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
