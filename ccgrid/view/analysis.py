"""Shows a game looked at afterwards: every move with what it gave away, a chart of who was ahead, and a summary."""

from typing import Final

from ccgrid.view.names import player_name
from ccgrid.view.output import Column, can_draw, show, show_table
from ccgrid.view.pictures import picture_cells
from ccgrid.view.proofs import lead
from ccgrid.view.words import counted
from engine.insight.analysis import MARKS, Analysis, Look

_HALF: Final = 8
_NARROW_HALF: Final = 5
_WIDE_ENOUGH: Final = 72
"""Half of a chart has so many cells, and fewer where the terminal has not as many as this."""


def show_analysis(analysis: Analysis) -> None:
    """Show every move, and what it comes to (`analyze --json`)."""
    first = player_name(analysis.players[0], 12)
    two = len(analysis.players) == 2
    columns = [
        Column("", "right"),
        Column("player"),
        Column("move"),
        Column(""),
        Column("gave", "right"),
        Column("best"),
        Column("hindsight", "right"),
    ]
    if two:
        columns.append(Column("ahead"))
    half = _HALF if picture_cells() >= _WIDE_ENOUGH else _NARROW_HALF
    widest = max((abs(_ahead(look)) for look in analysis.looks), default=0.0)
    rows = []
    for number, look in enumerate(analysis.looks, 1):
        row = [
            str(number),
            player_name(analysis.players[look.seat], 12),
            look.move,
            look.mark,
            _points(look.lost, exact=look.error is None),
            look.knowable.best.move if look.lost else "",
            "" if look.hindsight is None else _points(look.hindsight.lost, exact=True),
        ]
        rows.append([*row, _bar(_ahead(look), widest, half)] if two else row)
    show_table(columns, rows)
    chart = f" ahead: {first} to the right, the other to the left." if two else ""
    legend = "gave: points given away, as the player could know; hindsight: with everything known, where it is proved."
    if analysis.is_open:
        legend = "gave: points given away, tried out or proved; hindsight: where it is proved."
    show("", legend + chart, "")
    for seat, player in enumerate(analysis.players):
        show(_summary(analysis, seat, player_name(player)))
    if analysis.deal is not None:
        name = player_name(analysis.players[0])
        ahead = analysis.scores[0] - analysis.scores[1]
        show(f"The deal: {name} {lead(round(analysis.deal, 1))}. In the end: {name} {lead(ahead)}.")


def _summary(analysis: Analysis, seat: int, name: str) -> str:
    marks = [f"{count} {mark}" for mark, count in analysis.count(seat).items() if count]
    moves = counted(sum(look.seat == seat for look in analysis.looks), "move")
    parts = [f"{name}: {analysis.scores[seat]} points in {moves}", f"gave away {analysis.lost(seat):.1f}"]
    parts.append(", ".join(marks) if marks else f"no {MARKS[0]}, {MARKS[1]} or {MARKS[2]}")
    if seat in analysis.luck:
        parts.append(f"the draw gave {analysis.luck[seat]:+.1f}")
    return "; ".join(parts) + "."


def _ahead(look: Look) -> float:
    """What the first seat of two was ahead in the end after this move, as its player could know."""
    return look.value if look.seat == 0 else -look.value


def _points(value: float, *, exact: bool) -> str:
    if not value:
        return ""
    return f"{value:.0f}" if exact else f"{value:.1f}"


def _bar(value: float, widest: float, half: int) -> str:
    """A bar to the right of the middle where the first seat is ahead, to the left where it is behind."""
    block, middle = ("█", "│") if can_draw() else ("#", "|")
    cells = round(half * abs(value) / widest) if widest else 0
    left, right = ("", block * cells) if value >= 0 else (block * cells, "")
    return f"{left:>{half}}{middle}{right}"
