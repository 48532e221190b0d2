"""Simulate photographs from scans of cards, from seeds: perspective, tables, hands, light, blur, noise and JPEG."""

import random
from collections.abc import Sequence

import cv2
import numpy as np

Picture = np.ndarray
TEXTURES = ("wood", "cloth")


def photograph(card: Picture, seed: int, longer: int | None = None) -> Picture:
    """Return a photograph of one card on a table, turned by up to 25 degrees; by default 1,200 to 3,000 pixels long."""
    chance = random.Random(seed)
    longer = chance.randint(1200, 3000) if longer is None else longer
    height, width = (longer, round(longer * 0.75)) if chance.random() < 0.8 else (round(longer * 0.75), longer)
    table = texture(chance, height, width)
    share = chance.uniform(0.55, 0.82)
    tall = share * min(height, width * (88 / 63 if card.shape[1] < card.shape[0] else card.shape[0] / card.shape[1]))
    wide = tall * card.shape[1] / card.shape[0]
    middle = (width * chance.uniform(0.46, 0.54), height * chance.uniform(0.47, 0.53))
    angle = chance.uniform(-25, 25) if height > width else chance.uniform(-8, 8)
    return _finished(chance, _laid(chance, table, card, middle, (wide, tall), angle))


def page(cards: Sequence[Picture], seed: int, longer: int | None = None) -> Picture:
    """Return a photograph of nine cards in three rows, slightly crooked; by default 2,200 to 3,000 pixels long."""
    chance = random.Random(seed)
    longer = chance.randint(2200, 3000) if longer is None else longer
    height, width = longer, round(longer * 0.78)
    picture = texture(chance, height, width)
    cell = (width * 0.94 / 3, height * 0.94 / 3)
    for number, card in enumerate(cards[:9]):
        tall = min(cell[1], cell[0] * 88 / 63) * 0.92
        wide = tall * 63 / 88
        middle = (
            width * 0.03 + cell[0] * (number % 3 + 0.5) + chance.uniform(-0.01, 0.01) * width,
            height * 0.03 + cell[1] * (number // 3 + 0.5) + chance.uniform(-0.008, 0.008) * height,
        )
        picture = _laid(chance, picture, card, middle, (wide, tall), chance.uniform(-2, 2), bend=0.008)
    return _finished(chance, picture)


def scene(cards: Sequence[Picture], kind: str, seed: int) -> tuple[Picture, list[Picture]]:
    """Return a photograph by a phone, and the corners of the cards that were laid, clockwise.

    `kind` is `page` (nine pockets), `several`, or one card: `one`, `sleeve`, `flash`, `sleeve and flash`, `mat` (a
    colourful one) or `hand`. One card fills 5 to 60 per cent of the picture, and is 380 to 1,800 pixels high.
    """
    chance = random.Random(seed)
    if kind in ("page", "several"):
        longer = round(1800 * 2 ** chance.random())
        picture, corners = (binder if kind == "page" else spread)(cards, seed, longer)
        return _taken(chance, picture), corners
    tall = 380 * (1800 / 380) ** chance.random()
    longer = min(4000, max(1000, round(tall / chance.uniform(0.25, 0.8))))
    height, width = (longer, round(longer * 0.75)) if chance.random() < 0.8 else (round(longer * 0.75), longer)
    tall = min(tall, 0.9 * min(height, width * 88 / 63))
    table = _mat(chance, height, width) if kind == "mat" else texture(chance, height, width)
    card = _in_sleeve(chance, cards[0]) if "sleeve" in kind else cards[0]
    wide = tall * card.shape[1] / card.shape[0]
    middle = (width * chance.uniform(0.45, 0.55), height * chance.uniform(0.45, 0.55))
    angle = chance.uniform(-15, 15)
    corners = cv2.boxPoints((middle, (wide, tall), angle))
    picture = _laid(chance, table, card, middle, (wide, tall), angle)
    if "flash" in kind:
        picture = _flashed(chance, picture, middle, tall)
    if kind == "hand":
        picture = _held(chance, picture, corners, tall)
    return _taken(chance, picture, tall), [corners]


def _taken(chance: random.Random, picture: Picture, tall: float | None = None) -> Picture:
    """Return what a phone makes of a view: in coloured and uneven light, out of focus or moved, noisy and sharpened.

    `tall` is the height of a card in pixels, by default a third of the picture's.
    """
    height, width = picture.shape[:2]
    tall = tall or height / 3
    noise = np.random.default_rng(chance.randrange(1 << 30))
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    direction, warmth = chance.uniform(0, 2 * np.pi), chance.uniform(-0.15, 0.2)
    ramp = (columns / width - 0.5) * np.cos(direction) + (rows / height - 0.5) * np.sin(direction)
    light = 1 + chance.uniform(0, 0.5) * ramp
    if chance.random() < 0.4:  # the shadow of a hand or of the phone
        light *= 1 - chance.uniform(0.15, 0.5) / (
            1 + np.exp(-(ramp - chance.uniform(-0.25, 0.25)) * chance.uniform(8, 60))
        )
    tint = np.array([1 - warmth, 1, 1 + warmth], np.float32)
    values = np.clip(picture * light[..., None] * tint * chance.uniform(0.7, 1.15), 0, 255) / 255
    values = values ** chance.uniform(0.8, 1.3)
    values = cv2.GaussianBlur(values, (0, 0), 0.3 + tall / 1000 * chance.choice([0.2, 0.6, 1.0, 1.6, 2.2]))
    if chance.random() < 0.25:
        moved = max(2, round(tall / 1000 * chance.uniform(2, 7)))
        values = streaked(values, moved, chance.uniform(0, 180))
    return recorded(chance, noise, values, chance.uniform(0.003, 0.03), (60, 90))


def streaked(values: Picture, moved: int, degrees: float) -> Picture:
    """Return a picture, from 0 to 1, that was moved by that many pixels in a direction while it was taken."""
    warp = cv2.getRotationMatrix2D((moved / 2, 0.5), degrees, 1)
    warp[1, 2] += moved / 2
    streak = cv2.warpAffine(np.ones((1, moved), np.float32), warp, (moved, moved))
    return cv2.filter2D(values, -1, streak / max(1e-3, float(streak.sum())))


def recorded(
    chance: random.Random, noise: np.random.Generator, values: Picture, grain: float, qualities: tuple[int, int]
) -> Picture:
    """Return what a camera stores of a picture from 0 to 1: noisy, sharpened, and as a JPEG of one of the qualities."""
    height, width = values.shape[:2]
    coarse = cv2.resize(
        noise.normal(0, grain, (height // 3 + 1, width // 3 + 1, 3)).astype(np.float32), (width, height)
    )
    values += coarse + noise.normal(0, grain, values.shape).astype(np.float32)
    values += chance.uniform(0, 1.2) * (values - cv2.GaussianBlur(values, (0, 0), 1.5))
    _, packed = cv2.imencode(
        ".jpg", np.clip(values * 255, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, chance.randint(*qualities)]
    )
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)


def _mat(chance: random.Random, height: int, width: int) -> Picture:
    """Return a mat with a picture of soft shapes and hard lines in many colours."""
    noise = np.random.default_rng(chance.randrange(1 << 30))
    small = noise.uniform(0, 255, (chance.randint(3, 9), chance.randint(3, 9), 3)).astype(np.float32)
    mat = np.clip(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for _ in range(chance.randint(5, 25)):
        ends = [(chance.randrange(width), chance.randrange(height)) for _ in range(2)]
        cv2.line(mat, *ends, [chance.randrange(256) for _ in range(3)], chance.randint(2, 30), cv2.LINE_AA)
    return mat


def _held(chance: random.Random, picture: Picture, corners: Picture, tall: float) -> Picture:
    """Return the picture with the tips of two or three fingers over the lower half of the card's longer sides."""
    skin = chance.choice([(150, 180, 225), (90, 130, 180), (60, 85, 130)])
    cover = np.zeros(picture.shape[:2], np.uint8)
    low, middle = sorted(corners.tolist(), key=lambda corner: -corner[1])[:2], corners.mean(0)
    for corner in (low[0], low[1], low[0])[: chance.randint(2, 3)]:
        up = chance.uniform(0.15, 0.45) * tall
        x, y = corner[0], corner[1] - up
        size = (round(tall * 0.11), round(tall * 0.045))
        cv2.ellipse(cover, (round(x), round(y)), size, chance.uniform(-25, 25), 0, 360, 255, -1, cv2.LINE_AA)
        outward = np.sign(x - middle[0])
        far = (round(x + outward * tall), round(y + tall * chance.uniform(0, 0.4)))
        cv2.line(cover, (round(x), round(y)), far, 255, round(tall * 0.09), cv2.LINE_AA)
    mask = cv2.GaussianBlur(cover, (0, 0), max(1.0, tall / 500)).astype(np.float32)[..., None] / 255
    return (picture * (1 - mask) + np.array(skin, np.float32) * mask).astype(np.uint8)


def _in_sleeve(chance: random.Random, card: Picture) -> Picture:
    """Return a card in a sleeve: a border of clear or coloured plastic around it, and a haze over it."""
    edge = round(card.shape[1] * chance.uniform(0.015, 0.04))
    colour = chance.choice([(205, 208, 210), (40, 38, 38), (90, 40, 30), (40, 40, 120)])
    sleeve = cv2.copyMakeBorder(card, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=colour).astype(np.float32)
    haze = np.full(sleeve.shape[:2], chance.uniform(0, 0.12), np.float32)
    for _ in range(chance.randint(0, 2)):  # light that the plastic throws back
        ends = [(chance.randrange(sleeve.shape[1]), y) for y in (0, sleeve.shape[0])]
        cv2.line(haze, *ends, chance.uniform(0.15, 0.5), round(sleeve.shape[1] * chance.uniform(0.02, 0.12)))
    haze = cv2.GaussianBlur(haze, (0, 0), sleeve.shape[1] * 0.02)[..., None]
    return np.clip(sleeve * (1 - haze) + 225 * haze, 0, 255).astype(np.uint8)


def _flashed(chance: random.Random, picture: Picture, middle: tuple[float, float], tall: float) -> Picture:
    """Return the picture with one or two spots of light that a card throws back."""
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]].astype(np.float32)
    light = np.zeros(picture.shape[:2], np.float32)
    for _ in range(chance.randint(1, 2)):
        x, y = (place + chance.uniform(-0.35, 0.35) * tall for place in middle)
        wide, high = (tall * chance.uniform(0.03, 0.16) for _ in range(2))
        spot = np.exp(-(((columns - x) / wide) ** 2) - ((rows - y) / high) ** 2)
        light = np.maximum(light, chance.uniform(0.4, 0.95) * spot)
    return (picture * (1 - light[..., None]) + 255 * light[..., None]).astype(np.uint8)


def spread(cards: Sequence[Picture], seed: int, longer: int | None = None) -> tuple[Picture, list[Picture]]:
    """Return a photograph of cards on a table, at any angle and not overlapping, and their corners, clockwise."""
    chance = random.Random(seed)
    longer = chance.randint(2200, 3000) if longer is None else longer
    height, width = (longer, round(longer * 0.75)) if chance.random() < 0.5 else (round(longer * 0.75), longer)
    picture = texture(chance, height, width)
    tall = chance.uniform(0.5, 0.62) * float(np.sqrt(height * width / max(2, len(cards))))
    taken: list[tuple[float, float, float]] = []
    corners = []
    for card in cards:
        wide = tall * card.shape[1] / card.shape[0]
        for _ in range(400):
            angle = chance.uniform(0, 360)
            reach = np.deg2rad(angle)
            across = abs(wide * np.cos(reach)) / 2 + abs(tall * np.sin(reach)) / 2
            down = abs(wide * np.sin(reach)) / 2 + abs(tall * np.cos(reach)) / 2
            x = chance.uniform(across * 1.05, width - across * 1.05)
            y = chance.uniform(down * 1.05, height - down * 1.05)
            box = cv2.boxPoints(((x, y), (wide * 1.06, tall * 1.06), angle))
            if all(_apart(box, cv2.boxPoints(((a, b), (wide * 1.06, tall * 1.06), c))) for a, b, c in taken):
                taken.append((x, y, angle))
                picture = _laid(chance, picture, card, (x, y), (wide, tall), angle, bend=0.012)
                corners.append(cv2.boxPoints(((x, y), (wide, tall), angle)))
                break
    return _finished(chance, picture), corners


def binder(cards: Sequence[Picture | None], seed: int, longer: int | None = None) -> tuple[Picture, list[Picture]]:
    """Return a photograph of a nine-pocket sheet on a table, lit from the side, and the cards' corners, clockwise.

    The sheet is clear, white or black, fills half to nine tenths of the picture, is turned by up to 12 degrees and
    seen a little from the side. None is an empty pocket. By default 2,200 to 3,000 pixels long.
    """
    chance = random.Random(seed)
    longer = chance.randint(2200, 3000) if longer is None else longer
    height, width = (longer, round(longer * 0.75)) if chance.random() < 0.7 else (round(longer * 0.75), longer)
    table = texture(chance, height, width)
    tall = 400.0
    wide = tall * 63 / 88
    pocket = (wide * chance.uniform(1.04, 1.12), tall * chance.uniform(1.03, 1.1))
    margin = [chance.uniform(0.02, 0.09) * tall for _ in range(4)]  # left, top, right, bottom
    margin[0] += chance.choice([0, 0.16]) * tall  # with holes
    size = (round(3 * pocket[0] + margin[0] + margin[2]), round(3 * pocket[1] + margin[1] + margin[3]))
    sheet, cover, places = _sheet(chance, cards, (wide, tall), pocket, margin, size)
    share = chance.uniform(0.72, 0.93) * min(width / size[0], height / size[1])
    corners = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32)
    turn = np.deg2rad(chance.uniform(-12, 12))
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    laid = (corners - np.array(size, np.float32) / 2) * share
    laid += np.array([[chance.uniform(-0.03, 0.03) * size[1] * share for _ in range(2)] for _ in range(4)], np.float32)
    laid = laid @ rotation.T
    shrink = min(1.0, 0.98 * width / np.ptp(laid[:, 0]), 0.98 * height / np.ptp(laid[:, 1]))
    laid = laid * shrink + np.array([width, height], np.float32) / 2 - (laid.max(0) + laid.min(0)) * shrink / 2
    warp = cv2.getPerspectiveTransform(corners, laid.astype(np.float32))
    fine = warp @ np.diag([size[0] / sheet.shape[1], size[1] / sheet.shape[0], 1.0])
    lies = cv2.warpPerspective(sheet, fine, (width, height), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(cover, fine, (width, height)).astype(np.float32)[..., None] / 255
    shift = max(2, height // 300)
    shadow = cv2.GaussianBlur(np.roll(mask[..., 0], (shift, shift), (0, 1)), (0, 0), shift)[..., None]
    picture = (table * (1 - 0.4 * shadow) * (1 - mask) + lies * mask).astype(np.uint8)
    found = [cv2.perspectiveTransform(place[None], warp)[0] for place in places]
    return _finished(chance, _from_the_side(chance, picture)), found


def _sheet(chance, cards, card_size, pocket, margin, size):  # type: ignore[no-untyped-def]
    """Return the sheet from above: its colours, its opacity, and the places of its cards."""
    finer = 2
    wide, tall = card_size
    colour = chance.choice([(235, 235, 232), (30, 30, 32), None, None])
    sheet = np.full((size[1] * finer, size[0] * finer, 3), colour or (225, 228, 230), np.float32)
    cover = np.full(sheet.shape[:2], 255 if colour else 50, np.uint8)
    seam = chance.choice([(245, 245, 245), (90, 90, 92)]) if colour is None else tuple(c * 0.8 + 20 for c in colour)
    places = []
    for number, card in enumerate(cards[:9]):
        left, top = margin[0] + number % 3 * pocket[0], margin[1] + number // 3 * pocket[1]
        box = [(round(x * finer), round(y * finer)) for x, y in ((left, top), (left + pocket[0], top + pocket[1]))]
        if card is not None:
            middle = (
                left + pocket[0] / 2 + chance.uniform(-0.4, 0.4) * (pocket[0] - wide),
                top + pocket[1] / 2 + chance.uniform(-0.2, 0.45) * (pocket[1] - tall),
            )
            corners = cv2.boxPoints((middle, (wide, tall), chance.uniform(-0.8, 0.8)))[[1, 2, 3, 0]].astype(np.float32)
            places.append(corners)
            own = np.array([[0, 0], [card.shape[1], 0], card.shape[1::-1], [0, card.shape[0]]], np.float32)
            warp = cv2.getPerspectiveTransform(own, corners * finer)
            lies = cv2.warpPerspective(card, warp, sheet.shape[1::-1], flags=cv2.INTER_AREA)
            mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), warp, sheet.shape[1::-1])
            sheet = np.where(mask[..., None] > 127, lies, sheet)
            cover = np.maximum(cover, mask)
        cv2.rectangle(sheet, *box, seam, 2 * finer)
        cv2.rectangle(cover, *box, 200, 2 * finer)
        if chance.random() < 0.4:  # light that the plastic throws back
            streak = np.zeros(sheet.shape[:2], np.float32)
            x = chance.uniform(left, left + pocket[0])
            ends = [(round((x + d) * finer), round((top + y) * finer)) for d, y in ((0, 0), (40, pocket[1]))]
            cv2.line(streak, *ends, 1.0, round(chance.uniform(4, 18) * finer))
            streak = cv2.GaussianBlur(streak, (0, 0), 6 * finer) * chance.uniform(0.15, 0.5)
            sheet = sheet * (1 - streak[..., None]) + 255 * streak[..., None]
    return np.clip(sheet, 0, 255).astype(np.uint8), cover, places


def _from_the_side(chance: random.Random, picture: Picture) -> Picture:
    """Return the picture lit from one side; the other side is at most half as bright."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    way = chance.uniform(0, 2 * np.pi)
    ramp = (columns / width - 0.5) * np.cos(way) + (rows / height - 0.5) * np.sin(way) + 0.5
    light = chance.uniform(0.4, 0.6) + chance.uniform(0.5, 0.7) * np.clip(ramp, 0, 1)
    return np.clip(picture * light[..., None], 0, 255).astype(np.uint8)


def _apart(one: Picture, other: Picture) -> bool:
    return cv2.intersectConvexConvex(one, other)[0] <= 0


def texture(chance: random.Random, height: int, width: int) -> Picture:
    """Return a texture of wood or cloth."""
    noise = np.random.default_rng(chance.randrange(1 << 30))
    if chance.choice(TEXTURES) == "wood":
        base = np.array(chance.choice([(60, 95, 140), (85, 130, 175), (35, 55, 85), (120, 160, 195)]), np.float32)
        grain = cv2.resize(
            noise.normal(0, 1, (max(2, height // 6), max(2, width // 160))).astype(np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        broad = cv2.resize(
            noise.normal(0, 1, (12, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        values = base[None, None, :] * (1 + 0.10 * grain + 0.08 * broad)[..., None]
        boards = chance.randint(3, 6)
        for board in range(1, boards):
            row = height * board // boards
            values[row : row + max(2, height // 500)] *= 0.55
    else:
        base = np.array(
            chance.choice([(70, 110, 60), (120, 80, 60), (60, 50, 130), (150, 150, 150), (60, 60, 65)]), np.float32
        )
        rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
        step = chance.uniform(5, 9)
        weave = np.sin(rows * 2 * np.pi / step) * np.sin(columns * 2 * np.pi / step)
        fleck = noise.normal(0, 1, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
        fleck = cv2.resize(fleck, (width, height))
        fold = cv2.resize(noise.normal(0, 1, (5, 5)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        values = base[None, None, :] * (1 + 0.10 * weave + 0.06 * fleck + 0.08 * fold)[..., None]
    return np.clip(values, 0, 255).astype(np.uint8)


def _laid(chance, picture, card, middle, size, angle, bend=0.035):  # type: ignore[no-untyped-def]
    """Return the picture with a card on it, in slight perspective, with rounded corners and a shadow."""
    height, width = picture.shape[:2]
    wide, tall = size
    corners = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]], np.float32) / 2
    corners += np.array(
        [[chance.uniform(-bend, bend) * tall, chance.uniform(-bend, bend) * tall] for _ in range(4)], np.float32
    )
    turn = np.deg2rad(angle)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    corners = corners @ rotation.T + np.array(middle, np.float32)
    rows, columns = card.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    lies = cv2.warpPerspective(card, warp, (width, height), flags=cv2.INTER_CUBIC)
    outline = np.zeros((rows * 4, columns * 4), np.uint8)
    corner = round(columns * 4 * 0.04)
    cv2.rectangle(outline, (corner, 0), (columns * 4 - corner, rows * 4), 255, -1)
    cv2.rectangle(outline, (0, corner), (columns * 4, rows * 4 - corner), 255, -1)
    for x in (corner, columns * 4 - corner - 1):
        for y in (corner, rows * 4 - corner - 1):
            cv2.circle(outline, (x, y), corner, 255, -1)
    finer = warp @ np.diag([0.25, 0.25, 1.0])
    mask = cv2.warpPerspective(outline, finer, (width, height)).astype(np.float32)[..., None] / 255
    shift = max(2, round(tall * 0.008))
    shadow = cv2.GaussianBlur(np.roll(mask[..., 0], (shift, shift), (0, 1)), (0, 0), shift)[..., None]
    return (picture * (1 - 0.45 * shadow) * (1 - mask) + lies * mask).astype(np.uint8)


def _finished(chance: random.Random, picture: Picture) -> Picture:
    """Add a partial shadow, uneven light, blur and noise, and compress as JPEG."""
    height, width = picture.shape[:2]
    noise = np.random.default_rng(chance.randrange(1 << 30))
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    direction = chance.uniform(0, 2 * np.pi)
    ramp = (columns / width - 0.5) * np.cos(direction) + (rows / height - 0.5) * np.sin(direction)
    light = 1 + chance.uniform(0.05, 0.25) * ramp
    edge = chance.uniform(-0.25, 0.25)
    light *= 1 - chance.uniform(0.1, 0.35) / (1 + np.exp(-(ramp - edge) * chance.uniform(15, 60)))
    values = picture.astype(np.float32) * light[..., None] * chance.uniform(0.9, 1.08)
    values = cv2.GaussianBlur(values, (0, 0), chance.uniform(0.4, 1.2) * max(height, width) / 2000)
    values += noise.normal(0, chance.uniform(1.5, 5), values.shape)
    _, packed = cv2.imencode(
        ".jpg", np.clip(values, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, chance.randint(70, 92)]
    )
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)
