"""Rows of cards: read back out of the table they are as they were bound, and the table holds what they mean."""

import pytest

from ccgrid.catalog.card import ZONES, Printing
from ccgrid.catalog.evidence import CardReading, EvidenceReader
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.packed import pack, packing
from ccgrid.catalog.store.catalogue import Store
from ccgrid.catalog.store.imports import INSERT, READ, card_row
from ccgrid.catalog.store.lookup import ZONE_COLUMNS

EVERYTHING = CardReading({zone: [number] for number, zone in enumerate(ZONES, 3)}, [1, 0], 9, "oversized", 0, 10, [])
NOTHING = CardReading({}, [], 0, None, None, None, [])
SEVERAL = CardReading({"left": [2, 0], "bottom-right": [0]}, [], 2, "multiple-numbers:left", 0, None, [])


@pytest.mark.parametrize("reading", [EVERYTHING, NOTHING, SEVERAL])
@pytest.mark.parametrize(("released", "printed_name"), [(None, None), ("", ""), ("1998-06-15", "0")])
def test_a_row_comes_back_out_of_the_table_as_it_was_bound(
    reading: CardReading, released: str | None, printed_name: str | None
) -> None:
    printing = Printing("made:1/1", "Fog", {}, "1", "One", "1", released, "en", printed_name, "scryfall:x")
    row = card_row(printing, pack(reading), "made", 7)
    with Store.in_memory() as store:
        store.connection.execute(INSERT, row)
        assert (*store.connection.execute(f"SELECT {READ} FROM cards").fetchone(), 7) == row
        (card,) = store.tables["cards"].rows
    zones = [found[0] if len(found := reading.zones.get(zone, [])) == 1 else None for zone in ZONES]
    assert [card[column] for column in ZONE_COLUMNS] == zones
    assert (card["legal"], card["reason"]) == (reading.reason is None, reading.reason)
    assert (card["attack"], card["defense"]) == (reading.attack, reading.defense)
    assert (card["released"], card["printed_name"]) == (released, printed_name)
    assert (card["import_id"], card["seen_id"], card["game"]) == (7, 7, "made")


def test_a_layout_packs_what_it_reads_as_anybody_would() -> None:
    layout = find_layout("mtg").compiled()
    fields = {"mana_cost": "{2}{W}", "power": "3", "toughness": "13", "text": "Draw 2, or 1.", "frame": "2015"}
    fields |= {"name": "Fog of 9", "collector_number": "7", "released_at": "2015-01-01", "layout": "normal"}
    for absent in ([], ["power"], ["mana_cost", "text", "name"], list(fields)):
        shown = {name: text for name, text in fields.items() if name not in absent}
        assert packing(layout)(shown) == pack(layout.read(shown))


def test_what_was_written_down_is_packed_too() -> None:
    fields = {"printed": [("top", "cost", "stats", "4")], "attack": 1, "defense": None}
    assert packing(EvidenceReader())(fields) == pack(EvidenceReader().read(fields))
