"""The one writer: whole or not at all, through no link, with the mode that was there, and never over a device."""

import os
import stat
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any

import pytest
from helpers.catalogues import Shell
from helpers.null_device import Device
from helpers.processes import ends_with_test

from ccgrid.catalog.download import cache
from ccgrid.catalog.files import keep, open_own, rename, whole_binary, whole_file, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and devices are those of POSIX")


def test_a_text_and_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    write_whole(path, "Jötun\n\ud800")
    assert path.read_bytes() == b"J\xc3\xb6tun\n\xed\xa0\x80"
    write_whole(path, b"\r\n\xff")
    assert path.read_bytes() == b"\r\n\xff"
    assert [one.name for one in tmp_path.iterdir()] == ["new.txt"]


def test_until_the_end_the_old_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text("old")
    with whole_file(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_what_goes_wrong_leaves_the_old_file_and_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text("old")

    def break_off(opened: AbstractContextManager[IO[Any]], half: str | bytes, error: type[BaseException]) -> None:
        with opened as file:
            file.write(half)
            raise error

    with pytest.raises(KeyboardInterrupt):
        break_off(whole_file(path), "new", KeyboardInterrupt)
    with pytest.raises(RuntimeError):
        break_off(whole_binary(tmp_path / "other"), b"new", RuntimeError)
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
        write_whole(link, "new")
    assert caught.value.filename == str(link)
    assert link.is_symlink()
    assert leads_to != "a file" or target.read_text() == "old"
    assert leads_to != "nothing" or not target.exists()


@posix
def test_a_second_name_of_a_file_keeps_what_it_had(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("old")
    os.link(tmp_path / "other", tmp_path / "deck")
    write_whole(tmp_path / "deck", "new")
    assert (tmp_path / "other").read_text() == "old"


@posix
def test_what_grows_is_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    os.link(tmp_path / "other", tmp_path / "second")
    (tmp_path / "link").symlink_to("other")
    os.mkfifo(tmp_path / "pipe")
    for name in ("second", "link", "pipe", "/dev/null"):
        with pytest.raises(OSError, match=r"link|device"):
            open_own(tmp_path / name)
    with open_own(tmp_path / "grown") as file:
        file.write(b"1")
    assert (tmp_path / "grown").read_text() == "1"
    assert (tmp_path / "other").read_text() == "mine"


@posix
def test_a_name_goes_to_a_file_and_to_nothing_else(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("file")
    for name in ("pipe", "link", ".", "/dev/null"):
        (tmp_path / "file").write_text("new")
        with pytest.raises(OSError, match=r"link|device|directory"):
            rename(tmp_path / "file", tmp_path / name)
    assert (tmp_path / "file").read_text() == "new"


def test_a_file_that_another_program_has_open_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals, replace = [1, 2], Path.replace

    def refused(path: Path, target: Path) -> Path:
        if refusals:
            refusals.pop()
            raise PermissionError(13, "used by another process", str(path))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PermissionError):
        write_whole(tmp_path / "deck", "new")
    monkeypatch.setattr("ccgrid.catalog.files._PATIENCE", 60.0)
    refusals[:] = [1, 2]
    write_whole(tmp_path / "deck", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["deck"]


@pytest.mark.parametrize("links", [True, False])
def test_a_second_name_is_given_where_the_disk_knows_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def link(*paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "old").write_text("text")
    if not links:
        monkeypatch.setattr("ccgrid.catalog.files.os.link", link)
    keep(tmp_path / "old", tmp_path / "kept")
    assert (tmp_path / "kept").read_text() == "text"
    (tmp_path / "old").write_text("newer")
    with pytest.raises(FileExistsError):
        keep(tmp_path / "old", tmp_path / "kept")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "old"]


@posix
def test_links_in_a_circle_are_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "a", "new")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_a_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
def test_a_private_file_is_private_at_every_moment(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(0o600)
    with whole_file(path):
        modes = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.rglob("*") if one.name in ("private", "file")}
        assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir() if one.is_dir()} == {0o700}
    assert modes == {0o600}


@posix
def test_a_new_file_has_the_mode_that_the_umask_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@posix
@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_text("old")
    os.chown(path, 12345, 54321)
    write_whole(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_nobody_can_lay_a_trap_where_the_new_file_grows(tmp_path: Path) -> None:
    names: set[str] = set()
    for _ in range(20):
        with whole_file(tmp_path / "deck"):
            names |= {one.name for one in tmp_path.iterdir()} - {"deck"}
    assert len(names) == 20


@posix
@pytest.mark.parametrize("content", ["newer", b"newer"])
def test_all_is_on_the_disk_before_a_file_takes_its_place_and_then_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | bytes
) -> None:
    path, kept = tmp_path / "deck.toml", []
    path.write_text("old")

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        kept.append(("folder" if stat.S_ISDIR(found.st_mode) else found.st_size, path.read_text()))

    monkeypatch.setattr("ccgrid.catalog.files.os.fsync", fsync)
    write_whole(path, content)
    assert kept == [(5, "old"), ("folder", "newer")]


@posix
def test_a_device_is_written_as_it_is(device: Device) -> None:
    write_whole(device.path, "through")
    assert device.written() == b"through"
    assert device.path.is_char_device()


@posix
def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = ends_with_test(subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE))
    write_whole(pipe, "through")
    assert reader.communicate(timeout=120)[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
@pytest.mark.parametrize("through", ["pipe", "file"])
@pytest.mark.parametrize("name", ["/dev/stdout", "link"])
def test_standard_output_is_written_as_it_is(tmp_path: Path, through: str, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    program = (
        "import sys; from pathlib import Path; from ccgrid.catalog.files import write_whole\n"
        "print('before'); write_whole(Path(sys.argv[1]), 'written\\n'); print('after')"
    )
    command = [sys.executable, "-c", program, tmp_path / name if name == "link" else name]
    if through == "pipe":
        told = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout
    else:
        with (tmp_path / "out").open("ab") as out:
            out.write(b"first\n")
            out.flush()
            subprocess.run(command, stdout=out, check=True, timeout=60)
        told = (tmp_path / "out").read_bytes().removeprefix(b"first\n")
    assert told == b"before\nwritten\nafter\n"


def test_a_folder_and_a_missing_folder_are_told_by_their_own_names(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_whole(tmp_path, "new")
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError) as missing:
        write_whole(tmp_path / "nowhere" / "deck", "new")
    assert missing.value.filename == str(tmp_path / "nowhere" / "deck")


@posix
def test_every_room_writes_so(shell: Shell) -> None:
    """Records, decks, layouts, exports, notes of downloads: a private file stays private, a link is refused."""
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
        target, link = shell.folder / f"{number}.target", shell.folder / f"{number}.link"
        target.touch()
        target.chmod(0o600)
        link.symlink_to(target)
        shell(*command, link, "--force").refused("link", "name the file itself")
        assert target.read_text() == "", command
        shell.good(*command, target, "--force")
        assert target.read_text() != "", command
        assert stat.S_IMODE(target.stat().st_mode) == 0o600, command
    note = shell.folder / "note"
    cache.write_manifest(note, cache.Manifest("https://example.org"))
    assert cache.read_manifest(note) == cache.Manifest("https://example.org")
