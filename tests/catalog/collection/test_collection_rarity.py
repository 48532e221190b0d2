"""Rarities from imported files: stored with the copies, exported, and used to match cards."""

import csv
import json
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.text_files import write

MANABOX = (
    "Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Scryfall ID,Condition,Language\n"
    "Amber Archivist,DSK,Dusk,1,normal,{rarity},{copies},1,,near_mint,en\n"
)


def rarities(shell: Shell) -> list[tuple[str, int, str | None]]:
    return [(one["id"], one["copies"], one["rarity"]) for one in shell.entries()]


def test_imported_rarity_survives_moves_undo_and_export(owned: Shell) -> None:
    file = write(owned.folder / "manabox.csv", MANABOX.format(rarity="uncommon", copies=2))
    owned.good("collection", "import", file)
    assert rarities(owned) == [("mtg:dsk/1", 2, "uncommon")]
    owned.good(
        "collection", "add", "mtg:dsk/1", "--condition", "nm"
    )  # Adding copies without a rarity keeps the stored one.
    assert rarities(owned) == [("mtg:dsk/1", 3, "uncommon")]
    owned.good("collection", "move", "Amber", "Archivist", "--to-box", "Attic")
    assert rarities(owned) == [("mtg:dsk/1", 3, "uncommon")]
    owned.good("undo")
    for form, heading in (("manabox", "Rarity"), ("deckbox", "Rarity"), ("topdecked", "RARITY"), ("csv", "Rarity")):
        text = owned.good("collection", "export", "--format", form).out
        assert [row[heading] for row in csv.DictReader(text.splitlines())] == ["uncommon"]


def test_copies_without_rarity_in_file_have_no_rarity(owned: Shell) -> None:
    file = owned.folder / "manabox.csv"
    text = MANABOX.format(rarity="uncommon", copies=2)
    file.write_text(text + "Amber Archivist,DSK,Dusk,1,foil,,1,1,,near_mint,en\n", encoding="utf-8")
    owned.good("collection", "import", file)
    assert sorted(rarities(owned), key=str) == [("mtg:dsk/1", 1, None), ("mtg:dsk/1", 2, "uncommon")]


def test_replacing_import_updates_rarities(owned: Shell) -> None:
    file = write(owned.folder / "manabox.csv", MANABOX.format(rarity="", copies=2))
    owned.good("collection", "import", file)
    file.write_text(MANABOX.format(rarity="rare", copies=3), encoding="utf-8")
    owned.good("collection", "import", file, "--replace")
    assert rarities(owned) == [("mtg:dsk/1", 3, "rare")]


@pytest.mark.parametrize(
    ("rarity", "card_id"),
    [("C", "common"), ("ScR", "secret-rare"), ("Secret Rare", "secret-rare"), ("Secret", "secret-rare")],
)
def test_rarity_name_or_code_selects_among_same_numbers(shell: Shell, rarity: str, card_id: str) -> None:
    table = import_two_rarities(shell, rarity)
    assert shell.good("collection", "import", table, "--json").json["unsure"] == 0
    assert rarities(shell) == [(f"yugioh:dsk-en001/{card_id}", 2, rarity)]


def test_unknown_rarity_of_a_number_with_several_is_missed(shell: Shell) -> None:
    table = import_two_rarities(shell, "Starlight Rare")
    with table.open("a", encoding="utf-8") as file:
        file.write("A,1,Amber Ogre,DSK,Dusk,DSK-EN001,C,NearMint,1st Edition,English\n")
    report = shell("collection", "import", table, "--dry-run", "--json").json["report"]
    assert [(one["outcome"], one["reason"]) for one in report] == [
        ("missed", "DSK-EN001 is not known as 'Starlight Rare'")
    ]
    assert report[0]["candidates"] == ["yugioh:dsk-en001/secret-rare", "yugioh:dsk-en001/common"]
    taken = shell.good("collection", "import", table, "--any-printing", "--json").json
    assert (taken["copies"], [one["reason"] for one in taken["report"]]) == (3, [report[0]["reason"]])


def import_two_rarities(shell: Shell, rarity: str) -> Path:
    """Import a card with two rarities of one number; return a table with a row of it that has a rarity."""
    sets = [{"set_name": "Dusk", "set_code": "DSK-EN001", "set_rarity": name} for name in ("Secret Rare", "Common")]
    card = {
        "id": 300,
        "name": "Amber Ogre",
        "type": "Normal Monster",
        "atk": 5,
        "def": 4,
        "level": 3,
        "card_sets": sets,
    }
    file = write(shell.folder / "cardinfo.json", json.dumps({"data": [card]}))
    shell.good("import", "yugioh", file)
    return write(
        shell.folder / "own.csv",
        "Folder Name,Quantity,Card Name,Set Code,Set Name,Card Number,Rarity,Condition,Printing,Language\n"
        f"A,2,Amber Ogre,DSK,Dusk,DSK-EN001,{rarity},NearMint,1st Edition,English\n",
    )


def test_export_reports_copies_merged_despite_rarity(owned: Shell) -> None:
    file = write(owned.folder / "manabox.csv", MANABOX.format(rarity="uncommon", copies=2))
    owned.good("collection", "import", file)
    kind = ("--condition", "nm", "--box", "Attic", "-n", "3")
    owned.good("collection", "add", "mtg:dsk/1", *kind)
    output = owned.good("collection", "export", "--format", "deckbox", "-o", owned.folder / "deckbox.csv").err
    assert "rarity (copies that differ only in rarity become one): 3 copies" in " ".join(output.split())
    assert "rarity" not in owned.good("collection", "export", "--format", "manabox", "-o", owned.folder / "m.csv").err
