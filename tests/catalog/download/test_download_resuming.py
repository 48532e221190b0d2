"""Downloads of large files: once for each version, resumed after an interruption, never joined from two versions."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from download_world import ROWS, UNFINISHED, FakeTime, address, files_left, make_client
from helpers.scryfall_server import ScryfallServer, packed_lines
from helpers.server_faults import Fault, cut, unavailable

from ccgrid.catalog.download import Client, DownloadError, Manifest
from ccgrid.catalog.download.cache import (
    manifest_path,
    read_manifest,
)
from ccgrid.catalog.download.hosts import ENOUGH_PROGRESS

WHOLE = {"cards.jsonl.gz", "cards.jsonl.gz.manifest.json"}


def test_file_is_downloaded_unchanged_with_its_manifest(server: ScryfallServer, client: Client, target: Path) -> None:
    steps: list[tuple[int, int | None]] = []
    got = client.fetch(address(server), target, version="v1", progress=lambda *step: steps.append(step))
    assert target.read_bytes() == server.file_body()
    assert (got.path, got.downloaded) == (target, True)
    assert steps[0] == (0, len(server.file_body()))
    assert steps[-1] == (len(server.file_body()), len(server.file_body()))
    assert steps == sorted(steps)
    assert files_left(target) == WHOLE
    noted = json.loads(manifest_path(target).read_text())
    assert list(noted) == ["url", "version", "etag", "last_modified", "sha256", "size", "time"]
    assert (noted["url"], noted["version"], noted["size"]) == (address(server), "v1", len(server.file_body()))
    assert noted["last_modified"] == "Fri, 20 Nov 2026 21:05:08 GMT"
    assert Manifest(**noted) == got.manifest == read_manifest(target)


def test_same_version_is_not_downloaded_again(server: ScryfallServer, client: Client, target: Path) -> None:
    first = client.fetch(address(server), target, version="v1")
    again = client.fetch(address(server), target, version="v1")
    assert (again.downloaded, again.manifest) == (False, first.manifest)
    assert len(server.requests) == 1


def test_new_version_replaces_the_old_one(server: ScryfallServer, client: Client, target: Path) -> None:
    client.fetch(address(server), target, version="v1")
    server.publish(ROWS[:50], "2026-11-21T09:00:00+00:00")
    assert client.fetch(address(server), target, version="v2").downloaded
    assert target.read_bytes() == packed_lines(ROWS[:50])


def test_file_without_a_version_is_revalidated(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/cards.txt", b"one")
    assert client.fetch(url, target.with_name("cards.txt")).downloaded
    assert not client.fetch(url, target.with_name("cards.txt")).downloaded
    server.put("/file/cards.txt", b"two")
    assert client.fetch(url, target.with_name("cards.txt")).downloaded
    assert target.with_name("cards.txt").read_bytes() == b"two"
    assert [("if-none-match" in request.headers) for request in server.requests] == [False, True, True]


def test_damaged_cached_file_is_downloaded_again(server: ScryfallServer, client: Client, target: Path) -> None:
    client.fetch(address(server), target, version="v1")
    content = bytearray(target.read_bytes())
    content[500] ^= 1
    target.write_bytes(content)
    assert client.fetch(address(server), target, version="v1").downloaded
    assert target.read_bytes() == server.file_body()


def test_cut_connection_is_resumed_in_the_same_call(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    server.fail(server.file_path(), cut(after=70_000), unavailable(), cut(after=10_000))
    steps: list[int] = []
    client.fetch(address(server), target, version="v1", progress=lambda done, total: steps.append(done))
    assert target.read_bytes() == server.file_body()
    asked = [(request.headers.get("range"), request.headers.get("if-range")) for request in server.requests]
    tag = '"' + read_etag(target) + '"'
    assert asked == [(None, None), ("bytes=70000-", tag), ("bytes=70000-", tag), ("bytes=80000-", tag)]
    assert time.slept == [0.5, 1.0, 2.0]
    assert steps == sorted(steps)
    assert files_left(target) == WHOLE


def read_etag(target: Path) -> str:
    manifest = read_manifest(target)
    assert manifest is not None
    return manifest.etag.strip('"')


def test_cut_download_is_resumed_on_the_next_run(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=50_000))
    with make_client(tmp_path, time, attempts=1) as client, pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v1")
    total = len(server.file_body())
    assert f"broke off after 50000 of {total} bytes.\n" in str(caught.value)
    assert files_left(target) == UNFINISHED
    with make_client(tmp_path, time, attempts=1) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[-1].headers["range"] == "bytes=50000-"
    assert target.read_bytes() == server.file_body()


def test_download_starts_over_if_server_ignores_range(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail(server.file_path(), cut(after=50_000), Fault(ignore_range=True))
    steps: list[int] = []
    client.fetch(address(server), target, progress=lambda done, total: steps.append(done))
    assert target.read_bytes() == server.file_body()
    assert [request.headers.get("range") for request in server.requests] == [None, "bytes=50000-"]
    assert steps.count(0) == 2


@pytest.mark.parametrize("obeys_if_range", [True, False])
def test_partial_file_is_never_joined_to_another_version(
    server: ScryfallServer, tmp_path: Path, time: FakeTime, obeys_if_range: bool
) -> None:
    path = "/file/cards.bin"
    url = server.put(path, b"a" * 100_000)

    def exchange(seconds: float) -> None:
        server.put(path, b"b" * 100_000)

    server.fail(path, cut(after=50_000), Fault(ignore_if_range=not obeys_if_range))
    with make_client(tmp_path, time, sleep=exchange) as client:
        client.fetch(url, tmp_path / "cards.bin")
    assert (tmp_path / "cards.bin").read_bytes() == b"b" * 100_000
    ranges = [request.headers.get("range") for request in server.requests]
    assert ranges == [None, "bytes=50000-"] + ([] if obeys_if_range else [None])


@pytest.mark.parametrize(
    "validators",
    [{"ETag": None, "Last-Modified": None}, {"ETag": 'W/"weak"', "Last-Modified": None}, {"ETag": "no quotes"}],
)
def test_file_without_validators_is_downloaded_from_the_beginning(
    server: ScryfallServer, client: Client, target: Path, validators: Mapping[str, str | None]
) -> None:
    url = server.put("/file/cards.bin", b"a" * 100_000, headers=validators)
    server.fail("/file/cards.bin", cut(after=50_000))
    client.fetch(url, target.with_name("cards.bin"))
    assert [request.headers.get("range") for request in server.requests] == [None, None]
    assert target.with_name("cards.bin").read_bytes() == b"a" * 100_000


@pytest.mark.parametrize(
    ("now", "headers"),
    [
        (b"b" * 100_000, {"ETag": None, "Last-Modified": None}),
        (b"b" * 100_000, {"ETag": 'W/"weak"', "Last-Modified": None}),
        (b"b" * 120_000, {}),  # another total size under the same ETag
        (b"b" * 60_000, {}),
    ],
)
def test_answer_of_another_version_is_not_appended(
    server: ScryfallServer, tmp_path: Path, time: FakeTime, now: bytes, headers: Mapping[str, str | None]
) -> None:
    path, same = "/file/cards.bin", {"ETag": '"same"'}
    url = server.put(path, b"a" * 100_000, headers=same)

    def exchange(seconds: float) -> None:
        server.put(path, now, headers=same)

    server.fail(path, cut(after=50_000), Fault(ignore_if_range=True, headers=headers))
    with make_client(tmp_path, time, sleep=exchange) as client:
        client.fetch(url, tmp_path / "cards.bin", version="v1")
    assert (tmp_path / "cards.bin").read_bytes() == now
    assert [request.headers.get("range") for request in server.requests] == [None, "bytes=50000-", None]


def test_version_alone_does_not_allow_resuming(server: ScryfallServer, client: Client, target: Path) -> None:
    url = server.put("/file/cards.bin", b"a" * 100_000, headers={"ETag": None})
    server.fail("/file/cards.bin", cut(after=50_000))
    client.fetch(url, target.with_name("cards.bin"), version="v1")
    assert [request.headers.get("range") for request in server.requests] == [None, None]


def test_download_with_weak_etag_is_resumed_by_date(server: ScryfallServer, client: Client, target: Path) -> None:
    stamp = "2026-11-20T21:05:08+00:00"
    url = server.put("/file/cards.bin", b"a" * 100_000, updated_at=stamp, headers={"ETag": 'W/"weak"'})
    server.fail("/file/cards.bin", cut(after=50_000))
    client.fetch(url, target.with_name("cards.bin"))
    assert server.requests[1].headers["if-range"] == "Fri, 20 Nov 2026 21:05:08 GMT"
    assert server.requests[1].headers["range"] == "bytes=50000-"


def begin(server: ScryfallServer, target: Path, time: FakeTime, after: int, version: str = "v1") -> None:
    """Write a partial file, as an interrupted run leaves it."""
    server.fail(server.file_path(), cut(after=after))
    with make_client(target.parent, time, attempts=1) as client, pytest.raises(DownloadError):
        client.fetch(address(server), target, version=version)
    assert target.with_name(target.name + ".part").stat().st_size == after
    server.requests.clear()
    time.slept.clear()


def test_partial_file_of_another_version_is_deleted(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000, version="v0")
    client.fetch(address(server), target, version="v1")
    assert "range" not in server.requests[0].headers
    assert target.read_bytes() == server.file_body()


def test_partial_file_without_a_manifest_is_deleted(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000)
    manifest_path(target.with_name(target.name + ".part")).unlink()
    client.fetch(address(server), target, version="v1")
    assert "range" not in server.requests[0].headers


def test_complete_partial_file_is_only_renamed(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000)
    target.with_name(target.name + ".part").write_bytes(server.file_body())
    client.fetch(address(server), target, version="v1")
    assert len(server.requests) == 1
    assert target.read_bytes() == server.file_body()
    assert files_left(target) == WHOLE


def test_partial_file_longer_than_the_file_is_deleted(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000)
    target.with_name(target.name + ".part").write_bytes(server.file_body() + b"more")
    client.fetch(address(server), target, version="v1")
    assert [request.headers.get("range") for request in server.requests] == [
        f"bytes={len(server.file_body()) + 4}-",
        None,
    ]
    assert target.read_bytes() == server.file_body()


@pytest.mark.parametrize(
    "answer", [None, "bytes 0-9/10", "bytes 49999-149920/149921", "bytes */5", "lines 1-2/3", "bytes 50000-"]
)
def test_answer_with_another_range_starts_from_the_beginning(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime, answer: str | None
) -> None:
    begin(server, target, time, 50_000)
    server.fail(server.file_path(), Fault(206, {"Content-Range": answer}, b"x" * 10))
    client.fetch(address(server), target, version="v1")
    assert [request.headers.get("range") for request in server.requests] == ["bytes=50000-", None]
    assert target.read_bytes() == server.file_body()


def test_file_sent_in_slices_is_requested_until_it_is_complete(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    body = server.file_body()
    begin(server, target, time, 50_000)
    slice_of_ten = Fault(206, {"Content-Range": f"bytes 50000-50009/{len(body)}"}, body[50_000:50_010])
    server.fail(server.file_path(), slice_of_ten)
    client.fetch(address(server), target, version="v1")
    assert server.requests[1].headers["range"] == "bytes=50010-"
    assert target.read_bytes() == body


def test_long_download_over_an_unreliable_connection_succeeds(
    server: ScryfallServer, tmp_path: Path, time: FakeTime
) -> None:
    url = server.put("/file/large.bin", b"z" * (5 * ENOUGH_PROGRESS))
    server.fail("/file/large.bin", *[cut(after=ENOUGH_PROGRESS)] * 4)
    with make_client(tmp_path, time, attempts=2) as client:
        client.fetch(url, tmp_path / "large.bin")
    assert (tmp_path / "large.bin").read_bytes() == b"z" * (5 * ENOUGH_PROGRESS)
    assert time.slept == [0.5] * 4


def test_server_that_always_starts_again_and_breaks_off_fails(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    url = server.put("/file/large.bin", b"z" * (3 * ENOUGH_PROGRESS))
    server.fail_always("/file/large.bin", cut(after=2 * ENOUGH_PROGRESS, ignore_range=True))
    with pytest.raises(DownloadError, match=r"broke off after 2000000 of 3000000 bytes \(5 tries\)"):
        client.fetch(url, target.with_name("large.bin"))
    assert len(server.requests) == 5


def test_connection_with_hardly_any_progress_fails(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    server.fail(server.file_path(), *[cut(after=10)] * 9)
    with pytest.raises(DownloadError, match=r"broke off after 50 of \d+ bytes \(5 tries\)"):
        client.fetch(address(server), target, version="v1")
    assert len(server.requests) == 5


def test_download_is_resumed_after_a_timeout(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1 << 17, stall=120))
    with make_client(tmp_path, time, timeouts=(1, 0.2)) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[1].headers["range"] == f"bytes={1 << 17}-"
    assert target.read_bytes() == server.file_body()


def test_download_waits_for_a_lost_network(server: ScryfallServer, tmp_path: Path) -> None:
    time = FakeTime()

    def lose_the_network(seconds: float) -> None:
        if not time.slept:
            server.stop()
        time.sleep(seconds)

    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1000))
    client = make_client(tmp_path, time, sleep=lose_the_network)
    with client, pytest.raises(DownloadError, match=r"^no server answers at 127\.0\.0\.1:\d+ \(5 tries\)\.\n"):
        client.fetch(address(server), target, version="v1")
    assert time.slept == [0.5, 1.0, 2.0, 4.0]
    assert files_left(target) == UNFINISHED
