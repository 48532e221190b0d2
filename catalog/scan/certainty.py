"""Doubts about what a scan may have missed or misread, by its icons, the other cards, and the game."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.scan.places import is_at_edge
from ccgrid.catalog.scan.spots import vote_of
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScanDoubt, ScannedCard, zone_at
from ccgrid.catalog.zones import FACE, ZONES

_SHOWN: Final = 0.9  # how likely the network for icons must find a number in an icon that was not read,
_SHOWN_IN_BOX: Final = 0.7  # how likely if the network for text found a short box there, too,
_SHOWN_AND_SAID: Final = 0.5  # and how likely if a reading has the same number
_READ: Final = 0.9  # the confidence from which a line over an icon counts as read
_FEWEST: Final = 2  # other cards that must have a number where one card has none


def with_passed_over(card: ScannedCard) -> ScannedCard:
    """Return the card with doubts about unread icons on its rim."""
    return replace(card, doubts=tuple(dict.fromkeys((*card.doubts, *_unread_icons(card)))))


def with_lacking_numbers(cards: Sequence[ScannedCard]) -> list[ScannedCard]:
    """Return the cards of one picture, each with doubts about zones in which most of the others have a number."""
    return [
        replace(card, doubts=(*card.doubts, *_lacking(card, [*cards[:place], *cards[place + 1 :]])))
        for place, card in enumerate(cards)
    ]


def within_zones(card: ScannedCard, zones: Container[str]) -> ScannedCard:
    """Return a card of a game that prints numbers in these zones only: elsewhere, only certain ones are kept."""
    likely = tuple(
        number
        for number in card.numbers
        if number.zone == FACE or number.zone in zones or number.confidence >= MIN_CERTAIN_CONFIDENCE
    )
    return replace(card, numbers=likely, doubts=tuple(doubt for doubt in card.doubts if doubt.zone in zones))


def _lacking(card: ScannedCard, others: Sequence[ScannedCard]) -> Iterator[ScanDoubt]:
    known = {number.zone for number in card.rim} | {doubt.zone for doubt in card.doubts}
    for zone in ZONES:
        there = [next((one for one in other.rim if one.zone == zone), None) for other in others]
        shown = [one for one in there if one is not None]
        if zone not in known and len(shown) >= _FEWEST and 2 * len(shown) > len(others):
            yield ScanDoubt(sum(one.x for one in shown) / len(shown), sum(one.y for one in shown) / len(shown), zone)


def _unread_icons(card: ScannedCard) -> Iterator[ScanDoubt]:
    """Yield doubts about circles and lone shapes on the rim that probably show a number, if none was read."""
    read = [line for line in card.lines if line.found and line.best.confidence >= _READ]
    for line in card.lines:
        zone = zone_at(line.x, line.y)
        votes = {vote.number for vote in map(vote_of, line.readings) if vote is not None}
        shown = _SHOWN_IN_BOX if line.found else _SHOWN
        is_icon = any(
            one.text and one.confidence >= (_SHOWN_AND_SAID if one.text in votes else shown) for one in line.icon
        )
        if (
            is_icon
            and zone != FACE
            and not is_at_edge(line)
            and not any(line.covers(number.x, number.y) for number in card.numbers)
            and not any(other.covers(line.x, line.y) for other in read)
        ):
            yield ScanDoubt(round(line.x, 1), round(line.y, 1), zone)
