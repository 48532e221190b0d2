"""Values of a scan: lines of text with their positions and numerals."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import HIGHEST, LOWEST
from ccgrid.catalog.zones import FACE, ZONES

Picture = Any
"""Rows x columns x 3 colours (blue, green, red), each 0 to 255."""

MIN_CERTAIN_CONFIDENCE: Final = 0.9
"""The lowest confidence, 0 to 1, of a certain numeral. It was chosen by leaving out one game at a time."""

_OVERLAP: Final = 0.55
"""The share of the smaller of two boxes that the other one covers if both show the same spot."""


class TextReading(NamedTuple):
    """A reading of a piece of a picture: its text, and its confidence, 0 to 1.

    `places` has the centre of each character along the line, 0 to 1, and `chances` its confidence.
    """

    text: str
    confidence: float
    places: tuple[float, ...] = ()
    chances: tuple[float, ...] = ()


SIDE: Final = 25.0
"""The outer part of the width in which a number is left or right, in per cent."""

END: Final = 18.0
"""The outer part of the height in which a number is at the top or bottom, in per cent."""


@dataclass(frozen=True, slots=True)
class SeenText:
    """A piece of text on an upright card; x, y, width and height are per cent of the card's width and height.

    `turn` is the direction of the text: 0 upright, 90 clockwise, 270 counter-clockwise. `readings` has one or more
    readings of the same place. `found` is the share of detection passes that found it, 0 for an icon, and `score` their
    confidence. `icon` has what the network for icons sees there, the likeliest first, "" for no number
    (`catalog.scan.icons`).
    """

    x: float
    y: float
    width: float
    height: float
    readings: tuple[TextReading, ...]
    turn: int = 0
    found: float = 1.0
    score: float = 0.8
    icon: tuple[TextReading, ...] = ()

    @property
    def short(self) -> bool:
        """Whether it is at most a digit or two long, and was read several times."""
        return len(self.readings) > 1

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point, in per cent of the card, is in the box."""
        return abs(self.x - x) < self.width / 2 and abs(self.y - y) < self.height / 2

    def icon_chance(self, number: str) -> float:
        """Return how likely the network for icons finds a number there, 0 to 1."""
        return max((one.confidence for one in self.icon if one.text == number), default=0.0)

    def overlaps(self, other: "SeenText") -> bool:
        """Return whether the other box covers most of the smaller one of the two."""
        # Width and height of the common part; negative if they are apart.
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
        """The text of the most confident reading."""
        return self.best.text

    @property
    def best(self) -> TextReading:
        """The most confident reading."""
        return max(self.readings, key=lambda reading: reading.confidence)

    def place(self, where: float) -> tuple[float, float]:
        """Return the point at a share, 0 to 1, of the length of the text, in per cent of the card."""
        # Turned clockwise, a line runs down; the other way, up.
        if self.turn == 90:
            return self.x, self.y + (where - 0.5) * self.height
        if self.turn == 270:
            return self.x, self.y - (where - 0.5) * self.height
        return self.x + (where - 0.5) * self.width, self.y


class SeenNumber(NamedTuple):
    """A numeral on a card: text, value, zone or `face`, its centre in per cent, and its confidence, 0 to 1."""

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
    """A position on the rim, in per cent of the card, at which a number may have been missed or misread.

    `value` is the likeliest number there, None if nothing could be read, and `others` the next likely ones.
    """

    x: float
    y: float
    zone: str
    value: int | None = None
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScannedCard:
    """Everything read on one card; `name` is the text that is most likely its name, "" if no text is.

    `corners` are its corners on the picture, in per cent, clockwise from the card's own top left; `cell` is its
    position on a 3x3 grid, 0 to 8 row by row, if a grid was requested. `names` are all lines that may be its name, most
    likely first; `collector` is the collector number as printed, "" if none was read.
    """

    name: str
    numbers: tuple[SeenNumber, ...] = ()
    doubts: tuple[ScanDoubt, ...] = ()
    lines: tuple[SeenText, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()
    cell: int | None = None
    sharp: bool = True
    names: tuple[str, ...] = ()
    collector: str = ""

    @property
    def rim(self) -> tuple[SeenNumber, ...]:
        """The numbers in zones that count."""
        return tuple(number for number in self.numbers if number.counts and number.zone in ZONES)

    @property
    def zones(self) -> dict[str, int]:
        """The number of each zone that has exactly one."""
        found: dict[str, list[int]] = {}
        for number in self.rim:
            found.setdefault(number.zone, []).append(number.value)
        return {zone: found[zone][0] for zone in ZONES if len(found.get(zone, ())) == 1}


def area_of(place: str) -> tuple[float, float, float, float]:
    """Return left, top, width and height of a zone or of the face, in per cent of an upright card.

    >>> area_of("top-left"), area_of("right")
    ((0.0, 0.0, 25.0, 18.0), (75.0, 18.0, 25.0, 64.0))
    """
    #     0    SIDE       100-SIDE  100
    #     +-----+------------+-----+ 0
    #     |     |            |     |
    #     +-----+------------+-----+ END
    #     |     |    face    |     |
    #     +-----+------------+-----+ 100-END
    #     |     |            |     |
    #     +-----+------------+-----+ 100
    column = "left" if place.endswith("left") else "right" if place.endswith("right") else ""
    row = "top" if place.startswith("top") else "bottom" if place.startswith("bottom") else ""
    left, width = {"left": (0.0, SIDE), "right": (100 - SIDE, SIDE), "": (SIDE, 100 - 2 * SIDE)}[column]
    top, height = {"top": (0.0, END), "bottom": (100 - END, END), "": (END, 100 - 2 * END)}[row]
    return left, top, width, height


def middle_of(place: str) -> tuple[float, float]:
    """Return the centre of a zone or of the face, in per cent of an upright card.

    >>> middle_of("top-left"), middle_of("right")
    ((12.5, 9.0), (87.5, 50.0))
    """
    left, top, width, height = area_of(place)
    return left + width / 2, top + height / 2


def zone_at(x: float, y: float) -> str:
    """Return the zone of a numeral with this centre, in per cent of an upright card, or `face`.

    >>> zone_at(10, 10), zone_at(50, 95), zone_at(80, 50), zone_at(50, 50)
    ('top-left', 'bottom', 'right', 'face')
    """
    row = "top" if y < END else "bottom" if y > 100 - END else ""
    column = "left" if x < SIDE else "right" if x > 100 - SIDE else ""
    return "-".join(part for part in (row, column) if part) or FACE
