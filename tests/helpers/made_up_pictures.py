"""Drawn pictures of made-up cards: numbers in discs on the edge, a name, a text panel, an imprint."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIZE = (630, 880)
PLACES = {
    "top-left": (75, 75),
    "top": (315, 60),
    "top-right": (555, 75),
    "left": (60, 440),
    "right": (570, 440),
    "bottom-left": (75, 800),
    "bottom": (315, 820),
    "bottom-right": (555, 800),
}


def draw(name: str, zones: Mapping[str, str], text: str = "", collector: str = "") -> Image.Image:
    """Draw a card of 630 x 880 pixels; `zones` maps a zone to its printed text."""
    card = Image.new("RGB", SIZE, (40, 44, 60))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((18, 18, 612, 862), 24, fill=(196, 178, 140))
    pen.rectangle((110, 170, 520, 520), fill=(110, 140, 120))
    pen.polygon([(130, 500), (310, 220), (500, 500)], fill=(80, 90, 110))
    pen.rectangle((110, 540, 520, 760), fill=(238, 232, 214))
    _write(pen, name, (315, 140), 40)
    for number, line in enumerate(text.splitlines()):
        _write(pen, line, (315, 580 + 40 * number), 26)
    for zone, texts in zones.items():
        x, y = PLACES[zone]
        pen.ellipse((x - 38, y - 38, x + 38, y + 38), fill=(250, 250, 245), outline=(20, 20, 20), width=3)
        _write(pen, texts, (x, y), 48)
    if collector:
        _write(pen, collector, (315, 840), 22)
    return card


def _write(pen: ImageDraw.ImageDraw, text: str, centre: tuple[int, int], size: int) -> None:
    pen.text(centre, text, fill=(15, 15, 20), font=ImageFont.load_default(size), anchor="mm")


def packed(picture: Image.Image, form: str = "PNG", **options: Any) -> bytes:
    """Return the bytes of a picture file."""
    file = BytesIO()
    picture.save(file, form, **options)
    return file.getvalue()


def pixels(picture: Image.Image) -> Any:
    """Return the picture as an array for the scanner: rows of blue, green, red."""
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])
