"""Learning from accepted cards of a game: positions and forms of numbers on each kind of frame."""

import math
import re
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter, mul
from typing import Any, Final, NamedTuple, TypeVar

from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.numbers import Slash, numerals
from ccgrid.catalog.scan.places import find_numbers
from ccgrid.catalog.scan.spots import vote_of
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, NumberPlace, Prior, ScannedCard, SeenText, zone_at
from ccgrid.catalog.zones import ZONES

Item = TypeVar("Item")

_MOST: Final = 60
"""The number of accepted cards of a game, the latest ones, that are used."""
_MOST_PLACES: Final = 24
"""The most positions that are read separately."""
_SUREST: Final = 0.99
"""The highest confidence of a single reading."""
_SILENCE: Final = 2.2
"""The weight of a copy on which nothing was read, in log odds: one number of nine is missed."""
_UNLIKE: Final = 30.0
"""The mean difference of two frames, in steps of 255, at which one has the weight 1/e for the other."""
_ONE_FRAME: Final = 0.4
"""The lowest similarity of two cards with the same kind of frame."""
_DOUBTFUL: Final = 0.3
"""The confidence of a number that is only a doubt."""
_MISPLACED: Final = 2.0
"""Positions closer than this, in per cent of the card, are one."""


@dataclass(frozen=True, slots=True)
class AcceptedCard:
    """The scan of an accepted card: the numbers in each zone, their positions, and its fingerprint.

    Each number is a value and its confidence, 0 to 1; 1 if the user entered it. The value is None if there may be a
    number
    that could not be read.
    """

    card_id: str = ""
    numbers: Mapping[str, Sequence[tuple[int | None, float]]] = field(default_factory=dict)
    places: tuple[NumberPlace, ...] = ()
    fingerprint: bytes = b""

    def to_dict(self) -> dict[str, Any]:
        """Return the stored form, without the card's id."""
        return {
            "numbers": {zone: [list(number) for number in found] for zone, found in self.numbers.items()},
            "places": [list(place) for place in self.places],
            "fingerprint": b64encode(self.fingerprint).decode(),
        }

    @classmethod
    def of(cls, card_id: str, fields: Mapping[str, Any]) -> "AcceptedCard":
        """Return an accepted card from its stored form; an unreadable one has no numbers."""
        try:
            numbers = {
                str(zone): [(None if value is None else int(value), float(sure)) for value, sure in found]
                for zone, found in fields.get("numbers", {}).items()
            }
            places = tuple(
                NumberPlace(str(zone), float(x), float(y), str(form), bool(own), float(width), float(height))
                for zone, x, y, form, own, width, height in fields.get("places", ())
            )
            return cls(card_id, numbers, places, b64decode(fields.get("fingerprint", "")))
        except (TypeError, ValueError, AttributeError, OverflowError):
            return cls(card_id)

    def numbers_in(self, zone: str) -> tuple[tuple[int | None, ...], float]:
        """Return all numbers in a zone, the smallest first, and the probability that all of them are right."""
        numbers = self.numbers.get(zone, ())
        # None, an unreadable number, comes first.
        values = sorted((value for value, _ in numbers), key=lambda value: -1 if value is None else value)
        return tuple(values), math.prod(sure for _, sure in numbers)


def accepted_card(read: ScannedCard, entry: CustomCard, *, by_person: bool) -> AcceptedCard:
    """Return what a card teaches that the user accepted, or that was accepted because it was certain."""
    given = {zone: [found.value for found in numerals(entry.printed.get(zone, ""), "stats")] for zone in ZONES}
    numbers: dict[str, list[tuple[int | None, float]]] = defaultdict(list)
    if by_person:
        numbers |= {zone: [(value, 1.0) for value in values] for zone, values in given.items() if values}
    else:
        for number in read.rim:
            numbers[number.zone].append((number.value, round(number.confidence, 3)))
        for doubt in read.doubts:
            is_read = any(_is_same_position((number.x, number.y), (doubt.x, doubt.y)) for number in read.rim)
            if not (is_read and doubt.zone in numbers):  # near the border of a zone with its own number
                numbers[doubt.zone].append((doubt.value, _DOUBTFUL))
    places = tuple(_places(read, given, entry.collector_number))
    return AcceptedCard("", dict(numbers), places, read.fingerprint)


def _places(read: ScannedCard, given: Mapping[str, Sequence[int]], collector: str) -> Iterator[NumberPlace]:
    """Yield the positions of accepted numbers, if something was seen there."""
    # The last run of digits: 4 of "SET 4", 149 of "3 R 149".
    own = [int(digits) for digits in re.findall(r"\d+", collector)[-1:]]
    taken: list[tuple[float, float]] = []
    left = {zone: list(values) for zone, values in given.items()}
    for number in read.numbers:
        # Its text has more than the number: it is the collector number.
        if number.zone in ZONES and number.value in own and number.raw != str(number.value):
            taken.append((number.x, number.y))
            if number.value in left[number.zone]:
                left[number.zone].remove(number.value)
            yield NumberPlace(number.zone, round(number.x, 1), round(number.y, 1), form_of(number.raw), True)
    for zone, values in left.items():
        for value in values:
            found = _candidates(read, zone, value)
            # Each place once: two equal numbers of a zone are two places.
            where = next((one for one in found if not any(_is_same_position(one, other) for other in taken)), None)
            if where is not None:
                taken.append(where)
                box = next(
                    (line for line in read.lines if line.short and _is_same_position((line.x, line.y), where)), None
                )
                size = (round(box.width, 1), round(box.height, 1)) if box is not None else (0.0, 0.0)
                yield NumberPlace(zone, round(where[0], 1), round(where[1], 1), form_of(str(value)), False, *size)


def _candidates(read: ScannedCard, zone: str, value: int) -> Iterator[tuple[float, float]]:
    """Yield positions of a number of a zone, likeliest first: read, among other readings, or misread."""
    numbers = [number for number in read.rim if number.zone == zone]
    doubts = [doubt for doubt in read.doubts if doubt.zone == zone]
    yield from ((number.x, number.y) for number in numbers if number.value == value)
    yield from ((doubt.x, doubt.y) for doubt in doubts if value in (doubt.value, *doubt.others))
    yield from ((line.x, line.y) for line in read.lines if zone_at(line.x, line.y) == zone and _shows(line, value))
    yield from ((number.x, number.y) for number in numbers)
    yield from ((doubt.x, doubt.y) for doubt in doubts)


def _shows(line: SeenText, value: int) -> bool:
    looks = (*line.readings, *(reading for _, reading in line.turned)) if line.short else ()
    return any((vote := vote_of(look)) is not None and vote.number == str(value) for look in looks)


def _is_same_position(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < _MISPLACED and abs(one[1] - other[1]) < _MISPLACED


def form_of(raw: str) -> str:
    """Return the form of a printed number, with digits as `#` and letters as `A`.

    >>> form_of("3 R 149"), form_of("257 of 500")
    ('# A ###', '### of ###')
    """
    letters = re.compile(r"[^\W\d_]+")
    return letters.sub(lambda run: "of" if run[0].casefold() == "of" else "A", re.sub(r"\d", "#", raw.strip()))


def prior_of(fingerprint: bytes, cards: Sequence[AcceptedCard]) -> Prior:
    """Return the prior for a card with this fingerprint, from accepted cards of its game, weighted by similarity."""
    # The latest ones: earlier cards may differ, or have been scanned with another camera.
    learned = cards[:_MOST]
    weights = [frame_likeness(fingerprint, card.fingerprint) for card in learned]
    return Prior(tuple((weight, card.places) for weight, card in zip(weights, learned, strict=True)))


def places_of(cards: Sequence[AcceptedCard]) -> list[NumberPlace]:
    """Return the positions of lone numbers that at least two accepted cards of a game share."""
    found: list[tuple[NumberPlace, set[int]]] = []
    for number, card in enumerate(cards[:_MOST]):
        for place in card.places:
            # Near one that is known: the same place, seen on another card.
            having = next((seen for one, seen in found if one.is_near(place.x, place.y)), None)
            if having is not None:
                having.add(number)
            elif place.height:
                found.append((place, {number}))
    return [place for place, seen in found if len(seen) > 1][:_MOST_PLACES]


class FramePlace(NamedTuple):
    """A position on cards of one kind of frame, numbered from 1: `seen` of `cards` cards have a number there."""

    frame: int
    place: NumberPlace
    seen: int
    cards: int


def frame_places(cards: Sequence[AcceptedCard]) -> Iterator[FramePlace]:
    """Yield the positions of numbers on accepted cards of a game by kind of frame, the most frequent kind first."""
    # By the first card of each kind.
    frames = _groups(cards, lambda one, card: frame_likeness(one.fingerprint, card.fingerprint) >= _ONE_FRAME)
    for number, kind in enumerate(sorted(frames, key=len, reverse=True), 1):
        places = (place for card in kind for place in card.places)
        groups = _groups(places, lambda one, place: one.zone == place.zone and one.is_near(place.x, place.y))
        for group in sorted(groups, key=lambda group: (ZONES.index(group[0].zone), -len(group))):
            yield FramePlace(number, group[0], len(group), len(kind))


def _groups(every: Iterable[Item], is_similar: Callable[[Item, Item], bool]) -> list[list[Item]]:
    """Group items: each joins the first group whose first item is similar, or starts a group."""
    groups: list[list[Item]] = []
    for one in every:
        group = next((group for group in groups if is_similar(group[0], one)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def read_again(card: ScannedCard, cards: Sequence[AcceptedCard], slash: Slash | None) -> ScannedCard:
    """Return the same card, its lines read with the knowledge from accepted cards of its game."""
    if not any(one.places for one in cards):
        return card
    numbers = find_numbers(card.lines, slash, prior_of(card.fingerprint, cards))
    return replace(card, numbers=numbers.seen, doubts=numbers.doubts, collector=numbers.collector)


COLUMNS: Final = 12
ROWS: Final = 16
"""Columns and rows of a fingerprint."""
# A fingerprint is three consecutive planes, each row by row:
#
#     bytes    0 … 191        192 … 383          384 … 575
#              lightness      green to red       blue to yellow
_PLANE: Final = COLUMNS * ROWS
_RIM: Final = tuple(
    row * COLUMNS + column
    for row in range(ROWS)
    for column in range(COLUMNS)
    if row in (0, 1, ROWS - 2, ROWS - 1) or column in (0, COLUMNS - 1)
)
"""The parts of a fingerprint that show the frame."""
_inner: Final = itemgetter(*(row * COLUMNS + column for row in range(2, ROWS - 2) for column in range(2, COLUMNS - 2)))
_SAME_CARD: Final = 0.85
"""The lowest similarity of two pictures of one card."""
_LEAD: Final = 0.15
"""The lead in similarity over every other card."""


def likeness(one: bytes, other: bytes) -> float:
    """Return the correlation (-1 to 1) of two fingerprints' tones, a lighting-independent similarity."""
    if len(one) != len(other) or not one:
        return 0.0
    correlation: float = sum(map(mul, _tones(one), _tones(other)))
    return correlation


@lru_cache(1 << 14)
def _tones(fingerprint: bytes) -> tuple[float, ...]:
    """Return lightness and colours within the frame as deviations from their means, both with the same weight."""
    lightness, *colours = (_inner(fingerprint[start : start + _PLANE]) for start in range(0, len(fingerprint), _PLANE))
    # Two vectors of length 1, together of length 1: the product with another card's is from -1 to 1.
    planes = [_off_mean(lightness), [off for plane in colours for off in _off_mean(plane)]]
    # `or 1.0`: a card of one tone has length 0 and resembles nothing.
    return tuple(off / (math.hypot(*plane) or 1.0) / math.sqrt(2) for plane in planes for off in plane)


def _off_mean(values: Sequence[int]) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def frame_likeness(one: bytes, other: bytes) -> float:
    """Return the similarity of two cards' frames, 0 to 1."""
    if len(one) != len(other) or not one:
        return 1.0
    planes = range(0, len(one), _PLANE)
    off = sum(abs(one[plane + part] - other[plane + part]) for plane in planes for part in _RIM)
    # No difference 1, `_UNLIKE` steps 1/e, and so on.
    return math.exp(-off / (len(_RIM) * len(planes)) / _UNLIKE)


def match_by_looks(card: ScannedCard, cards: Iterable[AcceptedCard]) -> str | None:
    """Return the id of the accepted card with the same appearance, or None unless it leads clearly."""
    best: dict[str, float] = {}
    for one in cards:
        value = likeness(card.fingerprint, one.fingerprint)
        # The most similar of several pictures of a card.
        best[one.card_id] = max(value, best.get(one.card_id, value))
    ranked = sorted(best.items(), key=lambda pair: -pair[1])[:2]
    if not ranked or ranked[0][1] < _SAME_CARD or (len(ranked) > 1 and ranked[0][1] - ranked[1][1] < _LEAD):
        return None
    return ranked[0][0]


def majority(cards: Sequence[AcceptedCard]) -> dict[str, tuple[int, ...]]:
    """Return the certain numbers of each zone on copies of one card; each copy votes for all numbers of a zone.

    A copy without numbers in a zone votes against all numbers there. Nothing is certain if most copies show numbers in
    a
    zone that stays uncertain.
    """
    found = {}
    for zone in ZONES:
        odds: dict[tuple[int, ...], float] = defaultdict(float)
        shown = [card.numbers_in(zone) for card in cards if card.numbers.get(zone)]
        for values, sure in shown:
            read = tuple(value for value in values if value is not None)
            if len(read) == len(values):
                # No reading is quite certain: odds of 1 to 0 could not be outvoted.
                sure = min(max(sure, 1 - _SUREST), _SUREST)
                # Odds of independent looks multiply, so that their logarithms add up.
                odds[read] += math.log(sure / (1 - sure))
        silent = _SILENCE * (len(cards) - len(shown))
        # As odds again; in the sum below, the 1 is the case that none of them is printed there.
        weights = {read: math.exp(votes - silent) for read, votes in odds.items()}
        certain = [
            read for read, weight in weights.items() if weight / (1 + sum(weights.values())) >= MIN_CERTAIN_CONFIDENCE
        ]
        if certain:
            found[zone] = certain[0]
        elif 2 * len(shown) > len(cards):
            return {}
    return found
