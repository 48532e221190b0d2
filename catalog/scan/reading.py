"""Reading all text on one card that fills its picture, with several looks at what is short: lone digits in icons."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from ccgrid.catalog.scan.models import Box, Models, Picture, cut, find_islands
from ccgrid.catalog.scan.values import SeenText, TextReading

_READ_AT: Final = 1408  # pixels of the longer side at which text is read
_LOOKS: Final = (
    (1024, "plain"),
    (1024, "sharp"),
    (704, "plain"),
    (704, "raised"),
    (512, "plain"),
    (400, "plain"),
    (400, "raised"),
)
"""At which sizes, in pixels of the longer side, text is looked for: as it is, sharpened, or with local contrast raised.

Lines of small text are found on large pictures, lone digits in icons on small ones.
"""

_ISLANDS_AT: Final = 704
_TOLD: Final = 0.6  # a box read with more confidence holds text, and no digit that was passed over
_DIGIT: Final = 0.8  # how sure the first look at a lone shape must be that it is a digit
_AGREED: Final = 0.95  # the same for every look at it: bars and rings of the art are read with less

_LESS_SURE: Final = 0.87
_NOT_SURE: Final = 0.83  # less than SURE: what is a shape and no text to the detector is looked at by a person

_SAME: Final = 0.5  # the part that two boxes share when they are of the same text
_SHORT: Final = 2.5  # a box no longer than this many times its height is looked at several times
_UPRIGHT: Final = 0.45  # a box narrower than this many times its height holds turned text
_VARIANTS: Final = ((0.0, 0.9, False), (0.0, 1.0, True), (0.15, 1.0, True), (0.3, 1.0, True))
"""How a short box is looked at: slant taken out, size, and whether without colours."""


def read_lines(models: Models, picture: Picture) -> list[SeenText]:
    """Every line of text on a card that fills the picture."""
    base = _sized(picture, _READ_AT)
    height = base.shape[0]
    boxes = [max(group, key=lambda found: found.score) for group in _groups(models, picture, height)]
    lines = _read(models, base, boxes)
    small = _sized(picture, _ISLANDS_AT)
    factor = height / small.shape[0]
    told = [box.scaled(1 / factor) for box, line in zip(boxes, lines, strict=True) if line.best.confidence > _TOLD]
    islands = [box.scaled(factor) for box in find_islands(small, told)]
    first = models.read([_slanted(_grey(base), box, 0.0, 1.0) for box in islands])
    digits = [
        box
        for box, reading in zip(islands, first, strict=True)
        if reading.confidence > _DIGIT and reading.text.isdecimal()
    ]
    return [*lines, *map(_less_sure, filter(_is_agreed, _read(models, base, digits)))]


def _read(models: Models, base: Picture, boxes: Sequence[Box]) -> list[SeenText]:
    """What stands in boxes, short ones looked at several times."""
    height, width = base.shape[:2]
    grey = _grey(base)
    crops: list[Picture] = []
    jobs: list[tuple[int, int]] = []
    for number, box in enumerate(boxes):
        if box.width > _SHORT * box.height:
            crops.append(cut(base, box))
            jobs.append((number, 0))
        elif box.width < _UPRIGHT * box.height:
            for turn in (90, 270):
                crops.append(cut(base, box, turn))
                jobs.append((number, turn))
        else:
            for slant, size, plain in _VARIANTS:
                crops.append(_slanted(grey if plain else base, box, slant, size))
                jobs.append((number, 0))
    readings: list[dict[int, list[TextReading]]] = [{} for _ in boxes]
    for (number, turn), reading in zip(jobs, models.read(crops), strict=True):
        readings[number].setdefault(turn, []).append(reading)
    return [_line(box, looks, height, width) for box, looks in zip(boxes, readings, strict=True)]


def _is_agreed(line: SeenText) -> bool:
    """Whether every look at a lone shape gave the same digits for certain."""
    return len({look.text for look in line.readings}) == 1 and min(r.confidence for r in line.readings) > _AGREED


def _less_sure(line: SeenText) -> SeenText:
    """A lone shape that reads as a digit may be a bar or a ring of the art: a person should look at it."""
    looks = (r._replace(confidence=min(_NOT_SURE, r.confidence * _LESS_SURE)) for r in line.readings)
    return replace(line, readings=tuple(looks))


def _line(box: Box, looks: dict[int, list[TextReading]], height: int, width: int) -> SeenText:
    turn = max(looks, key=lambda turned: looks[turned][0].confidence)
    left, top, right, bottom = box.bounds()
    return SeenText(
        x=100 * (left + right) / 2 / width,
        y=100 * (top + bottom) / 2 / height,
        width=100 * (right - left) / width,
        height=100 * (bottom - top) / height,
        readings=tuple(looks[turn]),
        turn=turn,
    )


def _groups(models: Models, picture: Picture, height: int) -> list[list[Box]]:
    """The boxes of all looks, those of the same text together, in pixels of the picture that is read."""
    groups: list[list[Box]] = []
    for size, how in _LOOKS:
        looked = _sized(picture, size)
        if how != "plain":
            looked = _raised(looked) if how == "raised" else _sharpened(looked)
        found = models.find(looked)
        for box in (box.scaled(height / looked.shape[0]) for box in found):
            same = next((group for group in groups if _shared(group[0], box) > _SAME), None)
            if same is None:
                groups.append([box])
            else:
                same.append(box)
    return groups


def _shared(one: Box, other: Box) -> float:
    """How much of what two boxes cover together both cover, 0 to 1."""
    a, b = one.bounds(), other.bounds()
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def _sized(picture: Picture, longer: int) -> Picture:
    factor = longer / max(picture.shape[:2])
    how = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    return cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how)


def _raised(picture: Picture) -> Picture:
    """The picture with its local contrast raised: digits on icons of nearly their own brightness come out."""
    lightness, *colours = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))
    lightness = cv2.createCLAHE(4, (8, 8)).apply(lightness)
    return cv2.cvtColor(cv2.merge([lightness, *colours]), cv2.COLOR_LAB2BGR)


def _sharpened(picture: Picture) -> Picture:
    return cv2.addWeighted(picture, 2.5, cv2.GaussianBlur(picture, (0, 0), 3), -1.5, 0)


def _grey(picture: Picture) -> Picture:
    return cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def _slanted(picture: Picture, box: Box, slant: float, size: float) -> Picture:
    """The piece under a box, that much larger, with the slant of italic digits taken out."""
    box = box._replace(width=box.width * size, height=box.height * size)
    reach = box.width + box.height
    left, top = int(max(0, box.x - reach)), int(max(0, box.y - reach))
    near = picture[top : int(box.y + reach) + 1, left : int(box.x + reach) + 1]
    if slant:
        warp = np.array([[1, slant, -slant * (box.y - top)], [0, 1, 0]], np.float32)
        near = cv2.warpAffine(near, warp, (near.shape[1], near.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return cut(near, box._replace(x=box.x - left, y=box.y - top))
