"""Tests of shell completion of names from the catalogue, files and the program's lists."""

import os
import shlex
import sys
from pathlib import Path

import pexpect
import pytest
from helpers.catalogues import Shell, row, with_prepared_files
from helpers.processes import ends_with_test

from ccgrid.engine.games import GAMES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="completes for shells of POSIX")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("owned")


@pytest.fixture
def owned(shell: Shell, folder: Path) -> Shell:
    return with_prepared_files(shell, folder, add_owned)


def add_owned(shell: Shell) -> None:
    shell.import_rows([row(1, set="dsk"), row(2, set="m10", set_name="Magic 2010"), row(3, set="m11")])
    shell.good("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4", "--set", "ma")
    shell.good("collection", "add", "mtg:dsk/1", "--box", "Attic 2")
    shell.good("collection", "add", "mtg:m10/2", "--box", "Cellar")


def completions(shell: Shell, line: str, kind: str = "bash") -> list[str]:
    """Return the completions at the end of a line."""
    words = shlex.split(line) + ([""] if line.endswith(" ") else [])
    variables = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": line}
    variables |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_CCGRID_COMPLETE": f"complete_{kind}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        result = shell()
    assert result.err == ""
    return [word for word in result.out.splitlines() if word]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ccgrid search griffin --game ", ["arcadia", "mtg"]),
        ("ccgrid collection list --game ar", ["arcadia"]),
        ("ccgrid import myt", []),
        ("ccgrid import spell", ["spellfire"]),
        ("ccgrid import file cards.csv --layout trip", ["tripletriad", "tripletriad-xiv"]),
        ("ccgrid collection list set:m", ["set:m10", "set:m11", "set:ma"]),
        ("ccgrid collection add --game mtg --set m", ["m10", "m11"]),
        ("ccgrid collection add --box ", ["Attic\\ 2", "Cellar"]),
        ("ccgrid collection rename-box Att", ["Attic\\ 2"]),
        ("ccgrid collection move --to-box C", ["Cellar"]),
        ("ccgrid play tactics --faction harbor,ba", ["harbor,bastion"]),
        ("ccgrid faction show c", ["cinder"]),
        ("ccgrid collection export --format deck", ["deckbox", "deckedbuilder"]),
        ("ccgrid collection import x.csv --format mtgo", ["mtgo-dek", "mtgo"]),
        ("ccgrid simulate --players greedy,r", ["greedy,random"]),
        ("ccgrid simulate matrix --option rot", ["rotate=quarter", "rotate=step"]),
        ("ccgrid simulate grid --option e", ["empty-pile"]),
        ("ccgrid play grid --option ru", ["rules=evening"]),
        ("ccgrid play --option k", ["komi=0"]),
        ("ccgrid rules ", [*GAMES.names]),
        ("ccgrid deck check deck.toml --for n", ["ninecard"]),
        ("ccgrid collection list sort:c", ["sort:copies"]),
        ("ccgrid show gr", ["griffin"]),
        ("ccgrid show Bra", [r"Brass\ Bellringer"]),
        ("ccgrid show cinder cart", ["cartographer"]),
        ("ccgrid collection list gri", ["griffin"]),
        ("ccgrid collection add Gri", ["Griffin"]),
    ],
)
def test_completion_offers_existing_names(owned: Shell, line: str, words: list[str]) -> None:
    assert completions(owned, line) == words


def test_completion_offers_decks_records_and_unfinished_game(owned: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(owned.folder)
    for name in ("deck.toml", "elves.txt", "picture.png", "games.jsonl"):
        (owned.folder / name).write_text("", encoding="utf-8")
    assert completions(owned, "ccgrid deck check ") == ["deck.toml", "elves.txt"]
    assert completions(owned, "ccgrid play --deck el") == ["elves.txt"]
    assert completions(owned, "ccgrid play --load ") == ["cards.jsonl", "deck.toml", "games.jsonl"]
    monkeypatch.setattr("ccgrid.services.saved_games.left_games", lambda: ["a game"])
    assert completions(owned, "ccgrid play --load ") == ["last", "cards.jsonl", "deck.toml", "games.jsonl"]


def test_completion_uses_catalogue_of_the_command_line(owned: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    owned.good("import", "starter", "--db", other)
    assert "wyvern" in completions(owned, f"ccgrid search griffin --db {other} --game ")


@pytest.mark.parametrize("content", [None, b"not a catalogue\n"])
def test_completion_without_catalogue_offers_and_creates_nothing(shell: Shell, content: bytes | None) -> None:
    if content is not None:
        shell.database.write_bytes(content)
    assert completions(shell, "ccgrid collection list box:") == []
    assert shell.database.exists() == (content is not None)


def test_completion_describes_words_for_shells_that_show_it(owned: Shell) -> None:
    assert "m10\tMagic 2010" in "\n".join(completions(owned, "ccgrid collection add --set m1", "fish"))


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="needs bash")
def test_bash_completes_box_with_blank_in_its_name(owned: Shell) -> None:
    program = owned.folder / "bin" / "ccgrid"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ccgrid "$@"\n')
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**owned.environment(), "PATH": path, "PYTHONPATH": str(ROOT), "PS1": "$ ", "TERM": "dumb"}
    environment["HISTFILE"] = str(owned.folder / "history")
    words = ["--norc", "--noprofile"]
    shell = ends_with_test(pexpect.spawn("/bin/bash", words, env=environment, encoding="utf-8", timeout=120))
    script = "import sys; sys.argv = ['ccgrid', '--show-completion', 'bash']; from ccgrid.app import main; main()"
    shell.sendline(f"source <({shlex.quote(sys.executable)} -c {shlex.quote(script)}); echo rea''dy")
    shell.expect("ready")
    shell.send("ccgrid collection boxes --json; ccgrid collection rename-box Att\t")
    shell.expect(r"Attic\\ 2")
    shell.send(" Loft\n")
    shell.expect("in Loft now")
    shell.sendline("exit")
    shell.expect(pexpect.EOF)
    shell.close()


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_completion_omits_control_characters(shell: Shell, kind: str) -> None:
    shell.import_rows([row(1, set="dsk", set_name="Dusk\x1b[2J\u202e")])
    for box in ("Attic", "Cel\x1b[2Jlar", "Shelf\u202e", "Dra\x9b2Jwer"):
        shell.good("collection", "add", "mtg:dsk/1", "--box", box)
    boxes = "".join(completions(shell, "ccgrid collection add --box ", kind))
    assert "Attic" in boxes
    sets = "".join(completions(shell, "ccgrid collection add --set ", kind))
    assert "dsk" in sets
    assert (boxes + sets).replace("\t", " ").isprintable()  # for fish, a tab separates a word from its description
