"""Draw cards of invented games from seeds; each game has its own letters, colours, frames, badges and places.

A design is one game: its cards differ only in their numbers, words and art. Some have rows of small icons, pairs of
numbers, labels with a number, or factors beside an icon. A design contains nothing of real games, so a
reader tested on it is not tuned to a sample of real cards. The letters are those of DejaVu and Noto
CJK; where a font is missing, Pillow's own stands in for it, and the cards are others.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from paint import Colour, art, colour, contrasting, marble, text
from PIL import Image, ImageDraw, ImageFilter

SIZE: Final = (630, 880)
SHAPES: Final = ("circle", "shield", "star", "hexagon", "diamond", "square", "ring", "drop", "panel", "none")
FONTS: Final = (
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif-Bold.ttf",
    "DejaVuSerif-BoldItalic.ttf",
    "DejaVuSansCondensed-Bold.ttf",
    "DejaVuSerifCondensed-Italic.ttf",
    "DejaVuSansMono-Bold.ttf",
    "DejaVuSans-Oblique.ttf",
    "NotoSerifCJK-Bold.ttc",
    "NotoSansCJK-Bold.ttc",
    "",  # the one that comes with Pillow
)
_PLACES: Final = {
    "top-left": (0.03, 0.22, 0.03, 0.15),
    "top": (0.36, 0.64, 0.04, 0.08),
    "top-right": (0.79, 0.97, 0.03, 0.15),
    "left": (0.05, 0.14, 0.25, 0.75),
    "right": (0.86, 0.95, 0.25, 0.75),
    "bottom-left": (0.04, 0.2, 0.87, 0.96),
    "bottom": (0.36, 0.64, 0.9, 0.95),
    "bottom-right": (0.8, 0.96, 0.87, 0.96),
}
_WORDS: Final = (
    *("amber", "brass", "cinder", "dusk", "ember", "frost", "gale", "hollow", "iron", "jade", "keeper", "lantern"),
    *("marsh", "needle", "orchard", "pilgrim", "quarry", "river", "saddle", "thorn", "umber", "valley", "warden"),
    *("yonder", "zephyr", "draw", "turn", "your", "card", "each", "player", "when", "this", "until", "end", "discard"),
    *("hand", "attack", "target", "may", "choose", "other", "deck", "top", "damage", "instead", "power", "cost"),
    *("play", "gain", "lose", "from", "with", "into", "after"),
)


@dataclass(frozen=True, slots=True)
class Badge:
    """A number on every card of a design: the place of its centre (0 to 1), how it is drawn, and its range."""

    zone: str
    x: float
    y: float
    shape: str
    fill: Colour
    ink: Colour
    edge: Colour | None
    font: str
    size: int
    slant: float
    label: str
    highest: int
    sometimes: float


@dataclass(frozen=True, slots=True)
class Design:
    """The look of the cards of one game."""

    number: int
    border: Colour
    frame: Colour
    panel: Colour
    panel_ink: Colour
    badges: tuple[Badge, ...]
    title_font: str
    text_font: str
    title_ink: Colour
    title_y: float
    art: tuple[float, float, float, float]
    collector: str
    sideways_words: bool
    busy: bool


def design(number: int) -> Design:
    """Return the design with this number; it is the same in every run."""
    chance = random.Random(f"design {number}")
    dark = chance.random() < 0.5
    frame = colour(chance, 20, 110) if dark else colour(chance, 130, 235)
    panel_dark = chance.random() < 0.3
    title_font, text_font = chance.choice(FONTS), chance.choice((FONTS[0], FONTS[1], FONTS[3], FONTS[7], FONTS[8], ""))
    zones = chance.sample(sorted(_PLACES), chance.choice((1, 2, 3, 3, 4, 5)))
    shape, font = SHAPES[number % len(SHAPES)], chance.choice(FONTS)
    fill = colour(chance, 0, 255)
    size = chance.randint(34, 62)
    badges = []
    for zone in zones:
        left, right, top, bottom = _PLACES[zone]
        if chance.random() < 0.3:
            shape, fill, font = chance.choice(SHAPES), colour(chance, 0, 255), chance.choice(FONTS)
        ink = contrasting(chance, fill if shape not in ("none", "ring") else frame)
        badges.append(
            Badge(
                zone,
                chance.uniform(left, right),
                chance.uniform(top, bottom),
                shape,
                fill,
                ink,
                contrasting(chance, ink) if chance.random() < 0.4 else None,
                font,
                size,
                chance.choice((0.0, 0.0, 0.0, 0.2, 0.3)),
                chance.choice(("", "", "", "", "Cost", "ATK", "Lvl")) if shape in ("panel", "square") else "",
                chance.choice((5, 9, 9, 10, 15)),
                chance.choice((1.0, 1.0, 0.7)),
            )
        )
    badges = _apart(badges, size)
    full = chance.random() < 0.25
    return Design(
        number,
        chance.choice(((12, 12, 14), (245, 245, 245), frame, colour(chance, 0, 255))),
        frame,
        colour(chance, 10, 70) if panel_dark else colour(chance, 190, 250),
        (240, 240, 235) if panel_dark else (15, 15, 20),
        tuple(badges),
        title_font,
        text_font,
        contrasting(chance, frame),
        chance.choice((0.19, 0.21, 0.56)) if any(b.zone.startswith("top") for b in badges) else 0.09,
        (0.03, 0.02, 0.97, 0.98) if full else (chance.uniform(0.06, 0.2), 0.24, chance.uniform(0.8, 0.94), 0.54),
        chance.choice(("", "{n}/{all}", "{n} of {all}", "{n}")),
        chance.random() < 0.2,
        full or chance.random() < 0.3,
    )


def draw(design: Design, seed: int, *, width: int = 300) -> tuple[Image.Image, list[tuple[str, int]]]:
    """Draw a card as a JPEG `width` pixels wide; return it with (zone, value) of the numbers on its rim."""
    chance = random.Random(f"card {design.number} {seed}")
    card = Image.new("RGB", SIZE, design.border)
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((20, 20, SIZE[0] - 20, SIZE[1] - 20), 22, fill=design.frame)
    if design.busy:
        marble(card, (20, 20, SIZE[0] - 20, SIZE[1] - 20), chance, 26)
    left, top, right, bottom = (round(p * SIZE[i % 2]) for i, p in enumerate(design.art))
    art(card, (left, top, right, bottom), chance)
    pen = ImageDraw.Draw(card)
    text(card, _title(chance), (SIZE[0] / 2, SIZE[1] * design.title_y), 34, design.title_font, design.title_ink)
    _panel(card, design, chance)
    printed: list[tuple[str, int]] = []
    for badge in design.badges:
        if chance.random() <= badge.sometimes:
            value = chance.randint(0, badge.highest)
            _badge(card, badge, value)
            if value <= 10:
                printed.append((badge.zone, value))
    printed += _extras(card, design, chance)
    printed += _small_print(card, design, chance)
    if design.sideways_words:
        strip = Image.new("RGBA", (300, 26), (0, 0, 0, 0))
        text(strip, "GREAT WARS OF OLD", (150, 13), 20, design.text_font, design.title_ink)
        turned = strip.rotate(90, expand=True)
        card.paste(turned, (24, 300), turned)
    small = card.resize((width, round(width * SIZE[1] / SIZE[0])), Image.Resampling.LANCZOS)
    small = small.filter(ImageFilter.GaussianBlur(chance.uniform(0.0, 0.5)))
    file = BytesIO()
    small.save(file, "JPEG", quality=chance.randint(70, 92))
    return Image.open(BytesIO(file.getvalue())).convert("RGB"), printed


def _extras(card: Image.Image, design: Design, chance: random.Random) -> list[tuple[str, int]]:
    """Draw what some games have in corners without a badge, and return the numbers there.

    A row of small icons, the first with a digit, a pair such as 2/3, a label such as STAGE 1, or a factor
    beside an icon.
    """
    game = random.Random(f"extras {design.number}")
    taken = {badge.zone for badge in design.badges}
    font, ink = game.choice(FONTS), contrasting(game, design.frame)
    printed: list[tuple[str, int]] = []
    if game.random() < 0.6 and "top-right" not in taken:
        reach, count, pale = game.randint(14, 21), chance.randint(1, 4), game.randint(170, 235)
        y, step = game.randint(48, 75), 2.25 * reach
        for place in range(count):
            x = SIZE[0] - 44 - reach - step * (count - 1 - place)
            fill = (pale, pale, pale) if place == 0 else colour(chance, 40, 255)
            pen = ImageDraw.Draw(card)
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill, (20, 20, 20), game.choice((0, 1, 2)))
            if place:
                kind = chance.choice(("star", "hexagon", "diamond", "drop", "shield"))
                pen.polygon(list(_polygon(kind, x, y, reach * 0.5)), contrasting(chance, fill))
        value, x = chance.randint(0, 7), SIZE[0] - 44 - reach - step * (count - 1)
        text(card, str(value), (x, y), round(reach * 1.7), font, (15, 15, 15))
        printed += [("top-right", value)] if x > 0.75 * SIZE[0] else [("top", value)]
    if game.random() < 0.5 and "bottom-right" not in taken and not design.collector:
        values = (chance.randint(0, 9), chance.randint(0, 9))
        pen = ImageDraw.Draw(card)
        pen.rounded_rectangle((SIZE[0] - 140, 780, SIZE[0] - 42, 828), 12, design.panel, design.panel_ink, 2)
        text(card, f"{values[0]}/{values[1]}", (SIZE[0] - 91, 804), game.randint(28, 38), font, design.panel_ink)
        printed += [("bottom-right", value) for value in values]
    if game.random() < 0.5 and "top-left" not in taken:
        value = chance.randint(1, 3)
        label = game.choice(("STAGE {}", "LEVEL {}", "Lv.{}", "Rank {}")).format(value)
        text(card, label, (100, game.randint(40, 60)), game.randint(17, 24), font, ink)
        printed.append(("top-left", value))
    if game.random() < 0.4 and "bottom-left" not in taken:
        value, size = chance.randint(2, 3), game.randint(17, 26)
        pen = ImageDraw.Draw(card)
        pen.ellipse((60 - size * 0.7, 795 - size * 0.7, 60 + size * 0.7, 795 + size * 0.7), colour(chance, 40, 255))
        text(card, game.choice(("x{}", "×{}", "+{}")).format(value), (60 + 1.6 * size, 795), size, font, ink)
        printed.append(("bottom-left", value))
    return printed


def _apart(badges: list[Badge], size: int) -> list[Badge]:
    """Return the badges that do not cover each other."""
    kept: list[Badge] = []
    for badge in badges:
        if all(math.hypot((badge.x - b.x) * SIZE[0], (badge.y - b.y) * SIZE[1]) > 2.3 * size for b in kept):
            kept.append(badge)
    return kept


def _badge(card: Image.Image, badge: Badge, value: int) -> None:
    x, y = badge.x * SIZE[0], badge.y * SIZE[1]
    reach = badge.size * 0.85
    x, y = min(max(x, reach + 4), SIZE[0] - reach - 4), min(max(y, reach + 4), SIZE[1] - reach - 4)
    layer = Image.new("RGBA", SIZE, (0, 0, 0, 0))
    pen = ImageDraw.Draw(layer)
    outline = badge.edge or badge.ink
    around = (x - reach, y - reach, x + reach, y + reach)
    if badge.shape == "circle":
        pen.ellipse(around, fill=badge.fill, outline=outline, width=3)
    elif badge.shape == "ring":
        pen.ellipse(around, outline=outline, width=5)
    elif badge.shape in ("square", "panel"):
        wide = 1.0 if badge.shape == "square" else 1.5
        pen.rectangle((x - wide * reach, y - reach, x + wide * reach, y + reach), badge.fill, outline, 2)
    elif badge.shape != "none":
        pen.polygon(list(_polygon(badge.shape, x, y, reach * 1.15)), badge.fill, outline)
    card.paste(layer, (0, 0), layer)
    if badge.label:
        text(card, badge.label, (x, y - reach * 0.62), max(13, badge.size // 3), badge.font, badge.ink)
        y += reach * 0.2
    letters = Image.new("RGBA", (200, 140), (0, 0, 0, 0))
    text(letters, str(value), (100, 70), badge.size, badge.font, badge.ink, badge.edge)
    if badge.slant:
        warp = (1, badge.slant, -badge.slant * 70, 0, 1, 0)
        letters = letters.transform(letters.size, Image.Transform.AFFINE, warp, Image.Resampling.BICUBIC)
    card.paste(letters, (round(x) - 100, round(y) - 70), letters)


def _polygon(shape: str, x: float, y: float, reach: float) -> Iterator[tuple[float, float]]:
    if shape == "shield":
        for across, down in ((-1, -1), (1, -1), (1, 0.2), (0.6, 0.8), (0, 1.2), (-0.6, 0.8), (-1, 0.2)):
            yield x + 0.9 * across * reach, y + 0.9 * down * reach
        return
    count = {"star": 10, "hexagon": 6, "diamond": 4, "drop": 24}[shape]
    for step in range(count):
        angle = 2 * math.pi * step / count - math.pi / 2
        far = reach * (1.5 if step % 2 == 0 else 0.85) if shape == "star" else reach
        far *= 1.3 if shape == "diamond" or (shape == "drop" and step == 0) else 1.0
        yield x + far * math.cos(angle), y + far * math.sin(angle)


def _panel(card: Image.Image, design: Design, chance: random.Random) -> None:
    pen = ImageDraw.Draw(card)
    top = round(SIZE[1] * (0.6 if design.title_y < 0.5 else 0.62))
    pen.rectangle((110, top, SIZE[0] - 110, 745), fill=design.panel)
    for line in range(chance.randint(2, 4)):
        words = chance.sample(_WORDS, 5)
        if chance.random() < 0.3:
            words[2] = str(chance.randint(1, 5))
        text(card, " ".join(words), (SIZE[0] / 2, top + 24 + 28 * line), 18, design.text_font, design.panel_ink)


def _small_print(card: Image.Image, design: Design, chance: random.Random) -> list[tuple[str, int]]:
    year = chance.randint(1994, 2008)
    text(card, f"© {year} Made Up Games, Inc.", (SIZE[0] / 2, 848), 13, design.text_font, design.title_ink)
    if not design.collector:
        return []
    number = chance.randint(1, 120)
    printed = design.collector.format(n=number, all=chance.choice((120, 160, 300)))
    if design.collector == "{n}":
        number = 11 + number  # by itself: out of the range, whatever is thought of it
        printed = str(number)
    text(card, printed, (565 if number % 2 else 70, 848), 15, design.text_font, design.title_ink)
    return [("bottom-right" if number % 2 else "bottom-left", number)] if number <= 10 else []


def _title(chance: random.Random) -> str:
    return " ".join(chance.sample(_WORDS, 2)).title()
