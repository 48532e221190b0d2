"""Settling what each line says: several looks at one place become one text, and double boxes one box."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from catalog.scan.values import Line, Reading

Text = tuple[Line, Reading]
"""A line, and what it says by all its looks."""

NUMERAL_ONLY: Final = re.compile(r"^[\s\W]*[xX×+\-−–]?\s*\d{1,3}\s*[xX×+\W]*$")
"""A text that is nothing but one numeral."""

_RUN_ON: Final = re.compile(r"\W*(\d{1,3}?)\s*[0oO]\s*[1lIftF]\s*(\d{2,3})\W*")
"""A collector number in small print that ran together: 40l120 is 4 of 120."""

_FEWEST: Final = 20
"""A set has at least so many cards."""

_LOOKS_LIKE = str.maketrans({"O": "0", "o": "0", "Q": "0", "D": "0", "I": "1", "l": "1", "|": "1", "!": "1"})

UPRIGHT: Final = 2
"""So many of the first looks at a short box leave it as it is; in the two after them its slant is taken out."""

_LEANING: Final = (0.5, 0.9)
"""How sure the less and the more sure of those two must be of a 1: then it leans. A 7 stays one, leaning or not."""


_HEARD: Final = 0.5
"""A look that is surer than that is heard, when it says something else than another box around the same digit."""

_SEVERAL: Final = 2
"""So many looks that say otherwise make a digit doubtful."""

_UNSURE: Final = 0.83
"""A doubtful digit is no surer than that, 0 to 1: a person looks at it."""


def settle(line: Line) -> Reading:
    """What a line says by all its looks, sure ones counting more; its confidence falls where they disagree."""
    return _parted(_agreed(line))


def _agreed(line: Line) -> Reading:
    if len(line.readings) == 1:
        return line.readings[0]._replace(text=_plain(line.readings[0].text))
    looks: dict[str, list[Reading]] = {}
    spelled: dict[str, str] = {}  # without blanks, which come and go
    for look in sorted(_straightened(line.readings), key=lambda look: -len(look.text)):
        text = _plain(look.text)
        looks.setdefault(spelled.setdefault(text.replace(" ", ""), text), []).append(look)
    digits = [text for text in looks if NUMERAL_ONLY.match(text)]
    for text in [text for text in looks if text not in digits and 0 < len(text) <= 3]:
        if (meant := text.translate(_LOOKS_LIKE)) in digits:  # a lone 0 is as often called O, a 1 is called I
            looks[meant] += looks.pop(text)
    for text in [text for text in digits if text.lstrip("+") in digits and text.startswith("+")]:
        looks[text] += looks.pop(text.lstrip("+"))  # a sign is the first thing that is not seen
    weights = {text: sum(look.confidence**2 for look in found) for text, found in looks.items()}
    text = max(weights, key=weights.__getitem__)
    mean = sum(look.confidence for look in looks[text]) / len(looks[text])
    if text == "1" and all(_plain(look.text) == "7" for look in line.readings[:UPRIGHT]):
        mean = min(_UNSURE, mean)  # a 7 that leans much is taken for a 1 as well
    share = weights[text] / max(sum(weights.values()), 1e-6)
    best = max(
        (look for look in looks[text] if len(look.text) == len(text)), key=lambda look: look.confidence, default=None
    )
    if best is None:
        return Reading(text, mean * share)
    return Reading(text, mean * share, best.places, tuple(chance * share for chance in best.chances))


def _parted(reading: Reading) -> Reading:
    """The same with its blanks and its word where it is a collector number that ran together."""
    found = _RUN_ON.fullmatch(reading.text)
    if found is None or not int(found[1]) <= int(found[2]) >= _FEWEST:
        return reading
    return Reading(f"{found[1]} of {found[2]}", reading.confidence)


def _straightened(looks: Sequence[Reading]) -> Sequence[Reading]:
    """The looks with 1 for 7 where that is what a 7 turns into once its slant is taken out."""
    as_is, leaning = looks[:UPRIGHT], looks[UPRIGHT : UPRIGHT + 2]
    sure = sorted(look.confidence for look in leaning if _plain(look.text) == "1")
    if len(sure) < 2 or sure[0] < _LEANING[0] or sure[1] < _LEANING[1]:
        return looks
    if not all(_plain(look.text) in ("1", "7") for look in as_is):
        return looks
    return [*leaning, *(look for look in (*as_is, *looks[UPRIGHT + 2 :]) if _plain(look.text) != "7")]


def _plain(text: str) -> str:
    """The text with digits in rings as digits: an icon is often a ring around one."""
    text = "".join(
        unicodedata.normalize("NFKC", c) if unicodedata.category(c) == "No" and c not in "¼½¾" else c for c in text
    )
    return text.strip()


def without_copies(found: list[Text]) -> list[Text]:
    """The same without what other boxes say again: a short box inside a line, or two boxes around one digit.

    A digit of which another box around it says that it is another one is less sure.
    """
    kept: list[Text] = []
    for line, reading in sorted(found, key=lambda pair: -_worth(*pair)):
        same = next((n for n, (other, told) in enumerate(kept) if told.text and _within(line, other)), None)
        if same is None:
            kept.append((line, reading))
        elif _says_otherwise(line, kept[same][1]):
            kept[same] = (kept[same][0], _doubted(kept[same][1]))
    return sorted(kept, key=lambda pair: (pair[0].y, pair[0].x))


def _says_otherwise(line: Line, told: Reading) -> bool:
    """Whether several looks at a box gave another number than the one that another box around it gave."""
    if not NUMERAL_ONLY.match(told.text):
        return False
    others = [look for look in line.readings if NUMERAL_ONLY.match(look.text) and _plain(look.text) != told.text]
    return sum(look.confidence > _HEARD for look in others) >= _SEVERAL


def _doubted(reading: Reading) -> Reading:
    chances = tuple(min(_UNSURE, chance) for chance in reading.chances)
    return reading._replace(confidence=min(_UNSURE, reading.confidence), chances=chances)


def _worth(line: Line, reading: Reading) -> float:
    upright = line.turn == 0
    return reading.confidence * (2 if upright else 1) + min(len(reading.text), 20) / 40 * reading.confidence


def _within(line: Line, other: Line) -> bool:
    """Whether most of the smaller of two boxes lies in the other."""
    across = min(line.x + line.width / 2, other.x + other.width / 2) - max(
        line.x - line.width / 2, other.x - other.width / 2
    )
    down = min(line.y + line.height / 2, other.y + other.height / 2) - max(
        line.y - line.height / 2, other.y - other.height / 2
    )
    smaller = min(line.width * line.height, other.width * other.height)
    return across > 0 and down > 0 and across * down > 0.55 * smaller
