"""Scanning of a picture: its cards are found, turned upright, cut out and read."""

import math
import re
import warnings
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError, features

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.numbers import Slash
from ccgrid.catalog.scan.certainty import with_lacking_numbers, with_numbers
from ccgrid.catalog.scan.outlines import CARD_SHAPE, find_by_sides, find_outlines, shape_of
from ccgrid.catalog.scan.reading import Models, read_card, read_once, read_over
from ccgrid.catalog.scan.values import Picture, ScannedCard, SeenText
from ccgrid.catalog.zones import ZONES

_SCAN: Final = (0.675, 0.745)  # a picture of this shape may be a scan of one card; photographs are 2:3 or 3:4
_LOOSE: Final = (0.6, 0.82)  # the same where nothing is found on it
_CARD_LIKE: Final = 0.05  # by which the shape of an outline may differ from that of a card that is seen from above
_CARD_SHAPES: Final = (0.65, 0.81)  # of the outline of a whole card, in any usual perspective
_LARGEST_ON_TABLE: Final = 0.7  # of the picture's area; larger outlines of that shape may be frames inside a border
_NO_ICON: Final = 0.06  # of the picture's area; frames of icons are smaller
_SMALL: Final = 0.2  # of the picture's area; what is found alone and is smaller may be a part of a card
_LEVEL: Final = 4.0  # degrees by which the frames printed on a scanned card may be off the level
_STRAIGHT: Final = (744, 1040)  # pixels of a straightened card
_GAP: Final = 0.25  # of a card's width or height, by which cards of one row or column may be off it
_FINEST: Final = 3  # times as many along each side are taken from a large photograph: their mean has less noise


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card on a picture: its corners in per cent of the picture, clockwise from its top left, and the upright card.

    `whole` marks a card that fills the picture; `lying` one whose longer side was horizontal.
    """

    corners: tuple[tuple[float, float], ...]
    picture: Picture
    whole: bool
    cell: int | None = None
    lying: bool = False

    def in_cell(self, cell: int) -> "FoundCard":
        """Return the card in a cell of a 3x3 grid, 0 to 8 row by row."""
        return replace(self, cell=cell)

    @property
    def centre(self) -> tuple[float, float]:
        """The centre of the card, in per cent of the picture."""
        return (sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4)


def find_cards(picture: Picture, *, grid: bool = False) -> list[FoundCard]:
    """Return every card on a picture, row by row; with `grid` there are three rows.

    A plain scan of a card is one card.
    """
    height, width = picture.shape[:2]
    outlines = find_outlines(picture, grid=grid)
    shape = _side_ratio(picture)
    # A card has 63 to 88, which is 0.716: photographs have other shapes.
    if _SCAN[0] <= shape <= _SCAN[1] and not _is_photograph(outlines, (width, height)):
        return [whole_picture(picture)]
    largest = max((cv2.contourArea(outline) for outline in outlines), default=0.0) / (width * height)
    has_card = any(map(_is_card_shaped, outlines))
    # The outlines are small, or of no card: perhaps icons and panels of one card without a closed outline.
    if len(outlines) < 4 and (largest < (_SMALL if len(outlines) == 1 else _NO_ICON) or not has_card):
        around = find_by_sides(picture, outlines)
        if around and (_is_card_shaped(around[0]) or not has_card):
            outlines = around
    if not outlines and _LOOSE[0] <= shape <= _LOOSE[1]:
        return [whole_picture(picture)]
    return _in_rows([_straighten(picture, outline) for outline in outlines])


def _is_card_shaped(outline: Picture) -> bool:
    return _CARD_SHAPES[0] <= shape_of(outline) <= _CARD_SHAPES[1]


def _side_ratio(picture: Picture) -> float:
    """Return the ratio of the shorter to the longer side of a picture."""
    return float(min(picture.shape[:2]) / max(picture.shape[:2]))


def whole_picture(picture: Picture) -> FoundCard:
    """Return the picture as one card."""
    corners = ((0, 0), (100, 0), (100, 100), (0, 100))
    return FoundCard(corners, picture, whole=True)


def may_be_frames(picture: Picture, found: Sequence[FoundCard]) -> bool:
    """Return whether the found cards may be frames printed on one card: one or two, and level."""
    height, width = picture.shape[:2]
    if not 0 < len(found) < 3 or not _LOOSE[0] <= _side_ratio(picture) <= _LOOSE[1]:
        return False
    # From per cent to pixels: angles are wrong in per cent.
    size = np.array([width, height], np.float32) / 100
    if all(not card.whole and _lies_on_table(np.array(card.corners) * size, (width, height)) for card in found):
        return False
    return all(not card.whole and _slants(np.array(card.corners, np.float32) * size)[1] < _LEVEL for card in found)


def is_outside(x: float, y: float, found: Sequence[FoundCard]) -> bool:
    """Return whether a point, in per cent of the picture, is on none of the cards."""
    point = (float(x), float(y))
    return all(cv2.pointPolygonTest(np.array(card.corners, np.float32), point, measureDist=False) < 0 for card in found)


def _lies_on_table(corners: Picture, size: tuple[int, int]) -> bool:
    """Return whether an outline has the shape of a card, is as upright as the picture, and leaves much of it free.

    Frames printed on a card that have its shape leave no more than its border free.
    """
    is_lying = bool(np.ptp(corners[:, 0]) > np.ptp(corners[:, 1]))
    is_card = abs(shape_of(corners) - CARD_SHAPE) < _CARD_LIKE and is_lying == (size[0] > size[1])
    return is_card and bool(cv2.contourArea(corners.astype(np.float32)) < _LARGEST_ON_TABLE * size[0] * size[1])


def _is_photograph(outlines: list[Picture], size: tuple[int, int]) -> bool:
    """Return whether the outlines are cards on a background, and not frames printed on one scanned card.

    At least two sides of printed frames are level. The frames are large, and seldom have the shape of a card.
    """
    area = size[0] * size[1]
    cards = [o for o in outlines if abs(shape_of(o) - CARD_SHAPE) < 0.1 and cv2.contourArea(o) > _NO_ICON * area]
    if cards and all(_lies_on_table(card, size) for card in cards):
        return True
    if len(cards) == 1:
        # The second-least slant: two sides at least are level on a scan.
        return _slants(cards[0])[1] > _LEVEL or cv2.contourArea(cards[0]) < 0.2 * area
    return len(cards) > 3 or (len(cards) > 1 and all(_slant(card) > _LEVEL for card in cards))


def _slant(corners: Picture) -> float:
    """Return the mean slant of the sides of an outline, in degrees."""
    return sum(_slants(corners)) / 4


def _slants(corners: Picture) -> list[float]:
    """Return the slant of each side of an outline from horizontal or vertical, in degrees, the least first."""
    sides = [corners[i] - corners[i - 1] for i in range(4)]
    # To -45 … 45 degrees off the nearest quarter.
    return sorted(abs((math.degrees(math.atan2(float(y), float(x))) + 45) % 90 - 45) for x, y in sides)


def _straighten(picture: Picture, corners: Picture) -> FoundCard:
    """Cut out a card, stretch it to its own shape and turn it upright."""
    # Twice the mean width, and twice the mean height.
    first = float(np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3]))
    second = float(np.linalg.norm(corners[2] - corners[1]) + np.linalg.norm(corners[3] - corners[0]))
    lying = first > second
    if lying:
        corners = np.roll(corners, 1, axis=0)  # on its side: its left edge is up
    # The card's size in multiples of the usual size, rounded with a tolerance of a quarter.
    finer = min(_FINEST, max(1, math.ceil(max(first, second) / 2 / _STRAIGHT[1] - 0.25)))
    width, height = finer * _STRAIGHT[0], finer * _STRAIGHT[1]
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    upright = cv2.warpPerspective(
        picture, warp, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    if finer > 1:
        upright = cv2.resize(upright, _STRAIGHT, interpolation=cv2.INTER_AREA)
    rows, columns = picture.shape[:2]
    places = tuple((100 * x / columns, 100 * y / rows) for x, y in corners.tolist())
    return FoundCard(places, upright, whole=False, lying=lying)


def _in_rows(cards: list[FoundCard]) -> list[FoundCard]:
    """Return the cards row by row, each from left to right."""
    rest = sorted(cards, key=lambda card: card.centre[1])
    ordered: list[FoundCard] = []
    while rest:
        tall = max(y for _, y in rest[0].corners) - min(y for _, y in rest[0].corners)
        # Half a card's height below the uppermost one begins the next row.
        row = [card for card in rest if card.centre[1] - rest[0].centre[1] < 0.5 * tall]
        ordered += sorted(row, key=lambda card: card.centre[0])
        rest = rest[len(row) :]  # sorted by height, so that a row comes first
    return ordered


def in_cells(found: Sequence[FoundCard]) -> list[FoundCard]:
    """Return the cards of a 3x3 grid in board order.

    Raises:
        CatalogError: If they are in other rows and columns.
    """
    # From the picture to steps of a card's width and height: rows may run aslant.
    steps = np.array([card.centre for card in found]) @ np.linalg.inv(_sides(found))
    columns, rows = _bands(steps[:, 0].tolist()), _bands(steps[:, 1].tolist())
    cells = [3 * row + column for row, column in zip(rows, columns, strict=True)]
    if max(rows) != 2 or max(columns) != 2 or len(set(cells)) != len(cells):
        raise CatalogError(
            f"no 3x3 grid found: {counted(len(found), 'card')} in {counted(max(rows) + 1, 'row')} "
            f"and {counted(max(columns) + 1, 'column')}."
            " The picture must show all nine cells, with a card in each row and column."
        )
    placed = [card.in_cell(cell) for card, cell in zip(found, cells, strict=True)]
    return sorted(placed, key=lambda card: card.cell or 0)


def _sides(found: Sequence[FoundCard]) -> Picture:
    """Return the directions of rows and columns: the mean width and height of cards, in per cent."""
    corners = np.array([card.corners for card in found])
    ways = np.stack([corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]], 1)
    # For each card, the more horizontal direction first, pointing right, and the other one down.
    ways = np.array([one if abs(one[0, 0]) > abs(one[1, 0]) else one[::-1] for one in ways])
    ways *= np.sign(ways[:, [0, 1], [0, 1]])[:, :, None]
    mean: Picture = ways.mean(0)
    return mean


def _bands(places: Sequence[float]) -> list[int]:
    """Return the row or column of each position, from 0; a gap starts a new one. Positions are in widths or heights."""
    order = sorted(range(len(places)), key=places.__getitem__)
    # A fifth of the whole spread: three rows are two gaps, each nearly half of it.
    gap = max((max(places) - min(places)) / 5, _GAP)
    bands, current = [0] * len(places), 0
    for before, after in pairwise(order):
        if places[after] - places[before] > gap:
            current += 1
        bands[after] = current
    return bands


_LONGEST: Final = 480
"""Pixels of the longer side."""
_QUALITY: Final = 80
"""JPEG quality, 0 to 100."""


class Cutting(NamedTuple):
    """A card as a JPEG, and its width and height in pixels."""

    jpeg: bytes
    width: int
    height: int


def card_jpeg(picture: Picture, corners: Sequence[tuple[float, float]]) -> Cutting:
    """Return the card with these corners, its longer side at most 480 pixels.

    The corners are in per cent of the picture, clockwise from the card's own top left.
    """
    rows, columns = picture.shape[:2]
    at = np.array(corners, np.float32) * np.array([columns, rows], np.float32) / 100
    wide, high = (float(np.linalg.norm(at[a] - at[0])) for a in (1, 3))
    scale = min(1.0, _LONGEST / max(wide, high, 1.0))
    if scale < 1:  # reduced before it is straightened, so that all pixels count
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        at *= scale
    width, height = max(1, round(wide * scale)), max(1, round(high * scale))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(at, target), (width, height))
    jpeg = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return Cutting(bytes(jpeg), width, height)


# --- reading them ---------------------------------------------------------------------------------------------------


_LEGIBLE: Final = 12  # letters and digits in lines read for certain, below which a card may be upside down
_SMALLEST: Final = 190  # pixels across a card, below which its text cannot be read
_CERTAIN: Final = 0.85  # confidence from which a line counts as read for certain
_BLURRED: Final = 25.0  # variance of the second derivative of brightness at 704 pixels, below which text is lost
_NAME: Final = re.compile(r"[^\W\d_]{3,}")


class Scanner:
    """A reader of cards on pictures. Loading its networks takes about a second."""

    def __init__(self) -> None:
        self._models = Models()

    def scan(
        self,
        picture: Picture,
        *,
        grid: bool = False,
        slash: Slash | None = None,
        zones: Container[str] = ZONES,
        on_card: Callable[[ScannedCard, int], object] = lambda *_: None,
    ) -> list[ScannedCard]:
        """Return the cards on a picture, row by row; with `grid` each with its cell of a 3x3 grid.

        `slash` is the game's meaning of a/b, if known, and `zones` those in which it prints numbers. `on_card` gets
        each card as soon as it is read, before it is compared with the others, and the number of cards on the picture.

        Raises:
            CatalogError: If there is no card, the picture is blurred or too small, or there is no grid although
                requested.
        """
        found = find_cards(picture, grid=grid)
        if not found:
            raise CatalogError("no card found on the picture. Lay it flat on a plain surface, well lit, and go closer.")
        if grid:
            found = in_cells(found)
        # Text around the frames is the rest of the card.
        elif may_be_frames(picture, found):
            # A card on a table has nothing printed around it.
            around = read_once(self._models, picture, lambda x, y: is_outside(x, y, found))
            if legible(around, 0, 90, 270) >= _LEGIBLE:
                found = [whole_picture(picture)]
        read = []
        for card in found:
            read.append(self._read(card, slash, zones))
            on_card(read[-1], len(found))
        cards = with_lacking_numbers(read)
        if not any(legible(card.lines, 0, 90, 270) for card in cards) and (size := _too_small(found, picture)):
            raise CatalogError(
                f"the card is too small on the picture, {size[0]} x {size[1]} pixels: it needs at least 200 x 280,"
                " better 600 x 840. Go closer, or take fewer at a time."
            )
        if len(cards) == 1 and not cards[0].lines:
            raise CatalogError("no card found on the picture: there is no text on it.")
        if len(cards) == 1 and not cards[0].sharp and not legible(cards[0].lines):
            raise CatalogError("the picture is blurred. Hold still and focus on the card.")
        return cards

    def _read(self, card: FoundCard, slash: Slash | None, zones: Container[str]) -> ScannedCard:
        lines, turns = self._upright(card)
        names = likely_names(lines)
        read = ScannedCard(
            name=names[0] if names else "",
            lines=tuple(lines),
            # Turned with the card: the first one is its own top left.
            corners=card.corners[turns:] + card.corners[:turns],
            cell=card.cell,
            sharp=_sharpness(card.picture) >= _BLURRED,
            names=tuple(names),
        )
        return with_numbers(read, slash, zones)

    def _upright(self, card: FoundCard) -> tuple[list[SeenText], int]:
        """Return the lines of a card in its readable orientation, and the number of quarter turns to the left.

        A card printed sideways stays upright with its text turned, unless it was placed so that its text was upright.
        """
        lines = read_card(self._models, card.picture)
        level, turned = legible(lines), legible(lines, 90, 270)
        height, width = card.picture.shape[:2]
        # It can be on its side only if it was found that way or the picture is wide.
        lying = (width > height or card.lying) and turned > level
        if level >= _LEGIBLE and not lying:
            return lines, 0
        # Hardly anything is legible: perhaps it lies upside down. Its imprint may run up one side.
        if legible(read_over(self._models, card.picture, lines)) > max(level, turned):
            return read_card(self._models, np.ascontiguousarray(np.rot90(card.picture, 2))), 2
        if not lying:
            return lines, 0
        turn = 1 if legible(lines, 90) > legible(lines, 270) else 3
        return read_card(self._models, np.ascontiguousarray(np.rot90(card.picture, turn))), turn


def legible(lines: Sequence[SeenText], *turns: int) -> int:
    """Return the number of letters and digits in certain lines with these turns."""
    return sum(
        len(line.text)
        for line in lines
        if line.turn in (turns or (0,)) and len(line.text) > 3 and line.best.confidence >= _CERTAIN
    )


def likely_names(lines: Sequence[SeenText]) -> list[str]:
    """Return the lines that may be the card's name, most likely first."""
    likely = [line for line in lines if _NAME.search(line.text) and line.best.confidence > 0.7 and len(line.text) <= 60]

    def worth(line: SeenText) -> float:
        tall = line.width if line.turn else line.height
        # Larger where names usually are, smaller where there are many words.
        return tall * (1.7 if line.y < 18 else 1.0) * (0.4 if len(line.text.split()) > 5 else 1.0)

    ordered = sorted(likely, key=worth, reverse=True)
    return list(
        dict.fromkeys([*(line.text for line in ordered[:1]), *_two_lines(ordered), *(line.text for line in ordered)])
    )


def _two_lines(ordered: Sequence[SeenText]) -> list[str]:
    """Return names that are printed in two lines, the upper one first."""
    return [
        f"{upper.text} {lower.text}"
        for upper in ordered[:6]
        for lower in ordered[:6]
        # Two lines close together, about as high, aligned, and not too long together.
        if 0 < lower.y - upper.y < 1.6 * max(upper.height, lower.height)
        and 0.6 < upper.height / lower.height < 1.7
        and abs(upper.x - lower.x) < 0.5 * max(upper.width, lower.width)
        and len(upper.text) + len(lower.text) < 40
    ][:3]


def _too_small(found: Sequence[FoundCard], picture: Picture) -> tuple[int, int] | None:
    """Return the size of the largest card in pixels if it is too small to read, else None."""
    height, width = picture.shape[:2]
    sides = [
        sorted(
            math.hypot((x - a) * width / 100, (y - b) * height / 100)
            for (x, y), (a, b) in zip(card.corners, (*card.corners[1:], card.corners[0]), strict=True)
        )
        for card in found
    ]
    short, _, _, tall = max(sides)
    return (round(short), round(tall)) if short < _SMALLEST else None


def _sharpness(picture: Picture) -> float:
    # At one size, or large pictures would look blurred.
    factor = 704 / max(picture.shape[:2])
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=factor, fy=factor)
    return float(cv2.Laplacian(small, cv2.CV_64F).var())


_FORMATS: Final = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF")
"""What is decoded; among what Pillow knows beside these are kinds for which it starts another program."""

_MOST: Final = 4000  # pixels of the longer side that are kept
# Pixels that are opened, so that none takes 500 MB: a plain JPEG is made smaller while it is decoded, one that comes in
# several scans is kept whole, and WebP and what is transparent in parts are there twice.
_LARGEST: Final = 80_000_000
_LARGEST_JPEG: Final = 256_000_000
_LARGEST_IN_SCANS: Final = 48_000_000
_LARGEST_CLEAR: Final = 45_000_000
_LARGEST_WEBP: Final = 30_000_000
_SCAN_MARK: Final = 0xDA  # the mark at which a scan of a JPEG begins
_SMALLEST_PICTURE: Final = 180  # pixels of the shorter side
_LARGEST_FILE: Final = 300_000_000  # bytes


def open_picture(source: Path | BinaryIO, name: str) -> Picture:
    """Open a picture, turned upright and reduced to a usable size.

    Raises:
        CatalogError: If it cannot be opened, is damaged, or is too small or too large.
    """
    if isinstance(source, Path) and source.stat().st_size > _LARGEST_FILE:
        raise CatalogError(f"the file has {source.stat().st_size:,} bytes; the maximum is {_LARGEST_FILE:,}.")
    formats: tuple[str, ...] = _FORMATS
    brand = _brand(source)
    if brand in _AVIF_BRANDS and features.check("avif"):
        formats = ("AVIF",)
    elif brand in _APPLE_BRANDS | _AVIF_BRANDS:
        if find_spec("pillow_heif") is None or brand in _AVIF_BRANDS:
            kind = "an AVIF" if brand in _AVIF_BRANDS else "a HEIC"
            raise CatalogError(
                f"{kind} picture cannot be opened here. Send it as JPEG: iPhones take JPEG with Settings, Camera,"
                " Formats, Most Compatible, and share others as JPEG with Options, Most Compatible."
            )
        from pillow_heif import register_heif_opener  # other pictures do not need it

        register_heif_opener()
        formats = ("HEIF",)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Image.MAX_IMAGE_PIXELS = None  # the size is checked below, with our own message
            ImageFile.LOAD_TRUNCATED_IMAGES = False  # another library may have allowed truncated pictures
            with Image.open(source, formats=formats) as image:
                return _decode(image)
    except UnidentifiedImageError:
        raise CatalogError(
            "this is not a picture that can be opened. JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF can."
        ) from None
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
        if isinstance(error, CatalogError):
            raise
        raise CatalogError(
            f"the picture is damaged: {str(error).splitlines()[0] if str(error) else error!r}."
        ) from error


def _decode(image: Image.Image) -> Picture:
    pixels = image.width * image.height
    largest = _largest(image)
    if pixels > largest:
        raise CatalogError(
            f"the picture has {pixels / 1e6:.0f} megapixels; the maximum is {largest // 1_000_000}."
            f" Make it smaller: {_MOST:,} pixels along the longer side are enough."
        )
    if min(image.size) < _SMALLEST_PICTURE:
        raise CatalogError(
            f"the picture is too small to read: {image.width} x {image.height} pixels."
            " A card needs at least 200 x 280, better 600 x 840."
        )
    # A JPEG is decoded at a half or a quarter of its size, if that is enough.
    image.draft("RGB", (_MOST, _MOST))
    picture = image
    if max(picture.size) > _MOST:
        picture.thumbnail((_MOST, _MOST), reducing_gap=2.0)
    picture = ImageOps.exif_transpose(picture)
    # More than 8 bits a pixel: stretched to 0 … 255.
    if picture.mode in ("I", "I;16", "I;16B", "F"):
        values = np.asarray(picture, np.float32)
        values = 255 * (values - values.min()) / max(1.0, float(values.max() - values.min()))
        return cv2.cvtColor(values.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    if "A" in picture.getbands() or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        # Transparent parts become white.
        white = Image.new("RGBA", clear.size, "white")
        picture = Image.alpha_composite(white, clear)
    return cv2.cvtColor(np.asarray(picture.convert("RGB")), cv2.COLOR_RGB2BGR)


def _largest(image: Image.Image) -> int:
    """Return the most pixels of a picture of its kind."""
    if image.format in ("JPEG", "MPO"):
        return _LARGEST_IN_SCANS if _comes_in_scans(image) else _LARGEST_JPEG
    if image.format in ("WEBP", "AVIF"):
        return _LARGEST_WEBP
    return _LARGEST_CLEAR if "A" in image.getbands() else _LARGEST


def _comes_in_scans(image: Image.Image) -> bool:
    """Return whether a JPEG has more than one scan: it is progressive, or its first scan lacks colours."""
    assert image.fp is not None  # noqa: S101  only its header was read
    before = image.fp.tell()
    image.fp.seek(2)
    try:
        # A marker is 0xFF and its kind; then come two bytes of length, which count themselves.
        # 0xFF twice is padding.
        while len(mark := image.fp.read(4)) == 4 and mark[0] == 0xFF != mark[1]:
            if mark[1] == _SCAN_MARK:
                # The scan says how many colours are in it.
                return int.from_bytes(image.fp.read(1)) < len(image.getbands()) or "progressive" in image.info
            image.fp.seek(max(0, int.from_bytes(mark[2:]) - 2), 1)
        return True  # unknown
    finally:
        image.fp.seek(before)


_APPLE_BRANDS: Final = frozenset((b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"))
_AVIF_BRANDS: Final = frozenset((b"avif", b"avis"))


def _brand(source: Path | BinaryIO) -> bytes:
    """Return the brand of a file of the family of HEIC and AVIF, or b"" for another file."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            start = file.read(16)
    else:
        start = source.read(16)
        source.seek(0)
    # A file of that family has its box `ftyp` first: four bytes of length, the word, and the brand.
    return start[8:12] if start[4:8] == b"ftyp" else b""
