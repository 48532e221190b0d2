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
from ccgrid.catalog.scan.settle import NUMERAL_ONLY, TOTAL, Text, imprint_of, kind_of, settle, stacks, without_copies
from ccgrid.catalog.scan.values import SIDE, SURE, ScanDoubt, SeenNumber, SeenText, TextReading, zone_at

_LEAST: Final = 0.7
"""A number is reported from this confidence on, 0 to 1; below it there is only a doubt."""

_LEAST_ALONE: Final = 0.78
"""The same for one that stands in no row or column with others: art is full of what looks like digits."""

_LEAST_LABEL: Final = 0.85
"""The same for one in a line of words: a line that cannot be read tells nothing of its digits."""

_LEAST_COLLECTOR: Final = 0.6
"""The same for a collector number: its shape tells it."""

_LEGIBLE: Final = 0.6
"""A line of words below this confidence is taken for art."""

_TINY: Final = 2.6
"""Lines lower than that, in per cent of the card, which nobody can read are of the imprint."""

_SMALLEST: Final = 1.9
"""A box around a lone number is at least that high, in per cent of the card."""

_UNREAD: Final = 0.3
"""A text below this confidence says nothing at all."""

_HINT: Final = 0.3
"""A look that is surer than that of a digit is a hint that there is one, whatever the other looks gave."""

_SIGN: Final = re.compile(r"\W*[日目曰口回囗白田四〇○◎⊙]\W*")
"""What a digit in a frame is often taken for: a sign of another script that is a frame with something in it."""

_DIGIT: Final = (2.5, 9.0)
"""How high boxes around digits are, in per cent of the card."""

_CUT: Final = 2.0
"""Nothing is printed so near to the edge, in per cent of the card: what reads as a digit there is the edge itself."""

_ALIGNED: Final = 1.6
"""So far apart, in per cent of the card, are numbers in one row or column at most."""

_LIKE: Final = 0.7
"""Numbers in one row or column are of one size: the smaller box is at least that much of the height of the larger."""


@dataclass(frozen=True, slots=True)
class SeenNumerals:
    """What is on a card: every numeral with its place, and what may have been missed or misread on its rim.

    `collector` is the card's own number of its set, empty where none was read.
    """

    seen: tuple[SeenNumber, ...]
    doubts: tuple[ScanDoubt, ...] = ()
    collector: str = ""


def find_numbers(lines: Sequence[SeenText], slash: Slash | None = None) -> SeenNumerals:
    """Every numeral of a card's lines, with its zone.

    `slash` is how the game prints a/b, where that is known; without it a pair of small numbers is two numbers, and a
    number before a large one is a collector number.
    """
    settled = without_copies([(line, settle(line)) for line in lines])
    texts = [(line, reading) for line, reading in settled if reading.text]
    imprint = imprint_of(texts)
    stacked = stacks(texts)
    seen: list[SeenNumber] = []
    collector = ""
    doubts = [
        ScanDoubt(line.x, line.y, zone_at(line.x, line.y))
        for line, reading in settled
        if not _at_the_edge(line) and _may_be_missed(line, reading)
    ]
    for number, (line, reading) in enumerate(texts):
        if number in stacked.totals or _at_the_edge(line):
            continue
        kind = kind_of(number, texts, imprint) if number not in stacked.collectors else "collector"
        if kind == "imprint" or (kind == "label" and reading.confidence < _LEAST_LABEL and line.height < _TINY):
            continue
        if kind == "label" and reading.confidence < _LEGIBLE:
            kind = "text"
        if kind == "number" and line.height < _SMALLEST:
            continue
        for found in _numbers_of(line, reading, kind, slash):
            if found.zone != FACE and found.confidence < _least(found, line.height, kind, texts):
                if found.counts or (kind != "collector" and any(_may_count(look.text) for look in line.readings)):
                    doubts.append(ScanDoubt(found.x, found.y, found.zone))
            else:
                seen.append(found)
            if kind == "collector":
                collector = collector or str(found.value)
    return SeenNumerals(tuple(seen), tuple(dict.fromkeys(doubts)), collector)


def _at_the_edge(line: SeenText) -> bool:
    """Whether the centre of a line is where no card is printed."""
    return not (_CUT < line.x < 100 - _CUT and _CUT < line.y < 100 - _CUT)


def _least(found: SeenNumber, height: float, kind: str, texts: Sequence[Text]) -> float:
    """From which confidence on a number on the rim is reported; `height` is that of its line."""
    if kind in ("label", "collector"):
        return _LEAST_LABEL if kind == "label" else _LEAST_COLLECTOR
    aligned = any(
        told.confidence > SURE
        and NUMERAL_ONLY.match(told.text)
        and ("-" not in found.zone or zone_at(line.x, line.y) != found.zone)  # a corner has room for one
        and _LIKE < line.height / max(height, 0.1) < 1 / _LIKE
        and min(abs(line.x - found.x), abs(line.y - found.y)) < _ALIGNED
        and max(abs(line.x - found.x), abs(line.y - found.y)) > _ALIGNED
        for line, told in texts
    )
    return _LEAST if aligned else _LEAST_ALONE


def _may_be_missed(line: SeenText, reading: TextReading) -> bool:
    """Whether a box on the rim that nobody could read may hold a digit."""
    if zone_at(line.x, line.y) == FACE or line.turn:
        return False
    told = any(look.confidence > _HINT and _may_count(look.text) for look in line.readings)
    if not reading.text:
        return told
    if not _DIGIT[0] < line.height < _DIGIT[1]:
        return False
    if reading.confidence < _UNREAD:
        return told or (len(line.readings) == 1 and line.width < SIDE)
    return len(line.readings) > 1 and _SIGN.fullmatch(reading.text) is not None


def _may_count(text: str) -> bool:
    """Whether what a look gave holds a numeral from 0 to 10."""
    return any(int(digits) <= HIGHEST for digits in re.findall(r"\d+", text))


def _numbers_of(line: SeenText, reading: TextReading, kind: str, slash: Slash | None) -> Iterator[SeenNumber]:
    text = reading.text
    if kind == "collector":
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
