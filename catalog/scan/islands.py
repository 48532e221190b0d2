"""Lone digits that the detector passes over: small shapes of one tone in a plain patch on the rim, as in icons."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from catalog.evidence import FACE
from catalog.scan.models import Box, Picture
from catalog.scan.values import zone_at

_MOST: Final = 24  # shapes that are read
_HEIGHTS: Final = (0.018, 0.07)  # of the card's height
_WIDTHS: Final = (0.2, 1.05)  # of a shape's own height
_FILLED: Final = (0.2, 0.85)  # of its box
_CONTRAST: Final = 45.0  # between the shape and the patch around it, of 255
_PLAIN: Final = 30.0  # how much the tones of that patch may vary, to be plain
_NEARLY: Final = 0.45  # of the contrast, by which those of a patch with an edge in it may vary
_GROW: Final = 1.45


def find_islands(picture: Picture, known: Sequence[Box]) -> list[Box]:
    """Boxes around shapes that may be digits where no other box is, the clearest first."""
    height, width = picture.shape[:2]
    found: list[Box] = []
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    for tones in (np.ascontiguousarray(lab[..., 0]), picture.max(2)):
        block = max(3, round(height * 0.06)) | 1
        for kind, sign in ((cv2.THRESH_BINARY, -8), (cv2.THRESH_BINARY_INV, 8)):
            mask = cv2.adaptiveThreshold(tones, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, sign)
            _, labels, sizes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
            for label in _likely(sizes, height, width):
                box = _island(tones, labels, label, sizes[label])
                if box is not None and not any(_touch(box, other) for other in (*known, *found)):
                    found.append(box)
    return sorted(found, key=lambda box: -box.score)[:_MOST]


def _likely(sizes: Picture, height: int, width: int) -> list[int]:
    """The shapes that have the size and the place of a digit on the rim."""
    chosen = []
    for label, (left, top, wide, tall, area) in enumerate(sizes.tolist()):
        fits = (
            _HEIGHTS[0] * height < tall < _HEIGHTS[1] * height
            and _WIDTHS[0] * tall < wide < _WIDTHS[1] * tall
            and _FILLED[0] * wide * tall < area < _FILLED[1] * wide * tall
        )
        if fits and zone_at(100 * (left + wide / 2) / width, 100 * (top + tall / 2) / height) != FACE:
            chosen.append(label)
    return chosen


def _island(tones: Picture, labels: Picture, label: int, size: Sequence[int]) -> Box | None:
    """The box of a shape that stands out of a patch that is plain, or nearly so; None for one that does not."""
    left, top, wide, tall = (int(value) for value in size[:4])
    reach = max(2, round(tall * 0.3))
    rows = slice(max(0, top - reach), top + tall + reach)
    columns = slice(max(0, left - reach), left + wide + reach)
    shape = (labels[rows, columns] == label).astype(np.uint8)
    around = cv2.dilate(shape, np.ones((3, 3), np.uint8)) == 0
    patch = tones[rows, columns].astype(np.float32)
    if around.sum() < 10:
        return None
    contrast = abs(float(patch[shape == 1].mean()) - float(patch[around].mean()))
    varying = float(patch[around].std())
    if contrast < _CONTRAST or varying > max(_PLAIN, _NEARLY * contrast):
        return None
    grown = tall * (_GROW - 1)
    return Box(left + wide / 2, top + tall / 2, wide + grown, tall + grown, 0.0, (contrast - varying) / 255)


def _touch(one: Box, other: Box) -> bool:
    """Whether the centre of one box lies in the other."""
    a, b = one.bounds(), other.bounds()
    return (b[0] < one.x < b[2] and b[1] < one.y < b[3]) or (a[0] < other.x < a[2] and a[1] < other.y < a[3])
