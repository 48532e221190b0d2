"""Draws scanned cards: their numbers in their zones, doubtful ones marked, and under it what was read where."""

from collections.abc import Sequence
from typing import Final

from catalog.card import ZONES
from catalog.custom_card import CustomCard
from catalog.evidence import FACE
from catalog.scan.result import Scan
from catalog.scan.values import SURE
from ccgrid.view.drawing import Drawing, below, beside
from ccgrid.view.output import Column, aligned, console, show
from ccgrid.view.text import shorten
from ccgrid.view.tiles import draw_tiles
from engine.picture import Tile

_COLUMNS: Final = (
    Column("zone"),
    Column("read"),
    Column("value", "right"),
    Column("at", "right"),
    Column("sure", "right"),
)
_INNER: Final = 30
_HEIGHT: Final = 15
_GAP: Final = 3  # cells between the card and what was read on it
_WIDEST: Final = 12  # cells of a text that was read


def draw_scan(scan: Scan, entry: CustomCard, chosen: str = "") -> Drawing:
    """Draw a card as it stands, 32 cells by 17: `4?` is in doubt, `[4]` is the place that is chosen."""
    unsure = scan.doubtful
    zones = {zone: _shown(entry.printed.get(zone, ""), zone in unsure, zone == chosen) for zone in ZONES}
    face = _shown(entry.printed.get(FACE, ""), False, chosen == FACE)
    captions = (entry.game, entry.collector_number and f"no. {entry.collector_number}", face and f"face {face}")
    tile = Tile(
        name=entry.name or "?",
        zones={zone: text for zone, text in zones.items() if text},
        captions=tuple(caption for caption in captions if caption),
    )
    return draw_tiles([tile], 1, inner=_INNER, height=_HEIGHT)


def _shown(text: str, unsure: bool, chosen: bool) -> str:
    marked = text + "?" * unsure
    return f"[{marked}]" if chosen else marked


def show_scan(scan: Scan, entry: CustomCard, chosen: str = "") -> None:
    """Print a card, beside it each numeral that was read in a zone, and under it how it was found."""
    show("", f"{scan.file}: {entry.name or 'no name could be read'}", draw_beside(scan, entry, chosen, console().width))
    show(describe(scan))
    for told in scan.contradictions:
        show(f"Disagrees: {told}.")


def draw_beside(scan: Scan, entry: CustomCard, chosen: str, cells: int) -> Drawing:
    """Draw a card and what was read on its rim, side by side where that many cells are wide enough."""
    card = draw_scan(scan, entry, chosen)
    rim = [number for number in scan.read.numbers if number.zone != FACE]
    if not rim:
        return card
    rows = [
        (n.zone, shorten(n.raw, _WIDEST), n.value, f"{n.x:.0f}, {n.y:.0f}", _sure(n.confidence))
        for n in rim[: _HEIGHT + 1]
    ]
    table = Drawing.of(aligned(_COLUMNS, rows))
    return beside(card, table, _GAP) if card.cells + _GAP + table.cells <= cells else below([card, table])


def _sure(confidence: float) -> str:
    return f"{confidence:.0%}{'?' if confidence < SURE else ' '}"


def describe(scan: Scan) -> str:
    """Say in one line which card it is and how sure that is."""
    if scan.card is not None:
        whole = "" if scan.sure else ", but not every number is as the catalogue has it"
        return f"Known: {scan.card.name} ({scan.card.id}){whole}."
    if scan.read.sure:
        return "Sure: every number was read alike by every look."
    zones = [zone for zone in ZONES if zone in scan.doubtful]
    likely = f" It may be {scan.known.card.name} ({scan.known.card.id})." if scan.known is not None else ""
    if zones:
        return f"Not sure of: {', '.join(zones)}.{likely}"
    return f"Not sure: no number was read on the rim.{likely}" if not scan.read.rim else f"Not sure.{likely}"


def show_disagreements(scans: Sequence[Scan]) -> None:
    """Print the cards whose pictures and catalogue disagree, zone by zone."""
    for scan in scans:
        assert scan.card is not None  # noqa: S101  only known cards are compared
        show(f"{scan.file}: {scan.card.name} ({scan.card.id})")
        for told in scan.contradictions:
            show(f"  {told}")
