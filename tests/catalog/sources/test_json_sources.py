"""Sources whose data are JSON, files, folders and archives of them: Pokémon and Yu-Gi-Oh!."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers.json_files import PACKS, Read, folder, one_file
from helpers.small_sources import (
    NETRUNNER,
    ONR,
    POKEMON_CARDS,
    POKEMON_SETS,
    SWCCG,
    TRANSFORMERS,
    YUGIOH,
    body,
)

from ccgrid.catalog.card import CatalogError

POKEMON = {"sets/en.json": POKEMON_SETS, **{f"cards/en/{name}.json": cards for name, cards in POKEMON_CARDS.items()}}


def archived(path: Path, files: Mapping[str, object], top: str) -> tuple[Path, Path]:
    """The files in a zip and in a tarball, below a folder as servers of repositories name it."""
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
def test_a_folder_a_zip_and_a_tarball_hold_the_same_cards(
    tmp_path: Path, source: str, files: dict[str, object]
) -> None:
    known = Read(source, folder(tmp_path / "copy", files)).cards
    assert known
    for archive in archived(tmp_path, files, f"{source}-master/"):
        assert Read(source, archive).cards == known


@pytest.mark.parametrize(
    ("source", "value"),
    {"pokemon": POKEMON_CARDS["base1"], "yugioh": YUGIOH, "swccg": SWCCG, "onr": ONR, "netrunner": NETRUNNER}.items(),
)
@pytest.mark.parametrize("end", [1, 20, 60])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, source: str, value: object, end: int) -> None:
    with pytest.raises(CatalogError, match="Download it again"):
        Read(source, one_file(tmp_path, body(value)[:-end]))


@pytest.mark.parametrize("source", ["pokemon", "yugioh", "swccg", "netrunner", "tripletriad"])
def test_a_folder_without_cards_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(CatalogError):
        Read(source, folder(tmp_path / "copy", {"README.txt": b"nothing here", "notes/todo.txt": b"later"}))


# --- Pokémon ----------------------------------------------------------------------------------------------------


def test_a_pokemon_card_has_its_sets_name_and_date(tmp_path: Path) -> None:
    read = Read("pokemon", folder(tmp_path / "copy", POKEMON))
    card = read.cards["pokemon:base1/7"]
    assert (card.set_code, card.set_name, card.released) == ("base1", "Base", "1999-01-09")
    assert read.remarks == []


def test_a_pokemon_weakness_is_a_number_since_2003_and_the_cards_number_moved_left_in_2017(tmp_path: Path) -> None:
    read = Read("pokemon", folder(tmp_path / "copy", POKEMON))
    assert read.zones("pokemon:base1/7") == {"bottom-right": [7]}
    assert read.readings["pokemon:base1/7"].face == [9, 10, 2, 3]
    assert read.zones("pokemon:base1/8") == {"bottom-right": [8]}
    assert read.zones("pokemon:sv1/9") == {"bottom-left": [2, 9]}
    assert read.readings["pokemon:sv1/9"].face == []


@pytest.mark.parametrize(("name", "zones"), [("base1", {"bottom-right": [7]}), ("sv1", {"bottom-left": [2, 9]})])
def test_the_era_of_a_single_pokemon_file_is_told_by_the_id_of_the_set(
    tmp_path: Path, name: str, zones: dict[str, list[int]]
) -> None:
    read = Read("pokemon", one_file(tmp_path, POKEMON_CARDS[name], f"{name}.json"))
    first = next(iter(read.cards))
    assert read.zones(first) == zones
    assert read.cards[first].released is None
    assert len(read.remarks) == 1


def test_answers_of_the_pokemon_api_tell_the_set_with_each_card(tmp_path: Path) -> None:
    sets = {one["id"]: one for one in POKEMON_SETS}
    told = {"data": [{**card, "set": sets[name]} for name, cards in POKEMON_CARDS.items() for card in cards]}
    read = Read("pokemon", one_file(tmp_path, told))
    assert read.cards == Read("pokemon", folder(tmp_path / "copy", POKEMON)).cards


@pytest.mark.parametrize(
    ("subtype", "reason"), [("LEGEND", "layout:legend"), ("BREAK", "layout:break"), ("V-UNION", "layout:v-union")]
)
def test_pokemon_cards_that_are_no_single_upright_front_are_barred(tmp_path: Path, subtype: str, reason: str) -> None:
    card = {"id": "xy9-3", "name": "Halfway", "supertype": "Pokémon", "subtypes": [subtype], "number": "3"}
    assert Read("pokemon", one_file(tmp_path, [card])).readings["pokemon:xy9/3"].reason == reason


@pytest.mark.parametrize("sets", [b"{}", b'[{"name": "no id"}]', b"[", b"<html>", b'[{"id": "base1", "name": 5}]'])
def test_a_list_of_sets_that_is_none_is_refused(tmp_path: Path, sets: bytes) -> None:
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


def test_the_own_number_of_a_yugioh_set_code_is_its_last(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    assert read.zones("yugioh:sr13-en004/common") == {"right": [4], "bottom": [0], "bottom-right": [2]}


def test_a_pendulum_monster_shows_its_scale_twice_and_its_code_at_the_left(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    shown = {"left": [3], "right": [3], "bottom-left": [7], "bottom-right": [5]}
    assert read.zones("yugioh:grs-en007/rare") == shown


def test_a_yugioh_spell_shows_no_attack_whatever_the_data_say(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    spell = read.readings["yugioh:promise"]
    assert (spell.zones, spell.face, spell.attack) == ({}, [1], None)


def test_a_yugioh_passcode_has_eight_digits(tmp_path: Path) -> None:
    read = Read("yugioh", one_file(tmp_path, YUGIOH))
    assert read.cards["yugioh:sr13-en004/common"].fields["passcode"] == "04280258"
    assert "bottom-left" not in read.zones("yugioh:sr13-en004/common")
