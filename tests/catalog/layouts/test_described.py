"""Data files of any form, read by a layout alone: forms, fields, columns, ids."""

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.layout_only_game import DRAGONS, HEADER, Held, layout, printings, rows
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import CatalogError, Printing, Unread
from ccgrid.catalog.layouts.described import read_tree
from ccgrid.catalog.layouts.layout_file import parse_layout
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.readers.json_rows import values_at
from ccgrid.catalog.readers.streams import LONGEST_ROW

ONE = Printing("dragons:a/7", "Ash", {"Fire": "3", "Text": "Burns 2."}, "A", "", "7")


# --- forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cards_csv", f"{HEADER}\nAsh,A,7,3,Burns 2.\n"),
        ("cards_csv", f"{HEADER}\r\nAsh,A,7,3,Burns 2.\r\n"),
        ("cards_csv", f"{HEADER}\rAsh,A,7,3,Burns 2.\r"),
        ("cards_csv", f"{HEADER}\n\n,,,,\nAsh,A,7,3,Burns 2."),
        ("cards_csv", f"{HEADER}\n{HEADER}\nAsh,A,7,3,Burns 2."),
        ("cards_csv", f'sep=,\n{HEADER}\n"Ash","A","7","3","Burns 2."\n'),
        ("cards_csv", f'"sep=;"\n{HEADER.replace(",", ";")}\nAsh;A;7;3;Burns 2.\n'),
        ("cards_txt", f"{HEADER.replace(',', ';')}\nAsh;A;7;3;Burns 2.\n"),
        ("cards_txt", f"{HEADER.replace(',', '|')}\nAsh|A|7|3|Burns 2.\n"),
        ("cards_tsv", HEADER.replace(",", "\t") + "\t\t\nAsh\tA\t7\t3\tBurns 2.\t\t\t\n"),
        ("cards_csv", "NAME, set ,NUMBER,FIRE,text\nAsh , A,7,3,Burns 2.\n"),
        ("cards_csv", "Card Name,set_code,Collector Number,fire,TEXT\nAsh,A,7,3,Burns 2.\n"),
        ("cards_json", '[{"name":"Ash","set":"A","number":7,"Fire":3,"Text":"Burns 2."}]'),
        ("cards_json", '{"data":[{"name":"Ash","set":"A","number":7,"Fire":3.0,"Text":"Burns 2."}]}'),
        ("cards_jsonl", '{"name":"Ash","set":"A","number":7,"Fire":3,"Text":"Burns 2."}\n\n'),
        ("cards_json", '\ufeff[\n {"title":"Ash","set":"A","number":"7","Fire":"3","Text":"Burns 2."}\n]'),
    ],
)
def test_a_card_is_the_same_whatever_form_its_file_has(name: str, content: str) -> None:
    assert rows(content, name=name) == [ONE]


def test_a_list_anywhere_in_a_document_is_found_by_its_path() -> None:
    card = {"Name": "Ash", "Set": "A", "Number": "7", "Fire": "3", "Text": "Burns 2."}
    columns = '[columns]\nrows = "found.cards"'
    document: Any = {"about": {"cards": [1, "]}"]}, "found": {"n": 1, "cards": [card]}, "after": [{"x": '\\"'}]}
    assert rows(json.dumps(document), columns, name="a_json") == [ONE]
    assert rows(json.dumps({"found": {"cards": {"k": card}}}), columns, name="a_json") == [ONE]
    assert rows(json.dumps([card]), columns, name="a_json") == [ONE]
    every = {"found": {"1": {"cards": [card]}, "2": {"cards": [card]}, "3": {}}}
    assert rows(json.dumps(every), '[columns]\nrows = "found.*.cards"', name="a_json") == [ONE, ONE]
    with pytest.raises(CatalogError, match=r"no list at 'found\.cards'"):
        rows('{"cards": []}', columns, name="a_json")


def test_an_empty_list_is_no_mistake_of_the_path() -> None:
    assert rows('{"cards": []}', '[columns]\nrows = "cards"', name="a_json") == []


def test_the_key_of_an_object_and_the_name_of_a_file_may_be_columns() -> None:
    columns = '[columns]\nrows = "cards"\nset_code = "{@file}"\ncollector_number = "@key"'
    (row,) = printings('{"cards": {"7": {"Name": "Ash", "Fire": 3}}}', columns, name="A_json")
    assert (row.id, row.set_code, row.collector_number) == ("dragons:a/7", "A", "7")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner)
       | st.dictionaries(st.text(), inner)), st.integers(1, 40))  # fmt: skip
def test_values_are_found_however_the_file_comes_in(value: Any, size: int) -> None:
    class Drip(io.BytesIO):
        def read(self, count: int | None = -1) -> bytes:
            return super().read(size)

    document = json.dumps({"x": value, "cards": [value, {"a": value}], "y": value}, ensure_ascii=False)
    found = [json.loads(body) for _, _, body in values_at(Drip(document.encode("utf-8", "surrogatepass")
             if document.isascii() else json.dumps(json.loads(document)).encode()), "a", "cards")]  # fmt: skip
    assert found == json.loads(document)["cards"]


@pytest.mark.parametrize(
    "content",
    [
        '{"cards": [{"a": 1}',
        '{"cards": [{"a": 1}, ',
        '{"cards": [{"a": 1} {"a": 2}]}',
        '{"cards" [1]}',
        '{"x": {"y": [1, 2}, "cards": [{"a": 1}]}',
        '{"cards": [{"a": tru}]}',
        '{"x": "never closed',
        '{"cards": ' + "[" * 100_000,
        '{"x": 1}',
        "{",
    ],
)
def test_a_damaged_document_is_told(content: str) -> None:
    with pytest.raises(CatalogError):
        rows(content, '[columns]\nrows = "cards"', name="a_json")


def test_a_value_of_a_million_letters_is_no_card() -> None:
    content = '{"cards": [{"Name": "' + "x" * (LONGEST_ROW + 1_000_000) + '"}]}'
    with pytest.raises(CatalogError, match="over 1 MiB"):
        rows(content, '[columns]\nrows = "cards"', name="a_json")


def test_rows_that_are_no_cards_are_handed_on_with_their_place() -> None:
    found = rows('[\n3,\n{"Name":"Ash","Fire":1},\n{"Fire":2},\n{"Name":"  ","Fire":2}\n]', name="a_json")
    assert [row.why for row in found if isinstance(row, Unread)] == ["no object with fields", *["it has no name"] * 2]


# --- fields and columns ----------------------------------------------------------------------------------------


def test_fields_are_found_as_deep_as_json_goes() -> None:
    text = """
game = "deep"
[[printed]]
field = "front.destiny"
zone = "top-right"
[[printed]]
field = "attacks.damage"
zone = "right"
[[printed]]
field = "fields.Card #"
zone = "bottom"
read = "collector"
[[printed]]
field = "flags"
zone = "face"
[[barred]]
reason = "layout:{front.type}"
when = { "front.type" = "Site", "flags.sideways" = true }
[columns]
name = "front.title"
trim = "•<>"
"""
    card: dict[str, Any] = {
        "front": {"title": "••<>Ash", "destiny": 4, "type": "Site"},
        "attacks": [{"damage": "30"}, {"damage": "10+"}, {"name": "none"}, {"damage": 7}],
        "fields": {"Card #": "T9/T46"},
        "flags": {"sideways": True, "n": [1, [2, None]]},
    }
    (row,) = printings(json.dumps([card]), name="a_json", text=text)
    assert row.name == "Ash"
    reading = layout(text=text).compiled().read(row.fields)
    assert reading.zones == {"top-right": [4], "right": [10, 7], "bottom": [9]}
    assert (reading.face, reading.reason) == ([1, 2], "layout:Site")


def test_a_column_may_be_a_template_or_a_part_of_a_text() -> None:
    columns = """[columns]
id = "{Set}/{Code}"
name = { field = "Name", before = " (" }
collector_number = { field = "Name", after = "(", before = ")" }
"""
    content = "Name,Set,Code,Fire\nMog (XIII-2) (1-196S),I,x9,3\nBare,I,x8,3\nCoded (2),I,,3\n"
    assert [(row.id, row.name, row.collector_number) for row in printings(content, columns)] == [
        ("dragons:i/x9", "Mog (XIII-2)", "1-196S"),
        ("dragons:i/x8", "Bare", ""),
        ("dragons:i/2", "Coded", "2"),
    ]


def test_what_a_column_says_can_be_printed_and_asked_about() -> None:
    columns = """
[[printed]]
field = "collector_number"
zone = "bottom"
read = "collector"
when = { released = { from = "2001-05-01" } }
[columns]
collector_number = { field = "Code", after = "-" }
released = "Day"
"""
    content = "Name,Code,Day,Fire\nNew,D-7,2001/5/3,1\nOld,D-8,2001-04-30,1\n"
    new, old = printings(content, columns)
    assert (new.released, old.released) == ("2001-05-03", "2001-04-30")
    assert [layout(columns).compiled().read(row.fields).zones.get("bottom") for row in (new, old)] == [[7], None]


def test_each_entry_of_a_list_is_a_printing_where_the_layout_says_so() -> None:
    card = {"Name": "Ash", "Fire": 3, "sets": [{"code": "A-7"}, {"code": "B-9"}]}
    columns = '[columns]\neach = "sets"\ncollector_number = "sets.code"'
    found = printings(json.dumps([card, {"Name": "Bare", "Fire": 1}]), columns, name="a_json")
    assert [row.id for row in found] == ["dragons:a-7", "dragons:b-9", "dragons:bare"]


def test_an_id_is_the_set_and_the_number_or_else_the_name_and_the_language() -> None:
    content = "Name,Set,Number,Lang,Fire\nÉtude Nº 3!,My Set,,,1\nAsh,,12a,German,1\nAsh,A,012,en,1\n"
    assert [row.id for row in printings(content)] == ["dragons:my-set/etude-no-3", "dragons:12a/de", "dragons:a/012"]


def test_different_cards_under_one_id_are_told_apart_and_the_same_card_is_not_doubled(shell: Shell) -> None:
    data, own = shell.folder / "a.csv", shell.folder / "dragons.toml"
    own.write_text(DRAGONS)
    twins = "Ash,A,7,3,\nAsh,A,7,4,\nAsh,A,7,3,\n" + "".join(f"Card {n},B,{n},1,\n" for n in range(1200))
    data.write_text(f"{HEADER}\n{twins}Ash,A,7,4,\nAsh,A,7,5,\n")
    for _ in range(2):
        summary = shell.good("import", "file", data, "--layout", own, "--json").json
        assert (summary["read"], summary["skipped"], summary["legal"]) == (1205, 2, 1203)
        own.write_text(DRAGONS + "# read anew\n[stats]\nattack = 'Fire'\n")
    fires = {one: shell.good("show", one, "--json").json["zones"] for one in ("dragons:a/7", "dragons:a/7#2")}
    assert fires == {"dragons:a/7": {"top-left": 3}, "dragons:a/7#2": {"top-left": 4}}
    assert shell.good("show", "dragons:a/7#3", "--json").json["zones"] == {"top-left": 5}


# --- files that are no table and no JSON ---


HJSON = """{
    // by hand
    setId: "7"
    cards: [
        { "Name": "Ash", "Number": 1, "Fire": 4 }
        {
            Name: Bee
            Number: 2
            Fire: 5
        }
    ]
}"""


def test_json_written_by_hand_is_read_as_what_it_stands_for() -> None:
    pytest.importorskip("hjson")
    made = printings(HJSON, '[columns]\nrows = "cards"', name="set_hjson")
    shown = [(card.name, card.collector_number, card.fields["Fire"]) for card in made]
    assert shown == [("Ash", "1", "4"), ("Bee", "2", "5")]
    with pytest.raises(CatalogError, match=r"set.hjson: not HJSON \(.*line 2"):
        printings("{\n a: [1, }", name="set_hjson")


def test_without_its_extra_json_written_by_hand_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hjson", None)
    with pytest.raises(CatalogError, match=r"pip install 'ccgrid\[hjson\]'"):
        printings(HJSON, name="set_hjson")


@pytest.mark.parametrize("member", ["xl/workbook.xml", "content.xml"])
def test_a_spreadsheet_is_told_to_be_saved_as_a_table(shell: Shell, member: str) -> None:
    with zipfile.ZipFile(shell.folder / "cards.xlsx", "w") as archive:
        archive.writestr(member, "<workbook/>")
    shell.good("import", "starter")
    for command in (("import", "file"), ("collection", "import"), ("layout", "new")):
        options = ("--layout", "mtg") if command[0] == "import" else ()
        shell(*command, shell.folder / "cards.xlsx", *options).refused("a spreadsheet", "Save it as CSV")


# --- folders with more than cards ---

SETS = '[{"code": "A", "name": "Ashes", "date_release": "2009/3/1", "position": 1}, {"code": "B", "name": "Bells"}]'
PIECES = '[{"Name": "Ash", "Set": "a", "Number": "7", "Fire": "3"}, {"Name": "Bee", "Set": "B", "Number": "8"}]'


def test_a_list_of_sets_beside_the_cards_names_their_sets_and_is_no_card() -> None:
    remarks: list[str] = []
    held = Held(packs_json=SETS.encode(), pack__cards_json=PIECES.encode())
    found = [row for row in read_tree(held, layout(), remarks.append) if isinstance(row, Printing)]
    assert [(card.name, card.set_name, card.released) for card in found] == [
        ("Ash", "Ashes", "2009-03-01"),
        ("Bee", "Bells", None),
    ]
    assert remarks[0] == "packs.json: skipped: its 2 rows have nothing that the layout reads."


def test_files_of_which_none_has_what_the_layout_reads_are_all_read() -> None:
    held = Held(a_json=SETS.encode(), b_json=SETS.encode())
    assert len([row for row in read_tree(held, layout(), print) if isinstance(row, Printing)]) == 4


def test_a_single_file_is_read_whatever_it_has() -> None:
    assert [card.name for card in printings(SETS, name="packs_json")] == ["Ashes", "Bells"]


def test_a_real_folder_of_packs_is_counted_without_its_list_of_packs(shared_data: Path) -> None:
    text = DRAGONS.replace("Fire", "cost").replace("Text", "text") + '[columns]\nset_code = "pack_code"'
    with open_tree(shared_data / "more" / "zzorba+marvelsdb-json-data") as tree:
        found = list(read_tree(tree, parse_layout(text, "m.toml"), lambda sentence: None))
    assert len(found) == 29 + 101
    assert {row.set_name for row in found if isinstance(row, Printing)} == {"Core Set", "Angel"}
