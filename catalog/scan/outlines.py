"""Outlines of cards on a picture, four corners each, by contrast with the background and by straight edges."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Final

import cv2
import numpy as np

from ccgrid.catalog.scan.lattice import Lattice, find_lattice
from ccgrid.catalog.scan.values import Picture

_REACH: Final = 0.04  # of an outline's diagonal: so far outside is the edge looked for, beyond a printed border
_INWARD: Final = 0.012  # the same inside: an outline may follow the shadow of a card
_HALF: Final = 0.55  # of the gap to the next card's outline, which may be a frame as well
_SAMPLES: Final = 48  # points along each side
_SLOPES: Final = 11  # slopes that are tried for each side
_TURN: Final = 0.02  # of a side's length: by how much its two ends may be moved differently
_SUPPORT: Final = 0.8  # part of a side along which an edge must show
_NEARLY: Final = 0.85  # and that much of what shows along the clearest line of the side
_NEAR: Final = 2  # points by which the edge may be off a rough line
_WEAKEST: Final = 8.0  # strength of an edge, even on a picture with none
_WEAK: Final = 70  # per cent of all points are weaker than an edge


def widen(edges: Picture, level: float, corners: Picture, others: Sequence[Picture] = ()) -> Picture:
    """Return the outermost quadrangle with visible edges near four corners; `others` are the outlines of other cards.

    `edges` has the change of brightness or colour at each point, and edges show from `level`; corners are clockwise, in
    its pixels.
    """
    diagonal = float(np.linalg.norm(corners[2] - corners[0]))
    lines = [
        _outermost(edges, start, end, _INWARD * diagonal, min(_REACH * diagonal, _gap(start, end, others)), level)
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    # Corner n is where the side that ends there and the one that begins there meet.
    moved = [meet(lines[side - 1], lines[side]) for side in range(4)]
    if any(point is None for point in moved):
        return corners
    return np.array(moved, np.float32)


def _visible(edges: Picture) -> float:
    """Return the strength from which a point is an edge."""
    return max(_WEAKEST, float(np.percentile(edges, _WEAK)))


def _gap(start: Picture, end: Picture, others: Sequence[Picture]) -> float:
    """Return how far out a side may move and stay nearer to its own card than to the next one."""
    points = [tuple(map(float, start + (end - start) * part)) for part in (0.25, 0.5, 0.75)]
    # Negative outside of the other card, so this is how far away it is.
    gaps = [-cv2.pointPolygonTest(other, point, measureDist=True) for other in others for point in points]
    return max(0.0, _HALF * min(gaps, default=math.inf))


def _outermost(
    edges: Picture, start: Picture, end: Picture, inward: float, reach: float, level: float
) -> tuple[Picture, Picture]:
    """Return the outermost line with a visible edge along one side, as a point and a direction."""
    length = max(1e-6, float(np.linalg.norm(end - start)))
    along = (end - start) / length
    # To the left of the way along: corners are clockwise, and y goes down.
    outward = np.array([along[1], -along[0]], np.float32)
    # Without the corners, which are round.
    steps = np.linspace(0.06, 0.94, _SAMPLES, dtype=np.float32)
    offsets = np.arange(-round(inward) - 1, round(reach) + 2, dtype=np.float32)
    # grid[sample, offset]: points along the side, and from each of them points outward.
    grid = start + (end - start) * steps[:, None, None] + outward * offsets[None, :, None]
    values = _sampled(edges, grid)
    peaks = np.zeros(values.shape, np.float32)
    middle = values[:, 1:-1]
    # Stronger than both neighbours across the side, and strong enough for an edge.
    peaks[:, 1:-1] = (middle >= values[:, :-2]) & (middle >= values[:, 2:]) & (middle > level)
    # A point to either side counts: the edge is seldom exactly on the line.
    near = cv2.dilate(peaks, np.ones((1, 3), np.uint8))
    slopes = np.linspace(-_TURN, _TURN, _SLOPES, dtype=np.float32) * length
    # By how many points a line that leans so is off at each sample; it turns about the middle of the side.
    shifts = np.round(slopes[:, None] * (steps - 0.5)[None, :]).astype(int)
    where = np.arange(len(offsets))[None, :, None] + shifts[:, None, :]
    outside = (where < 0) | (where >= len(offsets))
    shown = near[np.arange(_SAMPLES)[None, None, :], np.clip(where, 0, len(offsets) - 1)]
    # support[slope, offset]: the share of samples at which an edge shows along that straight line.
    support = np.where(outside, 0.0, shown).mean(2)
    enough = max(_SUPPORT, _NEARLY * float(support.max()))
    if not (support >= enough).any():
        return start, along
    # The outermost line with enough support, in any slope; of it and the two before it the best.
    far = int(np.flatnonzero((support >= enough).any(0)).max())
    window = slice(max(0, far - 2), far + 1)
    slope, place = np.unravel_index(int(support[:, window].argmax()), support[:, window].shape)
    return _fit_line(grid, values, where[slope, window][place])


def _fit_line(grid: Picture, values: Picture, places: Picture) -> tuple[Picture, Picture]:
    """Fit a straight line through the strongest points near a rough one; `places` has its position in each row."""
    rows = np.arange(len(values))
    around = np.clip(places[:, None] + np.arange(-_NEAR, _NEAR + 1)[None, :], 0, values.shape[1] - 1)
    # Near the rough line the strongest point of each sample; Huber's distance forgives single ones that are off.
    strongest = around[rows, values[rows[:, None], around].argmax(1)]
    vx, vy, x, y = cv2.fitLine(grid[rows, strongest], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.array([x, y], np.float32), np.array([vx, vy], np.float32)


def meet(one: tuple[Picture, Picture], other: tuple[Picture, Picture]) -> Picture | None:
    """Return the intersection of two lines, or None if they are nearly parallel."""
    (p, d), (q, e) = one, other
    # The cross product of the directions: 0 if they are parallel.
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-3:
        return None
    along = ((q[0] - p[0]) * e[1] - (q[1] - p[1]) * e[0]) / across
    return p + d * along


_BEFORE: Final = [3, 0, 1, 2]  # of each corner, the one before it
_AFTER: Final = [1, 2, 3, 0]
CARD_SHAPE: Final = 63 / 88  # width of a card by its height
_PAIR: Final = 0.86  # of an outline, filled by two cards side by side; the art and the text panel of one fill less
_APART: Final = 0.7  # the same if both show more clearly than the outline around them,
_CLEARER: Final = 0.2  # by that much
_SEVERAL: Final = 0.65  # the same for more than two
_LEAST_AREA: Final = 0.45  # a card is at least that much of the area of the largest one
_OF_A_SIZE: Final = (0.72, 1.39)  # cards on one picture are as large as each other, nearly
_WITNESSES: Final = 2  # how many other cards of its size show that an outline is of one card and not of two


def whole_cards(found: Sequence[tuple[float, Picture]]) -> list[Picture]:
    """Return the outlines of cards among the found ones, each given with its probability."""
    return _of_like_size(_without_inner(found))


def _without_inner(found: Sequence[tuple[float, Picture]]) -> list[Picture]:
    """Return the best outlines that do not overlap: of a card and its frame, the card."""
    # Large and likely first: a card before its frame.
    order = sorted(found, key=lambda one: -cv2.contourArea(one[1]) * one[0] ** 2)
    distinct: list[Picture] = []
    for index, (worth, corners) in enumerate(order):
        if any(overlap(corners, other) > 0.25 for other in distinct):
            # It overlaps a chosen one.
            continue
        smaller = [inner for _, inner in order[index + 1 :]]
        clear = [inner for likely, inner in order[index + 1 :] if likely > worth + _CLEARER]
        # Two cards side by side have the shape of one that lies; unless other cards around are as large as that.
        if not (_is_group(corners, smaller) or _is_group(corners, clear, _APART)) or _is_one_of_several(
            corners, [outline for _, outline in order]
        ):
            distinct.append(corners)
    return distinct


def _is_one_of_several(outline: Picture, others: Sequence[Picture]) -> bool:
    """Return whether other cards of its size are near an outline, whose halves then are art and text."""
    area = cv2.contourArea(outline)
    cards: list[Picture] = []
    for other in others:
        if (
            _OF_A_SIZE[0] < cv2.contourArea(other) / area < _OF_A_SIZE[1]
            and abs(shape_of(other) - CARD_SHAPE) < 0.1
            and all(overlap(other, one) < 0.05 for one in (outline, *cards))
            and not _is_group(other, [one for one in others if cv2.contourArea(one) < cv2.contourArea(other)])
        ):
            cards.append(other)
    return len(cards) >= _WITNESSES


def _is_group(outline: Picture, others: list[Picture], pair: float = _PAIR) -> bool:
    """Return whether an outline surrounds several cards side by side: two or four have the shape of one.

    Two cards fill at least the share `pair` of it.
    """
    area = cv2.contourArea(outline)
    fitting = [
        other
        for other in others
        # A half, a quarter or a ninth of it, in the shape of a card.
        if 0.12 * area < cv2.contourArea(other) < 0.52 * area
        and abs(shape_of(other) - CARD_SHAPE) < 0.1
        and overlap(outline, other) > 0.9
    ]
    for first in fitting:
        size = cv2.contourArea(first)
        apart: list[Picture] = [first]
        for other in fitting:
            is_same_size = 0.7 < cv2.contourArea(other) / size < 1.43
            if is_same_size and all(overlap(other, one) < 0.1 for one in apart):
                apart.append(other)
        filled = sum(map(cv2.contourArea, apart)) / area
        # One alone is never a group.
        if filled > (pair if len(apart) == 2 else _SEVERAL if len(apart) > 2 else 1):
            return True
    return False


def _of_like_size(outlines: list[Picture]) -> list[Picture]:
    """Return the outlines without those far smaller than the largest, which are other things on the table."""
    most = max((cv2.contourArea(outline) for outline in outlines), default=0.0)
    return [outline for outline in outlines if cv2.contourArea(outline) > _LEAST_AREA * most]


def shape_of(corners: Picture) -> float:
    """Return the ratio of the shorter to the longer sides, each the mean of two opposite sides."""
    sides = np.hypot(*(corners - corners[_BEFORE]).T).tolist()
    one, other = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return float(min(one, other) / max(one, other, 1e-6))


def overlap(one: Picture, other: Picture) -> float:
    """Return the share of the smaller outline that the other one covers, 0 to 1."""
    both, _ = cv2.intersectConvexConvex(one, other)
    return float(both / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other))))


_LINES: Final = 26  # how many of the clearest lines are combined
_PARALLEL: Final = 14.0  # degrees by which opposite sides may differ, seen from the side
_UPRIGHT: Final = 12.0  # degrees by which neighbouring ones may be off a right angle
_NARROWEST: Final = 0.25  # of the picture's shorter side: so far apart are opposite sides
_MOST: Final = 200  # quadrangles that are looked at
_OUTSIDE: Final = 0.03  # of the picture, by which a corner may lie outside
_THIN: Final = 1.0  # degrees and
_ONE_LINE: Final = 6.0  # pixels within which two lines are one
_STRONG: Final = 86  # per cent of all points are weaker than those of lines

Straight = tuple[Picture, Picture]
"""A line: a point on it, and its direction."""


def quadrangles(edges: Picture) -> Iterator[Picture]:
    """Yield quadrangles of long straight edges, with corners clockwise from the top left; the clearest first."""
    height, width = edges.shape
    lines = _lines(edges)
    # Two opposite sides; then two such pairs that cross at about right angles.
    pairs = [
        (one, other)
        for one, other in combinations(range(len(lines)), 2)
        if _angle_between(lines[one], lines[other]) < _PARALLEL
        and _line_distance(lines[one], lines[other], (width / 2, height / 2)) > _NARROWEST * min(height, width)
    ]
    # The lines are sorted by how clear they are, so low numbers come first.
    crossing = (
        (*one, *other)
        for one, other in sorted(combinations(pairs, 2), key=lambda both: sum(both[0]) + sum(both[1]))
        if _angle_between(lines[one[0]], lines[other[0]]) > 90 - _UPRIGHT
        and _angle_between(lines[one[1]], lines[other[1]]) > 90 - _UPRIGHT
    )
    for left, right, top, bottom in islice(crossing, _MOST):
        points = [meet(lines[a], lines[b]) for a, b in ((left, top), (right, top), (right, bottom), (left, bottom))]
        if any(point is None for point in points):
            continue
        corners = np.array(points, np.float32)
        # How far the outermost corner is outside of the picture, in any direction.
        beyond = np.maximum(-corners, corners - np.array([width, height], np.float32)).max()
        if beyond < _OUTSIDE * max(height, width):
            yield corners


def _lines(edges: Picture) -> list[Straight]:
    """Return the lines with the most edges, the clearest first, without duplicates."""
    strong = edges > np.percentile(edges, _STRONG)
    # Only the ridges of edges, across or down: a wide edge would vote for many lines.
    thin = strong & (edges >= cv2.dilate(edges, np.ones((1, 3), np.uint8)))
    thin |= strong & (edges >= cv2.dilate(edges, np.ones((3, 1), np.uint8)))
    least = round(0.12 * min(edges.shape))
    found = cv2.HoughLines(thin.astype(np.uint8), 1.5, math.radians(_THIN), least)
    distinct: list[tuple[float, float]] = []
    # Hough's lines come with the most votes first.
    for distance, angle in found[:600, 0].tolist() if found is not None else []:
        if all(not _is_same(distance, angle, *other) for other in distinct):
            distinct.append((distance, angle))
        if len(distinct) == _LINES:
            break
    return [
        (
            # The foot of the perpendicular from the origin, and the direction along the line.
            np.array([math.cos(angle) * distance, math.sin(angle) * distance], np.float32),
            np.array([-math.sin(angle), math.cos(angle)], np.float32),
        )
        for distance, angle in distinct
    ]


def _is_same(distance: float, angle: float, other: float, turned: float) -> bool:
    """Return whether two lines, given by their distance and direction from the origin, are nearly identical."""
    # A line has two descriptions: turned by half a circle, its distance changes sign.
    if abs(angle - turned) > math.pi / 2:
        other, turned = -other, turned + math.copysign(math.pi, angle - turned)
    # Nearly parallel, and nearly as far away.
    return abs(angle - turned) < math.radians(2.5 * _THIN) and abs(distance - other) < _ONE_LINE


def _angle_between(one: Straight, other: Straight) -> float:
    """Return the angle between two lines, 0 to 90 degrees."""
    return math.degrees(math.acos(min(1.0, abs(float(one[1] @ other[1])))))


def _line_distance(one: Straight, other: Straight, middle: tuple[float, float]) -> float:
    """Return the distance of two nearly parallel lines at the middle of the picture."""
    centre = np.array(middle, np.float32)
    normal = np.array([-one[1][1], one[1][0]], np.float32)
    along = other[1] if float(other[1] @ one[1]) > 0 else -other[1]
    first = float((centre - one[0]) @ normal)
    second = float((centre - other[0]) @ np.array([-along[1], along[0]], np.float32))
    return abs(first - second)


_LOOK_AT: Final = 900  # pixels of the longer side at which corners are looked for
_SHAPES: Final = (0.52, 0.92)  # what perspective makes of that
_SMALLEST: Final = 0.004  # of the picture's area
_EVIDENT: Final = 0.62  # part of the outline that must show as an edge
_FINE: Final = 0.8  # pixels by which the picture is blurred to separate cards that nearly touch,
_OF_MANY: Final = 0.12  # which is done where outlines are smaller than that, of the picture's area,
_HINTS: Final = 3  # and there are that many
_NEARLY_CARD: Final = 0.12  # by which outlines in rows and columns may be off the shape of a card
_PART: Final = 0.85  # of the picture's longer side: a page that is smaller is looked at again,
_AROUND: Final = 0.08  # with that part of its own longer side around it
_EXPECTED: Final = 0.6  # part of an outline that shows, so that a card is there and not where it is expected
_LIGHT: Final = 0.03  # of the longer side, over which light is evened out
_DARKEST: Final = 15.0  # of 255: darker points are ignored
_EMPTY: Final = 0.25  # of the detail of cards: a pocket with less is empty,
_BUSIER: Final = 0.95  # as is one of the table's colour with less than that, of the detail next to the cards
_COLOURED: Final = 0.33  # by which, in logarithms, a card's colour differs from that of a table seen through a pocket
_MOST_EMPTY: Final = 0.5  # of the detail of cards: none with more is empty, however busy the table is
_CLEAR: Final = 0.85  # the same where nothing but its sides shows a card
_MUCH: Final = 1.1  # times what an outline is worth: a fit does not make it worth more
_FRAME: Final = CARD_SHAPE - 0.012  # an outline narrower than that may be the frame inside a border, seen or not
_TOO_SHORT: Final = 0.06  # by which the shape of an outline without its title differs from that of a card
_FEWEST_PARTS: Final = 3  # cards in an outline that is split; two halves may be the art and the text of one
_PRINTED: Final = 75  # per cent of the points within such an outline are weaker than an edge of a card
_DIVIDED: Final = 0.8  # part of each line between such cards that must show as an edge
_BESIDE: Final = 0.06  # of a card's width or height, by which that line may be off its place


def find_outlines(picture: Picture, *, grid: bool = False) -> list[Picture]:
    """Return the corners of every card, clockwise in pixels of the picture; with `grid` there are nine cards.

    A page that fills only a part of the picture is examined again at a higher resolution.
    """
    cells, others = _outlines(picture, grid=grid)
    if cells:
        left, top, width, height = cv2.boundingRect(np.concatenate(cells).astype(np.int32))
        if max(width, height) < _PART * max(picture.shape[:2]):
            edge = round(_AROUND * max(width, height))
            left, top, right, bottom = max(0, left - edge), max(0, top - edge), left + width + edge, top + height + edge
            # Looked at again with more pixels to each card.
            again, _ = _outlines(picture[top:bottom, left:right], grid=grid)
            if len(again) >= len(cells):
                # Back from the piece to the picture.
                cells = [outline + np.array([left, top], np.float32) for outline in again]
    return [*cells, *others]


def _outlines(picture: Picture, *, grid: bool) -> tuple[list[Picture], list[Picture]]:
    """Return the corners of cards in rows and columns, and of all others."""
    factor = min(1.0, _LOOK_AT / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    edges = _edge_strength(small)
    level = _visible(edges)
    found = _candidates(_masks(small, edges), edges, level)
    likely = [one for one in found if abs(shape_of(one[1]) - CARD_SHAPE) < _NEARLY_CARD]
    if grid or sum(cv2.contourArea(corners) < _OF_MANY * edges.size for _, corners in likely) >= _HINTS:
        # With less blur, and higher levels: the narrow gap between two cards closes otherwise.
        fine = _candidates(_edge_masks(_edge_strength(small, _FINE), (94, 90, 86, 80, 74)), edges, level)
        likely += [one for one in fine if abs(shape_of(one[1]) - CARD_SHAPE) < _NEARLY_CARD]
    lattice = find_lattice(likely, grid=grid)
    cells: list[Picture] = []
    if lattice is None:
        whole = [part for outline in whole_cards(found) for part in _split(edges, outline)]
        whole = [_extend(edges, outline, level) for outline in whole]
    else:
        evened = _even(edges, small)
        cells, places, least = _on_lattice(lattice, edges, evened, _tints(small), grid=grid)
        size = float(np.median([cv2.contourArea(cell) for cell in cells]))
        whole = [
            outline
            for outline in whole_cards(
                [one for one in likely if all(overlap(one[1], place) < 0.05 for place in places)]
            )
            # Others must be as large as those in rows and columns.
            if _OF_A_SIZE[0] < cv2.contourArea(outline) / size < _OF_A_SIZE[1] and _busy(evened, outline) > least
        ]
    others = [_widen(edges, level, number, whole) for number in range(len(whole))]
    # Dark borders on a dark table show in even light only.
    if any(shape_of(outline) < _FRAME for outline in others):
        even = _even(edges, small)
        wider = [_widen(even, _visible(even), number, others) for number in range(len(others))]
        others = [_nearer_to_card(*both) for both in zip(others, wider, strict=True)]
    return [outline / factor for outline in cells], [outline / factor for outline in others]


def _candidates(masks: Iterable[Picture], edges: Picture, level: float) -> list[tuple[float, Picture]]:
    """Return possible outlines of cards in black and white pictures, each with its probability."""
    found: list[tuple[float, Picture]] = []
    for mask in masks:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            corners = _four_corners(contour, mask.shape[0] * mask.shape[1])
            if corners is None:
                continue
            corners = _fit(edges, corners)
            shown = _edge_share(edges, corners, level)
            if shown < _EVIDENT or not _SHAPES[0] <= shape_of(corners) <= _SHAPES[1] or not _is_even(corners):
                continue
            # As a logarithm, so that too wide and too narrow count alike.
            fit = 1 - abs(math.log(shape_of(corners) / CARD_SHAPE))
            found.append((shown * fit, corners))
    return found


def _even(edges: Picture, small: Picture) -> Picture:
    """Return edges as strong in shadow as in light: divided by the brightness around each point, of 128."""
    light = cv2.GaussianBlur(small.max(2).astype(np.float32), (0, 0), _LIGHT * max(edges.shape))
    return 128 * edges / (light + _DARKEST)


def _nearer_to_card(one: Picture, other: Picture) -> Picture:
    """Return the outline whose shape is nearer to that of a card, the first one if both are as near."""
    return min((one, other), key=lambda outline: abs(shape_of(outline) - CARD_SHAPE))


def _split(edges: Picture, outline: Picture) -> list[Picture]:
    """Return the cards in an outline around three or more in rows and columns, or the outline itself.

    The lines between them show from side to side, as nothing on one card does both across and down.
    """
    sides = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
    shape = float((sides[0] + sides[2]) / (sides[1] + sides[3]))  # width by height
    # Stronger than most of what is printed on cards.
    level = float(np.percentile(edges[_middle_of(outline, edges) > 0], _PRINTED))
    for columns, rows in sorted(product(range(1, 5), repeat=2), key=lambda grid: -grid[0] * grid[1]):
        cell = shape * rows / columns
        if columns * rows < _FEWEST_PARTS or abs(min(cell, 1 / cell) - CARD_SHAPE) > _NEARLY_CARD:
            continue
        square = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        to_picture = cv2.getPerspectiveTransform(square, outline.astype(np.float32))
        across = [_line_share(edges, to_picture, (0, row), (columns, row), level) for row in range(1, rows)]
        down = [_line_share(edges, to_picture, (column, 0), (column, rows), level) for column in range(1, columns)]
        if min(*across, *down, 1.0) > _DIVIDED:
            corners = [square / (columns, rows) + place for place in product(range(columns), range(rows))]
            return [_fit(edges, _mapped(to_picture, one)) for one in corners]
    return [outline]


def _line_share(
    edges: Picture, to_picture: Picture, start: tuple[int, int], end: tuple[int, int], level: float
) -> float:
    """Return the share of a line, or of one beside it, that shows an edge; its ends are in steps of cards."""
    first, last = np.array(start, np.float32), np.array(end, np.float32)
    along = np.linspace(0.02, 0.98, 80, dtype=np.float32)[:, None]
    aside = np.array([0, 1] if start[1] == end[1] else [1, 0], np.float32)
    best = 0.0
    for offset in np.linspace(-_BESIDE, _BESIDE, 13):
        points = _mapped(to_picture, first + (last - first) * along + aside * offset)
        best = max(best, float((_sampled(edges, points[:, None]) > level).mean()))
    return best


def _mapped(to_picture: Picture, points: Picture) -> Picture:
    return cv2.perspectiveTransform(points[None].astype(np.float32), to_picture)[0]


def _extend(edges: Picture, outline: Picture, level: float) -> Picture:
    """Return an outline that is too short for a card, such as one without its title, extended to an edge that shows."""
    if shape_of(outline) < CARD_SHAPE + _TOO_SHORT:
        return outline
    best: tuple[float, Picture] = (_EVIDENT, outline)
    for side in range(4):
        # From the far ends of both neighbouring sides through the corners of this one, as long as a card is.
        one, other = side, (side + 1) % 4
        far, beyond = outline[side - 1], outline[(side + 2) % 4]
        width = float(np.linalg.norm(outline[other] - outline[one]) + np.linalg.norm(beyond - far)) / 2
        height = float(np.linalg.norm(outline[one] - far) + np.linalg.norm(outline[other] - beyond)) / 2
        longer = width / CARD_SHAPE / height
        if longer < 1:
            continue  # it is a long side
        extended = outline.copy()
        extended[one] = far + (outline[one] - far) * longer
        extended[other] = beyond + (outline[other] - beyond) * longer
        extended = _fit(edges, extended)
        if _is_even(extended) and (shown := _edge_share(edges, extended, level)) > best[0]:
            best = shown, extended
    return best[1]


def _widen(edges: Picture, level: float, number: int, every: Sequence[Picture]) -> Picture:
    """Return one of the outlines, extended to the edge of its card if that keeps the shape of a card."""
    wider = widen(edges, level, every[number], [*every[:number], *every[number + 1 :]])
    return wider if _SHAPES[0] <= shape_of(wider) <= _SHAPES[1] and _is_even(wider) else every[number]


def find_by_sides(picture: Picture, inner: Sequence[Picture]) -> list[Picture]:
    """Return the corners of one card with four clear sides but no closed outline; empty if there is none.

    `inner` are found outlines, which are frames and panels of that card if it surrounds them.
    """
    factor = min(1.0, _LOOK_AT / max(picture.shape[:2]))
    edges = _edge_strength(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    level = _visible(edges)
    best: tuple[float, Picture] | None = None
    for corners in map(_clockwise, quadrangles(edges)):
        shape = shape_of(corners)
        if not _SHAPES[0] <= shape <= _SHAPES[1] or not _is_even(corners):
            continue
        # A fit changes little: what cannot be the best need not be fitted.
        if best is not None and _MUCH * _worth(corners) < best[0]:
            continue
        corners = _fit(edges, corners)
        shown = _edge_share(edges, corners, level)
        worth = shown * _worth(corners)
        # It must surround the outlines found before.
        around = all(overlap(corners, outline * factor) > 0.9 for outline in inner)
        if shown > _CLEAR and around and (best is None or worth > best[0]):
            best = worth, corners
    return [widen(edges, level, best[1]) / factor] if best else []


def _worth(corners: Picture) -> float:
    """Return how large an outline is, and how much like a card."""
    return (1 - abs(math.log(shape_of(corners) / CARD_SHAPE))) * math.sqrt(cv2.contourArea(corners))


def _masks(small: Picture, edges: Picture) -> Iterator[Picture]:
    """Yield black and white pictures in which cards may be white: unlike the background, or enclosed by edges."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 2.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    rim = max(4, round(0.03 * min(height, width)))
    # The rim of the picture is the table: cards differ from its four most frequent tones.
    ring = np.concatenate(
        [lab[:rim].reshape(-1, 3), lab[-rim:].reshape(-1, 3), lab[:, :rim].reshape(-1, 3), lab[:, -rim:].reshape(-1, 3)]
    )
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 1.0)
    # K-means starts at random, but the same picture must give the same cards.
    cv2.setRNGSeed(1)
    _, _, tones = cv2.kmeans(
        np.ascontiguousarray(ring[:: max(1, len(ring) // 4000)]), 4, None, criteria, 2, cv2.KMEANS_PP_CENTERS
    )
    weights = np.array([0.6, 1.0, 1.0], np.float32)  # a shadow changes lightness first
    unlike, beside = (
        np.sqrt(
            np.min([np.einsum("...c,...c", off, off) for tone in tones for off in ((part - tone) * weights,)], axis=0)
        )
        for part in (lab, ring)
    )
    # The deviation of the table from its tones, at the 97th percentile.
    usual = np.percentile(beside, 97)
    # `| 1`: kernels have an odd size.
    size = max(3, round(0.008 * max(height, width)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    for times in (1.0, 1.6, 2.5):
        mask = (unlike > max(6.0, usual * times)).astype(np.uint8) * 255
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel, iterations=2)
        yield cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    yield from _edge_masks(edges, (92, 86, 78))
    lightness = np.ascontiguousarray(lab[..., 0]).astype(np.uint8)
    # Otsu's level, which parts light from dark best.
    _, mask = cv2.threshold(lightness, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield mask
    yield cv2.bitwise_not(mask)


def _edge_masks(edges: Picture, levels: Sequence[int]) -> Iterator[Picture]:
    """Yield such pictures of areas enclosed by edges; `levels` are percentiles of edge strength."""
    for level in np.percentile(edges, levels):
        strong = (edges > level).astype(np.uint8) * 255
        yield cv2.bitwise_not(strong)
        yield cv2.morphologyEx(strong, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))


def _edge_strength(small: Picture, blur: float = 1.6) -> Picture:
    """Return the strength of the change of brightness or colour at each point."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), blur), cv2.COLOR_BGR2LAB).astype(np.float32)
    strength = np.zeros(lab.shape[:2], np.float32)
    for channel in cv2.split(lab):
        across, down = cv2.Sobel(channel, cv2.CV_32F, 1, 0), cv2.Sobel(channel, cv2.CV_32F, 0, 1)
        # The strongest of lightness and both colours.
        strength = np.maximum(strength, cv2.magnitude(across, down))
    return strength


def _four_corners(contour: Picture, area: int) -> Picture | None:
    """Return the four corners of an outline, clockwise from the top left, or None if it has another shape."""
    # Points that go there and back reach no farther than half their number, across and down.
    if (len(contour) / 2 + 1) ** 2 < _SMALLEST * area:
        return None
    hull = cv2.convexHull(contour)
    size = cv2.contourArea(hull)
    # Too small, or the rim of the picture itself.
    if not _SMALLEST * area < size < 0.985 * area:
        return None
    around = cv2.arcLength(hull, True)
    # As few corners as it has within a tolerance that grows.
    for tolerance in (0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(corners) == 4:
            quadrangle = corners.reshape(4, 2).astype(np.float32)
            if cv2.contourArea(quadrangle) > 0.88 * size:
                return _clockwise(quadrangle)
    box = cv2.boxPoints(cv2.minAreaRect(hull))
    if size > 0.93 * cv2.contourArea(box):  # round corners
        return _clockwise(box)
    return None


def _clockwise(corners: Picture) -> Picture:
    """Return four corners in clockwise order, starting at the top left."""
    middle = corners.mean(0)
    turned = sorted(corners.tolist(), key=lambda c: math.atan2(c[1] - middle[1], c[0] - middle[0]))
    # Turned by angle around the middle they are clockwise; the top left one has the least x + y.
    first = min(range(4), key=lambda i: turned[i][0] + turned[i][1])
    return np.array(turned[first:] + turned[:first], np.float32)


def _fit(edges: Picture, corners: Picture) -> Picture:
    """Move corners to the intersections of the strongest straight edges near each side."""
    reach = max(3.0, 0.02 * float(np.linalg.norm(corners[2] - corners[0])))
    offsets = np.arange(-reach, reach + 0.5, 1.0, dtype=np.float32)
    points, along = _beside_sides(corners, 40, offsets)
    best = _sampled(edges, points).argmax(2)
    # What most samples agree on; single ones may have met something else.
    near = np.abs(offsets[best] - np.median(offsets[best], axis=1)[:, None]) <= max(2.0, reach / 4)
    strongest = np.take_along_axis(points, best[..., None, None], axis=2)[:, :, 0]
    sides = []
    for side in range(4):
        if near[side].sum() < 12:
            sides.append((corners[side], along[side]))
            continue
        vx, vy, x, y = cv2.fitLine(strongest[side][near[side]], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        sides.append((np.array([x, y], np.float32), np.array([vx, vy], np.float32)))
    moved = [meet(sides[i - 1], sides[i]) for i in range(4)]
    if any(point is None for point in moved):
        return corners
    result = np.array(moved, np.float32)
    # A fit that moved a corner far followed another edge.
    return result if np.abs(result - corners).max() < 3 * reach else corners


def _edge_share(edges: Picture, corners: Picture, level: float) -> float:
    """Return the share of an outline, without its corners, that shows an edge; mostly that of the worst side."""
    points, _ = _beside_sides(corners, 60, np.array([-1.5, 0.0, 1.5], np.float32))
    parts = (_sampled(edges, points).max(2) > level).mean(1)
    # A side without any edge speaks against a card more than four middling ones.
    return float(0.5 * parts.min() + 0.5 * parts.mean())


def _beside_sides(corners: Picture, count: int, offsets: Picture) -> tuple[Picture, Picture]:
    """Return points along each side of an outline at these offsets outward, and the direction of each side.

    The points are in four dimensions: side, place along the side without its ends, offset, x and y.
    """
    ways = corners[_AFTER] - corners
    along = ways / np.maximum(1e-6, np.hypot(ways[:, 0], ways[:, 1])[:, None])
    # To the left of the way along: corners are clockwise, and y goes down.
    outward = np.stack([along[:, 1], -along[:, 0]], 1)
    steps = np.linspace(0.08, 0.92, count, dtype=np.float32)[:, None]
    spots = corners[:, None] + ways[:, None] * steps
    return (spots[:, :, None] + outward[:, None, None] * offsets[:, None]).astype(np.float32), along


def _sampled(edges: Picture, points: Picture) -> Picture:
    """Return the strength of edges at points, whose last dimension is x and y."""
    flat = np.ascontiguousarray(points).reshape(-1, points.shape[-2], 2)
    return cv2.remap(edges, flat, None, cv2.INTER_LINEAR).reshape(points.shape[:-1])


def _is_even(corners: Picture) -> bool:
    """Return whether four corners may be a rectangle seen slightly from the side, without acute or obtuse angles."""
    sides = corners - corners[_BEFORE]
    lengths = np.maximum(1e-6, np.hypot(sides[:, 0], sides[:, 1]))
    # 0 at a right angle; 0.34 is 70 degrees.
    cosines = np.abs((sides * sides[_AFTER]).sum(1)) / (lengths * lengths[_AFTER])
    ratios = (lengths[0] / lengths[2], lengths[1] / lengths[3])
    return bool(cosines.max() < 0.34) and all(0.7 < ratio < 1.43 for ratio in ratios)


def _on_lattice(
    lattice: Lattice, edges: Picture, evened: Picture, tints: Picture, *, grid: bool
) -> tuple[list[Picture], list[Picture], float]:
    """Return the cards in three rows of three, the expected position of each, and the least detail of a card.

    Cards are found outlines, and expected positions that show a card. Empty pockets are not cards: the table shows
    through clear plastic. The outline of a dark card on dark cloth, or behind reflecting plastic, is incomplete.
    `evened` is the strength of edges in even light, `tints` are the colours.
    """
    # The amount of detail in a card, and on the table.
    usual = float(np.median([_busy(evened, outline) for outline in lattice.outlines.values()]))
    around = evened.copy()
    for cell in lattice.outlines:
        cv2.fillConvexPoly(around, np.round(lattice.expected(cell, 1.2)).astype(np.int32), 0)
    beside = around > 0
    table = float(cv2.mean(around, beside.astype(np.uint8))[0])
    tint = np.median(tints[beside], axis=0) if beside.any() else None
    # More than an empty pocket shows, and more than the table, but never more than half of what cards show.
    least = min(max(_EMPTY * usual, _BUSIER * table), _MOST_EMPTY * usual)

    def is_card(outline: Picture) -> bool:
        busy = _busy(evened, outline)
        inside = tints[_middle_of(outline, edges) > 0]
        unlike = 0.0 if tint is None or not len(inside) else float(np.linalg.norm(np.median(inside, axis=0) - tint))
        return grid or busy > (_EMPTY * usual if unlike > _COLOURED else least)

    outlines = {cell: outline for cell, outline in lattice.outlines.items() if is_card(outline)}
    level = _visible(edges)
    best: tuple[float, list[Picture], list[Picture]] = (0.0, [], [])
    for window in lattice.windows():
        # Found outlines count fully, expected ones by the visible share of their outline.
        seen = [(1.0, outlines[cell]) for cell in window if cell in outlines]
        for cell in window:
            if cell not in outlines:
                expected = lattice.expected(cell)
                near = _fit(edges, expected)
                if is_card(expected):
                    share = _edge_share(edges, near, level)
                    seen.append((share, near if share > _EXPECTED else expected))
        shown = sum(part for part, _ in seen)
        if shown > best[0]:
            best = shown, [outline for _, outline in seen], [lattice.expected(cell) for cell in window]
    evened = lattice.of_one_size(best[1])
    fitted = [one if one is found else _fit(edges, one) for one, found in zip(evened, best[1], strict=True)]
    return lattice.of_one_size(fitted), best[2], least


def _tints(small: Picture) -> Picture:
    """Return the colours at each point as logarithms, independent of the light."""
    bright = cv2.GaussianBlur(small, (0, 0), 2.0).astype(np.float32) + 8
    # Each colour by their mean: what light changes alike in all three cancels out.
    return np.log(bright / bright.mean(2, keepdims=True))


def _busy(edges: Picture, outline: Picture) -> float:
    """Return the amount of detail in an outline: the mean strength of edges."""
    return float(cv2.mean(edges, _middle_of(outline, edges))[0])


def _middle_of(outline: Picture, edges: Picture) -> Picture:
    """Return a mask of the inside of an outline without its rim."""
    mask = np.zeros(edges.shape, np.uint8)
    middle = outline.mean(0)
    cv2.fillConvexPoly(mask, np.round(middle + (outline - middle) * 0.85).astype(np.int32), 1)
    return mask
