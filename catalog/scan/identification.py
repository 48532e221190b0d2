"""Identification of a scanned card in the catalogue."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ccgrid.catalog.card import Card
from ccgrid.catalog.lines import may_be_code
from ccgrid.catalog.matching.candidates import Candidate, bare_name, same_number, similarity, squeeze
from ccgrid.catalog.matching.names import fold, is_misread
from ccgrid.catalog.matching.resolver import Resolver
from ccgrid.catalog.matching.rows import Row
from ccgrid.catalog.numbers import collector_number
from ccgrid.catalog.scan.comparison import differing_zones, in_catalogue_zones
from ccgrid.catalog.scan.values import ScannedCard

_TRIED: Final = 8
"""The number of lines of a card that are tried as its name."""
_TITLES: Final = 4
"""The number of lines in which a name is the card's own; a text farther down may mention another card."""
_SHORTEST: Final = 4  # letters of a name that is looked for
_LONGEST: Final = 60  # letters of it
_CLOSE: Final = 88.0  # of 100: names so alike may be one
_AGREED: Final = 2  # the fewest zones with the same numbers
_MOST_PRINTINGS: Final = 40  # of one name that are compared
_PRINTED: Final = 3  # digits of a collector number, in front of which data write the set: 4013


class Recognition(NamedTuple):
    """The catalogue's card that a scan is matched to; `sure` if name, number or both exclude all others."""

    card: Candidate
    sure: bool
    reason: str


def identify(scanned: ScannedCard, matcher: Resolver, whole: Callable[[str], Card]) -> Recognition | None:
    """Return the card that a scan most likely shows, or None if no line may be its code or its name.

    A name counts anywhere on the card; the collector number and the other numbers distinguish its printings. A card
    that is not certain must have its name among the first lines. `whole` returns the card with an id.
    """
    coded: Recognition | None = None
    if matcher.known.is_code(scanned.collector):
        coded = _of_code(matcher.known.cards_coded(scanned.collector), scanned, whole)
        if coded.sure:
            return coded
    named: dict[str, tuple[int, str, list[Candidate]]] = {}
    for place, line in _lines(scanned):
        # By name; a name on two lines counts at the first one.
        if printings := matcher.known.cards_printed(line):
            named.setdefault(bare_name(printings[0].name), (place, line, printings))
    # Fighter Pod is a part of Fighter Pod - Destruction.
    parts = {name for name in named for other in named if name != other and f" {name} " in f" {other} "}
    named = {name: found for name, found in named.items() if name not in parts}
    # Exact names come first, then similar ones, and then a code alone: the user may have typed a name.
    likely: Recognition | None = None
    titles = {name for name, (place, _, _) in named.items() if place < _TITLES}
    for name, (place, line, printings) in named.items():
        largest = bare_name(scanned.name) == name
        # The largest text may be a place that belongs to the card.
        first = largest and titles <= {name}
        known = _weigh(printings, scanned, whole, first=first, only=len(named) == 1 and place < _TITLES)
        # "Fire" may be a card of another game.
        is_specific = _identifies_card(known.card, line, scanned, matcher, whole)
        if known.sure and not is_specific:
            known = Recognition(known.card, False, "one word may be a name in another game; --game says which it is")
        if known.sure:
            return known
        # A single word with other numbers is no name, such as the type Hero, or another card's.
        may_be = is_specific or not _compare_zones(scanned, whole(known.card.id))[1]
        if likely is None and (largest or (place < _TITLES and may_be)):
            likely = known
    # Only if there is no exact name.
    for place, line in _lines(scanned)[:_TRIED] if not named else ():
        nearly = matcher.likely(Row(0, line, (("normal", 1),), line, number=scanned.collector))
        if nearly is None:
            continue
        printings = matcher.known.cards_printed(bare_name(nearly.name)) or [nearly]
        known = _weigh(printings, scanned, whole, first=True, only=True)
        is_specific = _identifies_card(known.card, line, scanned, matcher, whole)
        if known.sure and _is_proven(known.card, line, scanned, whole, is_specific=is_specific):
            return known
        if likely is None and is_specific and place < _TITLES and similarity(line, nearly) >= _CLOSE:
            likely = Recognition(known.card, False, known.reason or f"{nearly.name!r} is nearly {line!r}")
    return likely or coded


def with_known_code(scanned: ScannedCard, matcher: Resolver) -> ScannedCard:
    """Return the scan with the code of a card of the catalogue as its collector number, if it was read.

    The icon after a code may be read as one more character: BT1-0860 is BT1-086 if the catalogue has that.
    """
    for line in scanned.lines:
        texts = filter(_is_code, (line.text, line.text[:-1]))
        code = next(filter(matcher.known.is_code, texts), "")
        value = collector_number(code, "last")
        if value is not None:
            numbers = tuple(
                number._replace(raw=code, value=value) if line.covers(number.x, number.y) else number
                for number in scanned.numbers
            )
            doubts = tuple(doubt for doubt in scanned.doubts if not line.covers(doubt.x, doubt.y))
            return replace(scanned, numbers=numbers, doubts=doubts, collector=code)
    return scanned


def _other_code(scanned: ScannedCard, number: str) -> str:
    """Return a code on the scan that is not the collector number, if that is a code, too; else an empty text."""
    codes = [line.text for line in scanned.lines if _is_code(line.text)] if _is_code(number) else []
    own = number.casefold()
    return next((code for code in codes if own not in (code.casefold(), code[:-1].casefold())), "")


def _is_code(text: str) -> bool:
    """Return whether a text has the form of a code with letters: 2/73 is no code of a card."""
    return may_be_code(text) and any(map(str.isalpha, text))


def _of_code(cards: Sequence[Candidate], scanned: ScannedCard, whole: Callable[[str], Card]) -> Recognition:
    """Return the card with the code that was read; it is certain if its name or another number agrees."""
    known = _weigh(cards, scanned, whole, first=True, only=True)
    agreed, unlike = _compare_zones(scanned, whole(known.card.id))
    is_named = any(similarity(line, known.card) >= _CLOSE for _, line in _lines(scanned)[:_TITLES])
    if known.sure and not is_named and (unlike or agreed < _AGREED):
        return Recognition(known.card, False, f"{scanned.collector} was read, but not its name")
    return known


def _is_proven(
    card: Candidate, line: str, scanned: ScannedCard, whole: Callable[[str], Card], *, is_specific: bool
) -> bool:
    """Return whether a line is a similar name of a card: apart from blanks, by number or by several numbers.

    The largest text may have misread letters, if the name `is_specific`.
    """
    agreed, unlike = _compare_zones(scanned, whole(card.id))
    # Readings of a picture lose and gain blanks.
    if squeeze(line) == squeeze(bare_name(card.name)):
        return not unlike
    if line == scanned.name and is_specific and not unlike and is_misread(line, bare_name(card.name)):
        return True
    if _has_number(scanned, card.number):
        return True
    return similarity(line, card) >= _CLOSE and agreed >= _AGREED and not unlike


def _identifies_card(
    card: Candidate, line: str, scanned: ScannedCard, matcher: Resolver, whole: Callable[[str], Card]
) -> bool:
    """Return whether a name on a line identifies the card, which among several games a single word does not."""
    return (
        bool(matcher.known.only_game)
        or " " in fold(line)
        or _has_number(scanned, card.number)
        or _compare_zones(scanned, whole(card.id))[0] > 0
    )


def _lines(scanned: ScannedCard) -> list[tuple[int, str]]:
    """Return possible names, most likely first: lines, and then parts in quotation marks or after a colon.

    Each comes with the place of its line.
    """
    whole = list(enumerate(line for line in scanned.names if _SHORTEST <= len(fold(line)) <= _LONGEST))
    # "Agent: Fox" may be called Fox.
    parts = [(place, part) for place, line in whole for part in re.split(r'[":“”]', line)[1:]]
    places: dict[str, int] = {}
    for place, line in (*whole, *parts):
        if len(fold(line)) >= _SHORTEST:
            places.setdefault(line.strip(), place)
    return [(place, line) for line, place in places.items()]


def _weigh(
    printings: Sequence[Candidate], scanned: ScannedCard, whole: Callable[[str], Card], *, first: bool, only: bool
) -> Recognition:
    """Return the most likely printing of a name, and whether it is certain."""
    numbered = [card for card in printings if _has_number(scanned, card.number)]
    compared = [(card, *_compare_zones(scanned, whole(card.id))) for card in numbered or printings[:_MOST_PRINTINGS]]
    # Those without a contradicting zone; if there are none, all.
    fitting = [one for one in compared if not one[2]] or compared
    card, agreed, unlike = max(fitting, key=lambda one: one[1])
    if len(fitting) > 1 or (len(printings) > _MOST_PRINTINGS and not numbered):
        return Recognition(card, False, f"{len(printings)} printings have this name")
    if numbered:
        return Recognition(card, True, "")
    if code := _other_code(scanned, card.number):
        return Recognition(card, False, f"its code is {card.number}, and {code} was read")
    proven = agreed >= _AGREED and not unlike
    if scanned.collector and card.number and not proven:
        return Recognition(card, False, f"its number is {card.number}, and {scanned.collector} was read")
    if len(printings) == 1 and card.other_printings and card.number:
        return Recognition(card, False, "the catalogue lacks other printings of it")
    if len(printings) > 1 and not proven:
        return Recognition(card, False, f"{len(printings)} printings have this name")
    if first or proven or (only and not unlike):
        return Recognition(card, True, "")
    return Recognition(card, False, "it is not the largest text, or not the only name on the card")


def _compare_zones(scanned: ScannedCard, card: Card) -> tuple[int, int]:
    """Return the number of zones that agree with what was read, and the number of certain differences."""
    placed = in_catalogue_zones(scanned, card)
    read = placed.zones
    agreed = sum(read.get(zone) == value for zone, value in card.zones.items())
    return agreed, sum(zone in read for zone, _, _ in differing_zones(placed, card))


def _has_number(scanned: ScannedCard, number: str) -> bool:
    """Return whether a collector number may be the one on a scan."""
    return is_same_number(number, scanned.collector) and not _other_code(scanned, number)


def is_same_number(number: str, read: str) -> bool:
    """Return whether a collector number may be the one that was read: 4013 is printed as 13, 3R149 as 3 R 149."""
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
