"""Counts of cards as pictures: bars by game, set and year, and a heat map of the zones; on a terminal and as SVG."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ccgrid.catalog.card import ZONES
from ccgrid.view.output import Column, can_draw, show, show_table

_MOST_BARS: Final = 20
_BAR: Final = 40
_SHADES: Final = (" ░▒▓█", " .:*#")
_ROW, _WIDE, _LEFT, _CELL = 20, 400, 260, 40
"""Of an SVG, in its units: the height of a row, the widest bar, where bars begin, the side of a cell."""
_INK, _LIGHT, _TEXT = "#2b6cb0", "#bee3f8", "#1a202c"


class _Bar(NamedTuple):
    """A bar: what it stands for, how many cards there are, and how many of them are legal."""

    label: str
    cards: int
    legal: int


def _charts(stats: Mapping[str, Any]) -> Iterator[tuple[str, list[_Bar]]]:
    yield "Cards by game", [_Bar(one["game"], one["cards"], one["legal"]) for one in stats["games"]]
    sets = sorted((_Bar(one["set"], one["cards"], one["legal"]) for one in stats["sets"]), key=lambda bar: -bar.cards)
    more = len(sets) - _MOST_BARS
    yield f"Cards by set, the largest of {len(sets):,}" if more > 0 else "Cards by set", sets[:_MOST_BARS]
    yield "Cards by year", [_Bar(str(one["year"]), one["cards"], one["legal"]) for one in stats["years"]]


def show_plots(stats: Mapping[str, Any]) -> None:
    """Print the counts as bars, of which the full part is legal, and the numbers by zone as a heat map."""
    full, light = ("█", "░") if can_draw() else ("#", ".")
    for title, bars in _charts(stats):
        if not bars:
            continue
        widest = max(bar.cards for bar in bars)
        show(f"{title} ({full} legal, {light} barred):", "")
        rows = []
        for bar in bars:
            long, legal = (-(-_BAR * count // widest) for count in (bar.cards, bar.legal))
            share = f"{100 * bar.legal // bar.cards} %"
            rows.append((bar.label, bar.cards, share, full * legal + light * (long - legal)))
        show_table(
            [Column("", wrap=True), Column("cards", "right"), Column("legal", "right"), Column("", spare=1)], rows
        )
        show("")
    numbers: Mapping[str, Sequence[int]] = stats["numbers"]
    most = max(map(max, numbers.values()))
    shades = _SHADES[0 if can_draw() else 1]
    show("Legal cards by number and zone, the darker the more:", "")
    show_table(
        [Column("zone"), *(Column(str(number), "right") for number in range(len(numbers[ZONES[0]])))],
        [(zone.replace("-", " "), *(2 * shades[_shade(one, most)] for one in numbers[zone])) for zone in ZONES],
    )
    show("", f"{2 * shades[-1]} is {most:,}.")


def _shade(count: int, most: int) -> int:
    """Which of five shades: none only where there is nothing."""
    return -(-4 * count // most) if most else 0


def plots_svg(stats: Mapping[str, Any]) -> str:
    """The same as a picture that needs nothing but itself."""
    parts, top = list[str](), 10
    for title, bars in _charts(stats):
        if bars:
            top = _bars(parts, title, bars, top)
    top = _heat_map(parts, stats["numbers"], top)
    size = f'width="{_LEFT + _WIDE + 160}" height="{top}"'
    style = f'font-family="sans-serif" font-size="13" fill="{_TEXT}"'
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
        parts.append(_label(10, y + 24, zone.replace("-", " ")))
        for number, count in enumerate(numbers[zone]):
            shade = f'fill="{_INK}" fill-opacity="{count / most:.3f}"'
            place = f'x="{_LEFT + number * _CELL}" y="{y}" width="{_CELL - 2}" height="{_CELL - 2}"'
            parts.append(f"<rect {place} {shade}><title>{zone} {number}: {count:,}</title></rect>")
    return top + 3 * _ROW + len(ZONES) * _CELL + 8


def _label(x: int, y: int, text: str, weight: str = "normal") -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in text)
    return f'<text x="{x}" y="{y}" font-weight="{weight}">{html.escape(clean)}</text>'
