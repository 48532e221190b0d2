"""Which of many outlines are those of cards: not of frames in them, of parts of them, or of several side by side."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from catalog.scan.models import Picture

CARD_SHAPE: Final = 63 / 88  # width of a card by its height
_PAIR: Final = 0.86  # of an outline, filled by two cards side by side; the art and the text panel of one fill less
_SEVERAL: Final = 0.65  # the same for more than two
_ALIKE: Final = 0.45  # a card is at least that much of the area of the largest one
_OF_A_SIZE: Final = (0.72, 1.39)  # cards on one picture are as large as each other, nearly
_WITNESSES: Final = 2  # so many other cards of its size tell that an outline is of one card and not of two


def whole_cards(found: Sequence[tuple[float, Picture]]) -> list[Picture]:
    """The outlines of cards among those that were found, each with how likely it is one."""
    return _alike(_outermost(found))


def _outermost(found: Sequence[tuple[float, Picture]]) -> list[Picture]:
    """The best outlines that do not lie in or over each other: of a card and its frame the card."""
    order = sorted(found, key=lambda one: -cv2.contourArea(one[1]) * one[0] ** 2)
    kept: list[Picture] = []
    for index, (_, corners) in enumerate(order):
        if any(overlap(corners, other) > 0.25 for other in kept):
            continue
        smaller = [inner for _, inner in order[index + 1 :]]
        if not _is_group(corners, smaller) or _is_one_of_several(corners, [outline for _, outline in order]):
            kept.append(corners)
    return kept


def _is_one_of_several(outline: Picture, others: Sequence[Picture]) -> bool:
    """Whether other cards of its size lie beside an outline: then its halves are art and text, and not two cards."""
    area = cv2.contourArea(outline)
    cards: list[Picture] = []
    for other in others:
        if (
            _OF_A_SIZE[0] < cv2.contourArea(other) / area < _OF_A_SIZE[1]
            and abs(shape_of(other) - CARD_SHAPE) < 0.1
            and all(overlap(other, one) < 0.05 for one in (outline, *cards))
            and not _is_group(other, [one for one in others if cv2.contourArea(one) < cv2.contourArea(other)])
        ):
            cards.append(other)
    return len(cards) >= _WITNESSES


def _is_group(outline: Picture, others: list[Picture]) -> bool:
    """Whether an outline is not of a card but of several side by side: two or four have the shape of one."""
    area = cv2.contourArea(outline)
    fitting = [
        other
        for other in others
        if 0.12 * area < cv2.contourArea(other) < 0.52 * area
        and abs(shape_of(other) - CARD_SHAPE) < 0.1
        and overlap(outline, other) > 0.9
    ]
    for first in fitting:
        size = cv2.contourArea(first)
        apart: list[Picture] = [first]
        for other in fitting:
            alike = 0.7 < cv2.contourArea(other) / size < 1.43
            if alike and all(overlap(other, one) < 0.1 for one in apart):
                apart.append(other)
        filled = sum(map(cv2.contourArea, apart)) / area
        if filled > (_PAIR if len(apart) == 2 else _SEVERAL if len(apart) > 2 else 1):
            return True
    return False


def _alike(outlines: list[Picture]) -> list[Picture]:
    """The outlines without those that are far smaller than the largest: they are things on the table."""
    most = max((cv2.contourArea(outline) for outline in outlines), default=0.0)
    return [outline for outline in outlines if cv2.contourArea(outline) > _ALIKE * most]


def shape_of(corners: Picture) -> float:
    """The shorter sides by the longer, of the mean of opposite sides."""
    sides = [float(np.linalg.norm(corners[i] - corners[i - 1])) for i in range(4)]
    one, other = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return min(one, other) / max(one, other, 1e-6)


def overlap(one: Picture, other: Picture) -> float:
    """How much of the smaller outline lies in the other, 0 to 1."""
    both, _ = cv2.intersectConvexConvex(one, other)
    return float(both / max(1.0, min(cv2.contourArea(one), cv2.contourArea(other))))
