"""Sources with JSON data, as files, folders and archives."""

import copy
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers.json_files import PACKS, Read, folder, one_file
from helpers.small_sources import (
    NETRUNNER,
    ONE_PIECE,
    ONR,
    POKEMON_CARDS,
    POKEMON_SETS,
    SWCCG,
    SWCCG_SETS,
    TRANSFORMERS,
    TRIAD_EIGHT,
    TRIAD_FOURTEEN,
    YUGIOH,
    body,
    netrunner_card,
    printing,
)

from ccgrid.catalog.errors import CatalogError

POKEMON = {"sets/en.json": POKEMON_SETS, **{f"cards/en/{name}.json": cards for name, cards in POKEMON_CARDS.items()}}


def archived(path: Path, files: Mapping[str, object], top: str) -> tuple[Path, Path]:
    """Return the files in a zip and in a tarball, below a folder as in archives of repositories."""
    with zipfile.ZipFile(path / "copy.zip", "w") as archive:
        for name, value in files.items():
            archive.writestr(f"{top}{name}", body(value))
    with tarfile.open(path / "copy.tar.gz", "w:gz") as tarball:
        for name, value in files.items():
            member = tarfile.TarInfo(f"{top}{name}")
            member.size = len(body(value))
            tarball.addfile(member, io.BytesIO(body(value)))
    return path / "copy.zip", path / "copy.tar.gz"


@pytest.mark.parametrize(
    ("source", "files"), {"pokemon": POKEMON, "netrunner": PACKS, "transformers": TRANSFORMERS}.items()
)
def test_folder_zip_and_tarball_give_the_same_cards(tmp_path: Path, source: str, files: dict[str, object]) -> None:
    known = Read(source, folder(tmp_path / "copy", files)).cards
    assert known
    for archive in archived(tmp_path, files, f"{source}-master/"):
        assert Read(source, archive).cards == known


@pytest.mark.parametrize(
    ("source", "value"),
    {"pokemon": POKEMON_CARDS["base1"], "yugioh": YUGIOH, "swccg": SWCCG, "onr": ONR, "netrunner": NETRUNNER}.items(),
)
@pytest.mark.parametrize("end", [1, 20, 60])
def test_truncated_file_is_an_error(tmp_path: Path, source: str, value: object, end: int) -> None:
    with pytest.raises(CatalogError, match="Download it again"):
        Read(source, one_file(tmp_path, body(value)[:-end]))


@pytest.mark.parametrize("source", ["pokemon", "yugioh", "swccg", "netrunner", "tripletriad"])
def test_folder_without_cards_is_an_error(tmp_path: Path, source: str) -> None:
    with pytest.raises(CatalogError):
        Read(source, folder(tmp_path / "copy", {"README.txt": b"nothing here", "notes/todo.txt": b"later"}))


# --- Pokémon ----------------------------------------------------------------------------------------------------


def test_pokemon_card_has_name_and_date_of_its_set(tmp_path: Path) -> None:
    read = Read("pokemon", folder(tmp_path / "copy", POKEMON))
    card = read.cards["pokemon:base1/7"]
    assert (card.set_code, card.set_name, card.released) == ("base1", "Base", "1999-01-09")
    assert read.remarks == []


def test_zones_of_pokemon_weakness_and_number_depend_on_the_year(tmp_path: Path) -> None:
    read = Read("pokemon", folder(tmp_path / "copy", POKEMON))
    assert read.zones("pokemon:base1/7") == {"top-left": [1], "bottom-right": [7]}, "of stage 1"
    assert read.readings["pokemon:base1/7"].face == [9, 10, 2, 3]
    assert read.zones("pokemon:base1/8") == {"bottom-right": [8]}
    assert read.zones("pokemon:sv1/9") == {"bottom-left": [2, 9]}
    assert read.readings["pokemon:sv1/9"].face == []


@pytest.mark.parametrize(
    ("name", "zones"), [("base1", {"top-left": [1], "bottom-right": [7]}), ("sv1", {"bottom-left": [2, 9]})]
)
def test_era_of_single_pokemon_file_is_recognised_by_id_of_set(
    tmp_path: Path, name: str, zones: dict[str, list[int]]
) -> None:
    read = Read("pokemon", one_file(tmp_path, POKEMON_CARDS[name], f"{name}.json"))
    first = next(iter(read.cards))
    assert read.zones(first) == zones
    assert read.cards[first].released is None
    assert len(read.remarks) == 1


@pytest.mark.parametrize(
    ("name", "zones", "reason"),
    [
        ("me1", {"bottom-left": [2, 9]}, "multiple-numbers:bottom-left"),
        ("mcd21", {"bottom-left": [2, 9]}, "multiple-numbers:bottom-left"),
        ("basep", {"bottom-right": [9]}, None),
        ("zz9", {}, "data:release-date"),
    ],
)
def test_pokemon_card_of_unknown_era_is_not_legal(
    tmp_path: Path, name: str, zones: dict[str, list[int]], reason: str | None
) -> None:
    cards = [{**card, "id": f"{name}-9"} for card in POKEMON_CARDS["sv1"] if card["id"] == "sv1-9"]
    read = Read("pokemon", one_file(tmp_path, cards, f"{name}.json"))
    reading = read.readings[f"pokemon:{name}/9"]
    assert (reading.zones, reading.reason) == (zones, reason)


def test_netrunner_card_of_unknown_date_is_not_legal(tmp_path: Path) -> None:
    """Frames differ before and after December 2018."""
    read = Read("netrunner", one_file(tmp_path, NETRUNNER))
    assert read.readings
    for reading in read.readings.values():
        assert reading.reason == "data:release-date"
        assert not any(entry[2].startswith("collector") for entry in reading.evidence)


def test_answers_of_the_pokemon_api_contain_the_set_of_each_card(tmp_path: Path) -> None:
    sets = {one["id"]: one for one in POKEMON_SETS}
    output = {"data": [{**card, "set": sets[name]} for name, cards in POKEMON_CARDS.items() for card in cards]}
    read = Read("pokemon", one_file(tmp_path, output))
    assert read.cards == Read("pokemon", folder(tmp_path / "copy", POKEMON)).cards


@pytest.mark.parametrize(
    ("subtype", "reason"), [("LEGEND", "layout:legend"), ("BREAK", "layout:break"), ("V-UNION", "layout:v-union")]
)
def test_pokemon_cards_without_single_upright_front_are_not_legal(tmp_path: Path, subtype: str, reason: str) -> None:
    card = {"id": "xy9-3", "name": "Halfway", "supertype": "Pokémon", "subtypes": [subtype], "number": "3"}
    assert Read("pokemon", one_file(tmp_path, [card])).readings["pokemon:xy9/3"].reason == reason


@pytest.mark.parametrize("sets", [b"{}", b'[{"name": "no id"}]', b"[", b"<html>", b'[{"id": "base1", "name": 5}]'])
def test_malformed_list_of_sets_is_an_error(tmp_path: Path, sets: bytes) -> None:
    with pytest.raises(CatalogError, match=r"sets/en\.json"):
        Read("pokemon", folder(tmp_path / "copy", {**POKEMON, "sets/en.json": sets}))


# --- Yu-Gi-Oh! --------------------------------------------------------------------------------------------------


def test_each_set_and_rarity_of_a_yugioh_card_is_a_printing(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH, "cardinfo.php"))
    assert list(read.cards) == [
        "yugioh:sr13-en004/common",
        "yugioh:sr13-en004/ultra-rare",
        "yugioh:grs-en007/rare",
        "yugioh:promise",
    ]
    card = read.cards["yugioh:sr13-en004/common"]
    assert (card.set_code, card.collector_number, card.set_name) == ("SR13", "SR13-EN004", "Gears")


def test_number_of_yugioh_set_code_is_its_last_one(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    assert read.zones("yugioh:sr13-en004/common") == {"right": [4], "bottom": [0], "bottom-right": [2]}


def test_pendulum_monster_has_scale_on_both_sides_and_code_at_the_left(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    shown = {"left": [3], "right": [3], "bottom-left": [7], "bottom-right": [5]}
    assert read.zones("yugioh:grs-en007/rare") == shown


def test_yugioh_spell_shows_no_attack_despite_data(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    spell = read.readings["yugioh:promise"]
    assert (spell.zones, spell.face, spell.attack) == ({}, [1], None)


def test_yugioh_passcode_has_eight_digits(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    assert read.cards["yugioh:sr13-en004/common"].fields["passcode"] == "04280258"
    assert "bottom-left" not in read.zones("yugioh:sr13-en004/common")


# --- Star Wars CCG ----------------------------------------------------------------------------------------------


def test_swccg_cards_have_the_name_and_date_of_their_set(tmp_path: Path) -> None:
    read = Read("swccg", folder(tmp_path / "copy", {"Dark.json": SWCCG, "sets.json": SWCCG_SETS, "rarity.json": {}}))
    card = read.cards["swccg:1/5"]
    assert (card.name, card.set_name, card.released) == ("Old Pilot", "Premiere", "1995-12-01")


def test_swccg_locations_and_objectives_have_no_destiny(tmp_path: Path) -> None:
    read = Read("swccg", one_file(tmp_path, SWCCG, "Dark.json"))
    assert read.zones("swccg:1/5") == {"top-right": [0], "bottom-left": [2], "bottom-right": [0]}
    assert (read.readings["swccg:1/6"].reason, read.zones("swccg:1/6")) == ("layout:location", {})
    assert (read.readings["swccg:1/8"].reason, read.zones("swccg:1/8")) == ("no-number", {})
    assert read.cards["swccg:1/6"].name == "Mire"


# --- Netrunner --------------------------------------------------------------------------------------------------


def test_netrunner_repository_and_api_give_the_same_cards(tmp_path: Path) -> None:
    packs = Read("netrunner", folder(tmp_path / "packs", PACKS))
    pages = {f"page-{n:04}.json": {"data": [printing(card)]} for n, card in enumerate(NETRUNNER, 1)}
    api = Read("netrunner", folder(tmp_path / "pages", pages))
    assert list(api.readings) == list(packs.readings)
    for name, reading in packs.readings.items():
        assert api.readings[name][:6] == reading[:6], name
        assert api.cards[name].set_name == packs.cards[name].set_name == "Dusk"
        assert api.cards[name].released == packs.cards[name].released == "2014-05-05"


def test_zones_of_netrunner_memory_cost_and_runner_number(tmp_path: Path) -> None:
    read = Read("netrunner", folder(tmp_path / "packs", PACKS))
    assert read.zones("netrunner:91001") == {"top-left": [3], "bottom-left": [5], "bottom-right": [1]}
    assert read.zones("netrunner:91002") == {"top-left": [1], "right": [2]}
    assert read.zones("netrunner:91003") == {"top-left": [2], "top": [1], "bottom-right": [3]}
    assert read.zones("netrunner:91004") == {"top-right": [4], "left": [2]}


def test_netrunner_translations_are_ignored(tmp_path: Path) -> None:
    translated = [{"code": "91001", "title": "Hohe Wand"}]
    files = {**PACKS, "translations/de/pack/dusk.de.json": translated}
    known = Read("netrunner", folder(tmp_path / "packs", PACKS)).cards
    assert Read("netrunner", folder(tmp_path / "copy", files)).cards == known


def test_folder_with_only_netrunner_packs_is_read(tmp_path: Path) -> None:
    files = {"dusk.json": NETRUNNER, "dawn.json": [netrunner_card("92001", "Dawn", "event", "runner", position=1)]}
    assert len(Read("netrunner", folder(tmp_path / "pack", files)).cards) == 5


def test_netrunner_row_without_code_is_unread(tmp_path: Path) -> None:
    rows = [{"title": "Lost"}, NETRUNNER[0], NETRUNNER[0]]
    read = Read("netrunner", one_file(tmp_path, rows))
    assert read.unread == ["it has no code", "the same code again"]


# --- Triple Triad -----------------------------------------------------------------------------------------------


def test_both_triple_triad_lists_give_the_ranks_by_side(tmp_path: Path) -> None:
    eight = Read("tripletriad", one_file(tmp_path, TRIAD_EIGHT)).cards["tripletriad:0"]
    fourteen = Read("tripletriad-xiv", one_file(tmp_path, TRIAD_FOURTEEN)).cards["tripletriad-xiv:9"]
    assert [eight.fields[side] for side in ("top", "right", "bottom", "left")] == ["1", "4", "10", "1"]
    assert [fourteen.fields[side] for side in ("top", "right", "bottom", "left")] == ["4", "2", "3", "10"]


def test_rank_of_ten_is_the_letter_a_and_not_a_number(tmp_path: Path) -> None:
    read = Read("tripletriad", one_file(tmp_path, TRIAD_EIGHT))
    assert read.zones("tripletriad:0") == {"top-left": [1, 4, 1]}
    assert read.readings["tripletriad:1"].reason is None
    assert [proof[1] for proof in read.readings["tripletriad:1"].evidence] == ["top", "right", "bottom", "left"]


@pytest.mark.parametrize(
    ("source", "value", "other"),
    [("tripletriad", TRIAD_FOURTEEN, "tripletriad-xiv"), ("tripletriad-xiv", TRIAD_EIGHT, "tripletriad")],
)
def test_list_of_the_other_triple_triad_names_its_source(
    tmp_path: Path, source: str, value: object, other: str
) -> None:
    with pytest.raises(CatalogError, match=rf"ccgrid import {other} FILE"):
        Read(source, one_file(tmp_path, value))


@pytest.mark.parametrize("ranks", [[1, 2, 3], [1, 2, 3, 11], [1, 2, 3, 0], [1, 2, 3, "4"], [1, 2, 3, True]])
def test_row_without_four_ranks_is_unread(tmp_path: Path, ranks: list[Any]) -> None:
    rows = [*TRIAD_EIGHT, {"id": 7, "name": "Odd", "attributes": ranks}]
    read = Read("tripletriad", one_file(tmp_path, rows))
    assert (len(read.cards), read.unread) == (2, ["it does not have four ranks from 1 to 10"])


# --- sources with only a layout ---------------------------------------------------------------------------------


def test_transformers_characters_are_oversized_and_battle_cards_are_not(tmp_path: Path) -> None:
    read = Read("transformers", folder(tmp_path / "json", TRANSFORMERS))
    assert read.readings["transformers:wave-1/t26-t46"].reason == "oversized"
    assert read.zones("transformers:wave-1/t26-t46") == {"bottom-left": [7], "bottom": [4, 2]}
    assert read.readings["transformers:pileup"].reason == "layout:combiner"
    assert read.zones("transformers:wave-1/007-081") == {"bottom-left": [1], "bottom": [7]}
    assert read.readings["transformers:wave-1/007-081"].reason is None


def test_each_picture_of_a_one_piece_card_is_a_printing(tmp_path: Path) -> None:
    read = Read("onepiece", one_file(tmp_path, ONE_PIECE))
    assert list(read.cards) == ["onepiece:op01-006", "onepiece:op01-006_p1"]
    assert read.zones("onepiece:op01-006") == {"top-left": [2], "bottom-right": [6]}


def test_dash_in_one_piece_card_means_no_value(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = copy.deepcopy(ONE_PIECE[:1])
    rows[0] |= {"cost": "-", "power": "-", "counter": "-"}
    assert Read("onepiece", one_file(tmp_path, rows)).zones("onepiece:op01-006") == {"bottom-right": [6]}


def test_onr_strength_is_at_the_left_on_ice_and_at_the_right_on_programs(tmp_path: Path) -> None:
    read = Read("onr", one_file(tmp_path, ONR))
    assert read.zones("onr:base/slab_drive") == {"top-right": [3], "bottom-right": [2]}
    assert read.zones("onr:base/big_wall") == {"bottom-left": [7]}
    assert read.cards["onr:base/slab_drive"].name == '"Slab" Drive'
