"""A card cut out of a picture: upright, flat, and small."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np

from ccgrid.catalog.scan.models import Picture

_LONGEST: Final = 480
"""Pixels of the longer side."""
_QUALITY: Final = 80
"""Of a JPEG, 0 to 100."""


class Cutting(NamedTuple):
    """A card as a JPEG, and its width and height in pixels."""

    jpeg: bytes
    width: int
    height: int


def cut(picture: Picture, corners: Sequence[tuple[float, float]]) -> Cutting:
    """The card with these corners, its longer side 480 pixels at most.

    The corners are in per cent of the picture, clockwise from the card's own top left.
    """
    rows, columns = picture.shape[:2]
    at = np.array(corners, np.float32) * np.array([columns, rows], np.float32) / 100
    wide, high = (float(np.linalg.norm(at[a] - at[0])) for a in (1, 3))
    scale = min(1.0, _LONGEST / max(wide, high, 1.0))
    if scale < 1:  # made smaller before it is straightened: what is between two pixels counts, too
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        at *= scale
    width, height = max(1, round(wide * scale)), max(1, round(high * scale))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(at, target), (width, height))
    jpeg = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return Cutting(bytes(jpeg), width, height)
