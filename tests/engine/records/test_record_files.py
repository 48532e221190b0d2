"""Tests of reading and writing record files in TOML and JSON Lines, including files that are not records."""

import json
import os
import tomllib
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from grid_records import document, grid_game, read_bytes
from helpers.error_messages import error_of
from helpers.hypothesis_examples import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from ccgrid.engine.errors import EngineError, RecordError
from ccgrid.engine.records.codes import record_code
from ccgrid.engine.records.files import read_ending, read_game, read_games, read_stream, write_game
from ccgrid.engine.records.record import Reading, read_document
from ccgrid.engine.schema import parse_json, parse_toml, to_toml


# Check 1: the file parses
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file: is empty"),
        (b"\x00", "file: is not TOML: "),
        (b"game = ", "file: is not TOML: "),
        (b"\xff\xfe[\x00", "file: is not UTF-8 text (byte 1): save it as UTF-8"),
        ("game = 'gr\u00efd'".encode("latin-1"), "file: is not UTF-8 text (byte 11): save it as UTF-8"),
        (b"a = " + b"[" * 100_000, "file: is nested too deeply to be read"),
        (b"a = " + b"{a=" * 100_000, "file: is nested too deeply to be read"),
        (b".".join([b"a"] * 400_000) + b" = 1", "file: has a key of more than 40 parts: no table is nested that deep"),
        (
            b" . ".join([b'"a"', b"'b'"] * 80_000) + b" = 1",
            "file: has a key of more than 40 parts: no table is nested that deep",
        ),
        (
            b"[" + b".".join([b"a"] * 400_000) + b"]",
            "file: has a key of more than 40 parts: no table is nested that deep",
        ),
        (b"a = " + b"9" * 900_000, "file: is not TOML: "),
        (b"a" * (1 << 20), "file: is not TOML: "),
        (b"-" * (1 << 20), "file: is not TOML: "),
        (b'"' * ((1 << 20) - 1), "file: is not TOML: "),
        (b"a = '" + b"x" * (10 << 20) + b"'", "file: is larger than 1 MiB"),
        (b"game = 'grid'\ngame = 'grid'", "file: is not TOML: "),
    ],
    ids=range(16),
)
def test_invalid_toml_gives_one_error(data, message):
    [reading] = read_bytes(data, "game.toml")
    assert str(reading.error).startswith(message)  # followed by the message of Python's parser
    assert len(str(reading.error)) < 300


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file: holds no game"),
        (b"\n \r\n", "file: holds no game"),
        (b"\x00", "file: is not JSON: "),
        (b"[]", "file: is not a JSON object: a game is written as { ... }"),
        (b"[" * 100_000, "file: is nested too deeply to be read"),
        (b'{"a":' * 100_000, "file: is nested too deeply to be read"),
        (b'{"seed": NaN}', "file: is not JSON: NaN is not a number"),
        (
            b'{"seed": ' + b"9" * 100_000 + b"}",
            "file: has a number of more than 64 bits",
        ),
        (b'{"game": "grid", "game": "grid"}', 'file: has the key "game" twice'),
        (b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b',"7":1}', 'file: has the key "7" twice'),
        (b'{"game": "\\ud800"}', "file: holds half of a surrogate pair, not a character"),
        (b'{"game": "gr\xefd"}', "file: is not UTF-8 text (byte 13): save it as UTF-8"),
        (b'{"game": "' + b"x" * (10 << 20) + b'"}', "file: is larger than 1 MiB"),
        (b'{"game": "grid"', "file: is not JSON: "),
    ],
    ids=range(14),
)
def test_invalid_json_line_gives_one_error(data, message):
    [reading] = read_bytes(data)
    assert str(reading.error).startswith(message)  # followed by the message of Python's parser
    assert len(str(reading.error)) < 300


# Files
def test_each_line_has_reading_with_line_number():
    lines = [grid_game(1).to_json_line(), "", "{}", "x" * (3 << 20), "x" * (1 << 20), grid_game(2).to_json_line()]
    readings = read_bytes("\r\n".join(lines).encode())
    assert [reading.file for reading in readings] == [f"games.jsonl:{number}" for number in (1, 3, 4, 5, 6)]
    assert [reading.error is None for reading in readings] == [True, False, False, False, True]
    assert readings[-1].require() == grid_game(2)


def test_json_lines_are_streamed(tmp_path):
    class Endless(BytesIO):
        line = grid_game(1).to_json_line().encode() + b"\n"

        def readinto(self, buffer):
            count = len(buffer) // len(self.line) * len(self.line)
            buffer[:count] = self.line * (count // len(self.line))
            return count

    readings = read_stream(BufferedReader(Endless(), 1 << 16), "games.jsonl")
    assert all(next(readings).error is None for _ in range(50))


def test_byte_order_mark_is_ignored():
    mark = b"\xef\xbb\xbf"
    assert read_bytes(mark + grid_game().to_toml().encode(), "game.toml")[0].error is None
    assert read_bytes(mark + grid_game().to_json_line().encode())[0].error is None


def test_unknown_suffix_is_detected_by_first_character():
    assert read_bytes(grid_game().to_toml().encode(), "stdin")[0].file == "stdin"
    assert read_bytes(b"\n " + grid_game().to_json_line().encode(), "stdin")[0].file == "stdin:2"


def test_record_may_be_json_over_several_lines():
    text = json.dumps(json.loads(grid_game().to_json_line()), indent=1).encode()
    (reading,) = read_bytes(text, "game.json")
    assert (reading.file, reading.require()) == ("game.json:1", grid_game())
    assert [one.error is None for one in read_bytes(text[:-1] + b"]", "game.json")][:1] == [False]
    lines = b"{\n" + grid_game().to_json_line().encode()
    assert [one.error is None for one in read_bytes(lines, "game.json")] == [False, True]


def test_codes_may_be_wrapped_over_several_lines():
    codes = [record_code(grid_game(number)).line for number in (1, 2)]
    wrapped = "\n".join(code[at : at + 60] for code in codes for at in range(0, len(code), 60))
    readings = read_bytes(wrapped.encode(), "codes.txt")
    assert [reading.require().moves for reading in readings] == [grid_game(number).moves for number in (1, 2)]
    others = read_bytes(f"{codes[0]}\nhello\n{codes[1]}\n".encode(), "codes.txt")
    assert [(one.file, one.error is None) for one in others] == [
        ("codes.txt:1", True),
        ("codes.txt:2", False),
        ("codes.txt:3", True),
    ]


def test_suffix_selects_format_of_written_record(tmp_path):
    for name in ("game.toml", "game.jsonl", "game"):
        write_game(grid_game(), tmp_path / name)
        assert read_game(tmp_path / name) == grid_game()
    assert sorted(os.listdir(tmp_path)) == ["game", "game.jsonl", "game.toml"]  # noqa: PTH208


def test_unreadable_or_unwritable_file_gives_one_error(tmp_path):
    for access in (
        lambda path: list(read_games(path)),
        read_ending,
        lambda path: write_game(grid_game(), path / "x"),
    ):
        with pytest.raises(EngineError, match=r"No such file or directory|cannot be written"):
            access(tmp_path / "missing")
    for access in (lambda path: list(read_games(path)), read_ending, lambda path: write_game(grid_game(), path)):
        with pytest.raises(EngineError, match=r"Is a directory|cannot be written"):
            access(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_write_error_names_file_and_reason(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError, match=r"^.missing.x\.toml. cannot be written: No such file or directory$"):
        write_game(grid_game(), Path("missing", "x.toml"))
    for name in ("", "a\0b"):
        with pytest.raises(EngineError, match=r"^['\"].*['\"] cannot be written: this is not a file name$"):
            write_game(grid_game(), name)


def test_read_game_rejects_file_with_several_games(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{grid_game(1).to_json_line()}\n{grid_game(2).to_json_line()}\n")
    with pytest.raises(EngineError, match=r"^file: holds more than one game: give a file with one$"):
        read_game(path)
    path.write_text("{}")
    with pytest.raises(RecordError, match="game: is missing"):
        read_game(path)
    assert issubclass(RecordError, EngineError)


def test_empty_reading_has_no_record():
    with pytest.raises(RecordError, match="holds no game"):
        Reading("game.toml").require()


# --- The size limit of documents, and how values are written --------------------------------------------------------


MEBIBYTE = 1_048_576


@pytest.mark.parametrize(("start", "end", "parse"), [(b"a = '", b"'", parse_toml), (b'{"a": "', b'"}', parse_json)])
def test_document_size_limit_is_one_mebibyte(start: bytes, end: bytes, parse: Any) -> None:
    length = MEBIBYTE - len(start) - len(end)
    assert parse(start + b"x" * length + end) == {"a": "x" * length}
    assert error_of(lambda: parse(start + b"x" * (length + 1) + end), RecordError) == "file: is larger than 1 MiB"


def test_undecodable_documents_are_rejected_with_same_message() -> None:
    for parse in (parse_toml, parse_json):
        assert (
            error_of(lambda parse=parse: parse(b"\xff"), RecordError)
            == "file: is not UTF-8 text (byte 1): save it as UTF-8"
        )
    assert (
        error_of(lambda: parse_json(b'"a"'), RecordError) == "file: is not a JSON object: a game is written as { ... }"
    )
    assert error_of(lambda: parse_json(b'{"a": 1, "a": 2}'), RecordError) == 'file: has the key "a" twice'


DOCUMENT = {
    "": 1,
    "a.b": {"g h": {"deep": [{"i": 1}]}, "c d": {"e": "two\nlines"}, "f": {}, "list": [[], {}, [1, "x"]]},
    "cards": [{"name": 'Moth, "the Quick"', "zones": {"top": 3, "bottom left": 1}, "tags": []}],
    "plain": {"é": True},
}


def test_documents_round_trip() -> None:
    assert parse_toml(to_toml(DOCUMENT).encode()) == DOCUMENT


def test_nested_values_are_written_readably() -> None:
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
def test_small_nested_table_is_inline_up_to_100_characters(length: int, inline: bool) -> None:
    written = to_toml({"result": {"more": {"a": "x" * length}}}).splitlines()
    text = f'"{"x" * length}"'
    assert written == (
        ["[result]", f"more = {{ a = {text} }}"] if inline else ["[result]", "[result.more]", f"a = {text}"]
    )
    assert (len(f"more = {{ a = {text} }}") <= 100) is inline


# --- Random data and changes ----------------------------------------------------------------------------------------


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.binary(max_size=200), st.sampled_from(["game.toml", "games.jsonl", "stdin"]))
def test_arbitrary_bytes_give_record_or_error(data, name):
    assert all(reading.error for reading in read_bytes(data, name))


@given(st.data())
@settings(max_examples=4 * EXAMPLES)
def test_mutated_record_gives_record_or_error(data):
    changed = document(notes={"by": "Ann"}, event="Cup", date="2026-11-21")
    container = changed
    while True:
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(container[key], dict | list) and container[key] and data.draw(st.booleans()):
            container = container[key]
            continue
        container[key] = data.draw(values)
        break
    reading = read_document(changed)
    json.dumps(msgspec.to_builtins(reading.check().answer()))
    if reading.error is None:
        assert read_document(tomllib.loads(reading.require().to_toml())).error is None
        assert read_document(json.loads(reading.require().to_json_line())).error is None


@given(st.data())
def test_record_with_changed_bytes_gives_record_or_error(data):
    text, name = data.draw(st.sampled_from([("to_toml", "game.toml"), ("to_json_line", "games.jsonl")]))
    raw = bytearray(getattr(grid_game().with_result(), text)().encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    for reading in read_bytes(bytes(raw), name):
        json.dumps(msgspec.to_builtins(reading.check().answer()))


def test_open_error_shows_system_message(tmp_path: Path) -> None:
    assert error_of(lambda: read_game(tmp_path / "none.toml"), RecordError) == "file: No such file or directory."


# --- The size limit of lines, and endings ---------------------------------------------------------------------------


def test_line_size_limit_and_rest_of_long_line_is_skipped() -> None:
    game = grid_game(1).to_json_line().encode()
    blanks = b" " * (MEBIBYTE - len(game) - 1)
    longest = read_bytes(game + blanks + b"\n" + game + b"\n")
    assert [reading.error for reading in longest] == [None, None]
    for more in (b" ", b"  ", b" " * (3 << 20)):
        too_long = read_bytes(game + blanks + more + b"\n" + game + b"\n")
        assert [reading.file for reading in too_long] == ["games.jsonl:1", "games.jsonl:2"]
        assert [str(reading.error or "") for reading in too_long] == ["file: is larger than 1 MiB", ""]


@pytest.mark.parametrize("name", ["games.jsonl", "games.ndjson"])
def test_json_lines_suffixes_are_recognised(name: str) -> None:
    assert [reading.file for reading in read_bytes(grid_game(1).to_json_line().encode(), name)] == [f"{name}:1"]
    (reading,) = read_bytes(b"game = 'grid'", name)
    assert reading.file == f"{name}:1"


def test_toml_suffix_overrides_content() -> None:
    (reading,) = read_bytes(grid_game(1).to_json_line().encode(), "game.toml")
    assert (reading.file, str(reading.error).startswith("file: is not TOML")) == ("game.toml", True)


ENDING = """game = "grid"
[piles]
Ann = [{ name = "Moth", score = 7 }, { id = "x:1", name = "Ant", score = 2 }]
Bob = [{ score = 3 }]
"""


def test_ending_reports_winner_and_piles(tmp_path: Path) -> None:
    path = tmp_path / "ending.toml"
    path.write_text(ENDING, encoding="utf-8")
    ending = read_ending(path)
    assert (ending.file, ending.game, ending.error, dict(ending.scores)) == (
        str(path),
        "grid",
        None,
        {"Ann": 9, "Bob": 3},
    )
    answer: Any = msgspec.to_builtins(ending.check().answer())
    assert answer["piles"] == {
        "Ann": [{"id": None, "name": "Moth", "score": 7}, {"id": "x:1", "name": "Ant", "score": 2}],
        "Bob": [{"id": None, "name": "card 1", "score": 3}],
    }
    assert (answer["moves"], answer["scores"]) == (0, {"Ann": 9, "Bob": 3})


def test_invalid_ending_names_game_without_piles(tmp_path: Path) -> None:
    path = tmp_path / "ending.toml"
    path.write_text(ENDING.replace("score = 7", "score = -7"), encoding="utf-8")
    ending = read_ending(path)
    assert (ending.game, dict(ending.scores), dict(ending.piles)) == ("grid", {}, {})
    assert ending.error is not None
    assert "piles" not in msgspec.to_builtins(ending.check().answer())
    path.write_text("# " + "x" * MEBIBYTE, encoding="utf-8")
    assert str(read_ending(path).error) == "file: is larger than 1 MiB"
    path.write_text("# " + "x" * (MEBIBYTE - 3 - len(ENDING)) + "\n" + ENDING, encoding="utf-8")
    assert read_ending(path).error is None
