"""VEKN's tables of Vampire: a printing for each set, and differences from the plugin."""

from pathlib import Path

import pytest
from helpers.catalogues import Shell

from ccgrid.catalog.layouts.layout_file import find_layout
from ccgrid.catalog.printing import Printing
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.sources import vekn

CRYPT = """"Id","Name","Type","Adv","Group","Capacity","Card Text","Set"
"1","Ash of the Well","Vampire","","2","4","Independent. +1 bleed.","FN:U2, POD:DTC, FN:P"
"2","Ash of the Well","Vampire","Advanced","2","8","Advanced.","FN:U2"
"""
LIBRARY = """"Id","Name","Type","Pool Cost","Blood Cost","Conviction Cost","Card Text","Set","Capacity"
"3","Hounds","Ally","3","","","1 strength.","FN:C","+1"
"4","Vow","Conviction","","","2","","Promo-20221105",""
"""
SETS = """"Id","Abbrev","Release Date","Full Name"
"9","FN","20010611","Final Nights"
"""


def tables(folder: Path, sets: bool = True) -> Path:
    folder.mkdir()
    for name, text in {"vtescrypt.csv": CRYPT, "vteslib.csv": LIBRARY, "vtessets.csv": SETS}.items():
        if sets or name != "vtessets.csv":
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_card_has_a_printing_for_each_of_its_sets(tmp_path: Path) -> None:
    layout, remarks = find_layout("vtes"), list[str]()
    with open_tree(tables(tmp_path / "vtes")) as tree:
        rows = [row for row in vekn.read_tree(tree, layout, remarks.append) if isinstance(row, Printing)]
    assert [(row.id, row.set_name, row.released) for row in rows] == [
        ("vtes:fn/ash-of-the-well", "Final Nights", "2001-06-11"),
        ("vtes:pod/ash-of-the-well", "POD", None),
        ("vtes:fn/ash-of-the-well-adv", "Final Nights", "2001-06-11"),
        ("vtes:fn/hounds", "Final Nights", "2001-06-11"),
        ("vtes:promo-20221105/vow", "Promo-20221105", "2022-11-05"),
    ]
    readings = [layout.compiled().read(row.fields) for row in rows]
    assert [reading.zones for reading in readings[1:]] == [
        {"left": [2], "bottom-right": [4]},
        {"left": [2], "bottom-right": [8]},
        {"bottom-left": [3]},
        {"bottom-left": [2]},
    ]
    assert (readings[0].face, readings[3].face, remarks) == ([1], [1], [])


def test_codes_replace_names_of_sets_without_list_of_sets(shell: Shell) -> None:
    output = shell.good("import", "vekn", tables(shell.folder / "vtes", sets=False), "--json").json
    assert (output["source"], output["read"], output["legal"]) == ("vekn", 5, 5)
    assert output["remarks"] == ["There is no vtessets.csv with the cards: sets have only codes."]


@pytest.mark.parametrize("heading", ["Name", "Capacity", "Card Text"])
def test_table_without_a_column_is_an_error(shell: Shell, heading: str) -> None:
    folder = tables(shell.folder / "vtes")
    (folder / "vtescrypt.csv").write_text(CRYPT.replace(f'"{heading}"', '"Other"'), encoding="utf-8")
    shell("import", "vekn", folder).fails(f"vtescrypt.csv: it has no column '{heading}'. Its columns: Id, ")


def test_folder_without_the_tables_is_an_error(shell: Shell) -> None:
    (shell.folder / "other").mkdir()
    (shell.folder / "other" / "cards.csv").write_text(CRYPT, encoding="utf-8")
    shell("import", "vekn", shell.folder / "other").fails("neither vtescrypt.csv nor vteslib.csv")


@pytest.mark.slow
def test_real_tables_are_read_completely(shared_data: Path, shell: Shell) -> None:
    output = shell.good("import", "vekn", shared_data / "more" / "GiottoVerducci+vtescsv", "--json").json
    assert (output["read"], output["skipped"], output["legal"], output["barred"]) == (
        9600,
        0,
        5688,
        {"no-number": 3912},
    )


def test_error_of_another_source_names_the_right_one(shell: Shell) -> None:
    folder = tables(shell.folder / "vtes")
    for path in (folder, folder / "vteslib.csv"):
        for layout in ([], ["--layout", "vtes"]):
            shell("import", "file", path, *layout).fails(f"Use: ccgrid import vekn {path}")
    shell("import", str(folder)).names_unknown("Name a source before the file: ccgrid import file")
