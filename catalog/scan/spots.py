"""Lone numbers: what all looks at one spot of a card say together, and how likely each number is there."""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ccgrid.catalog.scan.values import SeenText, TextReading, zone_at

# 7 · x2 · 12. · (3)
_NUMERAL: Final = re.compile(r"\W*[xX×]?(\d{1,5})[xX×]?\W*")

_PAIR: Final = re.compile(r"\d{1,2}[/|]\d{1,2}")
"""Power and toughness; the stroke is often read as a 1: 212 is 2/2 if two other readings have it."""

_SIGNED: Final = re.compile(r"[-−–—~](\d{1,2})")
"""A number below 0, with what its minus may be read as."""

_NAMED: Final = frozenset(map(str, range(11)))  # what the network for icons can name

_SHOWN: Final = 0.7  # how likely the network for icons must find a number,
_SAID: Final = 0.8  # how sure readings of the recogniser must be,
_SAYING: Final = 2  # and how many of them, that both agree
_ALONE: Final = 0.9  # how likely the network must find it if all readings have it, but are unsure
_AGREED: Final = 0.89  # how likely a number is on which both agree, which is not certain
_CERTAIN: Final = 0.95  # confidence of a number that all looks give
_FAINT: Final = 0.3  # how likely the network for icons must find a number that is reported
_FAINT_ALONE: Final = {"left": 0.8, "right": 0.8, "top": 0.5, "bottom": 0.5}
"""How likely if no pass for text found it; in the middle of an edge there is often art."""

_CLEARLY: Final = 0.9  # how likely the network for icons must find a certain number
_UNSEEN: Final = 0.39  # how likely a number is at most that it does not find: not enough to be reported
_WEAK: Final = 0.5  # below this, upright looks say nothing
_NEARLY: Final = 0.15  # by how much a part may be weaker than the whole, to win over it
_MOST: Final = 3  # numbers of one spot that are weighed
_SIZE_RATIO: Final = 1.8  # of width and of height, up to which two boxes are of one size
_HEIGHT: Final = 4.5  # of a usual digit's box, in per cent of the card
_BORDER: Final = 6.0  # per cent of the card; nearer to its edge numbers are rare

# In the order of the features in `_candidate`, of which the first is the constant.
_WEIGHTS: Final = (
    -8.56,
    0.76,
    1.98,
    1.23,
    3.53,
    0.76,
    1.67,
    0.58,
    -0.16,
    0.61,
    0.42,
    0.27,
    -1.69,
    1.66,
    0.54,
    -0.84,
    2.0,
)
"""The weight of each feature of a candidate; `scripts/fit_scan` finds them."""


class Vote(NamedTuple):
    """A number from one reading, and its weight, 0 to 1."""

    number: str
    weight: float


class PossibleNumber(NamedTuple):
    """A possible number on a spot of a card; its features determine its probability."""

    line: SeenText
    number: str
    features: tuple[float, ...]

    @property
    def chance(self) -> float:
        """The probability of the number, 0 to 1."""
        return 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(_WEIGHTS, self.features, strict=True))))


class LoneNumber(NamedTuple):
    """The likeliest number on a spot, its probability, 0 to 1, other possible ones, and the spot's boxes."""

    line: SeenText
    number: str
    chance: float
    others: tuple[PossibleNumber, ...]
    boxes: tuple[SeenText, ...]


class _Spot(NamedTuple):
    boxes: list[SeenText]
    numbers: list[tuple[str, list[tuple[SeenText, float]]]]
    """Number, and its readings with their weights; the best first."""

    @property
    def best(self) -> str:
        return self.numbers[0][0]

    @property
    def strength(self) -> float:
        return _strength(weight for _, weight in self.numbers[0][1])

    @property
    def box(self) -> SeenText:
        return max(self.numbers[0][1], key=lambda look: look[1])[0]


def lone_numbers(lines: Sequence[SeenText]) -> list[LoneNumber]:
    """Return the numbers on spots of a card that have a reading with only a number."""
    found = []
    for boxes, ranked in candidates(lines):
        # 5 is a part of 50, which the network for icons cannot name.
        best, *others = sorted(
            ranked,
            key=lambda one: (
                -one.chance
                - _NEARLY * any(len(other.number) < len(one.number) and other.number in one.number for other in ranked)
            ),
        )
        chance = max([best.chance, *(_agreement(box, best.number) for box in boxes)])
        chance = min(chance, _most(best, boxes))
        found.append(LoneNumber(best.line, best.number, chance, tuple(others), tuple(boxes)))
    return found


def _most(best: PossibleNumber, boxes: Sequence[SeenText]) -> float:
    """Return how likely a number is at most, by what the network for icons sees on its spot."""
    if not any(box.icon for box in boxes) or best.number.lstrip("-") not in _NAMED:
        return 1.0
    seen = max(box.icon_chance(best.number) for box in boxes)
    zone = "" if any(box.found for box in boxes) else zone_at(best.line.x, best.line.y)
    if seen < _FAINT_ALONE.get(zone, _FAINT):
        return _UNSEEN
    return 1.0 if seen >= _CLEARLY else _AGREED


def _agreement(line: SeenText, number: str) -> float:
    """Return how likely a number is on which both networks agree in an icon, or most readings of a label; else 0."""
    if not line.icon and not line.found:
        return _AGREED if 2 * sum(one.text == number for one in line.readings) > len(line.readings) else 0.0
    shown = line.icon_chance(number)
    votes = [vote.weight for vote in _votes(line.readings) if vote.number == number]
    is_unanimous = len(votes) == len(line.readings)
    if shown <= _SHOWN or not (sum(vote > _SAID for vote in votes) >= _SAYING or (is_unanimous and shown > _ALONE)):
        return 0.0
    return _CERTAIN if is_unanimous else _AGREED


def candidates(lines: Sequence[SeenText]) -> list[tuple[list[SeenText], list[PossibleNumber]]]:
    """Return the boxes and the possible numbers of each spot."""
    spots = [_Spot(boxes, numbers) for boxes in _gather(lines) if (numbers := _rank(boxes))]
    spots = _whole(spots)
    return [(spot.boxes, [_candidate(spot, n) for n in range(min(_MOST, len(spot.numbers)))]) for spot in spots]


def vote_of(reading: TextReading) -> Vote | None:
    """Return the number of a reading that has nothing else, apart from icons and frames around it."""
    ringed = any(unicodedata.category(c) == "No" for c in reading.text)
    # ① and ② are digits in a ring.
    if ringed and sum(unicodedata.category(c) == "No" or c.isdecimal() for c in reading.text) > 1:
        return None  # a digit in a ring next to another digit: two numbers
    text = ring_digits(reading.text).replace(" ", "")
    if _SIGNED.fullmatch(text):
        return Vote("-" + text[1:], reading.confidence)
    if _PAIR.fullmatch(text):
        return Vote(text.replace("|", "/"), reading.confidence)
    found = _NUMERAL.fullmatch(text)
    return None if found is None else Vote(str(int(found[1])), reading.confidence)


def ring_digits(text: str) -> str:
    """Replace digits in rings by digits, because an icon is often a ring around one."""
    text = "".join(
        unicodedata.normalize("NFKC", c) if unicodedata.category(c) == "No" and c not in "¼½¾" else c for c in text
    )
    return text.strip()


def _gather(lines: Sequence[SeenText]) -> list[list[SeenText]]:
    """Return the boxes of each spot; boxes with a number come first."""
    tops = [(line, _top(line)) for line in lines if line.short]
    spots: list[tuple[list[SeenText], str]] = []
    # Boxes with a certain number first: they start spots, which the others join.
    for line, top in sorted(tops, key=lambda pair: -pair[1].weight if pair[1] else 0.0):
        if top is None:
            for boxes, _ in spots:
                if line.overlaps(boxes[0]) and _same_size(line, boxes[0]):
                    boxes.append(line)
            continue
        for boxes, number in spots:
            # Another box with this number or of this size belongs to the spot.
            if line.overlaps(boxes[0]) and (number == top.number or _same_size(line, boxes[0])):
                boxes.append(line)
                break
        else:
            spots.append(([line], top.number))
    return [boxes for boxes, _ in spots]


def _top(line: SeenText) -> Vote | None:
    """Return the likeliest number of a box; if no reading has one, what the network for icons sees there."""
    votes = _votes(line.readings) or [Vote(one.text, 0.0) for one in line.icon if one.text]
    return max(votes, key=lambda vote: vote.weight, default=None)


def _votes(readings: Iterable[TextReading]) -> list[Vote]:
    return [vote for reading in readings if (vote := vote_of(reading)) is not None]


def _same_size(line: SeenText, other: SeenText) -> bool:
    widths, heights = sorted((line.width, other.width)), sorted((line.height, other.height))
    return widths[1] < _SIZE_RATIO * widths[0] and heights[1] < _SIZE_RATIO * heights[0]


def _rank(boxes: Sequence[SeenText]) -> list[tuple[str, list[tuple[SeenText, float]]]]:
    found: dict[str, list[tuple[SeenText, float]]] = {}
    for line in boxes:
        for vote in _votes(line.readings):
            found.setdefault(vote.number, []).append((line, vote.weight))
    # 2/2 is also read as 212: those looks are votes for the pair.
    for pair in [number for number, looks in found.items() if "/" in number and len(looks) > 1]:
        found[pair] += found.pop(str(int(pair.replace("/", "1"))), [])
    # Confident readings count more: by their squares.
    return sorted(found.items(), key=lambda one: -sum(weight**2 for _, weight in one[1]))


def is_weak(readings: Iterable[TextReading]) -> bool:
    """Return whether no number in a box is likely by its upright readings."""
    votes = _votes(readings)
    best = max(votes, key=lambda vote: vote.weight, default=None)
    return best is None or _strength(vote.weight for vote in votes if vote.number == best.number) < _WEAK


def _strength(weights: Iterable[float]) -> float:
    """Return the joint confidence of the two best readings, 0 to 1."""
    # One alone counts half.
    return sum(sorted(weights, reverse=True)[:2]) / 2


def _whole(spots: list[_Spot]) -> list[_Spot]:
    """Return the spots without parts of numbers, and without boxes around two numbers."""
    gone: set[int] = set()
    for n, spot in enumerate(spots):
        parts = [m for m, other in enumerate(spots) if m != n and m not in gone and _is_part(other.box, spot.box)]
        if not parts:
            continue
        said = [spots[m] for m in parts]
        # One number with a frame around it and without, or a number and a part of its icon.
        if len(parts) == 1 and (said[0].best == spot.best or said[0].best not in spot.best):
            gone.add(n if said[0].strength >= spot.strength else parts[0])
        # 1 and 2 side by side without a gap are 12.
        elif (
            all(part.best in spot.best for part in said)
            and _touching([p.box for p in said])
            and (len(parts) > 1 or spot.strength > said[0].strength - _NEARLY)
        ):
            gone.update(parts)
        # Two separate numbers: remove the box around both.
        elif len(parts) > 1 or said[0].strength > spot.strength - _NEARLY:
            gone.add(n)
        else:
            gone.update(parts)
    return [spot for n, spot in enumerate(spots) if n not in gone]


def _is_part(line: SeenText, whole: SeenText) -> bool:
    inside = abs(line.x - whole.x) < whole.width / 2 and abs(line.y - whole.y) < whole.height / 2
    return inside and line.width < 0.8 * whole.width


def _touching(parts: Sequence[SeenText]) -> bool:
    """Return whether parts side by side touch, as digits of one number do."""
    return all(
        right.x - right.width / 2 - (left.x + left.width / 2) < 0.25 * min(left.width, right.width)
        for left, right in pairwise(sorted(parts, key=lambda line: line.x))
    )


def _candidate(spot: _Spot, place: int) -> PossibleNumber:
    number, looks = spot.numbers[place]
    line = max(looks, key=lambda look: look[1])[0]
    weights = sorted((weight for _, weight in looks), reverse=True)
    said = [reading for box in spot.boxes for reading in box.readings]
    total = sum(reading.confidence**2 for reading in said)
    # How much of what all looks said spoke for this number; at least 0.3 below the stroke, for few looks.
    share = sum(weight**2 for weight in weights) / max(total, 0.3)
    words = [reading.confidence for reading in said if vote_of(reading) is None and ring_digits(reading.text)]
    unanimous = len(weights) > 3 and share > 0.97 and weights[-1] > _CERTAIN
    lone_shape = all(not box.found for box in spot.boxes)
    size = math.log(max(line.height, 0.5) / _HEIGHT)
    features = (
        1.0,
        share,
        # The surest look, the second, and the fourth.
        weights[0],
        weights[1] if len(weights) > 1 else 0.0,
        weights[3] if len(weights) > 3 else 0.0,
        # How often the looks for text found it, and how sure they were.
        min(1.0, sum(box.found for box in spot.boxes)),
        max(box.score for box in spot.boxes),
        # The strongest rival; the surest word that was read there.
        max(
            (_strength(weight for _, weight in rival) for other, rival in spot.numbers if other != number),
            default=0.0,
        ),
        max(words, default=0.0),
        # In a corner; its size against the usual one, which both smaller and larger differ from; the rest as named.
        float("-" in zone_at(line.x, line.y)),
        size,
        size**2,
        float(lone_shape),
        float(unanimous),
        float(unanimous and lone_shape),
        # How near it is to the edge of the card.
        max(0.0, _BORDER - min(line.x, 100 - line.x, line.y, 100 - line.y)) / _BORDER,
        # How likely the network for icons finds it; if it was not asked, or has no such label, as likely as it must.
        max(box.icon_chance(number) for box in spot.boxes)
        if any(box.icon for box in spot.boxes) and number.lstrip("-") in _NAMED
        else _SHOWN,
    )
    return PossibleNumber(line, number, features)
