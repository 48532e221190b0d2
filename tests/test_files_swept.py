"""Half files that killed programs left: swept when their folder is written next, unless somebody may be at them."""

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from catalog.files import write_whole
from catalog.held import held

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and devices are those of POSIX")


def left(folder: Path, name: str, hours: float = 1.0) -> Path:
    """A file that nobody has written for some hours."""
    path = folder / name
    path.write_text("half")
    os.utime(path, (time.time() - 3600 * hours,) * 2)
    return path


@posix
def test_what_a_killed_program_left_is_swept_when_the_folder_is_written_next(tmp_path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from catalog.files import whole_file\n"
    code += "with whole_file(Path(sys.argv[1])) as file: file.write('half'); file.flush(); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, tmp_path / "deck.toml"], check=False)
    (found,) = tmp_path.iterdir()
    left(tmp_path, found.name)
    write_whole(tmp_path / "deck.toml", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["deck.toml"]


@posix
def test_nothing_is_swept_that_may_be_in_use_or_somebody_elses(tmp_path: Path) -> None:
    used, shared, young = (tmp_path / f".ccgrid-{digit * 16}.new" for digit in "012")
    with held(used):
        left(tmp_path, used.name, hours=48)
        young.write_text("half")
        os.link(left(tmp_path, shared.name), tmp_path / "theirs")
        (tmp_path / f".ccgrid-{'3' * 16}.new").symlink_to(left(tmp_path, "old"))
        (tmp_path / f".ccgrid-{'4' * 16}.new").mkdir()
        for name in ("ccgrid-0123456789abcdef.new", ".ccgrid-01.new", ".ccgrid-0123456789abcdef.new.txt"):
            left(tmp_path, name)
        before = {path.name for path in tmp_path.iterdir()}
        write_whole(tmp_path / "deck.toml", "new")
    assert {path.name for path in tmp_path.iterdir()} == before | {"deck.toml"}


@posix
@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root may give files away")
def test_what_another_person_left_is_theirs(tmp_path: Path) -> None:
    theirs = left(tmp_path, f".ccgrid-{'0' * 16}.new")
    os.chown(theirs, 12345, 54321)
    write_whole(tmp_path / "deck.toml", "new")
    assert theirs.exists()


@posix
def test_half_a_mended_catalogue_is_swept_with_its_log(tmp_path: Path) -> None:
    for log in ("", "-wal", "-shm"):
        left(tmp_path, f".ccgrid-{'0' * 16}.new{log}")
    write_whole(tmp_path / "deck.toml", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["deck.toml"]


@posix
@pytest.mark.parametrize(("seconds", "stays"), [(-5.0, True), (60.0, True), (60.5, False)])
def test_what_is_young_may_be_just_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, stays: bool
) -> None:
    path = left(tmp_path, f".ccgrid-{'0' * 16}.new")
    monkeypatch.setattr("catalog.files.time.time", lambda: path.stat().st_mtime + seconds)
    write_whole(tmp_path / "deck.toml", "new")
    assert path.exists() is stays


@posix
@pytest.mark.parametrize(("hours", "stays"), [(23.9, True), (24.0, True), (24.1, False)])
def test_where_nobody_can_hold_a_file_it_is_swept_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours: float, stays: bool
) -> None:
    path = left(tmp_path, f".ccgrid-{'0' * 16}.new")
    monkeypatch.setattr("catalog.files.hold", lambda descriptor: False)
    monkeypatch.setattr("catalog.files.sys", SimpleNamespace(platform="win32", __stdout__=None, __stderr__=None))
    monkeypatch.setattr("catalog.files.time.time", lambda: path.stat().st_mtime + 3600 * hours)
    write_whole(tmp_path / "deck.toml", "new")
    assert path.exists() is stays


@posix
def test_a_folder_is_swept_once(tmp_path: Path) -> None:
    write_whole(tmp_path / "deck.toml", "old")
    path = left(tmp_path, f".ccgrid-{'0' * 16}.new")
    write_whole(tmp_path / "deck.toml", "new")
    assert path.exists()
