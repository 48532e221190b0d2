"""Scanned cards as `scan --json` prints them."""

from typing import cast

import msgspec

from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.zones import ZoneNumbers, ZoneOrFace


class ShownNumber(msgspec.Struct, frozen=True, kw_only=True):
    """A numeral on a picture: its centre in per cent of the card's width and height, and its confidence, 0 to 1."""

    raw: str
    value: int
    zone: ZoneOrFace
    x: float
    y: float
    confidence: float


class ShownDoubt(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a number may have been missed or misread, in per cent of the card's width and height.

    Attributes:
        value: The likeliest number there; null if nothing could be read.
        others: The next likely ones.
    """

    zone: ZoneOrFace
    x: float
    y: float
    value: int | None
    others: list[int]


class ShownScan(msgspec.Struct, frozen=True, kw_only=True):
    """One card on a picture: what was read, and the `id` of the catalogue's card, or null if there is none.

    Attributes:
        contradictions: Differences between the catalogue and the picture.
        corners: The card's corners on the picture, in per cent, clockwise from the card's own top left.
        cell: Its position on a 3x3 grid, 1 to 9 row by row, if a grid was requested.
        accepted: Whether it was accepted, if that was asked.
    """

    file: str
    name: str
    game: str | None
    id: str | None
    sure: bool
    zones: ZoneNumbers
    numbers: list[ShownNumber]
    doubts: list[ShownDoubt]
    contradictions: list[str]
    corners: list[list[float]]
    cell: int | msgspec.UnsetType = msgspec.UNSET
    accepted: bool | msgspec.UnsetType = msgspec.UNSET


def shown_scan(scan: Scan, *, accepted: bool | None = None) -> ShownScan:
    """Return the answer for a scanned card."""
    read, card = scan.read, scan.card
    return ShownScan(
        file=scan.file,
        name=scan.name,
        game=scan.game or None if card is None else card.game,
        id=None if card is None else card.id,
        sure=scan.sure,
        zones=cast("ZoneNumbers", scan.zones),
        numbers=[
            ShownNumber(
                raw=one.raw,
                value=one.value,
                zone=cast("ZoneOrFace", one.zone),
                x=round(one.x, 1),
                y=round(one.y, 1),
                confidence=round(one.confidence, 3),
            )
            for one in read.numbers
        ],
        doubts=[
            ShownDoubt(
                zone=cast("ZoneOrFace", one.zone),
                x=round(one.x, 1),
                y=round(one.y, 1),
                value=one.value,
                others=list(one.others),
            )
            for one in read.doubts
        ],
        contradictions=list(scan.contradictions),
        corners=[[round(x, 1), round(y, 1)] for x, y in read.corners],
        cell=msgspec.UNSET if read.cell is None else read.cell + 1,
        accepted=msgspec.UNSET if accepted is None else accepted,
    )
