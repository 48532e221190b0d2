"""Hearthstone: zeros that both files omit, texts with markup, and the same cards from either file."""

import json
from pathlib import Path
from typing import Any

import pytest

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import CardReading
from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import hearthstone

LAYOUT = find_layout("hearthstone")
READER = LAYOUT.compiled()
WISP = {"id": "CS2_231", "dbfId": 179, "name": "Wisp of Dusk", "type": "MINION", "health": 1, "set": "EXPERT1"}


def read(path: Path) -> list[Printing]:
    with open_tree(path) as tree:
        rows = list(hearthstone.read_tree(tree, LAYOUT, lambda sentence: None))
    assert all(isinstance(row, Printing) for row in rows)
    return [row for row in rows if isinstance(row, Printing)]


def shown(tmp_path: Path, **card: Any) -> CardReading:
    path = tmp_path / "cards.collectible.json"
    path.write_text(json.dumps([WISP | card]), encoding="utf-8")
    return READER.read(read(path)[0].fields)


def test_missing_cost_or_attack_of_a_minion_is_zero(tmp_path: Path) -> None:
    reading = shown(tmp_path)
    assert reading.zones == {"top-left": [0], "bottom-left": [0], "bottom-right": [1]}
    assert (reading.attack, reading.defense, reading.reason) == (0, 1, None)


@pytest.mark.parametrize(
    ("card", "zones"),
    [
        ({"type": "SPELL", "health": None}, {"top-left": [0]}),
        (
            {"type": "WEAPON", "health": None, "durability": 4},
            {"top-left": [0], "bottom-left": [0], "bottom-right": [4]},
        ),
        ({"type": "LOCATION", "health": 3, "cost": 2}, {"top-left": [2], "bottom-right": [3]}),
        ({"type": "HERO", "health": 30, "armor": 5, "cost": 6}, {"top-left": [6], "bottom-right": [5]}),
        ({"type": "HERO", "health": 30}, {}),
        ({"type": "HERO_POWER", "health": None, "cost": 2}, {"top": [2]}),
    ],
    ids=["spell", "weapon", "location", "hero", "portrait", "hero power"],
)
def test_each_kind_of_card_shows_its_own_numbers(
    tmp_path: Path, card: dict[str, Any], zones: dict[str, list[int]]
) -> None:
    assert shown(tmp_path, **card).zones == zones


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("<b>Charge</b>. Deal $3 damage.", [3]),
        ("[x]Summon two\n1/1 Whelps.", [1, 1]),
        ("Repeat {0} times.", []),
        ("Deal $2 damage.@ (Restore 3 Health to upgrade.)", [2]),
        ("Draw a card.@<i>(3 left!)</i>", []),
        ("If you have cast @ spells, deal $5 damage.", [5]),
        ("Deal $@ damage. Draw 2 cards.", [2]),
        ("[x]Summon 2 Skeletons! @<i>(@)</i>", [2]),
        ("Summon 2 |4(Imp, Imps).", [2]),
        ("Give +2/+2.", [2, 2]),
    ],
)
def test_markup_in_a_text_contains_no_numbers(tmp_path: Path, text: str, face: list[int]) -> None:
    assert shown(tmp_path, text=text).face == face


def test_placeholder_in_a_text_becomes_the_initial_number(tmp_path: Path) -> None:
    assert shown(tmp_path, text="Equip a @/3 Dagger.", value="1").face == [1, 3]


def test_text_in_the_collection_is_preferred_to_that_in_the_hand(tmp_path: Path) -> None:
    assert shown(tmp_path, text="Deal 9 damage. 1 left.", collectionText="Deal 9 damage.").face == [9]


DEFINITIONS = """<?xml version="1.0" encoding="utf-8"?>
<CardDefs build="255790">
<Entity CardID="CS2_231" ID="179" version="2">
<Tag enumID="185" name="CARDNAME" type="LocString"><deDE>Irrwisch</deDE><enUS>Wisp of Dusk</enUS></Tag>
<Tag enumID="45" name="HEALTH" type="Int" value="1"/><Tag enumID="183" name="CARD_SET" type="Int" value="3"/>
<Tag enumID="202" name="CARDTYPE" type="Int" value="4"/><Tag enumID="321" name="COLLECTIBLE" type="Int" value="1"/>
</Entity>
<Entity CardID="CS2_231e" ID="180" version="2"><Tag enumID="202" name="CARDTYPE" type="Int" value="6"/></Entity>
<Entity CardID="W_1" ID="181"><Tag name="CARDNAME"><enUS>Axe</enUS></Tag><Tag name="CARDTYPE" value="7"/>
<Tag name="ATK" value="3"/><Tag name="COST" value="2"/><Tag name="HEALTH" value="4"/><Tag name="COLLECTIBLE" value="1"/>
</Entity>
</CardDefs>
"""


def test_definitions_give_the_same_cards_as_the_json_file(tmp_path: Path) -> None:
    (tmp_path / "CardDefs.xml").write_text(DEFINITIONS, encoding="utf-8")
    axe = {"id": "W_1", "name": "Axe", "type": "WEAPON", "attack": 3, "cost": 2, "durability": 4}
    (tmp_path / "cards.json").write_text(json.dumps([WISP, axe]), encoding="utf-8")
    from_xml, from_json = read(tmp_path / "CardDefs.xml"), read(tmp_path / "cards.json")
    assert [row.id for row in from_xml] == ["hearthstone:cs2_231", "hearthstone:w_1"]
    assert [row.id for row in from_json] == [row.id for row in from_xml]
    for one, other in zip(from_xml, from_json, strict=True):
        assert (one.name, READER.read(one.fields)) == (other.name, READER.read(other.fields))


def test_folder_without_cards_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError):
        read(tmp_path)
