"""Helpers for adding cards to a catalogue."""

from pathlib import Path
from typing import Any

from helpers.catalogues import write_rows

from ccgrid.catalog.card import Card
from ccgrid.catalog.imports.run import ImportRequest, import_bundled
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.sources import find_source
from ccgrid.catalog.store.catalogue import Store


def fill(store: Store, tmp_path: Path, cards: list[dict[str, Any]]) -> Store:
    import_bundled(ImportRequest(find_source("mtg"), write_rows(tmp_path / "cards.jsonl", cards)), store)
    return store


def printing(card: Card) -> Printing:
    """Return the card as a source with recorded numbers yields it."""
    printed = [(zone, "number", "stats", (str(number),)) for zone, number in card.zones.items()]
    printed += [("face", "text", "stats", (str(number),)) for number in card.face]
    fields = {"printed": printed, "attack": card.attack, "defense": card.defense}
    given = (card.set_code, card.set_name, card.collector_number, card.released, card.lang, card.printed_name)
    return Printing(card.id, card.name, fields, *given)
