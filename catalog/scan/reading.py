"""Reading of all text on one card that fills its picture, with networks that find and read lines.

The networks are PP-OCRv6 small, run by onnxruntime on one core. They are in the `rapidocr` package (the extra `scan`),
so that nothing is downloaded. Short boxes, such as lone digits in icons, are read several times.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from itertools import islice
from typing import Final, NamedTuple

import cv2
import numpy as np

from ccgrid.catalog.scan.icons import IconReader, SeenIcons, load_network, resized
from ccgrid.catalog.scan.spots import is_weak
from ccgrid.catalog.scan.values import Picture, SeenText, TextReading, zone_at
from ccgrid.catalog.zones import FACE

_DETECTOR: Final = "PP-OCRv6_det_small.onnx"
_RECOGNISER: Final = "PP-OCRv6_rec_small.onnx"
_TEXT_HEIGHT: Final = 48  # of the recogniser, in pixels
_LONGEST: Final = 2400  # of a line, in the recogniser's pixels
_NARROWEST: Final = 16  # of a line, in the recogniser's pixels
_BATCH: Final = 16  # lines that are read at a time
_MOST_BOXES: Final = 600  # boxes of one look
_GROW: Final = 1.6  # the detector marks the core of a line; its box is that much larger
_SMALLEST: Final = 3  # pixels across the core of a line


class TextBox(NamedTuple):
    """A line of text on a picture: its centre, width and height in pixels, its slant in degrees, and its confidence."""

    x: float
    y: float
    width: float
    height: float
    angle: float
    score: float

    def scaled(self, factor: float) -> "TextBox":
        """Return the box on a picture that is `factor` times as large."""
        return TextBox(
            self.x * factor, self.y * factor, self.width * factor, self.height * factor, self.angle, self.score
        )

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, in pixels."""
        corners = cv2.boxPoints(((self.x, self.y), (self.width, self.height), self.angle))
        left, top = corners.min(0).tolist()
        right, bottom = corners.max(0).tolist()
        return left, top, right, bottom


class Models:
    """The detection and recognition networks."""

    def __init__(self) -> None:
        folder = files("rapidocr") / "models"
        self._detector = load_network(str(folder / _DETECTOR))
        self._recogniser = load_network(str(folder / _RECOGNISER))
        known = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        # Index 0 is the gap, and the blank is behind all others: as PaddleOCR counts them.
        self._characters = ["", *known, " "]

    @cached_property
    def icons(self) -> IconReader:
        """The network for icons."""
        return IconReader()

    def find(
        self, picture: Picture, threshold: float = 0.2, surest: float = 0.35, short: float = 0.22
    ) -> list[TextBox]:
        """Return the lines of text on a picture; `threshold` applies to a pixel, `surest` to a line, 0 to 1.

        `short` applies to boxes of a digit or two, for which the detector is less confident.
        """
        height, width = picture.shape[:2]
        # The network takes multiples of 32 pixels.
        rows, columns = (max(32, round(side / 32) * 32) for side in (height, width))
        # -1 to 1, as the network was trained.
        given = cv2.resize(picture, (columns, rows)).astype(np.float32) / 127.5 - 1
        heat = self._detector.run(None, {"x": given.transpose(2, 0, 1)[None]})[0][0, 0]
        mask = cv2.dilate((heat > threshold).astype(np.uint8), np.ones((2, 2), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        boxes = []
        for contour in sorted(contours, key=len, reverse=True)[:_MOST_BOXES]:
            # The smallest box around it, at any slant.
            (x, y), (along, across), angle = cv2.minAreaRect(contour)
            if min(along, across) < _SMALLEST:
                continue
            score = _score(heat, contour, ((x, y), (along, across), angle))
            # Nearly as high as wide: a digit or two.
            if score < (short if max(along, across) < 2 * min(along, across) else surest):
                continue
            # As PaddleOCR does it: the core grows on each side by its area, times a factor, through its perimeter.
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
            boxes.append(TextBox(x, y, along, across, angle, score))
        return boxes

    def read(self, crops: list[Picture]) -> list[TextReading]:
        """Return the text of each crop, which contains one line."""
        widths = [max(_NARROWEST, min(_LONGEST, math.ceil(_TEXT_HEIGHT * c.shape[1] / c.shape[0]))) for c in crops]
        # By width: crops that are read together are padded to the widest one.
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
                # Zeros behind it are grey.
                given[row, :, :, : widths[which]] = _network_input(crops[which], widths[which])
            answers = self._recogniser.run(None, {"x": given})[0]
            for row, which in enumerate(batch):
                found[which] = self._decode(answers[row], given.shape[3] / widths[which])
            start = end
        return [found[which] for which in range(len(crops))]

    def _decode(self, answer: Picture, stretch: float) -> TextReading:
        """Decode the recogniser's answer for each column, without repetitions and gaps."""
        # CTC: a character that spans several columns is one; index 0 is the gap between two.
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
                # In columns of the padded picture; `stretch` turns them into parts of the line.
                places.append(min(1.0, ((column + end + 1) / 2) / len(best) * stretch))
            column = end + 1
        return TextReading("".join(characters), sum(sure) / len(sure) if sure else 0.0, tuple(places), tuple(sure))


def crop(picture: Picture, box: TextBox, turn: int = 0) -> Picture:
    """Cut out and straighten the content of a box; `turn` is the turn of its text, 0, 90 or 270."""
    width, height = max(4, round(box.width)), max(4, round(box.height))
    corners = cv2.boxPoints(((box.x, box.y), (max(box.width, 4), max(box.height, 4)), box.angle))
    # `boxPoints` begins at the bottom left, and goes on clockwise.
    target = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    piece = cv2.warpPerspective(picture, warp, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(np.rot90(piece, turn // 90)) if turn else piece


def _score(heat: Picture, contour: Picture, core: tuple[tuple[float, float], tuple[float, float], float]) -> float:
    """Return the mean of the detector's answer in the core of a line."""
    # Only the part around it: a whole picture for each line would take long.
    left, top, width, height = cv2.boundingRect(contour)
    part = heat[top : top + height, left : left + width]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(cv2.boxPoints(core) - [left, top]).astype(np.int32)], 1)
    return float(cv2.mean(part, mask)[0])


def _network_input(crop: Picture, width: int) -> Picture:
    how = cv2.INTER_CUBIC if crop.shape[0] < _TEXT_HEIGHT else cv2.INTER_AREA
    scaled = cv2.resize(crop, (width, _TEXT_HEIGHT), interpolation=how)
    return (scaled.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)


# --- one card ------------------------------------------------------------------------------------------------------


_READ_AT: Final = 1408  # pixels of the longer side at which text is read
_LOOKS: Final = ((1024, "plain"), (512, "raised"), (400, "plain"))
"""The detection passes: the size in pixels of the longer side, and whether local contrast is raised.

Lines of small text are found on large pictures, lone digits in icons on small ones.
"""

_END: Final = 0.4  # of the height of a label: its last character is that far from its end
_NARROW: Final = 0.6  # of the height: the width of the character
_AGAIN: Final = ((0.0, 1.0), (0.0, 1.15), (0.15, 1.0), (-0.1, 1.0))  # more readings of a label: removed slant and size
_PLAIN: Final = 0.5  # how sure the detector must be of a label
_MOST_SAY: Final = 0.5  # the share of readings, times their confidence, that must have the same digit there
_LABEL: Final = re.compile(r"\d(?:[a-z]|\W*[^\Wa-z\d_]\D{0,8})|\D{0,7}[^\W\d_]\D?[^\W\d_]\D?[\d|!\])]")
"""A text with one digit at its end, or with a stroke that may be a 1, or with a sign after its digit."""
_WORDS: Final = 0.6  # a line read with more confidence holds words, and no icon
_IN_WORDS: Final = 0.9  # unless the network for icons is that sure of one

_ZEROS: Final = re.compile(r"\d[0*]{1,4}")  # a number, or a digit and round signs
_CLOSE_UP: Final = 0.36  # of the height of a number: the side of the box in which the centre of a digit must be
_SEEN: Final = 0.9  # how likely the network for icons must see the digit before signs,
_ZERO: Final = 0.4  # and how likely at most a number where a zero was read
_WIDE: Final = 0.9  # of the height of that number: the width of the box of its digit

_SAME: Final = 0.5  # the part that two boxes share when they are of the same text
_SHORT: Final = 2.5  # a box no longer than this many times its height is looked at several times
_UPRIGHT: Final = 0.45  # a box narrower than this many times its height holds turned text
_TALL: Final = 6.0  # times its width: a higher box holds no lone digit
_TALLEST: Final = 0.3  # nor one that is higher than that part of the card
_STACK: Final = 4  # the most numbers above each other
_BROAD: Final = 0.08  # of the card's width: a narrower column is a line of turned text
_LEVEL: Final = 5.0  # degrees by which a column may be off the upright
_VARIANTS: Final = ((0.0, 0.9, False), (0.0, 1.0, True), (0.15, 1.0, True), (0.3, 1.0, True))
"""The readings of a short box: removed slant, size, and whether without colours."""


class _Crop(NamedTuple):
    """A piece of the picture to read: the content of a box, turned by quarters."""

    box: int
    turn: int
    picture: Picture


def read_card(models: Models, picture: Picture) -> list[SeenText]:
    """Return every line of text on a card that fills the picture."""
    base = resized(picture, _READ_AT)
    height = base.shape[0]
    groups = _groups(models, picture, height)
    boxes = [max((box for _, box in group), key=lambda box: box.score) for group in groups]
    # The share of passes with a box of the group.
    found = [len({look for look, _ in group}) / len(_LOOKS) for group in groups]
    parts = [
        (part, part_found)
        for box, part_found in zip(boxes, found, strict=True)
        for part in _column_parts(box, boxes, base.shape[1])
    ]
    boxes += [part for part, _ in parts]
    found += [part_found for _, part_found in parts]
    seen = models.icons.see(base)
    lines = without_signs(seen, base, [line for lines in _read(models, base, boxes, found) for line in lines])
    return [
        *look_again(seen, base, lines),
        *read_icons(models, base, seen, lines),
        *read_ends(models, base, lines),
    ]


def read_over(models: Models, picture: Picture, lines: Sequence[SeenText]) -> list[SeenText]:
    """Return the long level lines of a card as they read if the card is turned over, so that it stands on its head."""
    base = resized(picture, _READ_AT)
    level = [line for line in lines if not line.short and not line.turn]
    turned = [np.rot90(crop(base, _box_of(line, base)), 2) for line in level]
    return [replace(line, readings=(one,)) for line, one in zip(level, models.read(turned), strict=True)]


def _box_of(line: SeenText, base: Picture) -> TextBox:
    """Return the box of a line in pixels of the picture."""
    height, width = base.shape[0] / 100, base.shape[1] / 100
    return TextBox(line.x * width, line.y * height, line.width * width, line.height * height, 0.0, 0.0)


def without_signs(seen: SeenIcons, base: Picture, lines: Sequence[SeenText]) -> list[SeenText]:
    """Return the lines, but 7 instead of 70 if the network for icons sees a 7 and signs that are no zeros.

    A line of zeros is left out if the network sees another number at its beginning.
    """
    height, width = base.shape[:2]
    found = []
    for line in lines:
        zeros = next((one for one in line.readings if _ZEROS.fullmatch(one.text)), None)
        if zeros is not None and zone_at(line.x, line.y) != FACE:
            near = _CLOSE_UP * line.height * height / 100
            xs = [line.place(where)[0] for where in zeros.places]
            looks = (seen.around(x * width / 100, line.y * height / 100, near, near) for x in xs)
            digit, *signs = (look[0] if look else TextReading("", 0.0) for look in looks)
            is_number = digit.text != "" and digit.confidence > _SEEN
            if is_number and not any(one.text and one.confidence > _ZERO for one in signs):
                if digit.text == zeros.text[0]:
                    readings = [TextReading(one.text[:1], one.chances[0]) for one in line.readings if one.text]
                    line = replace(line, x=xs[0], width=_WIDE * line.height * height / width, readings=tuple(readings))
                elif zeros.text[0] == "0":
                    continue
        found.append(line)
    return found


def look_again(seen: SeenIcons, base: Picture, lines: Sequence[SeenText]) -> list[SeenText]:
    """Return the lines, and with each short one on the rim what the network for icons sees there."""
    height, width = base.shape[0] / 100, base.shape[1] / 100
    return [
        replace(line, icon=seen.around(line.x * width, line.y * height, line.width * width, line.height * height))
        if line.short and zone_at(line.x, line.y) != FACE
        else line
        for line in lines
    ]


def read_icons(models: Models, base: Picture, seen: SeenIcons, lines: Sequence[SeenText]) -> list[SeenText]:
    """Return the numbers in icons, each with the readings of both networks."""
    height, width = base.shape[:2]
    words = [line for line in lines if not line.short and line.best.confidence > _WORDS]
    icons = [
        icon
        for icon in seen.places()
        if icon.shown[0].confidence > _IN_WORDS
        or not any(line.covers(100 * icon.x / width, 100 * icon.y / height) for line in words)
    ]
    boxes = [TextBox(icon.x, icon.y, icon.side, icon.side, 0.0, 0.0) for icon in icons]
    read = _read(models, base, boxes, [0.0] * len(boxes))
    return [replace(line, icon=icon.shown) for found, icon in zip(read, icons, strict=True) for line in found]


def read_ends(models: Models, base: Picture, lines: Sequence[SeenText]) -> list[SeenText]:
    """Return the digits on the rim at the ends of labels such as STAGE 1, and before signs, that several readings have.

    A label is read again for that, because its box may cut its last character.
    """
    height, width = base.shape[:2]
    grey = _grey(base)
    labels = [line for line in lines if line.score > _PLAIN and not line.turn and _is_label(line.readings)]
    boxes = [_box_of(line, base) for line in labels if not line.short]
    again = iter(
        models.read(
            [_upright_crop(grey, box._replace(width=box.width + box.height), *how) for box in boxes for how in _AGAIN]
        )
    )
    found = []
    for line in labels:
        readings = line.readings if line.short else (*line.readings, *islice(again, len(_AGAIN)))
        for end, offset in ((0, -1), (-1, 1)):
            ends = [
                TextReading(text[end], reading.chances[end])
                for reading in readings
                if (text := reading.text.strip()) and len(reading.chances) == len(text)
            ]
            digits = {
                one.text: sum(other.confidence for other in ends if other.text == one.text)
                for one in ends
                if one.text.isdecimal()
            }
            x = line.x + offset * (line.width / 2 - _END * line.height * height / width)
            if max(digits.values(), default=0) >= _MOST_SAY * len(readings) and zone_at(x, line.y) != FACE:
                narrow = _NARROW * line.height * height / width
                found.append(SeenText(x, line.y, narrow, line.height, tuple(ends), found=0.0, score=0.0))
    return found


def _is_label(readings: Sequence[TextReading]) -> bool:
    """Return whether at least half of the readings are a text with one digit at its end."""
    return 2 * sum(_LABEL.fullmatch(reading.text.strip()) is not None for reading in readings) >= len(readings) > 0


def _read(models: Models, base: Picture, boxes: Sequence[TextBox], found: Sequence[float]) -> list[list[SeenText]]:
    """Read each box, short ones several times; `found` is the share of detection passes that found it.

    A narrow box has two lines: turned text, and perhaps a lone digit.
    """
    grey = _grey(base)
    jobs: list[_Crop] = []
    # A long box is one line; a short one is read several times; a narrow one may be turned text.
    for number, box in enumerate(boxes):
        if box.width > _SHORT * box.height:
            jobs.append(_Crop(number, 0, crop(base, box)))
            continue
        narrow = box.width < _UPRIGHT * box.height
        if not narrow or (box.height < _TALLEST * base.shape[0] and box.height < _TALL * box.width):
            jobs += [
                _Crop(number, 0, _upright_crop(grey if flat else base, box, lean, size))
                for lean, size, flat in _VARIANTS
            ]
    looks: list[dict[int, list[TextReading]]] = [{} for _ in boxes]

    def look(jobs: Sequence[_Crop]) -> None:
        for job, reading in zip(jobs, models.read([job.picture for job in jobs]), strict=True):
            looks[job.box].setdefault(job.turn, []).append(reading)

    look(jobs)
    turned = [
        number
        for number, box in enumerate(boxes)
        if box.width < _UPRIGHT * box.height and found[number] and is_weak(looks[number].get(0, ()))
    ]
    look([_Crop(number, turn, crop(base, boxes[number], turn)) for number in turned for turn in (90, 270)])
    return [_lines(*one, base.shape[:2]) for one in zip(boxes, looks, found, strict=True)]


def _lines(box: TextBox, looks: dict[int, list[TextReading]], found: float, shape: tuple[int, int]) -> list[SeenText]:
    left, top, right, bottom = box.bounds()
    line = SeenText(
        x=100 * (left + right) / 2 / shape[1],
        y=100 * (top + bottom) / 2 / shape[0],
        width=100 * (right - left) / shape[1],
        height=100 * (bottom - top) / shape[0],
        readings=tuple(looks.get(0, ())),
        found=found,
        score=box.score,
    )
    if not looks.get(90):
        return [line]
    # Turned text is read in the more confident direction only.
    turn = max((90, 270), key=lambda turn: looks[turn][0].confidence)
    text = replace(line, readings=(looks[turn][0],), turn=turn)
    return [text, line] if line.readings else [text]


def _column_parts(box: TextBox, boxes: Sequence[TextBox], width: int) -> list[TextBox]:
    """Return the parts of a column that may be stacked numbers, unless other boxes cover them."""
    count = round(box.height / box.width)
    if not 2 <= count <= _STACK or box.width < _BROAD * width or abs(box.angle) > _LEVEL:
        return []
    tall = box.height / count
    # As many stacked squares as fit into the column.
    parts = [box._replace(y=box.y + (n - (count - 1) / 2) * tall, height=tall, angle=0.0) for n in range(count)]
    return [part for part in parts if not any(_is_on(other, part) for other in boxes if other is not box)]


def _is_on(box: TextBox, part: TextBox) -> bool:
    near = abs(box.x - part.x) < part.width / 2 and abs(box.y - part.y) < part.height / 2
    return near and box.height < 1.7 * part.height


def read_once(models: Models, picture: Picture, wanted: Callable[[float, float], bool]) -> list[SeenText]:
    """Return the lines of text that a single look finds at the wanted places, whose x and y are in per cent."""
    looked = resized(picture, _LOOKS[0][0])
    height, width = looked.shape[:2]
    boxes = [box for box in models.find(looked) if wanted(100 * box.x / width, 100 * box.y / height)]
    return [line for lines in _read(models, looked, boxes, [1.0] * len(boxes)) for line in lines]


def _groups(models: Models, picture: Picture, height: int) -> list[list[tuple[int, TextBox]]]:
    """Return the boxes of all passes, grouped by text, in pixels of the picture that is read."""
    groups: list[list[tuple[int, TextBox]]] = []
    for look, (size, how) in enumerate(_LOOKS):
        looked = resized(picture, size)
        if how == "raised":
            looked = _raise_contrast(looked)
        found = models.find(looked)
        for box in (box.scaled(height / looked.shape[0]) for box in found):
            # Compared with the first box of each group.
            same = next((group for group in groups if _overlap(group[0][1], box) > _SAME), None)
            if same is None:
                groups.append([(look, box)])
            else:
                same.append((look, box))
    return groups


def _overlap(one: TextBox, other: TextBox) -> float:
    """Return the share of the area covered by two boxes that both cover, 0 to 1."""
    a, b = one.bounds(), other.bounds()
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if across <= 0 or down <= 0:
        return 0.0
    both = across * down
    return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both)


def _raise_contrast(picture: Picture) -> Picture:
    """Raise the local contrast of a picture, so that digits on icons of similar brightness stand out."""
    lightness, *colours = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))
    lightness = cv2.createCLAHE(4, (8, 8)).apply(lightness)
    return cv2.cvtColor(cv2.merge([lightness, *colours]), cv2.COLOR_LAB2BGR)


def _grey(picture: Picture) -> Picture:
    return cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def _upright_crop(picture: Picture, box: TextBox, slant: float, size: float) -> Picture:
    """Cut out a box, enlarged by `size`, and remove the slant of italic digits."""
    box = box._replace(width=box.width * size, height=box.height * size)
    reach = box.width + box.height
    left, top = int(max(0, box.x - reach)), int(max(0, box.y - reach))
    near = picture[top : int(box.y + reach) + 1, left : int(box.x + reach) + 1]
    if slant:
        # A shear about the middle of the box: the higher, the farther to the left.
        warp = np.array([[1, slant, -slant * (box.y - top)], [0, 1, 0]], np.float32)
        near = cv2.warpAffine(near, warp, (near.shape[1], near.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    return crop(near, box._replace(x=box.x - left, y=box.y - top))
