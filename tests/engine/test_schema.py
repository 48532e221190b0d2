"""Tests of the schemas of files: accepted values, error messages with their location, and writing of documents."""

import datetime
from typing import Any

import pytest
from inline_snapshot import snapshot

from ccgrid.engine import schema
from ccgrid.engine.errors import RecordError
from ccgrid.engine.schema import parse_json, parse_toml, to_json_line, to_toml

MIDNIGHT = datetime.datetime(2026, 11, 21)
NOT_A_NOTE = "must be a text, a number, true or false, a date, a list or a table"


def error_message(shape: Any, value: object) -> str:
    """Return the message of the error that a schema raises for a value, or ""."""
    try:
        shape(value)
    except RecordError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "true"),
        (False, "false"),
        (7, "the number 7"),
        (-1.5, "the number -1.5"),
        (10**20 - 1, f"the number {10**20 - 1}"),
        (10**20, "a huge number"),
        (-(10**20), "a huge number"),
        (1e300, "the number 1e+300"),
        ("Ant", 'the text "Ant"'),
        (None, "null"),
        ([], "a list"),
        ({}, "a table"),
        (datetime.date(2026, 11, 21), "a date"),
        (datetime.datetime(2026, 11, 21, 20, 15), "a date and a time"),
        (datetime.time(20, 15), "a time"),
    ],
)
def test_values_are_described_by_type(value: object, words: str) -> None:
    assert schema.describe_value(value) == words


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("Ann", "Ann"),
        ("Ann B_c-d #2", "Ann B_c-d #2"),
        ("Zoë", "Zoë"),
        ("", '""'),
        ("a.b", '"a.b"'),
        ("a" * 39, "a" * 39),
        ("a" * 40, f'"{"a" * 40}"'),
    ],
)
def test_keys_are_quoted_unless_plain_words(key: str, shown: str) -> None:
    assert schema.key_name(key) == shown


@pytest.mark.parametrize(
    ("shape", "value", "words"),
    [
        (schema.text, "", snapshot("")),
        (schema.text, 3, snapshot(": must be a text, not the number 3")),
        (schema.whole, 0, snapshot("")),
        (schema.whole, 2**63 - 1, snapshot("")),
        (schema.whole, -(2**63), snapshot("")),
        (schema.whole, 2**63, snapshot(": is too large a number")),
        (schema.whole, -(2**63) - 1, snapshot(": is too large a number")),
        (schema.whole, True, snapshot(": must be a whole number, not true")),
        (schema.whole, 1.0, snapshot(": must be a whole number, not the number 1.0")),
        (schema.truth, False, snapshot("")),
        (schema.truth, 0, snapshot(": must be true or false, not the number 0")),
        (schema.day, "2026-11-21", snapshot("")),
        (schema.day, "2026-11-21T10:00:00", snapshot("")),
        (schema.day, MIDNIGHT, snapshot("")),
        (schema.day, datetime.date(2026, 11, 21), snapshot("")),
        (schema.day, "21.11.2026", snapshot(': must be a date like 2026-11-21, not the text "21.11.2026"')),
        (schema.day, datetime.time(10), snapshot(": must be a date like 2026-11-21, not a time")),
        (schema.list_of(schema.text), [], snapshot("")),
        (schema.list_of(schema.text), ["a", 3], snapshot("[1]: must be a text, not the number 3")),
        (schema.list_of(schema.text), {}, snapshot(": must be a list, not a table")),
        (schema.list_of(schema.list_of(schema.text)), [[], [0]], snapshot("[1][0]: must be a text, not the number 0")),
        (schema.table_of(schema.whole), {"a": 1}, snapshot("")),
        (
            schema.table_of(schema.whole),
            {"a": 1, "b.c": "x"},
            snapshot('"b.c": must be a whole number, not the text "x"'),
        ),
        (schema.table_of(schema.whole), [], snapshot(": must be a table, not a list")),
        (
            schema.table_of(schema.list_of(schema.whole)),
            {"a": ["x"]},
            snapshot('a[0]: must be a whole number, not the text "x"'),
        ),
        (schema.text_or(schema.whole), "Ant", snapshot("")),
        (schema.text_or(schema.whole), 3, snapshot("")),
        (schema.text_or(schema.whole), None, snapshot(": must be a whole number, not null")),
        (schema.text_or_table(schema.table({})), 3, snapshot(": must be a text or a table, not the number 3")),
        (schema.notes, {"a": ["x", 1, True, 1.5, {"b": MIDNIGHT}]}, snapshot("")),
        (schema.notes, [], snapshot(": must be a table, not a list")),
        (
            schema.notes,
            {"a": [1, None]},
            snapshot("a[1]: must be a text, a number, true or false, a date, a list or a table"),
        ),
        (
            schema.notes,
            {"a": {"b c": float("nan")}},
            snapshot("a.b c: must be a text, a number, true or false, a date, a list or a table"),
        ),
        (schema.notes, {"a": {"b": 2**63}}, snapshot("a.b: is too large a number")),
    ],
)
def test_schema_errors_have_location(shape: Any, value: object, words: str) -> None:
    assert error_message(shape, value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"a": "x"}, ""),
        ({"a": "x", "b": 1}, ""),
        ({}, "a: is missing"),
        ({"b": 1}, "a: is missing"),
        ({"a": "x", "c": 1}, "c: unknown key; known here: a, b"),
        ({"a": 1}, "a: must be a text, not the number 1"),
        ({"a": "x", "b": "y"}, 'b: must be a whole number, not the text "y"'),
        ("x", ': must be a table, not the text "x"'),
    ],
)
def test_table_rejects_missing_and_unknown_keys(value: object, words: str) -> None:
    assert error_message(schema.table({"a": schema.text}, {"b": schema.whole}), value) == words


def test_table_without_optional_keys_accepts_only_required_keys() -> None:
    assert error_message(schema.table({"a": schema.text}), {"a": "x", "b": 1}) == "b: unknown key; known here: a"


def test_notes_are_at_most_20_deep() -> None:
    deep: Any = "x"
    for _ in range(19):
        deep = {"a": deep}
    assert error_message(schema.notes, deep) == ""
    assert error_message(schema.notes, {"a": deep}) == f"{'.'.join('a' * 20)}: is nested more than 20 deep"


def test_dates_and_times_in_notes_become_text() -> None:
    notes = {"a": [MIDNIGHT, datetime.time(10), {"b": datetime.date(2026, 11, 21)}], "c": 1}
    assert schema.read_notes(notes) == {"a": ["2026-11-21T00:00:00", "10:00:00", {"b": "2026-11-21"}], "c": 1}


def test_day_is_read_from_text_or_date() -> None:
    assert schema.read_day("2026-11-21") == datetime.date(2026, 11, 21)
    assert schema.read_day("2026-11-21T10:00:00") == datetime.datetime(2026, 11, 21, 10)
    assert schema.read_day(MIDNIGHT) is MIDNIGHT


def test_player_entries_are_in_seat_order() -> None:
    players = ("Ann", "B.B")
    table = {"piles": {"B.B": 2, "Ann": 1}}
    assert schema.player_entries(table, "piles", players, "x") == [("piles.Ann", 1), ('piles."B.B"', 2)]
    with pytest.raises(RecordError, match=r"^piles\.Cid: is not one of the players$"):
        schema.player_entries({"piles": {"Ann": 1, "B.B": 2, "Cid": 3}}, "piles", players, "x")
    with pytest.raises(RecordError, match=r'^piles\."B\.B": is missing: say what was taken$'):
        schema.player_entries({"piles": {"Ann": 1}}, "piles", players, "say what was taken")


def test_error_location_is_extended_by_parent_keys() -> None:
    error = RecordError("", "is missing")
    assert str(error.under("score").under("[3]").under("cards").under("setup")) == "setup.cards[3].score: is missing"


# TOML and JSON


def test_toml_is_written_readably() -> None:
    cards = [{"zones": {"top": 1}, "score": 3}, {"zones": {}, "score": 0}]
    document = {"game": "grid", "key with blank": True, "few": [1, 2], "setup": {"cards": cards, "name": "x"}}
    assert (
        to_toml(document)
        == """game = "grid"
"key with blank" = true
few = [1, 2]
[setup]
cards = [
  { zones = { top = 1 }, score = 3 },
  { zones = {}, score = 0 },
]
name = "x"
"""
    )


def test_small_nested_tables_are_inline() -> None:
    document = {"result": {"scores": {"Ann": 1, "Bob": 2}, "more": {"a": [1]}, "long": {"text": "x" * 90}, "end": 1}}
    assert (
        to_toml(document)
        == f"""[result]
scores = {{ Ann = 1, Bob = 2 }}
end = 1
[result.more]
a = [1]
[result.long]
text = "{"x" * 90}"
"""
    )


@pytest.mark.parametrize(("length", "lines"), [(93, 1), (94, 3)])
def test_lists_are_wrapped_beyond_100_characters(length: int, lines: int) -> None:
    written = to_toml({"a": ["x" * (length - 1)]})
    assert len(written.splitlines()) == lines


def test_wrapped_lists_fill_lines_up_to_100_characters() -> None:
    x, y = f'"{"x" * 45}",', f'"{"y" * 46}",'
    full = to_toml({"moves": ["x" * 45, "y" * 46] * 2}).splitlines()
    assert full == ["moves = [", f"  {x} {y}", f"  {x} {y}", "]"]
    assert len(full[1]) == 100
    assert to_toml({"moves": ["y" * 46] * 2}).splitlines() == ["moves = [", f"  {y}", f"  {y}", "]"]


def test_tables_in_mixed_list_have_separate_lines() -> None:
    assert to_toml({"cards": ["Ant", {"score": 1}, "Bee", "Cow"]}) == (
        'cards = [\n  "Ant",\n  { score = 1 },\n  "Bee", "Cow",\n]\n'
    )


def test_json_line_is_compact_with_dates_as_text() -> None:
    assert to_json_line({"a": [1, "x"], "date": datetime.date(2026, 11, 21)}) == '{"a":[1,"x"],"date":"2026-11-21"}'
    with pytest.raises(TypeError, match=r"^a document cannot hold \{1\}$"):
        to_json_line({"a": {1}})
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json_line({"a": float("nan")})


def test_toml_and_json_report_missing_content() -> None:
    with pytest.raises(RecordError, match=r"^file: is empty$"):
        parse_toml(b" \n")
    with pytest.raises(RecordError, match=r"^file: is not a JSON object: a game is written as \{ \.\.\. \}$"):
        parse_json(b"[]")
    assert parse_toml(b"a = 1") == parse_json(b'{"a": 1}') == {"a": 1}
