"""From a picture to its cards: found, turned upright, read, and their numbers placed by the house rules."""

import math
import re
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from catalog.card import CatalogError
from catalog.numbers import Slash
from catalog.scan.cards import FoundCard, find_cards, in_cells, is_outside, may_be_frames, whole_picture
from catalog.scan.models import Models, Picture
from catalog.scan.places import find_numbers
from catalog.scan.reading import read_lines
from catalog.scan.values import Line, ScannedCard

_LEGIBLE: Final = 12  # letters and digits in lines read for certain, below which a card may be upside down
_SMALLEST: Final = 190  # pixels across a card, below which its text cannot be read
_CERTAIN: Final = 0.85
_BLURRED: Final = 25.0  # variance of the second derivative of brightness at 704 pixels, below which text is lost
_NAME: Final = re.compile(r"[^\W\d_]{3,}")


class Scanner:
    """Reads cards off pictures; the networks are loaded once, which takes about a second."""

    def __init__(self) -> None:
        self._models = Models()

    def scan(self, picture: Picture, *, grid: bool = False, slash: Slash | None = None) -> list[ScannedCard]:
        """The cards on a picture, row by row; with `grid` each with its cell of a 3x3 grid.

        `slash` is how the game prints a/b, where that is known. Raises CatalogError where no card is on the picture,
        where it is blurred or too small, and where a grid was asked for and none is there.
        """
        found = find_cards(picture)
        if not found:
            raise CatalogError(
                "no card is found on the picture. Lay it flat on a plain surface, whole and well lit, and go nearer."
            )
        if grid:
            found = in_cells(found)
        elif may_be_frames(picture, found):
            # A card on a table has nothing printed around it.
            around = [line for line in read_lines(self._models, picture) if is_outside(line.x, line.y, found)]
            if legible(around, 0, 90, 270) >= _LEGIBLE:
                found = [whole_picture(picture)]
        cards = [self._read(card, slash) for card in found]
        if not any(legible(card.lines, 0, 90, 270) for card in cards) and (size := _too_small(found, picture)):
            raise CatalogError(
                f"the card is too small on the picture, {size[0]} x {size[1]} pixels: it needs at least 200 x 280,"
                " better 600 x 840. Go nearer, or take fewer at a time."
            )
        if len(cards) == 1 and not cards[0].lines:
            raise CatalogError("no card is found on the picture: there is no text on it.")
        if len(cards) == 1 and not cards[0].sharp and not legible(cards[0].lines):
            raise CatalogError("the picture is blurred: nothing on the card can be read. Hold still and focus on it.")
        return cards

    def _read(self, card: FoundCard, slash: Slash | None) -> ScannedCard:
        lines = self._upright(card)
        numbers = find_numbers(lines, slash)
        names = likely_names(lines)
        return ScannedCard(
            name=names[0] if names else "",
            numbers=numbers.seen,
            doubts=numbers.doubts,
            lines=tuple(lines),
            corners=card.corners,
            cell=card.cell,
            sharp=_sharpness(card.picture) >= _BLURRED,
            names=tuple(names),
            collector=numbers.collector,
        )

    def _upright(self, card: FoundCard) -> list[Line]:
        """The lines of a card in the way it is held upright: the way in which most of it can be read.

        A card printed sideways stays upright with its text turned, unless it lay so that its text was upright.
        """
        lines = read_lines(self._models, card.picture)
        height, width = card.picture.shape[:2]
        lying = (width > height or card.lying) and legible(lines, 90, 270) > legible(lines)
        if not lying and (legible(lines) >= _LEGIBLE or legible(lines, 90, 270) >= _LEGIBLE):
            return lines
        if lying:
            turn = 1 if legible(lines, 90) > legible(lines, 270) else 3
            return read_lines(self._models, np.ascontiguousarray(np.rot90(card.picture, turn)))
        turned = read_lines(self._models, np.ascontiguousarray(np.rot90(card.picture, 2)))
        return max(lines, turned, key=legible)


def legible(lines: Sequence[Line], *turns: int) -> int:
    """How many letters and digits are in lines of several that were read for certain; upright ones, or so turned."""
    return sum(
        len(line.text) for line in lines if line.turn in (turns or (0,)) and len(line.text) > 3 and _is_certain(line)
    )


def _is_certain(line: Line) -> bool:
    return line.best.confidence >= _CERTAIN and line.text.isascii()


def likely_names(lines: Sequence[Line]) -> list[str]:
    """What may be the name of a card, most likely first: large words, above all in its upper part."""
    told = [line for line in lines if _NAME.search(line.text) and line.best.confidence > 0.7 and len(line.text) <= 60]

    def worth(line: Line) -> float:
        tall = line.width if line.turn else line.height
        return tall * (1.7 if line.y < 18 else 1.0) * (0.4 if len(line.text.split()) > 5 else 1.0)

    ordered = sorted(told, key=worth, reverse=True)
    return list(
        dict.fromkeys([*(line.text for line in ordered[:1]), *_two_lines(ordered), *(line.text for line in ordered)])
    )


def _two_lines(ordered: Sequence[Line]) -> list[str]:
    """Names that are printed in two lines, the upper one first."""
    return [
        f"{upper.text} {lower.text}"
        for upper in ordered[:6]
        for lower in ordered[:6]
        if 0 < lower.y - upper.y < 1.6 * max(upper.height, lower.height)
        and 0.6 < upper.height / lower.height < 1.7
        and abs(upper.x - lower.x) < 0.5 * max(upper.width, lower.width)
        and len(upper.text) + len(lower.text) < 40
    ][:3]


def _too_small(found: Sequence[FoundCard], picture: Picture) -> tuple[int, int] | None:
    """Width and height, in pixels, of the largest card where that is too small to be read; None where it is not."""
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
    factor = 704 / max(picture.shape[:2])
    small = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=factor, fy=factor)
    return float(cv2.Laplacian(small, cv2.CV_64F).var())
