"""Rows in Scryfall's formats, and their readings."""

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import SourceRow
from ccgrid.catalog.readers.streams import open_data
from ccgrid.catalog.sources import scryfall

LAYOUT = find_layout("mtg")
READER = LAYOUT.compiled()
Fields = dict[str, Any]


def rows_of(path: Path) -> list[SourceRow]:
    with open_data(path) as stream:
        return list(scryfall.read(stream, path.name, LAYOUT))


def _stream(content: bytes) -> Any:
    return io.BytesIO(content)


def made_up(**fields: Any) -> Fields:
    card = {"name": "Grob", "set": "xyz", "collector_number": "99", "frame": "2015", "released_at": "2019-01-01"}
    return {"object": "card", **card, "games": ["paper"], "type_line": "Artifact", **fields}


CARDS = [
    made_up(
        collector_number="1", name='Gr"öb ]},', mana_cost="{3}", oracle_text="Has [2] of {these}\\,\n", all_parts=[{}]
    ),
    made_up(collector_number="2", name="鬼 \u2028 \U0001f409", lang="ja", multiverse_ids=[], prices={"usd": None}),
    made_up(collector_number="3", power="*", toughness="3", games=["paper", "mtgo"], big=10**40, small=-1.5e-7),
    made_up(collector_number="4", card_faces=[{"name": "A", "mana_cost": "{1}"}, {"name": "B"}], layout="transform"),
]
SHAPES: dict[str, Callable[[list[Fields]], str]] = {
    "JSON Lines": lambda cards: "".join(json.dumps(card, ensure_ascii=False) + "\n" for card in cards),
    "escaped JSON Lines": lambda cards: "".join(json.dumps(card) + "\n" for card in cards),
    "JSON Lines with blank lines": lambda cards: "\n\n" + "\n\n".join(map(json.dumps, cards)) + "\n \n",
    "array, a line each": lambda cards: "[\n" + ",\n".join(map(json.dumps, cards)) + "\n]\n",
    "array, brackets in the lines": lambda cards: "[" + ",\n".join(map(json.dumps, cards)) + "]",
    "pretty array": lambda cards: json.dumps(cards, indent=2, ensure_ascii=False) + "\n",
    "array in one line": lambda cards: json.dumps(cards, separators=(",", ":")),
    "array in one line with its end": lambda cards: json.dumps(cards) + "\n",
    "API list": lambda cards: json.dumps({"object": "list", "has_more": False, "data": cards}) + "\n",
    "API list without its end": lambda cards: json.dumps({"object": "list", "data": cards}),
    "pretty API list": lambda cards: json.dumps({"object": "list", "data": cards, "next": None}, indent=4),
}


def scryfall_rows(content: bytes) -> list[SourceRow] | None:
    """Return the rows of a file, or None if it is an error."""
    try:
        return list(scryfall.read(_stream(content), "x", LAYOUT))
    except CatalogError:
        return None


def peak_of(work: Callable[[], object]) -> int:
    """Return the peak memory of Python during a call, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
