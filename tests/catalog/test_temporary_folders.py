"""Temporary folders: gone in the end, those of killed programs too, and nothing else ever."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from helpers.catalogues import Shell
from helpers.processes import end, ends_with_test
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.files import MARKER, temporary_folder, write_whole

HOLD = """
import time; from ccgrid.catalog.files import temporary_folder
with temporary_folder() as folder:
    (folder / "data").write_bytes(bytes(9)); print(folder, flush=True); time.sleep(600)
"""
OLD = time.time() - 90 * 24 * 3600


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary ones, of this process and of those that it starts."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def used(folder: Path) -> tuple["subprocess.Popen[str]", Path]:
    """A program that uses a temporary folder, and that folder."""
    process = ends_with_test(subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True))
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip()).parent


def left(folder: Path) -> Path:
    """The temporary folder of a program that was killed."""
    process, home = used(folder)
    end(process)
    return home


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_folder_is_gone_in_the_end_with_all_that_is_in_it(folder: Path) -> None:
    with temporary_folder() as own:
        assert list(own.iterdir()) == []
        (own / "deep").mkdir()
        (own / "deep" / "file").write_text("text")
    assert names(folder) == []


def test_the_folder_of_a_killed_program_goes_and_one_in_use_stays(folder: Path) -> None:
    killed, (process, other) = left(folder), used(folder)
    with temporary_folder():
        assert not killed.exists()
        assert (other / "content" / "data").exists()
    end(process)
    with temporary_folder():
        assert not other.exists()


def unpacked(folder: Path, name: str) -> None:
    """What people keep in a temporary folder, untouched for months."""
    home = folder / name
    (home / ".git").mkdir(parents=True)
    (home / ".git" / "HEAD").write_text("ref: refs/heads/main")
    (home / "pyvenv.cfg").write_text("home = /usr/bin")
    for path in (home / ".git" / "HEAD", home / "pyvenv.cfg", home / ".git", home):
        os.utime(path, (OLD, OLD))


def test_no_command_touches_a_folder_that_is_only_called_alike(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for name in ("ccgrid-main", "ccgrid-0.1.0", "ccgrid-venv", "ccgrid-decks", "ccgrid-x7_2k9qa"):
        unpacked(folder, name)
    (folder / "ccgrid-notes.txt").write_text("a letter")
    before = names(folder)
    for command in (["--version"], ["demo"], ["import", "starter"], ["stats"]):
        shell.good(*command)
        assert names(folder) == before, command


def mark_of(home: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((home / MARKER).read_bytes())
    return found


@pytest.mark.parametrize("what", ["none", "empty", "other", "no json", "deep", "copy", "renamed", "link", "with more"])
def test_without_the_exact_mark_nothing_goes(folder: Path, what: str) -> None:
    home = left(folder)
    marker = home / MARKER
    if what == "none":
        marker.unlink()
    elif what in ("empty", "no json", "deep"):
        marker.write_bytes({"empty": b"", "no json": b"\xff{", "deep": b"[" * 1000}[what])
    elif what == "other":
        marker.write_text(json.dumps(mark_of(home) | {"user": 12345}))
    elif what == "copy":
        shutil.copytree(home, folder / "ccgrid-copy")
        shutil.rmtree(home)
    elif what == "renamed":
        home.rename(folder / "ccgrid-mine")
    elif what == "link":
        target = folder / "marker"
        marker.rename(target)
        marker.symlink_to(target)
    else:
        (home / "letter").write_text("mine")
    before = names(folder)
    with temporary_folder():
        pass
    assert names(folder) == before


@pytest.mark.skipif(sys.platform == "win32", reason="only some may make links there")
def test_links_are_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "letter").write_text("mine")
    home = left(folder)
    (home / "content" / "out").symlink_to(elsewhere)
    (folder / "ccgrid-link").symlink_to(elsewhere)
    moved = left(folder)
    moved.rename(elsewhere / moved.name)
    (folder / moved.name).symlink_to(elsewhere / moved.name)
    with temporary_folder():
        pass
    assert names(folder) == sorted(["ccgrid-link", moved.name])
    assert {"letter", moved.name} == {path.name for path in elsewhere.iterdir()}


def test_what_was_removed_in_part_is_removed_later(folder: Path) -> None:
    home = left(folder)
    shutil.rmtree(home / "content")
    with temporary_folder():
        assert not home.exists()


KEYS = st.sampled_from(["what", "format", "folder", "inode", "user"])


HALF = """
import os, sys; from pathlib import Path; from ccgrid.catalog.files import whole_file
with whole_file(Path(sys.argv[1])) as file: file.write("half"); file.flush(); os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is killed like that there")
def test_half_a_file_of_a_killed_program_goes_when_its_folder_is_written_next(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", HALF, tmp_path / "deck.toml"], check=False)
    (half,) = tmp_path.rglob("file")
    assert half.read_text() == "half"
    foreign = [f".ccgrid-{digit * 16}.new" for digit in "012"]
    (tmp_path / foreign[0]).write_text("a letter")
    (tmp_path / foreign[1]).mkdir()
    (tmp_path / foreign[2]).symlink_to(tmp_path)
    for name in foreign:
        os.utime(tmp_path / name, (OLD, OLD), follow_symlinks=False)
    write_whole(tmp_path / "deck.toml", "new")
    assert names(tmp_path) == [*foreign, "deck.toml"]


@given(st.dictionaries(KEYS, st.none() | st.integers(), min_size=1))
def test_a_mark_of_which_anything_differs_is_none(changes: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", name)
        with temporary_folder() as own:
            mark = mark_of(own.parent)
        home = Path(name, str(mark["folder"]))
        home.mkdir()
        mark |= {"inode": home.stat().st_ino}
        (home / MARKER).write_text(json.dumps(mark | changes))
        with temporary_folder():
            assert home.exists() is (mark | changes != mark)
