"""Data files read by a layout alone: encodings, dirt, and a game that nobody has heard of."""

import io
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell
from helpers.layout_only_game import DRAGONS, HEADER, layout, printings, read, rows
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.card import CatalogError, Printing, Unread
from ccgrid.catalog.readers.encodings import survey
from ccgrid.catalog.readers.streams import LONGEST_ROW
from ccgrid.catalog.readers.tables import TextTable


def names(content: bytes | str, columns: str = "", **options: Any) -> list[str]:
    return [row.name for row in printings(content, columns, **options)]


# --- encodings -------------------------------------------------------------------------------------------------


WORDS = "Æther Élan, façade, naïve, Jörð, señor, “so” – 7½ it’s… übel"


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", None),
        ("cp1252", "Windows-1252"),
        ("mac_roman", "Mac Roman"),
    ],
)
def test_an_encoding_is_told_apart(encoding: str, told: str | None) -> None:
    words = WORDS.replace("½", "").replace("ð", "o")  # which the Macintosh had not
    content = f"Name\tSet\tNumber\tFire\tText\nZoé\tA\t1\t2\t{words}\nÅse\tA\t2\t3\tx\n"
    found, remarks = read(content.encode(encoding), name="a_txt")
    assert [row.name for row in found if isinstance(row, Printing)] == ["Zoé", "Åse"]
    assert isinstance(found[0], Printing)
    assert found[0].fields["Text"] == words
    assert remarks == ([] if told is None else [f"a.txt: 2 lines are not UTF-8; read as {told}."])


def test_lines_of_two_encodings_in_one_file_are_both_read() -> None:
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
def test_what_is_no_table_of_cards_is_told(content: bytes, words: str) -> None:
    with pytest.raises(CatalogError, match=words):
        rows(content)


@given(st.binary(max_size=300))
def test_no_bytes_whatever_end_in_a_traceback(content: bytes) -> None:
    try:
        rows(f"{HEADER}\n".encode() + content)
        rows(content)
        rows(b"{" + content, name="a_json")
        rows(b"{" + content, '[columns]\nrows = "cards"', name="a_json")
    except CatalogError:
        pass


# --- dirt ------------------------------------------------------------------------------------------------------


def test_quotation_marks_in_a_table_with_tabs_are_plain_text() -> None:
    content = 'Name\tFire\tText\n"Mad" Ash\t1\tsays "no\nBee\t2\t"quoted"\nCee\t3\t"\n'
    assert [(row.name, row.fields["Text"]) for row in printings(content, name="a_txt")] == [
        ('"Mad" Ash', 'says "no'),
        ("Bee", '"quoted"'),
        ("Cee", '"'),
    ]


def test_a_table_with_tabs_may_enclose_cells_of_several_lines_too() -> None:
    content = 'Name\tFire\tText\nAsh\t1\t"one\n\ntwo ""2""\tand"\nBee\t2\tx\n'
    found = printings(content, name="a_tsv")
    assert [(row.name, row.fields["Text"]) for row in found] == [("Ash", 'one\ntwo "2"\tand'), ("Bee", "x")]


def test_enclosed_cells_may_hold_commas_quotation_marks_and_lines() -> None:
    content = f'{HEADER}\n"Ash, ""the"" Dragon",A,7,3,"Burns\n2,\n3."\nBee,A,8,4,x\n'
    assert names(content) == ['Ash, "the" Dragon', "Bee"]
    assert printings(content)[0].fields["Text"] == "Burns\n2,\n3."


GOOD = "".join(f'"Card, {n}",A,{n},1,x\n' for n in range(600))


def test_a_stray_quotation_mark_swallows_no_rows() -> None:
    stray = 'Ash,A,7,3,"not closed\nBee,A,8,4,x\nCee,A,9,5,"12 inch\nDee,A,1,5,x\n'
    told = "cards.csv: some quotation marks are not closed; they are read literally."
    found, remarks = read(f"{HEADER}\n{stray}")
    assert ([row[1] for row in found], remarks) == (["Ash", "Bee", "Cee", "Dee"], [told])
    # Where those before it are closed, it is one line that is read in another way.
    told = "cards.csv, line 602: a quotation mark is not closed; such lines are read literally."
    found, remarks = read(f"{HEADER}\n{GOOD}{stray}{GOOD}")
    assert ([row[1] for row in found[600:604]], remarks) == (["Ash", "Bee", "Cee", "Dee"], [told])
    assert (len(found), found[0][1], found[-1][1]) == (1204, "Card, 0", "Card, 599")


def test_a_file_of_stray_quotation_marks_is_given_up_in_time() -> None:
    with pytest.raises(CatalogError, match="too many quotation marks"):
        rows(f"{HEADER}\n{GOOD}" + 'Ash,A,7,3,"x\nBee,A,"8,4,x\n' * 20_000)


def test_short_rows_are_read_and_long_ones_are_told() -> None:
    found = rows(f"{HEADER}\nAsh,A,7,3\nBee,A,8,4,x,more\nCee\nDee,A,9,4,x,,,\n")
    assert [row.name for row in found if isinstance(row, Printing)] == ["Ash", "Cee", "Dee"]
    assert [row for row in found if isinstance(row, Unread)] == [Unread("line 3", "6 cells under 5 headings")]


def test_of_two_columns_of_one_name_the_second_is_numbered() -> None:
    content = "Name,Fire,Text,Text\nAsh,1,3 first,4 second\n"
    found, remarks = read(content, '[[printed]]\nfield = "Text #2"\nzone = "face"')
    assert isinstance(found[0], Printing)
    assert (found[0].fields["Text"], found[0].fields["Text #2"]) == ("3 first", "4 second")
    assert remarks == ["cards.csv: two columns are called 'Text'; the second is read as 'Text #2'."]


def test_a_column_that_the_layout_wants_and_the_file_has_not_is_told() -> None:
    _, remarks = read("Name,Fire\nAsh,1\n")
    assert remarks == ["cards.csv: it has no column 'Text', which the layout of Dragons names."]


def test_more_columns_than_any_table_has_are_no_table() -> None:
    with pytest.raises(CatalogError, match="columns"):
        rows("Name," + ",".join(f"c{n}" for n in range(2000)) + "\n")


@given(st.lists(st.lists(st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=["Cs", "Cc"]))
       , min_size=2, max_size=4), max_size=8))  # fmt: skip
def test_whatever_stands_in_cells_with_tabs_is_read_cell_by_cell(cells: list[list[str]]) -> None:
    lines = ["Name\tA\tB\tC", *("\t".join(row) for row in cells)]
    body = "\n".join(lines).encode()
    table = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a"), "a", lambda sentence: None, "\t", quoted=False)
    expected = [stripped for row in cells if any(stripped := [cell.strip() for cell in row])]
    found = [row.texts for row in table if not isinstance(row, Unread)]
    filled = [row for row in expected if "".join(row).strip(" ,;|\t") and row != ["Name", "A", "B", "C"]]
    assert [row for row in found if "".join(row).strip(" ,;|\t")] == filled


# --- from the command line -------------------------------------------------------------------------------------


def test_a_game_that_nobody_has_heard_of_ends_in_a_deck_by_a_layout_alone(shell: Shell) -> None:
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
    shown = shell.good("show", "Crab 7", "--json").json
    assert (shown["zones"], shown["attack"], shown["defense"]) == ({"left": 7, "bottom": 7}, 7, 0)
    assert shell.good("import", "csv", data, "--layout", own, "--json").json["unchanged"] == 40


def test_a_layout_may_be_named_and_ones_own_comes_first(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "layouts"
    folder.mkdir()
    monkeypatch.setenv("CCGRID_LAYOUTS", str(folder))
    (folder / "dragons.toml").write_text(DRAGONS)
    (folder / "mtg.toml").write_text(DRAGONS.replace('"dragons"', '"mtg"'))
    data = shell.folder / "a.csv"
    data.write_text(f"{HEADER}\nAsh,A,7,3,Burns 2.\n")
    assert shell.good("import", "file", data, "--layout", "dragons", "--json").json["source"] == "file:dragons"
    assert shell.good("import", "file", data, "--layout", "mtg", "--json").json["legal"] == 1
    shell("import", "file", data, "--layout", "griffins").misnamed("griffins", "dragons")
    shell("import", "file", data, "--layout", folder / "griffins.toml").refused("griffins.toml")


def test_the_game_of_a_file_must_be_said(shell: Shell) -> None:
    data = shell.folder / "a.csv"
    data.write_text(f"{HEADER}\nAsh,A,7,3,Burns 2.\n")
    shell("import", "file", data).refused("--layout")
    shell("import", "file").refused("read from a file")


def test_what_had_to_be_guessed_is_said_beside_the_result(shell: Shell) -> None:
    data, own = shell.folder / "a.csv", shell.folder / "dragons.toml"
    own.write_text(DRAGONS)
    data.write_bytes(f"{HEADER}\nZoé,A,7,3,x\n".encode("cp1252"))
    result = shell.good("import", "file", data, "--layout", own)
    assert result.err == "a.csv: 1 line is not UTF-8; read as Windows-1252.\n"


# --- real files ------------------------------------------------------------------------------------------------


def test_a_real_table_with_enclosed_cells_of_many_lines_is_read_whole(shared_data: Path, shell: Shell) -> None:
    own = shell.folder / "fab.toml"
    own.write_text('game = "fab"\n[[printed]]\nfield = "Cost"\nzone = "top-right"\n[columns]\nid = "Unique ID"\n')
    data = shared_data / "json-games" / "flesh-and-blood-cards" / "csvs" / "english" / "card.csv"
    summary = shell.good("import", "file", data, "--layout", own, "--json").json
    assert (summary["read"], summary["skipped"]) == (3878, 0)


# --- columns of numbers that are not there ----------------------------------------------------------------------


MIGHT = '\n[[printed]]\nfield = "Toughess"\nzone = "top-left"\n'


def test_a_layout_is_refused_whose_column_of_numbers_the_data_lack() -> None:
    with pytest.raises(CatalogError) as caught:
        rows(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT)
    assert str(caught.value) == (
        "cards.csv: it has no column 'Toughess', in which the layout of Dragons reads numbers. Its columns:\n"
        "Name, Set, Number, Fire, Text. A layout for data that may lack it says so:"
        ' [[barred]] reason = "data:missing", when = { "Toughess" = { present = false } }.'
    )
    with pytest.raises(CatalogError, match=r"no column 'Toughess', 'Claws', in which"):
        rows(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT + '[stats]\nattack = "Claws"\ndefense = "Fire"\n')


def test_a_layout_that_asks_whether_the_data_have_the_numbers_bars_the_cards_that_lack_them() -> None:
    bar = '[[barred]]\nreason = "data:toughness"\nwhen = { Toughess = { present = false } }\n'
    found, remarks = read(f"{HEADER}\nAsh,A,1,3,x\n", text=DRAGONS + MIGHT + bar)
    assert [
        layout(text=DRAGONS + MIGHT + bar).compiled().read(row.fields).reason
        for row in found
        if isinstance(row, Printing)
    ] == ["data:toughness"]
    assert remarks == ["cards.csv: it has no column 'Toughess', which the layout of Dragons names."]


def test_texts_under_other_headings_are_not_missed_where_there_is_one() -> None:
    two = DRAGONS + '\n[[printed]]\nfield = "Rules"\nzone = "face"\n'
    assert read(f"{HEADER}\nAsh,A,1,3,x\n", text=two)[1] == []
    none = read("Name,Set,Number,Fire\nAsh,A,1,3\n", text=two)[1]
    assert none == ["cards.csv: it has no column 'Text', 'Rules', which the layout of Dragons names."]
