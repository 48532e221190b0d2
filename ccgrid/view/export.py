"""Writes cards as JSON Lines or CSV, to standard output or whole into a file."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from catalog.card import ZONES, Card
from catalog.csv_lines import csv_line
from catalog.files import whole_file
from ccgrid.view.output import json_line
from ccgrid.view.streams import write_data


def _json_lines(cards: Iterable[Card]) -> Iterator[str]:
    for card in cards:
        yield json_line(card.to_dict()) + "\n"


def _csv(cards: Iterable[Card]) -> Iterator[str]:
    """A table with a column for each zone; a cell that a spreadsheet would run is made harmless with an apostrophe."""
    before = ("id", "game", "name", "set_code", "collector_number")
    after = ("score", "legal", "reason", "attack", "defense")
    yield csv_line([*before, *ZONES, "face", *after])
    for card in cards:
        shape = card.to_dict()
        zones = [card.zones.get(zone) for zone in ZONES]
        face = " ".join(map(str, card.face))
        yield csv_line([*(shape[key] for key in before), *zones, face, *(shape[key] for key in after)])


WRITERS: Final[dict[str, Callable[[Iterable[Card]], Iterator[str]]]] = {"jsonl": _json_lines, "csv": _csv}


def write_cards(cards: Iterable[Card], form: str, output: Path | None) -> None:
    """Write cards in a format of `WRITERS`, a line at a time, or whole into a file; no name acts on a terminal."""
    lines = WRITERS[form](cards)
    if output is None:
        write_data(lines)
        return
    with whole_file(output) as file:
        file.writelines(lines)
