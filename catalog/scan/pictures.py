"""Opening pictures: turned as the camera was held, no larger than is useful, or an error that says what to do."""

import warnings
from pathlib import Path
from typing import BinaryIO, Final

import cv2
import numpy as np
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from catalog.card import CatalogError
from catalog.scan.models import Picture

KINDS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif")
"""The ends of file names that are looked for in a folder."""

APPLE: Final = (".heic", ".heif")
"""Pictures that are known and cannot be opened."""

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
_SCAN: Final = 0xDA  # the mark at which a scan of a JPEG begins
_SMALLEST: Final = 180  # pixels of the shorter side
_LARGEST_FILE: Final = 300_000_000  # bytes


def open_picture(source: Path | BinaryIO, name: str) -> Picture:
    """The picture in a file, upright by what the camera noted, its longer side at most 4,000 pixels.

    Raises CatalogError where it is none, too small, too large, or of a kind that cannot be opened.
    """
    if isinstance(source, Path) and source.stat().st_size > _LARGEST_FILE:
        raise CatalogError(f"{name} has {source.stat().st_size:,} bytes; {_LARGEST_FILE:,} is the most.")
    if _is_apple(source):
        raise CatalogError(
            f"{name} is a HEIC picture, which cannot be opened here. Convert it: heif-convert {name} card.jpg"
            " (or share it from the phone as JPEG; iPhones take JPEG with Settings, Camera, Formats, Most Compatible)."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Image.MAX_IMAGE_PIXELS = None  # the size is asked about below, in our own words
            ImageFile.LOAD_TRUNCATED_IMAGES = False  # another library may have asked for halves, which are grey below
            with Image.open(source, formats=_FORMATS) as opened:
                return _decoded(opened, name)
    except UnidentifiedImageError:
        raise CatalogError(
            f"{name} is not a picture that can be opened. JPEG, PNG, WebP, TIFF, BMP and GIF can."
        ) from None
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
        if isinstance(error, CatalogError):
            raise
        raise CatalogError(
            f"{name} is a damaged picture: {str(error).splitlines()[0] if str(error) else error!r}."
        ) from error


def _decoded(opened: Image.Image, name: str) -> Picture:
    pixels = opened.width * opened.height
    largest = _largest(opened)
    if pixels > largest:
        raise CatalogError(
            f"{name} has {pixels / 1e6:.0f} megapixels; {largest // 1_000_000} is the most."
            f" Make it smaller: {_MOST:,} pixels along the longer side are plenty."
        )
    if min(opened.size) < _SMALLEST:
        raise CatalogError(
            f"{name} is too small to read: {opened.width} x {opened.height} pixels."
            " A card needs at least 200 x 280, better 600 x 840."
        )
    opened.draft("RGB", (_MOST, _MOST))
    picture = opened
    if max(picture.size) > _MOST:
        picture.thumbnail((_MOST, _MOST), reducing_gap=2.0)
    picture = ImageOps.exif_transpose(picture)
    if picture.mode in ("I", "I;16", "I;16B", "F"):
        values = np.asarray(picture, np.float32)
        values = 255 * (values - values.min()) / max(1.0, float(values.max() - values.min()))
        return cv2.cvtColor(values.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    if "A" in picture.getbands() or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        white = Image.new("RGBA", clear.size, "white")
        picture = Image.alpha_composite(white, clear)
    return cv2.cvtColor(np.asarray(picture.convert("RGB")), cv2.COLOR_RGB2BGR)


def _largest(opened: Image.Image) -> int:
    """How many pixels a picture of its kind may have."""
    if opened.format in ("JPEG", "MPO"):
        return _LARGEST_IN_SCANS if _comes_in_scans(opened) else _LARGEST_JPEG
    if opened.format == "WEBP":
        return _LARGEST_WEBP
    return _LARGEST_CLEAR if "A" in opened.getbands() else _LARGEST


def _comes_in_scans(opened: Image.Image) -> bool:
    """Whether a JPEG has more than one scan: it is progressive, or its first scan lacks colours."""
    assert opened.fp is not None  # noqa: S101  it has only been looked at
    before = opened.fp.tell()
    opened.fp.seek(2)
    try:
        while len(mark := opened.fp.read(4)) == 4 and mark[0] == 0xFF != mark[1]:
            if mark[1] == _SCAN:
                return int.from_bytes(opened.fp.read(1)) < len(opened.getbands()) or "progressive" in opened.info
            opened.fp.seek(max(0, int.from_bytes(mark[2:]) - 2), 1)
        return True  # nobody knows
    finally:
        opened.fp.seek(before)


def _is_apple(source: Path | BinaryIO) -> bool:
    if isinstance(source, Path):
        with source.open("rb") as file:
            start = file.read(16)
    else:
        start = source.read(16)
        source.seek(0)
    return start[4:8] == b"ftyp" and start[8:12] in (
        b"heic",
        b"heix",
        b"hevc",
        b"heim",
        b"heis",
        b"mif1",
        b"msf1",
        b"avif",
    )
