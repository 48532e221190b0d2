"""Files of other games in real shapes that were refused, or taken for what they are not."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers.small_imports import file, imported

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.imports.run import ImportRequest, run
from ccgrid.catalog.sources import find_source

# --- Hearthstone ---


def test_what_nobody_can_collect_is_left_out_of_hearthstone(tmp_path: Path) -> None:
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
    assert summary.remarks[-1] == "cards.json: 2 cards that cannot be collected were left out."


# --- Flesh and Blood ---


def test_cards_of_one_name_in_another_language_are_all_kept(tmp_path: Path) -> None:
    table = "Unique ID\tName\tFunctional Text\tType Text\n" + "".join(
        f"u{i}\tRuée de laiton\tGagne +{i}.\tAction\n" for i in (1, 2, 3)
    )
    summary, cards = imported("fab", file(tmp_path, "french/card.csv", table).parent)
    assert (summary.read, summary.skipped) == (3, 0)
    assert sorted(cards) == ["fab:ruee-de-laiton/fr", "fab:ruee-de-laiton/fr/u2", "fab:ruee-de-laiton/fr/u3"]
    assert {card.lang for card in cards.values()} == {"fr"}
    assert {card.reason for card in cards.values()} == {"data:numbers"}


def test_the_first_versions_of_flesh_and_blood_list_numbers_and_call_power_attack(tmp_path: Path) -> None:
    rows = [{"name": "Brass Rush", "identifiers": ["WTR009", "1HP010"], "cost": "2", "attack": "4", "defense": "3"}]
    summary, cards = imported("fab", file(tmp_path, "card.json", rows))
    assert sorted(cards) == ["fab:1hp010", "fab:wtr009"]
    assert (summary.skipped, cards["fab:wtr009"].reason) == (0, "multiple-numbers:bottom-left")
    assert cards["fab:wtr009"].attack == 4


def test_another_card_under_the_same_number_is_not_dropped(tmp_path: Path) -> None:
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
def test_ranks_are_found_whatever_a_list_calls_the_sides(tmp_path: Path, ranks: Mapping[str, Any]) -> None:
    _, cards = imported("tripletriad", file(tmp_path, "cards.json", [{"id": 1, "name": "Geode", **ranks}]))
    assert cards["tripletriad:1"].reason == "multiple-numbers:top-left"
    assert cards["tripletriad:1"].score == 10, "the letter A is no numeral"


def test_a_table_of_triple_triad_cards_is_read(tmp_path: Path) -> None:
    _, cards = imported("tripletriad", file(tmp_path, "cards.csv", "id,name,level,n,e,s,w\n1,Geode,1,1,4,5,A\n"))
    assert cards["tripletriad:1"].score == 10


def test_levels_and_stars_tell_which_triple_triad_it_is(tmp_path: Path) -> None:
    sides = {"n": 1, "e": 5, "s": 4, "w": 2}
    eight = file(tmp_path, "eight/cards.json", [{"id": 1, "name": "Geode", "level": 1, **sides}])
    with pytest.raises(CatalogError, match="ccgrid import tripletriad FILE"):
        imported("tripletriad-xiv", eight)
    fourteen = file(tmp_path, "xiv/cards.json", [{"id": 1, "name": "Dodo", "stars": 1, **sides}])
    with pytest.raises(CatalogError, match="ccgrid import tripletriad-xiv FILE"):
        imported("tripletriad", fourteen)


# --- Pokémon ---


POCKET = [{"set": "A1", "number": 7, "rarity": "C", "name": "Embercub", "packs": ["Charizard"]}]


def test_cards_of_pokemon_pocket_are_another_games_and_on_screens_alone(tmp_path: Path) -> None:
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
    summary = run(request, tmp_path / "catalogue.db")
    assert (summary.read, summary.skipped, dict(summary.barred)) == (96, 0, {"digital": 96})


def test_a_file_of_decks_is_no_set(tmp_path: Path) -> None:
    deck = {"id": "d-base1-1", "name": "Starter", "types": ["Fire"], "cards": [{"id": "base1-7", "count": 3}]}
    with pytest.raises(CatalogError) as caught:
        imported("pokemon", file(tmp_path, "base1.json", [deck]))
    assert str(caught.value) == "base1.json: these are decks. The sets are in cards/en."


# --- folders ---


def test_a_row_that_is_left_out_of_several_files_says_in_which_it_stands(tmp_path: Path) -> None:
    layout = file(tmp_path, "mine.toml", 'game = "mine"\n[[printed]]\nfield = "might"\nzone = "top"\n')
    for name in ("a", "b"):
        file(tmp_path, f"data/{name}.csv", f"name,might\n{name}x,1\n,2\n{name}y,3\n")
    summary, _ = imported("file", tmp_path / "data", layout)
    assert summary.reasons == {"it has no name": ("a.csv, line 3", 2)}
    summary, _ = imported("file", tmp_path / "data" / "a.csv", layout)
    assert summary.reasons == {"it has no name": ("line 3", 1)}


def test_another_list_of_pokemon_pocket_is_told_too(tmp_path: Path) -> None:
    rows = [{"id": "a1-007", "name": "Embercub", "rarity": "◊", "pack": "Charizard", "health": "70"}]
    path = file(tmp_path, "v4.json", rows)
    with pytest.raises(CatalogError, match="ccgrid import pokemonpocket FILE"):
        imported("pokemon", path)
    assert list(imported("pokemonpocket", path)[1]) == ["pokemonpocket:a1-007"]


def test_what_sets_of_2017_say_of_their_cards_is_kept(tmp_path: Path) -> None:
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
        told = dict(connection.execute("SELECT id, ids FROM cards"))
    assert (told["mtg:tsb/9"].strip(), told["mtg:fut/8a"]) == ("multiverse:11", "")
    assert (cards["mtg:vma/6"].reason, cards["mtg:emn/2a"].name) == ("digital", "Right")
    assert [where for where, _ in summary.reasons.values()] == ["BAD, card 2", "the set, card 1"]
    assert list(summary.reasons)[1] == "no usable name, or its set has no code"
