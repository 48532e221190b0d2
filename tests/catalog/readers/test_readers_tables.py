"""Reading texts, tables and archives, and the whole of what is said where they cannot be read."""

import io
from pathlib import Path
from typing import Any

import pytest
from helpers.error_messages import refusal

from ccgrid.catalog.readers import archives
from ccgrid.catalog.readers.archives import check_name, open_tree
from ccgrid.catalog.readers.encodings import byte_lines, survey, tell_encoding, text_lines
from ccgrid.catalog.readers.tables import TextTable, rows_as_dicts

# --- texts and tables -------------------------------------------------------------------------------------------------


def lines(body: bytes) -> tuple[str, list[str], list[str]]:
    """The encoding, the lines, and what was remarked."""
    remarks: list[str] = []
    found = survey(io.BytesIO(body), "a.txt")
    tell_encoding(found, "a.txt", remarks.append)
    return found.encoding, list(text_lines(io.BytesIO(body), found, "a.txt")), remarks


def test_lines_may_end_in_three_ways() -> None:
    assert list(byte_lines(io.BytesIO(b"a\nb\r\nc\rd\n\ne"), "a.txt")) == [b"a", b"b", b"c", b"d", b"", b"e"]
    assert list(byte_lines(io.BytesIO(b""), "a.txt")) == []


def test_a_text_is_read_in_its_encoding_and_a_guess_is_told() -> None:
    assert lines("a\nü\n".encode()) == ("utf-8", ["a", "ü"], [])
    assert lines(b"\xef\xbb\xbfa\n\xef\xbb\xbfb") == ("utf-8", ["a", "\ufeffb"], [])
    assert lines("a\nü\n".encode("utf-16")) == ("utf-16", ["a", "ü"], [])
    text = "Áine’s Dûsk – déjà vu, naïve café"
    encoding, found, remarks = lines(f"{text}\nplain\nü".encode("cp1252"))
    assert (encoding, found) == ("cp1252", [text, "plain", "ü"])
    assert remarks == ["a.txt: 2 lines are not UTF-8; read as Windows-1252."]
    assert lines(f"{text}\nplain".encode("cp1252"))[2] == ["a.txt: 1 line is not UTF-8; read as Windows-1252."]


def test_what_is_no_text_is_refused() -> None:
    words = "a.txt: this is not text (line 2 has a zero byte). Is it the right file?"
    assert refusal(lambda: lines(b"abcd\nb\0\n")) == words
    wide = refusal(lambda: lines(b"\xff\xfea"))
    assert wide.startswith("a.txt: starts as UTF-16 but is not (")
    assert wide.endswith("). Is it the right file?")


def table(text: str, **more: Any) -> tuple[list[str], list[Any], list[str], str]:
    """The header, the rows, what was remarked, and the delimiter."""
    remarks: list[str] = []
    body = text.encode()
    found = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a.csv"), "a.csv", remarks.append, **more)
    return found.header, [tuple(row) for row in found], remarks, found.delimiter


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_found_out(mark: str) -> None:
    header, found, remarks, delimiter = table(f"Name{mark}Set\nAnt{mark} dsk \n")
    assert (header, found, remarks, delimiter) == (["Name", "Set"], [(2, ["Ant", "dsk"])], [], mark)


def test_a_line_may_name_the_separator() -> None:
    assert table("sep=;\nName;Set,Two\nAnt;a,b\n")[:2] == (["Name", "Set,Two"], [(3, ["Ant", "a,b"])])
    assert table('"sep=|"\nName|Set\nAnt|a\n')[3] == "|"
    assert table("Separation,Set\nAnt,a\n")[0] == ["Separation", "Set"]


def test_cells_in_quotation_marks_hold_separators_marks_and_ends_of_lines() -> None:
    text = 'Name,Set\n"Ant, the ""Quick""",dsk\n"two\nlines",old\nBee,x\n'
    found = [(2, ['Ant, the "Quick"', "dsk"]), (3, ["two\nlines", "old"]), (5, ["Bee", "x"])]
    assert table(text)[1] == found
    assert table('Name\tSet\n5" Ant\tdsk\n"Bee" x\told\n')[1] == [(2, ['5" Ant', "dsk"]), (3, ['"Bee" x', "old"])]


def test_separators_in_quotation_marks_do_not_count_for_the_separator() -> None:
    assert table('"Name, or what, it is";Set\n"";dsk\nAnt;old\n')[:2] == (
        ["Name, or what, it is", "Set"],
        [(2, ["", "dsk"]), (3, ["Ant", "old"])],
    )
    assert table('Name\tSet\n"Ant\n\tdsk\nBee\told\n')[1][-1] == (4, ["Bee", "old"])


def test_empty_rows_repeated_headings_and_rows_that_are_too_long_are_told_or_left_out() -> None:
    header, found, remarks, _ = table("Name,Set,Name,,\n,,\nName,Set,Name\nAnt,a,b,,\nBee,a,b,c,d,e\nCow\n")
    assert header == ["Name", "Set", "Name #2"]
    assert remarks == ["a.csv: two columns are called 'Name'; the second is read as 'Name #2'."]
    assert found[-2:] == [("line 5", "6 cells under 5 headings"), (6, ["Cow"])]
    assert (4, ["Ant", "a", "b"]) in found


def test_a_mark_that_is_not_closed_is_told() -> None:
    _, found, remarks, _ = table('Name,Set\n"Ant",a\n"Bee,b\nCow,c\n' + '"Dog, x",d\n' * 9)
    assert [row[1][0] for row in found[:3]] == ["Ant", '"Bee', "Cow"]
    assert remarks == ["a.csv, line 3: a quotation mark is not closed; such lines are read literally."]


def test_marks_that_mostly_close_nothing_are_read_as_they_are_and_that_is_told() -> None:
    _, found, remarks, _ = table('Name,Set\n"Ant",a\n"Bee,b\nCow,c\n')
    assert [row[1][0] for row in found] == ['"Ant"', '"Bee', "Cow"]
    assert remarks == ["a.csv: some quotation marks are not closed; they are read literally."]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n ,, \n", "a.csv: the file is empty."),
        ("<html>\n", "a.csv: this is a web page or XML, not a table. Download the data file itself."),
        ("a," * 10_000, "a.csv: over 1000 columns. Is it the right file?"),
    ],
)
def test_a_table_that_is_none_is_refused_in_a_sentence(text: str, words: str) -> None:
    assert refusal(lambda: table(text)) == words


def test_rows_become_mappings_with_their_place() -> None:
    body = b"Name,Set\nAnt\nBee,b,c\n"
    found = TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a"), "a", lambda remark: None)
    first, second = rows_as_dicts(found.header, found)
    assert first == ("line 2", {"Name": "Ant"})
    assert tuple(second) == ("line 3", "3 cells under 2 headings")


# --- names in archives ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../a", "a/../../b", "/a", "C:\\a", "a\\..\\..\\b", ".."])
def test_a_name_that_climbs_out_is_told(name: str) -> None:
    words = f"list: {name!r} leads out of its folder; nothing was read."
    assert refusal(lambda: check_name(name, "list")) == words


def test_a_folder_of_countless_files_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 2)
    for number in range(2):
        (tmp_path / f"{number}.txt").write_bytes(b"x")
    with open_tree(tmp_path) as tree:
        assert list(tree.names) == ["0.txt", "1.txt"]
    (tmp_path / "2.txt").write_bytes(b"x")

    def opened() -> None:
        with open_tree(tmp_path):
            pass

    assert refusal(opened) == f"{tmp_path}: over 2 files. Is it the right folder?"
