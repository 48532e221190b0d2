"""Data files that are read with only a layout: formats, encodings, fields, columns, ids and damaged tables."""

import io
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.layout_only_game import DRAGONS, HEADER, MemoryTree, layout, printings, read, rows
from helpers.text_files import write
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.description import Description
from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.layouts import described
from ccgrid.catalog.layouts.described import PATTERNS, data_files, read_tree, recognise
from ccgrid.catalog.layouts.descriptions import usual_headings
from ccgrid.catalog.layouts.layout_file import find_layout, parse_layout
from ccgrid.catalog.layouts.printed_fields import DESCRIBED
from ccgrid.catalog.printing import Printing, UnreadRow
from ccgrid.catalog.readers.archives import open_tree
from ccgrid.catalog.readers.json_paths import values_at
from ccgrid.catalog.readers.streams import LONGEST_ROW
from ccgrid.catalog.readers.tables import TextTable
from ccgrid.catalog.readers.text_lines import survey

ASH_DESCRIPTION = Description(fields=(("fire", "3"),), text="Burns 2.")
ASH = Printing("dragons:a/7", "Ash", {"Fire": "3", "Text": "Burns 2."}, "A", "", "7", description=ASH_DESCRIPTION)


# --- file formats ----------------------------------------------------------------------------------------------


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
def test_card_is_the_same_in_every_format(name: str, content: str) -> None:
    assert rows(content, name=name) == [ASH]


@pytest.mark.parametrize("name", ["cards_csv", "cards_json"])
def test_names_and_texts_have_no_markup(name: str) -> None:
    cells = {
        "Name": "Ash &amp; Elm",
        "Set": "A",
        "Number": "7",
        "Fire": "3",
        "Text": "&quot;Burn&quot; &co 2&#39;s.<br>A **bold** <Slash>.",
    }
    text = json.dumps([cells]) if name == "cards_json" else f"{HEADER}\n{','.join(cells.values())}\n"
    [card] = printings(text, name=name)
    assert (card.name, card.description.text) == ("Ash & Elm", '"Burn" &co 2\'s.\nA bold <Slash>.')


@pytest.mark.parametrize(
    ("fire", "zones"),
    [("&minus;2", {}), ("&frac12;", {"top-left": [0]}), ("&#xE9;", {}), ("3 &amp; 4", {"top-left": [3, 4]})],
)
@pytest.mark.parametrize("name", ["cards_csv", "cards_json"])
def test_references_to_characters_are_read_in_numbers(name: str, fire: str, zones: dict[str, list[int]]) -> None:
    cells = {"Name": "Ash", "Set": "A", "Number": "7", "Fire": fire, "Text": ""}
    text = json.dumps([cells]) if name == "cards_json" else f"{HEADER}\n{','.join(cells.values())}\n"
    [card] = printings(text, name=name)
    assert layout().compiled().read(card.fields).zones == zones


def test_two_fields_with_one_name_are_both_kept(shell: Shell) -> None:
    data = "Name,Set,Number,Fire,Text,house,house_code\nAsh,A,7,3,x,Dis,dis\nBee,A,8,3,x,,dis\n"
    cards = printings(data)
    assert [card.description.fields for card in cards] == [
        (("fire", "3"), ("house", "Dis"), ("housecode", "dis")),
        (("fire", "3"), ("housecode", "dis")),
    ]
    file, own = shell.folder / "cards.csv", shell.folder / "dragons.toml"
    file.write_text(data, encoding="utf-8")
    own.write_text(DRAGONS, encoding="utf-8")
    assert shell.good("import", "file", file, "--layout", own, "--json").json["added"] == 2


def test_cells_of_spreadsheets_are_read_as_their_texts() -> None:
    one, other = printings(f'{HEADER}\n"=""Ash""",="A","=""007""",3,x\n\'+2 Mace,A,8,\'-4,x\n')
    assert (one.name, one.set_code, one.collector_number) == ("Ash", "A", "007")
    assert (other.name, other.fields["Fire"]) == ("+2 Mace", "-4")


def test_list_inside_a_document_is_found_by_its_path() -> None:
    card = {"Name": "Ash", "Set": "A", "Number": "7", "Fire": "3", "Text": "Burns 2."}
    columns = '[columns]\nrows = "found.cards"'
    document: Any = {"about": {"cards": [1, "]}"]}, "found": {"n": 1, "cards": [card]}, "after": [{"x": '\\"'}]}
    assert rows(json.dumps(document), columns, name="a_json") == [ASH]
    assert rows(json.dumps({"found": {"cards": {"k": card}}}), columns, name="a_json") == [ASH]
    assert rows(json.dumps([card]), columns, name="a_json") == [ASH]
    every = {"found": {"1": {"cards": [card]}, "2": {"cards": [card]}, "3": {}}}
    assert rows(json.dumps(every), '[columns]\nrows = "found.*.cards"', name="a_json") == [ASH, ASH]
    with pytest.raises(CatalogError, match=r"no list at 'found\.cards'"):
        rows('{"cards": []}', columns, name="a_json")


def test_empty_list_is_not_an_error() -> None:
    assert rows('{"cards": []}', '[columns]\nrows = "cards"', name="a_json") == []


def test_key_of_object_and_name_of_file_can_be_columns() -> None:
    columns = '[columns]\nrows = "cards"\nset_code = "{@file}"\ncollector_number = "@key"'
    (row,) = printings('{"cards": {"7": {"Name": "Ash", "Fire": 3}}}', columns, name="A_json")
    assert (row.id, row.set_code, row.collector_number) == ("dragons:a/7", "A", "7")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner)
       | st.dictionaries(st.text(), inner)), st.integers(1, 40))  # fmt: skip
def test_values_do_not_depend_on_the_chunk_size(value: Any, size: int) -> None:
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
def test_damaged_document_is_reported(content: str) -> None:
    with pytest.raises(CatalogError):
        rows(content, '[columns]\nrows = "cards"', name="a_json")


def test_value_of_a_million_letters_is_not_a_card() -> None:
    content = '{"cards": [{"Name": "' + "x" * (LONGEST_ROW + 1_000_000) + '"}]}'
    with pytest.raises(CatalogError, match="over 1 MiB"):
        rows(content, '[columns]\nrows = "cards"', name="a_json")


def test_line_that_is_not_json_is_unread_with_position_and_reason() -> None:
    broken, ash = rows('{"Name": tru}\n{"Name": "Ash", "Fire": 1}\n', name="a_jsonl")
    assert isinstance(broken, UnreadRow)
    assert (broken.where, broken.why.partition(": ")[0]) == ("line 1", "not JSON")
    assert isinstance(ash, Printing)


def test_rows_that_are_not_cards_are_unread_with_their_position() -> None:
    found = rows('[\n3,\n{"Name":"Ash","Fire":1},\n{"Fire":2},\n{"Name":"  ","Fire":2}\n]', name="a_json")
    assert [row.why for row in found if isinstance(row, UnreadRow)] == [
        "no object with fields",
        *["it has no name"] * 2,
    ]


@pytest.mark.parametrize(
    ("last", "is_total"),
    [
        ("Total,25", True),
        ("Summe:,25", True),
        ("Total,", True),
        ("Total,X", False),
        ("Totally,25", False),
    ],
)
def test_row_with_total_is_not_a_card(last: str, is_total: bool) -> None:
    *_, found = rows(f"Name,Fire\nAsh,12\nBee,13\n{last}\n", name="a_csv")
    assert isinstance(found, UnreadRow) is is_total


def test_card_named_total_with_collector_number_is_a_card() -> None:
    *_, found = rows("Name,Number,Fire\nAsh,1,12\nTotal,2,25\n", name="a_csv")
    assert isinstance(found, Printing)


# --- fields and columns ----------------------------------------------------------------------------------------


def test_nested_fields_are_found() -> None:
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


def test_column_can_be_a_template_or_part_of_a_text() -> None:
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


def test_ids_of_other_programs_are_read() -> None:
    columns = """[columns]
name = "Name"
ids = { gemp = "Gemp Id", shop = { field = "Code", after = "-" } }
"""
    content = "Name,Gemp Id,Code,Fire\nMog,9_109,X-12,3\nBare,,X,3\n"
    assert [row.ids for row in printings(content, columns)] == ["gemp:9_109 shop:12", ""]


def test_column_can_be_printed_and_tested() -> None:
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


def test_key_each_makes_a_printing_of_each_list_entry() -> None:
    card = {"Name": "Ash", "Fire": 3, "sets": [{"code": "A-7"}, {"code": "B-9"}]}
    columns = '[columns]\neach = "sets"\ncollector_number = "sets.code"'
    bare = [{"Name": "Bare", "Fire": 1, **more} for more in ({}, {"sets": []}, {"sets": "none"})]
    found = printings(json.dumps([card, *bare]), columns, name="a_json")
    assert [row.id for row in found] == ["dragons:a-7", "dragons:b-9", *["dragons:bare"] * 3]
    nameless = rows(json.dumps([{**card, "Name": ""}]), columns, name="a_json")
    assert [row.where for row in nameless if isinstance(row, UnreadRow)] == ["line 1, sets 1", "line 1, sets 2"]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        *(("English", "en"), ("DEUTSCH", "de"), ("Japonais", "ja"), ("jp", "ja"), ("Dutch", "nl"), ("Polish", "pl")),
        *(("", "en"), ("Klingon", "klingon")),
    ],
)
def test_names_of_languages_become_codes(written: str, code: str) -> None:
    (row,) = printings(f"Name,Lang,Fire\nAsh,{written},1\n")
    assert row.lang == code


def test_id_consists_of_set_and_number_or_name_and_language() -> None:
    content = "Name,Set,Number,Lang,Fire\nÉtude Nº 3!,My Set,,,1\nAsh,,12a,German,1\nAsh,A,012,en,1\n"
    assert [row.id for row in printings(content)] == ["dragons:my-set/etude-no-3", "dragons:12a/de", "dragons:a/012"]


def test_card_without_letters_in_its_name_has_a_distinct_id() -> None:
    assert [row.id for row in printings("Name,Fire\n???,1\n!!,2\n")] == ["dragons:3f3f3f", "dragons:2121"]


def test_different_cards_with_same_id_are_numbered_and_equal_ones_skipped(shell: Shell) -> None:
    data, own = shell.folder / "a.csv", shell.folder / "dragons.toml"
    own.write_text(DRAGONS)
    twins = "Ash,A,7,3,\nAsh,A,7,4,\nAsh,A,7,3,\n" + "".join(f"Card {n},B,{n},1,\n" for n in range(1200))
    data.write_text(f"{HEADER}\n{twins}Ash,A,7,4,\nAsh,A,7,5,\n")
    for _ in range(2):
        summary = shell.good("import", "file", data, "--layout", own, "--json").json
        assert (summary["read"], summary["skipped"], summary["legal"]) == (1205, 2, 1203)
        own.write_text(DRAGONS + "# read anew\n[stats]\nattack = 'Fire'\n")
    fires = {one: shell.card(one)["zones"] for one in ("dragons:a/7", "dragons:a/7#2")}
    assert fires == {"dragons:a/7": {"top-left": 3}, "dragons:a/7#2": {"top-left": 4}}
    assert shell.card("dragons:a/7#3")["zones"] == {"top-left": 5}


# --- files that are neither tables nor JSON ---


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


def test_hjson_is_read_as_json() -> None:
    pytest.importorskip("hjson")
    made = printings(HJSON, '[columns]\nrows = "cards"', name="set_hjson")
    shown = [(card.name, card.collector_number, card.fields["Fire"]) for card in made]
    assert shown == [("Ash", "1", "4"), ("Bee", "2", "5")]
    with pytest.raises(CatalogError, match=r"set.hjson: not HJSON \(.*line 2"):
        printings("{\n a: [1, }", name="set_hjson")


@pytest.mark.parametrize("cell", ['"half \\ud800"', "1e999"])
def test_hjson_that_json_cannot_represent_is_an_error(cell: str) -> None:
    pytest.importorskip("hjson")
    with pytest.raises(CatalogError, match=r"set.hjson: not HJSON"):
        printings(f"[{{\n Name: Ash\n Fire: {cell}\n}}]", name="set_hjson")


def test_hjson_without_its_extra_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hjson", None)
    with pytest.raises(CatalogError, match=f"^set.hjson: .*{re.escape(install_command('hjson'))}"):
        printings(HJSON, name="set_hjson")


def test_too_large_hjson_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hjson", json)
    monkeypatch.setattr(described, "LARGEST_DOCUMENT", 1 << 20)
    most = '[{"Name": "Ash", "Fire": 3}]'.ljust(1 << 20)
    assert [card.name for card in printings(most, name="set_hjson")] == ["Ash"]
    with pytest.raises(CatalogError, match=r"^set\.hjson: over 1 MiB\. Is it the right file\?$"):
        printings(most + " ", name="set_hjson")


@pytest.mark.parametrize("member", ["xl/workbook.xml", "content.xml"])
def test_spreadsheet_is_rejected_with_advice_to_save_as_csv(shell: Shell, member: str) -> None:
    with zipfile.ZipFile(shell.folder / "cards.xlsx", "w") as archive:
        archive.writestr(member, "<workbook/>")
    shell.import_starter()
    for command in (("import", "file"), ("collection", "import"), ("layout", "new")):
        options = ("--layout", "mtg") if command[0] == "import" else ()
        shell(*command, shell.folder / "cards.xlsx", *options).fails("a spreadsheet", "Save it as CSV")


# --- folders with other files than cards ---

SETS = '[{"code": "A", "name": "Ashes", "date_release": "2009/3/1", "position": 1}, {"code": "B", "name": "Bells"}]'
PIECES = '[{"Name": "Ash", "Set": "a", "Number": "7", "Fire": "3"}, {"Name": "Bee", "Set": "B", "Number": "8"}]'


def test_list_of_sets_supplies_names_of_sets_and_is_not_read_as_cards() -> None:
    remarks: list[str] = []
    tree = MemoryTree(packs_json=SETS.encode(), pack__cards_json=PIECES.encode())
    found = [row for row in read_tree(tree, layout(), remarks.append) if isinstance(row, Printing)]
    assert [(card.name, card.set_name, card.released) for card in found] == [
        ("Ash", "Ashes", "2009-03-01"),
        ("Bee", "Bells", None),
    ]
    assert remarks[0] == "packs.json: skipped: its 2 rows have nothing that the layout reads."


NUMBERED = DRAGONS + '[[printed]]\nfield = "number"\nzone = "bottom"\nread = "collector"\n'


def test_file_of_cards_with_only_collector_numbers_is_read_beside_others() -> None:
    """A list of sets may have names and numbers, too, but its rows belong to no set."""
    lands = '[{"name": "Forest", "set": "a", "number": "3", "type": "Land"}]'
    sets = '[{"code": "a", "name": "Ashes", "number": 1}]'
    tree = MemoryTree(cards_json=PIECES.encode(), lands_json=lands.encode(), sets_json=sets.encode())
    found = read_tree(tree, layout(text=NUMBERED), lambda sentence: None)
    assert [row.name for row in found if isinstance(row, Printing)] == ["Ash", "Bee", "Forest"]


CARDS = b"Name,Set,Number,Fire,Text\nAsh,A,7,3,x\n"


@pytest.mark.parametrize("code", ["Code", "Abbrev", "Abbreviation", "Set", "Set Code", "ID"])
@pytest.mark.parametrize("name", ["Name", "Set Name", "Full Name", "Label"])
@pytest.mark.parametrize("released", ["Released", "Date Release", "Released On", "Date"])
def test_table_of_sets_is_read_by_usual_headings(code: str, name: str, released: str) -> None:
    tree = MemoryTree(cards_csv=CARDS, sets_csv=f"{code},{name},{released}\nA,Ashes,2009-03-01\n".encode())
    (ash,) = read_tree(tree, layout(), lambda sentence: None)
    assert isinstance(ash, Printing)
    assert (ash.name, ash.set_name, ash.released) == ("Ash", "Ashes", "2009-03-01")


def test_layout_selects_data_files_instead_of_usual_ones() -> None:
    usual = ("json", "jsonl", "ndjson", "hjson", "json_gz", "jsonl_gz", "csv", "tsv", "tab", "txt")
    tree = MemoryTree(**{f"a_{ending}": b"" for ending in (*usual, "md", "png")})
    assert data_files(tree) == [f"a.{ending.replace('_', '.')}" for ending in usual]
    assert data_files(tree, ("*.md", "*.csv")) == ["a.csv", "a.md"]
    assert data_files(tree, ("!*.gz", "!*.txt", "!a.json")) == [
        *("a.jsonl", "a.ndjson", "a.hjson", "a.csv", "a.tsv", "a.tab"),
    ]
    assert data_files(MemoryTree(cards_md=b"")) == ["cards.md"]  # A single file is always read.


def test_unknown_game_lists_matching_layouts() -> None:
    closer, other = find_layout("duelmasters").name, find_layout("runesofede").name
    with pytest.raises(CatalogError) as caught:
        recognise(MemoryTree(cards_csv=b"Name,Cost,Mana,Power,SetNum\nAsh,1,2,3,4\n"))
    assert str(caught.value) == (
        f"held: which game is it? Its fields fit --layout duelmasters ({closer}) or --layout runesofede ({other})."
    )


def test_error_without_matching_layout_names_command_for_new_one() -> None:
    with pytest.raises(CatalogError) as caught:
        recognise(MemoryTree(cards_csv=b"Name,Whiskers\nAsh,1\n"))
    assert str(caught.value) == (
        "held: which game is it? Name its layout: --layout my.toml\n"
        "No layout has its fields. To start one: ccgrid layout new held"
    )


def test_at_most_three_matching_layouts_are_named_by_number_of_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    field = '[[printed]]\nfield = "{}"\nzone = "top"\n'
    texts = {game: f'game = "{game}"\nname = "{game.title()}"\n' + field.format("Fire") for game in "abcd"}
    texts["d"] += field.format("Claws").replace("top", "left")
    known = [parse_layout(text, "x.toml") for text in texts.values()]
    monkeypatch.setattr(described, "all_layouts", lambda: (known, []))
    with pytest.raises(CatalogError) as caught:
        recognise(MemoryTree(cards_csv=b"Name,Fire,Claws\nAsh,1,2\n"))
    fit = "--layout d (D) or --layout a (A) or --layout b (B)"
    assert str(caught.value) == f"held: which game is it? Its fields fit {fit}."


def test_hash_in_path_of_field_is_read() -> None:
    text = 'game = "deep"\n[[printed]]\nfield = "stats.#"\nzone = "top"\n'
    (row,) = printings('[{"Name": "Ash", "stats": {"#": 7, "x": 1}}]', name="a_json", text=text)
    assert row.fields == {"stats.#": "7"}


@pytest.mark.parametrize(("length", "is_card"), [(999, True), (1000, False)])
def test_name_set_and_number_have_up_to_1000_letters(length: int, is_card: bool) -> None:
    (found,) = rows(f"{HEADER}\n{'x' * (length - 2)},A,77,3,\n")
    assert isinstance(found, Printing) is is_card
    assert is_card or found == UnreadRow("line 2", "its name, set and number are too long")


def test_folder_without_data_files_is_an_error_with_the_patterns() -> None:
    for columns, wanted in (('[columns]\nfiles = ["*.csv", "*.tsv"]', "*.csv, *.tsv"), ("", ", ".join(PATTERNS))):
        with pytest.raises(CatalogError) as caught:
            list(read_tree(MemoryTree(a_md=b"", b_md=b""), layout(columns), print))
        assert str(caught.value) == f"held: no data file in it; looked for {wanted}."


@pytest.mark.parametrize(("files", "where"), [(1, "line 1"), (2, "a.json, line 1")])
def test_unread_row_of_several_files_names_its_file(files: int, where: str) -> None:
    content = {"a_json": b'[{"Fire": 2}]', "b_json": b'[{"Name": "Ash", "Fire": 2}]'}
    first, *_ = read_tree(MemoryTree(**dict([*content.items()][:files])), layout(), lambda sentence: None)
    assert first == UnreadRow(where, "it has no name")


def test_set_list_with_layout_field_is_not_read_as_cards() -> None:
    tree = MemoryTree(packs_json=SETS.encode(), pack__cards_json=PIECES.encode())
    numbered = layout('[[printed]]\nfield = "position"\nzone = "bottom"\nread = "collector"')
    found = [row for row in read_tree(tree, numbered, lambda sentence: None) if isinstance(row, Printing)]
    assert [card.name for card in found] == ["Ash", "Bee"]


def test_all_files_are_read_if_none_has_a_field_of_the_layout() -> None:
    tree = MemoryTree(a_json=SETS.encode(), b_json=SETS.encode())
    assert len([row for row in read_tree(tree, layout(), print) if isinstance(row, Printing)]) == 4


def test_single_file_is_always_read() -> None:
    assert [card.name for card in printings(SETS, name="packs_json")] == ["Ashes", "Bells"]


def test_list_of_packs_in_real_folder_is_not_read_as_cards(shared_data: Path) -> None:
    text = DRAGONS.replace("Fire", "cost").replace("Text", "text") + '[columns]\nset_code = "pack_code"'
    with open_tree(shared_data / "more" / "zzorba+marvelsdb-json-data") as tree:
        found = list(read_tree(tree, parse_layout(text, "m.toml"), lambda sentence: None))
    assert len(found) == 29 + 101
    assert {row.set_name for row in found if isinstance(row, Printing)} == {"Core Set", "Angel"}


def names(content: bytes | str, columns: str = "", **options: Any) -> list[str]:
    return [row.name for row in printings(content, columns, **options)]


# --- encodings -------------------------------------------------------------------------------------------------


WORDS = "Æther Élan, façade, naïve, Jörð, señor, “so” – 7½ it’s… übel"


@pytest.mark.parametrize(
    ("encoding", "output"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", None),
        ("cp1252", "Windows-1252"),
        ("mac_roman", "Mac Roman"),
    ],
)
def test_encoding_is_detected_and_reported(encoding: str, output: str | None) -> None:
    words = WORDS.replace("½", "").replace("ð", "o")  # Mac Roman lacks these two characters.
    content = f"Name\tSet\tNumber\tFire\tText\nZoé\tA\t1\t2\t{words}\nÅse\tA\t2\t3\tx\n"
    found, remarks = read(content.encode(encoding), name="a_txt")
    assert [row.name for row in found if isinstance(row, Printing)] == ["Zoé", "Åse"]
    assert isinstance(found[0], Printing)
    assert found[0].fields["Text"] == words
    assert remarks == ([] if output is None else [f"a.txt: 2 lines are not UTF-8; read as {output}."])


def test_lines_in_two_encodings_are_read() -> None:
    content = f"{HEADER}\n".encode() + "Zoé,A,1,2,x\n".encode() + "Åse,A,2,3,x\n".encode("cp1252")
    found, remarks = read(content)
    assert [row.name for row in found if isinstance(row, Printing)] == ["Zoé", "Åse"]
    assert remarks == ["cards.csv: 1 line is not UTF-8; read as Windows-1252."]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n \n", "empty"),
        (b"Name,Fire\n\0\0\0", "not text"),
        ("Name,Fire\nAsh,1".encode("utf-32"), "not text"),
        (b"\xff\xfeN\x00a", "UTF-16|columns"),
        (b"\xff\xfe\x00\xd8\x00\x00", "UTF-16|columns"),
        (b"<!doctype html><title>Not found</title>", "web page"),
        (b"Name,Set\nAsh,A\n", "none of the columns"),
        (b"x" * (LONGEST_ROW + 1), "over 1 MiB"),
    ],
)
def test_file_that_is_not_a_table_of_cards_is_reported(content: bytes, words: str) -> None:
    with pytest.raises(CatalogError, match=words):
        rows(content)


@given(st.binary(max_size=300))
def test_any_bytes_are_rows_or_a_reported_error(content: bytes) -> None:
    try:
        rows(f"{HEADER}\n".encode() + content)
        rows(content)
        rows(b"{" + content, name="a_json")
        rows(b"{" + content, '[columns]\nrows = "cards"', name="a_json")
    except CatalogError:
        pass


# --- irregular and damaged tables ------------------------------------------------------------------------------


def test_quotation_marks_in_a_table_with_tabs_are_plain_text() -> None:
    content = 'Name\tFire\tText\n"Mad" Ash\t1\tsays "no\nBee\t2\t"quoted"\nCee\t3\t"\n'
    assert [(row.name, row.fields["Text"]) for row in printings(content, name="a_txt")] == [
        ('"Mad" Ash', 'says "no'),
        ("Bee", '"quoted"'),
        ("Cee", '"'),
    ]


def test_quoted_cells_with_several_lines_are_read_in_table_with_tabs() -> None:
    content = 'Name\tFire\tText\nAsh\t1\t"one\n\ntwo ""2""\tand"\nBee\t2\tx\n'
    found = printings(content, name="a_tsv")
    assert [(row.name, row.fields["Text"]) for row in found] == [("Ash", 'one\ntwo "2"\tand'), ("Bee", "x")]


def test_quoted_cells_may_contain_commas_quotation_marks_and_lines() -> None:
    content = f'{HEADER}\n"Ash, ""the"" Dragon",A,7,3,"Burns\n2,\n3."\nBee,A,8,4,x\n'
    assert names(content) == ['Ash, "the" Dragon', "Bee"]
    assert printings(content)[0].fields["Text"] == "Burns\n2,\n3."


GOOD = "".join(f'"Card, {n}",A,{n},1,x\n' for n in range(600))


def test_stray_quotation_mark_does_not_swallow_rows() -> None:
    stray = 'Ash,A,7,3,"not closed\nBee,A,8,4,x\nCee,A,9,5,"12 inch\nDee,A,1,5,x\n'
    output = "cards.csv: some quotation marks are not closed; they are read literally."
    found, remarks = read(f"{HEADER}\n{stray}")
    assert ([row[1] for row in found], remarks) == (["Ash", "Bee", "Cee", "Dee"], [output])
    # If the preceding cells are closed, only this line is read literally.
    output = "cards.csv, line 602: a quotation mark is not closed; such lines are read literally."
    found, remarks = read(f"{HEADER}\n{GOOD}{stray}{GOOD}")
    assert ([row[1] for row in found[600:604]], remarks) == (["Ash", "Bee", "Cee", "Dee"], [output])
    assert (len(found), found[0][1], found[-1][1]) == (1204, "Card, 0", "Card, 599")


def test_file_of_stray_quotation_marks_is_an_error() -> None:
    with pytest.raises(CatalogError, match="too many quotation marks"):
        rows(f"{HEADER}\n{GOOD}" + 'Ash,A,7,3,"x\nBee,A,"8,4,x\n' * 20_000)


def test_short_rows_are_read_and_long_ones_are_reported() -> None:
    found = rows(f"{HEADER}\nAsh,A,7,3\nBee,A,8,4,x,more\nCee\nDee,A,9,4,x,,,\n")
    assert [row.name for row in found if isinstance(row, Printing)] == ["Ash", "Cee", "Dee"]
    assert [row for row in found if isinstance(row, UnreadRow)] == [UnreadRow("line 3", "6 cells under 5 headings")]


def test_second_column_with_same_name_is_numbered() -> None:
    content = "Name,Fire,Text,Text\nAsh,1,3 first,4 second\n"
    found, remarks = read(content, '[[printed]]\nfield = "Text #2"\nzone = "face"')
    assert isinstance(found[0], Printing)
    assert (found[0].fields["Text"], found[0].fields["Text #2"]) == ("3 first", "4 second")
    assert remarks == ["cards.csv: two columns are called 'Text'; the second is read as 'Text #2'."]


def test_comma_is_decimal_point_in_tables_with_semicolons() -> None:
    content = "Name;Set;Number;Fire;Text\nAsh;A;7;2,5;Burns 1,5 of it, 2\nBee;A;8;1,234;x\n"
    found, remarks = read(content)
    fields = [(row.fields["Fire"], row.fields["Text"]) for row in found if isinstance(row, Printing)]
    assert fields == [("2.5", "Burns 1,5 of it, 2"), ("1,234", "x")]
    assert remarks == ["cards.csv: 2,5 is read as 2.5, as usual in tables with semicolons."]
    (two,) = printings(f'{HEADER}\nAsh,A,7,"2,5",x\n')
    assert two.fields["Fire"] == "2,5"


def test_layout_fields_missing_from_all_cards_are_reported() -> None:
    output = "held: no card has 'Fire', where the layout of Dragons reads numbers."
    assert read('[{"Name": "Ash", "Text": "x"}]', name="a_json")[1] == [output]
    assert read('[{"Name": "Ash", "Text": "x"}, {"Name": "Bee", "Fire": 1}]', name="a_json")[1] == []
    assert read("[]", name="a_json")[1] == []
    two = DRAGONS + '[[printed]]\nfield = "Claws"\nzone = "left"\n'
    assert read('[{"Name": "Ash"}]', name="a_json", text=two)[1] == [output.replace("'Fire'", "'Fire', 'Claws'")]


def test_file_without_any_of_the_columns_is_an_error_with_its_columns() -> None:
    with pytest.raises(CatalogError) as caught:
        rows("Name,Set\nAsh,A\n")
    assert str(caught.value) == (
        "cards.csv: it has none of the columns that the layout of Dragons reads (Fire, Text).\nIts columns: Name, Set."
    )


def test_missing_column_of_the_layout_is_reported() -> None:
    _, remarks = read("Name,Fire\nAsh,1\n")
    assert remarks == ["cards.csv: it has no column 'Text', which the layout of Dragons names."]


def test_too_many_columns_are_an_error() -> None:
    with pytest.raises(CatalogError, match="columns"):
        rows("Name," + ",".join(f"c{n}" for n in range(2000)) + "\n")


@given(st.lists(st.lists(st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs", "Cc"]))
       , min_size=2, max_size=4), max_size=8))  # fmt: skip
def test_any_cells_with_tabs_are_read_unchanged(cells: list[list[str]]) -> None:
    lines = ["Name\tA\tB\tC", *("\t".join(row) for row in cells)]
    body = "\n".join(lines).encode()
    table = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a"), "a", lambda sentence: None, "\t", quoted=False)
    expected = [stripped for row in cells if any(stripped := [cell.strip() for cell in row])]
    found = [row.texts for row in table if not isinstance(row, UnreadRow)]
    filled = [row for row in expected if "".join(row).strip(" ,;|\t") and row != ["Name", "A", "B", "C"]]
    assert [row for row in found if "".join(row).strip(" ,;|\t")] == filled


# --- from the command line -------------------------------------------------------------------------------------


def test_unknown_game_needs_only_a_layout_for_a_deck(shell: Shell) -> None:
    data, own = shell.folder / "tidepool.csv", shell.folder / "tidepool.toml"
    own.write_text(
        'format = 1\ngame = "tidepool"\nname = "Tide Pool"\n'
        '[[printed]]\nfield = "Pinch"\nzone = "left"\n[[printed]]\nfield = "No."\nzone = "bottom"\nread = "collector"\n'
        '[columns]\ncollector_number = "No."\n[stats]\nattack = "Pinch"\ndefense = "Shell"\n'
    )
    lines = "".join(f"Crab {n},Shore,{n}/40,{n % 11},{n % 7}\n" for n in range(1, 41))
    data.write_text(f"Name,Set,No.,Pinch,Shell\n{lines}")
    summary = shell.good("import", "csv", data, "--layout", own, "--json").json
    assert (summary["source"], summary["read"], summary["legal"]) == ("file:tidepool", 40, 40)
    deck = shell.good("deck", "new", "--game", "tidepool", "--seed", "1", "--json").json
    assert len({card["id"] for card in deck["cards"]}) == 20
    shown = shell.card("Crab 7")
    assert (shown["zones"], shown["attack"], shown["defense"]) == ({"left": 7, "bottom": 7}, 7, 0)
    assert shell.good("import", "csv", data, "--layout", own, "--json").json["unchanged"] == 40


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode there")
def test_file_with_undecodable_name_is_read(shell: Shell) -> None:
    data, own = shell.folder / "h\udcff.csv", shell.folder / "dragons.toml"
    own.write_text(DRAGONS + '[columns]\nset_code = "{@file}"\n')
    data.write_text(f"{HEADER}\nAsh,A,7,3,x\n")
    assert shell.good("import", "file", data, "--layout", own, "--json").json["legal"] == 1
    assert shell.card("Ash")["set_code"] == "h?"


def test_layout_is_found_by_name_and_own_layout_comes_first(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "layouts"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    (folder / "dragons.toml").write_text(DRAGONS)
    (folder / "mtg.toml").write_text(DRAGONS.replace('"dragons"', '"mtg"'))
    data = write(shell.folder / "a.csv", f"{HEADER}\nAsh,A,7,3,Burns 2.\n")
    assert shell.good("import", "file", data, "--layout", "dragons", "--json").json["source"] == "file:dragons"
    assert shell.good("import", "file", data, "--layout", "mtg", "--json").json["legal"] == 1
    shell("import", "file", data, "--layout", "griffins").names_unknown("griffins", "dragons")
    shell("import", "file", data, "--layout", folder / "griffins.toml").fails("griffins.toml")


def test_file_needs_a_layout(shell: Shell) -> None:
    data = write(shell.folder / "a.csv", f"{HEADER}\nAsh,A,7,3,Burns 2.\n")
    shell("import", "file", data).misuses("--layout")
    shell("import", "file").misuses("reads a file: ccgrid import file FILE")


def test_import_reports_guessed_encoding(shell: Shell) -> None:
    data, own = shell.folder / "a.csv", shell.folder / "dragons.toml"
    own.write_text(DRAGONS)
    data.write_bytes(f"{HEADER}\nZoé,A,7,3,x\n".encode("cp1252"))
    result = shell.good("import", "file", data, "--layout", own)
    assert result.err == "a.csv: 1 line is not UTF-8; read as Windows-1252.\n"


# --- real files ------------------------------------------------------------------------------------------------


def test_real_table_with_cells_of_many_lines_is_read(shared_data: Path, shell: Shell) -> None:
    own = write(
        shell.folder / "fab.toml",
        'game = "fab"\n[[printed]]\nfield = "Cost"\nzone = "top-right"\n[columns]\nid = "Unique ID"\n',
    )
    data = shared_data / "json-games" / "flesh-and-blood-cards" / "csvs" / "english" / "card.csv"
    summary = shell.good("import", "file", data, "--layout", own, "--json").json
    assert (summary["read"], summary["skipped"]) == (3878, 0)


# --- missing columns --------------------------------------------------------------------------------------------


MIGHT = '\n[[printed]]\nfield = "Toughess"\nzone = "top-left"\n'


def test_data_without_column_for_numbers_are_an_error() -> None:
    with pytest.raises(CatalogError) as caught:
        rows(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT)
    assert str(caught.value) == (
        "cards.csv: it has no column 'Toughess', in which the layout of Dragons reads numbers. Its columns:\n"
        "Name, Set, Number, Fire, Text. A layout for data that may lack it says so:"
        ' [[barred]] reason = "data:missing", when = { "Toughess" = { present = false } }.'
    )
    with pytest.raises(CatalogError, match=r"no column 'Toughess', 'Claws', in which"):
        rows(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT + '[stats]\nattack = "Claws"\ndefense = "Fire"\n')


def test_layout_with_a_test_for_missing_numbers_excludes_cards_without_them() -> None:
    bar = '[[barred]]\nreason = "data:toughness"\nwhen = { Toughess = { present = false } }\n'
    found, remarks = read(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT + bar)
    assert [
        layout(text=DRAGONS + MIGHT + bar).compiled().read(row.fields).reason
        for row in found
        if isinstance(row, Printing)
    ] == ["data:toughness"]
    assert remarks == ["cards.csv: it has no column 'Toughess', which the layout of Dragons names."]


def test_missing_texts_are_not_reported_if_one_exists() -> None:
    two = DRAGONS + '\n[[printed]]\nfield = "Rules"\nzone = "face"\n'
    assert read(f"{HEADER}\nAsh,A,1,3,x\n", text=two)[1] == []
    none = read("Name,Set,Number,Fire\nAsh,A,1,3\n", text=two)[1]
    assert none == ["cards.csv: it has no column 'Text', 'Rules', which the layout of Dragons names."]


def test_usual_headings_are_found_in_any_file() -> None:
    headings = [
        "cardname",
        "cardtype",
        "cardrace",
        "mana",
        "civilization",
        "cardrarity",
        "cardeffect",
        "illus",
        "mytraits",
    ]
    found = {name: usual_headings(name, headings) for name in DESCRIBED}
    assert {name: one for name, (one, *_) in ((n, f) for n, f in found.items() if f)} == {
        **{"type": "cardtype", "rarity": "cardrarity", "colours": "civilization", "cost": "mana", "artist": "illus"},
        **{"keywords": "mytraits", "text": "cardeffect"},
    }
    assert usual_headings("cost", ["poolcost", "bloodcost"]) == ["poolcost", "bloodcost"]
    assert usual_headings("cost", ["trashcost", "cost"]) == ["cost"]
    assert usual_headings("text", ["cardtext1", "cardtext2", "cardtext10"]) == ["cardtext1", "cardtext2", "cardtext10"]
