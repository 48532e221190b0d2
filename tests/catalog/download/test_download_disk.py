"""The disk and the cache folder; two downloads at once."""

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO

import pytest
from download_world import API, BEGUN, FakeTime, address, left, make_client
from helpers.processes import end, ends_with_test
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import cut
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog import files
from ccgrid.catalog.download import Client, DownloadError, cache_folder
from ccgrid.catalog.download.cache import (
    locked,
    safe_name,
)

# ---- the disk


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said(
    server: ScryfallServer, client: Client, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = files.open_own

    def open_on_a_full_disk(path: Path) -> BinaryIO:
        return Path("/dev/full").open("ab", buffering=0) if path.suffix == ".part" else really_open(path)

    monkeypatch.setattr(files, "open_own", open_on_a_full_disk)
    with pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v1")
    assert str(caught.value) == (
        f"cannot keep {target}.part: {os.strerror(errno.ENOSPC)}.\n"
        "Free some space, or set CCGRID_CACHE to another folder."
    )
    assert left(target) == set()
    assert len(server.requests) == 1


def test_where_a_file_cannot_grow_what_was_taken_of_the_disk_is_given_back(
    server: ScryfallServer, target: Path
) -> None:
    pytest.importorskip("resource")
    program = (
        "import resource, sys, pathlib; from ccgrid.catalog.download import Client\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))\n"
        "Client().fetch(sys.argv[1], pathlib.Path(sys.argv[2]), progress=lambda done, _: print(done))\n"
    )
    command = [sys.executable, "-B", "-c", program, address(server), str(target)]  # or modules are kept cut off
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"DownloadError: cannot keep {target}.part: {os.strerror(errno.EFBIG)}." in ended.stderr
    assert all(int(done) <= 70_000 for done in ended.stdout.split())
    assert left(target) == set()


def test_a_cache_folder_that_cannot_be_one_is_said(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    (tmp_path / "file").write_text("in the way")
    with make_client(tmp_path / "file", time) as client:
        with pytest.raises(DownloadError, match=r"cannot keep .*\.\nFree some space, or set CCGRID_CACHE"):
            client.fetch(address(server), client.cache_path("cards.gz"))
        with pytest.raises(DownloadError, match=r"cannot keep .*\.\nFree some space, or set CCGRID_CACHE"):
            client.get_json(server.url + API, max_age=60)


def test_a_folder_in_the_files_place_is_said(server: ScryfallServer, client: Client, target: Path) -> None:
    target.mkdir(parents=True)
    with pytest.raises(DownloadError, match="cannot keep "):
        client.fetch(address(server), target)


def test_the_cache_folder_is_the_environments_or_the_platforms(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CCGRID_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    assert Client().cache_path("a", "b.gz") == tmp_path / "mine" / "a" / "b.gz"
    monkeypatch.delenv("CCGRID_CACHE")
    assert "ccgrid" in cache_folder().parts


HOSTILE = ["../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "C:\\x", "con", "NUL.txt", ".hidden",
           "x" * 300,
           "line\nfeed", "\x1b[2J", "nul\0byte", "Ünïcode", "trailing.", "\ud800"]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_from_a_server_stays_in_the_cache_folder(tmp_path: Path, time: FakeTime, name: str) -> None:
    with make_client(tmp_path, time) as client:
        path = client.cache_path(name)
    assert path.parent == tmp_path
    assert path.resolve().parent == tmp_path.resolve()
    path.write_bytes(b"can be made")


def test_a_usual_name_stays_as_it_is_and_others_stay_different() -> None:
    assert safe_name("default-cards-20261120.jsonl.gz") == "default-cards-20261120.jsonl.gz"
    assert len({safe_name(name) for name in HOSTILE}) == len(HOSTILE)


@given(st.text(max_size=200))
def test_any_name_is_made_safe(name: str) -> None:
    safe = safe_name(name)
    assert 0 < len(safe) <= 100
    assert safe.isascii()
    assert not set(safe) & set("/\\:\0\n ")
    assert not safe.startswith(".")


# ---- two at once


def test_a_second_download_of_the_same_file_is_turned_away(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    with locked(target), pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target)
    assert str(caught.value) == (
        "cards.jsonl.gz is being downloaded by another ccgrid.\nWait until it is done, then try again."
    )
    assert server.requests == []
    assert client.fetch(address(server), target).downloaded


def test_of_many_downloads_at_once_none_is_corrupted(server: ScryfallServer, tmp_path: Path) -> None:
    target = tmp_path / "cards.jsonl.gz"
    outcomes: list[str] = []

    others_are_through = threading.Event()

    def download() -> None:
        with make_client(tmp_path, FakeTime()) as client:
            try:
                client.fetch(
                    address(server), target, version="v1", progress=lambda *_: others_are_through.wait(120) and None
                )
                outcomes.append("there")
            except DownloadError as error:
                outcomes.append("turned away" if "another ccgrid" in str(error) else str(error))
        if len(outcomes) == 5:
            others_are_through.set()

    threads = [threading.Thread(target=download, daemon=True) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(outcomes) == ["there", *["turned away"] * 5]
    assert len(server.requests) == 1
    assert target.read_bytes() == server.file_body()


def test_a_killed_download_leaves_no_lock_and_is_resumed(
    server: ScryfallServer, tmp_path: Path, time: FakeTime
) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1 << 17, stall=120))
    program = (
        "import sys, pathlib; from ccgrid.catalog.download import Client\n"
        "with Client() as client:\n"
        "    client.fetch(sys.argv[1], pathlib.Path(sys.argv[2]), version='v1',\n"
        "                 progress=lambda *step: print(*step, flush=True))\n"
    )
    command = [sys.executable, "-c", program, address(server), str(target)]
    process = ends_with_test(
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(f"{1 << 17} "):
            break
    with make_client(tmp_path, time) as client, pytest.raises(DownloadError, match="another ccgrid"):
        client.fetch(address(server), target, version="v1")
    end(process)
    assert left(target) == BEGUN
    with make_client(tmp_path, time) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[-1].headers["range"] == f"bytes={1 << 17}-"
    assert target.read_bytes() == server.file_body()
