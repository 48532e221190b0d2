"""Writes cards as JSON Lines or CSV, to standard output or whole into a file."""

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from catalog.card import ZONES, Card
from catalog.files import whole_file
from ccgrid.view.output import json_line
from ccgrid.view.text import visible


def _json_lines(cards: Iterable[Card]) -> Iterator[str]:
    for card in cards:
        yield json_line(card.to_dict()) + "\n"


def _csv(cards: Iterable[Card]) -> Iterator[str]:
    """A table with a column for each zone; a cell that a spreadsheet would run is made harmless with an apostrophe."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    before = ("id", "game", "name", "set_code", "collector_number")
    after = ("score", "legal", "reason", "attack", "defense")

    def written(cells: Iterable[object]) -> str:
        line.seek(0)
        line.truncate()
        writer.writerow(cells)
        return line.getvalue()

    yield written([*before, *ZONES, "face", *after])
    for card in cards:
        shape = card.to_dict()
        zones = [card.zones.get(zone) for zone in ZONES]
        face = " ".join(map(str, card.face))
        yield written(
            [*(_harmless(shape[key]) for key in before), *zones, face, *(_harmless(shape[key]) for key in after)]
        )


def _harmless(value: Any) -> Any:
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else value


WRITERS: Final[dict[str, Callable[[Iterable[Card]], Iterator[str]]]] = {"jsonl": _json_lines, "csv": _csv}


def write_cards(cards: Iterable[Card], form: str, output: Path | None) -> None:
    """Write cards in a format of `WRITERS`, a line at a time, or whole into a file; no name acts on a terminal."""
    lines = WRITERS[form](cards)
    if output is None:
        if sys.stdout.isatty():
            lines = (visible(line.removesuffix("\n")) + "\n" for line in lines)
        sys.stdout.writelines(lines)
        return
    with whole_file(output) as file:
        file.writelines(lines)
