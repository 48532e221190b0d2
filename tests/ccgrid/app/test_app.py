"""The frame of the command line: exit statuses, and what a person reads when something goes wrong."""

import errno
import io
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import typer
from acting import Run
from hypothesis import given
from hypothesis import strategies as st

from ccgrid import app as frame
from ccgrid.catalog.card import CatalogError
from ccgrid.commands import CommandEntry
from ccgrid.engine.errors import EngineError


def raising(error: BaseException) -> Callable[[], None]:
    def act() -> None:
        raise error

    return act


def test_a_command_that_ends_well_has_status_0(run: Run) -> None:
    assert run(lambda: None) == 0


def test_a_command_says_not_valid_with_status_1(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(typer.Exit(1))) == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["sarch"], ["--nonsense"], ["act", "extra"]])
def test_a_wrong_command_line_has_status_2_and_two_lines(
    run: Run, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run(lambda: None)
    assert frame.run(arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("Error: ")
    assert "--help" in lines[1]


@pytest.mark.parametrize("command", [(), ("doctor",), ("collection", "add")])
def test_help_is_a_command_too(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert frame.run(["help", *command]) == 0
    shown = capsys.readouterr().out
    assert frame.run([*command, "--help"]) == 0
    assert shown == capsys.readouterr().out
    assert shown.startswith(" ".join(("Usage: ccgrid", *command)))


def test_a_misspelt_command_gets_the_nearest_one(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run(lambda: None)
    assert frame.run(["atc"]) == 2
    assert "Did you mean 'act'?" in capsys.readouterr().err


def test_a_group_without_a_command_shows_its_own_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("ccgrid.commands.acting")
    module.app = typer.Typer()  # type: ignore[attr-defined]
    module.app.command("new")(lambda: None)
    monkeypatch.setitem(sys.modules, "ccgrid.commands.acting", module)
    entries = (CommandEntry("deck", "", "Build decks."), CommandEntry("deck new", "acting", "Build one."))
    monkeypatch.setattr(frame, "COMMANDS", entries)
    assert frame.run(["deck"]) == 2
    assert capsys.readouterr().err.startswith("Usage: ccgrid deck")
    assert frame.run(["deck", "new"]) == 0


def test_our_errors_are_one_sentence_with_status_3(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(CatalogError("there is no card 'Ring of Gix'"))) == 3
    assert capsys.readouterr().err == "Error: there is no card 'Ring of Gix'\n"


def test_the_errors_of_games_are_ours_too(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(EngineError("grid is played by 2 to 4 players"))) == 3
    assert capsys.readouterr().err == "Error: grid is played by 2 to 4 players\n"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "deck.toml"), "deck.toml: there is no such file or folder"),
        (PermissionError(errno.EACCES, "Permission denied", "deck.toml"), "deck.toml: permission denied"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "decks"), "decks: this is a folder, not a file"),
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (OSError(errno.EIO, "Input/output error", b"caf\xe9"), "caf\\udce9: Input/output error"),
        (ConnectionError("no answer"), "no answer"),
        (sqlite3.OperationalError("database is locked"), "another program is writing to the catalogue"),
        (sqlite3.DatabaseError("file is not a database"), "this file is not a catalogue"),
        (sqlite3.OperationalError("disk I/O error"), "the catalogue: disk I/O error"),
        (EOFError(), "the input ended before the command had everything it needs"),
    ],
)
def test_errors_that_may_happen_to_anybody_are_put_into_words(
    run: Run, error: Exception, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error)) == 3
    assert words in capsys.readouterr().err


def test_a_file_error_of_the_real_system_names_the_file(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def act() -> None:
        (tmp_path / "missing.toml").read_text()

    assert run(act) == 3
    assert capsys.readouterr().err == f"Error: {tmp_path / 'missing.toml'}: there is no such file or folder\n"


def test_a_defect_is_owned_up_to_in_two_lines(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(RuntimeError("no zone top-lfet\nof 8\nzones"))) == 3
    first, second = capsys.readouterr().err.splitlines()
    assert first == "This is a defect in ccgrid: RuntimeError: no zone top-lfet"
    assert "CCGRID_TRACEBACK=1" in second


def test_the_details_of_a_defect_are_shown_to_whoever_asks(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CCGRID_TRACEBACK", "1")
    assert run(raising(KeyError("top-lfet"))) == 3
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@given(st.text())
def test_no_message_prints_more_than_two_lines_or_a_control_character(message: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", told := io.StringIO())
        frame._complain(message)
    lines = told.getvalue().split("\n")[:-1]
    assert 1 <= len(lines) <= 2
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for line in lines for character in line)


def test_a_message_of_megabytes_is_cut(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(raising(CatalogError("x" * 10_000_000))) == 3
    assert len(capsys.readouterr().err) < 1100


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()])
def test_an_interrupted_command_ends_in_a_clean_line_with_status_130(
    run: Run, error: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(raising(error)) == 130
    assert capsys.readouterr().err == "Interrupted.\n"
