"""Makes photographs out of scans of cards, with seeds: perspective, wood and cloth, shadow, blur, noise and JPEG."""

import random
from collections.abc import Sequence

import cv2
import numpy as np

Picture = np.ndarray
TEXTURES = ("wood", "cloth")


def photograph(card: Picture, seed: int, longer: int | None = None) -> Picture:
    """One card on a table, at any angle up to 25 degrees either way; by default 1,200 to 3,000 pixels long."""
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
    """Nine cards in three rows on one table or page, a little crooked; by default 2,200 to 3,000 pixels long."""
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


def spread(cards: Sequence[Picture], seed: int, longer: int | None = None) -> tuple[Picture, list[Picture]]:
    """Cards lying freely on one table, each turned anyhow and none on another; and the corners of each, clockwise."""
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


def _apart(one: Picture, other: Picture) -> bool:
    return cv2.intersectConvexConvex(one, other)[0] <= 0


def texture(chance: random.Random, height: int, width: int) -> Picture:
    """Wood or cloth."""
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
    """The picture with a card on it, seen a little from the side, with rounded corners and a shadow under it."""
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
    """Shadow over a part, uneven light, blur, noise, and what JPEG leaves of it."""
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
