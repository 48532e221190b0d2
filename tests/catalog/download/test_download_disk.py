"""Downloads with a full disk, an unusable cache folder, damaged files, or a concurrent download."""

import errno
import gzip
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from download_world import ALTERNATIVE_ADVICE, API, UNFINISHED, FakeTime, address, files_left, make_client
from helpers.processes import end, ends_with_test
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import cut, redirect, replaced, web_page
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog import files
from ccgrid.catalog.download import Client, DownloadError, cache_folder
from ccgrid.catalog.download.cache import (
    MOST_MEMBERS,
    DamagedError,
    GzipCheck,
    lock_file,
    safe_name,
)
from ccgrid.catalog.download.errors import BusyDownloadError, CacheError, StatusError

# ---- the disk


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk_is_reported(
    server: ScryfallServer, client: Client, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = files.open_growing_file

    def open_on_a_full_disk(path: Path) -> BinaryIO:
        return Path("/dev/full").open("ab", buffering=0) if path.suffix == ".part" else really_open(path)

    monkeypatch.setattr(files, "open_growing_file", open_on_a_full_disk)
    with pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v1")
    assert str(caught.value) == (
        f"cannot keep {target}.part: {os.strerror(errno.ENOSPC)}.\n"
        "Free some space, or set CCGRID_CACHE to another folder."
    )
    assert files_left(target) == set()
    assert len(server.requests) == 1


def test_partial_file_is_deleted_if_the_disk_is_full(server: ScryfallServer, target: Path) -> None:
    pytest.importorskip("resource")
    program = (
        "import resource, sys, pathlib; from ccgrid.catalog.download import Client\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))\n"
        "Client('').fetch(sys.argv[1], pathlib.Path(sys.argv[2]), progress=lambda done, _: print(done))\n"
    )
    command = [
        sys.executable,
        "-B",
        "-c",
        program,
        address(server),
        str(target),
    ]  # The limit would truncate cached bytecode.
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"CacheError: cannot keep {target}.part: {os.strerror(errno.EFBIG)}." in ended.stderr
    assert all(int(done) <= 70_000 for done in ended.stdout.split())
    assert files_left(target) == set()


def test_unusable_cache_folder_is_reported(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    (tmp_path / "file").write_text("in the way")
    with make_client(tmp_path / "file", time) as client:
        with pytest.raises(CacheError, match=r"cannot keep .*\.\nFree some space, or set CCGRID_CACHE"):
            client.fetch(address(server), client.cache_path("cards.gz"))
        with pytest.raises(CacheError, match=r"cannot keep .*\.\nFree some space, or set CCGRID_CACHE"):
            client.get_json(server.url + API, max_age=60)


def test_folder_with_the_name_of_the_file_is_reported(server: ScryfallServer, client: Client, target: Path) -> None:
    target.mkdir(parents=True)
    with pytest.raises(CacheError, match="cannot keep "):
        client.fetch(address(server), target)


def test_cache_folder_is_that_of_the_environment_or_the_platform(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CCGRID_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    assert Client("").cache_path("a", "b.gz") == tmp_path / "mine" / "a" / "b.gz"
    monkeypatch.delenv("CCGRID_CACHE")
    assert "ccgrid" in cache_folder().parts


HOSTILE = ["../../etc/passwd", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "C:\\x", "con", "NUL.txt", ".hidden",
           "x" * 300,
           "line\nfeed", "\x1b[2J", "nul\0byte", "Ünïcode", "trailing.", "\ud800"]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_name_from_a_server_stays_in_the_cache_folder(tmp_path: Path, time: FakeTime, name: str) -> None:
    with make_client(tmp_path, time) as client:
        path = client.cache_path(name)
    assert path.parent == tmp_path
    assert path.resolve().parent == tmp_path.resolve()
    path.write_bytes(b"can be made")


def test_usual_name_is_kept_and_different_names_stay_different() -> None:
    assert safe_name("default-cards-20261120.jsonl.gz") == "default-cards-20261120.jsonl.gz"
    assert len({safe_name(name) for name in HOSTILE}) == len(HOSTILE)


@given(st.text(max_size=200))
def test_any_name_becomes_a_safe_name(name: str) -> None:
    safe = safe_name(name)
    assert 0 < len(safe) <= 100
    assert safe.isascii()
    assert not set(safe) & set("/\\:\0\n ")
    assert not safe.startswith(".")


# ---- concurrent downloads


def test_second_download_of_the_same_file_is_an_error(server: ScryfallServer, client: Client, target: Path) -> None:
    with lock_file(target), pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target)
    assert str(caught.value) == (
        "cards.jsonl.gz is being downloaded by another ccgrid.\nWait until it is done, then try again."
    )
    assert server.requests == []
    assert client.fetch(address(server), target).downloaded


def test_concurrent_downloads_corrupt_nothing(server: ScryfallServer, tmp_path: Path) -> None:
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


def test_killed_download_leaves_no_lock_and_is_resumed(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1 << 17, stall=120))
    program = (
        "import sys, pathlib; from ccgrid.catalog.download import Client\n"
        "with Client('') as client:\n"
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
    with make_client(tmp_path, time) as client, pytest.raises(BusyDownloadError, match="another ccgrid"):
        client.fetch(address(server), target, version="v1")
    end(process)
    assert files_left(target) == UNFINISHED
    with make_client(tmp_path, time) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[-1].headers["range"] == f"bytes={1 << 17}-"
    assert target.read_bytes() == server.file_body()


# --- damaged, wrong or malicious files are errors and are deleted -------------------------------------------------


def garbled(body: bytes) -> bytes:
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 0xFF]) + body[middle + 1 :]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (garbled, "is damaged"),
        (lambda body: body[:-8] + b"\0\0\0\0" + body[-4:], "is damaged"),
        (lambda body: body[:-4] + b"\0\0\0\0", "is damaged"),
        (lambda body: body[: len(body) // 2], "is incomplete"),
        (lambda body: body[:-1], "is incomplete"),
        (lambda body: b"", "is incomplete"),
        (lambda body: body + b"trailing junk", "is damaged"),
        (lambda body: b'{"id": "plain"}\n', "is not a gzip file"),
        (lambda body: body[:10] + b"\xff" * 99, "is damaged"),
    ],
)
def test_damaged_gzip_file_is_deleted_and_the_old_one_kept(
    server: ScryfallServer, client: Client, target: Path, damage: Any, message: str
) -> None:
    client.fetch(address(server), target, version="v1")
    before = {path.name: path.read_bytes() for path in target.parent.iterdir()}
    server.fail(server.file_path(), replaced(damage(server.file_body())))
    with pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v2")
    host = server.url.removeprefix("http://")
    assert str(caught.value) == f"the file from {host} {message}, and was deleted." + ALTERNATIVE_ADVICE
    assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == before
    client.fetch(address(server), target, version="v2")
    assert target.read_bytes() == server.file_body()


def test_gzip_file_of_several_members_and_padding_is_valid(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    body = b"".join(gzip.compress(b"%d\n" % n) for n in range(500)) + b"\0" * 1000
    client.fetch(server.put("/file/x.gz", body), target)
    assert target.read_bytes() == body


def test_gzip_file_without_its_suffix_is_checked(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/x.json", garbled(server.file_body()))
    with pytest.raises(DownloadError, match="is damaged"):
        client.fetch(url, target.with_name("x.json"))
    assert files_left(target) == set()


def test_gzip_file_with_a_content_encoding_stays_compressed(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    url = server.put("/file/x.jsonl.gz", server.file_body(), headers={"Content-Encoding": "gzip"})
    server.fail("/file/x.jsonl.gz", cut(after=40_000))
    client.fetch(url, target.with_name("cards.data"))
    assert target.with_name("cards.data").read_bytes() == server.file_body()


def test_uncompressed_file_is_requested_without_encoding(server: ScryfallServer, client: Client, target: Path) -> None:
    client.fetch(server.put("/file/x.json", b"[]"), target.with_name("x.json"))
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_address_ending_in_gz_must_give_a_gzip_file(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail(server.file_path(), replaced(b'{"id": "plain"}'))
    with pytest.raises(DownloadError, match="is not a gzip file, and was deleted"):
        client.fetch(address(server), target.with_name("cards.data"))
    assert files_left(target) == set()


def test_file_that_unpacks_beyond_the_limit_is_an_error(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/bomb.gz", gzip.compress(b"\0" * 20_000_000))
    with pytest.raises(DownloadError, match=r"unpacks to more than 1\.0 MB, and was deleted"):
        client.fetch(url, target, max_bytes=1_000_000)
    assert files_left(target) == set()


def test_file_of_a_million_empty_members_is_an_error() -> None:
    check = GzipCheck(10**9)
    check._members = MOST_MEMBERS - 1
    check.feed(gzip.compress(b""))
    with pytest.raises(DamagedError, match="too many parts"):
        check.feed(gzip.compress(b""))


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 50), st.integers(0, 3))
def test_gzip_check_does_not_depend_on_the_chunks(parts: list[bytes], step: int, padding: int) -> None:
    body = b"".join(map(gzip.compress, parts)) + b"\0" * padding
    check = GzipCheck(10_000)
    for start in range(0, len(body), step):
        check.feed(body[start : start + step])
    check.finish()


@given(st.binary(min_size=1, max_size=300), st.data())
def test_changed_gzip_file_never_passes_with_other_content(content: bytes, data: st.DataObject) -> None:
    body = bytearray(gzip.compress(content, mtime=0))
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= data.draw(st.integers(1, 255))
    check = GzipCheck(10_000)
    try:
        check.feed(bytes(body))
        check.finish()
    except DamagedError:
        return
    # Bits for the time and system of compression may change, but not the content.
    assert gzip.decompress(bytes(body)) == content


@pytest.mark.parametrize("length", [None, "100000"])
def test_file_beyond_the_largest_size_is_an_error(
    server: ScryfallServer, client: Client, target: Path, length: str | None
) -> None:
    url = server.put("/file/x.bin", b"x" * 100_000, headers={"Content-Length": length})
    with pytest.raises(
        DownloadError, match=r"announces a file of 100.0 kB; more than|sends more than the announced 99\.0 kB"
    ):
        client.fetch(url, target.with_name("x.bin"), max_bytes=99_000)
    assert files_left(target) == set()


def test_file_shorter_than_announced_is_incomplete(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/x.bin", b"x" * 1000, headers={"Content-Length": "1500"})
    server.fail_always("/file/x.bin", cut(after=1000, ignore_range=True))
    with pytest.raises(DownloadError, match=r"broke off after 1000 of 1500 bytes \(5 tries\)"):
        client.fetch(url, target.with_name("x.bin"))
    assert not target.with_name("x.bin").exists()


def test_sign_in_page_is_not_stored_as_the_file(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail_always("/file/cards.txt", web_page())
    with pytest.raises(DownloadError, match=r"sent a web page, not the file: does this network want a sign-in\?\n"):
        client.fetch(server.url + "/file/cards.txt", target.with_name("cards.txt"))
    assert files_left(target) == set()


def test_failed_request_leaves_no_file(server: ScryfallServer, client: Client, target: Path) -> None:
    with pytest.raises(StatusError, match=r"answered 404 \(Not Found\) for /file/none: No file or object"):
        client.fetch(server.url + "/file/none", target)
    assert files_left(target) == set()


def test_redirected_file_is_downloaded_and_resumed(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail_always("/file/latest", redirect(server.file_path()))
    server.fail(server.file_path(), cut(after=1000))
    client.fetch(server.url + "/file/latest", target)
    assert server.seen(server.file_path())[1].headers["range"] == "bytes=1000-"
    assert target.read_bytes() == server.file_body()
