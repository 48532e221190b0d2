"""From lines of text with their places to the numbers of a card: the bands, the imprint and the collector number.

The house rules on zones (`docs/numbers.md`) decide; the numerals themselves are read by `catalog.numbers`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.evidence import FACE
from ccgrid.catalog.numbers import Slash, collector_number, numerals
from ccgrid.catalog.scan.prior import NOTHING, Prior
from ccgrid.catalog.scan.settle import TOTAL, imprint_of, kind_of, settle, stacks, without_copies
from ccgrid.catalog.scan.spots import LoneNumber, lone_numbers
from ccgrid.catalog.scan.values import ScanDoubt, SeenNumber, SeenText, TextReading, zone_at

_LEAST: Final = 0.5
"""A lone number is reported from this chance on; below it there is only a doubt."""

_DOUBTFUL: Final = 0.15
"""A lone number that is less likely is not even a doubt."""

_LEAST_WIDE: Final = 0.78
"""A number in a longer box, which is looked at once, is reported from this confidence on."""

_LEAST_LABEL: Final = 0.85
"""The same for one in a line of words: a line that cannot be read tells nothing of its digits."""

_LEAST_COLLECTOR: Final = 0.6
"""The same for a collector number: its shape tells it."""

_LEGIBLE: Final = 0.6
"""A line of words below this confidence is taken for art."""

_TINY: Final = 2.6
"""Lines lower than that, in per cent of the card, which nobody can read are of the imprint."""

_DIGIT: Final = (2.2, 12.0)
"""How high boxes around digits are, in per cent of the card."""

_SHAPE: Final = (0.7, 3.1)
"""Their width in parts of their height, both in per cent of the card."""

_READ: Final = 0.9
"""A box that a look was so sure of holds what it says."""

_UNREAD: Final = 0.6
"""A box that nobody could read is a doubt where the looks for text found it for so sure."""

_UNREAD_LINE: Final = 0.3
"""The same for a line at the top or the bottom: how sure it is a line, times how unsure what it says is."""

_BORDER: Final = 0.8
"""So near to another zone, in per cent of the card, a number may belong to it."""

_ICON: Final = re.compile(r"[-–—_]\d\d+[0OoQ]\W*$")
"""A code of a set with a round icon behind it, which may be read as one more digit."""

_CODED: Final = re.compile(r"\d{1,2}\s?[A-Z*+]{1,2}\s?(\d{1,3})")
"""Set, rarity and number: another look may take the three for one number."""

_FOUR_DIGITS: Final = re.compile(r"([-–—_]0\d\d)[0OoQ](?=\W*$)")
"""The same where it surely is: a number of three digits begins with 0, and no code has four."""

_CUT: Final = 2.0
"""Nothing is printed so near to the edge, in per cent of the card: what reads as a digit there is the edge itself."""


@dataclass(frozen=True, slots=True)
class SeenNumerals:
    """What is on a card: every numeral with its place, and what may have been missed or misread on its rim.

    `collector` is the card's own number of its set, empty where none was read.
    """

    seen: tuple[SeenNumber, ...]
    doubts: tuple[ScanDoubt, ...] = ()
    collector: str = ""


def find_numbers(lines: Sequence[SeenText], slash: Slash | None = None, prior: Prior = NOTHING) -> SeenNumerals:
    """Every numeral of a card's lines, with its zone.

    `slash` is how the game prints a/b, where that is known; without it a pair of small numbers is two numbers, and a
    number before a large one is a collector number. `prior` is what is expected before looking.
    """
    lone = [one._replace(chance=prior.chance(one.chance, one.line.x, one.line.y)) for one in lone_numbers(lines)]
    likely = [one for one in lone if one.chance >= _LEAST]
    taken = {id(box) for one in likely for box in one.boxes}
    pairs = [(one.line, TextReading(one.number, one.chance)) for one in likely]
    pairs += [(line, settle(line)) for line in lines if line.found and id(line) not in taken]
    texts = [(line, reading) for line, reading in without_copies(pairs) if reading.text]
    imprint = imprint_of(texts)
    stacked = stacks(texts)
    seen: list[SeenNumber] = []
    collector = ""
    doubts = [*_less_likely(lone), *_unread(lines, likely)]
    for number, (line, reading) in enumerate(texts):
        if number in stacked.totals or _at_the_edge(line):
            continue
        kind = kind_of(number, texts, imprint) if number not in stacked.collectors else "collector"
        if kind != "collector" and (code := prior.collector(line)) is not None:
            kind, reading = "collector", code
        if kind == "imprint" or (kind == "label" and reading.confidence < _LEAST_LABEL and line.height < _TINY):
            continue
        if kind == "label" and reading.confidence < _LEGIBLE:
            kind = "text"
        if kind == "number" and line.short and id(line) not in taken:
            continue
        for found in _numbers_of(line, reading, kind, slash):
            if found.zone == FACE or found.confidence >= (_LEAST if id(line) in taken else _least(kind)):
                seen.append(found)
                doubts += _misplaced(found)
            elif found.counts:
                doubts.append(ScanDoubt(found.x, found.y, found.zone, found.value))
            if kind == "collector":
                collector = collector or str(found.value)
                doubts += _misread_code(found)
    return SeenNumerals(tuple(seen), tuple(dict.fromkeys(doubts)), collector)


def _at_the_edge(line: SeenText) -> bool:
    """Whether the centre of a line is where no card is printed."""
    return not (_CUT < line.x < 100 - _CUT and _CUT < line.y < 100 - _CUT)


def _least(kind: str) -> float:
    """From which confidence on a number on the rim is reported."""
    return {"number": _LEAST_WIDE, "label": _LEAST_LABEL}.get(kind, _LEAST_COLLECTOR)


def _less_likely(lone: Sequence[LoneNumber]) -> Iterator[ScanDoubt]:
    """What may be a number on the rim, and is more likely none, or the end of a code."""
    for one in lone:
        zone = zone_at(one.line.x, one.line.y)
        codes = [found for look in one.line.readings if (found := _CODED.fullmatch(look.text))]
        if codes and zone != FACE and int(codes[0][1]) <= HIGHEST:
            yield ScanDoubt(one.line.x, one.line.y, zone, int(codes[0][1]))
        numbers = [int(part) for number in (one.number, *one.others) for part in number.split("/")]
        values = [value for value in dict.fromkeys(numbers) if LOWEST <= value <= HIGHEST]
        if _DOUBTFUL <= one.chance < _LEAST and values and zone != FACE and not _at_the_edge(one.line):
            yield ScanDoubt(one.line.x, one.line.y, zone, values[0], tuple(values[1:]))


def _unread(lines: Sequence[SeenText], likely: Sequence[LoneNumber]) -> Iterator[ScanDoubt]:
    """Boxes of the size of a digit, and lines at the top and the bottom, that nobody could read."""
    for line in lines:
        zone = zone_at(line.x, line.y)
        if zone == FACE or not line.found or _at_the_edge(line) or any(_near(line, one.line) for one in likely):
            continue
        if line.short:
            is_read = line.best.confidence >= _READ and any(c.isascii() and c.isalnum() for c in line.text)
            fits = _DIGIT[0] < line.height < _DIGIT[1] and _SHAPE[0] < line.width / line.height < _SHAPE[1]
            if fits and not is_read and line.score * min(1.0, 1.75 * line.found) >= _UNREAD:
                yield ScanDoubt(line.x, line.y, zone)
        elif not line.turn and "-" in zone and (1 - line.best.confidence) * line.score >= _UNREAD_LINE:
            yield ScanDoubt(line.x, line.y, zone)


def _near(line: SeenText, other: SeenText) -> bool:
    return abs(line.x - other.x) < 4 and abs(line.y - other.y) < 4


def _misplaced(found: SeenNumber) -> Iterator[ScanDoubt]:
    """A number that stands so near to another zone that it may belong to it."""
    if not found.counts or found.zone == FACE:
        return
    for across, down in ((_BORDER, 0), (-_BORDER, 0), (0, _BORDER), (0, -_BORDER)):
        if (other := zone_at(found.x + across, found.y + down)) != found.zone:
            yield ScanDoubt(found.x, found.y, other, found.value)


def _misread_code(found: SeenNumber) -> Iterator[ScanDoubt]:
    """A collector number that counts if its last digit is the icon behind it."""
    if found.zone != FACE and _ICON.search(found.raw) and found.value // 10 <= HIGHEST:
        yield ScanDoubt(found.x, found.y, found.zone, found.value // 10)


def _numbers_of(line: SeenText, reading: TextReading, kind: str, slash: Slash | None) -> Iterator[SeenNumber]:
    text = reading.text
    if kind == "collector":
        text = _FOUR_DIGITS.sub(r"\1", text)
        value = collector_number(text, "first" if TOTAL.search(text) or kind != "collector" else "last")
        if value is not None:
            where = TOTAL.search(text) or re.search(r"\d+", text)
            x, y = line.place(_along(reading, where.start(), where.end())) if where else (line.x, line.y)
            sure = max(reading.confidence, _agreement(line, str(value)))
            yield SeenNumber(text.strip(), value, zone_at(x, y), x, y, sure)
        return
    pair = re.search(r"(?<!\d)(\d{1,2})\s*/\s*(\d{1,2})(?!\d)", text)
    how: Slash = slash or ("stats" if pair else "fraction")
    for found in numerals(text, how):
        raw = found.raw
        x, y = line.place(_along(reading, found.start, _end_of_phrase(text, found.end)))
        if kind == "number":
            x, y = line.x, line.y
        zone = FACE if kind == "text" else zone_at(x, y)
        value = found.value
        if zone != FACE and value < LOWEST and kind != "number":
            value = abs(value)  # a dash before a label's number is no minus
        sure = reading.confidence if kind == "number" else _chance(reading, found.start, found.end)
        yield SeenNumber(raw, value, zone, x, y, sure)


def _agreement(line: SeenText, number: str) -> float:
    """How sure looks at a collector number are of the number, whatever they make of the letters before it."""
    same = [look.confidence for look in line.readings if re.sub(r".*?0*(\d+)\D*$", r"\1", look.text) == number]
    weight = sum(sure**2 for sure in same) / max(1e-6, sum(look.confidence**2 for look in line.readings))
    return weight * sum(same) / max(1, len(same))


def _chance(reading: TextReading, start: int, end: int) -> float:
    """How sure the characters from `start` to `end` of a line are: as sure as the least of them."""
    if len(reading.chances) != len(reading.text):
        return reading.confidence
    return min(reading.chances[start:end])


def _end_of_phrase(text: str, end: int) -> int:
    """Where the words end that a number begins: 10 Free Quebec stands in one box, as 3 Any does."""
    rest = re.match(r"\s+[^\d,;:]*[^\d,;:\s]", text[end:])
    return end + rest.end() if rest and not re.search(r"\d", text[end + rest.end() :][:3]) else end


def _along(reading: TextReading, start: int, end: int) -> float:
    """How far along a line the characters from `start` to `end` are, 0 to 1."""
    if len(reading.places) == len(reading.text) and start < end:
        places = reading.places[start:end]
        return (places[0] + places[-1]) / 2
    return (start + end) / 2 / max(1, len(reading.text))
