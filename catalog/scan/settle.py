"""Settling what each line says: several looks at one place become one text, and double boxes one box."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.evidence import FACE
from ccgrid.catalog.scan.spots import plain
from ccgrid.catalog.scan.values import END, SIDE, SeenText, TextReading, zone_at

Text = tuple[SeenText, TextReading]
"""A line, and what it says by all its looks."""

NUMERAL_ONLY: Final = re.compile(r"^[\s\W]*[xX×+\-−–]?\s*\d{1,3}\s*[xX×+\W]*$")
"""A text that is nothing but one numeral."""

_RUN_ON: Final = re.compile(r"\W*(\d{1,3}?)\s*[0oO]\s*[1lIftF]\s*(\d{2,3})\W*")
"""A collector number in small print that ran together: 40l120 is 4 of 120."""

_FEWEST: Final = 20
"""A set has at least so many cards."""


def settle(line: SeenText) -> TextReading:
    """What a line says by all its looks, sure ones counting more; its confidence falls where they disagree."""
    return _parted(_agreed(line))


def _agreed(line: SeenText) -> TextReading:
    if len(line.readings) == 1:
        return line.readings[0]._replace(text=plain(line.readings[0].text))
    looks: dict[str, list[TextReading]] = {}
    spelled: dict[str, str] = {}  # without blanks, which come and go
    for look in sorted(line.readings, key=lambda look: -len(look.text)):
        text = plain(look.text)
        looks.setdefault(spelled.setdefault(text.replace(" ", ""), text), []).append(look)
    weights = {text: sum(look.confidence**2 for look in found) for text, found in looks.items()}
    text = max(weights, key=weights.__getitem__)
    mean = sum(look.confidence for look in looks[text]) / len(looks[text])
    share = weights[text] / max(sum(weights.values()), 1e-6)
    best = max(
        (look for look in looks[text] if len(look.text) == len(text)), key=lambda look: look.confidence, default=None
    )
    if best is None:
        return TextReading(text, mean * share)
    return TextReading(text, mean * share, best.places, tuple(chance * share for chance in best.chances))


def _parted(reading: TextReading) -> TextReading:
    """The same with its blanks and its word where it is a collector number that ran together."""
    found = _RUN_ON.fullmatch(reading.text)
    if found is None or not int(found[1]) <= int(found[2]) >= _FEWEST:
        return reading
    return TextReading(f"{found[1]} of {found[2]}", reading.confidence)


def without_copies(found: list[Text]) -> list[Text]:
    """The same without what other boxes say again: a short box inside a line, or two boxes around one digit."""
    kept: list[Text] = []
    for line, reading in sorted(found, key=lambda pair: -_worth(*pair)):
        if not any(other_reading.text and line.overlaps(other) for other, other_reading in kept):
            kept.append((line, reading))
    return sorted(kept, key=lambda pair: (pair[0].y, pair[0].x))


def _worth(line: SeenText, reading: TextReading) -> float:
    upright = line.turn == 0
    return reading.confidence * (2 if upright else 1) + min(len(reading.text), 20) / 40 * reading.confidence


_IMPRINT = re.compile(
    r"©|®|\(c\)|copyright|\brights? res|reserved|licens|trademark|\btm\s*&|printed in|\billus|\bartist\b|\bedition\b"
    r"|\b(?:inc|ltd|llc)\b|www\.|\.com\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19[5-9]\d|20[0-9]\d)(?!\d)")
WORD = re.compile(r"[^\W\d_]{2,}")
TOTAL = re.compile(r"(?<![\d/])(\d{1,4})[a-z]?\s*(?:/|of|de|von|sur|di|из)\s*(\d{2,4})(?!\d)", re.IGNORECASE)
_SET_CODE = re.compile(r"^\W*\d{1,2}\s?(?:[A-Z][A-Za-z]?|[*★+])\s?\d{1,3}\W*$")
_CODE = re.compile(r"^\W*[A-Z]{1,5}\d{0,2}\s*[-–—_]?\s*[A-Z]{0,2}\d{2,4}[a-z]?\W*$")
_MISREAD_CODE = re.compile(r"^\W*\w{1,3}[-–—]\d{3,4}[a-z]?\W*$")  # 8F-019 is BF-019: the letters matter to nobody
_NAMES = re.compile(r"[^\W\d_][-–]?\d+[^\W\d_]|[^\W\d_]{2}[-–]\d(?!\d)")  # VF-1D and NG-V7 are what things are called
_STACKED = re.compile(r"^\W*(?:of|/|de)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stacks:
    """Which texts of a card are collector numbers in short lines, and which belong to them and say nothing else."""

    collectors: frozenset[int]
    totals: frozenset[int]


def stacks(texts: Sequence[Text]) -> Stacks:
    """Collector numbers in short lines above each other: 3 / OF / 160."""
    collectors, totals = set(), set()
    for number, (line, reading) in enumerate(texts):
        if not re.fullmatch(r"\W*\d{1,3}\W*", reading.text) or line.width > 12:
            continue
        for other, (below, total) in enumerate(texts):
            gap = below.y - line.y
            near = abs(below.x - line.x) < 3 and 0 < gap < 3.2 * max(line.height, below.height)
            if near and (found := re.fullmatch(r"\W*(?:of\s*)?(\d{2,3})\W*", total.text, re.IGNORECASE)):
                between = [
                    other_line
                    for other_line, said in texts
                    if line.y < other_line.y < below.y and abs(other_line.x - line.x) < 3 and _STACKED.match(said.text)
                ]
                own = int(re.sub(r"\D", "", reading.text))
                if (
                    (between or "of" in total.text.lower() or line.y > 88)
                    and own <= int(found[1])
                    and zone_at(line.x, line.y) != FACE
                    and int(found[1]) >= 20
                ):
                    collectors.add(number)
                    totals.add(other)
                    totals |= {n for n, (near, _) in enumerate(texts) if _is_between(near, line, below)}
    return Stacks(frozenset(collectors), frozenset(totals))


def _is_between(line: SeenText, above: SeenText, below: SeenText) -> bool:
    return above.y < line.y < below.y and abs(line.x - above.x) < 3 and line.width < 12


def imprint_of(texts: Sequence[Text]) -> frozenset[int]:
    """The lines of the imprint: those that say so, and small ones beside them in one block."""
    found = {n for n, (line, reading) in enumerate(texts) if _says_imprint(line, reading.text)}
    grown = True
    while grown:
        grown = False
        for n, (line, reading) in enumerate(texts):
            if n in found or NUMERAL_ONLY.match(reading.text) or len(WORD.findall(reading.text)) < 2:
                continue
            if any(_one_block(line, texts[other][0]) for other in found):
                found.add(n)
                grown = True
    return frozenset(found)


def _says_imprint(line: SeenText, text: str) -> bool:
    edge = line.y > 80 or line.y < 10 or line.turn != 0
    return edge and bool(_IMPRINT.search(text) or (_YEAR.search(text) and not TOTAL.search(text)))


def _one_block(line: SeenText, other: SeenText) -> bool:
    alike = 0.6 < line.height / max(other.height, 0.1) < 1.6
    touching = abs(line.y - other.y) < 1.4 * max(line.height, other.height)
    return alike and touching and _beside(line, other)


def _under(line: SeenText, other: SeenText) -> bool:
    """Whether two lines share most of the width of the narrower, as lines of a paragraph do."""
    right = min(line.x + line.width / 2, other.x + other.width / 2)
    left = max(line.x - line.width / 2, other.x - other.width / 2)
    return right - left > 0.6 * min(line.width, other.width)


def _beside(line: SeenText, other: SeenText) -> bool:
    """Whether two lines share a part of the card's width."""
    return abs(line.x - other.x) < 0.45 * (line.width + other.width)


def kind_of(number: int, texts: Sequence[Text], imprint: frozenset[int]) -> str:
    """What a line is: `imprint`, `collector`, `number` (all it says is a numeral), `label` or `text`."""
    line, reading = texts[number]
    text = reading.text
    if number in imprint:
        return "imprint"
    if TOTAL.search(text) and len(WORD.findall(TOTAL.sub("", text))) <= 2:
        return "collector"
    if _SET_CODE.match(text) and line.height < 4 and line.y > 80 and reading.confidence > 0.8:
        return "collector"
    if _CODE.match(text) or _MISREAD_CODE.match(text):
        return "text" if zone_at(*line.place(0.5)).startswith("top") and line.width > 20 else "collector"
    if NUMERAL_ONLY.match(text):
        return "number"
    words = len(WORD.findall(text))
    if _NAMES.search(text) and len(re.findall(r"\d+", text)) == 1:
        return "text"
    if line.turn or (zone_at(line.x, line.y) == FACE and line.width > 2 * SIDE and END < line.y < 100 - END):
        return "text"
    counted = max(1, len(re.findall(r"\d+", text)))
    if words and line.y < END and line.width > 20:
        return "label" if words <= counted * 1.5 and counted > 1 else "text"
    if words > 2 * counted or _in_paragraph(number, texts):
        return "text"
    inner = line.x + line.width / 2 if line.x < 50 else 100 - line.x + line.width / 2
    if words and END < line.y < 100 - END and inner > SIDE + 3:
        return "text"  # a line of a table or a panel that only reaches the rim
    return "label"


def _in_paragraph(number: int, texts: Sequence[Text]) -> bool:
    """Whether a line of words stands close above or below another of the same size."""
    line, reading = texts[number]
    if not WORD.search(reading.text):
        return False
    return any(
        other != number and len(WORD.findall(words.text)) >= 2 and _one_block(line, near) and _under(line, near)
        for other, (near, words) in enumerate(texts)
    )
