"""The two networks that find and read text; they come inside the `rapidocr` package and nothing is downloaded.

Needs the extra `scan`. The networks are PP-OCRv6 small, run by onnxruntime on one core.
"""

import math
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import onnxruntime

from ccgrid.catalog.evidence import FACE
from ccgrid.catalog.scan.values import TextReading, zone_at

Picture = Any
"""Rows x columns x 3 colours (blue, green, red), each 0 to 255."""

_DETECTOR: Final = "PP-OCRv6_det_small.onnx"
_RECOGNISER: Final = "PP-OCRv6_rec_small.onnx"
_TEXT_HEIGHT: Final = 48  # of the recogniser, in pixels
_LONGEST: Final = 2400  # of a line, in the recogniser's pixels
_NARROWEST: Final = 16
_BATCH: Final = 16
_MOST_BOXES: Final = 600
_GROW: Final = 1.6  # the detector marks the core of a line; its box is that much larger
_SMALLEST: Final = 3  # pixels across the core of a line


class Box(NamedTuple):
    """A line of text on a picture: its centre, width and height in pixels, its slant in degrees, how sure it is."""

    x: float
    y: float
    width: float
    height: float
    angle: float
    score: float

    def scaled(self, factor: float) -> "Box":
        """The same box on a picture that many times as large."""
        return Box(self.x * factor, self.y * factor, self.width * factor, self.height * factor, self.angle, self.score)

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, in pixels."""
        corners = cv2.boxPoints(((self.x, self.y), (self.width, self.height), self.angle))
        left, top = corners.min(0).tolist()
        right, bottom = corners.max(0).tolist()
        return left, top, right, bottom


class Models:
    """The detector and the recogniser, loaded once."""

    def __init__(self) -> None:
        folder = files("rapidocr") / "models"
        self._detector = _session(str(folder / _DETECTOR))
        self._recogniser = _session(str(folder / _RECOGNISER))
        known = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._characters = ["", *known, " "]

    def find(self, picture: Picture, threshold: float = 0.2, surest: float = 0.35, short: float = 0.22) -> list[Box]:
        """The lines of text on a picture; `threshold` is of one pixel, `surest` of a whole line, 0 to 1.

        `short` is the same for what is no longer than a digit or two: the detector is less sure of them.
        """
        height, width = picture.shape[:2]
        rows, columns = (max(32, round(side / 32) * 32) for side in (height, width))
        given = cv2.resize(picture, (columns, rows)).astype(np.float32) / 127.5 - 1
        heat = self._detector.run(None, {"x": given.transpose(2, 0, 1)[None]})[0][0, 0]
        mask = cv2.dilate((heat > threshold).astype(np.uint8), np.ones((2, 2), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        boxes = []
        for contour in sorted(contours, key=len, reverse=True)[:_MOST_BOXES]:
            (x, y), (along, across), angle = cv2.minAreaRect(contour)
            if min(along, across) < _SMALLEST:
                continue
            score = _score(heat, contour, ((x, y), (along, across), angle))
            if score < (short if max(along, across) < 2 * min(along, across) else surest):
                continue
            grow = along * across * _GROW / (along + across)
            along, across = along + grow, across + grow
            if abs(angle) > 45:  # text runs along the side that is nearly level
                angle, along, across = angle - math.copysign(90, angle), across, along
            x, y, along, across = (
                x * width / columns,
                y * height / rows,
                along * width / columns,
                across * height / rows,
            )
            boxes.append(Box(x, y, along, across, angle, score))
        return boxes

    def read(self, crops: list[Picture]) -> list[TextReading]:
        """The text on each crop, which holds one line."""
        widths = [max(_NARROWEST, min(_LONGEST, math.ceil(_TEXT_HEIGHT * c.shape[1] / c.shape[0]))) for c in crops]
        order = sorted(range(len(crops)), key=widths.__getitem__)
        found: dict[int, TextReading] = {}
        start = 0
        while start < len(order):
            end = start + 1
            most = widths[order[start]] * 1.15 + 16
            while end < len(order) and end - start < _BATCH and widths[order[end]] <= most:
                end += 1
            batch = order[start:end]
            given = np.zeros((len(batch), 3, _TEXT_HEIGHT, widths[batch[-1]]), np.float32)
            for row, which in enumerate(batch):
                given[row, :, :, : widths[which]] = _prepared(crops[which], widths[which])
            answers = self._recogniser.run(None, {"x": given})[0]
            for row, which in enumerate(batch):
                found[which] = self._decode(answers[row], given.shape[3] / widths[which])
            start = end
        return [found[which] for which in range(len(crops))]

    def _decode(self, answer: Picture, stretch: float) -> TextReading:
        """What the recogniser says in each column, with repetitions and gaps left out."""
        best, chances = answer.argmax(1).tolist(), answer.max(1).tolist()
        characters, sure, places = [], [], []
        column = 0
        while column < len(best):
            end = column
            while end + 1 < len(best) and best[end + 1] == best[column]:
                end += 1
            if best[column]:
                characters.append(self._characters[best[column]])
                sure.append(max(chances[column : end + 1]))
                places.append(min(1.0, ((column + end + 1) / 2) / len(best) * stretch))
            column = end + 1
        return TextReading("".join(characters), sum(sure) / len(sure) if sure else 0.0, tuple(places), tuple(sure))


def cut(picture: Picture, box: Box, turn: int = 0) -> Picture:
    """The piece of a picture under a box, straightened; `turn` is the turn of its text, 0, 90 or 270."""
    width, height = max(4, round(box.width)), max(4, round(box.height))
    corners = cv2.boxPoints(((box.x, box.y), (max(box.width, 4), max(box.height, 4)), box.angle))
    target = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    piece = cv2.warpPerspective(picture, warp, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(np.rot90(piece, turn // 90)) if turn else piece


def _session(path: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _score(heat: Picture, contour: Picture, core: Any) -> float:
    """The mean of the detector's answer in the core of a line."""
    left, top, width, height = cv2.boundingRect(contour)
    part = heat[top : top + height, left : left + width]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(cv2.boxPoints(core) - [left, top]).astype(np.int32)], 1)
    return float(cv2.mean(part, mask)[0])


def _prepared(crop: Picture, width: int) -> Picture:
    how = cv2.INTER_CUBIC if crop.shape[0] < _TEXT_HEIGHT else cv2.INTER_AREA
    scaled = cv2.resize(crop, (width, _TEXT_HEIGHT), interpolation=how)
    return (scaled.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)


_MOST: Final = 24  # shapes that are read
_HEIGHTS: Final = (0.018, 0.07)  # of the card's height
_WIDTHS: Final = (0.2, 1.05)  # of a shape's own height
_FILLED: Final = (0.2, 0.85)  # of its box
_CONTRAST: Final = 45.0  # between the shape and the patch around it, of 255
_PLAIN: Final = 30.0  # how much the tones of that patch may vary, to be plain
_NEARLY: Final = 0.45  # of the contrast, by which those of a patch with an edge in it may vary
_GROWN_ISLAND: Final = 1.45


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
    grown = tall * (_GROWN_ISLAND - 1)
    return Box(left + wide / 2, top + tall / 2, wide + grown, tall + grown, 0.0, (contrast - varying) / 255)


def _touch(one: Box, other: Box) -> bool:
    """Whether the centre of one box lies in the other."""
    a, b = one.bounds(), other.bounds()
    return (b[0] < one.x < b[2] and b[1] < one.y < b[3]) or (a[0] < other.x < a[2] and a[1] < other.y < a[3])
