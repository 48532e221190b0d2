"""What apps write in ways of their own: counts by finish, languages, finishes, names of sets, rows cut short; boxes."""

import json
from typing import Any

import pytest
from helpers.catalogues import Shell, imported, row, write_rows

from ccgrid.catalog.card import UnknownNameError
from ccgrid.catalog.collection.edit import kind_of
from ccgrid.catalog.words import language_code


def brought(shell: Shell, text: str, *options: str) -> dict[str, Any]:
    file = shell.folder / "cards.csv"
    file.write_text(text, encoding="utf-8")
    report: dict[str, Any] = shell.good("collection", "import", file, "--json", *options).json
    return report


def held(shell: Shell) -> list[tuple[str, str, int]]:
    lines = shell.good("collection", "list", "--json").json_lines
    return sorted((one["id"], one["finish"], one["copies"]) for one in lines)


@pytest.mark.parametrize("heading", ["set,name,number,scryfall_id,nonfoil,foil", "Set,Name,Number,Id,Nonfoil,Foil"])
def test_foil_beside_nonfoil_counts_copies_and_blank_counts_are_none(owned: Shell, heading: str) -> None:
    rows = (
        "dsk,Amber Archivist,1,,3,7\ndsk,Brass Bellringer,2,,,\ndsk,Cinder Cartographer,3,,2,\ndsk,Gale Herald,14,,,1\n"
    )
    report = brought(owned, f"{heading}\n{rows}")
    assert (report["copies"], report["skipped"]) == (13, 1)
    assert held(owned) == [
        *(("mtg:dsk/1", "foil", 7), ("mtg:dsk/1", "normal", 3), ("mtg:dsk/14", "foil", 1), ("mtg:dsk/3", "normal", 2)),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [("zh_TW", "zht"), ("zh_CN", "zhs"), ("zh-tw", "zht"), ("zh_Hans", "zhs"), ("pt_BR", "pt"), ("Klingon", "Klingon")],
)
def test_languages_may_be_written_with_a_low_line(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize("heading", ["Karte", "Carte", "Carta"])
def test_a_card_is_headed_in_other_languages(owned: Shell, heading: str) -> None:
    assert brought(owned, f"{heading};Anzahl\nIron Herald;2\n")["copies"] == 2


@pytest.mark.parametrize(
    ("extras", "finish"), [("/foil", "foil"), ("foil/altered", "foil"), ("etchedFoil", "etched"), ("", "normal")]
)
def test_a_finish_may_stand_behind_a_slash(owned: Shell, extras: str, finish: str) -> None:
    heading = "collector_number,extras,language,name,oracle_id,quantity,rarity,scryfall_id,set_code,set_name"
    report = brought(owned, f"{heading}\n14,{extras},en,Gale Herald,,1,rare,,dsk,Dusk\n")
    assert (report["format"], held(owned)) == ("helvault", [("mtg:dsk/14", finish, 1)])


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"finish": "fol"}, "There is no finish 'fol'. Did you mean foil?"),
        ({"finish": "zzz"}, "There is no finish 'zzz'. There are: normal, foil, etched, reverse holo."),
        ({"condition": "near mnt"}, "There is no condition 'near mnt'. Did you mean near-mint?"),
        ({"condition": "schrott"}, "There is no condition 'schrott'. There are: mint, near-mint, excellent, "),
    ],
)
def test_a_finish_or_condition_that_there_is_not_is_refused_with_suggestions(said: dict[str, str], words: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        kind_of(**said)
    assert str(caught.value).startswith(words)
    assert kind_of("1st Edition", "NM")[:2] == ("1st Edition", "near-mint")


def test_a_box_is_the_same_in_any_case(owned: Shell) -> None:
    owned.good("collection", "add", "Gale Herald", "--box", "Attic")
    owned.good("collection", "add", "Gale Herald", "--box", "attic")
    brought(owned, "Name,Box\nGale Herald,ATTIC\nGale Herald,cellar\nIron Herald,Cellar\n")
    owned.good("collection", "move", "Iron Herald", "--to-box", "aTTIC")
    lines = owned.good("collection", "list", "--json").json_lines
    assert sorted((one["name"], one["box"], one["copies"]) for one in lines) == [
        *(("Gale Herald", "Attic", 3), ("Gale Herald", "cellar", 1), ("Iron Herald", "Attic", 1)),
    ]


# --- rows without their last cells ----------------------------------------------------------------------------------


def test_quotes_are_quotes_also_in_rows_that_leave_out_cells_at_their_end(shell: Shell) -> None:
    layout = shell.folder / "own.toml"
    layout.write_text(
        'format = 1\ngame = "own"\nname = "Own"\n'
        '[[printed]]\nfield = "Power"\nzone = "top-left"\nconfidence = "high"\n',
        encoding="utf-8",
    )
    table = shell.folder / "own.csv"
    table.write_text('Name,Set,Number,Power,Text\n"Aragorn, the Uniter",LTR,5,4\n', encoding="utf-8")
    shell.good("import", "file", table, "--layout", layout)
    card = shell.good("show", "Aragorn, the Uniter", "--json").json
    assert (card["set_code"], card["collector_number"], card["zones"]) == ("LTR", "5", {"top-left": 4})


def test_a_collection_with_rows_cut_short_is_read_whole(owned: Shell) -> None:
    quoted = '"Moth, ""the Quick""",2,Dusk\n'
    report = brought(
        owned, f"Name,Count,Edition,Foil\n{quoted}Gale Herald,1,Dusk,\n" + '"Áine\'s Dûsk, the 2nd",1,Dusk\n'
    )
    assert (report["copies"], report["missed"]) == (4, 0)


# --- sets by an app's own name ---------------------------------------------------------------------------------------


def test_where_set_name_name_and_number_leave_one_printing_that_is_it(shell: Shell) -> None:
    sets = (("cmd", "Commander 2011", "140"), ("c13", "Commander 2013", "140"), ("c14", "Commander 2014", "9"))
    cards = [
        row(1, "Amber Drake", set=code, set_name=name, collector_number=number)
        for code, name, number in sets
        if code != "c13"
    ]
    cards += [row(1, "Brass Drake", set=code, set_name=name, collector_number="140") for code, name, _ in sets]
    imported(shell.database, write_rows(shell.folder / "cards.jsonl", cards))
    heading = "Count,Name,Edition,Card Number\n"
    report = brought(
        shell, heading + "1,Amber Drake,Commander,140\n1,Brass Drake,Commander,140\n1,Amber Drake,Commander,7\n"
    )
    assert (report["matched"]["number"], report["missed"]) == (1, 2)
    assert held(shell) == [("mtg:cmd/140", "normal", 1)], json.dumps(report)
