"""What is seen on a picture, lines of text with their places and the numerals in them, and what is expected there."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.zones import FACE, ZONES

Picture = Any
"""Rows x columns x 3 colours (blue, green, red), each 0 to 255."""

SURE: Final = 0.9
"""A numeral from this confidence on, 0 to 1, is not in doubt: each game was left out in turn when it was chosen."""

_OVERLAP: Final = 0.55
"""The part of the smaller of two boxes that lies in the other if both are of one spot."""


class TextReading(NamedTuple):
    """One way a piece of a picture was read: its text, and how sure that is, 0 to 1.

    `places` holds, for each character, where along the line its centre is, 0 to 1, and `chances` how sure it is.
    """

    text: str
    confidence: float
    places: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()


SIDE: Final = 25.0
"""A number is left or right in the outer part of the width, in per cent."""

END: Final = 18.0
"""A number is at the top or the bottom in the outer part of the height, in per cent."""


@dataclass(frozen=True, slots=True)
class SeenText:
    """A piece of text on a card held upright; x, y, width and height are per cent of the card's width and height.

    `turn` is how the text is on the card: 0 upright, 90 turned clockwise, 270 the other way. `readings` are what
    several looks at the same place gave; there is always one. `turned` are looks at a short box by quarter turns.
    `found` is the part of the looks for text that found it, 0 for a lone shape, and `score` how sure they were.
    """

    x: float
    y: float
    width: float
    height: float
    readings: tuple[TextReading, ...]
    turn: int = 0
    turned: tuple[tuple[int, TextReading], ...] = ()
    found: float = 1.0
    score: float = 0.8

    @property
    def short(self) -> bool:
        """Whether it is no longer than a digit or two, and was looked at several times."""
        return len(self.readings) > 1

    def overlaps(self, other: "SeenText") -> bool:
        """Whether most of the smaller of two boxes lies in the other."""
        # How wide and how high the part is that both cover; below 0 where they are apart.
        across = min(self.x + self.width / 2, other.x + other.width / 2) - max(
            self.x - self.width / 2, other.x - other.width / 2
        )
        down = min(self.y + self.height / 2, other.y + other.height / 2) - max(
            self.y - self.height / 2, other.y - other.height / 2
        )
        smaller = min(self.width * self.height, other.width * other.height)
        return across > 0 and down > 0 and across * down > _OVERLAP * smaller

    @property
    def text(self) -> str:
        """The text by the look that was surest."""
        return self.best.text

    @property
    def best(self) -> TextReading:
        """The surest look."""
        return max(self.readings, key=lambda reading: reading.confidence)

    def place(self, where: float) -> tuple[float, float]:
        """The point at a part, 0 to 1, of the way along the text, in per cent of the card."""
        # Turned clockwise, a line runs down; the other way, up.
        if self.turn == 90:
            return self.x, self.y + (where - 0.5) * self.height
        if self.turn == 270:
            return self.x, self.y - (where - 0.5) * self.height
        return self.x + (where - 0.5) * self.width, self.y


class SeenNumber(NamedTuple):
    """A numeral on a card: text, value, zone or `face`, its centre in per cent, and how sure it is, 0 to 1."""

    raw: str
    value: int
    zone: str
    x: float
    y: float
    confidence: float

    @property
    def counts(self) -> bool:
        """Whether the value is in the range 0 to 10 (rule 6)."""
        return LOWEST <= self.value <= HIGHEST


class ScanDoubt(NamedTuple):
    """A place on the rim, in per cent of the card, where a number may have been missed or misread.

    `value` is the likeliest number there, None where nothing could be read, and `others` the next ones.
    """

    x: float
    y: float
    zone: str
    value: int | None = None
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScannedCard:
    """What was read on one card: `name` is what is most likely its name, empty where nothing looks like one.

    `corners` are its corners on the picture, in per cent, clockwise from the card's own top left; `cell` is its place
    on a 3x3 grid, 0 to 8 row by row, where one was asked for. `names` are all lines that may be its name, most likely
    first; `collector` is the card's own number of its set as it is printed, empty where none was read. `fingerprint`
    is what it looks like (`catalog.scan.scanner.picture_fingerprint`).
    """

    name: str
    numbers: tuple[SeenNumber, ...]
    doubts: tuple[ScanDoubt, ...] = ()
    lines: tuple[SeenText, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()
    cell: int | None = None
    sharp: bool = True
    names: tuple[str, ...] = ()
    collector: str = ""
    fingerprint: bytes = b""

    @property
    def rim(self) -> tuple[SeenNumber, ...]:
        """The numbers that count and are in a zone."""
        return tuple(number for number in self.numbers if number.counts and number.zone in ZONES)

    @property
    def zones(self) -> dict[str, int]:
        """Zone -> its number; a zone with no number, or with several, is left out."""
        found: dict[str, list[int]] = {}
        for number in self.rim:
            found.setdefault(number.zone, []).append(number.value)
        return {zone: found[zone][0] for zone in ZONES if len(found.get(zone, ())) == 1}

    @property
    def sure(self) -> bool:
        """Whether nothing speaks against the numbers: there are some, read alike by every look, and no doubts."""
        return (
            self.sharp and bool(self.rim) and not self.doubts and all(number.confidence >= SURE for number in self.rim)
        )


def zone_at(x: float, y: float) -> str:
    """The zone of a numeral whose centre is there, in per cent of a card held upright; `face` where it is in none.

    >>> zone_at(10, 10), zone_at(50, 95), zone_at(80, 50), zone_at(50, 50)
    ('top-left', 'bottom', 'right', 'face')
    """
    row = "top" if y < END else "bottom" if y > 100 - END else ""
    column = "left" if x < SIDE else "right" if x > 100 - SIDE else ""
    return "-".join(part for part in (row, column) if part) or FACE


# --- what is expected before one looks: where numbers were on other cards of the game ---------------------------


_NEAR: Final = (4.0, 3.0)
"""How far from a place, in per cent of the card's width and height, its number may be."""
_SHARE: Final = 0.5
_ANY: Final = 0.6
"""What speaks for a number, in logarithms of odds: the share of cards that have one there, and that any has."""
# O for 0, l for 1, S for 5, and so on, letter by letter.
LOOKALIKES: Final = str.maketrans("OoQDIl|!iSsBZzGbqg乙己日", "000011111558226699228")
"""What one digit is often taken for."""
_DIGITS: Final = r"([0-9OoQDIl|iSBZzG]{1,4}?)"
_LOOKALIKE_SURE: Final = 0.8
"""The highest confidence of a number of which a digit was read as a letter."""


class NumberPlace(NamedTuple):
    """Where a number is on a card, in per cent of it, and its form: `#` for each digit, `A` for letters.

    `is_collector` says that it is the card's number of its set; `width` and `height` are of the box in which it was
    read, 0 where that is not known.
    """

    zone: str
    x: float
    y: float
    form: str
    is_collector: bool = False
    width: float = 0.0
    height: float = 0.0

    def is_near(self, x: float, y: float) -> bool:
        """Whether a point is at this place."""
        return abs(self.x - x) < _NEAR[0] and abs(self.y - y) < _NEAR[1]


class Prior(NamedTuple):
    """The places of numbers on other cards of a game, each card with how much it counts here, 0 to 1."""

    cards: tuple[tuple[float, tuple[NumberPlace, ...]], ...] = ()

    def chance(self, chance: float, x: float, y: float) -> float:
        """How likely a number is at a point, 0 to 1, where a look alone says `chance`.

        Where no other card has one nothing speaks against it: cards of other types have their numbers elsewhere.
        """
        having = [weight for weight, places in self.cards if any(place.is_near(x, y) for place in places)]
        if not having or not 0 < chance < 1:
            return chance
        count = sum(weight for weight, _ in self.cards)
        # Odds of what is independent multiply: the look's, and what other cards say. A half card more: one card proves
        # little.
        odds = chance / (1 - chance) * math.exp(_ANY + _SHARE * sum(having) / (count + 0.5))
        return odds / (1 + odds)

    def collector(self, line: SeenText) -> TextReading | None:
        """The collector number on a line that is where others have theirs, in a form that theirs has.

        A letter where a digit is in that form is taken for the digit that looks like it. None for any other line.
        """
        near = (place for _, places in self.cards for place in places if place.is_near(line.x, line.y))
        forms = dict.fromkeys(place.form for place in near if place.is_collector)
        found: dict[str, float] = {}
        for look in line.readings:
            for match in (_pattern(form).fullmatch(look.text.strip()) for form in forms):
                if match is not None:
                    # Only the digits of the form are exchanged; its letters stay letters.
                    text = "".join(part.translate(LOOKALIKES) if place % 2 else part for place, part in _parts(match))
                    certain = 1.0 if text == match.string else _LOOKALIKE_SURE
                    found[text] = found.get(text, 0.0) + certain * look.confidence / len(line.readings)
                    break
        return TextReading(*max(found.items(), key=lambda one: one[1])) if found else None


@lru_cache(64)
def _pattern(form: str) -> re.Pattern[str]:
    """What fits a form: as many digits, or letters that look like some, as may be where it has any."""
    # "# A ###" becomes digits, blanks, letters, blanks, digits.
    parts = re.split(r"(#+|A|\s+)", form)
    means = {"#": _DIGITS, "A": r"[^\W\d_]{1,3}", " ": r"\s*"}
    return re.compile("".join(means.get(part[:1], re.escape(part)) for part in parts))


def _parts(found: re.Match[str]) -> Iterator[tuple[int, str]]:
    """What was matched, piece by piece: the digits have odd places."""
    end = 0
    for group in range(1, (found.re.groups or 0) + 1):
        yield 2 * group, found.string[end : found.start(group)]
        yield 2 * group + 1, found[group]
        end = found.end(group)
    yield 0, found.string[end:]


NOTHING: Final = Prior()
"""What is expected of a game of which no card was accepted."""
