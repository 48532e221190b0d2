"""Numbers in icons and lone numbers on the rim of a card, which networks for lines of text read badly.

The project's own network (`data/icons.onnx`; `scripts/train_icons` makes it) looks at the whole card at once. For each
small square it says how likely each number has its centre there. It is run by onnxruntime, on one core.
"""

from importlib.resources import files
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import onnxruntime

from ccgrid.catalog.scan.values import Picture, TextReading, zone_at
from ccgrid.catalog.zones import FACE

LABELS: Final = (*"0123456789", "10", "-", "+", "")
"""What a place may show: a number, a minus, another sign (plus or times), or none of them, in the network's order."""

HEIGHT: Final = 704
"""Pixels of the longer side of a card on which the network looks for numbers."""

STEP: Final = 4
"""Pixels along each side of a square for which the network answers."""

USUAL: Final = 18.0
"""Pixels of a digit's height for which the network answers 0; it answers the logarithm, to base 2, of their ratio."""

_NUMBERS: Final = 11  # of the labels, the first
_MINUS_LABEL: Final = LABELS.index("-")
_SIGNS: Final = (_MINUS_LABEL, LABELS.index("+"))
_MULTIPLE: Final = 16  # of pixels, which the network takes
_SIDE: Final = 1.6  # times the height of a digit: the side of the square around it
_APART: Final = 0.4  # of the height of a digit, from which two places are not one
_BEFORE: Final = (0.35, 1.1)  # of the height: how far to the left of a digit its minus may be
_LEVEL: Final = 0.25  # of the height: how far above or below
_MINUS: Final = 0.6  # how likely a minus must be
_POSSIBLE: Final = 0.2  # how likely a number must be at a place that is returned
_LEAST: Final = 0.1  # what is less likely than this is left out


def load_network(weights: bytes | str) -> Any:
    """Load a network that runs on one core; `weights` are ONNX, or the path of such a file."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def resized(picture: Picture, longer: int) -> Picture:
    """Return a picture whose longer side has that many pixels."""
    factor = longer / max(picture.shape[:2])
    how = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    return cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how)


class Icon(NamedTuple):
    """A place on a card: its centre, and the side of the square around a digit there, in pixels.

    `shown` has what it may show, the likeliest first: numbers, and "" for none. A number after a minus is negative.
    """

    x: float
    y: float
    side: float
    shown: tuple[TextReading, ...]


class IconReader:
    """The network for icons; `weights` are ONNX, by default those of the project."""

    def __init__(self, weights: bytes | None = None) -> None:
        self._session = load_network(weights or (files("ccgrid.data") / "icons.onnx").read_bytes())

    def see(self, picture: Picture) -> "SeenIcons":
        """Return what the network sees on a card that fills the picture."""
        small = resized(picture, HEIGHT)
        below, beside = (-side % _MULTIPLE for side in small.shape[:2])
        small = cv2.copyMakeBorder(small, 0, below, 0, beside, cv2.BORDER_REPLICATE)
        given = small.astype(np.float32)
        grey = np.repeat(given.mean(2, keepdims=True), 3, axis=2)
        # What is a number in the negative of a picture, too, is seldom a part of the art.
        looks = [self._session.run(None, {"picture": one})[0] for one in (given, 255 - given, grey)]
        return SeenIcons(np.mean(looks, axis=0), HEIGHT / max(picture.shape[:2]), picture.shape[:2])


class SeenIcons:
    """What the network for icons sees on a card, by place; places are in pixels of the card's picture."""

    def __init__(self, answer: Picture, factor: float, shape: tuple[int, int]) -> None:
        self._chances, self._heights = answer[..., :-1], USUAL * 2.0 ** answer[..., -1]
        self._factor, self._shape = factor, shape

    def places(self) -> list[Icon]:
        """Return the places on the rim that may show a number, the likeliest first."""
        best = self._chances[..., :_NUMBERS].max(-1)
        peaks = (best >= _POSSIBLE) & (best == cv2.dilate(best, np.ones((3, 3), np.uint8)))
        found: list[tuple[float, float, float, Icon]] = []
        for row, column in sorted(np.argwhere(peaks).tolist(), key=lambda at: -best[at[0], at[1]]):
            x, y, tall = (column + 0.5) * STEP, (row + 0.5) * STEP, float(self._heights[row, column])
            if any(abs(x - a) < _APART * high and abs(y - b) < _APART * high for a, b, high, _ in found):
                continue
            icon = Icon(x / self._factor, y / self._factor, _SIDE * tall / self._factor, self._shown(row, column))
            if zone_at(100 * icon.x / self._shape[1], 100 * icon.y / self._shape[0]) != FACE:
                found.append((x, y, tall, icon))
        return [icon for *_, icon in found]

    def around(self, x: float, y: float, width: float, height: float) -> tuple[TextReading, ...]:
        """Return what the likeliest place in a box may show."""
        rows, columns = self._chances.shape[:2]
        step = STEP / self._factor
        top, bottom = (min(max(0, int(side / step)), rows - 1) for side in (y - height / 2, y + height / 2))
        left, right = (min(max(0, int(side / step)), columns - 1) for side in (x - width / 2, x + width / 2))
        best = self._chances[top : bottom + 1, left : right + 1, :_NUMBERS].max(-1)
        row, column = np.unravel_index(int(best.argmax()), best.shape)
        return self._shown(top + int(row), left + int(column))

    def _shown(self, row: int, column: int) -> tuple[TextReading, ...]:
        chances = self._chances[row, column]
        tall = float(self._heights[row, column]) / STEP
        level = max(1, round(_LEVEL * tall))
        far, near = (max(1, round(share * tall)) for share in reversed(_BEFORE))
        before = self._chances[
            max(0, row - level) : row + level + 1, max(0, column - far) : max(0, column - near + 1), _MINUS_LABEL
        ]
        sign = "-" if before.max(initial=0.0) > _MINUS else ""
        return tuple(
            TextReading(sign * (label < _NUMBERS) + LABELS[label], float(chances[label]))
            for label in np.argsort(-chances).tolist()
            if label not in _SIGNS and chances[label] >= _LEAST
        )
