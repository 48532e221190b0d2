"""Malicious names and texts of cards, from import to export: they are escaped and never interpreted."""

import csv
import io
import json
import re
import sys
import tomllib
from typing import Any

import pytest
from helpers.catalogues import Shell, row, rows
from helpers.everyday import one_in
from helpers.forked_program import at_terminal
from helpers.null_device import Device
from helpers.text_files import write

from ccgrid.view.text import width

BIDI = "\u202e\u2066\u200f"
NAMES = {
    "closing markup": "[/red]",
    "markup": "[bold]x",
    "markup that closes nothing": "[/]",
    "a link": "[link=https://example.org]y[/link]",
    "an emoji code": ":skull: Captain",
    "clear the screen": "\x1b[2J",
    "set the title": "\x1b]0;owned\x07Title",
    "one-byte escape": "\x9b2JSneak",
    "written backwards": f"{BIDI}Evil",
    "lines": "Two\nLines\r\nMore",
    "line separators": "Two\u2028Lines\u2029More\x85End",
    "NUL": "Nul\0Nul",
    "bell and backspace": "\aBell\b\b\b",
    "tabs": "\tTab\tTab",
    "a formula": "=cmd()|'/C calc'!A0",
    "a plus": "+1+1",
    "a minus": "-2-2",
    "an at": "@SUM(A1)",
    "quotes": "\"Quoted\" 'Name'",
    "commas": 'a,b;c"d',
    "SQL": "'; DROP TABLE cards; --",
    "TOML": '"""\n[[cards]]\nname = "x"',
    "HTML": "<script>alert(1)</script>",
    "format": "{0} %s {name}",
    "an option": "--help",
    "a path": "../../etc/passwd",
    "combining marks": "Z" + "\u0301" * 199,
    "wide": "黒" * 100,
    "nothing to see": "\u200b\u200b",
    "a noncharacter": "\uffff\ufdd0",
    "long": "Long " * 40,
}
DANGEROUS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def hostile_rows() -> list[dict[str, Any]]:
    """Return a printing for each name, with the name in every text, and enough ordinary cards for a deck."""
    cards = [
        row(100 + place, name=name, set_name=name, type_line=name, oracle_text=f"{name} 3", flavor_text=name, cost=5)
        for place, name in enumerate(NAMES.values())
    ]
    coded = [
        row(1, name=f"Coded {place}", set=name[:200], collector_number=f"{name[:200]}7", released_at=name, frame=name)
        for place, name in enumerate(NAMES.values())
    ]
    return [*cards, *coded, *rows(20)]


@pytest.fixture
def hostile(shell: Shell) -> Shell:
    summary = shell.import_rows(hostile_rows())
    assert (summary["added"], summary["skipped"]) == (2 * len(NAMES) + 20, 0)
    return shell


def assert_harmless(output: str) -> None:
    assert not (found := DANGEROUS.search(output)), repr(output[max(0, found.start() - 40) : found.end() + 40])


@pytest.mark.parametrize("name", one_in(3, NAMES))
def test_hostile_name_is_found_and_printed_safely(hostile: Shell, name: str) -> None:
    card_id = f"mtg:dsk/{100 + list(NAMES).index(name)}"
    shown = hostile.good("show", "--", card_id)
    assert_harmless(shown.out)
    assert hostile.good("show", "--json", "--", card_id).json["name"] == NAMES[name]
    if "\0" not in NAMES[name]:  # Command lines cannot contain it.
        assert hostile.good("show", "--json", "--", NAMES[name]).json["id"] == card_id
        assert_harmless(hostile.good("search", "--", NAMES[name]).out)
    begin = hostile("search", "--json", "--", NAMES[name][:3])
    assert_harmless(begin.out + begin.err)
    refused = name in ("quotes", "TOML", "a formula", "HTML")
    assert begin.status == (2 if refused else 0), "unterminated quotes and half a comparison are not a query"


def test_square_brackets_of_a_name_are_printed(hostile: Shell) -> None:
    assert "[/red]" in hostile.good("search", "red").out
    assert "[bold]x" in hostile.good("show", "[bold]x").out
    assert r"\x1b[2J" in hostile.good("show", "\x1b[2J").out


def test_exports_preserve_every_name(hostile: Shell) -> None:
    names = {row["name"] for row in hostile_rows()}
    exported = hostile.good("export")
    assert_harmless(exported.out)
    assert {card["name"] for card in exported.json_lines} == names
    file = hostile.folder / "exported.jsonl"
    hostile.good("export", "-o", file)
    assert {json.loads(line)["name"] for line in file.read_text().splitlines()} == names


def test_exported_table_contains_no_formula(hostile: Shell) -> None:
    file = hostile.folder / "cards.csv"
    hostile.good("export", "--format", "csv", "-o", file)
    with file.open(newline="", encoding="utf-8") as text:
        read = list(csv.DictReader(text))
    assert len(read) == len(hostile_rows())
    for card in read:
        assert all(not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in card.values()), card
    names = {card["name"].removeprefix("'") for card in read}
    assert names == {row["name"].removeprefix("'") for row in hostile_rows()}


def test_reason_from_a_file_is_printed_safely(shell: Shell) -> None:
    """Print a `reason` from a file in the bundled cards' format."""
    card = {"id": "x:1", "name": "Ant", "printed": [["top", "number", "stats", ["3"]]], "reason": "=cmd()\x1b[2J"}
    file = write(shell.folder / "cards.jsonl", json.dumps(card) + "\n")
    assert_harmless(shell.good("import", "starter", file).out)
    assert_harmless(shell.good("stats").out)
    assert_harmless(shell.good("search", "ant").out)
    assert_harmless(shell.good("show", "ant").out)
    table = list(csv.DictReader(io.StringIO(shell.good("export", "--format", "csv").out)))
    assert table[0]["reason"] == "'=cmd()\x1b[2J"


@pytest.mark.parametrize(
    "change",
    [
        {"printed": [["middle", "number", "stats", ["3"]]]},
        {"printed": [["top", "number", "", ["3"]]]},
        {"printed": [["top", "number", "collector:0", ["3"]]]},
        {"printed": [["top", "number", "collector:none", ["3"]]]},
        {"printed": [["top", "number", "stats -x", ["3"]]]},
        {"printed": [["top", "number"]]},
        {"attack": 11},
        {"defense": -1},
        {"id": "no game"},
        {"id": ":1"},
        {"name": ""},
        {"name": "x" * 2000},
    ],
)
def test_bundled_card_with_wrong_facts_is_rejected(shell: Shell, change: dict[str, Any]) -> None:
    card = {"id": "x:1", "name": "Ant", "printed": [["top", "number", "stats", ["3"]]]}
    file = write(shell.folder / "cards.jsonl", json.dumps({**card, **change}) + "\n")
    shell("import", "starter", file).fails("0 of 1 row are cards")
    assert shell.catalogue() == {}


def test_skipped_rows_are_printed_safely(shell: Shell) -> None:
    cards = [*hostile_rows(), *hostile_rows()[:30], *({"name": name, "\x1b[2J": 1} for name in NAMES.values())]
    file = write(shell.folder / "cards.jsonl", "".join(json.dumps(card) + "\n" for card in cards))
    result = shell.good("import", "mtg", file)
    assert "Skipped" in result.err
    assert_harmless(result.out + result.err)


def test_name_of_ten_thousand_characters_is_skipped(shell: Shell) -> None:
    long = "Long" * 2500
    summary = shell.import_rows([*rows(20), row(21, name=long), row(22, collector_number="9" * 10_000)])
    assert (summary["added"], summary["skipped"]) == (20, 2)
    shell("show", long).finds_none("No card matches")
    assert len(shell("search", long).err) < 20_000


def test_name_of_900_characters_is_shortened_in_decks(hostile: Shell) -> None:
    (hostile.folder / "deck.txt").write_text("\n".join(f"mtg:dsk/{100 + place}" for place in range(len(NAMES))))
    shown = hostile.good("deck", "show", hostile.folder / "deck.txt").out
    assert_harmless(shown)
    assert max(map(width, shown.splitlines())) <= 80


def test_deck_of_malicious_cards_is_written_and_read_back(hostile: Shell) -> None:
    seen: set[str] = set()
    for seed in range(12):
        file = hostile.folder / f"{seed}.toml"
        hostile.good("deck", "new", "--seed", str(seed), "-o", file)
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        drawn = hostile.good("deck", "new", "--seed", str(seed), "--json").json
        assert [card["name"] for card in written["cards"]] == [card["name"] for card in drawn["cards"]]
        assert hostile.good("deck", "check", file, "--json").json["ok"]
        assert_harmless(hostile.good("deck", "show", file).out)
        assert hostile.good("deck", "show", file, "--json").json == {**drawn, "not_found": []}
        seen.update(card["name"] for card in drawn["cards"])
    assert len(seen & set(NAMES.values())) > 25


def test_problems_of_a_deck_are_printed_safely(hostile: Shell) -> None:
    file = write(
        hostile.folder / "deck.json",
        json.dumps({"name": "\x1b[2J", "cards": [*NAMES.values(), "\ud800", {"name": "\x9b2J[/red]"}]}),
    )
    for command in ("check", "show"):
        result = hostile("deck", command, file)
        assert_harmless(result.out + result.err)
        assert "defect" not in result.err
    assert_harmless(hostile("deck", "check", file, "--json").out)


def test_deck_with_malicious_name_is_printed_safely(hostile: Shell) -> None:
    for place, name in enumerate(NAMES.values()):
        if "\0" in name or len(name) > 200:
            continue
        file = hostile.folder / f"{place}.toml"
        hostile.good("deck", "new", "--seed", "1", "--name", name, "-o", file)
        assert tomllib.loads(file.read_text(encoding="utf-8"))["name"] == name
        shown = hostile.good("deck", "show", file)
        assert_harmless(shown.out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "-n", "200", "--", "x"),
        ("search", "coded"),
        ("show", "--", "\x1b[2J"),
        ("show", "[/red]"),
        ("export", "--legal"),
        ("export", "--format", "csv"),
        ("export", "--json"),
        ("stats",),
        ("deck", "show", "hostile.txt"),
        ("deck", "check", "hostile.txt"),
        ("deck", "check", "hostile.txt", "--json"),
        ("deck", "new", "--seed", "3"),
        ("import", "mtg", "again.jsonl"),
    ],
    ids=" ".join,
)
def test_terminal_of_80_columns_gets_no_control_characters(hostile: Shell, arguments: tuple[str, ...]) -> None:
    pexpect = pytest.importorskip("pexpect")
    (hostile.folder / "hostile.txt").write_text("\n".join(f"mtg:dsk/{100 + place}" for place in range(len(NAMES))))
    again = [*hostile_rows(), *hostile_rows()[:30], {"name": "\x1b[2J"}]
    (hostile.folder / "again.jsonl").write_text("".join(json.dumps(card) + "\n" for card in again))
    files = {"hostile.txt", "again.jsonl"}
    words = [str(hostile.folder / word) if word in files else word for word in arguments]
    environment = {**hostile.environment(), "TERM": "xterm-256color", "COLUMNS": "80"}
    child = at_terminal(words, environment)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus in (0, 1), child.before
    # Remove the program's own sequences: colours, and the cursor movements of a progress bar.
    text = re.sub(r"\x1b\[(?:[\d;]*m|\?25[lh]|\d*[AK]|1A|2K)", "", child.before).replace("\r", "\n")
    assert_harmless(text)
    assert "Traceback" not in text
    if arguments[0] in ("search", "show", "stats", "deck") and "--json" not in arguments:
        # Commands with a path are not wrapped, so that they can be copied.
        lines = [line for line in text.splitlines() if str(hostile.folder) not in line]
        assert max(map(width, lines)) <= 80


def test_device_is_written_and_remains_a_device(hostile: Shell, device: Device) -> None:
    hostile.good("export", "-o", device.path)
    hostile.good("deck", "new", "-o", device.path)
    assert device.path.is_char_device()
    assert b"mtg:dsk/" in device.written()
