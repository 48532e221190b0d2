"""Ambiguous tables: the chosen reading, the limits, and the warnings."""

import io
from typing import Any

import pytest

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.readers.tables import TextTable
from ccgrid.catalog.readers.text_lines import survey


def open_table(text: str, remarks: list[str], **more: Any) -> TextTable:
    body = text.encode()
    return TextTable(io.BytesIO(body), survey(io.BytesIO(body), "a.csv"), "a.csv", remarks.append, **more)


def read(text: str, **more: Any) -> tuple[list[str], list[Any], list[str]]:
    """Return the header, the rows in file order, and the warnings."""
    remarks: list[str] = []
    table = open_table(text, remarks, **more)
    return table.header, [tuple(row) for row in table], remarks


# --- the first lines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "delimiter"),
    [
        ("sep=;", ";"),
        ("SEP=|", "|"),
        ('"sep=,"', ","),
        ("'sep=;'", ";"),
        ("sep=\t", "\t"),
        ("sep=", "\t"),
    ],
)
def test_line_that_names_the_separator_is_not_a_row(first: str, delimiter: str) -> None:
    assert read(f"{first}\nName{delimiter}Set\nAnt{delimiter}dsk\n") == (["Name", "Set"], [(3, ["Ant", "dsk"])], [])


def test_blanks_may_precede_quotation_marks() -> None:
    text = '"Set", "Name", "Cost", "Note"\n"The Set", "Elf, the Wise", "2"\n"The Set", "Oak" the Elf, 3, ""\n'
    assert read(text) == (
        ["Set", "Name", "Cost", "Note"],
        [(2, ["The Set", "Elf, the Wise", "2"]), (3, ["The Set", '"Oak" the Elf', "3", ""])],
        [],
    )


def test_heading_like_a_named_separator_is_a_heading() -> None:
    assert read("sep=ab,Set\nAnt,dsk\n") == (["sep=ab", "Set"], [(2, ["Ant", "dsk"])], [])


def test_single_column_is_a_table_with_any_heading() -> None:
    assert read("XP\n12\n7,5\n") == (["XP"], [(2, ["12"]), (3, ["7,5"])], [])


def test_header_without_rows_is_an_empty_table() -> None:
    assert read("Name,Set\n") == (["Name", "Set"], [], [])
    assert read('"Name","Set"\n') == (["Name", "Set"], [], [])
    assert read('"Name"\t"Set"') == (['"Name"', '"Set"'], [], [])


def test_lines_of_separators_and_blanks_are_neither_header_nor_rows() -> None:
    text = "|||\n;;\n\t\t\n ,, \nName|Set\nAnt|dsk\n||\n"
    assert read(text) == (["Name", "Set"], [(6, ["Ant", "dsk"])], [])


def test_web_page_after_blanks_is_detected() -> None:
    with pytest.raises(CatalogError) as caught:
        read("\n  <!doctype html>\n")
    words = "a.csv: this is a web page or XML, not a table. Download the data file itself."
    assert str(caught.value) == words


def test_table_may_have_up_to_1000_columns() -> None:
    def header(count: int) -> list[str]:
        return [f"c{number}" for number in range(count)]

    assert read(",".join(header(1000)) + "\n")[0] == header(1000)
    with pytest.raises(CatalogError) as caught:
        read(",".join(header(1001)) + "\n")
    assert str(caught.value) == "a.csv: over 1000 columns. Is it the right file?"


def test_columns_without_heading_are_kept_except_last_ones() -> None:
    assert read("Name,,Set,,\nAnt,x,dsk,,\n") == (["Name", "", "Set"], [(2, ["Ant", "x", "dsk"])], [])


def test_columns_with_same_name_are_numbered_and_reported_once() -> None:
    header, _, remarks = read("Id,Name,Name,Name\n1,a,b,c\n")
    assert header == ["Id", "Name", "Name #2", "Name #3"]
    assert remarks == ["a.csv: two columns are called 'Name'; the second is read as 'Name #2'."]


# --- quotation marks around cells, or as plain text ------------------------------------------------------------------


def test_late_quotation_mark_encloses_a_cell_with_commas_and_is_text_with_tabs() -> None:
    many = [f"card {number}" for number in range(600)]
    commas = "Name,Set\n" + "".join(f"{name},dsk\n" for name in many) + '"Ant, the Quick",dsk\n'
    assert read(commas)[1][-1] == (602, ["Ant, the Quick", "dsk"])
    tabs = "Name\tSet\n" + "".join(f"{name}\tdsk\n" for name in many) + '"Ant" the Quick\tdsk\n'
    assert read(tabs)[1][-1] == (602, ['"Ant" the Quick', "dsk"])


def test_quotation_marks_with_tabs_enclose_cells_only_if_needed() -> None:
    text = 'Name\tSet\n"two\nlines"\tdsk\nBee\told\n'
    assert read(text) == (["Name", "Set"], [(2, ["two\nlines", "dsk"]), (4, ["Bee", "old"])], [])
    inches = 'Name\tSet\n"Ant" the Quick\tdsk\n"5 inches\told\n'
    assert read(inches)[1] == [(2, ['"Ant" the Quick', "dsk"]), (3, ['"5 inches', "old"])]


def test_cell_with_marks_doubled_by_a_spreadsheet_is_restored_with_tabs() -> None:
    text = 'Name\tText\n"Kel ""Black"" Arun"\t5\n"Rock People"\t"7\nThe ""Old"" One\t""8""\n'
    cells = [['Kel "Black" Arun', "5"], ['"Rock People"', '"7'], ['The ""Old"" One', '""8""']]
    assert [found for _, found in read(text, quoted=False)[1]] == cells


def test_given_use_of_quotation_marks_is_not_detected() -> None:
    text = 'Name,Set\n"Ant",dsk\n'
    assert read(text, quoted=False)[1] == [(2, ['"Ant"', "dsk"])]
    assert read(text.replace(",", "\t"), quoted=True)[1] == [(2, ["Ant", "dsk"])]


def test_cell_with_several_lines_may_contain_separators() -> None:
    found = read('Name,Set\n"Bee, x\ny, z",b\nCow,c\n"Dog",d\n"Elk",e\n')[1]
    assert found == [(2, ["Bee, x\ny, z", "b"]), (4, ["Cow", "c"]), (5, ["Dog", "d"]), (6, ["Elk", "e"])]


def test_too_long_row_over_several_lines_is_reported_once() -> None:
    text = 'Name,Set\n"two\nlines",old,more\n' + '"Ant, the Quick",dsk\n' * 3
    assert read(text)[1][:2] == [("line 2", "3 cells under 2 headings"), (4, ["Ant, the Quick", "dsk"])]


def test_separate_rows_are_not_joined_by_stray_quotation_marks() -> None:
    text = 'Name,Set\n"Bee,b\nCow",c\n' + '"Ant, the Quick",dsk\n' * 3
    _, found, remarks = read(text)
    assert found[:3] == [(2, ['"Bee', "b"]), (3, ['Cow"', "c"]), (4, ["Ant, the Quick", "dsk"])]
    assert remarks == ["a.csv, line 2: a quotation mark is not closed; such lines are read literally."]


@pytest.mark.parametrize(("count", "whole"), [(199, True), (200, True), (201, False)])
def test_cell_may_have_up_to_200_lines(count: int, whole: bool) -> None:
    start = "Name,Set\n" + '"Ant, the Quick",dsk\n' * 600
    cell = "\n".join(["first", *["more"] * (count - 2), "last"])
    _, found, remarks = read(f'{start}"{cell}",old\n')
    if whole:
        assert (found[-1], remarks) == ((602, [cell, "old"]), [])
    else:
        assert found[600] == (602, ['"first'])
        assert found[-1] == (601 + count, ['last"', "old"])
        assert remarks == ["a.csv, line 602: a quotation mark is not closed; such lines are read literally."]


def test_over_100_unclosed_quotation_marks_are_an_error() -> None:
    start = "Name,Set\n" + '"Ant, the Quick",dsk\n' * 600
    _, found, remarks = read(start + '"Bee,b\n' * 100)
    assert found[600:] == [(602 + number, ['"Bee', "b"]) for number in range(100)]
    assert remarks == ["a.csv, line 602: a quotation mark is not closed; such lines are read literally."]
    with pytest.raises(CatalogError) as caught:
        read(start + '"Bee,b\n' * 101)
    assert str(caught.value) == "a.csv, line 702: too many quotation marks are not closed."


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('""', ""),
        ('""""', '"'),
        ('"a""b"', 'a"b'),
        ('"a"b', "ab"),
        ('a"b', 'a"b'),
        ('"a" ', "a"),
        ('" a "', "a"),
        ('"a,"', "a,"),
    ],
)
def test_doubled_quotation_mark_in_quoted_cell_is_one(cell: str, text: str) -> None:
    rows = f"Name,Set\n{cell},dsk\n" + '"Ant, the Quick",dsk\n' * 3 + f"Bee,{cell}\n"
    found = read(rows, quoted=True)[1]
    assert (found[0], found[-1]) == ((2, [text, "dsk"]), (6, ["Bee", text]))


# --- rows with too many or too few cells ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Name,Set,or Edition,No\nAnt,A,7\nBee,A,8\n", "no row has more than 3 cells under 4 headings"),
        ("Name,Set,No\nAnt;A;7\nBee;A;8\n", "no row has more than 1 cell under 3 headings"),
        ("Name,Set,No\nAnt;A;7\n", "no row has more than 1 cell under 3 headings"),
        (
            "Name,Price,No\nAnt,1,50,7\nBee,2,8\n",
            "a.csv, line 2: 4 cells under 3 headings: the comma in 1,50 splits it in two",
        ),
        (
            "Name,Prix,No\nAnt,2,8\nBee,€ 10,50,7\n",
            "a.csv, line 3: 4 cells under 3 headings: the comma in € 10,50 splits it in two",
        ),
    ],
)
def test_table_with_shifted_cells_is_an_error(text: str, words: str) -> None:
    with pytest.raises(CatalogError) as caught:
        read(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('Name,Set,No\n"Ant, the Great",A\nBee,A,8\n', [["Ant, the Great", "A"], ["Bee", "A", "8"]]),
        ('Name,Set,No\n"Ant\nthe Great",A\nBee,A,8\n', [["Ant\nthe Great", "A"], ["Bee", "A", "8"]]),
        ("Name;Price;No\nAnt;1,50;7\nBee;2;8\n", [["Ant", "1,50", "7"], ["Bee", "2", "8"]]),
        ("Name,Set,No\nAnt\n", None),
        ("Name\tSet\tNo\nAnt\tA\nBee\tA\n", [["Ant", "A"], ["Bee", "A"]]),
        ("Name,Price,No\nErase, 1, 2,7\nBee,2,8\n", [["Bee", "2", "8"]]),
    ],
)
def test_short_rows_and_rows_in_quotation_marks_are_read(text: str, rows: list[list[str]] | None) -> None:
    if rows is None:
        with pytest.raises(CatalogError, match="no row has more than 1 cell"):
            read(text)
    else:
        assert [row[1] for row in read(text)[1] if isinstance(row[1], list)] == rows


def test_unclosed_quote_does_not_swallow_other_rows() -> None:
    _, rows, remarks = read('Name,Set,No\n"Ant the Great,A\n"Bee",B,8\nCow,A,9\n')
    assert [row[1] for row in rows] == [['"Ant the Great', "A"], ["Bee", "B", "8"], ["Cow", "A", "9"]]
    assert remarks == ["a.csv, line 2: a quotation mark is not closed; such lines are read literally."]


def test_quoted_row_is_read_among_rows_with_stray_quotation_marks() -> None:
    text = 'Name,Set,No\n""A" Ant,A,7\n""B" Bee,A,8\n""C" Cow,A,9\n"Doe, the Deer",A\n'
    assert [row[1] for row in read(text)[1]][-1] == ["Doe, the Deer", "A"]
