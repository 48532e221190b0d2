"""The numbers of a scan, and doubts about missed or misread ones, by its icons, the other cards, and the game."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ccgrid.catalog.numbers import Slash
from ccgrid.catalog.scan.places import find_numbers, is_at_edge
from ccgrid.catalog.scan.spots import vote_of
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE, ScanDoubt, ScannedCard, zone_at
from ccgrid.catalog.zones import FACE, ZONES

_SHOWN: Final = 0.9  # how likely the network for icons must find a number in an icon that was not read,
_SHOWN_IN_BOX: Final = 0.7  # how likely if the network for text found a short box there, too,
_SHOWN_AND_SAID: Final = 0.5  # and how likely if a reading has the same number
_READ: Final = 0.9  # the confidence from which a line over an icon counts as read
_FEWEST: Final = 2  # other cards that must have a number where one card has none,
_OFTEN: Final = 1 / 3  # and their least share of all others


def with_numbers(card: ScannedCard, slash: Slash | None = None, zones: Container[str] = ZONES) -> ScannedCard:
    """Return the card with the numbers of its lines, and doubts about them.

    `slash` is the game's meaning of a/b, if known, and `zones` those in which it prints numbers.
    """
    found = find_numbers(card.lines, slash)
    numbered = replace(card, numbers=found.seen, doubts=found.doubts, collector=found.collector)
    return within_zones(with_passed_over(numbered), zones)


def with_passed_over(card: ScannedCard) -> ScannedCard:
    """Return the card with doubts about unread icons on its rim."""
    return replace(card, doubts=tuple(dict.fromkeys((*card.doubts, *_unread_icons(card)))))


def with_lacking_numbers(cards: Sequence[ScannedCard]) -> list[ScannedCard]:
    """Return cards of one game, each with doubts about zones in which it has no number, but many of the others do."""
    usual = usual_places(cards)
    return [with_usual_numbers(card, usual) for card in cards]


def usual_places(cards: Sequence[ScannedCard]) -> dict[str, tuple[float, float]]:
    """Return the zones in which many cards of one game have a number, with the mean place of these numbers."""
    usual = {}
    by_zone = [{one.zone: one for one in card.rim} for card in cards]
    for zone in ZONES:
        shown = [numbers[zone] for numbers in by_zone if zone in numbers]
        if is_usual(len(shown), len(cards) - 1):
            usual[zone] = sum(one.x for one in shown) / len(shown), sum(one.y for one in shown) / len(shown)
    return usual


def is_usual(count: int, others: int) -> bool:
    """Return whether that many of the other cards with a number in a zone make a card without one uncertain."""
    return count >= max(_FEWEST, _OFTEN * others)


def with_usual_numbers(card: ScannedCard, usual: Mapping[str, tuple[float, float]]) -> ScannedCard:
    """Return the card with doubts where it has no number in these zones, each with the place of its number.

    Card 214 does not lack the collector number up to 10 that others have.
    """
    known = {one.zone for one in card.numbers if one.counts or one.confidence >= MIN_CERTAIN_CONFIDENCE}
    known |= {doubt.zone for doubt in card.doubts}
    lacking = (ScanDoubt(*place, zone) for zone, place in usual.items() if zone not in known)
    return replace(card, doubts=(*card.doubts, *lacking))


def within_zones(card: ScannedCard, zones: Container[str]) -> ScannedCard:
    """Return a card of a game that prints numbers in these zones only: elsewhere, only certain ones are kept."""
    likely = tuple(
        number
        for number in card.numbers
        if number.zone == FACE or number.zone in zones or number.confidence >= MIN_CERTAIN_CONFIDENCE
    )
    return replace(card, numbers=likely, doubts=tuple(doubt for doubt in card.doubts if doubt.zone in zones))


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
