"""Reading all text on one card that fills its picture, with several looks at what is short: lone digits in icons."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import cv2
import numpy as np

from ccgrid.catalog.scan.models import Box, Models, Picture, cut, find_islands
from ccgrid.catalog.scan.prior import NumberPlace
from ccgrid.catalog.scan.spots import vote_of
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
_DIGIT: Final = 0.5  # how sure the first look at a lone shape must be that it is a digit
_TURNED: Final = 0.9  # how sure the first look at a turned box must be, that it is looked at more

_PLAIN: Final = 0.95  # how sure each look must be at a place where nothing was found
_SAME: Final = 0.5  # the part that two boxes share when they are of the same text
_SHORT: Final = 2.5  # a box no longer than this many times its height is looked at several times
_UPRIGHT: Final = 0.45  # a box narrower than this many times its height holds turned text
_TALL: Final = 6.0  # a box higher than so many times its width holds no lone digit
_TALLEST: Final = 0.3  # nor one that is higher than that part of the card
_STACK: Final = 4  # so many numbers stand above each other at most
_BROAD: Final = 0.08  # of the card's width: a narrower column is a line of turned text
_LEVEL: Final = 5.0  # degrees by which a column may be off the upright
_VARIANTS: Final = ((0.0, 0.9, False), (0.0, 1.0, True), (0.15, 1.0, True), (0.3, 1.0, True))
"""How a short box is looked at: slant taken out, size, and whether without colours."""


class _Look(NamedTuple):
    """One look at a box, turned by quarters: the piece of the picture that is read."""

    box: int
    turn: int
    crop: Picture


def read_lines(models: Models, picture: Picture, places: Sequence[NumberPlace] = ()) -> list[SeenText]:
    """Every line of text on a card that fills the picture, and what stands at places where nothing was found."""
    base = _sized(picture, _READ_AT)
    height = base.shape[0]
    groups = _groups(models, picture, height)
    boxes = [max((box for _, box in group), key=lambda box: box.score) for group in groups]
    found = [len({look for look, _ in group}) / len(_LOOKS) for group in groups]
    parts = [
        (part, part_found)
        for box, part_found in zip(boxes, found, strict=True)
        for part in _stacked(box, boxes, base.shape[1])
    ]
    boxes += [part for part, _ in parts]
    found += [part_found for _, part_found in parts]
    read = _read(models, base, boxes, found)
    small = _sized(picture, _ISLANDS_AT)
    factor = height / small.shape[0]
    texts = [box.scaled(1 / factor) for box, lines in zip(boxes, read, strict=True) if lines[0].best.confidence > _TOLD]
    islands = [box.scaled(factor)._replace(score=0.0) for box in find_islands(small, texts)]
    first = models.read([_slanted(_grey(base), box, 0.0, 1.0) for box in islands])
    digits = [
        box
        for box, reading in zip(islands, first, strict=True)
        if (vote := vote_of(reading)) is not None and vote.weight > _DIGIT
    ]
    more = _read(models, base, digits, [0.0] * len(digits))
    found_lines = [line for lines in (*read, *more) for line in lines]
    return [*found_lines, *look_at(models, picture, places, found_lines)]


def look_at(
    models: Models, picture: Picture, places: Sequence[NumberPlace], lines: Sequence[SeenText]
) -> list[SeenText]:
    """The numbers at places of a card where no short line was found, as far as every look is sure of them."""
    missed = [p for p in places if not any(line.short and p.is_near(line.x, line.y) for line in lines)]
    if not missed:
        return []
    base = _sized(picture, _READ_AT)
    boxes = [_box_at(place, base.shape[:2]) for place in missed]
    return [line for lines in _read(models, base, boxes, [0.0] * len(boxes)) for line in lines if _is_plain(line)]


def _is_plain(line: SeenText) -> bool:
    """Whether every look at a place gave the same number for certain: nothing but the place speaks for one there."""
    votes = [vote_of(reading) for reading in line.readings]
    return len({vote and vote.number for vote in votes}) == 1 and all(vote and vote.weight > _PLAIN for vote in votes)


def _box_at(place: NumberPlace, shape: tuple[int, int]) -> Box:
    """Where a number may stand on a picture of that height and width, in pixels."""
    down, across = shape[0] / 100, shape[1] / 100
    return Box(place.x * across, place.y * down, place.width * across, place.height * down, 0.0, 0.0)


def _read(models: Models, base: Picture, boxes: Sequence[Box], found: Sequence[float]) -> list[list[SeenText]]:
    """What stands in each box, short ones looked at several times; `found` is the part of the looks that found it.

    A narrow box gives two lines: turned text, and what may be a lone digit.
    """
    grey = _grey(base)
    jobs: list[_Look] = []
    for number, box in enumerate(boxes):
        if box.width > _SHORT * box.height:
            jobs.append(_Look(number, 0, cut(base, box)))
            continue
        narrow = box.width < _UPRIGHT * box.height
        if not narrow or (box.height < _TALLEST * base.shape[0] and box.height < _TALL * box.width):
            jobs += [
                _Look(number, 0, _slanted(grey if flat else base, box, lean, size)) for lean, size, flat in _VARIANTS
            ]
        if found[number]:
            jobs += [_Look(number, turn, cut(base, box, turn)) for turn in (90, 270)]
    looks: list[dict[int, list[TextReading]]] = [{} for _ in boxes]
    more: list[_Look] = []
    for job, reading in zip(jobs, models.read([job.crop for job in jobs]), strict=True):
        looks[job.box].setdefault(job.turn, []).append(reading)
        if job.turn and reading.confidence > _TURNED and vote_of(reading) is not None:
            more += [_Look(job.box, job.turn, _turned(grey, boxes[job.box], job.turn, *how)) for how in _VARIANTS[1:]]
    for job, reading in zip(more, models.read([job.crop for job in more]), strict=True):
        looks[job.box][job.turn].append(reading)
    return [_lines(*one, base.shape[:2]) for one in zip(boxes, looks, found, strict=True)]


def _lines(box: Box, looks: dict[int, list[TextReading]], found: float, shape: tuple[int, int]) -> list[SeenText]:
    left, top, right, bottom = box.bounds()
    line = SeenText(
        x=100 * (left + right) / 2 / shape[1],
        y=100 * (top + bottom) / 2 / shape[0],
        width=100 * (right - left) / shape[1],
        height=100 * (bottom - top) / shape[0],
        readings=tuple(looks.get(0, ())),
        turned=tuple((turn, reading) for turn in (90, 270) for reading in looks.get(turn, ())),
        found=found,
        score=box.score,
    )
    if not looks.get(90) or box.width >= _UPRIGHT * box.height:
        return [line]
    turn = max((90, 270), key=lambda turn: looks[turn][0].confidence)
    text = replace(line, readings=(looks[turn][0],), turn=turn, turned=())
    return [text, line] if line.readings else [text]


def _stacked(box: Box, boxes: Sequence[Box], width: int) -> list[Box]:
    """The parts of a column in which numbers may stand above each other, where no other box is on them."""
    count = round(box.height / box.width)
    if not 2 <= count <= _STACK or box.width < _BROAD * width or abs(box.angle) > _LEVEL:
        return []
    tall = box.height / count
    parts = [box._replace(y=box.y + (n - (count - 1) / 2) * tall, height=tall, angle=0.0) for n in range(count)]
    return [part for part in parts if not any(_is_on(other, part) for other in boxes if other is not box)]


def _is_on(box: Box, part: Box) -> bool:
    near = abs(box.x - part.x) < part.width / 2 and abs(box.y - part.y) < part.height / 2
    return near and box.height < 1.7 * part.height


def _groups(models: Models, picture: Picture, height: int) -> list[list[tuple[int, Box]]]:
    """The boxes of all looks, those of the same text together, in pixels of the picture that is read."""
    groups: list[list[tuple[int, Box]]] = []
    for look, (size, how) in enumerate(_LOOKS):
        looked = _sized(picture, size)
        if how != "plain":
            looked = _raised(looked) if how == "raised" else _sharpened(looked)
        found = models.find(looked)
        for box in (box.scaled(height / looked.shape[0]) for box in found):
            same = next((group for group in groups if _shared(group[0][1], box) > _SAME), None)
            if same is None:
                groups.append([(look, box)])
            else:
                same.append((look, box))
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


def _turned(picture: Picture, box: Box, turn: int, slant: float, size: float, _: bool) -> Picture:
    """The piece under a box turned by quarters, its slant taken out."""
    piece = np.ascontiguousarray(np.rot90(_slanted(picture, box, 0.0, size), turn // 90))
    height, width = piece.shape[:2]
    warp = np.array([[1, slant, -slant * height / 2], [0, 1, 0]], np.float32)
    return cv2.warpAffine(piece, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
