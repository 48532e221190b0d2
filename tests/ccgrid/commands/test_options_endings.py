"""Tests that commands accept only known suffixes of output files, and reject others before any other work."""

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, rows
from helpers.command_examples import command_called, words_of_commands
from helpers.everyday import one_in

ENDINGS = (".jsonl", ".json", ".csv", ".txt", ".cod", ".xlsx", ".ods", ".html", ".pdf", ".toml", ".svg", ".docx")
RECORDS = {".toml", ".jsonl"}
LISTS = {".jsonl", ".json", ".csv", ".txt", ".cod", ".xlsx"}
PRINTED = LISTS | {".html", ".pdf"}
SIMULATE = ("simulate", "matrix", "-n", "1", "--workers", "1", "--seed", "1", "--records")
WRITERS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "export": (("export", "-o"), {".jsonl", ".json", ".csv", ".xlsx"}),
    "stats": (("stats", "-o"), {".svg"}),
    "collection export": (("collection", "export", "-o"), LISTS),
    "losses": (("collection", "export", "--format", "text", "--losses"), {".csv"}),
    "doubts": (("collection", "doubts", "-o"), {".csv"}),
    "corrections": (("collection", "import", "unknown.csv", "--dry-run", "--corrections"), {".csv"}),
    "collection sets": (("collection", "sets", "dsk", "-o"), PRINTED),
    "collection wants": (("collection", "wants", "--set", "dsk", "-o"), PRINTED),
    "collection spares": (("collection", "spares", "--keep", "0", "-o"), PRINTED),
    "collection trade": (("collection", "trade", "bob.csv", "--keep", "0", "--wants", "-o"), PRINTED),
    "deck new": (("deck", "new", "--seed", "1", "-o"), {".toml"}),
    "deck edit": (("deck", "edit", "own.toml", "--swap", "1=mtg:dsk/1", "-o"), {".toml"}),
    "code": (("code", "own.jsonl", "-o"), RECORDS),
    "page": (("page", "own.jsonl", "-o"), {".html"}),
    "sheet": (("sheet", "own.toml", "--only", "scores", "-o"), {".html", ".pdf"}),
    "analyze": (("analyze", "own.jsonl", "--seed", "1", "--think", "0.01", "-o"), RECORDS),
    "simulate": (SIMULATE, {".jsonl"}),
    "play": (("play", "matrix", "--players", "greedy,greedy", "--seed", "1", "--record"), RECORDS),
    "layout new": (("layout", "new", "plain.csv", "--game", "plain", "--at", "Cost=top", "-o"), {".toml"}),
}
REJECTED_ONLY = {
    "table": (("table", "own.toml", "--players", "Ann,Bob", "-o"), RECORDS),
    "puzzle": (("puzzle", "grid", "--seed", "1", "--output"), RECORDS),
    "scan": (("scan", "own.png", "--grid", "-o"), RECORDS),
}
"""Commands that need a user, a search or an extra: only their rejections are tested."""
EXTRAS = {".pdf": "weasyprint", ".xlsx": "xlsxwriter"}


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of files that each test copies; the first test fills it."""
    return tmp_path_factory.mktemp("stock")


@pytest.fixture
def stocked(shell: Shell, stock: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    import shutil

    monkeypatch.chdir(shell.folder)
    if not any(stock.iterdir()):
        shell.import_rows(rows(60))
        shell.good("collection", "add", "mtg:dsk/1", "--condition", "lp")
        Path("bob.csv").write_text("Copies,Card id\n1,mtg:dsk/1\n", encoding="utf-8")
        Path("plain.csv").write_text("Name,Cost\nAnt,3\n", encoding="utf-8")
        Path("unknown.csv").write_text("Count,Name,Edition\n1,Nobody at all,zzz\n1,Dusk Drake,dsk\n", encoding="utf-8")
        Path("own.png").touch()
        shell.good("deck", "new", "--seed", "1", "-o", "own.toml")
        shell.good(*SIMULATE[:1], "grid", *SIMULATE[2:-1], "--deck", "own.toml", "--records", "own.jsonl")
        shutil.copytree(shell.folder, stock, dirs_exist_ok=True)
    else:
        shutil.copytree(stock, shell.folder, dirs_exist_ok=True)
    return shell


def test_every_command_that_writes_a_file_is_tested() -> None:
    writing = {
        words
        for words in words_of_commands()
        for option in command_called(words).params
        if {"-o", "--losses", "--corrections", "--records"} & {*option.opts}
    }
    tried = {
        " ".join(command[:length]) for command, _ in (*WRITERS.values(), *REJECTED_ONLY.values()) for length in (1, 2)
    }
    assert writing - tried == {"demo"}  # it writes into a folder


@pytest.mark.parametrize(
    ("name", "ending"),
    one_in(
        4,
        [(name, ending) for name in WRITERS for ending in ENDINGS]
        + [(name, ending) for name, (_, known) in REJECTED_ONLY.items() for ending in ENDINGS if ending not in known],
    ),
)
def test_unknown_endings_are_rejected(name: str, ending: str, stocked: Shell) -> None:
    command, known = {**WRITERS, **REJECTED_ONLY}[name]
    file = stocked.folder / f"written{ending}"
    if ending not in known:
        result = stocked(*command, file)
        assert (result.status, file.exists()) == (2, False), result
        assert ending in result.err
        named = re.findall(r"\.[a-z]+\b", result.err.replace(str(file), "").replace(file.name, ""))
        assert known & {*named}, result
        return
    if ending in EXTRAS:
        pytest.importorskip(EXTRAS[ending])
    result = stocked(*command, file)
    assert result.status == (1 if name == "corrections" else 0), result  # its file has a row that matches no card
    beginning = file.read_bytes()[:4]
    assert beginning, name
    if ending == ".json":
        assert isinstance(json.loads(file.read_bytes()), list)
    if ending == ".xlsx":
        assert zipfile.is_zipfile(file)
    if ending == ".jsonl":
        assert all(json.loads(line) for line in file.read_bytes().splitlines())


@pytest.mark.parametrize("command", [("export",), ("collection", "export")])
def test_format_option_overrides_ending_and_default_is_json_lines(command: tuple[str, ...], stocked: Shell) -> None:
    other_suffix, without_suffix = stocked.folder / "cards.ods", stocked.folder / "cards"
    stocked.good(*command, "--format", "csv", "-o", other_suffix)
    assert b"," in other_suffix.read_bytes().splitlines()[0]
    stocked.good(*command, "-o", without_suffix)
    assert all(json.loads(line)["id"] for line in without_suffix.read_bytes().splitlines())
    result = stocked(*command, "--json", "-o", stocked.folder / "cards.csv")
    assert (result.status, (stocked.folder / "cards.csv").exists()) == (2, False)


@pytest.mark.parametrize("ending", [".json", ".xlsx", ".jsonl", ".csv"])
def test_exported_collection_is_imported_unchanged(ending: str, stocked: Shell) -> None:
    if ending in EXTRAS:
        pytest.importorskip(EXTRAS[ending])
        pytest.importorskip("python_calamine")
    stocked.good("collection", "add", "3 mtg:dsk/3 *F*")
    stocked.good("collection", "edit", "mtg:dsk/3", "--note", "=1+1", "--own", "Shelf=0012", "--to-box", "1E5")
    owned = stocked.entries()
    file = stocked.folder / f"mine{ending}"
    stocked.good("collection", "export", "-o", file)
    stocked.good("collection", "remove", "game:mtg", "--all", "--yes")
    stocked.good("collection", "import", file)
    assert stocked.entries() == owned


def test_spreadsheet_without_extra_names_the_extra(stocked: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    file = stocked.folder / "mine.xlsx"
    result: Any = stocked("collection", "export", "-o", file)
    assert (result.status, file.exists()) == (3, False)
    assert "spreadsheet" in result.err
