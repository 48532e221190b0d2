"""Reading of numbers in round icons and on small islands of a card, which the recogniser of lines reads badly.

Circles and lone shapes on the rim are cut out as small patches, and a network of our own says which number each one
shows (`data/icons.onnx`; `scripts/train_icons` makes it). It is run by onnxruntime, on one core.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import onnxruntime

from ccgrid.catalog.scan.values import Picture, TextReading, zone_at
from ccgrid.catalog.zones import FACE

LABELS: Final = (*"0123456789", "10", "-", "+", "")
"""What a patch may show: a number, a minus, another sign (plus or times), or none of them, in the network's order."""

_NUMBERS: Final = 11  # of the labels, the first
_MINUS_LABEL: Final = LABELS.index("-")
_SIGNS: Final = (_MINUS_LABEL, LABELS.index("+"))

SIZE: Final = 32
"""Pixels along each side of a patch."""

_AT: Final = 704  # pixels of the longer side at which places are sought
_HEIGHTS: Final = (0.011, 0.07)  # of a shape, in parts of the card's height
_WIDTHS: Final = (0.15, 1.05)  # of a shape's own height
_FILLED: Final = (0.2, 0.9)  # of its box
_FAR: Final = 0.07  # of the card's height: the surroundings from which a shape stands out,
_CLOSE: Final = 0.03  # and those of a small one
_STEP: Final = 8  # of 255, by which a shape is lighter or darker than its surroundings
_CONTRAST: Final = 30.0  # between a shape and the patch around it, of 255
_VARYING: Final = 0.6  # of that contrast, by which the tones of the patch may vary
_GROWN: Final = 1.6  # times the height of a shape: the side of its patch
_RADII: Final = (0.011, 0.055)  # of a circle, in parts of the card's height
_EDGE: Final = 200  # the strength of the edges of circles
_ROUND: Final = 0.6  # how perfect a circle must be, 0 to 1
_NEAR: Final = 0.25  # of a patch's side: places nearer to each other are one
_SAME_SIZE: Final = 1.3  # the ratio of the sides of such places, at most
_MOST: Final = 200  # places of a card
_LOOKS: Final = ((0.0, 0.85), (0.0, 1.2), (-0.07, 1.0), (0.07, 1.0))
"""More looks at what may be a number: moved to the right by that much of its side, and at that size."""
_BEFORE: Final = (-0.45, -0.6)  # of the side: how far from a digit its sign may be
_MINUS: Final = 0.8  # how likely a minus must be
_MAYBE: Final = 0.5  # how likely a number must be at the first look, for more of them
_LIKELY: Final = 0.4  # how likely it must be in the mean,
_POSSIBLE: Final = 0.2  # and how likely in a circle
_ZERO: Final = 0.75  # and how likely a 0, because a ring is none
_LEAST: Final = 0.1  # what is less likely than this is left out


class IconPlace(NamedTuple):
    """A square on a picture that may show one number: its centre and side in pixels, and whether a circle is there."""

    x: float
    y: float
    side: float
    circle: bool = False

    def scaled(self, factor: float) -> "IconPlace":
        """Return the square on a picture that is `factor` times as large."""
        return self._replace(x=self.x * factor, y=self.y * factor, side=self.side * factor)


def load_network(weights: bytes | str) -> Any:
    """Load a network that runs on one core; `weights` are ONNX, or the path of such a file."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


class IconReader:
    """The network for patches; `weights` are ONNX, by default those of the project."""

    def __init__(self, weights: bytes | None = None) -> None:
        self._session = load_network(weights or (files("ccgrid.data") / "icons.onnx").read_bytes())

    def chances(self, patches: Picture) -> Picture:
        """Return the probability of each label, in columns, for each patch, in rows."""
        if not len(patches):
            return np.empty((0, len(LABELS)), np.float32)
        return self._session.run(None, {"patches": patches})[0]

    def read(self, picture: Picture, places: Sequence[IconPlace]) -> list[tuple[TextReading, ...]]:
        """Return what each place may show, the likeliest first: numbers, and "" for none.

        Each is as likely as the mean of several looks says. A number after a minus is negative.
        """
        chances = self.chances(cut_patches(picture, places))
        numbers = np.flatnonzero(chances[:, :_NUMBERS].max(1, initial=0.0) > _MAYBE).tolist()
        looks = [
            self.chances(cut_patches(picture, [_moved(places[n], shift, size) for n in numbers]))
            for shift, size in _LOOKS
        ]
        chances[numbers] = np.mean([chances[numbers], *looks], axis=0)
        signs = [self.chances(cut_patches(picture, [_moved(places[n], shift) for n in numbers])) for shift in _BEFORE]
        negative = {n for row, n in enumerate(numbers) if any(sign[row, _MINUS_LABEL] > _MINUS for sign in signs)}
        return [
            tuple(
                TextReading("-" * (n in negative and i < _NUMBERS) + LABELS[i], float(look[i]))
                for i in np.argsort(-look).tolist()
                if i not in _SIGNS and look[i] >= _LEAST
            )
            for n, look in enumerate(chances)
        ]


class Icon(NamedTuple):
    """A place on a card, and what it may show, the likeliest first."""

    place: IconPlace
    shown: tuple[TextReading, ...]


def find_icons(reader: IconReader, picture: Picture, places: Sequence[IconPlace]) -> list[Icon]:
    """Return the places that probably show a number, and the circles that may show one."""
    return [
        Icon(place, shown)
        for place, shown in zip(places, reader.read(picture, places), strict=True)
        if (number := next((one for one in shown if one.text), None)) is not None
        and number.confidence >= (_ZERO if number.text == "0" else _POSSIBLE if place.circle else _LIKELY)
    ]


def _moved(place: IconPlace, shift: float, size: float = 1.0) -> IconPlace:
    """Return a place that much of its side farther to the right, and that many times as large."""
    return IconPlace(place.x + shift * place.side, place.y, size * place.side)


def cut_patches(picture: Picture, places: Sequence[IconPlace]) -> Picture:
    """Return the patches at these places, as the network takes them: number, colour, row, column, from -1 to 1."""
    found = np.empty((len(places), SIZE, SIZE, 3), np.float32)
    for number, place in enumerate(places):
        side = max(2, round(place.side))
        left, top = round(place.x - side / 2), round(place.y - side / 2)
        # Beyond the edge of the picture its last pixels go on.
        rows = np.clip(np.arange(top, top + side), 0, picture.shape[0] - 1)
        columns = np.clip(np.arange(left, left + side), 0, picture.shape[1] - 1)
        piece = picture[rows[:, None], columns]
        how = cv2.INTER_AREA if side > SIZE else cv2.INTER_CUBIC
        found[number] = cv2.resize(piece, (SIZE, SIZE), interpolation=how)
    return found.transpose(0, 3, 1, 2) / 127.5 - 1


def find_places(picture: Picture) -> list[IconPlace]:
    """Return the places on the rim of a card that may show one number: circles, and shapes of a digit's size."""
    factor = _AT / max(picture.shape[:2])
    small = cv2.resize(
        picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    )
    found: list[IconPlace] = []
    for place in (*_circles(small), *_shapes(small)):
        if not any(_is_same(place, other) for other in found):
            found.append(place)
    return [place.scaled(1 / factor) for place in found[:_MOST]]


def _circles(picture: Picture) -> list[IconPlace]:
    height = picture.shape[0]
    least, most = (round(radius * height) for radius in _RADII)
    found = cv2.HoughCircles(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY),
        cv2.HOUGH_GRADIENT_ALT,
        1.5,
        height * _RADII[0],
        param1=_EDGE,
        param2=_ROUND,
        minRadius=least,
        maxRadius=most,
    )
    circles = found[0].tolist() if found is not None else []
    return [IconPlace(x, y, 2 * radius, circle=True) for x, y, radius in circles if _is_on_rim(x, y, picture)]


def _shapes(picture: Picture) -> list[IconPlace]:
    """Return the places of shapes that stand out from their surroundings, the clearest first, and of pairs of them."""
    height = picture.shape[0]
    found: list[tuple[float, IconPlace]] = []
    # A digit stands out by lightness, or by its weakest colour: white on yellow is as light, but has more blue.
    # A small one beside a dark border stands out from what is near only.
    for tones, reach in ((cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)[..., 0], _FAR), (picture.min(2), _CLOSE)):
        tones = np.ascontiguousarray(tones)
        block = round(height * reach) | 1
        for kind, step in ((cv2.THRESH_BINARY, -_STEP), (cv2.THRESH_BINARY_INV, _STEP)):
            mask = cv2.adaptiveThreshold(tones, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, step)
            _, labels, sizes, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
            shapes = []
            for label, size in enumerate(sizes.tolist()):
                if _is_like_a_digit(size, picture) and (clear := _clearness(tones, labels, label, size)):
                    left, top, wide, tall, _ = size
                    shapes.append(size)
                    found.append((clear, IconPlace(left + wide / 2, top + tall / 2, _GROWN * tall)))
            found += [(0.0, place) for place in _pairs(shapes)]
    return [place for _, place in sorted(found, key=lambda one: -one[0])]


def _is_like_a_digit(size: Sequence[int], picture: Picture) -> bool:
    left, top, wide, tall, area = size
    height = picture.shape[0]
    return (
        _HEIGHTS[0] * height < tall < _HEIGHTS[1] * height
        and _WIDTHS[0] * tall < wide < _WIDTHS[1] * tall
        and _FILLED[0] * wide * tall < area < _FILLED[1] * wide * tall
        and _is_on_rim(left + wide / 2, top + tall / 2, picture)
    )


def _clearness(tones: Picture, labels: Picture, label: int, size: Sequence[int]) -> float:
    """Return how clearly a shape stands out from a nearly plain patch around it, 0 if it does not."""
    left, top, wide, tall = size[:4]
    reach = max(2, round(tall * 0.3))
    rows = slice(max(0, top - reach), top + tall + reach)
    columns = slice(max(0, left - reach), left + wide + reach)
    shape = (labels[rows, columns] == label).astype(np.uint8)
    # Exclude the shape grown by a pixel, since its rim is ambiguous.
    around = cv2.dilate(shape, np.ones((3, 3), np.uint8)) == 0
    patch = tones[rows, columns].astype(np.float32)
    if around.sum() < 10:
        return 0.0
    contrast = abs(float(patch[shape == 1].mean()) - float(patch[around].mean()))
    varying = float(patch[around].std())
    return (contrast - varying) / 255 if contrast > _CONTRAST and varying < _VARYING * contrast else 0.0


def _pairs(shapes: Sequence[Sequence[int]]) -> list[IconPlace]:
    """Return the places of shapes side by side, such as the digits of 10."""
    found = []
    for one in shapes:
        for other in shapes:
            tall = max(one[3], other[3])
            gap = other[0] - one[0] - one[2]
            # To the right, nearly as high, on one line, and close.
            if -0.1 * tall < gap < 0.35 * tall and abs(one[1] - other[1]) + abs(one[3] - other[3]) < 0.3 * tall:
                left, right = one[0], other[0] + other[2]
                found.append(
                    IconPlace(
                        (left + right) / 2, min(one[1], other[1]) + tall / 2, max(_GROWN * tall, 1.25 * (right - left))
                    )
                )
    return found


def _is_on_rim(x: float, y: float, picture: Picture) -> bool:
    return zone_at(100 * x / picture.shape[1], 100 * y / picture.shape[0]) != FACE


def _is_same(one: IconPlace, other: IconPlace) -> bool:
    near = _NEAR * min(one.side, other.side)
    return (
        abs(one.x - other.x) < near
        and abs(one.y - other.y) < near
        and max(one.side, other.side) < _SAME_SIZE * min(one.side, other.side)
    )
