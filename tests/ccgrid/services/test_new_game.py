"""Tests that `ccgrid new-game` writes a complete package or nothing, and rejects invalid and existing names."""

from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.plugins import installed

from ccgrid.engine.games import find_game
from ccgrid.services import new_game


@pytest.fixture(autouse=True)
def in_own_folder(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shell.folder)


def files_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_package_is_written_and_its_files_are_listed(shell: Shell) -> None:
    written = shell.good("new-game", "king_hill", "--json").json
    assert written["name"] == "king_hill"
    assert written["files"] == files_in(shell.folder / "ccgrid-king-hill")
    assert "ccgrid_king_hill/rules.py" in written["files"]
    for path in (shell.folder / "ccgrid-king-hill").rglob("*.*"):
        assert "ladder" not in (path.read_text(encoding="utf-8") if path.is_file() else path.name).lower()


def test_folder_may_be_named_and_next_steps_are_printed(shell: Shell) -> None:
    (shell.folder / "my games").mkdir()
    out = shell.good("new-game", "summit", "--folder", shell.folder / "my games").out
    assert "Wrote 10 files into " in out
    assert "\n  ccgrid play summit\n" in out
    assert (shell.folder / "my games" / "ccgrid-summit" / "pyproject.toml").is_file()


@pytest.mark.parametrize("name", ["Grid", "for", "../x", "2x", "a__b", "a_", "_a", "a-b", "", "x" * 31, "é"])
def test_invalid_name_is_rejected(shell: Shell, name: str) -> None:
    result = shell("new-game", name)
    assert result.status == 2
    assert f"{name!r} cannot be the name of a game" in result.err
    assert not list(shell.folder.glob("ccgrid-*"))


def test_existing_game_package_or_folder_is_rejected(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell("new-game", "grid").fails("There is a game 'grid' already.")
    (shell.folder / "ccgrid_taken").mkdir()
    monkeypatch.syspath_prepend(shell.folder)
    shell("new-game", "taken").fails("A package ccgrid_taken is installed already.")
    (shell.folder / "ccgrid-summit").mkdir()
    shell("new-game", "summit").fails("ccgrid-summit: it exists already")
    shell("new-game", "summit", "--folder", shell.folder / "none").fails("No such file or directory")
    assert files_in(shell.folder / "ccgrid-summit") == []


@pytest.mark.parametrize("failing", range(1, 12, 3))
def test_failed_write_leaves_no_file(shell: Shell, monkeypatch: pytest.MonkeyPatch, failing: int) -> None:
    calls, write_atomically = [], new_game.write_atomically

    def write(path: Path, content: str) -> None:
        calls.append(path)
        if len(calls) == failing:
            raise OSError(28, "No space left on device", str(path))
        write_atomically(path, content)

    before = set(shell.folder.iterdir())
    monkeypatch.setattr(new_game, "write_atomically", write)
    result = shell("new-game", "summit")
    if failing <= 10:
        result.fails("the disk is full")
    assert {path.name for path in set(shell.folder.iterdir()) - before} == set() if failing <= 10 else {"ccgrid-summit"}


def test_written_package_is_a_game(tmp_path: Path) -> None:
    folder = Path(new_game.write_package("summit_of_stone", tmp_path).folder)
    metadata = folder / "ccgrid_summit_of_stone-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: ccgrid-summit-of-stone\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[ccgrid.games]\nsummit_of_stone = ccgrid_summit_of_stone\n")
    with installed(folder):
        game = find_game("summit_of_stone")
        assert game.title == "Summit Of Stone"
        assert game.pictures.rules_page().startswith("# Summit Of Stone (`summit_of_stone`)\n")
