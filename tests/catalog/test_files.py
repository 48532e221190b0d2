"""Atomic writing of files: old content survives a failure, links are refused, modes kept, devices written directly."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any

import pytest
from helpers.catalogues import Shell
from helpers.null_device import Device
from helpers.processes import end, ends_with_test
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import cache
from ccgrid.catalog.files import (
    atomic_binary_file,
    atomic_text_file,
    keep,
    move_to_new_name,
    open_growing_file,
    rename,
    write_atomically,
    write_own_file,
)
from ccgrid.catalog.temporary import MARKER, temporary_folder

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and devices are those of POSIX")


def test_text_and_bytes_are_written_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    write_atomically(path, "Jötun\n\ud800")
    assert path.read_bytes() == b"J\xc3\xb6tun\n\xed\xa0\x80"
    write_atomically(path, b"\r\n\xff")
    assert path.read_bytes() == b"\r\n\xff"
    assert [one.name for one in tmp_path.iterdir()] == ["new.txt"]


def test_file_in_own_folder_replaces_partial_file_of_killed_program(tmp_path: Path):
    (tmp_path / "1.json.part").write_text("half of a longer text", encoding="utf-8")
    for content in (b"old", b"new"):
        write_own_file(tmp_path / "1.json", content)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"1.json": "new"}


def test_old_file_exists_until_writing_ends(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text("old")
    with atomic_text_file(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_failed_write_leaves_old_file_and_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text("old")

    def break_off(writing: AbstractContextManager[IO[Any]], half: str | bytes, error: type[BaseException]) -> None:
        with writing as file:
            file.write(half)
            raise error

    with pytest.raises(KeyboardInterrupt):
        break_off(atomic_text_file(path), "new", KeyboardInterrupt)
    with pytest.raises(RuntimeError):
        break_off(atomic_binary_file(tmp_path / "other"), b"new", RuntimeError)
    assert path.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["deck.toml"]


@posix
@pytest.mark.parametrize("leads_to", ["a file", "nothing", "a folder"])
def test_nothing_is_written_through_a_link(tmp_path: Path, leads_to: str) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    if leads_to == "a file":
        target.write_text("old")
    elif leads_to == "a folder":
        target.mkdir()
    link.symlink_to(target)
    with pytest.raises(OSError, match=r"link|directory") as caught:
        write_atomically(link, "new")
    assert caught.value.filename == str(link)
    assert link.is_symlink()
    assert leads_to != "a file" or target.read_text() == "old"
    assert leads_to != "nothing" or not target.exists()


@posix
def test_hard_link_keeps_old_content(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("old")
    os.link(tmp_path / "other", tmp_path / "deck")
    write_atomically(tmp_path / "deck", "new")
    assert (tmp_path / "other").read_text() == "old"


@posix
def test_growing_file_must_be_regular_file_without_links(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    os.link(tmp_path / "other", tmp_path / "second")
    (tmp_path / "link").symlink_to("other")
    os.mkfifo(tmp_path / "pipe")
    for name in ("second", "link", "pipe", "/dev/null"):
        with pytest.raises(OSError, match=r"link|device"):
            open_growing_file(tmp_path / name)
    with open_growing_file(tmp_path / "grown") as file:
        file.write(b"1")
    assert (tmp_path / "grown").read_text() == "1"
    assert (tmp_path / "other").read_text() == "mine"


@posix
def test_rename_rejects_pipe_link_folder_and_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("file")
    for name in ("pipe", "link", ".", "/dev/null"):
        (tmp_path / "file").write_text("new")
        with pytest.raises(OSError, match=r"link|device|directory"):
            rename(tmp_path / "file", tmp_path / name)
    assert (tmp_path / "file").read_text() == "new"


def test_replacing_file_locked_by_another_program_is_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals, replace = [1, 2], Path.replace

    def refused(path: Path, target: Path) -> Path:
        if refusals:
            refusals.pop()
            raise PermissionError(13, "used by another process", str(path))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "deck", "new")
    monkeypatch.setattr("ccgrid.catalog.files._PATIENCE", 60.0)
    refusals[:] = [1, 2]
    write_atomically(tmp_path / "deck", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["deck"]


@pytest.mark.parametrize("links", ["are there", "are refused", "are unknown to the system"])
def test_file_is_copied_if_hard_links_are_impossible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: str
) -> None:
    def link(*paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "old").write_text("text")
    if links == "are refused":
        monkeypatch.setattr("ccgrid.catalog.files.os.link", link)
    elif links == "are unknown to the system":
        monkeypatch.delattr("ccgrid.catalog.files.os.link")
    keep(tmp_path / "old", tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "text"
    (tmp_path / "old").write_text("newer")
    with pytest.raises(FileExistsError):
        keep(tmp_path / "old", tmp_path / "kept")
    with pytest.raises(FileExistsError):
        move_to_new_name(tmp_path / "old", tmp_path / "kept")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "old"]
    move_to_new_name(tmp_path / "old", tmp_path / "moved")
    assert (tmp_path / "moved").read_text() == "newer"


@posix
def test_circular_links_raise_os_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_atomically(tmp_path / "a", "new")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_replaced_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(mode)
    write_atomically(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(0o600)
    with atomic_text_file(path):
        modes = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.rglob("*") if one.name in ("private", "file")}
        assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir() if one.is_dir()} == {0o700}
    assert modes == {0o600}


@posix
def test_new_file_has_mode_of_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@posix
@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root may give files away")
def test_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_text("old")
    os.chown(path, 12345, 54321)
    write_atomically(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_temporary_file_has_unpredictable_name(tmp_path: Path) -> None:
    names: set[str] = set()
    for _ in range(20):
        with atomic_text_file(tmp_path / "deck"):
            names |= {one.name for one in tmp_path.iterdir()} - {"deck"}
    assert len(names) == 20


@posix
@pytest.mark.parametrize("content", ["newer", b"newer"])
def test_content_is_synced_before_replacing_and_folder_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes
) -> None:
    path, synced = tmp_path / "deck.toml", []
    path.write_text("old")

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        synced.append(("folder" if stat.S_ISDIR(found.st_mode) else found.st_size, path.read_text()))

    monkeypatch.setattr("ccgrid.catalog.files.os.fsync", fsync)
    write_atomically(path, content)
    assert synced == [(5, "old"), ("folder", "newer")]


@posix
def test_device_is_written_directly(device: Device) -> None:
    write_atomically(device.path, "through")
    assert device.written() == b"through"
    assert device.path.is_char_device()


@posix
def test_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = ends_with_test(subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE))
    write_atomically(pipe, "through")
    assert reader.communicate(timeout=240)[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
@pytest.mark.parametrize("through", ["pipe", "file"])
@pytest.mark.parametrize("name", ["/dev/stdout", "link"])
def test_standard_output_is_written_directly(tmp_path: Path, through: str, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    program = (
        "import sys; from pathlib import Path; from ccgrid.catalog.files import write_atomically\n"
        "print('before'); write_atomically(Path(sys.argv[1]), 'written\\n'); print('after')"
    )
    command = [sys.executable, "-c", program, tmp_path / name if name == "link" else name]
    if through == "pipe":
        output = subprocess.run(command, capture_output=True, check=True, timeout=240).stdout
    else:
        with (tmp_path / "out").open("ab") as out:
            out.write(b"first\n")
            out.flush()
            subprocess.run(command, stdout=out, check=True, timeout=240)
        output = (tmp_path / "out").read_bytes().removeprefix(b"first\n")
    assert output == b"before\nwritten\nafter\n"


def test_error_names_folder_or_path_in_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_atomically(tmp_path, "new")
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as missing:
        write_atomically(tmp_path / "nowhere" / "deck", "new")
    assert missing.value.filename == str(tmp_path / "nowhere" / "deck")


@posix
def test_every_command_writes_atomically(shell: Shell) -> None:
    """Write records, decks, layouts, exports and a manifest: private files stay private, and links are refused."""
    shell.good("card", "add", "--game", "arcadia", "--name", "Griffin", "--top", "4")
    shell.good("collection", "add", "Griffin")
    (shell.folder / "cards.csv").write_text("Name,Cost\nAnt,3\n")
    commands = (
        ["play", "matrix", "--players", "random,random", "--seed", "1", "--record"],
        ["simulate", "matrix", "--games", "1", "--workers", "1", "--seed", "1", "--records"],
        ["deck", "new", "tactics", "--faction", "lancers", "--seed", "1", "-o"],
        ["export", "-o"],
        ["collection", "export", "-o"],
        ["layout", "new", shell.folder / "cards.csv", "--at", "Cost=top", "-o"],
    )
    for number, command in enumerate(commands):
        target, link = shell.folder / f"{number}-target", shell.folder / f"{number}-link"
        target.touch()
        target.chmod(0o600)
        link.symlink_to(target)
        shell(*command, link, "--force").fails("link", "name the file that it leads to")
        assert target.read_text() == "", command
        shell.good(*command, target, "--force")
        assert target.read_text() != "", command
        assert stat.S_IMODE(target.stat().st_mode) == 0o600, command
    note = shell.folder / "note"
    cache.write_manifest(note, cache.Manifest("https://example.org"))
    assert cache.read_manifest(note) == cache.Manifest("https://example.org")


# --- temporary folders: removed at the end or after a kill; no other folder is ever removed --------------------------


HOLD = """
import time; from ccgrid.catalog.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "data").write_bytes(bytes(9)); print(folder, flush=True); time.sleep(600)
"""
OLD = time.time() - 90 * 24 * 3600


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which this process and its child processes create temporary folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def start_program(folder: Path) -> tuple["subprocess.Popen[str]", Path]:
    """Start a program that uses a temporary folder; return its process and that folder."""
    process = ends_with_test(subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True))
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip()).parent


def folder_of_killed_program(folder: Path) -> Path:
    """Return the temporary folder of a killed program."""
    process, home = start_program(folder)
    end(process)
    return home


def relative_paths(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_temporary_folder_is_removed_with_its_content(folder: Path) -> None:
    with temporary_folder() as own:
        assert list(own.iterdir()) == []
        (own / "deep").mkdir()
        (own / "deep" / "file").write_text("text")
    assert relative_paths(folder) == []


def test_folder_of_killed_program_is_removed_but_not_one_in_use(folder: Path) -> None:
    killed, (process, other) = folder_of_killed_program(folder), start_program(folder)
    with temporary_folder():
        assert not killed.exists()
        assert (other / "content" / "data").exists()
    end(process)
    with temporary_folder():
        assert not other.exists()


def create_users_folder(folder: Path, name: str) -> None:
    """Create a folder as users keep among temporary ones, unchanged for months."""
    home = folder / name
    (home / ".git").mkdir(parents=True)
    (home / ".git" / "HEAD").write_text("ref: refs/heads/main")
    (home / "pyvenv.cfg").write_text("home = /usr/bin")
    for path in (home / ".git" / "HEAD", home / "pyvenv.cfg", home / ".git", home):
        os.utime(path, (OLD, OLD))


def test_folders_with_similar_names_are_not_changed(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    for name in ("ccgrid-main", "ccgrid-0.1.0", "ccgrid-venv", "ccgrid-decks", "ccgrid-x7_2k9qa"):
        create_users_folder(folder, name)
    (folder / "ccgrid-notes.txt").write_text("a letter")
    before = relative_paths(folder)
    for command in (["--version"], ["demo"], ["import", "starter"], ["stats"]):
        shell.good(*command)
        assert relative_paths(folder) == before, command


def marker_of(home: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((home / MARKER).read_bytes())
    return found


@pytest.mark.parametrize("what", ["none", "empty", "other", "no json", "deep", "copy", "renamed", "link", "with more"])
def test_folder_without_exact_marker_is_not_removed(folder: Path, what: str) -> None:
    home = folder_of_killed_program(folder)
    marker = home / MARKER
    if what == "none":
        marker.unlink()
    elif what in ("empty", "no json", "deep"):
        marker.write_bytes({"empty": b"", "no json": b"\xff{", "deep": b"[" * 1000}[what])
    elif what == "other":
        marker.write_text(json.dumps(marker_of(home) | {"user": 12345}))
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
    before = relative_paths(folder)
    with temporary_folder():
        pass
    assert relative_paths(folder) == before


@pytest.mark.skipif(sys.platform == "win32", reason="most users of Windows may not create links")
def test_removal_does_not_follow_links(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "letter").write_text("mine")
    home = folder_of_killed_program(folder)
    (home / "content" / "out").symlink_to(elsewhere)
    (folder / "ccgrid-link").symlink_to(elsewhere)
    moved = folder_of_killed_program(folder)
    moved.rename(elsewhere / moved.name)
    (folder / moved.name).symlink_to(elsewhere / moved.name)
    with temporary_folder():
        pass
    assert relative_paths(folder) == sorted(["ccgrid-link", moved.name])
    assert {"letter", moved.name} == {path.name for path in elsewhere.iterdir()}


def test_interrupted_removal_is_completed_later(folder: Path) -> None:
    home = folder_of_killed_program(folder)
    shutil.rmtree(home / "content")
    with temporary_folder():
        assert not home.exists()


KEYS = st.sampled_from(["what", "format", "folder", "inode", "user"])


HALF = """
import os, sys; from pathlib import Path; from ccgrid.catalog.files import atomic_text_file
with atomic_text_file(Path(sys.argv[1])) as file: file.write("half"); file.flush(); os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_partial_file_of_killed_program_is_removed_by_next_write(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", HALF, tmp_path / "deck.toml"], check=False)
    (half,) = tmp_path.rglob("file")
    assert half.read_text() == "half"
    foreign = [f".ccgrid-{digit * 16}.new" for digit in "012"]
    (tmp_path / foreign[0]).write_text("a letter")
    (tmp_path / foreign[1]).mkdir()
    (tmp_path / foreign[2]).symlink_to(tmp_path)
    for name in foreign:
        os.utime(tmp_path / name, (OLD, OLD), follow_symlinks=False)
    write_atomically(tmp_path / "deck.toml", "new")
    assert relative_paths(tmp_path) == [*foreign, "deck.toml"]


@given(st.dictionaries(KEYS, st.none() | st.integers(), min_size=1))
def test_marker_with_any_difference_is_not_accepted(changes: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", name)
        with temporary_folder() as own:
            mark = marker_of(own.parent)
        home = Path(name, str(mark["folder"]))
        home.mkdir()
        mark |= {"inode": home.stat().st_ino}
        (home / MARKER).write_text(json.dumps(mark | changes))
        with temporary_folder():
            assert home.exists() is (mark | changes != mark)
