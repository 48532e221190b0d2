"""Differences of Windows and macOS: quoting of printed commands, Tab completion, and starting of programs."""

import shlex
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.catalogues import Shell
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.formatting import shell_word
from ccgrid.engine.errors import EngineError
from ccgrid.engine.players import find_player
from ccgrid.services import doctor
from ccgrid.terminal.prompts import line_completion


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_quoted_argument_is_one_word_for_posix_shell(text: str) -> None:
    assert shlex.split(shell_word(text)) == [text]


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        (r"C:\Users\Ann\deck.toml", r"C:\Users\Ann\deck.toml"),
        (r"C:\Users\Ann Lee\deck.toml", r'"C:\Users\Ann Lee\deck.toml"'),
        ("Ann's; deck (2).toml", '"Ann\'s; deck (2).toml"'),
        ("$5 deck.toml", "'$5 deck.toml'"),
        ("Ann's `$5` deck.toml", "'Ann''s `$5` deck.toml'"),
    ],
)
def test_quoted_path_is_one_word_for_powershell(monkeypatch: pytest.MonkeyPatch, path: str, printed: str) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert shell_word(path) == printed


def test_printed_command_can_be_typed_unchanged(shell: Shell) -> None:
    shell.import_starter()
    deck = shell.folder / "Ann's deck.toml"
    output = shell.good("deck", "new", "--seed", "1", "-o", deck).err
    command = shlex.split(output.partition("To see it: ")[2].splitlines()[0])
    assert command[:1] == ["ccgrid"]
    assert shell.good(*command[1:]).out


def test_command_has_exe_ending_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert doctor.own_command() == Path(sys.executable).parent / "ccgrid.exe"


@pytest.mark.parametrize(
    ("library", "binding"),
    [
        ("Importing this module enables command line editing using GNU readline.", "tab: complete"),
        ("Importing this module enables command line editing using libedit readline.", "bind ^I rl_complete"),
        (None, "tab: complete"),
    ],
)
def test_tab_completes_with_either_library_for_lines(
    monkeypatch: pytest.MonkeyPatch, library: str | None, binding: str
) -> None:
    given: list[str] = []
    lines = SimpleNamespace(__doc__=library, parse_and_bind=given.append, set_completer_delims=given.append)
    lines.set_completer = lambda _: None
    monkeypatch.setitem(sys.modules, "readline", lines)
    line_completion(lambda line: ["Griffin"])
    assert given == ["", binding]


def test_no_completion_without_readline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readline", None)
    line_completion(lambda line: ["Griffin"])


def test_program_gets_unchanged_command_line_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []

    def popen(command: object, **_: object) -> None:
        started.append(command)
        raise OSError("not here")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "Popen", popen)
    player = find_player(r'cmd:"C:\My bots\mine.exe" --book C:\books\1.txt')
    with pytest.raises(EngineError, match="cannot be started"):
        player.start()  # type: ignore[attr-defined]
    assert started == [r'"C:\My bots\mine.exe" --book C:\books\1.txt']
    with pytest.raises(EngineError, match="say which"):
        find_player("cmd: ")
