"""Cards by their sides: quadrangles of long straight edges, where no outline closes around a card."""

import math
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

import cv2
import numpy as np

from catalog.scan.borders import meet
from catalog.scan.models import Picture

_LINES: Final = 26  # so many of the clearest lines are put together
_PARALLEL: Final = 14.0  # degrees by which opposite sides may differ, seen from the side
_UPRIGHT: Final = 12.0  # degrees by which neighbouring ones may be off a right angle
_NARROWEST: Final = 0.25  # of the picture's shorter side: so far apart are opposite sides
_MOST: Final = 200  # quadrangles that are looked at
_OUTSIDE: Final = 0.03  # of the picture, by which a corner may lie outside
_THIN: Final = 1.0  # degrees and
_NEAR: Final = 6.0  # pixels within which two lines are one
_STRONG: Final = 86  # per cent of all points are weaker than what lines are made of

Straight = tuple[Picture, Picture]
"""A line: a point on it, and its direction."""


def quadrangles(edges: Picture) -> Iterator[Picture]:
    """Four corners each, clockwise from the top left, of what long straight edges enclose; the clearest lines first."""
    height, width = edges.shape
    lines = _lines(edges)
    pairs = [
        (one, other)
        for one, other in combinations(range(len(lines)), 2)
        if _between(lines[one], lines[other]) < _PARALLEL
        and _apart(lines[one], lines[other], (width / 2, height / 2)) > _NARROWEST * min(height, width)
    ]
    crossing = (
        (*one, *other)
        for one, other in sorted(combinations(pairs, 2), key=lambda both: sum(both[0]) + sum(both[1]))
        if _between(lines[one[0]], lines[other[0]]) > 90 - _UPRIGHT
        and _between(lines[one[1]], lines[other[1]]) > 90 - _UPRIGHT
    )
    for left, right, top, bottom in islice(crossing, _MOST):
        points = [meet(lines[a], lines[b]) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))]
        if any(point is None for point in points):
            continue
        corners = np.array(points, np.float32)
        beyond = np.maximum(-corners, corners - np.array([width, height], np.float32)).max()
        if beyond < _OUTSIDE * max(height, width):
            yield corners


def _lines(edges: Picture) -> list[Straight]:
    """The lines along which most edges lie, the clearest first, and none twice."""
    strong = edges > np.percentile(edges, _STRONG)
    thin = strong & (edges >= cv2.dilate(edges, np.ones((1, 3), np.uint8)))
    thin |= strong & (edges >= cv2.dilate(edges, np.ones((3, 1), np.uint8)))
    least = round(0.12 * min(edges.shape))
    found = cv2.HoughLines(thin.astype(np.uint8), 1.5, math.radians(_THIN), least)
    kept: list[tuple[float, float]] = []
    for distance, angle in found[:600, 0].tolist() if found is not None else []:
        if all(not _is_same(distance, angle, *other) for other in kept):
            kept.append((distance, angle))
        if len(kept) == _LINES:
            break
    return [
        (
            np.array([math.cos(angle) * distance, math.sin(angle) * distance], np.float32),
            np.array([-math.sin(angle), math.cos(angle)], np.float32),
        )
        for distance, angle in kept
    ]


def _is_same(distance: float, angle: float, other: float, turned: float) -> bool:
    """Whether two lines, by how far they pass from the origin and which way, are nearly one."""
    if abs(angle - turned) > math.pi / 2:
        other, turned = -other, turned + math.copysign(math.pi, angle - turned)
    return abs(angle - turned) < math.radians(2.5 * _THIN) and abs(distance - other) < _NEAR


def _between(one: Straight, other: Straight) -> float:
    """The angle between two lines, 0 to 90 degrees."""
    return math.degrees(math.acos(min(1.0, abs(float(one[1] @ other[1])))))


def _apart(one: Straight, other: Straight, middle: tuple[float, float]) -> float:
    """How far apart two nearly parallel lines are beside the middle of the picture."""
    centre = np.array(middle, np.float32)
    normal = np.array([-one[1][1], one[1][0]], np.float32)
    along = other[1] if float(other[1] @ one[1]) > 0 else -other[1]
    first = float((centre - one[0]) @ normal)
    second = float((centre - other[0]) @ np.array([-along[1], along[0]], np.float32))
    return abs(first - second)
