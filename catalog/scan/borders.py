"""The outer borders of cards: an outline that follows a frame printed on a card is moved out to the card's own edge."""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from catalog.scan.models import Picture

_REACH: Final = 0.04  # of an outline's diagonal: so far outside is the edge looked for, beyond a printed border
_INWARD: Final = 0.012  # the same inside: an outline may follow the shadow of a card
_HALF: Final = 0.55  # of the gap to the next card's outline, which may be a frame as well
_SAMPLES: Final = 48  # points along each side
_SLOPES: Final = 11
_TURN: Final = 0.02  # by so much, of a side's own length, may its ends be moved unlike
_SUPPORT: Final = 0.8  # part of a side along which an edge must show
_NEARLY: Final = 0.85  # and that much of what shows along the clearest line of the side
_NEAR: Final = 2  # points by which the edge may be off a rough line
_WEAKEST: Final = 8.0
_WEAK: Final = 70  # per cent of all points are weaker than what is called an edge


def widen(edges: Picture, corners: Picture, others: Sequence[Picture] = ()) -> Picture:
    """The outermost quadrangle along whose sides an edge shows, near four corners; `others` are those of other cards.

    `edges` says how strongly brightness or colour changes at each point; corners are clockwise, in its pixels.
    """
    level = max(_WEAKEST, float(np.percentile(edges, _WEAK)))
    diagonal = float(np.linalg.norm(corners[2] - corners[0]))
    lines = [
        _outermost(edges, start, end, _INWARD * diagonal, min(_REACH * diagonal, _room(start, end, others)), level)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    moved = [meet(lines[side - 1], lines[side]) for side in range(4)]
    if any(point is None for point in moved):
        return corners
    return np.array(moved, np.float32)


def _room(start: Picture, end: Picture, others: Sequence[Picture]) -> float:
    """How far out a side may be moved, so that it stays nearer to its own card than to the next one."""
    points = [tuple(map(float, start + (end - start) * part)) for part in (0.25, 0.5, 0.75)]
    gaps = [-cv2.pointPolygonTest(other, point, measureDist=True) for other in others for point in points]
    return max(0.0, _HALF * min(gaps, default=math.inf))


def _outermost(
    edges: Picture, start: Picture, end: Picture, inward: float, reach: float, level: float
) -> tuple[Picture, Picture]:
    """The line of one side, as a point and a direction: the outermost along which an edge shows."""
    length = max(1e-6, float(np.linalg.norm(end - start)))
    along = (end - start) / length
    outward = np.array([along[1], -along[0]], np.float32)
    steps = np.linspace(0.06, 0.94, _SAMPLES, dtype=np.float32)
    offsets = np.arange(-round(inward) - 1, round(reach) + 2, dtype=np.float32)
    grid = start + (end - start) * steps[:, None, None] + outward * offsets[None, :, None]
    values = cv2.remap(edges, np.ascontiguousarray(grid[..., 0]), np.ascontiguousarray(grid[..., 1]), cv2.INTER_LINEAR)
    peaks = np.zeros(values.shape, np.float32)
    middle = values[:, 1:-1]
    peaks[:, 1:-1] = (middle >= values[:, :-2]) & (middle >= values[:, 2:]) & (middle > level)
    near = cv2.dilate(peaks, np.ones((1, 3), np.uint8))
    slopes = np.linspace(-_TURN, _TURN, _SLOPES, dtype=np.float32) * length
    shifts = np.round(slopes[:, None] * (steps - 0.5)[None, :]).astype(int)
    where = np.arange(len(offsets))[None, :, None] + shifts[:, None, :]
    outside = (where < 0) | (where >= len(offsets))
    shown = near[np.arange(_SAMPLES)[None, None, :], np.clip(where, 0, len(offsets) - 1)]
    support = np.where(outside, 0.0, shown).mean(2)
    enough = max(_SUPPORT, _NEARLY * float(support.max()))
    if not (support >= enough).any():
        return start, along
    far = int(np.flatnonzero((support >= enough).any(0)).max())
    window = slice(max(0, far - 2), far + 1)
    slope, place = np.unravel_index(int(support[:, window].argmax()), support[:, window].shape)
    return _fitted(grid, values, where[slope, window][place])


def _fitted(grid: Picture, values: Picture, places: Picture) -> tuple[Picture, Picture]:
    """The straight line through the strongest points near a rough one: `places` says where each row of them has it."""
    rows = np.arange(len(values))
    around = np.clip(places[:, None] + np.arange(-_NEAR, _NEAR + 1)[None, :], 0, values.shape[1] - 1)
    strongest = around[rows, values[rows[:, None], around].argmax(1)]
    vx, vy, x, y = cv2.fitLine(grid[rows, strongest], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.array([x, y], np.float32), np.array([vx, vy], np.float32)


def meet(one: tuple[Picture, Picture], other: tuple[Picture, Picture]) -> Picture | None:
    """Where two lines meet; None where they are nearly parallel."""
    (p, d), (q, e) = one, other
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-3:
        return None
    along = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / across
    return p + d * along
