"""Files that are damaged, wrong or hostile are refused and leave nothing."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from download_world import WAY_AROUND, address, left
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import cut, redirect, replaced, web_page
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.cache import (
    MOST_MEMBERS,
    DamagedError,
    GzipCheck,
)


def garbled(body: bytes) -> bytes:
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 0xFF]) + body[middle + 1 :]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (garbled, "is garbled"),
        (lambda body: body[:-8] + b"\0\0\0\0" + body[-4:], "is garbled"),
        (lambda body: body[:-4] + b"\0\0\0\0", "is garbled"),
        (lambda body: body[: len(body) // 2], "is cut short"),
        (lambda body: body[:-1], "is cut short"),
        (lambda body: b"", "is cut short"),
        (lambda body: body + b"trailing junk", "is garbled"),
        (lambda body: b'{"id": "plain"}\n', "is not a gzip file"),
        (lambda body: body[:10] + b"\xff" * 99, "is garbled"),
    ],
)
def test_a_damaged_gzip_file_is_thrown_away_and_the_old_one_kept(
    server: ScryfallServer, client: Client, target: Path, damage: Any, said: str
) -> None:
    client.fetch(address(server), target, version="v1")
    before = {path.name: path.read_bytes() for path in target.parent.iterdir()}
    server.fail(server.file_path(), replaced(damage(server.file_body())))
    with pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v2")
    host = server.url.removeprefix("http://")
    assert str(caught.value) == f"the file from {host} {said}, and was thrown away." + WAY_AROUND
    assert {path.name: path.read_bytes() for path in target.parent.iterdir()} == before
    client.fetch(address(server), target, version="v2")
    assert target.read_bytes() == server.file_body()


def test_a_gzip_file_of_several_members_and_padding_is_whole(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    body = b"".join(gzip.compress(b"%d\n" % n) for n in range(500)) + b"\0" * 1000
    client.fetch(server.put("/file/x.gz", body), target)
    assert target.read_bytes() == body


def test_a_gzip_file_called_something_else_is_checked_too(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/x.json", garbled(server.file_body()))
    with pytest.raises(DownloadError, match="is garbled"):
        client.fetch(url, target.with_name("x.json"))
    assert left(target) == set()


def test_a_gzip_file_labelled_as_packed_on_the_way_stays_packed(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    url = server.put("/file/x.jsonl.gz", server.file_body(), headers={"Content-Encoding": "gzip"})
    server.fail("/file/x.jsonl.gz", cut(after=40_000))
    client.fetch(url, target.with_name("cards.data"))
    assert target.with_name("cards.data").read_bytes() == server.file_body()


def test_a_file_that_is_not_packed_is_asked_for_as_it_is(server: ScryfallServer, client: Client, target: Path) -> None:
    client.fetch(server.put("/file/x.json", b"[]"), target.with_name("x.json"))
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_a_file_called_gz_by_its_address_must_be_one(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail(server.file_path(), replaced(b'{"id": "plain"}'))
    with pytest.raises(DownloadError, match="is not a gzip file, and was thrown away"):
        client.fetch(address(server), target.with_name("cards.data"))
    assert left(target) == set()


def test_a_file_that_unpacks_beyond_the_bound_is_stopped(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/bomb.gz", gzip.compress(b"\0" * 20_000_000))
    with pytest.raises(DownloadError, match=r"unpacks to more than 1\.0 MB, and was thrown away"):
        client.fetch(url, target, max_bytes=1_000_000)
    assert left(target) == set()


def test_a_file_of_a_million_empty_members_is_stopped() -> None:
    check = GzipCheck(10**9)
    check._members = MOST_MEMBERS - 1
    check.feed(gzip.compress(b""))
    with pytest.raises(DamagedError, match="too many parts"):
        check.feed(gzip.compress(b""))


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 50), st.integers(0, 3))
def test_a_gzip_file_is_whole_however_it_is_cut_into_pieces(parts: list[bytes], step: int, padding: int) -> None:
    body = b"".join(map(gzip.compress, parts)) + b"\0" * padding
    check = GzipCheck(10_000)
    for start in range(0, len(body), step):
        check.feed(body[start : start + step])
    check.finish()


@given(st.binary(min_size=1, max_size=300), st.data())
def test_a_changed_gzip_file_is_never_taken_for_another_content(content: bytes, data: st.DataObject) -> None:
    body = bytearray(gzip.compress(content, mtime=0))
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= data.draw(st.integers(1, 255))
    check = GzipCheck(10_000)
    try:
        check.feed(bytes(body))
        check.finish()
    except DamagedError:
        return
    # Bits that say when and where the file was packed may change; what it holds may not.
    assert gzip.decompress(bytes(body)) == content


@pytest.mark.parametrize("length", [None, "100000"])
def test_a_file_beyond_the_largest_size_is_stopped(
    server: ScryfallServer, client: Client, target: Path, length: str | None
) -> None:
    url = server.put("/file/x.bin", b"x" * 100_000, headers={"Content-Length": length})
    with pytest.raises(DownloadError, match=r"announces a file of 100.0 kB; more than|sends more than the 99\.0 kB"):
        client.fetch(url, target.with_name("x.bin"), max_bytes=99_000)
    assert left(target) == set()


@pytest.mark.parametrize("size", [99_999, 100_001])
def test_a_file_of_another_length_than_expected_is_refused(
    server: ScryfallServer, client: Client, target: Path, size: int
) -> None:
    url = server.put("/file/x.bin", b"x" * 100_000)
    with pytest.raises(DownloadError, match=rf"announces a file of 100000 bytes where {size} were expected\.\n"):
        client.fetch(url, target.with_name("x.bin"), size=size)
    assert left(target) == set()
    assert len(server.requests) == 1


def test_a_file_that_runs_beyond_its_expected_length_is_refused(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    url = server.put("/file/x.bin", b"x" * 100_000, headers={"Content-Length": None})
    with pytest.raises(DownloadError, match=r"sends more than the 100\.0 kB that were to come"):
        client.fetch(url, target.with_name("x.bin"), size=99_999)
    assert left(target) == set()


def test_a_file_shorter_than_announced_is_not_taken_for_whole(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    url = server.put("/file/x.bin", b"x" * 1000, headers={"Content-Length": "1500"})
    server.fail_always("/file/x.bin", cut(after=1000, ignore_range=True))
    with pytest.raises(DownloadError, match=r"broke off after 1000 of 1500 bytes \(5 tries\)"):
        client.fetch(url, target.with_name("x.bin"))
    assert not target.with_name("x.bin").exists()


def test_a_sign_in_page_is_not_taken_for_the_file(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail_always("/file/cards.txt", web_page())
    with pytest.raises(DownloadError, match=r"sent a web page, not the file: does this network want a sign-in\?\n"):
        client.fetch(server.url + "/file/cards.txt", target.with_name("cards.txt"))
    assert left(target) == set()


def test_a_refused_file_leaves_nothing(server: ScryfallServer, client: Client, target: Path) -> None:
    with pytest.raises(DownloadError, match=r"answered 404 \(Not Found\) for /file/none: No file or object"):
        client.fetch(server.url + "/file/none", target)
    assert left(target) == set()


def test_a_file_behind_a_redirect_is_fetched_and_resumed(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail_always("/file/latest", redirect(server.file_path()))
    server.fail(server.file_path(), cut(after=1000))
    client.fetch(server.url + "/file/latest", target)
    assert server.seen(server.file_path())[1].headers["range"] == "bytes=1000-"
    assert target.read_bytes() == server.file_body()
