"""Doubts about what a scan may have missed: unread round icons, signs, and numbers that the other cards have."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from ccgrid.catalog.scan.values import Picture, ScanDoubt, ScannedCard, SeenNumber, SeenText, zone_at
from ccgrid.catalog.zones import FACE, ZONES

_LOOK_AT: Final = 704  # pixels of the longer side at which circles are sought
_RADII: Final = (0.014, 0.055)  # of a circle around a number, in parts of the card's height
_EDGE: Final = 250  # the strength of the edges of circles
_ROUND: Final = 0.8  # how perfect a circle must be, 0 to 1
_INSIDE: Final = 0.85  # of its radius: so far from its centre is a digit sought
_SMALLEST: Final = 6  # pixels of that square
_CONTRAST: Final = 60  # of 255, between a digit and the rest of its circle
_TALL: Final = 0.7  # of half that square: a digit is higher
_WIDTHS: Final = (0.2, 1.05)  # of its height
_READ: Final = 0.9  # the confidence of a line of text in which a circle is a letter
_FEWEST: Final = 2  # other cards that must have a number where one card has none
_SIGNED: Final = 2  # readings with a sign before the number, of four
_SIGNS: Final = tuple("-−–—~")  # what a minus before a digit may be read as


def with_unread_places(card: ScannedCard, picture: Picture) -> ScannedCard:
    """Return the card with doubts about unread circles on its rim, and about signs before its numbers."""
    doubts = (*card.doubts, *_unread_circles(picture, card), *_signs(card.lines, card.rim))
    return replace(card, doubts=tuple(dict.fromkeys(doubts)))


def with_lacking_numbers(cards: Sequence[ScannedCard]) -> list[ScannedCard]:
    """Return the cards of one picture, each with doubts about zones in which most of the others have a number."""
    return [
        replace(card, doubts=(*card.doubts, *_lacking(card, [*cards[:place], *cards[place + 1 :]])))
        for place, card in enumerate(cards)
    ]


def _lacking(card: ScannedCard, others: Sequence[ScannedCard]) -> Iterator[ScanDoubt]:
    known = {number.zone for number in card.rim} | {doubt.zone for doubt in card.doubts}
    for zone in ZONES:
        there = [next((one for one in other.rim if one.zone == zone), None) for other in others]
        shown = [one for one in there if one is not None]
        if zone not in known and len(shown) >= _FEWEST and 2 * len(shown) > len(others):
            yield ScanDoubt(sum(one.x for one in shown) / len(shown), sum(one.y for one in shown) / len(shown), zone)


def _unread_circles(picture: Picture, card: ScannedCard) -> Iterator[ScanDoubt]:
    """Yield doubts about circles on the rim that hold no number and no letter."""
    factor = _LOOK_AT / max(picture.shape[:2])
    grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=factor, fy=factor)
    height, width = grey.shape
    least, most = (round(part * height) for part in _RADII)
    found = cv2.HoughCircles(grey, cv2.HOUGH_GRADIENT_ALT, 1.5, 2 * least, None, _EDGE, _ROUND, least, most)
    for x, y, radius in found.reshape(-1, found.shape[-1])[:, :3].tolist() if found is not None else ():
        across, down, reach = 100 * x / width, 100 * y / height, 100 * radius / height
        zone = zone_at(across, down)
        is_read = _is_read(across, down, reach, card.numbers, card.lines)
        if zone != FACE and not is_read and _holds_shape(grey, x, y, radius):
            yield ScanDoubt(round(across, 1), round(down, 1), zone)


def _holds_shape(grey: Picture, x: float, y: float, radius: float) -> bool:
    """Return whether a circle holds one shape of a digit's proportions, darker or lighter than the rest of it."""
    half = round(_INSIDE * radius)
    patch = grey[max(0, round(y) - half) : round(y) + half + 1, max(0, round(x) - half) : round(x) + half + 1]
    if min(patch.shape, default=0) < _SMALLEST or int(np.ptp(patch)) < _CONTRAST:
        return False
    _, mask = cv2.threshold(patch, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    for one in (mask, cv2.bitwise_not(mask)):
        sizes = cv2.connectedComponentsWithStats(one, connectivity=8)[2][1:]
        inside = [
            (wide, tall)
            for left, top, wide, tall, _ in sizes.tolist()
            if left > 0 and top > 0 and left + wide < patch.shape[1] and top + tall < patch.shape[0]
        ]
        if any(_TALL * half < tall and _WIDTHS[0] * tall < wide < _WIDTHS[1] * tall for wide, tall in inside):
            return True
    return False


def _is_read(x: float, y: float, reach: float, numbers: Iterable[SeenNumber], lines: Iterable[SeenText]) -> bool:
    """Return whether a circle contains a number, or is a letter of a line of text."""
    # A card is 7/5 as high as wide, so that per cent of its width are shorter.
    if any(np.hypot((number.x - x) / 1.4, number.y - y) < reach for number in numbers):
        return True
    return any(
        len(line.text) > 1
        and line.best.confidence > _READ
        and abs(line.x - x) < line.width / 2
        and abs(line.y - y) < line.height / 2
        for line in lines
    )


def _signs(lines: Iterable[SeenText], numbers: Iterable[SeenNumber]) -> Iterator[ScanDoubt]:
    """Yield doubts about numbers before which another reading of the same place has a sign."""
    for number in numbers:
        near = (line for line in lines if line.short and abs(line.x - number.x) < line.width / 2)
        readings = [r.text.strip() for line in near if abs(line.y - number.y) < line.height / 2 for r in line.readings]
        signed = [text for text in readings if text.startswith(_SIGNS) and text[1:].strip() == number.raw]
        if len(signed) >= _SIGNED:
            yield ScanDoubt(number.x, number.y, number.zone, number.value)
