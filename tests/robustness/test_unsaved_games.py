"""Finished games whose record cannot be written: another file is requested, or the game is printed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.catalogues import Result, Shell

from ccgrid.catalog import files
from ccgrid.engine.records import files as record_files
from ccgrid.engine.records.files import read_game

Type = Callable[..., Result]


@pytest.fixture
def typing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Return a function that plays with these lines as standard input; paths with `full` cannot be written."""
    write = files.write_atomically

    def refuse(path: Path, text: str) -> None:
        if "full" in str(path):
            raise OSError(28, "No space left on device", str(path))
        write(path, text)

    monkeypatch.setattr(record_files, "write_atomically", refuse)
    monkeypatch.setattr("ccgrid.services.match_session.write_atomically", refuse)
    shell.import_starter()

    return lambda text, *arguments: shell("play", "grid", "--seed", "3", *arguments, typed=text)


def moves_of(shell: Shell, typing: Type) -> str:
    """Return one line of input for each move of the game."""
    file = shell.folder / "game.toml"
    assert typing("1\n" * 80, "--players", "Ann,Bob", "--record", file).status == 0
    return "1\n" * len(read_game(file).moves)


def test_unwritable_file_prompts_for_another(shell: Shell, typing: Type) -> None:
    moves, other = moves_of(shell, typing), shell.folder / "other.toml"
    (shell.folder / "there.toml").write_text("mine")
    answers = f"{shell.folder / 'full2.toml'}\n{shell.folder / 'there.toml'}\n{other}\n"
    result = typing(moves + answers, "--players", "Ann,Bob", "--record", shell.folder / "full.toml")
    assert result.status == 0, result
    assert "Not saved" in result.err
    assert "there.toml exists already" in result.err
    assert (shell.folder / "there.toml").read_text() == "mine"
    assert f"Saved to {other}" in result.out
    assert shell.good("score", other, "--json").json["over"]


@pytest.mark.parametrize("answer", ["\n", ""])
def test_game_is_printed_if_no_file_is_named(shell: Shell, typing: Type, answer: str) -> None:
    moves = moves_of(shell, typing)
    result = typing(moves + answer, "--players", "Ann,Bob", "--record", shell.folder / "full.toml")
    assert result.status == 0, result
    printed = result.out.rpartition("(Enter prints the game)> ")[2].lstrip("\n")
    file = shell.folder / "printed.toml"
    file.write_text(printed)
    assert shell.good("score", file, "--json").json["over"]


def test_unsaved_game_is_kept_for_later(shell: Shell, typing: Type) -> None:
    result = typing("1\n1\n", "--players", "Ann,Bob", "--record", shell.folder / "full.toml")
    assert result.status == 0, result
    assert "Not saved" in result.err
    assert "--load last" in result.err
