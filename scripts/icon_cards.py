"""Draw numbers on cards, with the place of each one, and show the cards as scanners and phones do; from seeds.

Numbers in icons, pairs, labels and factors are laid on the rims of scanned or painted cards, among letters, signs and
empty icons. `scripts/train_icons` trains the network for icons with such cards.
"""

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import photographs
from paint import art, marble
from PIL import Image, ImageDraw, ImageFont

from ccgrid.catalog.scan.icons import HEIGHT, LABELS
from ccgrid.catalog.scan.values import zone_at
from ccgrid.catalog.zones import FACE

Picture = np.ndarray
Box = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""

_FINE: Final = 3  # times as large is what is laid on a card before it is made smaller
_HEIGHTS: Final = (8, 46)  # pixels of a digit
_CONTRAST: Final = 45.0  # of lightness, of 255, between a piece and its ground
_LEGIBLE: Final = 2.5  # pixels of a digit's height, fewer if it is blurred, from which it can be read
_ALONE: Final = re.compile(r"(?<![\d.,])(?:10|\d)(?![\d]|[.,]\d)")
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz?!%&@#*§$€=<>"
_LABELS: Final = (
    *(
        "STAGE {}",
        "Stage {}",
        "LEVEL {}",
        "Level {}",
        "Lv. {}",
        "LV{}",
        "Lv.{}",
        "Rank {}",
        "No. {}",
        "Cost {}",
        "HP {}",
    ),
    *("ATK {}", "DEF {}", "AT {}", "{} HP", "{} AP", "{}P", "{} VP", "Cost: {}", "Power {}", "{} Attack", "{} Points"),
    *("Rare {}", "Phase {}", "Tier {}", "RANGE {}", "S{}", "MP{}", "Grade {}", "Size {}", "{} Gold", "Move: {}"),
)
_WORDS: Final = (
    *("STAGE", "BASIC", "Basic", "Dragon of the North", "Trainer", "HERO", "Evolves", "Goblin Raider", "Legendary"),
    *(
        "Silver Hand",
        "WEAKNESS",
        "resistance",
        "retreat cost",
        "Instant",
        "Creature",
        "EVENT",
        "Ally",
        "Item",
        "Unique",
    ),
    *("illus. A. Painter", "The Old Mill", "Captain", "SPELL", "Human Knight", "Fire", "Ship", "Treasure", "Equipment"),
)


class Mark(NamedTuple):
    """A label at a place: the centre of its text and the height of a digit, in pixels."""

    x: float
    y: float
    height: float
    label: int


class Card(NamedTuple):
    """A picture of a card, `HEIGHT` pixels high; its marks; and boxes in which it is unknown what is printed."""

    picture: Picture
    marks: tuple[Mark, ...]
    unknown: tuple[Box, ...] = ()


class _Piece(NamedTuple):
    """What is laid on a card, with its marks from its top left, both finer than the card."""

    layer: Image.Image
    marks: list[Mark]


@lru_cache(maxsize=600)
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), size)


# --- cards -----------------------------------------------------------------------------------------------------------


def drawn(seed: int, faces: Sequence[Path], base: Card | None = None) -> Card:
    """Return a card on which numbers and other things are drawn, on `base` or on a painted one."""
    chance = random.Random(seed)
    base = base or painted(chance, faces)
    picture = Image.fromarray(np.ascontiguousarray(base.picture[..., ::-1]))
    marks = list(base.marks)
    taken = [*base.unknown, *(_around(mark) for mark in base.marks)]
    house = _House(chance, faces)
    for _ in range(chance.randint(3, 10) if base.marks else chance.randint(5, 14)):
        piece = house.piece(chance)
        if piece is None:
            continue
        width, height = (side / _FINE for side in piece.layer.size)
        for _ in range(8):
            x, y = chance.uniform(3, picture.width - width - 3), chance.uniform(3, picture.height - height - 3)
            middle = (100 * (x + width / 2) / picture.width, 100 * (y + height / 2) / picture.height)
            box = (x, y, x + width, y + height)
            if zone_at(*middle) != FACE and x > 0 and y > 0 and not any(_meet(box, other) for other in taken):
                break
        else:
            continue
        layer = piece.layer.resize((max(1, round(width)), max(1, round(height))), Image.Resampling.BOX)
        place = (round(x), round(y), round(x) + layer.width, round(y) + layer.height)
        if not _stands_out(picture.crop(place), layer):
            continue
        picture.paste(layer, place, layer)
        marks += [
            Mark(round(x) + mark.x / _FINE, round(y) + mark.y / _FINE, mark.height / _FINE, mark.label)
            for mark in piece.marks
        ]
        taken.append(box)
    return Card(np.ascontiguousarray(np.asarray(picture)[..., ::-1]), tuple(marks), base.unknown)


def _stands_out(ground: Image.Image, layer: Image.Image) -> bool:
    """Return whether a layer can be seen on its ground."""
    values = np.asarray(layer).astype(np.float32)
    light = (values[..., :3] - np.asarray(ground)) @ np.array([0.3, 0.6, 0.1], np.float32)
    return float(np.abs(light[values[..., 3] > 128]).mean() if (values[..., 3] > 128).any() else 0) > _CONTRAST


def _around(mark: Mark) -> Box:
    return (mark.x - mark.height, mark.y - mark.height, mark.x + mark.height, mark.y + mark.height)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def painted(chance: random.Random, faces: Sequence[Path]) -> Card:
    """Return a painted card without numbers: a border, a frame, art, panels, and lines of words."""
    width, height = round(HEIGHT * 63 / 88), HEIGHT
    card = Image.new("RGB", (width, height), chance.choice(((12, 12, 14), (245, 245, 245), random_colour(chance))))
    pen = ImageDraw.Draw(card)
    edge = chance.randint(0, 24)
    pen.rounded_rectangle((edge, edge, width - edge, height - edge), chance.randint(0, 20), fill=random_colour(chance))
    if chance.random() < 0.4:
        marble(card, (edge, edge, width - edge, height - edge), chance, chance.uniform(6, 30))
    if chance.random() < 0.3:
        box = (
            chance.randint(0, 20),
            chance.randint(0, 20),
            width - chance.randint(0, 20),
            height - chance.randint(0, 20),
        )
    else:
        box = (
            chance.randint(10, 110),
            chance.randint(30, 150),
            width - chance.randint(10, 110),
            chance.randint(330, 520),
        )
    art(card, box, chance)
    pen = ImageDraw.Draw(card)
    for _ in range(chance.randint(1, 5)):  # panels and bars
        left, top = chance.randint(0, 200), chance.choice((chance.randint(5, 70), chance.randint(340, 660)))
        right, bottom = width - chance.randint(0, 200), top + chance.choice((26, 36, 50, 120, 200))
        fill = random_colour(chance)
        pen.rounded_rectangle(
            (left, top, right, bottom), chance.choice((0, 6, 14)), fill, contrasting(chance, fill), chance.randint(0, 3)
        )
    face, size = chance.choice(faces), chance.randint(11, 17)
    ink = chance.choice(((10, 10, 12), (245, 245, 240), random_colour(chance)))
    for row in range(chance.randint(0, 7)):  # rules
        words = " ".join(chance.choice(_WORDS).lower() for _ in range(3))
        pen.text((chance.randint(30, 60), 430 + row * 1.4 * size), words, ink, font=_font(face, size))
    return Card(np.ascontiguousarray(np.asarray(card)[..., ::-1]), ())


class _House:
    """The style of one card: its fonts, sizes, and colours, in which some pieces are drawn."""

    def __init__(self, chance: random.Random, faces: Sequence[Path]) -> None:
        self._faces = faces
        self._face = chance.choice(faces)
        self._height = self._some_height(chance)
        self._fill = random_colour(chance)

    def _some_height(self, chance: random.Random) -> float:
        return float(_HEIGHTS[0] * (_HEIGHTS[1] / _HEIGHTS[0]) ** chance.random())

    def piece(self, chance: random.Random) -> _Piece | None:
        """Return the next piece; None if its font lacks a character."""
        keeps = chance.random() < 0.5
        face = self._face if keeps else chance.choice(self._faces)
        height = self._height if keeps else self._some_height(chance)
        fill = self._fill if chance.random() < 0.4 else random_colour(chance)
        kind = chance.random()
        try:
            if kind < 0.42:
                return _icon(chance, face, height, fill, _shown(chance))
            if kind < 0.55:
                return _row(chance, face, height)
            if kind < 0.65:
                return _boxed(chance, face, height, fill, _pair(chance))
            if kind < 0.78:
                height = min(height, 24)
                text = _word(chance) if chance.random() < 0.4 else chance.choice(_LABELS).format(_value(chance))
                return _boxed(chance, face, height, fill, text)
            if kind < 0.88:
                return _factor(chance, face, height, fill)
            return _written(chance, face, height, _shown(chance), None)
        except (OSError, ValueError):
            return None


def _value(chance: random.Random) -> int:
    return chance.randint(0, 10) if chance.random() < 0.8 else chance.choice((15, 20, 30, 50, 70, 90, 100, 120, 2500))


def _shown(chance: random.Random) -> str:
    """Return the text of an icon: mostly a number from 0 to 10."""
    kind = chance.random()
    if kind < 0.58:
        return str(chance.randint(0, 10))
    if kind < 0.7:
        return str(chance.choice((chance.randint(11, 99), chance.randint(11, 99), chance.randint(100, 2999))))
    if kind < 0.8:
        return chance.choice(_LETTERS)
    if kind < 0.84:
        return chance.choice("+-−–×x") + str(chance.randint(0, 10))
    if kind < 0.87:
        return str(chance.randint(0, 9)) + chance.choice("+*xX")
    return ""


def _pair(chance: random.Random) -> str:
    one, other = chance.randint(0, 10), chance.randint(0, 10)
    return f"{one}{chance.choice(('/', '/', '/', ' / ', '|', '-', ' : ', ' '))}{other}"


def _word(chance: random.Random) -> str:
    text = chance.choice(_WORDS)
    return text.upper() if chance.random() < 0.3 else text


# --- pieces ----------------------------------------------------------------------------------------------------------


def _written(chance: random.Random, face: Path, height: float, text: str, fill: Any, ink: Any = None) -> _Piece | None:
    """Return a text whose digits are that high, with its marks; None if it has nothing to show."""
    if not text:
        return None
    font = _font(face, max(8, 4 * round(height * _FINE / 0.72 / 4)))
    stroke = chance.choice((0, 0, 0, 0, 1, 2)) * font.size // 40
    edge = chance.randint(1, max(1, font.size // 9)) if chance.random() < 0.35 else 0
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke)
    if right - left < 2 or bottom - top < 2:
        return None
    reach = edge + 3
    size = (round(right - left + 2 * reach), round(bottom - top + 2 * reach))
    mask = Image.new("L", size)
    at = (reach - left, reach - top)
    ImageDraw.Draw(mask).text(at, text, 255, font=font, stroke_width=stroke)
    ink = ink or (contrasting(chance, fill) if fill else random_colour(chance))
    layer = Image.new("RGBA", size, (*ink, 0))
    if edge:
        wider = cv2.dilate(np.asarray(mask), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * edge + 1, 2 * edge + 1)))
        off = chance.choice((0, 0, edge))
        layer.paste((*contrasting(chance, ink), 255), (off, off), Image.fromarray(wider))
    layer.paste((*ink, 255), (0, 0), mask)
    marks = []
    for found in _ALONE.finditer(text):
        start, end = (font.getlength(text[:n]) for n in found.span())
        _, high, _, low = font.getbbox(found[0])
        label = LABELS.index(found[0])
        marks.append(Mark(at[0] + (start + end) / 2, at[1] + (high + low) / 2, low - high, label))
    for place, character in enumerate(text):
        beside = text[place + 1 : place + 2].isdigit() or text[place - 1 : place].isdigit()
        if character in "+-−–×" and beside:
            x = at[0] + (font.getlength(text[:place]) + font.getlength(text[: place + 1])) / 2
            _, high, _, low = font.getbbox("0")
            label = LABELS.index("+" if character in "+×" else "-")
            marks.append(Mark(x, at[1] + (high + low) / 2, low - high, label))
    return _slanted(chance, _Piece(layer, marks))


def _slanted(chance: random.Random, piece: _Piece) -> _Piece:
    """Return a piece that is wider or narrower, and sometimes slanted."""
    width, height = piece.layer.size
    wide = chance.uniform(0.78, 1.25)
    lean = chance.choice((0.0, 0.0, 0.0, chance.uniform(-0.1, 0.3)))
    extra = abs(lean) * height
    size = (round(width * wide + extra), height)
    # From the new place to the old one: x / wide, moved by the slant about the middle of the height.
    warp = (1 / wide, lean / wide, -(extra / 2 + lean * height / 2) / wide, 0, 1, 0)
    layer = piece.layer.transform(size, Image.Transform.AFFINE, warp, Image.Resampling.BILINEAR)
    marks = [mark._replace(x=mark.x * wide + extra / 2 + lean * (height / 2 - mark.y)) for mark in piece.marks]
    return _Piece(layer, marks)


def _joined(parts: Sequence[tuple[_Piece, float, float]], size: tuple[int, int]) -> _Piece:
    """Return pieces laid on each other at their places."""
    layer = Image.new("RGBA", size, (0, 0, 0, 0))
    marks = []
    for piece, x, y in parts:
        whole = Image.new("RGBA", size, (0, 0, 0, 0))
        whole.paste(piece.layer, (round(x), round(y)))
        layer = Image.alpha_composite(layer, whole)
        marks += [mark._replace(x=mark.x + round(x), y=mark.y + round(y)) for mark in piece.marks]
    return _Piece(layer, marks)


def _centred(outer: _Piece, inner: _Piece | None) -> _Piece:
    """Return a piece with another one in its middle; what reaches beyond makes it larger."""
    if inner is None:
        return outer
    size = tuple(max(one, other) for one, other in zip(outer.layer.size, inner.layer.size, strict=True))
    places = [((size[0] - piece.layer.width) / 2, (size[1] - piece.layer.height) / 2) for piece in (outer, inner)]
    return _joined([(outer, *places[0]), (inner, *places[1])], (size[0], size[1]))


def _icon(chance: random.Random, face: Path, height: float, fill: Any, text: str) -> _Piece:
    """Return an icon with a text, a sign, or nothing."""
    side = height * _FINE * chance.uniform(1.25, 2.4)
    outer = _frame(chance, side, fill)
    if text:
        return _centred(outer, _written(chance, face, height, text, fill))
    return (
        _centred(outer, _sign(chance, side * chance.uniform(0.5, 0.9), contrasting(chance, fill)))
        if (chance.random() < 0.8)
        else outer
    )


def _row(chance: random.Random, face: Path, height: float) -> _Piece:
    """Return a row of icons of one size; one or more of them have a digit."""
    height = min(height, 24.0)
    side = height * _FINE * chance.uniform(1.3, 2.0)
    count = chance.randint(2, 5)
    first = chance.choice((0, 0, 0, count - 1, None))
    upright = chance.random() < 0.25
    step = side * chance.uniform(1.02, 1.25)
    shape = chance.random()
    pale = random_colour(chance)
    parts: list[tuple[_Piece, float, float]] = []
    for place in range(count):
        fill = pale if place == first or chance.random() < 0.2 else random_colour(chance)
        frame = _frame(chance, side, fill, shape)
        if place == first or (first is None and chance.random() < 0.5):
            piece = _centred(frame, _written(chance, face, height, str(chance.randint(0, 10)), fill))
        else:
            piece = _centred(frame, _sign(chance, side * 0.7, contrasting(chance, fill)))
        x, y = (0, place * step) if upright else (place * step, 0)
        parts.append((piece, x, y))
    size = (
        round(max(x + piece.layer.width for piece, x, _ in parts)),
        round(max(y + piece.layer.height for piece, _, y in parts)),
    )
    return _joined(parts, size)


def _boxed(chance: random.Random, face: Path, height: float, fill: Any, text: str) -> _Piece | None:
    """Return a text, mostly in a box."""
    bare = chance.random() < 0.3
    inner = _written(chance, face, height, text, None if bare else fill)
    if inner is None or bare:
        return inner
    width, tall = (round(side + chance.uniform(0.1, 0.9) * height * _FINE) for side in inner.layer.size)
    layer = Image.new("RGBA", (width, tall), (0, 0, 0, 0))
    ImageDraw.Draw(layer).rounded_rectangle(
        (0, 0, width - 1, tall - 1),
        chance.uniform(0, 0.5) * tall,
        (*fill, chance.choice((255, 255, 255, 170))),
        random_colour(chance),
        chance.choice((0, 2, 4, 8)),
    )
    return _centred(_Piece(layer, []), inner)


def _factor(chance: random.Random, face: Path, height: float, fill: Any) -> _Piece | None:
    """Return an icon with a sign, and next to it a factor or a number, such as ×2 or -30."""
    side = height * _FINE * chance.uniform(1.1, 1.7)
    icon = _centred(_frame(chance, side, fill), _sign(chance, 0.7 * side, contrasting(chance, fill)))
    number = chance.choice((chance.randint(0, 10), chance.choice((10, 20, 30, 40, 60))))
    text = chance.choice(("x{}", "×{}", "X{}", "+{}", "-{}", "−{}", "{}", "{}", "{}x", "{}+")).format(number)
    beside = _written(chance, face, height, text, None)
    if beside is None:
        return None
    gap = chance.uniform(-0.05, 0.5) * side
    tall = max(icon.layer.height, beside.layer.height)
    order = (icon, beside) if chance.random() < 0.7 else (beside, icon)
    second = order[0].layer.width + gap
    parts = [
        (order[0], 0.0, (tall - order[0].layer.height) / 2),
        (order[1], second, (tall - order[1].layer.height) / 2),
    ]
    return _joined(parts, (round(second + order[1].layer.width), tall))


def _frame(chance: random.Random, side: float, fill: Any, kind: float | None = None) -> _Piece:
    """Return an empty icon: a circle, a box, a polygon, a star or a drop."""
    kind = chance.random() if kind is None else kind
    whole = round(1.4 * side) + 4
    layer = Image.new("RGBA", (whole, whole), (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    middle, r = whole / 2, side / 2
    edge = random_colour(chance)
    width = round(chance.choice((0, 0.03, 0.07, 0.12)) * side)
    colour: Any = (*fill, 255) if chance.random() < 0.9 else None
    if kind < 0.5:
        pen.ellipse((middle - r, middle - r, middle + r, middle + r), colour, edge, width if colour else max(2, width))
        if chance.random() < 0.3:
            inner = r * chance.uniform(0.75, 0.92)
            box = (middle - inner, middle - inner, middle + inner, middle + inner)
            pen.ellipse(box, None, random_colour(chance), max(2, round(0.04 * side)))
        if chance.random() < 0.2:  # light from above
            shade = np.linspace(60, -60, whole)[:, None, None]
            values = np.asarray(layer).astype(np.float32)
            values[..., :3] = np.clip(values[..., :3] + shade, 0, 255)
            layer = Image.fromarray(values.astype(np.uint8), "RGBA")
    elif kind < 0.7:
        flat = chance.uniform(0.75, 1.35)
        box = (middle - r * flat, middle - r, middle + r * flat, middle + r)
        pen.rounded_rectangle(box, chance.uniform(0, 0.5) * r, colour, edge, width)
    elif kind < 0.88:
        turn = chance.choice((0, 0, 45, chance.uniform(0, 90)))
        pen.regular_polygon((middle, middle, r * 1.2), chance.randint(3, 8), turn, colour, edge, max(1, width))
    else:
        spikes = chance.randint(4, 9)
        inner = chance.uniform(0.5, 0.9)
        turns = np.linspace(0, 2 * np.pi, 2 * spikes, endpoint=False) + chance.uniform(0, 1)
        points = [
            (
                middle + 1.25 * r * (1 if n % 2 else inner) * float(np.cos(turn)),
                middle + 1.25 * r * (1 if n % 2 else inner) * float(np.sin(turn)),
            )
            for n, turn in enumerate(turns.tolist())
        ]
        pen.polygon(points, colour, edge, max(1, width))
    return _Piece(layer, [])


def _sign(chance: random.Random, side: float, ink: Any) -> _Piece:
    """Return a sign of lines and of round and pointed shapes, such as those of energies and kinds."""
    whole = max(4, round(1.3 * side))
    layer = Image.new("RGBA", (whole, whole), (*ink, 0))
    pen = ImageDraw.Draw(layer)
    for _ in range(chance.randint(1, 4)):
        x, y = (whole / 2 + chance.uniform(-0.3, 0.3) * side for _ in range(2))
        r = chance.uniform(0.1, 0.45) * side
        thick = max(1, round(chance.choice((0.06, 0.1, 0.16)) * side))
        kind = chance.random()
        if kind < 0.35:
            flat = chance.uniform(0.4, 1.0)
            box = (x - r * flat, y - r, x + r * flat, y + r)
            pen.ellipse(box, (*ink, 255) if chance.random() < 0.6 else None, (*ink, 255), thick)
        elif kind < 0.7:
            turns = sorted(chance.uniform(0, 2 * np.pi) for _ in range(chance.randint(3, 9)))
            points = [
                (
                    x + r * chance.uniform(0.3, 1.2) * float(np.cos(turn)),
                    y + r * chance.uniform(0.3, 1.2) * float(np.sin(turn)),
                )
                for turn in turns
            ]
            pen.polygon(points, (*ink, 255))
        else:
            points = [(x + chance.uniform(-r, r), y + chance.uniform(-r, r)) for _ in range(chance.randint(2, 4))]
            pen.line(points, (*ink, 255), thick, "curve")
    return _Piece(layer, [])


def random_colour(chance: random.Random) -> tuple[int, int, int]:
    kind = chance.random()
    if kind < 0.2:
        return (chance.randint(0, 40),) * 3
    if kind < 0.4:
        return (chance.randint(190, 255),) * 3
    return chance.randint(0, 255), chance.randint(0, 255), chance.randint(0, 255)


def contrasting(chance: random.Random, colour: Any) -> tuple[int, int, int]:
    """Return a colour that stands out from another one."""
    while True:
        other = random_colour(chance)
        light = abs(sum(w * (a - b) for w, a, b in zip((0.3, 0.6, 0.1), other, colour, strict=True)))
        if light > 60:
            return other


# --- as scanners and phones show them --------------------------------------------------------------------------------


def taken(card: Card, seed: int, *, scanned: bool = False) -> Card:
    """Return the card as it looks when it was photographed and straightened, or scanned."""
    chance = random.Random(seed)
    noise = np.random.default_rng(seed)
    height, width = card.picture.shape[:2]
    off = 0.004 if scanned else 0.016
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    # An outline that is a little off, and some of the table next to the card.
    moved = corners + np.array([[chance.gauss(0, off) * height for _ in range(2)] for _ in range(4)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, moved)
    table = random_colour(chance)
    picture = cv2.warpPerspective(
        card.picture, warp, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=table
    )
    marks = [_moved(mark, warp) for mark in card.marks]
    unknown = [_moved_box(box, warp) for box in card.unknown]
    tall = height if scanned else round(260 * (1100 / 260) ** chance.random())
    small = min(1.0, tall / height)
    values = cv2.resize(picture, None, fx=small, fy=small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    rows, columns = np.mgrid[0 : values.shape[0], 0 : values.shape[1]].astype(np.float32)
    rows, columns = rows / values.shape[0] - 0.5, columns / values.shape[1] - 0.5
    if not scanned:
        values = _lit(chance, values, rows, columns)
    blur = chance.uniform(0, 0.6) if scanned else 0.3 + tall / 1000 * chance.choice([0.1, 0.3, 0.6, 1.0, 1.6, 2.2])
    legible = [mark.height * tall / height / (1 + 2 * blur) >= _LEGIBLE for mark in marks]
    unknown += [_around(mark) for mark, can_be_read in zip(marks, legible, strict=True) if not can_be_read]
    marks = [mark for mark, can_be_read in zip(marks, legible, strict=True) if can_be_read]
    blur *= small * height / tall  # in pixels of this picture
    if blur > 0.2:
        values = cv2.GaussianBlur(values, (0, 0), blur)
    if not scanned and chance.random() < 0.25:
        moved_by = max(2, round(small * height / 1000 * chance.uniform(2, 7)))
        values = photographs.streaked(values, moved_by, chance.uniform(0, 180))
    grain = chance.uniform(0, 0.012 if scanned else 0.03)
    pixels = photographs.recorded(chance, noise, values, grain, (55, 95))
    if pixels.shape[0] != height:
        pixels = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_CUBIC)
    return Card(pixels, tuple(marks), tuple(unknown))


def _lit(chance: random.Random, values: Picture, rows: Picture, columns: Picture) -> Picture:
    """Return the picture in coloured and uneven light, perhaps behind plastic or under a flash."""
    direction, warmth = chance.uniform(0, 2 * np.pi), chance.uniform(-0.18, 0.22)
    ramp = columns * np.cos(direction) + rows * np.sin(direction)
    light = 1 + chance.uniform(0, 0.5) * ramp
    if chance.random() < 0.3:  # the shadow of a hand or of the phone
        edge = np.exp(-np.clip((ramp - chance.uniform(-0.25, 0.25)) * chance.uniform(8, 60), -40, 40))
        light = light * (1 - chance.uniform(0.15, 0.5) / (1 + edge))
    tint = np.array([1 - warmth, 1, 1 + warmth], np.float32)
    values = np.clip(values * light[..., None] * tint * chance.uniform(0.6, 1.2), 0, 1)
    values = values ** chance.uniform(0.75, 1.35)
    haze = np.full(values.shape[:2], chance.choice((0.0, chance.uniform(0, 0.25))), np.float32)
    for _ in range(chance.choice((0, 0, 1, 2))):  # light that plastic throws back
        across, at = chance.uniform(0, np.pi), chance.uniform(-0.5, 0.5)
        far = columns * np.cos(across) + rows * np.sin(across) - at
        haze += chance.uniform(0.1, 0.5) * np.exp(-((far / chance.uniform(0.02, 0.15)) ** 2))
    if chance.random() < 0.2:  # a flash
        x, y = chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.5)
        far = ((columns - x) / chance.uniform(0.04, 0.25)) ** 2 + ((rows - y) / chance.uniform(0.04, 0.2)) ** 2
        haze += chance.uniform(0.3, 0.95) * np.exp(-far)
    haze = np.clip(haze, 0, 1)[..., None]
    lit: Picture = (values * (1 - haze) + 0.92 * haze).astype(np.float32)
    return lit


def _moved(mark: Mark, warp: Picture) -> Mark:
    (x, y) = cv2.perspectiveTransform(np.array([[[mark.x, mark.y]]], np.float32), warp)[0, 0].tolist()
    return mark._replace(x=x, y=y)


def _moved_box(box: Box, warp: Picture) -> Box:
    found = cv2.perspectiveTransform(np.array([[box[:2], box[2:]]], np.float32), warp)[0]
    (left, top), (right, bottom) = found.min(0).tolist(), found.max(0).tolist()
    return left, top, right, bottom
