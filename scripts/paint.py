"""Paint parts of made-up cards: letters, contrasting colours, marble, and art with edges and grain."""

import random
from contextlib import suppress
from functools import cache

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

Colour = tuple[int, int, int]


def art(card: Image.Image, box: tuple[int, int, int, int], chance: random.Random) -> None:
    """Paint art: light, hills, shapes with edges, and grain."""
    left, top, right, bottom = box
    size = (max(8, right - left), max(8, bottom - top))
    noise = np.random.default_rng(chance.randrange(1 << 30))
    values = np.zeros((size[1], size[0], 3), np.float32)
    for scale, strength in ((4, 70), (12, 40), (40, 22), (120, 12)):
        rough = noise.normal(0, strength, (scale, scale, 3)).astype(np.float32)
        rough = 0.4 * rough + 0.6 * rough.mean(axis=2, keepdims=True)
        layers = [Image.fromarray(rough[..., c]).resize(size, Image.Resampling.BICUBIC) for c in range(3)]
        values += np.stack([np.asarray(layer) for layer in layers], axis=2)
    picture = Image.fromarray(np.clip(values + np.array(colour(chance, 60, 190)), 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(picture)
    for _ in range(chance.randint(12, 40)):
        x, y = chance.uniform(0, size[0]), chance.uniform(0, size[1])
        reach = chance.uniform(6, 90)
        ink = colour(chance, 0, 255)
        kind = chance.randrange(4)
        if kind == 0:
            corners = [(x + chance.uniform(-reach, reach), y + chance.uniform(-reach, reach)) for _ in range(5)]
            pen.polygon(corners, fill=ink)
        elif kind == 1:
            pen.arc(
                (x - reach, y - reach, x + reach, y + reach), chance.uniform(0, 180), chance.uniform(180, 360), ink, 6
            )
        elif kind == 2:
            pen.ellipse((x - reach / 3, y - reach / 3, x + reach / 3, y + reach / 3), fill=ink)
        else:
            pen.line((x, y, x + chance.uniform(-reach, reach), y + chance.uniform(-reach, reach)), ink, 5)
    card.paste(picture.filter(ImageFilter.GaussianBlur(1.2)), (left, top))


def marble(card: Image.Image, box: tuple[int, int, int, int], chance: random.Random, strength: float) -> None:
    left, top, right, bottom = box
    noise = np.random.default_rng(chance.randrange(1 << 30))
    rough = Image.fromarray(noise.normal(0, strength, (60, 44)).astype(np.float32))
    veins = np.asarray(rough.resize((right - left, bottom - top), Image.Resampling.BICUBIC))[..., None]
    part = np.asarray(card.crop(box)).astype(np.float32) + veins
    card.paste(Image.fromarray(np.clip(part, 0, 255).astype(np.uint8)), (left, top))


def text(
    card: Image.Image,
    text: str,
    centre: tuple[float, float],
    size: int,
    font: str,
    ink: Colour,
    edge: Colour | None = None,
) -> None:
    pen = ImageDraw.Draw(card)
    pen.text(
        centre, text, fill=ink, font=letters(font, size), anchor="mm", stroke_width=2 if edge else 0, stroke_fill=edge
    )


@cache
def letters(font: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    with suppress(OSError):
        if font:
            return ImageFont.truetype(font, size)
    return ImageFont.load_default(size)


def colour(chance: random.Random, low: int, high: int) -> Colour:
    return chance.randint(low, high), chance.randint(low, high), chance.randint(low, high)


def contrasting(chance: random.Random, other: Colour) -> Colour:
    """Return a colour that contrasts with another: mostly black or white, seldom with low contrast."""
    light = 0.3 * other[0] + 0.6 * other[1] + 0.1 * other[2]
    if chance.random() < 0.7:
        return (250, 250, 245) if light < 140 else (10, 10, 12)
    for _ in range(50):
        ink = colour(chance, 0, 255)
        if abs(0.3 * ink[0] + 0.6 * ink[1] + 0.1 * ink[2] - light) > 90:
            return ink
    return (250, 250, 245) if light < 140 else (10, 10, 12)
