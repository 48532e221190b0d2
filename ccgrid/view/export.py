"""Writes cards as JSON Lines or CSV, to standard output or whole into a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from ccgrid.catalog.card import ZONES, Card, ExportedCardJson
from ccgrid.catalog.csv_lines import csv_line
from ccgrid.catalog.files import whole_file
from ccgrid.view.output import json_line
from ccgrid.view.streams import write_data


def exported_json(card: Card) -> ExportedCardJson:
    """A card in the documented shape of `export --json`.

    Whoever guesses columns from the first lines, as table libraries do, finds every zone in each.
    """
    zones = {zone: card.zones.get(zone) for zone in ZONES}
    return cast("ExportedCardJson", {**card.to_dict(), "zones": zones})


def _json_lines(cards: Iterable[Card]) -> Iterator[str]:
    for card in cards:
        yield json_line(exported_json(card)) + "\n"


def _csv(cards: Iterable[Card]) -> Iterator[str]:
    """A table with a column for each zone; a cell that a spreadsheet would run is made harmless with an apostrophe."""
    before = ("id", "game", "name", "set_code", "collector_number")
    after = ("score", "legal", "reason", "attack", "defense")
    yield csv_line([*before, *ZONES, "face", *after])
    for card in cards:
        shape: Mapping[str, object] = card.to_dict()
        zones = [card.zones.get(zone) for zone in ZONES]
        face = " ".join(map(str, card.face))
        yield csv_line([*(shape[key] for key in before), *zones, face, *(shape[key] for key in after)])


def format_of(output: Path | None) -> str:
    """The format that the ending of a file means: a table for `.csv`, else JSON Lines."""
    return "csv" if output is not None and output.suffix.lower() == ".csv" else "jsonl"


WRITERS: Final[dict[str, Callable[[Iterable[Card]], Iterator[str]]]] = {"jsonl": _json_lines, "csv": _csv}


def write_cards(cards: Iterable[Card], form: str, output: Path | None) -> None:
    """Write cards in a format of `WRITERS`, a line at a time, or whole into a file; no name acts on a terminal."""
    lines = WRITERS[form](cards)
    if output is None:
        write_data(lines)
        return
    with whole_file(output) as file:
        file.writelines(lines)
