"""Lines of a layout that add texts or omit parts of them, and the columns of a layout."""

from dataclasses import replace
from typing import Any

import pytest
from inline_snapshot import snapshot
from made_up_layouts import made_up, one_line

from ccgrid.catalog.errors import CatalogError
from ccgrid.catalog.evidence import EvidenceReader, explain_evidence, numerals_only
from ccgrid.catalog.layouts import layout
from ccgrid.catalog.layouts.described import printings
from ccgrid.catalog.layouts.printed_fields import Column, PrintedField, first_text, fold_heading, value_at
from ccgrid.catalog.numbers import scan
from ccgrid.catalog.printing import Printing

FACE_LINE = '[[printed]]\nfield = "rules"\nzone = "face"\n'


def test_layout_line_can_add_text_printed_on_every_card() -> None:
    layout = made_up('[[printed]]\ntext = "+10"\nzone = "bottom-right"\nunless = { kind = "Hero" }\n' + FACE_LINE)
    reading = layout.compiled().read({"kind": "Ally", "rules": "Draw 2."})
    assert (reading.zones, reading.face, reading.score, reading.reason) == ({"bottom-right": [10]}, [2], 12, None)
    assert [(zone, field, found.raw, found.value) for zone, field, found in explain_evidence(reading.evidence)] == [
        ("face", "rules", "2", 2),
        ("bottom-right", "always printed", "+10", 10),
    ]
    assert layout.compiled().read({"kind": "Hero"}).reason == "no-number"
    assert layout.fields() == {"kind", "rules"}


def test_text_on_every_card_counts_with_other_numbers_of_its_zone() -> None:
    layout = one_line('[[printed]]\nfield = "gain"\ntext = "3"\nzone = "top"\n')
    assert layout.compiled().read({"might": "5"}).reason == "multiple-numbers:top"
    assert layout.compiled().read({"might": "12"}).zones == {"top": [3]}
    assert made_up('[[printed]]\ntext = "2 3"\nzone = "top"\n').compiled().read({}).reason == "multiple-numbers:top"
    face = made_up('[[printed]]\ntext = "Level 1 of 2"\nzone = "face"\n[[printed]]\nfield = "might"\nzone = "top"\n')
    reading = face.compiled().read({"might": "5"})
    assert (reading.zones, reading.face) == ({"top": [5]}, [1, 2])
    words = made_up('[[printed]]\ntext = "Gold"\nzone = "top"\n').compiled().read({})
    assert (words.zones, words.evidence) == ({}, [])


@pytest.mark.parametrize(
    ("extra", "text", "number"),
    [
        ("digits = [2, 4]", "4013", 13),
        ("digits = [2, 4]", "4003", 3),
        ("digits = [2, 4]", "P005", 5),
        ("digits = [1, 1]", "4013", 4),
        ('part = "last"\ndigits = [1, 2]', "7-0913", 9),
        ("digits = [2, 4]", "4", None),
    ],
)
def test_range_of_digits_is_read(extra: str, text: str, number: int | None) -> None:
    reading = one_line(f'read = "collector"\n{extra}').compiled().read({"might": text})
    counting = [found.value for _, _, found in explain_evidence(reading.evidence) if found.counts]
    expected = [] if number is None or number > 10 else [number]
    assert (reading.zones.get("top", []), counting) == (expected, expected)
    again = EvidenceReader().read({"printed": numerals_only(reading.evidence)})
    assert again.zones == reading.zones


@pytest.mark.parametrize(
    ("left_out", "text", "rest", "numbers"),
    [
        ('{ start = "#" }', "10B Quest 2", "B Quest 2", [2]),
        ('{ start = "#" }', " 4: Quest", ": Quest", []),
        ('{ start = "#" }', "Quest 4", "Quest 4", [4]),
        ('{ end = "-#" }', "Leo-2 ", "Leo", []),
        ('{ end = "-#" }', "Side 7", "Side 7", [7]),
        ('{ end = "(#)" }', "No. 3 (1)", "No. 3 ", [3]),
        ('{ start = "No. #", end = "#" }', "No. 3 of 4", " of ", []),
    ],
)
def test_start_or_end_of_a_text_is_omitted(left_out: str, text: str, rest: str, numbers: list[int]) -> None:
    layout = made_up(f'[[printed]]\nfield = "name"\nzone = "face"\nleft_out = {left_out}\n')
    reading = layout.compiled().read({"name": text})
    assert reading.face == numbers
    assert [value for *_, value in reading.evidence] == ([rest] if numbers else [])
    assert layout.compiled().read({"name": (text, text)}).face == numbers * 2


def test_omitting_very_long_digits_is_fast() -> None:
    layout = made_up('[[printed]]\nfield = "name"\nzone = "face"\nleft_out = { end = "-#" }\n')
    assert layout.compiled().read({"name": "-" + "1" * 200_000 + "x"}).face == []


def test_card_with_numbers_missing_from_data_has_own_reason() -> None:
    bar = '[[barred]]\nreason = "data:badges"\nwhen = { kind = "Mecha", armor = { present = false } }\n'
    layout = made_up('[[printed]]\nfield = "cost"\nzone = "top"\n[[printed]]\nfield = "armor"\nzone = "left"\n' + bar)
    read = layout.compiled().read
    assert read({"kind": "Mecha", "cost": "3"}).reason == "data:badges"
    assert read({"kind": "Mecha", "cost": "3", "armor": "2"}).reason is None
    assert read({"kind": "Action", "cost": "3"}).reason is None
    assert layout.numbers() == ("cost",)


def test_reason_contains_all_values_of_a_field_or_a_question_mark() -> None:
    layout = one_line('[[barred]]\nreason = "layout:{kind}"\nwhen = { big = "yes" }\n')
    kinds: tuple[dict[str, Any], ...] = ({"kind": "Realm"}, {"kind": ("Realm", "Hero")}, {})
    reasons = [layout.compiled().read({"might": "3", "big": "yes", **kind}).reason for kind in kinds]
    assert reasons == ["layout:Realm", "layout:Realm, Hero", "layout:?"]


@pytest.mark.parametrize(
    ("value", "times"),
    [
        ("5".ljust(400), 1),
        ("5".ljust(401), 2),
        (("5",) * 400, 400),
        (("5",) * 401, 802),
        (("5".ljust(401),), 2),
    ],
)
def test_readings_of_short_texts_are_cached_and_of_long_ones_not(
    monkeypatch: pytest.MonkeyPatch, value: Any, times: int
) -> None:
    scanned: list[str] = []
    monkeypatch.setattr(layout, "scan", lambda text, slash: scanned.append(text) or scan(text, slash=slash))
    read = one_line("").compiled().read
    for _ in range(2):
        assert read({"might": value}).zones["top"][0] == 5
        read({"might": "6"})
    assert len(scanned) == times + 1


DIGITS = "printed[1].digits is the first and the last digit that count, such as [2, 4]."


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("digits = 2", snapshot('printed[1].digits belongs to read = "collector".')),
        ('read = "collector"\ndigits = 2', snapshot(DIGITS)),
        ('read = "collector"\ndigits = [true, 4]', snapshot(DIGITS)),
        ('read = "collector"\ndigits = [4]', snapshot(DIGITS)),
        (
            'read = "collector"\ndigits = [4, 2]',
            snapshot("printed[1].digits is [4, 2]; digits are counted from 1, the first before the last."),
        ),
        (
            'left_out = "#"',
            snapshot('printed[1].left_out is a table such as { start = "#" } or { end = "-#" }, with # for digits.'),
        ),
        (
            'left_out = { middle = "#" }',
            snapshot("printed[1].left_out.middle is not known; printed[1].left_out may hold end and start."),
        ),
        ("text = 10", snapshot("printed[1].text is a text in quotes.")),
    ],
)
def test_mistake_in_keys_left_out_or_text_is_reported(line: str, output: str) -> None:
    with pytest.raises(CatalogError) as caught:
        one_line(line)
    assert str(caught.value).split(": ", 1)[1] == output


def test_fingerprint_depends_on_everything_that_affects_the_reading() -> None:
    plain = one_line("")
    assert plain.fingerprint() == one_line("").fingerprint()
    assert one_line('text = "1"').fingerprint() != plain.fingerprint()
    assert replace(plain, playset=3).fingerprint() == plain.fingerprint()


@pytest.mark.parametrize(
    ("only", "text", "numbers"),
    [
        ('{ start = "#" }', " 10B Quest 2", [10]),
        ('{ start = "#" }', "Rescue 7 -- Play 2 cards", []),
        ('{ end = "/#" }', "3 of 4/5", [5]),
        ('{ start = "No. #", end = "(#)" }', "No. 3 of 4 (5)", [3, 5]),
    ],
)
def test_only_start_or_end_of_a_text_is_read(only: str, text: str, numbers: list[int]) -> None:
    layout = made_up(f'[[printed]]\nfield = "name"\nzone = "face"\nonly = {only}\n')
    reading = layout.compiled().read({"name": text})
    assert reading.face == numbers
    assert [found.value for _, _, found in explain_evidence(reading.evidence)] == numbers


def test_stored_text_of_both_ends_has_no_spaces_around() -> None:
    layout = made_up('[[printed]]\nfield = "name"\nzone = "face"\nonly = { start = "#", end = "#" }\n')
    assert [value for *_, value in layout.compiled().read({"name": " 3 of 4 "}).evidence] == ["3 4"]


def test_line_with_only_field_and_zone_is_read_as_text() -> None:
    line = one_line("").printed[0]
    assert line == PrintedField("might", "top")
    assert (line.read, line.slash, line.part, line.confidence, line.note, line.text) == (
        *("numbers", "fraction", "first", "high", "", ""),
    )
    assert (line.how, line.digits, line.left_out, line.only) == ("fraction", None, None, None)


# --- columns ------------------------------------------------------------------------------------------------------


def column(source: str, after: str = "", before: str = "", **row: Any) -> str:
    return Column(source, after, before).text(lambda path: value_at(row, path))


def test_column_is_a_field_a_template_or_part_of_a_text() -> None:
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
def test_value_at_finds_nested_fields(row: dict[str, Any], path: str, text: Any) -> None:
    assert value_at(row, path) == text


def test_field_has_at_most_200_texts_and_depth_20() -> None:
    assert len(value_at({"a": ["x"] * 300}, "a") or "") == 200
    deep: Any = "x"
    for _ in range(19):
        deep = {"b": deep}
    assert value_at({"a": deep}, "a") == ("x",)
    assert value_at({"a": {"b": {"b": deep}}}, "a") is None


def test_path_of_field_is_followed_20_levels_deep() -> None:
    deep: Any = "x"
    for _ in range(21):
        deep = {"a": deep}
    assert value_at(deep["a"], ".".join("a" * 20)) == "x"
    assert value_at(deep, ".".join("a" * 21)) is None


def test_part_of_column_selects_a_group_of_digits() -> None:
    row = {"a": "1-22-333"}
    assert [Column("a", part=part).text(row.get) for part in (1, 2, 3, 4, -1)] == ["1", "22", "333", "", "333"]
    assert first_text(()) == first_text(None) == ""


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
def test_column_is_read_by_each_of_its_usual_headings(column: str, heading: str) -> None:
    row = {key: text for key, text in {"Name": "Ant", "Number": "7"}.items() if key not in HEADINGS[column]}
    texts = {"released": "1998-06-15", "lang": "it"}
    (found,) = printings([("line 1", {**row, heading: texts.get(column, "9a")})], one_line(""), "a.csv", print)
    assert isinstance(found, Printing)
    assert getattr(found, column) == texts.get(column, "9a")


def test_headings_ignore_case_and_spacing() -> None:
    assert {fold_heading(one) for one in ("Card Name", "card_name", "CARDNAME", "Card-Name.")} == {"cardname"}
    assert [fold_heading(one) for one in ("No. 1", "Größe", "")] == ["no1", "grösse", ""]


def test_column_takes_first_of_several_fields_or_parts() -> None:
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
