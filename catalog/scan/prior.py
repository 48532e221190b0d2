"""What the reader expects on a card before it looks: where numbers stood on others of its game."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ccgrid.catalog.scan.spots import ALIKE
from ccgrid.catalog.scan.values import SeenText, TextReading

_NEAR: Final = (4.0, 3.0)
"""So far from a place, in per cent of the card's width and height, its number still stands there."""
_SHARE: Final = 0.5
_ANY: Final = 0.6
"""What speaks for a number, in logarithms of odds: the share of cards that have one there, and that any has."""
_DIGITS: Final = r"([0-9OoQDIl|iSBZzG]{1,4}?)"
_ALIKE_SURE: Final = 0.8
"""So sure at most is a number of which a digit was read as a letter."""


class NumberPlace(NamedTuple):
    """Where a number stands on a card, in per cent of it, and its form: `#` for each digit, `A` for letters.

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
        """How likely a number stands at a point, 0 to 1, where a look alone says `chance`.

        Where no other card has one nothing speaks against it: cards of other types have their numbers elsewhere.
        """
        having = [weight for weight, places in self.cards if any(place.is_near(x, y) for place in places)]
        if not having or not 0 < chance < 1:
            return chance
        count = sum(weight for weight, _ in self.cards)
        odds = chance / (1 - chance) * math.exp(_ANY + _SHARE * sum(having) / (count + 0.5))
        return odds / (1 + odds)

    def collector(self, line: SeenText) -> TextReading | None:
        """The collector number on a line that stands where others have theirs, in a form that theirs has.

        A letter where a digit stands in that form is taken for the digit that looks like it. None for any other line.
        """
        near = (place for _, places in self.cards for place in places if place.is_near(line.x, line.y))
        forms = dict.fromkeys(place.form for place in near if place.is_collector)
        found: dict[str, float] = {}
        for look in line.readings:
            for match in (_pattern(form).fullmatch(look.text.strip()) for form in forms):
                if match is not None:
                    text = "".join(part.translate(ALIKE) if place % 2 else part for place, part in _parts(match))
                    certain = 1.0 if text == match.string else _ALIKE_SURE
                    found[text] = found.get(text, 0.0) + certain * look.confidence / len(line.readings)
                    break
        return TextReading(*max(found.items(), key=lambda one: one[1])) if found else None


@lru_cache(64)
def _pattern(form: str) -> re.Pattern[str]:
    """What fits a form: as many digits, or letters that look like some, as may be where it has any."""
    parts = re.split(r"(#+|A|\s+)", form)
    means = {"#": _DIGITS, "A": r"[^\W\d_]{1,3}", " ": r"\s*"}
    return re.compile("".join(means.get(part[:1], re.escape(part)) for part in parts))


def _parts(found: re.Match[str]) -> Iterator[tuple[int, str]]:
    """What was matched, piece by piece: what stands for digits has an odd place."""
    end = 0
    for group in range(1, (found.re.groups or 0) + 1):
        yield 2 * group, found.string[end : found.start(group)]
        yield 2 * group + 1, found[group]
        end = found.end(group)
    yield 0, found.string[end:]


NOTHING: Final = Prior()
"""What is expected of a game of which no card was accepted."""
