"""Conversion of lines of text on a card to numbers: the kind of each line, the imprint, the collector number.

The house rules on zones (`docs/numbers.md`) decide; `catalog.numbers` reads the numerals.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.numbers import Slash, collector_number, numerals
from ccgrid.catalog.scan.spots import LoneNumber, lone_numbers, ring_digits
from ccgrid.catalog.scan.values import END, SIDE, ScanDoubt, SeenNumber, SeenText, TextReading, zone_at
from ccgrid.catalog.zones import FACE

_LEAST: Final = 0.4
"""The lowest probability of a lone number that is reported; below it there is only a doubt."""

_DOUBTFUL: Final = 0.1
"""The lowest probability of a lone number that is a doubt."""

_LEAST_LABEL: Final = 0.85
"""The lowest confidence of a number in a longer box, because the digits of an unreadable line are unreliable."""

_LEAST_COLLECTOR: Final = 0.6
"""The lowest confidence of a collector number, which its form confirms."""

_TINY: Final = 2.6
"""Unreadable lines lower than this, in per cent of the card, belong to the imprint."""

_BORDER: Final = 0.8
"""A number this near to another zone, in per cent of the card, may belong to it."""

# BF-0190: the last 0 may be the icon.
_ICON: Final = re.compile(r"[-–—_]\d\d+[0OoQ]\W*$")
"""A set code followed by a round icon, which may be read as one more digit."""

# 4R12 · 10 U 3
_CODED: Final = re.compile(r"\d{1,2}\s?[A-Z*+]{1,2}\s?(\d{1,3})")
"""Set, rarity and number, which another reading may merge into one number."""

_CLEARLY: Final = 0.9
"""How likely the network for icons must find a number in a line of words that was read as something else."""

_CUT: Final = 2.0
"""Nothing is printed this near to the edge, in per cent of the card: a digit there is the edge itself."""


@dataclass(frozen=True, slots=True)
class SeenNumerals:
    """The numerals on a card with their positions, and possible misses and misreadings on its rim.

    `collector` is the collector number, "" if none was read.
    """

    seen: tuple[SeenNumber, ...]
    doubts: tuple[ScanDoubt, ...] = ()
    collector: str = ""


def find_numbers(lines: Sequence[SeenText], slash: Slash | None = None) -> SeenNumerals:
    """Return every numeral of a card's lines, with its zone.

    `slash` is the game's meaning of a/b, if known. Without it a pair of small numbers is two numbers, and a number
    before a large one is a collector number.
    """
    lone = lone_numbers(lines)
    # 2/73 read as 273 by some looks is no lone number.
    totals = {id(line) for line in lines if line.short and TOTAL.fullmatch(settle_reading(line).text)}
    likely = [one for one in lone if one.chance >= _LEAST and totals.isdisjoint(map(id, one.boxes))]
    # By object identity: equal boxes may be at two positions.
    taken = {id(box) for one in likely for box in one.boxes}
    pairs = [(one.line, TextReading(one.number, one.chance)) for one in likely]
    pairs += [
        (line, reading)
        for line in lines
        if line.found and id(line) not in taken
        for reading in (settle_reading(line),)
        # A short box without a likely number is a doubt at most.
        if not (line.short and NUMERAL_ONLY.match(reading.text))
    ]
    texts = [(line, reading) for line, reading in without_copies(pairs) if reading.text]
    imprint = imprint_of(texts)
    seen: list[SeenNumber] = []
    collector = ""
    doubts = list(_less_likely(lone))
    for number, (line, reading) in enumerate(texts):
        if is_at_edge(line):
            continue
        kind = line_kind(number, texts, imprint)
        if kind == "imprint" or (kind == "label" and reading.confidence < _LEAST_LABEL and line.height < _TINY):
            continue
        for found in _numbers_of(line, reading, kind, slash):
            if any(one.line.covers(found.x, found.y) and one.number == str(found.value) for one in likely):
                found = found._replace(confidence=max(found.confidence, _LEAST_LABEL))
            if found.zone == FACE or found.confidence >= (_LEAST if id(line) in taken else _least(kind)):
                seen.append(found)
                doubts += _zone_doubts(found)
            elif found.counts:
                doubts.append(ScanDoubt(found.x, found.y, found.zone, found.value))
            if kind == "collector":
                collector = collector or str(found.value)
                doubts += _misread_code(found)
    return SeenNumerals(tuple(seen), tuple(dict.fromkeys(doubts)), collector)


def is_at_edge(line: SeenText) -> bool:
    """Return whether the centre of a line is too near to the edge for print."""
    return not (_CUT < line.x < 100 - _CUT and _CUT < line.y < 100 - _CUT)


def _least(kind: str) -> float:
    """Return the lowest confidence from which a number on the rim is reported."""
    return _LEAST_COLLECTOR if kind == "collector" else _LEAST_LABEL


def _less_likely(lone: Sequence[LoneNumber]) -> Iterator[ScanDoubt]:
    """Yield doubts about unlikely numbers on the rim, and about ends of codes."""
    for one in lone:
        zone = zone_at(one.line.x, one.line.y)
        codes = [found for look in one.line.readings if (found := _CODED.fullmatch(look.text))]
        if codes and zone != FACE and int(codes[0][1]) <= HIGHEST:
            yield ScanDoubt(one.line.x, one.line.y, zone, int(codes[0][1]))
        # A pair is two numbers.
        numbers = [int(part) for number in (one.number, *(c.number for c in one.others)) for part in number.split("/")]
        values = [value for value in dict.fromkeys(numbers) if LOWEST <= value <= HIGHEST]
        # 51 may be chosen although 5, a part of it, is likelier.
        is_possible = one.chance < _LEAST and max(one.chance, *(c.chance for c in one.others), 0) >= _DOUBTFUL
        if is_possible and values and zone != FACE and not is_at_edge(one.line):
            yield ScanDoubt(one.line.x, one.line.y, zone, values[0], tuple(values[1:]))


def _zone_doubts(found: SeenNumber) -> Iterator[ScanDoubt]:
    """Yield doubts about a number so near to another zone that it may belong to it."""
    if not found.counts or found.zone == FACE:
        return
    # Is there another zone a little to each side?
    for across, down in ((_BORDER, 0), (-_BORDER, 0), (0, _BORDER), (0, -_BORDER)):
        if (other := zone_at(found.x + across, found.y + down)) != found.zone:
            yield ScanDoubt(found.x, found.y, other, found.value)


def _misread_code(found: SeenNumber) -> Iterator[ScanDoubt]:
    """Yield a doubt about a collector number that counts if its last digit is the icon after it."""
    if found.zone != FACE and _ICON.search(found.raw) and found.value // 10 <= HIGHEST:
        yield ScanDoubt(found.x, found.y, found.zone, found.value // 10)


def _numbers_of(line: SeenText, reading: TextReading, kind: str, slash: Slash | None) -> Iterator[SeenNumber]:
    text = reading.text
    if kind == "collector":
        # "12 of 160" has the number first; a code such as BF-019 last.
        value = collector_number(text, "first" if TOTAL.search(text) else "last")
        if value is not None:
            where = TOTAL.search(text) or re.search(r"\d+", text)
            x, y = line.place(_along(reading, where.start(), where.end())) if where else (line.x, line.y)
            yield SeenNumber(text.strip(), value, zone_at(x, y), x, y, reading.confidence)
        return
    # 2/3: two small numbers with a stroke and no digits next to them.
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
            value = abs(value)  # a dash before a label's number is not a minus
        sure = reading.confidence if kind == "number" else _chance(reading, found.start, found.end)
        yield SeenNumber(raw, value, zone, x, y, sure)


def _chance(reading: TextReading, start: int, end: int) -> float:
    """Return the lowest confidence of the characters from `start` to `end` of a line."""
    if len(reading.chances) != len(reading.text):
        return reading.confidence
    return min(reading.chances[start:end])


def _end_of_phrase(text: str, end: int) -> int:
    """Return the end of the words that a number begins: 10 Free Quebec is one box, and so is 3 Any."""
    rest = re.match(r"\s+[^\d,;:]*[^\d,;:\s]", text[end:])
    # Not if another number follows immediately: the words may belong to it.
    return end + rest.end() if rest and not re.search(r"\d", text[end + rest.end() :][:3]) else end


def _along(reading: TextReading, start: int, end: int) -> float:
    """Return the position of the characters from `start` to `end` along a line, 0 to 1."""
    if len(reading.places) == len(reading.text) and start < end:
        places = reading.places[start:end]
        return (places[0] + places[-1]) / 2
    return (start + end) / 2 / max(1, len(reading.text))


# --- text and kind of each line ----------------------------------------------------------------------------------


Text = tuple[SeenText, TextReading]
"""A line, and its text by all its readings."""

# 7 · +2 · x3 · -1 · (4)
NUMERAL_ONLY: Final = re.compile(r"^[\s\W]*[xX×+\-−–]?\s*\d{1,3}\s*[xX×+\W]*$")
"""A text that is only one numeral."""


def settle_reading(line: SeenText) -> TextReading:
    """Return the text of a line by all its readings, weighted by confidence; disagreement lowers the confidence."""
    if len(line.readings) == 1:
        # A single reading.
        return line.readings[0]._replace(text=ring_digits(line.readings[0].text))
    looks: dict[str, list[TextReading]] = {}
    spelled: dict[str, str] = {}  # without blanks, which come and go
    # The longest first: with its blanks it gives the spelling.
    for look in sorted(line.readings, key=lambda look: -len(look.text)):
        text = ring_digits(look.text)
        looks.setdefault(spelled.setdefault(text.replace(" ", ""), text), []).append(look)
    for text in [text for text in looks if "/" in text and TOTAL.search(text)]:
        # The stroke of 2/73 is often read as a digit, or not at all: those looks are votes for it.
        misread = re.compile(re.escape(text).replace("/", "[17Il|]?"))
        for other in [other for other in looks if misread.fullmatch(other)]:
            looks[text] += looks.pop(other)
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


def without_copies(found: list[Text]) -> list[Text]:
    """Remove texts that other boxes repeat: a short box inside a line, or two boxes around one digit."""
    distinct: list[Text] = []
    for line, reading in sorted(found, key=lambda pair: -_worth(*pair)):
        # What only the network for icons found in a line of words is a copy if the words have it, too.
        if not any(
            line.overlaps(other)
            and (
                other_reading.text
                if line.found
                else reading.text in other_reading.text or _is_text(other, other_reading)
            )
            and not _is_apart(line, reading.text, other_reading.text)
            for other, other_reading in distinct
        ):
            distinct.append((line, reading))
    return sorted(distinct, key=lambda pair: (pair[0].y, pair[0].x))


def _is_text(line: SeenText, reading: TextReading) -> bool:
    """Return whether a line is running text, in which an icon is a part of the rules."""
    return END < line.y < 100 - END and line.width > 2 * SIDE and WORD.search(reading.text) is not None


def _is_apart(line: SeenText, number: str, words: str) -> bool:
    """Return whether a line of words was read across an icon: as Raider 70, for example, with a 7 and a round sign."""
    is_seen = line.found > 0 and line.icon_chance(number) >= _CLEARLY
    return is_seen and WORD.search(words) is not None and number not in re.findall(r"\d+", words)


def _worth(line: SeenText, reading: TextReading) -> float:
    return reading.confidence * (1 if line.turn else 2) + min(len(reading.text), 20) / 40 * reading.confidence


_IMPRINT = re.compile(
    r"©|®|\(c\)|copyright|\brights? res|reserved|licens|trademark|\btm\s*&|printed in|\billus|\bartist\b|\bedition\b"
    r"|\b(?:inc|ltd|llc)\b|www\.|\.com\b",
    re.IGNORECASE,
)
# 1950 to 2099, not a part of a longer number.
_YEAR = re.compile(r"(?<!\d)(?:19[5-9]\d|20[0-9]\d)(?!\d)")
# Two letters or more.
WORD = re.compile(r"[^\W\d_]{2,}")
# 3/149 · 12 of 160 · 4a de 80
TOTAL = re.compile(
    r"(?<![\d/])(\d{1,4})[a-z]?\s*(?:/\s*(?=\d\d)|(?:of|de|von|sur|di|из)\s*)\d{1,4}(?!\d)", re.IGNORECASE
)
# 2 R 14 · 4★12
_SET_CODE = re.compile(r"^\W*\d{1,2}\s?(?:[A-Z][A-Za-z]?|[*★+])\s?\d{1,3}\W*$")
# BF-019 · LOB 12 · ABC1-EN045a
_CODE = re.compile(r"^\W*[A-Z]{1,5}\d{0,2}\s*[-–—_]?\s*[A-Z]{0,2}\d{2,4}[A-Za-z]?\W*$")
_MISREAD_CODE = re.compile(r"^\W*\w{1,3}[-–—]\d{3,4}[a-z]?\W*$")  # 8F-019 is BF-019: the letters do not matter
_NAMES = re.compile(r"[^\W\d_][-–]?\d+[^\W\d_]|[^\W\d_]{2}[-–]\d(?!\d)")  # VF-1D and NG-V7 are names


def imprint_of(texts: Sequence[Text]) -> frozenset[int]:
    """Return the lines of the imprint: those with its words, and small ones in the same block."""
    # Start with lines that have words of an imprint, and add lines of the same block until none is left.
    found = {n for n, (line, reading) in enumerate(texts) if _says_imprint(line, reading.text)}
    grown = True
    while grown:
        grown = False
        for n, (line, reading) in enumerate(texts):
            # Lone numbers and single words never belong to it.
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
    same_height = 0.6 < line.height / max(other.height, 0.1) < 1.6
    touching = abs(line.y - other.y) < 1.4 * max(line.height, other.height)
    return same_height and touching and _beside(line, other)


def _under(line: SeenText, other: SeenText) -> bool:
    """Return whether two lines share most of the width of the narrower one, like lines of a paragraph."""
    right = min(line.x + line.width / 2, other.x + other.width / 2)
    left = max(line.x - line.width / 2, other.x - other.width / 2)
    return right - left > 0.6 * min(line.width, other.width)


def _beside(line: SeenText, other: SeenText) -> bool:
    """Return whether two lines share a part of the card's width."""
    return abs(line.x - other.x) < 0.45 * (line.width + other.width)


def line_kind(number: int, texts: Sequence[Text], imprint: frozenset[int]) -> str:
    """Return the kind of a line: `imprint`, `collector`, `number` (only a numeral), `label` or `text`."""
    line, reading = texts[number]
    text = reading.text
    if number in imprint:
        return "imprint"
    # "12 of 160", with at most two words next to it.
    if TOTAL.search(text) and len(WORD.findall(TOTAL.sub("", text))) <= 2:
        return "collector"
    if _SET_CODE.match(text) and line.height < 4 and line.y > 80 and reading.confidence > 0.8:
        return "collector"
    if _CODE.match(text) or _MISREAD_CODE.match(text):
        return "text" if zone_at(*line.place(0.5)).startswith("top") and line.width > 20 else "collector"
    if NUMERAL_ONLY.match(text):
        return "number"
    words = len(WORD.findall(text))
    # Nothing but the number of a name, as in VF-1D.
    if _NAMES.search(text) and len(re.findall(r"\d+", text)) == 1:
        return "text"
    if line.turn or (zone_at(line.x, line.y) == FACE and line.width > 2 * SIDE):
        return "text"
    # More words than numbers: a text; more numbers than words: labels such as "Attack 3 Defense 2".
    counted = max(1, len(re.findall(r"\d+", text)))
    if words and line.y < END and line.width > 20:
        return "label" if words <= counted * 1.5 and counted > 1 else "text"
    if words > 2 * counted or _in_paragraph(number, texts):
        return "text"
    # How far the line reaches into the card from its nearer side.
    inner = line.x + line.width / 2 if line.x < 50 else 100 - line.x + line.width / 2
    if words and END < line.y < 100 - END and inner > SIDE + 3:
        return "text"  # a line of a table or a panel that only reaches the rim
    return "label"


def _in_paragraph(number: int, texts: Sequence[Text]) -> bool:
    """Return whether a line of words is close above or below another one of the same size."""
    line, reading = texts[number]
    if not WORD.search(reading.text):
        return False
    return any(
        other != number and len(WORD.findall(words.text)) >= 2 and _one_block(line, near) and _under(line, near)
        for other, (near, words) in enumerate(texts)
    )
