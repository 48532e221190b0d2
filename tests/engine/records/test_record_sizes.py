"""Documents as large as they may be, a byte larger, and what is written of keys, texts and empty things."""

from typing import Any

import pytest

from ccgrid.engine.schema import RecordError, parse_json, parse_toml, to_toml

MEBIBYTE = 1_048_576


def refusal(act: Any) -> str:
    with pytest.raises(RecordError) as caught:
        act()
    return str(caught.value)


@pytest.mark.parametrize(("start", "end", "parse"), [(b"a = '", b"'", parse_toml), (b'{"a": "', b'"}', parse_json)])
def test_a_document_may_have_a_mebibyte_and_not_a_byte_more(start: bytes, end: bytes, parse: Any) -> None:
    length = MEBIBYTE - len(start) - len(end)
    assert parse(start + b"x" * length + end) == {"a": "x" * length}
    assert refusal(lambda: parse(start + b"x" * (length + 1) + end)) == "file: is larger than 1 MiB"


def test_documents_that_are_none_are_told_alike() -> None:
    for parse in (parse_toml, parse_json):
        assert refusal(lambda parse=parse: parse(b"\xff")) == "file: is not UTF-8 text (byte 1): save it as UTF-8"
    assert refusal(lambda: parse_json(b'"a"')) == "file: is not a JSON object: a game is written as { ... }"
    assert refusal(lambda: parse_json(b'{"a": 1, "a": 2}')) == 'file: has the key "a" twice'


DOCUMENT = {
    "": 1,
    "a.b": {"g h": {"deep": [{"i": 1}]}, "c d": {"e": "two\nlines"}, "f": {}, "list": [[], {}, [1, "x"]]},
    "cards": [{"name": 'Moth, "the Quick"', "zones": {"top": 3, "bottom left": 1}, "tags": []}],
    "plain": {"é": True},
}


def test_whatever_is_written_is_read_again_as_it_was() -> None:
    assert parse_toml(to_toml(DOCUMENT).encode()) == DOCUMENT


def test_what_is_nested_is_written_where_it_is_read() -> None:
    assert to_toml(DOCUMENT) == (
        '"" = 1\n'
        "cards = [\n"
        '  { name = "Moth, \\"the Quick\\"", zones = { top = 3, "bottom left" = 1 }, tags = [] },\n'
        "]\n"
        '["a.b"]\n'
        '"c d" = { e = "two\\nlines" }\n'
        "f = {}\n"
        "list = [\n"
        "  [],\n"
        "  {},\n"
        '  [1, "x"],\n'
        "]\n"
        '["a.b"."g h"]\n'
        "deep = [\n"
        "  { i = 1 },\n"
        "]\n"
        "[plain]\n"
        '"é" = true\n'
    )


@pytest.mark.parametrize(("length", "inline"), [(82, True), (83, True), (84, False)])
def test_a_small_table_in_a_table_stands_on_a_line_of_up_to_100_characters(length: int, inline: bool) -> None:
    written = to_toml({"result": {"more": {"a": "x" * length}}}).splitlines()
    text = f'"{"x" * length}"'
    assert written == (
        ["[result]", f"more = {{ a = {text} }}"] if inline else ["[result]", "[result.more]", f"a = {text}"]
    )
    assert (len(f"more = {{ a = {text} }}") <= 100) is inline
