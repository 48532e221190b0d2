"""Imports from files of every shape, and from files that are none."""

import gzip
import json
import os
import random
import sys

import pytest
from helpers.catalogues import Shell, json_lines, row, rows
from helpers.processes import writing
from import_world import CARDS, assert_adds_up, costs

LINES = json_lines(CARDS)
ARRAY = b"[\n" + b",\n".join(LINES.splitlines()) + b"\n]\n"
SHAPES: dict[str, bytes] = {
    "lines.jsonl": LINES,
    "lines.jsonl.gz": gzip.compress(LINES),
    "packed in parts.gz": gzip.compress(LINES[:5000]) + gzip.compress(LINES[5000:]),
    "lines named as if they were packed.gz": LINES,
    "packed, but not named so.json": gzip.compress(LINES),
    "without an end of line.jsonl": LINES.rstrip(b"\n"),
    "of Windows.jsonl": LINES.replace(b"\n", b"\r\n"),
    "with a mark.jsonl": b"\xef\xbb\xbf" + LINES,
    "with blank lines.jsonl": b"\n \n" + LINES.replace(b"\n", b"\n\n"),
    "array.json": ARRAY,
    "array.json.gz": gzip.compress(ARRAY),
    "array in one line.json": json.dumps(CARDS).encode(),
    "pretty.json": json.dumps(CARDS, indent=2).encode(),
    "page of the API.json": json.dumps({"object": "list", "has_more": False, "data": CARDS}).encode(),
    "pretty page of the API.json": json.dumps({"object": "list", "data": CARDS}, indent=1).encode(),
    "no extension": LINES,
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_is_read_whatever_its_shape_and_name(shell: Shell, name: str) -> None:
    file = shell.folder / name
    file.write_bytes(SHAPES[name])
    summary = shell.good("import", "mtg", "--file", file, "--json").json
    assert (summary["read"], summary["added"]) == (40, 40)
    assert costs(shell.database) == {f"mtg:dsk/{number}": number % 10 for number in range(1, 41)}


def test_a_single_card_is_a_file_too(shell: Shell) -> None:
    (shell.folder / "card.json").write_text(json.dumps(row(7), indent=2))
    assert shell.good("import", "mtg", shell.folder / "card.json", "--json").json["added"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs named pipes")
def test_a_pipe_is_read_once_from_end_to_end(shell: Shell) -> None:
    pipe = shell.folder / "pipe"
    os.mkfifo(pipe)
    writer = writing(pipe, LINES)
    assert shell.good("import", "mtg", pipe, "--json").json["added"] == 40
    writer.join(120)


def test_a_file_imported_twice_is_no_work_the_second_time(shell: Shell) -> None:
    shell.import_rows(CARDS)
    before = shell.catalogue()
    summary = shell.import_rows(CARDS)
    assert (summary["read"], summary["unchanged"]) == (40, 40)
    assert_adds_up(summary)
    assert shell.catalogue() == before


def test_what_is_named_twice_or_not_for_a_file_is_a_wrong_command_line(shell: Shell) -> None:
    assert shell("import", "mtg", "a.json", "--file", "b.json").status == 2
    assert shell("import", "mtg", "a.json", "--url", "https://example.org").status == 2
    assert shell("import").status == 2
    shell("import", "mgt", "a.json").misnamed("no source called 'mgt'", "mtg")
    shell("import", "starter", "--url", "http://127.0.0.1:9/").refused("--url")


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\n \n",
    "cut in a line": LINES[:-30],
    "cut array": ARRAY[:-40],
    "cut pretty array": json.dumps(CARDS, indent=2).encode()[:-40],
    "cut gzip": gzip.compress(LINES)[:-30],
    "gzip of nothing": gzip.compress(b""),
    "gzip with a wrong sum": gzip.compress(LINES)[:-8] + b"\0\0\0\0" + gzip.compress(LINES)[-4:],
    "binary": random.Random(1).randbytes(100_000),
    "NUL": b"\0" * 1000,
    "NUL lines": b"\0\n" * 1000,
    "a NUL in each line": LINES.replace(b'"Artifact"', b'"Art\0ifact"'),
    "nested brackets": b"[" * 100_000,
    "nested brackets, closed": b"[" * 100_000 + b"]" * 100_000,
    "nested objects": b'{"name":' * 100_000,
    "nested in a row": b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "a string of 10 MB": b'"' + b"x" * 10_000_000 + b'"',
    "a name of 10 MB": json_lines([row(1, name="x" * 10_000_000)]),
    "Latin-1": json_lines([row(1, name="Lim-Dûl's Vault")]).decode().encode("latin-1") * 3,
    "UTF-16": LINES.decode().encode("utf-16"),
    "a list of nothing": b"[]",
    "an object of nothing": b"{}",
    "numbers": b"[1, 2, 3]",
    "strings": b'["Black Lotus", "Mox Pearl"]',
    "null": b"null",
    "wrong types": json_lines({**row(n), "name": n, "mana_cost": []} for n in range(10)),
    "rows of another kind": json_lines({"object": "set", "code": "dsk"} for _ in range(10)),
    "a web page": b"<!DOCTYPE html><html>Sign in</html>",
    "an error of the API": b'{"object":"error","code":"not_found","status":404,"details":"No"}',
    "CSV": b"Count,Name\n1,Black Lotus\n",
    "lone surrogates": b'{"name":"\\ud800","set":"dsk","collector_number":"1"}\n' * 3,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_is_no_card_data_says_so_and_changes_nothing(shell: Shell, name: str) -> None:
    shell.import_rows(rows(3))
    before = shell.catalogue()
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file, "--force").refused("hostile")
    assert shell.catalogue() == before


@pytest.mark.parametrize("name", ["empty", "binary", "a list of nothing", "wrong types", "cut in a line", "cut gzip"])
def test_a_file_that_is_no_card_data_leaves_no_catalogue_behind(shell: Shell, name: str) -> None:
    file = shell.folder / "hostile"
    file.write_bytes(HOSTILE[name])
    shell("import", "mtg", file).refused("hostile")
    assert shell.catalogue() == {}


def test_a_missing_file_and_a_folder_are_named(shell: Shell) -> None:
    shell("import", "mtg", shell.folder / "nothing.json").refused("nothing.json")
    shell("import", "mtg", shell.folder).refused("folder")
    shell("import", "mtg", "x" * 5000).refused()
    assert shell.catalogue() == {}
