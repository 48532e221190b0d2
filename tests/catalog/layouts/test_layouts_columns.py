"""Columns, and what data do not say as the card does."""

from typing import Any

import pytest
from made_up_layouts import one_line

from ccgrid.catalog.card import Printing
from ccgrid.catalog.layouts.described import printings
from ccgrid.catalog.layouts.lines import Column, find, first, folded


def column(source: str, after: str = "", before: str = "", **row: Any) -> str:
    return Column(source, after, before).text(lambda path: find(row, path))


def test_a_column_is_a_field_a_template_or_a_part_of_a_text() -> None:
    assert column("a", a=" x ") == "x"
    assert column("a", a=["x", "y"]) == "x"
    assert column("a") == column("a", a=[]) == ""
    assert column("{a}/{b}", a="x", b="y") == "x/y"
    assert column("{a}/{b}", a="x") == column("{a}/{b}", a="x", b="") == ""
    assert column("a", after=":", a="x:y:z") == "z"
    assert column("a", after=":", a="xyz") == ""
    assert column("a", before="(", a="x(y(z") == "x(y"
    assert column("a", before="(", a="xyz") == "xyz"
    assert column("a", after="(", before=")", a="x (12) of (13)!") == "13"
    assert Column("{a}/{b.c}").paths() == ("a", "b.c")
    assert Column("a.b").paths() == ("a.b",)


@pytest.mark.parametrize(
    ("row", "path", "text"),
    [
        ({"a": "x"}, "a", "x"),
        ({"a": 3.0}, "a", "3"),
        ({"a": 3.5}, "a", "3.5"),
        ({"a": True}, "a", "true"),
        ({"a": False}, "a", "false"),
        ({"a": None}, "a", None),
        ({}, "a", None),
        ({}, "a.b", None),
        ({"a": []}, "a", None),
        ({"a": ["x"]}, "a", ("x",)),
        ({"a": ["x", None, 2]}, "a", ("x", "2")),
        ({"a": {"b": "x", "c": ["y", "z"]}}, "a", ("x", "y", "z")),
        ({"a": {"b": "x"}}, "a.b", "x"),
        ({"a": {"b": {"c": "x"}}}, "a.b.c", "x"),
        ({"a.b": {"c": "x"}}, "a.b.c", "x"),
        ({"a.b": "x", "a": {"b": "y"}}, "a.b", "x"),
        ({"a": {"b.c": "x"}}, "a.b.c", "x"),
        ({"a": [{"b": "x"}, {"b": "y"}, {"c": "z"}]}, "a.b", ("x", "y")),
        ({"a": "x"}, "a.b", None),
        ({"": {"a": "x"}}, ".a", None),
    ],
)
def test_a_field_is_found_as_deep_as_json_goes(row: dict[str, Any], path: str, text: Any) -> None:
    assert find(row, path) == text


def test_a_field_gives_200_texts_and_is_looked_for_20_deep() -> None:
    assert len(find({"a": ["x"] * 300}, "a") or "") == 200
    deep: Any = "x"
    for _ in range(19):
        deep = {"b": deep}
    assert find({"a": deep}, "a") == ("x",)
    assert find({"a": {"b": {"b": deep}}}, "a") is None


def test_a_path_of_names_is_followed_20_deep() -> None:
    deep: Any = "x"
    for _ in range(21):
        deep = {"a": deep}
    assert find(deep["a"], ".".join("a" * 20)) == "x"
    assert find(deep, ".".join("a" * 21)) is None


def test_a_run_of_digits_is_counted_from_the_first_or_is_the_last() -> None:
    row = {"a": "1-22-333"}
    assert [Column("a", part=part).text(row.get) for part in (1, 2, 3, 4, -1)] == ["1", "22", "333", "", "333"]
    assert first(()) == first(None) == ""


HEADINGS = {
    "name": ("Name", "card_name", "Card Name", "Title", "Card"),
    "set_code": ("Set", "setCode", "Edition Code", "EXPANSION_CODE", "Set ID", "Pack Code", "Edition", "Expansion"),
    "set_name": ("Set Name", "edition_name", "ExpansionName"),
    "collector_number": ("Number", "Collector Number", "Card No.", "Collector's Number", "No.", "Nr", "card-number"),
    "released": ("Released", "released_at", "Release Date"),
    "lang": ("Lang", "Language"),
    "printed_name": ("printed_name", "Printed Name"),
}


@pytest.mark.parametrize(("column", "heading"), [(name, one) for name, usual in HEADINGS.items() for one in usual])
def test_a_column_is_known_by_any_of_its_usual_headings(column: str, heading: str) -> None:
    row = {key: text for key, text in {"Name": "Ant", "Number": "7"}.items() if key not in HEADINGS[column]}
    texts = {"released": "1998-06-15", "lang": "it"}
    (found,) = printings([("line 1", {**row, heading: texts.get(column, "9a")})], one_line(""), "a.csv", print)
    assert isinstance(found, Printing)
    assert getattr(found, column) == texts.get(column, "9a")


def test_headings_are_the_same_in_any_case_and_spacing() -> None:
    assert {folded(one) for one in ("Card Name", "card_name", "CARDNAME", "Card-Name.")} == {"cardname"}
    assert [folded(one) for one in ("No. 1", "Größe", "")] == ["no1", "grösse", ""]


def test_a_column_may_be_one_of_several_and_a_run_of_digits_of_it() -> None:
    text = '[columns]\nname = ["fullName", "Name"]\ncollector_number = ["number", { field = "Picture", part = 2 }]\n'
    last = 'set_code = { field = "Picture", before = "_en", part = "last" }\n'
    columns = dict(one_line(text + last).columns.columns)
    plugin = {"Name": "Genie", "Picture": "1_209_en_genie-716"}.get
    other = {"fullName": "Genie - At Sea", "number": "7", "Picture": "none"}.get
    assert {name: column.text(plugin) for name, column in columns.items()} == {
        "name": "Genie",
        "collector_number": "209",
        "set_code": "209",
    }
    assert [columns[name].text(other) for name in ("name", "collector_number", "set_code")] == [
        "Genie - At Sea",
        "7",
        "",
    ]
    assert columns["collector_number"].paths() == ("number", "Picture")
    assert columns["collector_number"].text({"Picture": "1_en"}.get) == ""
