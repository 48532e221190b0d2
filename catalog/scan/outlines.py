"""The outlines of cards on a picture: four corners each, by what is unlike the background and by straight edges."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from catalog.scan.borders import meet, widen
from catalog.scan.models import Picture
from catalog.scan.nesting import CARD_SHAPE, overlap, shape_of, whole_cards
from catalog.scan.sides import quadrangles

_LOOK_AT: Final = 900  # pixels of the longer side at which corners are looked for
_SHAPES: Final = (0.52, 0.92)  # what perspective makes of that
_SMALLEST: Final = 0.012  # of the picture's area
_EVIDENT: Final = 0.62  # part of the outline that must show as an edge
_CLEAR: Final = 0.85  # the same where nothing but its sides tells of a card


def find_outlines(picture: Picture) -> list[Picture]:
    """The corners of every card, four points each in the picture's pixels, clockwise."""
    factor = min(1.0, _LOOK_AT / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    edges = _edge_strength(small)
    found: list[tuple[float, Picture]] = []
    for mask in _masks(small, edges):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = _four_corners(contour, mask.shape[0] * mask.shape[1])
            if corners is None:
                continue
            corners = _fit(edges, corners)
            shown = _shown(edges, corners)
            if shown < _EVIDENT or not _SHAPES[0] <= shape_of(corners) <= _SHAPES[1] or not _is_even(corners):
                continue
            fit = 1 - abs(math.log(shape_of(corners) / CARD_SHAPE))
            found.append((shown * fit, corners))
    whole = whole_cards(found)
    every = [*whole, *_missing(whole, edges)]
    return [_widened(edges, number, every) / factor for number in range(len(every))]


def _widened(edges: Picture, number: int, every: Sequence[Picture]) -> Picture:
    """One of the outlines, moved out to the edge of its card where that leaves it the shape of one."""
    wider = widen(edges, every[number], [*every[:number], *every[number + 1 :]])
    return wider if _SHAPES[0] <= shape_of(wider) <= _SHAPES[1] and _is_even(wider) else every[number]


def find_by_sides(picture: Picture, inner: Sequence[Picture]) -> list[Picture]:
    """The corners of one card whose four sides show clearly, though no outline closes around it; none where none do.

    `inner` are outlines that were found: frames and panels of that card, if they lie in it.
    """
    factor = min(1.0, _LOOK_AT / max(picture.shape[:2]))
    edges = _edge_strength(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    best: tuple[float, Picture] | None = None
    for corners in map(_ordered, quadrangles(edges)):
        shape = shape_of(corners)
        if not _SHAPES[0] <= shape <= _SHAPES[1] or not _is_even(corners):
            continue
        corners = _fit(edges, corners)
        shown = _shown(edges, corners)
        worth = shown * (1 - abs(math.log(shape_of(corners) / CARD_SHAPE))) * math.sqrt(cv2.contourArea(corners))
        around = all(overlap(corners, outline * factor) > 0.9 for outline in inner)
        if shown > _CLEAR and around and (best is None or worth > best[0]):
            best = worth, corners
    return [widen(edges, best[1]) / factor] if best else []


def _masks(small: Picture, edges: Picture) -> Iterator[Picture]:
    """Black and white pictures in which cards may be white: unlike the background, or enclosed by edges."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 2.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    rim = max(4, round(0.03 * min(height, width)))
    ring = np.concatenate(
        [lab[:rim].reshape(-1, 3), lab[-rim:].reshape(-1, 3), lab[:, :rim].reshape(-1, 3), lab[:, -rim:].reshape(-1, 3)]
    )
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    cv2.setRNGSeed(1)
    _, _, tones = cv2.kmeans(
        np.ascontiguousarray(ring[:: max(1, len(ring) // 4000)]), 4, None, criteria, 2, cv2.KMEANS_PP_CENTERS
    )
    weights = np.array([0.6, 1.0, 1.0], np.float32)  # a shadow changes lightness first
    unlike = np.min([np.linalg.norm((lab - tone) * weights, axis=2) for tone in tones], axis=0)
    usual = np.percentile(np.min([np.linalg.norm((ring - tone) * weights, axis=1) for tone in tones], axis=0), 97)
    size = max(3, round(0.008 * max(height, width)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    for times in (1.0, 1.6, 2.5):
        mask = (unlike > max(6.0, usual * times)).astype(np.uint8) * 255
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel, iterations=2)
        yield cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    for level in (92, 86, 78):
        strong = (edges > np.percentile(edges, level)).astype(np.uint8) * 255
        yield cv2.bitwise_not(strong)
        yield cv2.morphologyEx(strong, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    lightness = np.ascontiguousarray(lab[..., 0]).astype(np.uint8)
    level, mask = cv2.threshold(lightness, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield mask
    yield cv2.bitwise_not(mask)


def _edge_strength(small: Picture) -> Picture:
    """How strongly brightness or colour changes at each point."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.6), cv2.COLOR_BGR2LAB).astype(np.float32)
    strength = np.zeros(lab.shape[:2], np.float32)
    for channel in cv2.split(lab):
        across, down = cv2.Sobel(channel, cv2.CV_32F, 1, 0), cv2.Sobel(channel, cv2.CV_32F, 0, 1)
        strength = np.maximum(strength, cv2.magnitude(across, down))
    return strength


def _four_corners(contour: Picture, area: int) -> Picture | None:
    """The four corners of an outline that has four, clockwise from the top left; None where it is something else."""
    hull = cv2.convexHull(contour)
    size = cv2.contourArea(hull)
    if not _SMALLEST * area < size < 0.985 * area:
        return None
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4:
            quadrangle = corners.reshape(4, 2).astype(np.float32)
            if cv2.contourArea(quadrangle) > 0.88 * size:
                return _ordered(quadrangle)
    box = cv2.boxPoints(cv2.minAreaRect(hull))
    if size > 0.93 * cv2.contourArea(box):  # round corners
        return _ordered(box)
    return None


def _ordered(corners: Picture) -> Picture:
    """Four corners clockwise, beginning at the top left."""
    middle = corners.mean(0)
    turned = sorted(corners.tolist(), key=lambda c: math.atan2(c[1] - middle[1], c[0] - middle[0]))
    first = min(range(4), key=lambda i: turned[i][0] + turned[i][1])
    return np.array(turned[first:] + turned[:first], np.float32)


def _fit(edges: Picture, corners: Picture) -> Picture:
    """Corners moved to where the strongest straight edges near each side meet."""
    reach = max(3.0, 0.02 * float(np.linalg.norm(corners[2] - corners[0])))
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        outward = np.array([along[1], -along[0]], np.float32)
        steps = np.linspace(0.08, 0.92, 40, dtype=np.float32)[:, None]
        spots = start + (end - start) * steps
        offsets = np.arange(-reach, reach + 0.5, 1.0, dtype=np.float32)
        grid = spots[:, None, :] + outward[None, None, :] * offsets[None, :, None]
        values = cv2.remap(
            edges, np.ascontiguousarray(grid[..., 0]), np.ascontiguousarray(grid[..., 1]), cv2.INTER_LINEAR
        )
        best = offsets[values.argmax(1)]
        middle = np.median(best)
        near = np.abs(best - middle) <= max(2.0, reach / 4)
        if near.sum() < 12:
            sides.append((start, along))
            continue
        points = (spots + outward * best[:, None])[near]
        vx, vy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        sides.append((np.array([x, y], np.float32), np.array([vx, vy], np.float32)))
    moved = [meet(sides[i - 1], sides[i]) for i in range(4)]
    if any(point is None for point in moved):
        return corners
    result = np.array(moved, np.float32)
    return result if np.abs(result - corners).max() < 3 * reach else corners


def _shown(edges: Picture, corners: Picture) -> float:
    """The part of an outline, without its corners, where an edge shows; of the worst side mostly."""
    level = max(8.0, float(np.percentile(edges, 70)))
    parts = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        steps = np.linspace(0.08, 0.92, 60, dtype=np.float32)[:, None]
        spots = start + (end - start) * steps
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        outward = np.array([along[1], -along[0]], np.float32)
        values = np.max(
            [
                cv2.remap(
                    edges,
                    np.ascontiguousarray((spots + outward * o)[:, 0:1]),
                    np.ascontiguousarray((spots + outward * o)[:, 1:2]),
                    cv2.INTER_LINEAR,
                )
                for o in (-1.5, 0.0, 1.5)
            ],
            axis=0,
        )
        parts.append(float((values > level).mean()))
    return 0.5 * min(parts) + 0.5 * sum(parts) / 4


def _is_even(corners: Picture) -> bool:
    """Whether four corners may be of a rectangle seen a little from the side: no pointed or blunt ones."""
    sides = corners - np.roll(corners, 1, axis=0)
    lengths = np.maximum(1e-6, np.linalg.norm(sides, axis=1))
    cosines = np.abs((sides * np.roll(sides, -1, axis=0)).sum(1)) / (lengths * np.roll(lengths, -1))
    ratios = (lengths[0] / lengths[2], lengths[1] / lengths[3])
    return bool(cosines.max() < 0.34) and all(0.7 < ratio < 1.43 for ratio in ratios)


def _missing(outlines: list[Picture], edges: Picture) -> list[Picture]:
    """Cards in the gaps of rows and columns of cards: dark ones on dark cloth show too little of their own outline."""
    if not 5 <= len(outlines) < 9:
        return []
    middles = np.array([outline.mean(0) for outline in outlines])
    shape = np.median([_ordered(outline) - outline.mean(0) for outline in outlines], axis=0)
    inside = float(np.median([_busy(edges, outline) for outline in outlines]))
    steps = np.ptp(shape, axis=0)
    columns, rows = (_levels(middles[:, axis], 0.5 * float(steps[axis])) for axis in (0, 1))
    if max(columns) != 2 or max(rows) != 2:
        return []
    taken = set(zip(rows, columns, strict=True))
    known = np.array([[1, row, column, row * column] for row, column in zip(rows, columns, strict=True)], np.float32)
    fitted, *_ = np.linalg.lstsq(known, middles, rcond=None)
    found = []
    for row, column in ((r, c) for r in range(3) for c in range(3) if (r, c) not in taken):
        expected = (np.array([1, row, column, row * column]) @ fitted + shape).astype(np.float32)
        if _busy(edges, expected) > 0.35 * inside:
            found.append(_fit(edges, expected))
    return found


def _levels(places: Picture, step: float) -> list[int]:
    """To which row or column each place belongs, counted from 0."""
    order = np.argsort(places)
    level, levels = 0, [0] * len(places)
    for before, after in pairwise(order.tolist()):
        level += int(places[after] - places[before] > step)
        levels[after] = level
    return levels


def _busy(edges: Picture, outline: Picture) -> float:
    """How much there is to see inside an outline: the mean strength of edges there."""
    mask = np.zeros(edges.shape, np.uint8)
    middle = outline.mean(0)
    cv2.fillConvexPoly(mask, np.round(middle + (outline - middle) * 0.85).astype(np.int32), 1)
    return float(cv2.mean(edges, mask)[0])
