"""Drawings of one card with its numbers, and tables that explain them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ccgrid.catalog.card import Card
from ccgrid.catalog.card_answers import PrintedNumber, guessed_zones
from ccgrid.catalog.custom_card import CustomCard
from ccgrid.catalog.description import NOTHING_SAID, PrintedDescription
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.scan.identification import Recognition
from ccgrid.catalog.scan.result import Scan
from ccgrid.catalog.scan.values import MIN_CERTAIN_CONFIDENCE
from ccgrid.catalog.zones import FACE, ZONE_PHRASES, ZONES
from ccgrid.engine.picture import Tile
from ccgrid.view.output import Drawing, OutputColumn, aligned_lines, below, beside, console, show, show_table
from ccgrid.view.pictures import draw_tiles
from ccgrid.view.reasons import reason_text
from ccgrid.view.reports import skipped_in_words, verdict_line
from ccgrid.view.text import shorten, visible

if TYPE_CHECKING:
    from ccgrid.catalog.imports.layout_draft import Draft, DraftField
    from ccgrid.catalog.imports.layout_trial import LayoutReport
    from ccgrid.catalog.layouts.layout import Layout

INNER: Final = 30
HEIGHT: Final = 15
_MOST_LEFT: Final = 6
"""The number of omitted lists of a draft that are named."""
MOST_SHOWN: Final = 3
"""The most numbers drawn in one zone; the table below lists all of them."""

_COLUMNS: Final = (
    OutputColumn("zone"),
    OutputColumn("field", wrap=True),
    OutputColumn("raw", wrap=True, spare=1),
    OutputColumn("value", "right"),
    OutputColumn("why", wrap=True),
)


def show_card(
    card: Card, numbers: Sequence[PrintedNumber], said: PrintedDescription = NOTHING_SAID, decks: Sequence[str] = ()
) -> None:
    """Print a card: its picture, what it says, whether it may be used, and each number with where it was read.

    `numbers` are the rows of `show --json`: zone (or face), field, raw, value, counts, why, confidence.
    """
    printing = " ".join(part for part in (card.set_name, card.set_code and f"({card.set_code})") if part)
    printed = ", ".join(part for part in (printing, card.collector_number and f"no. {card.collector_number}") if part)
    show(card.name, " - ".join(part for part in (card.id, printed) if part))
    if numbers:
        show_table(_COLUMNS, [_row(number) for number in numbers], beside=_draw(card, numbers, 24, 8))
    else:
        show(draw_card(card))
    for line in description_lines(card, said):
        show(line)
    if card.legal:
        show(verdict_line("Legal", " in decks.", good=True))
    else:
        why = reason_text(card.reason) if card.reason else "for an unknown reason"
        show(verdict_line("Not legal", f" in decks: {why}", good=False))
        if decks:
            show(f"Decks for {' and '.join(decks)} may still contain it.")
    guessed = guessed_zones(numbers)
    for zone in guessed:
        unsure = _guesses(number for number in numbers if number.zone == zone)
        show("", f"The number {ZONE_PHRASES[zone]} is a guess: {unsure}.")
    if guesses := _guesses(number for number in numbers if number.zone not in guessed):
        show("", f"Unverified positions: {guesses}.")


def description_lines(card: Card, said: PrintedDescription) -> Iterator[str]:
    """Yield the facts about a card besides its numbers, then its text and an empty line."""
    description, colours = said.description, said.description.colours
    parts = {
        "type": description.type,
        "cost": description.cost,
        "colours": "colourless" if colours == () else ", ".join(colours or ()),
        "rarity": said.rarity,
        "keywords": ", ".join(description.keywords),
        "artist": said.artist,
        "released": card.released or "",
        **dict(description.fields),
    }
    known = [f"{name.capitalize()}: {text}" for name, text in parts.items() if text]
    if said != NOTHING_SAID:
        yield ". ".join(known) + "."
        yield from description.text.splitlines()
        yield ""


def draw_card(card: Card, numbers: Sequence[PrintedNumber] = ()) -> Drawing:
    """Draw an upright card, 32 by 17 cells, with several numbers in one zone as `2 2!`.

    Without `numbers` only zones with exactly one number are drawn.
    """
    return _draw(card, numbers, INNER, HEIGHT)


def _draw(card: Card, numbers: Sequence[PrintedNumber], inner: int, height: int) -> Drawing:
    face = " ".join(map(str, card.face))
    fight = f"attack {card.attack}  defense {card.defense}" if card.attack is not None else ""
    captions = [
        f"{card.set_code} {card.collector_number}".strip(),
        fight,
        f"face {face}" if face else "",
        f"score {card.score}",
        "legal" if card.legal else "! not legal !",
    ]
    tile = Tile(name=card.name, zones=_zones(card, numbers), captions=tuple(caption for caption in captions if caption))
    return draw_tiles([tile], 1, inner=inner, height=height)


def _zones(card: Card, numbers: Sequence[PrintedNumber]) -> dict[str, str]:
    """Return the text of each zone: its number, or its numbers with an exclamation mark, and `?` for a guess."""
    found: dict[str, list[str]] = {}
    for number in numbers:
        if number.counts:
            found.setdefault(number.zone, []).append(str(number.value))
    shown = {zone: str(value) for zone, value in card.zones.items()}
    for zone, values in found.items():
        if len(values) > 1:
            shown[zone] = " ".join(values[:MOST_SHOWN]) + ("+!" if len(values) > MOST_SHOWN else "!")
    return shown | {zone: f"{shown[zone]}?" for zone in guessed_zones(numbers) if zone in shown}


def _guesses(numbers: Iterable[PrintedNumber]) -> str:
    """Return the fields whose zone is a guess, each with its confidence."""
    found = {number.field: number.confidence for number in numbers if number.confidence != "high"}
    return ", ".join(f"{name} (confidence {confidence})" for name, confidence in found.items())


def _row(number: PrintedNumber) -> tuple[str, str, str, int, str]:
    return number.zone, number.field, number.raw, number.value, number.why


_SCAN_COLUMNS: Final = (
    OutputColumn("zone"),
    OutputColumn("read"),
    OutputColumn("value", "right"),
    OutputColumn("at", "right"),
    OutputColumn("sure", "right"),
)
_INNER: Final = 30
_HEIGHT: Final = 15
_GAP: Final = 3  # cells between the card and what was read on it
_WIDEST: Final = 12  # cells of a text that was read


def draw_scan(scan: Scan, entry: CustomCard, chosen: str = "") -> Drawing:
    """Draw a scanned card, 32 by 17 cells: `4?` is uncertain, `[4]` is the selected place."""
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
    """Print a card with a table of the numerals that were read in zones, and how it was identified."""
    show("", f"{scan.file}: {entry.name or 'no name could be read'}", draw_beside(scan, entry, chosen, console().width))
    show(describe(scan))
    for contradiction in scan.contradictions:
        show(f"Disagrees: {contradiction}.")


def draw_beside(scan: Scan, entry: CustomCard, chosen: str, cells: int) -> Drawing:
    """Draw a card and the numerals on its rim, side by side if `cells` are wide enough."""
    card = draw_scan(scan, entry, chosen)
    rim = [number for number in scan.read.numbers if number.zone != FACE]
    if not rim:
        return card
    rows = [
        (n.zone, shorten(n.raw, _WIDEST), n.value, f"{n.x:.0f}, {n.y:.0f}", _sure(n.confidence))
        for n in rim[: _HEIGHT + 1]
    ]
    table = Drawing.of(aligned_lines(_SCAN_COLUMNS, rows))
    return beside(card, table, _GAP) if card.cells + _GAP + table.cells <= cells else below([card, table])


def _sure(confidence: float) -> str:
    return f"{confidence:.0%}{'?' if confidence < MIN_CERTAIN_CONFIDENCE else ' '}"


def describe(scan: Scan) -> str:
    """Describe in one line which card it is and how certain that is."""
    if scan.card is not None:
        whole = "" if scan.sure else ", but some numbers differ from the catalogue"
        whole = ", whose data lack numbers" if scan.lacks_numbers and scan.agrees else whole
        card = f"{scan.card.name} ({scan.card.id}){whole}"
        if scan.known is not None and not scan.known.sure and scan.known.card.id == scan.card.id:
            return f"It may be {card}: {scan.known.reason}. Enter accepts it, x does not."
        return f"Known: {card}."
    zones = [_doubted(zone, scan) for zone in ZONES if zone in scan.doubtful]
    likely = f" It may be {suggested_card(scan.known)}." if scan.known is not None else ""
    if zones:
        return f"Not sure of: {', '.join(zones)}.{likely}"
    if not scan.read.rim:
        return f"Not sure: no number was read at the edges.{likely}"
    return f"Not sure: the numbers that were read are certain, but others may be missing.{likely}"


def suggested_card(known: Recognition) -> str:
    """Return the card that a scan may show, and why that is not certain."""
    return f"{known.card.name} ({known.card.id}): {known.reason}"


def _doubted(zone: str, scan: Scan) -> str:
    """Return an uncertain zone with its possible numbers, the likeliest first."""
    doubts = [doubt for doubt in scan.read.doubts if doubt.zone == zone and doubt.value is not None]
    values = dict.fromkeys(value for doubt in doubts for value in (doubt.value, *doubt.others))
    return f"{zone} ({' or '.join(map(str, values))}?)" if values else zone


def show_disagreements(scans: Sequence[Scan]) -> None:
    """Print the cards whose pictures and catalogue differ, zone by zone."""
    for scan in scans:
        assert scan.card is not None  # noqa: S101  only known cards are compared
        show(f"{scan.file}: {scan.card.name} ({scan.card.id})")
        for contradiction in scan.contradictions:
            show(f"  {contradiction}")


_LINES: Final = (
    OutputColumn("zone"),
    OutputColumn("field", wrap=True),
    OutputColumn("sure"),
    OutputColumn("note", wrap=True),
)
_REASONS: Final = (OutputColumn("cards", "right"), OutputColumn("why", wrap=True))
_CARDS: Final = (
    OutputColumn("id", wrap=True, spare=1),
    OutputColumn("name", wrap=True),
    OutputColumn("numbers", wrap=True),
    OutputColumn("face", wrap=True),
)


def show_layout(layout: "Layout", trial: "LayoutReport | None", skipped: Mapping[str, tuple[str, int]]) -> None:
    """Print the lines of a layout and, if data were read with it, the results."""
    show(f"{layout.name} ({layout.game}): the layout is valid.", "")
    show_table(_LINES, [(line.zone, line.field, line.confidence, line.note) for line in layout.printed])
    if trial is None:
        return
    show("", f"{counted(trial.read, 'row')} read: {trial.legal} legal, {sum(trial.barred.values())} not legal.")
    if trial.barred:
        show_table(_REASONS, [(count, reason_text(reason)) for reason, count in trial.barred.items()])
    for line in skipped_in_words(skipped):
        show(line)
    if trial.examples:
        show("")
        show_table(
            _CARDS,
            [
                (
                    card.id,
                    card.name,
                    ", ".join(f"{zone} {' '.join(map(str, found))}" for zone, found in card.zones.items()),
                    " ".join(map(str, card.face)),
                )
                for card in trial.examples
            ],
        )
    elif trial.read:
        show("No card is legal: does a line name the zone of a field with numbers?")


def draft_in_words(draft: "Draft") -> Iterator[str]:
    """Yield sentences on a drafted layout: the number and place of cards, omitted lists, and the identifying field."""
    if draft.rows or draft.left:
        place = "" if draft.is_whole_document else f" at {draft.rows}"
        yield f"{counted(draft.cards, 'card')}{place}."
    if draft.left:
        left = ", ".join(f"{name} ({counted(rows, 'row')})" for name, rows in draft.left[:_MOST_LEFT])
        more = f" and {len(draft.left) - _MOST_LEFT} more" if len(draft.left) > _MOST_LEFT else ""
        yield f"Data not used: {left}{more}."
    if draft.telling:
        yield (
            f"The layout identifies cards by {draft.telling.field}, which distinguishes {draft.telling.ids:,} of "
            f"{counted(draft.cards, 'card')}. Set with number or name distinguishes only {draft.telling.before:,}."
        )


def field_in_words(field: "DraftField") -> str:
    """Return a field of a data file with example values, for a question."""
    return visible(f"{field.path} ({', '.join(example[:20] for example in field.examples)})")
