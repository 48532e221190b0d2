"""Shows a layout, and what comes of data that are read by it."""

from typing import TYPE_CHECKING, Final

from ccgrid.view.output import Column, show, show_table
from ccgrid.view.text import visible
from ccgrid.view.words import counted, reason_in_words

if TYPE_CHECKING:
    from catalog.imports.layout_check import LayoutReport
    from catalog.imports.layout_draft import Field
    from catalog.layouts.layout import Layout

_LINES: Final = (Column("zone"), Column("field", wrap=True), Column("sure"), Column("note", wrap=True))
_REASONS: Final = (Column("cards", "right"), Column("why", wrap=True))
_CARDS: Final = (
    Column("id", wrap=True, spare=1),
    Column("name", wrap=True),
    Column("numbers", wrap=True),
    Column("face", wrap=True),
)


def show_layout(layout: "Layout", trial: "LayoutReport | None") -> None:
    """Print the lines of a layout and, where data were read by it, what came of them."""
    show(f"{layout.name} ({layout.game}): the layout is well formed.", "")
    show_table(_LINES, [(line.zone, line.field, line.confidence, line.note) for line in layout.printed])
    if trial is None:
        return
    show("", f"{counted(trial.read, 'row')} read: {trial.legal} legal, {trial.barred.total()} barred.")
    if trial.barred:
        show_table(_REASONS, [(count, reason_in_words(reason)) for reason, count in trial.barred.most_common()])
    for where, why in trial.reasons:
        show(f"Skipped {where}: {why}")
    if trial.examples:
        show("")
        show_table(
            _CARDS,
            [
                (
                    card["id"],
                    card["name"],
                    ", ".join(f"{zone} {' '.join(map(str, found))}" for zone, found in card["zones"].items()),
                    " ".join(map(str, card["face"])),
                )
                for card in trial.examples
            ],
        )
    elif trial.read:
        show("No card of these may be used: does a line name the zone of a field with numbers?")


def field_in_words(field: "Field") -> str:
    """A field of a data file with examples of what it holds, as a question names it."""
    return visible(f"{field.path} ({', '.join(example[:20] for example in field.examples)})")
