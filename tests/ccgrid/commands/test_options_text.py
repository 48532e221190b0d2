"""Tests that undecodable arguments and lines are rejected, and no part of them is stored."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.catalogues import Shell, rows, wait_for_result
from helpers.command_examples import command_called, options_of, words_of_commands

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
UNDECODED = "Gr\udcf6\udcdfe"

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs arguments that are bytes")


@pytest.mark.parametrize("command", words_of_commands())
def test_every_command_rejects_undecodable_text(shell: Shell, command: str) -> None:
    may_be_file_names = {"faction", "factions", "player", "players"}
    options = options_of(command)
    for parameter in command_called(command).params:
        kind, settings = options.get(parameter.name, (bool, None))
        is_text = kind in (str, str | None, list[str], list[str] | None) and not settings.parser
        if is_text and parameter.name not in may_be_file_names:
            option = [parameter.opts[0]] if parameter.param_type_name == "option" else []
            result = shell(*command.split(), *option, UNDECODED)
            assert result.status == 2, result
            assert re.search("is not text in the encoding|Missing argument|is not one of", result.err)


@posix
@pytest.mark.parametrize(("variables", "encoding"), [(ASCII, "ascii"), ({"PYTHONUTF8": "1"}, "utf-8")])
def test_undecodable_box_is_not_stored(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], encoding: str
) -> None:
    shell.import_rows(rows(3))
    box = "Größe".encode("utf-8" if encoding == "ascii" else "latin-1")
    done = run_with_bytes([b"collection", b"add", b"mtg:dsk/1", b"--box", box], shell, variables)
    assert done[0] == 2
    assert f"is not text in the encoding of this system, {encoding}" in done[1]
    assert shell.entries() == []


@posix
def test_file_with_undecodable_name_is_read(shell: Shell) -> None:
    shell.import_rows(rows(3))
    file = os.fsencode(shell.folder) + b"/b\xf6x.txt"
    Path(os.fsdecode(file)).write_text("1 Brass Bellringer\n", encoding="utf-8")
    for variables in (ASCII, {"PYTHONUTF8": "1"}):
        assert run_with_bytes([b"collection", b"import", file, b"--again"], shell, variables)[0] == 0
    assert run_with_bytes([b"collection", b"pull", file, b"--out"], shell, {"PYTHONUTF8": "1"})[0] == 0
    assert [line["deck"] for line in shell.good("collection", "out", "--json").json_lines] == ["b?x"]


@posix
def test_undecodable_line_is_not_stored(shell: Shell) -> None:
    shell.import_rows(rows(3))
    before = shell.catalogue()
    (lines := shell.folder / "lines").write_bytes("mtg:dsk/1\nGröße\n".encode("latin-1"))
    with lines.open("rb") as stdin:
        wait_for_result(shell.start("collection", "add", stdin=stdin)).fails(
            "Standard input is not text", "utf-8 (byte 0xf6)"
        )
    assert shell.catalogue() == before


def run_with_bytes(words: list[bytes], shell: Shell, variables: dict[str, str]) -> tuple[int, str]:
    """Run a command in a new process with arguments as bytes; return its exit status and messages."""
    environment = {**shell.environment(), **variables}
    done = subprocess.run([sys.executable, "-m", "ccgrid", *words], env=environment, capture_output=True, check=False)
    return done.returncode, done.stderr.decode("utf-8", "replace")
