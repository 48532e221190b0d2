"""Tables of cards, sources and settings, and counts of cards as bars and heat maps, on a terminal or as a picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ccgrid.catalog.card import short_reason
from ccgrid.catalog.clock import local_minute
from ccgrid.catalog.formatting import counted
from ccgrid.catalog.zones import PLACE_NAMES, ZONE_LETTERS, ZONES
from ccgrid.view.output import OutputColumn, can_draw, show, show_table

if TYPE_CHECKING:
    from ccgrid.catalog.card import Card
    from ccgrid.catalog.correction import Correction
    from ccgrid.catalog.store.statistics import FieldStats, PlottedStats
    from ccgrid.services.config_changes import Configuration
    from ccgrid.services.imports import ListedSource


_CARDS: Final = (
    OutputColumn("id", whole=True),
    OutputColumn("name", wrap=True),
    OutputColumn("set", wrap=True, spare=3),
    OutputColumn("numbers", wrap=True),
    OutputColumn("score", "right", spare=2),
    OutputColumn("legal", wrap=True),
)


def show_card_list(cards: Sequence["Card"]) -> None:
    """Print a table of cards; `tr3` is a 3 in the top-right corner."""
    rows = [
        (card.id, card.name, card.set_name or card.set_code, short_zones(card), card.score, _legality(card))
        for card in cards
    ]
    show_table(_CARDS, rows)


def show_corrected(cards: Mapping[str, "Card"], corrections: Mapping[str, "Correction"]) -> None:
    """Print the cards of sources that are corrected by hand, with their corrections."""
    if not corrections:
        return
    show("", "Cards of sources, corrected by hand:", "")
    show_table(
        [OutputColumn("id", wrap=True), OutputColumn("name", wrap=True), OutputColumn("corrected", wrap=True)],
        [
            (
                card_id,
                cards[card_id].name if card_id in cards else "(no longer in a source)",
                ", ".join(correction.words()),
            )
            for card_id, correction in corrections.items()
        ],
    )
    show("", "To revert a correction: ccgrid card remove ID")


def show_candidates(cards: Sequence["Card"]) -> None:
    """Print a numbered list of cards from which the user chooses one."""
    columns = (
        OutputColumn("", "right"),
        *map(OutputColumn, ("game", "name")),
        OutputColumn("set", wrap=True),
        OutputColumn("number"),
    )
    rows = [
        (number, card.game, card.name, card.set_name or card.set_code, card.collector_number, _numbers(card))
        for number, card in enumerate(cards, 1)
    ]
    show_table((*columns, OutputColumn("numbers", wrap=True)), rows)


def _numbers(card: "Card") -> str:
    """Return the numbers of a card in short form: zones, face, and why it is not legal, if so."""
    face = f"face {' '.join(map(str, card.face))}" if card.face else ""
    barred = "" if card.legal else f"not legal: {short_reason(card.reason or 'no')}"
    return ", ".join(part for part in (short_zones(card), face, barred) if part)


def short_zones(card: "Card") -> str:
    """Return the numbers of a card in short form.

    >>> from ccgrid.catalog.card import Card
    >>> short_zones(Card("a:1", "a", "Ant", {"top-right": 3, "bottom": 7}, 10))
    'tr3 b7'
    """
    return " ".join(f"{ZONE_LETTERS[zone]}{number}" for zone, number in card.zones.items())


def _legality(card: "Card") -> str:
    return "yes" if card.legal else short_reason(card.reason or "no")


def show_sources(rows: Sequence["ListedSource"]) -> None:
    """Print the sources, and the number of cards imported from each."""
    columns = [
        OutputColumn("source"),
        OutputColumn("what it is"),
        OutputColumn("cards", "right"),
        OutputColumn("newest card"),
    ]
    show_table(columns, [(row.source, row.title, row.cards, row.newest) for row in rows])
    count = sum(row.cards for row in rows)
    show(
        "",
        f"{counted(count, 'card')} imported. To import a source: ccgrid import SOURCE. Details: ccgrid sources SOURCE",
    )


def show_source(row: "ListedSource") -> None:
    """Print the details of a source."""
    guesses = (f"{one.field} {one.zone} ({one.confidence})" for one in row.guesses)
    found = {
        "from": row.keeper,
        "address": row.address,
        "download by hand": row.by_hand if row.by_hand != row.address else None,
        "cards": f"{row.cards:,}",
        "newest card": row.newest,
        "data of": row.version,
        "imported": row.imported and local_minute(row.imported),
        "terms": row.terms or "none are stated",
        "note": row.note,
        "unverified positions": ", ".join(guesses),
    }
    show(f"{row.source}: {row.title}", "")
    show_table(
        [OutputColumn("what"), OutputColumn("value", wrap=True)],
        [(name, value) for name, value in found.items() if value],
    )


def show_config(found: "Configuration", *, explain: bool) -> None:
    """Print the settings and the origin of each value."""
    show(f"Settings: {found.path}{'' if found.exists else ' (no file yet)'}", "")
    columns = [OutputColumn("setting"), OutputColumn("value", wrap=True), OutputColumn("from")]
    more = [OutputColumn("variable", wrap=True), OutputColumn("what it is", wrap=True)] if explain else []
    rows = [
        (one.name, one.value, one.source, *((one.variable, one.about) if explain else ())) for one in found.settings
    ]
    show_table([*columns, *more], rows)
    order = "Options override environment variables, which override the file."
    show("", order if explain else "To change one: ccgrid config set NAME VALUE. More: ccgrid config --explain")


_MOST_BARS: Final = 20
_BAR: Final = 40
_SHADES: Final = (" ░▒▓█", " .:*#")
_ROW, _WIDE, _LEFT, _CELL = 20, 400, 260, 40
"""Units of the SVG: height of a row, widest bar, left end of bars, side of a cell."""
_FONTS: Final = "Arial, Helvetica, DejaVu Sans, Liberation Sans, Noto Sans"
_INK, _LIGHT, _TEXT = "#2b6cb0", "#bee3f8", "#1a202c"


class _Bar(NamedTuple):
    """A bar: its label, the number of cards, and the number of legal ones."""

    label: str
    cards: int
    legal: int


def _charts(stats: "PlottedStats") -> Iterator[tuple[str, list[_Bar]]]:
    yield "Cards by game", [_Bar(one.game, one.cards, one.legal) for one in stats.games]
    sets = sorted((_Bar(one.set, one.cards, one.legal) for one in stats.sets), key=lambda bar: -bar.cards)
    more = len(sets) - _MOST_BARS
    yield f"Cards by set, the largest of {len(sets):,}" if more > 0 else "Cards by set", sets[:_MOST_BARS]
    yield "Cards by year", [_Bar(str(one.year), one.cards, one.legal) for one in stats.years]


def show_field_stats(stats: "FieldStats", *, plot: bool) -> None:
    """Print how many cards or copies have each value of a field, as a table or as bars, whose dark part is legal."""
    one = "card" if stats.counted == "cards" else "copy"
    show(f"{counted(stats.total, one, stats.counted)}, {stats.legal:,} of them legal.", "")
    bars = _field_bars(stats)
    if plot:
        _show_bars(f"{stats.counted.capitalize()} by {stats.field}", bars, stats.counted)
        return
    columns = OutputColumn(stats.field, wrap=True), OutputColumn(stats.counted, "right"), OutputColumn("legal", "right")
    show_table(columns, bars)


def _field_bars(stats: "FieldStats") -> list[_Bar]:
    return [_Bar("unknown" if one.value is None else one.value, one.count, one.legal) for one in stats.values]


def field_stats_svg(stats: "FieldStats") -> str:
    """Return the bars of a field as a self-contained SVG picture."""
    parts = list[str]()
    top = _bars(parts, f"{stats.counted.capitalize()} by {stats.field}", _field_bars(stats)[:_MOST_BARS], 10)
    return _svg(top, parts)


def _show_bars(title: str, bars: Sequence[_Bar], what: str = "cards") -> None:
    full, light = ("█", "░") if can_draw() else ("#", ".")
    if not bars:
        return
    widest = max(bar.cards for bar in bars)
    show(f"{title} ({full} legal, {light} not legal):", "")
    rows = []
    for bar in bars:
        long, legal = (-(-_BAR * count // widest) for count in (bar.cards, bar.legal))
        share = f"{100 * bar.legal // bar.cards} %"
        rows.append((bar.label, bar.cards, share, full * legal + light * (long - legal)))
    show_table(
        [
            OutputColumn("", wrap=True),
            OutputColumn(what, "right"),
            OutputColumn("legal", "right"),
            OutputColumn("", spare=1),
        ],
        rows,
    )
    show("")


def show_plots(stats: "PlottedStats") -> None:
    """Print counts as bars, whose dark part is legal, and numbers by zone as a heat map."""
    for title, bars in _charts(stats):
        _show_bars(title, bars)
    numbers = stats.numbers
    most = max(map(max, numbers.values()))
    shades = _SHADES[0 if can_draw() else 1]
    show("Legal cards by number and zone (darker is more):", "")
    show_table(
        [OutputColumn("zone"), *(OutputColumn(str(number), "right") for number in range(len(numbers[ZONES[0]])))],
        [(PLACE_NAMES[zone], *(2 * shades[_shade(one, most)] for one in numbers[zone])) for zone in ZONES],
    )
    show("", f"{2 * shades[-1]} is {most:,}.")


def _shade(count: int, most: int) -> int:
    """Return the index of one of five shades; 0 only for a count of 0."""
    return -(-4 * count // most) if most else 0


def plots_svg(stats: "PlottedStats") -> str:
    """Return the plots as a self-contained SVG picture."""
    parts, top = list[str](), 10
    for title, bars in _charts(stats):
        if bars:
            top = _bars(parts, title, bars, top)
    top = _heat_map(parts, stats.numbers, top)
    return _svg(top, parts)


def _svg(height: int, parts: Sequence[str]) -> str:
    size = f'width="{_LEFT + _WIDE + 160}" height="{height}"'
    style = f'font-family="{_FONTS}, sans-serif" font-size="13" fill="{_TEXT}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n<title>ccgrid</title>\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def _bars(parts: list[str], title: str, bars: Sequence[_Bar], top: int) -> int:
    widest = max(bar.cards for bar in bars)
    parts.append(_label(10, top + _ROW, f"{title} (dark: legal)", "bold"))
    for row, bar in enumerate(bars, 2):
        y = top + row * _ROW
        for count, colour in ((bar.cards, _LIGHT), (bar.legal, _INK)):
            wide = round(_WIDE * count / widest, 1)
            parts.append(f'<rect x="{_LEFT}" y="{y - 13}" width="{wide}" height="15" fill="{colour}"/>')
        parts.append(_label(10, y, bar.label[:36]))
        share = f"{bar.cards:,}, {100 * bar.legal // bar.cards} % legal"
        parts.append(_label(round(_LEFT + _WIDE * bar.cards / widest + 6), y, share))
    return top + (len(bars) + 3) * _ROW


def _heat_map(parts: list[str], numbers: Mapping[str, Sequence[int]], top: int) -> int:
    most = max(map(max, numbers.values())) or 1
    parts.append(_label(10, top + _ROW, "Legal cards by number and zone", "bold"))
    for number in range(len(numbers[ZONES[0]])):
        parts.append(_label(_LEFT + number * _CELL + 14, top + 2 * _ROW, str(number)))
    for row, zone in enumerate(ZONES):
        y = top + 2 * _ROW + 8 + row * _CELL
        parts.append(_label(10, y + 24, PLACE_NAMES[zone]))
        for number, count in enumerate(numbers[zone]):
            shade = f'fill="{_INK}" fill-opacity="{count / most:.3f}"'
            place = f'x="{_LEFT + number * _CELL}" y="{y}" width="{_CELL - 2}" height="{_CELL - 2}"'
            parts.append(f"<rect {place} {shade}><title>{zone} {number}: {count:,}</title></rect>")
    return top + 3 * _ROW + len(ZONES) * _CELL + 8


def _label(x: int, y: int, text: str, weight: str = "normal") -> str:
    from html import escape

    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f'<text x="{x}" y="{y}" font-weight="{weight}">{escape(clean)}</text>'
