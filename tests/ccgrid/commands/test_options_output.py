"""Tests that existing files are kept, except that --force overwrites a file of the same kind."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.catalogues import Shell, rows, with_prepared_files
from helpers.command_examples import command_called, words_of_commands
from helpers.everyday import one_in
from helpers.null_device import Device

SIMULATE = ("simulate", "matrix", "-n", "1", "--workers", "1", "--seed", "1", "--records")
WRITERS = {
    "deck.toml": ("deck", "new", "--seed", "1", "-o"),
    "games.jsonl": SIMULATE,
    "cards.csv": ("export", "--format", "csv", "-o"),
    "owned.csv": ("collection", "export", "--format", "moxfield", "-o"),
    "doubts.csv": ("collection", "doubts", "-o"),
    "exported.jsonl": ("export", "--format", "jsonl", "-o"),
    "owned.txt": ("collection", "export", "--format", "text", "-o"),
    "owned.dek": ("collection", "export", "--format", "lackey", "-o"),
    "table.csv": ("collection", "export", "--format", "csv", "-o"),
    "owned.jsonl": ("collection", "export", "--format", "jsonl", "-o"),
    "stats.svg": ("stats", "-o"),
    "missing.txt": ("collection", "sets", "dsk", "-o"),
    "wanted.csv": ("collection", "wants", "--set", "dsk", "--format", "csv", "-o"),
    "spares.html": ("collection", "spares", "--keep", "0", "-o"),
    "given.csv": ("collection", "trade", "bob.csv", "--keep", "0", "--format", "csv", "-o"),
    "lost.csv": ("collection", "export", "--format", "text", "--losses"),
    "sheet.html": ("sheet", "grid", "-o"),
    "mtg.toml": ("layout", "new", "plain.csv", "--game", "plain", "--at", "Cost=top", "-o"),
    "game.toml": ("play", "matrix", "--players", "greedy,greedy", "--seed", "1", "--record"),
    "kept.zip": ("backup",),
    "edited.toml": ("deck", "edit", "own.toml", "--swap", "1=mtg:dsk/1", "-o"),
    "copied.toml": ("code", "own.jsonl", "-o"),
    "page.html": ("page", "own.jsonl", "-o"),
    "sheet.pdf": ("sheet", "own.toml", "--only", "scores", "--pdf", "-o"),
    "corrections.csv": ("collection", "import", "unknown.csv", "--dry-run", "--corrections"),
    "analysis.toml": ("analyze", "own.jsonl", "--seed", "1", "--think", "0.01", "-o"),
}
REJECTED_ONLY = {
    "table.toml": ("table", "own.toml", "--players", "Ann,Bob", "-o"),
    "puzzles.jsonl": ("puzzle", "grid", "--seed", "1", "--output"),
    "seen.toml": ("scan", "own.png", "--grid", "-o"),
}
"""Commands that need a user, a search or the scan extra: only their rejections are tested."""
VARYING = ("analysis.toml", "sheet.pdf", "kept.zip")
"""Files that differ each time because they contain times."""

FOREIGN = {
    "database": b"SQLite format 3\0" + bytes(80),
    "settings": b'title = "My letters"\n',
    "picture": b"\x89PNG\r\n\x1a\n\0",
    "letter": "Dear Ann,\n\n3 weeks have gone by since … and\nyours, Jötun\n".encode(),
    "program": b'"""A deck of cards."""\n\ncards = [\n    1,\n]\ngame = "grid"\nplayers = ["Ann"]\nprint(cards)\n',
    "notes": b"# To do\n\n- buy milk\n- call Bob\n",
    "addresses": b"Name,Street,City,Copies\nAnn,Elm Road 3,York,1\n",
    "log": b'{"name": "started", "count": 3}\n{"name": "ended", "count": 4}\n',
    "configuration": b'game = "grid"\n[server]\nport = 80\n',
    "web page": b"<!doctype html>\n<html><head><title>Ann</title></head><body>My page</body></html>\n",
    "XML": b'<?xml version="1.0"?>\n<letter>Dear Ann</letter>\n',
    "PDF": b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n",
}


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of files that each test copies; the first test fills it."""
    return tmp_path_factory.mktemp("stock")


@pytest.fixture
def stocked(shell: Shell, stock: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(shell.folder)
    return with_prepared_files(shell, stock, make_stock)


def make_stock(shell: Shell) -> None:
    shell.import_rows(rows(60))
    shell.good("collection", "add", "mtg:dsk/1", "--condition", "lp")
    Path("bob.csv").write_text("Count,Name,Edition\n1,Dusk Drake,dsk\n", encoding="utf-8")
    Path("plain.csv").write_text("Name,Cost\nAnt,3\n", encoding="utf-8")
    Path("unknown.csv").write_text("Count,Name,Edition\n1,Nobody at all,zzz\n1,Dusk Drake,dsk\n", encoding="utf-8")
    Path("own.png").touch()
    shell.good("deck", "new", "--seed", "1", "-o", "own.toml")
    simulate = ("simulate", "grid", "-n", "1", "--seed", "1", "--workers", "1")
    shell.good(*simulate, "--deck", "own.toml", "--records", "own.jsonl")


def test_every_command_that_overwrites_is_tested() -> None:
    forced = {words for words in words_of_commands() for one in command_called(words).params if is_force(one)}
    tried = {
        " ".join(command[:length]) for command in (*WRITERS.values(), *REJECTED_ONLY.values()) for length in (1, 2)
    }
    assert forced - tried == {"demo"}  # it writes two files into a folder


def is_force(option: Any) -> bool:
    return option.name == "force" and "same kind" in option.help


def needs_extra(name: str) -> None:
    if name.endswith(".pdf"):
        pytest.importorskip("weasyprint")


@pytest.mark.parametrize("name", one_in(3, WRITERS))
def test_force_overwrites_only_files_of_the_same_kind(name: str, stocked: Shell) -> None:
    needs_extra(name)
    file, command = stocked.folder / name, WRITERS[name]
    misses = int(name == "corrections.csv")  # the command reports unmatched rows
    assert stocked(*command, file).status == misses
    written = file.read_bytes()
    assert written
    # A PDF of the program is recognised by its end.
    changed = b"\n" + written if name.endswith(".pdf") else written + b"\n"
    file.write_bytes(changed)
    stocked(*command, file).fails("exists already", "--force")
    assert file.read_bytes() == changed
    assert stocked(*command, file, "--force").status == misses
    assert file.read_bytes() != changed
    assert name in VARYING or without_date(file.read_bytes()) == without_date(written)


def without_date(written: bytes) -> bytes:
    """Return the content without its date, because the tests may run past midnight."""
    return re.sub(rb"(?m)^date = .*\n", b"", written)


@pytest.mark.parametrize("name", one_in(3, [*WRITERS, *REJECTED_ONLY]))
def test_file_of_another_kind_is_never_overwritten(name: str, stocked: Shell) -> None:
    needs_extra(name)
    file, command = stocked.folder / name, {**WRITERS, **REJECTED_ONLY}[name]
    for kind, content in FOREIGN.items():
        file.write_bytes(content)
        refused = stocked(*command, file)
        refused.fails("exists already, and is not ", "name another file")
        assert "--force" not in refused.err, "which would be refused, too"
        result = stocked(*command, file, "--force")
        assert result.status == 3, (kind, result)
        assert "same kind" in result.err, (kind, result)
        assert file.read_bytes() == content


@pytest.mark.skipif(sys.platform == "win32", reason="only some may make links there")
@pytest.mark.parametrize("name", [*WRITERS, *REJECTED_ONLY])
def test_no_command_writes_through_a_link(name: str, stocked: Shell) -> None:
    needs_extra(name)
    link, target = stocked.folder / name, stocked.folder / "letter"
    link.symlink_to(target)
    for content in (b"", FOREIGN["letter"], None):  # None: the link is broken
        target.unlink() if content is None else target.write_bytes(content)
        for force in ((), ("--force",)):
            stocked(*{**WRITERS, **REJECTED_ONLY}[name], link, *force).fails("link", "name the file that it leads to")
            assert link.is_symlink()
            assert content == (target.read_bytes() if target.exists() else None)


@pytest.mark.parametrize("name", ["deck.toml", "game.toml"])
def test_demo_overwrites_its_files_only_with_force(name: str, stocked: Shell) -> None:
    stocked.good("demo", "-o", "shown")
    file = stocked.folder / "shown" / name
    stocked("demo", "-o", "shown").fails("exists already", "--force")
    stocked.good("demo", "-o", "shown", "--force")
    for content in FOREIGN.values():
        file.write_bytes(content)
        stocked("demo", "-o", "shown", "--force").fails("same kind")
        assert file.read_bytes() == content


def test_record_does_not_overwrite_deck_or_deck_record(stocked: Shell) -> None:
    deck, game = stocked.folder / "deck.toml", stocked.folder / "game.toml"
    stocked.good(*WRITERS["deck.toml"], deck)
    stocked.good(*WRITERS["game.toml"], game)
    stocked(*WRITERS["deck.toml"], game, "--force").fails("is not a deck")
    stocked(*WRITERS["game.toml"], deck, "--force").fails("is not a record")


def test_file_for_one_game_is_rejected_for_several_games(stocked: Shell) -> None:
    result = stocked(*SIMULATE, stocked.folder / "x.toml")
    assert result.status == 2
    assert "x.jsonl" in result.err
    assert len(result.err.splitlines()) <= 2
    assert not (stocked.folder / "x.toml").exists()


@pytest.mark.parametrize("name", ["deck.toml", "games.jsonl", "cards.csv"])
def test_device_is_written_directly(name: str, stocked: Shell, device: Device) -> None:
    stocked.good(*WRITERS[name], device.path)
    assert device.path.is_char_device()
    assert device.written()


@pytest.mark.parametrize(
    "command",
    [
        ("play", "matrix", "--players", f"{'x' * 201},Bob"),
        ("deck", "new", "--name", "x" * 201),
        ("collection", "add", "Amber Drake", "--box", "x" * 201),
        ("card", "add", "--game", "arcadia", "--name", "x" * 201),
    ],
)
def test_names_have_at_most_200_characters(command: tuple[str, ...], stocked: Shell) -> None:
    result = stocked(*command)
    assert result.status == 2
    assert "201 characters; the maximum is 200" in result.err


@pytest.mark.parametrize(
    ("command", "name", "own"),
    [(("deck", "new"), "q.json", ".toml"), (("sheet", "deck.toml"), "p.csv", ".html"), (("stats",), "p.gif", ".svg")],
)
def test_ending_of_another_kind_is_rejected(shell: Shell, command: tuple[str, ...], name: str, own: str) -> None:
    shell.good("deck", "new", "--seed", "1", "-o", shell.folder / "deck.toml")
    words = [str(shell.folder / word) if word == "deck.toml" else word for word in command]
    result = shell(*words, "-o", shell.folder / name)
    assert result.status == 2
    assert f"is not written as {Path(name).suffix}" in result.err
    assert f"ending in {own}" in result.err
    assert not (shell.folder / name).exists()


def test_written_file_is_reported(shell: Shell) -> None:
    shell.import_starter()
    shell.good("collection", "add", "Pidgeot")
    for command in (("export", "legal"), ("collection", "export")):
        assert "Written to " in shell.good(*command, "-o", shell.folder / f"{command[0]}.jsonl").err
