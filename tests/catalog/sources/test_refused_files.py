"""Files in real formats that earlier versions rejected or misread."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers.small_imports import database, file, imported
from helpers.text_files import write_layout

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.imports.run import ImportRequest, import_source
from ccgrid.catalog.sources import find_source

# --- Cockatrice ---


def card_xml(name: str, *printed: str, text: str = "", kind: str = "Creature", cost: str = "2", pt: str = "1/4") -> str:
    properties = f"<type>{kind}</type><manacost>{cost}</manacost><pt>{pt}</pt>"
    return f"<card><name>{name}</name><text>{text}</text><prop>{properties}</prop>{''.join(printed)}</card>"


DUSK = "<set><name>DSK</name><longname>Dusk</longname><releasedate>2024-09-27</releasedate></set>"


def test_equal_printings_with_one_number_are_one_card(tmp_path: Path) -> None:
    pictures = [f'<set uuid="uuid-{i}" num="7" picURL="https://x/{i}.jpg">DSK</set>' for i in range(4)]
    summary, cards = imported(
        "cockatrice", file(tmp_path, "cards.xml", database(card_xml("Ash Ox", *pictures), sets=DUSK))
    )
    assert (summary.read, summary.skipped, list(cards)) == (4, 3, ["mtg:dsk/7"])
    assert summary.reasons == {"the same id again": ("mtg:dsk/7", 3)}


def test_different_printings_with_one_number_are_distinguished(tmp_path: Path) -> None:
    ox = card_xml("Ash Ox", '<set num="7">DSK</set>')
    other = card_xml("Ash Ox", '<set num="7">DSK</set>', cost="5")
    summary, cards = imported("cockatrice", file(tmp_path, "cards.xml", database(ox, other, sets=DUSK)))
    assert (summary.skipped, list(cards)) == (0, ["mtg:dsk/7", "mtg:dsk/7#2"])


def test_mostly_unreadable_file_is_an_error(tmp_path: Path) -> None:
    cards = [card_xml("", '<set num="1">DSK</set>')] * 3 + [card_xml("Ash Ox", '<set num="7">DSK</set>')]
    with pytest.raises(CatalogError, match="only 1 of 4 rows is a card"):
        imported("cockatrice", file(tmp_path, "cards.xml", database(*cards, sets=DUSK)))


def test_sets_without_a_date_are_reported_with_the_consequence(tmp_path: Path) -> None:
    tokens = [card_xml(name, f'<set num="{i}">TDSK</set>', cost="") for i, name in enumerate(("Ox", "Elk"), 1)]
    dated = card_xml("Ash Ox", '<set num="7">DSK</set>')
    summary, cards = imported("cockatrice", file(tmp_path, "tokens.xml", database(*tokens, dated, sets=DUSK)))
    assert summary.remarks == [
        "tokens.xml: it does not say when a set came out (2 cards), so their frame is unknown and their collector "
        "numbers are not read."
    ]
    assert (cards["mtg:tdsk/1"].zones, cards["mtg:dsk/7"].zones["bottom-left"]) == ({}, 7)


# --- MTGJSON of 2017 ---


OLD_SET: dict[str, Any] = {
    "name": "Dusk",
    "code": "DSK",
    "releaseDate": "2016-04-08",
    "type": "expansion",
    "booster": ["rare", "common"],
    "cards": [
        {
            "name": "Ash Ox",
            "number": "7",
            "layout": "normal",
            "manaCost": "{2}{R}",
            "type": "Creature — Ox",
            "power": "4",
            "toughness": "*",
            "text": "Draw 3 cards.",
            "multiverseid": 11,
            "types": ["Creature"],
        },
        {
            "name": "Gideon of Ash",
            "number": "9",
            "layout": "normal",
            "manaCost": "{4}{W}",
            "type": "Planeswalker",
            "loyalty": 4,
            "text": "+1: Draw a card.",
        },
        {"name": "Ember", "number": "10a", "layout": "split", "names": ["Ember", "Cinder"], "manaCost": "{1}"},
        {"name": "Cinder", "number": "10b", "layout": "split", "names": ["Ember", "Cinder"], "manaCost": "{5}"},
        {
            "name": "Moth",
            "number": "8a",
            "layout": "double-faced",
            "names": ["Moth", "Owl"],
            "manaCost": "{3}",
            "type": "Creature",
            "power": "1",
            "toughness": "*",
        },
        {"name": "Owl", "number": "8b", "layout": "double-faced", "names": ["Moth", "Owl"], "type": "Creature"},
    ],
}
FIRST_SET = {
    "name": "Dawn",
    "code": "DWN",
    "releaseDate": "1994-08-08",
    "cards": [
        {"name": "Old Ox", "layout": "normal", "manaCost": "{2}", "mciNumber": "6"},
        {"name": "Elk", "layout": "normal", "manaCost": "{4}"},
    ],
}


@pytest.mark.parametrize(
    "document", [{"DWN": FIRST_SET, "DSK": OLD_SET}, [FIRST_SET, OLD_SET]], ids=["by code", "as a list"]
)
def test_sets_of_mtgjson_of_2017_are_read(tmp_path: Path, document: Any) -> None:
    summary, cards = imported("mtgjson", file(tmp_path, "AllSets.json", document))
    assert (summary.read, summary.skipped) == (8, 2)
    assert summary.reasons == {"it is the other face of a card; only fronts count": ("dsk, card 4", 2)}
    assert set(cards) == {"mtg:dwn/6", "mtg:dwn/elk", "mtg:dsk/7", "mtg:dsk/8", "mtg:dsk/9", "mtg:dsk/10"}
    ox = cards["mtg:dsk/7"]
    assert (ox.set_name, ox.zones, ox.face) == ("Dusk", {"top-right": 2, "bottom-right": 4, "bottom-left": 7}, (3,))
    assert cards["mtg:dsk/9"].zones == {"top-right": 4, "left": 1, "bottom-right": 4, "bottom-left": 9}
    assert (cards["mtg:dsk/10"].name, cards["mtg:dsk/10"].reason) == ("Ember // Cinder", "layout:split")
    assert cards["mtg:dsk/8"].zones == {"top-right": 3, "bottom-right": 1, "bottom-left": 8}
    assert cards["mtg:dwn/6"].zones == {"top-right": 2}, "the frame of 1993 prints no number"


def test_one_set_of_mtgjson_of_2017_is_read(tmp_path: Path) -> None:
    summary, cards = imported("mtgjson", file(tmp_path, "DSK.json", OLD_SET))
    assert (summary.read, len(cards), cards["mtg:dsk/7"].set_code) == (6, 4, "dsk")


def test_file_without_sets_has_its_own_error(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match=r"AllCards\.json: no set with cards was found in it\."):
        imported("mtgjson", file(tmp_path, "AllCards.json", {"Ash Ox": {"name": "Ash Ox", "manaCost": "{2}"}}))


# --- Hearthstone ---


def test_hearthstone_cards_that_are_not_collectible_are_omitted(tmp_path: Path) -> None:
    rows = [
        {
            "id": "EX1_1",
            "name": "Ash Ox",
            "type": "MINION",
            "set": "EX",
            "cost": 3,
            "attack": 2,
            "health": 4,
            "collectible": True,
        },
        {"id": "EX1_1e", "name": "Ash", "type": "ENCHANTMENT", "set": "EX"},
        {"id": "EX1_2", "name": "Button", "type": "HERO_POWER", "set": "EX", "cost": 2, "collectible": False},
    ]
    summary, cards = imported("hearthstone", file(tmp_path, "cards.json", rows))
    assert (summary.read, [card.name for card in cards.values()]) == (1, ["Ash Ox"])
    assert summary.remarks[-1] == "cards.json: 2 cards that cannot be collected were skipped."


# --- Flesh and Blood ---


def test_cards_with_same_name_in_another_language_are_all_imported(tmp_path: Path) -> None:
    table = "Unique ID\tName\tFunctional Text\tType Text\n" + "".join(
        f"u{i}\tRuée de laiton\tGagne +{i}.\tAction\n" for i in (1, 2, 3)
    )
    summary, cards = imported("fab", file(tmp_path, "french/card.csv", table).parent)
    assert (summary.read, summary.skipped) == (3, 0)
    assert sorted(cards) == ["fab:ruee-de-laiton/fr", "fab:ruee-de-laiton/fr/u2", "fab:ruee-de-laiton/fr/u3"]
    assert {card.lang for card in cards.values()} == {"fr"}
    assert {card.reason for card in cards.values()} == {"data:numbers"}


def test_first_format_of_flesh_and_blood_is_read(tmp_path: Path) -> None:
    rows = [{"name": "Brass Rush", "identifiers": ["WTR009", "1HP010"], "cost": "2", "attack": "4", "defense": "3"}]
    summary, cards = imported("fab", file(tmp_path, "card.json", rows))
    assert sorted(cards) == ["fab:1hp010", "fab:wtr009"]
    assert (summary.skipped, cards["fab:wtr009"].reason) == (0, "multiple-numbers:bottom-left")
    assert cards["fab:wtr009"].attack == 4


def test_another_card_with_same_number_is_imported(tmp_path: Path) -> None:
    printed = [{"id": "WTR001", "set_id": "WTR"}, {"id": "WTR001", "set_id": "WTR", "foiling": "R"}]
    rows = [
        {"unique_id": "a", "name": "Brass Rush", "cost": "2", "power": "", "printings": printed},
        {"unique_id": "b", "name": "Brass Wall", "cost": "3", "power": "", "printings": printed},
    ]
    summary, cards = imported("fab", file(tmp_path, "card.json", rows))
    assert (summary.read, sorted(cards)) == (2, ["fab:wtr001", "fab:wtr001/b"])


# --- Triple Triad ---


@pytest.mark.parametrize(
    "ranks",
    [
        {"n": 1, "e": 5, "s": 4, "w": 10},
        {"N": "1", "E": "5", "S": "4", "W": "A"},
        {"north": 1, "east": 5, "south": 4, "west": 10},
        {"topValue": 1, "rightValue": 5, "bottomValue": 4, "leftValue": 10},
        {"top_rank": "1", "right_rank": "5", "bottom_rank": "4", "left_rank": "a"},
        {"stats": {"top": 1, "right": 5, "bottom": 4, "left": 10}},
        {"attributes": [1, 5, 4, 10]},
    ],
    ids=lambda ranks: "-".join(ranks),
)
def test_ranks_are_read_under_every_name_of_a_side(tmp_path: Path, ranks: Mapping[str, Any]) -> None:
    _, cards = imported("tripletriad", file(tmp_path, "cards.json", [{"id": 1, "name": "Geode", **ranks}]))
    assert cards["tripletriad:1"].reason == "multiple-numbers:top-left"
    assert cards["tripletriad:1"].score == 10, "the letter A is no numeral"


def test_table_of_triple_triad_cards_is_read(tmp_path: Path) -> None:
    _, cards = imported("tripletriad", file(tmp_path, "cards.csv", "id,name,level,n,e,s,w\n1,Geode,1,1,4,5,A\n"))
    assert cards["tripletriad:1"].score == 10


def test_levels_and_stars_identify_the_triple_triad(tmp_path: Path) -> None:
    sides = {"n": 1, "e": 5, "s": 4, "w": 2}
    eight = file(tmp_path, "eight/cards.json", [{"id": 1, "name": "Geode", "level": 1, **sides}])
    with pytest.raises(CatalogError, match="ccgrid import tripletriad FILE"):
        imported("tripletriad-xiv", eight)
    fourteen = file(tmp_path, "xiv/cards.json", [{"id": 1, "name": "Dodo", "stars": 1, **sides}])
    with pytest.raises(CatalogError, match="ccgrid import tripletriad-xiv FILE"):
        imported("tripletriad", fourteen)


# --- Pokémon ---


POCKET = [{"set": "A1", "number": 7, "rarity": "C", "name": "Embercub", "packs": ["Charizard"]}]


def test_pokemon_pocket_cards_are_digital_and_of_another_game(tmp_path: Path) -> None:
    path = file(tmp_path, "A1.json", POCKET)
    with pytest.raises(CatalogError) as caught:
        imported("pokemon", path)
    assert str(caught.value) == (
        "A1.json: these are cards of Pokémon TCG Pocket, another game. To import them: ccgrid import pokemonpocket FILE"
    )
    _, cards = imported("pokemonpocket", path)
    assert (cards["pokemonpocket:a1/7"].name, cards["pokemonpocket:a1/7"].reason) == ("Embercub", "digital")


def test_real_files_of_pokemon_pocket_are_read(shared_data: Path, tmp_path: Path) -> None:
    request = ImportRequest(find_source("pokemonpocket"), shared_data / "pokemon-tcg-pocket" / "A2a.json")
    summary = import_source(request, tmp_path / "catalogue.db")
    assert (summary.read, summary.skipped, dict(summary.barred)) == (96, 0, {"digital": 96})


def test_file_of_decks_is_an_error(tmp_path: Path) -> None:
    deck = {"id": "d-base1-1", "name": "Starter", "types": ["Fire"], "cards": [{"id": "base1-7", "count": 3}]}
    with pytest.raises(CatalogError) as caught:
        imported("pokemon", file(tmp_path, "base1.json", [deck]))
    assert str(caught.value) == "base1.json: these are decks. The sets are in cards/en."


# --- folders ---


def test_skipped_row_of_several_files_names_its_file(tmp_path: Path) -> None:
    layout = write_layout(tmp_path / "mine.toml", "might")
    for name in ("a", "b"):
        file(tmp_path, f"data/{name}.csv", f"name,might\n{name}x,1\n,2\n{name}y,3\n")
    summary, _ = imported("file", tmp_path / "data", layout)
    assert summary.reasons == {"it has no name": ("a.csv, line 3", 2)}
    summary, _ = imported("file", tmp_path / "data" / "a.csv", layout)
    assert summary.reasons == {"it has no name": ("line 3", 1)}


def test_another_list_of_pokemon_pocket_is_reported(tmp_path: Path) -> None:
    rows = [{"id": "a1-007", "name": "Embercub", "rarity": "◊", "pack": "Charizard", "health": "70"}]
    path = file(tmp_path, "v4.json", rows)
    with pytest.raises(CatalogError, match="ccgrid import pokemonpocket FILE"):
        imported("pokemon", path)
    assert list(imported("pokemonpocket", path)[1]) == ["pokemonpocket:a1-007"]


def test_fields_of_sets_of_2017_are_read(tmp_path: Path) -> None:
    def old(code: str, *cards: dict[str, Any], **facts: Any) -> dict[str, Any]:
        return {"name": code.title(), "code": code, "releaseDate": "2007-05-04", **facts, "cards": list(cards)}

    shifted = {"name": "Late Ox", "number": "7", "manaCost": "{3}", "timeshifted": True, "multiverseid": 11}
    meld = {"layout": "meld", "names": ["Left", "Right", "Whole"]}
    document = {
        "FUT": old("FUT", shifted, {"name": "Ox", "number": "8a", "manaCost": "{4}"}),
        "TSB": old("TSB", {**shifted, "number": "9"}),
        "VMA": old("VMA", {"name": "Screen Ox", "number": "6", "manaCost": "{2}"}, onlineOnly=True),
        "EMN": old("EMN", {"name": "Left", "number": "1a", **meld}, {"name": "Right", "number": "2a", **meld}),
        "BAD": old("", {"name": "Lost Ox", "number": "1"}, {"name": 7, "number": "2"}),
    }
    summary, cards = imported("mtgjson", file(tmp_path, "AllSets.json", document))
    assert sorted(cards) == [f"mtg:{one}" for one in ("emn/1a", "emn/2a", "fut/7", "fut/8a", "tsb/9", "vma/6")]
    assert (cards["mtg:fut/7"].zones["top-left"], cards["mtg:fut/8a"].zones["top-right"]) == (3, 4)
    assert cards["mtg:tsb/9"].zones == {"top-right": 3, "bottom": 9}
    with sqlite3.connect(tmp_path / "catalogue.db") as connection:
        output = dict(connection.execute("SELECT id, ids FROM cards"))
    assert (output["mtg:tsb/9"].strip(), output["mtg:fut/8a"]) == ("multiverse:11", "")
    assert (cards["mtg:vma/6"].reason, cards["mtg:emn/2a"].name) == ("digital", "Right")
    assert [where for where, _ in summary.reasons.values()] == ["BAD, card 2", "the set, card 1"]
    assert list(summary.reasons)[1] == "no usable name, or its set has no code"
