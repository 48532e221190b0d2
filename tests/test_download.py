"""Downloads against a server on the loopback interface that fails in every way that servers do."""

import errno
import gzip
import json
import os
import random
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scryfall_server import (
    Fault,
    ScryfallServer,
    cut,
    packed_lines,
    redirect,
    refusal,
    replaced,
    too_many,
    unavailable,
    web_page,
)

from catalog.card import CatalogError
from catalog.download import Client, DownloadError, Manifest, cache_folder
from catalog.download.address import check_address, next_address
from catalog.download.cache import (
    MOST_MEMBERS,
    DamagedError,
    GzipCheck,
    locked,
    manifest_path,
    read_manifest,
    safe_name,
)
from catalog.download.patience import ENOUGH_PROGRESS, Pace, retry_after
from catalog.download.trouble import plain

CHANCE = random.Random(20)
ROWS = [{"object": "card", "id": f"{n:08}", "noise": CHANCE.randbytes(400).hex()} for n in range(400)]
NOW = 1_800_000_000.0
API = "/bulk-data"
WAY_AROUND = "\nTry again later, or read a file already downloaded: ccgrid import mtg FILE"


class FakeTime:
    """A clock that only sleeping moves, and that remembers how long it slept."""

    def __init__(self) -> None:
        self.now = NOW
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class NoChance(random.Random):
    """Chance that always leaves the back-off at its longest."""

    def random(self) -> float:
        return 1.0


@pytest.fixture
def server() -> Iterator[ScryfallServer]:
    with ScryfallServer(ROWS) as server:
        yield server


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


def make_client(folder: Path, time: FakeTime, **settings: Any) -> Client:
    world: dict[str, Any] = {"clock": time.clock, "now": time.clock, "sleep": time.sleep, "random": NoChance()}
    return Client(cache=folder, **(world | settings))


@pytest.fixture
def client(tmp_path: Path, time: FakeTime) -> Iterator[Client]:
    with make_client(tmp_path / "cache", time) as client:
        yield client


@pytest.fixture
def target(client: Client) -> Path:
    return client.cache_path("mtg", "cards.jsonl.gz")


def address(server: ScryfallServer) -> str:
    return str(server.bulk_object()["jsonl_download_uri"])


def left(target: Path) -> set[str]:
    """The names of all files in the folder, but for the lock."""
    return {path.name for path in target.parent.iterdir() if path.suffix != ".lock"}


WHOLE = {"cards.jsonl.gz", "cards.jsonl.gz.manifest.json"}
BEGUN = {"cards.jsonl.gz.part", "cards.jsonl.gz.part.manifest.json"}


# ---- small answers


def test_says_who_is_asking_and_what_it_takes(server: ScryfallServer, client: Client) -> None:
    listing = client.get_json(server.url + API)
    assert [entry["type"] for entry in listing["data"]][:3] == ["oracle_cards", "unique_artwork", "default_cards"]
    (request,) = server.seen(API)
    assert request.headers["user-agent"].partition(" ")[0] == f"ccgrid/{version('ccgrid')}"
    assert "*/*" in request.headers["accept"]


def test_the_server_refuses_a_librarys_own_name(server: ScryfallServer) -> None:
    import requests

    answer = requests.get(server.url + API, timeout=5)
    assert (answer.status_code, answer.json()["subcode"]) == (400, "generic_user_agent")
    answer.close()


def test_503_twice_is_waited_for_with_growing_back_off(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, unavailable(), unavailable(502))
    assert client.get_json(server.url + API)["object"] == "list"
    assert time.slept == [0.5, 1.0]
    assert len(server.requests) == 3


def test_503_for_ever_is_given_up_with_a_way_around(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail_always(API, unavailable())
    with pytest.raises(DownloadError) as caught:
        client.get_json(server.url + API)
    host = server.url.removeprefix("http://")
    assert str(caught.value) == f"{host} answered 503 (Service Unavailable) (5 tries)." + WAY_AROUND
    assert time.slept == [0.5, 1.0, 2.0, 4.0]
    assert len(server.requests) == 5
    assert isinstance(caught.value, CatalogError)


def test_429_waits_as_long_as_it_is_told(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, too_many("31"))
    client.get_json(server.url + API)
    assert time.slept == [31.0]


def test_429_with_a_date_is_measured_by_the_servers_clock(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    there = datetime(2031, 5, 1, 12, 0, 0, tzinfo=UTC)
    until = format_datetime(there.replace(second=45), usegmt=True)
    dates = {"Retry-After": until, "Date": format_datetime(there, usegmt=True)}
    server.fail(API, replace(too_many(until), headers=dates))
    client.get_json(server.url + API)
    assert time.slept == [45.0]


@pytest.mark.parametrize("unclear", [None, "soon", "-5", ""])
def test_429_that_does_not_say_how_long_waits_out_scryfalls_lock(
    server: ScryfallServer, client: Client, time: FakeTime, unclear: str | None
) -> None:
    server.fail(API, too_many(unclear))
    client.get_json(server.url + API)
    assert time.slept == [30.0]


def test_429_with_nothing_to_wait_still_backs_off(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, too_many("0"), too_many("0"))
    client.get_json(server.url + API)
    assert time.slept == [0.5, 1.0]


@pytest.mark.parametrize(("seconds", "said"), [("600", "10 minutes"), ("86400", "24 hours"), ("9" * 60, "hours")])
def test_asked_to_wait_too_long_it_stops_and_says_when_to_come_back(
    server: ScryfallServer, client: Client, time: FakeTime, seconds: str, said: str
) -> None:
    server.fail(API, too_many(seconds))
    with pytest.raises(DownloadError, match=rf"429 \(Too Many Requests\), and asks .* try again in .*{said}\.\n"):
        client.get_json(server.url + API)
    assert time.slept == []
    assert len(server.requests) == 1


def test_503_with_retry_after_is_honoured_too(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, unavailable(Retry_After="7"))
    client.get_json(server.url + API)
    assert time.slept == [7.0]


def test_a_connection_closed_without_a_word_is_tried_again(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    server.fail(API, Fault(hang_up=True), cut(after=100))
    assert client.get_json(server.url + API)["object"] == "list"
    assert time.slept == [0.5, 1.0]


def test_silence_is_a_time_out_and_tried_again(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    server.fail_always(API, Fault(stall=10))
    impatient = make_client(tmp_path, time, timeouts=(1, 0.1), attempts=2)
    with impatient, pytest.raises(DownloadError, match=r"did not answer in time \(2 tries\)\.\n"):
        impatient.get_json(server.url + API)
    assert time.slept == [0.5]


def test_nobody_listening_is_said_at_once_with_the_way_around(client: Client, time: FakeTime) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(DownloadError) as caught:
            client.get_json(f"http://{host}/bulk-data")
    assert str(caught.value) == f"nobody answers at {host}." + WAY_AROUND
    assert time.slept == []


def test_a_name_that_nobody_knows_asks_whether_one_is_online(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(DownloadError) as caught:
        client.get_json("https://api.scryfall.com/bulk-data")
    assert str(caught.value) == "api.scryfall.com cannot be found: is this computer online?" + WAY_AROUND


def test_a_proxy_that_is_not_there_is_named_as_the_reason(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://someone:secret@127.0.0.1:1")
    with pytest.raises(DownloadError, match=r"^the proxy .* does not lead to cards\.example\.\n") as caught:
        client.get_json("http://cards.example/")
    assert "secret" not in str(caught.value)


def test_the_hint_names_the_source_that_was_imported(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    with (
        make_client(tmp_path, time, source="fab") as client,
        pytest.raises(DownloadError, match="ccgrid import fab FILE"),
    ):
        client.get_json(server.url + "/nothing")


def test_a_refusal_is_not_tried_again_and_quotes_the_server(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    server.fail(API, refusal(403, "You are blocked.\n\x1b[2JGo \u202eaway."))
    with pytest.raises(DownloadError) as caught:
        client.get_json(server.url + API)
    first, second = str(caught.value).split("\n")
    assert first.endswith("answered 403 (Forbidden) for /bulk-data: You are blocked. \ufffd[2JGo \ufffdaway.")
    assert second == WAY_AROUND.strip()
    assert time.slept == []


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[" * 100_000, b'{"details": 5}', b'"text"', b"\xff\xfe", b'{"details": "cut', b"\0" * 99]
)
def test_a_refusal_with_a_strange_body_is_still_one_sentence(
    server: ScryfallServer, client: Client, body: bytes
) -> None:
    server.fail(API, Fault(404, body=body))
    with pytest.raises(DownloadError, match=r"answered 404 \(Not Found\) for /bulk-data\.\n"):
        client.get_json(server.url + API)


@pytest.mark.parametrize(
    ("status", "name"),
    [(204, "No Content"), (206, "Partial Content"), (300, "Multiple Choices"), (304, "Not Modified"),
     (416, "Requested Range Not Satisfiable"), (799, "a status without a name")],
)  # fmt: skip
def test_a_status_that_makes_no_sense_is_refused(
    server: ScryfallServer, client: Client, target: Path, status: int, name: str
) -> None:
    server.fail_always(API, Fault(status, body=b""))
    with pytest.raises(DownloadError, match=rf"answered {status} \({name}\) for"):
        client.get_json(server.url + API)
    with pytest.raises(DownloadError, match=rf"answered {status} \({name}\) for"):
        client.fetch(server.url + API, target)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (web_page(), "sent a web page, not data: does this network want a sign-in?\n"),
        (replaced(b""), "sent an empty answer instead of JSON.\n"),
        (replaced(b"hello \x1b[31m"), "sent this instead of JSON: 'hello \ufffd[31m'.\n"),
        (replaced(b'{"a": 1'), "sent this instead of JSON: '{\"a\": 1'.\n"),
        (replaced(b"[" * 200_000), "sent this instead of JSON: '[[[["),
        (replaced(b'"\xff"'), "sent this instead of JSON: "),
        (replaced(packed_lines(ROWS[:5])), "sent this instead of JSON: "),
        (replaced(b"junk", Content_Encoding="gzip"), "sent a garbled answer.\n"),
        (replaced(b"junk", Content_Encoding="br"), "packed its answer as 'br', which was not asked for.\n"),
    ],
)
def test_what_is_not_json_is_named(server: ScryfallServer, client: Client, fault: Fault, said: str) -> None:
    server.fail(API, fault)
    with pytest.raises(DownloadError) as caught:
        client.get_json(server.url + API)
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 1
    assert len(server.requests) == 1


def test_a_packed_answer_is_unpacked(server: ScryfallServer, client: Client) -> None:
    server.fail(API, replaced(gzip.compress(b'{"packed": true}'), Content_Encoding="gzip"))
    assert client.get_json(server.url + API) == {"packed": True}


@pytest.mark.parametrize(
    "fault",
    [
        replaced(b"[" + b" " * 100_000 + b"]"),
        replaced(b"[" + b" " * 100_000 + b"]", Content_Length=None),
        replaced(gzip.compress(b"[" + b" " * 100_000_000 + b"]"), Content_Encoding="gzip"),
    ],
    ids=["long", "of unannounced length", "unpacks to 100 MB"],
)
def test_an_answer_beyond_the_bound_is_not_read(server: ScryfallServer, client: Client, fault: Fault) -> None:
    server.fail(API, fault)
    with pytest.raises(DownloadError, match=r"sent an answer of more than 99\.9 kB, which is not read\."):
        client.get_json(server.url + API, max_bytes=99_900)


def test_redirects_are_followed_to_the_end(server: ScryfallServer, client: Client) -> None:
    server.fail("/old", redirect("/older", 301))
    server.fail("/older", redirect(f"{server.url}{API}", 308))
    assert client.get_json(server.url + "/old")["object"] == "list"


def test_redirects_in_a_circle_end(server: ScryfallServer, client: Client) -> None:
    server.fail_always("/here", redirect("/there"))
    server.fail_always("/there", redirect("/here"))
    with pytest.raises(DownloadError, match="redirects from address to address without end"):
        client.get_json(server.url + "/here")
    assert len(server.requests) == 6


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x", "http://[", "http://a b/"])
def test_a_redirect_to_something_else_than_the_web_is_refused(
    server: ScryfallServer, client: Client, place: str
) -> None:
    server.fail(API, redirect(place))
    with pytest.raises(DownloadError, match="redirects to an address that is refused"):
        client.get_json(server.url + API)
    assert len(server.requests) == 1


def test_the_body_of_a_redirect_is_not_read(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    endless = Fault(302, {"Location": API, "Content-Length": "9999999999"}, b"x" * 1000, stall=0.0)
    server.fail("/old", endless)
    with make_client(tmp_path, time, timeouts=(5, 5)) as client:
        assert client.get_json(server.url + "/old")["object"] == "list"
    assert time.slept == []


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://host/x", "data:,x", "api.scryfall.com/bulk-data", "http://", "http://[::1", "http://h:0/",
     "http://h:99999/", "http://a..b/", f"http://{'a' * 64}.com/", "http://h/\x1b", "http://h/a b", "",
     "http://h/" + "x" * 9000],
)  # fmt: skip
def test_only_web_addresses_are_asked(client: Client, target: Path, url: str) -> None:
    with pytest.raises(DownloadError, match="not an http or https address") as caught:
        client.get_json(url)
    assert plain(str(caught.value)) == str(caught.value)
    with pytest.raises(DownloadError, match="not an http or https address"):
        client.fetch(url, target)


def test_a_password_in_an_address_is_neither_sent_nor_shown(client: Client) -> None:
    with pytest.raises(DownloadError) as caught:
        client.get_json("https://ann:secret@example.com/x")
    assert str(caught.value) == "an address with a user name or password in it is not supported: example.com"


@given(st.text())
def test_any_text_is_an_address_or_an_error(text: str) -> None:
    for made in (text, f"http://{text}", f"https://example.com/{text}"):
        try:
            assert check_address(made).scheme in ("http", "https")
        except DownloadError as error:
            assert plain(str(error), 500) == str(error)  # noqa: PT017


@given(st.text())
def test_a_redirect_never_leaves_https(text: str) -> None:
    for place in (text, f"http:{text}", f"//{text}"):
        with suppress(DownloadError):
            assert next_address("https://example.com/x", place).startswith("https://")


# ---- answers that are kept


def test_a_fresh_answer_is_not_asked_for_again(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    first = client.get_json(server.url + API, max_age=86_400)
    time.now += 86_399
    assert client.get_json(server.url + API, max_age=86_400) == first
    assert len(server.requests) == 1
    time.now += 1
    assert client.get_json(server.url + API, max_age=86_400) == first
    assert len(server.requests) == 2
    client.get_json(server.url + API)
    assert len(server.requests) == 3


def test_an_old_answer_that_has_not_changed_is_not_sent_again(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    url = server.put("/file/cards.json", b'["one"]')
    for _ in range(3):
        assert client.get_json(url, max_age=60) == ["one"]
        time.now += 61
    tag = server.seen("/file/cards.json")[1].headers["if-none-match"]
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, tag, tag]
    server.put("/file/cards.json", b'["two"]')
    assert client.get_json(url, max_age=60) == ["two"]


def test_a_kept_answer_that_was_damaged_is_asked_for_again(
    server: ScryfallServer, client: Client, tmp_path: Path
) -> None:
    first = client.get_json(server.url + API, max_age=60)
    (kept,) = (path for path in (tmp_path / "cache" / "answers").iterdir() if "manifest" not in path.name)
    kept.write_bytes(b"x" * kept.stat().st_size)
    assert client.get_json(server.url + API, max_age=60) == first
    manifest_path(kept).write_text('{"url": 5}')
    assert client.get_json(server.url + API, max_age=60) == first
    assert len(server.requests) == 3


def test_an_answer_from_the_future_is_old(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    client.get_json(server.url + API, max_age=60)
    time.now -= 100_000
    client.get_json(server.url + API, max_age=60)
    assert len(server.requests) == 2


# ---- large files


def test_a_file_arrives_as_it_was_sent_with_its_manifest(server: ScryfallServer, client: Client, target: Path) -> None:
    steps: list[tuple[int, int | None]] = []
    got = client.fetch(
        address(server), target, version="v1", size=len(server.file_body()), progress=lambda *step: steps.append(step)
    )
    assert target.read_bytes() == server.file_body()
    assert (got.path, got.downloaded) == (target, True)
    assert steps[0] == (0, len(server.file_body()))
    assert steps[-1] == (len(server.file_body()), len(server.file_body()))
    assert steps == sorted(steps)
    assert left(target) == WHOLE
    noted = json.loads(manifest_path(target).read_text())
    assert list(noted) == ["url", "version", "etag", "last_modified", "sha256", "size", "time"]
    assert (noted["url"], noted["version"], noted["size"]) == (address(server), "v1", len(server.file_body()))
    assert noted["last_modified"] == "Fri, 20 Nov 2026 21:05:08 GMT"
    assert Manifest(**noted) == got.manifest == read_manifest(target)


def test_the_same_version_is_not_downloaded_twice(server: ScryfallServer, client: Client, target: Path) -> None:
    first = client.fetch(address(server), target, version="v1")
    again = client.fetch(address(server), target, version="v1")
    assert (again.downloaded, again.manifest) == (False, first.manifest)
    assert len(server.requests) == 1


def test_a_new_edition_takes_the_place_of_the_old_one(server: ScryfallServer, client: Client, target: Path) -> None:
    client.fetch(address(server), target, version="v1")
    server.publish(ROWS[:50], "2026-11-21T09:00:00+00:00")
    assert client.fetch(address(server), target, version="v2").downloaded
    assert target.read_bytes() == packed_lines(ROWS[:50])


def test_without_a_version_the_server_is_asked_whether_it_changed(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    url = server.put("/file/cards.txt", b"one")
    assert client.fetch(url, target.with_name("cards.txt")).downloaded
    assert not client.fetch(url, target.with_name("cards.txt")).downloaded
    server.put("/file/cards.txt", b"two")
    assert client.fetch(url, target.with_name("cards.txt")).downloaded
    assert target.with_name("cards.txt").read_bytes() == b"two"
    assert [("if-none-match" in request.headers) for request in server.requests] == [False, True, True]


def test_a_cached_file_that_was_damaged_is_downloaded_again(
    server: ScryfallServer, client: Client, target: Path
) -> None:
    client.fetch(address(server), target, version="v1")
    content = bytearray(target.read_bytes())
    content[500] ^= 1
    target.write_bytes(content)
    assert client.fetch(address(server), target, version="v1").downloaded
    assert target.read_bytes() == server.file_body()


def test_a_cut_connection_is_resumed_in_the_same_call(
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
    assert left(target) == WHOLE


def read_etag(target: Path) -> str:
    manifest = read_manifest(target)
    assert manifest is not None
    return manifest.etag.strip('"')


def test_a_cut_download_is_resumed_on_the_next_run(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=50_000))
    with make_client(tmp_path, time, attempts=1) as client, pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v1")
    total = len(server.file_body())
    assert f"broke off after 50000 of {total} bytes.\n" in str(caught.value)
    assert left(target) == BEGUN
    with make_client(tmp_path, time, attempts=1) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[-1].headers["range"] == "bytes=50000-"
    assert target.read_bytes() == server.file_body()


def test_a_server_that_ignores_range_starts_over(server: ScryfallServer, client: Client, target: Path) -> None:
    server.fail(server.file_path(), cut(after=50_000), Fault(ignore_range=True))
    steps: list[int] = []
    client.fetch(address(server), target, progress=lambda done, total: steps.append(done))
    assert target.read_bytes() == server.file_body()
    assert [request.headers.get("range") for request in server.requests] == [None, "bytes=50000-"]
    assert steps.count(0) == 2


@pytest.mark.parametrize("obeys_if_range", [True, False])
def test_a_part_is_never_glued_to_another_version(
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
def test_without_anything_to_tell_versions_apart_it_starts_over(
    server: ScryfallServer, client: Client, target: Path, validators: Mapping[str, str | None]
) -> None:
    url = server.put("/file/cards.bin", b"a" * 100_000, headers=validators)
    server.fail("/file/cards.bin", cut(after=50_000))
    client.fetch(url, target.with_name("cards.bin"))
    assert [request.headers.get("range") for request in server.requests] == [None, None]
    assert target.with_name("cards.bin").read_bytes() == b"a" * 100_000


def test_a_weak_etag_resumes_by_date(server: ScryfallServer, client: Client, target: Path) -> None:
    stamp = "2026-11-20T21:05:08+00:00"
    url = server.put("/file/cards.bin", b"a" * 100_000, updated_at=stamp, headers={"ETag": 'W/"weak"'})
    server.fail("/file/cards.bin", cut(after=50_000))
    client.fetch(url, target.with_name("cards.bin"))
    assert server.requests[1].headers["if-range"] == "Fri, 20 Nov 2026 21:05:08 GMT"
    assert server.requests[1].headers["range"] == "bytes=50000-"


def begin(server: ScryfallServer, target: Path, time: FakeTime, after: int, version: str = "v1") -> None:
    """Leave a part file behind, as a killed or cut run does."""
    server.fail(server.file_path(), cut(after=after))
    with make_client(target.parent, time, attempts=1) as client, pytest.raises(DownloadError):
        client.fetch(address(server), target, version=version)
    assert target.with_name(target.name + ".part").stat().st_size == after
    server.requests.clear()
    time.slept.clear()


def test_a_part_of_another_version_is_thrown_away(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000, version="v0")
    client.fetch(address(server), target, version="v1")
    assert "range" not in server.requests[0].headers
    assert target.read_bytes() == server.file_body()


def test_a_part_without_its_notes_is_thrown_away(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000)
    manifest_path(target.with_name(target.name + ".part")).unlink()
    client.fetch(address(server), target, version="v1")
    assert "range" not in server.requests[0].headers


def test_a_part_that_is_whole_only_needs_its_name(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    begin(server, target, time, 50_000)
    target.with_name(target.name + ".part").write_bytes(server.file_body())
    client.fetch(address(server), target, version="v1")
    assert len(server.requests) == 1
    assert target.read_bytes() == server.file_body()
    assert left(target) == WHOLE


def test_a_part_longer_than_the_file_is_thrown_away(
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
def test_an_answer_about_other_bytes_than_were_asked_for_starts_over(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime, answer: str | None
) -> None:
    begin(server, target, time, 50_000)
    server.fail(server.file_path(), Fault(206, {"Content-Range": answer}, b"x" * 10))
    client.fetch(address(server), target, version="v1")
    assert [request.headers.get("range") for request in server.requests] == ["bytes=50000-", None]
    assert target.read_bytes() == server.file_body()


def test_a_server_that_sends_slices_is_asked_until_the_file_is_whole(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    body = server.file_body()
    begin(server, target, time, 50_000)
    slice_of_ten = Fault(206, {"Content-Range": f"bytes 50000-50009/{len(body)}"}, body[50_000:50_010])
    server.fail(server.file_path(), slice_of_ten)
    client.fetch(address(server), target, version="v1")
    assert server.requests[1].headers["range"] == "bytes=50010-"
    assert target.read_bytes() == body


def test_a_long_download_over_a_bad_line_gets_there(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    url = server.put("/file/large.bin", b"z" * (5 * ENOUGH_PROGRESS))
    server.fail("/file/large.bin", *[cut(after=ENOUGH_PROGRESS)] * 4)
    with make_client(tmp_path, time, attempts=2) as client:
        client.fetch(url, tmp_path / "large.bin")
    assert (tmp_path / "large.bin").read_bytes() == b"z" * (5 * ENOUGH_PROGRESS)
    assert time.slept == [0.5] * 4


def test_a_server_that_always_starts_over_and_never_ends_is_given_up(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    url = server.put("/file/large.bin", b"z" * (3 * ENOUGH_PROGRESS))
    server.fail_always("/file/large.bin", cut(after=2 * ENOUGH_PROGRESS, ignore_range=True))
    with pytest.raises(DownloadError, match=r"broke off after 2000000 of 3000000 bytes \(5 tries\)"):
        client.fetch(url, target.with_name("large.bin"))
    assert len(server.requests) == 5


def test_a_line_that_brings_next_to_nothing_is_given_up(
    server: ScryfallServer, client: Client, target: Path, time: FakeTime
) -> None:
    server.fail(server.file_path(), *[cut(after=10)] * 9)
    with pytest.raises(DownloadError, match=r"broke off after 50 of \d+ bytes \(5 tries\)"):
        client.fetch(address(server), target, version="v1")
    assert len(server.requests) == 5


def test_a_server_that_falls_silent_half_way_is_resumed(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1 << 17, stall=10))
    with make_client(tmp_path, time, timeouts=(1, 0.2)) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[1].headers["range"] == f"bytes={1 << 17}-"
    assert target.read_bytes() == server.file_body()


def test_a_network_that_goes_away_half_way_is_waited_for(server: ScryfallServer, tmp_path: Path) -> None:
    time = FakeTime()

    def lose_the_network(seconds: float) -> None:
        if not time.slept:
            server.stop()
        time.sleep(seconds)

    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1000))
    client = make_client(tmp_path, time, sleep=lose_the_network)
    with client, pytest.raises(DownloadError, match=r"^nobody answers at 127\.0\.0\.1:\d+ \(5 tries\)\.\n"):
        client.fetch(address(server), target, version="v1")
    assert time.slept == [0.5, 1.0, 2.0, 4.0]
    assert left(target) == BEGUN


# ---- damaged, wrong, hostile files


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
    with pytest.raises(DamagedError, match="more parts than any tool writes"):
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


# ---- the disk


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said(
    server: ScryfallServer, client: Client, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = Path.open

    def open_on_a_full_disk(path: Path, *how: Any, **else_how: Any) -> Any:
        return really_open(Path("/dev/full") if path.suffix == ".part" else path, *how, **else_how)

    monkeypatch.setattr(Path, "open", open_on_a_full_disk)
    with pytest.raises(DownloadError) as caught:
        client.fetch(address(server), target, version="v1")
    assert str(caught.value) == (
        f"cannot keep {target}.part: {os.strerror(errno.ENOSPC)}.\n"
        "Make room there, or name another folder in the environment variable CCGRID_CACHE."
    )
    assert left(target) == set()
    assert len(server.requests) == 1


def test_where_a_file_cannot_grow_what_was_taken_of_the_disk_is_given_back(
    server: ScryfallServer, target: Path
) -> None:
    pytest.importorskip("resource")
    program = (
        "import resource, sys, pathlib; from catalog.download import Client\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))\n"
        "Client().fetch(sys.argv[1], pathlib.Path(sys.argv[2]), progress=lambda done, _: print(done))\n"
    )
    command = [sys.executable, "-c", program, address(server), str(target)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"DownloadError: cannot keep {target}.part: {os.strerror(errno.EFBIG)}." in ended.stderr
    assert ended.stdout.split() == ["0", "65536"]
    assert left(target) == set()


def test_a_cache_folder_that_cannot_be_one_is_said(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    (tmp_path / "file").write_text("in the way")
    with make_client(tmp_path / "file", time) as client:
        with pytest.raises(DownloadError, match=r"cannot keep .*\.\nMake room there, or name another folder"):
            client.fetch(address(server), client.cache_path("cards.gz"))
        with pytest.raises(DownloadError, match=r"cannot keep .*\.\nMake room there, or name another folder"):
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
        "cards.jsonl.gz is being downloaded by another ccgrid.\nWait until that is done, then try again."
    )
    assert server.requests == []
    assert client.fetch(address(server), target).downloaded


def test_of_many_downloads_at_once_none_is_corrupted(server: ScryfallServer, tmp_path: Path) -> None:
    target = tmp_path / "cards.jsonl.gz"
    outcomes: list[str] = []

    def download() -> None:
        with make_client(tmp_path, FakeTime()) as client:
            try:
                client.fetch(address(server), target, version="v1")
                outcomes.append("there")
            except DownloadError as error:
                outcomes.append("turned away" if "another ccgrid" in str(error) else str(error))

    server.fail(server.file_path(), Fault(stall=0.2))
    threads = [threading.Thread(target=download) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) == {"there", "turned away"}
    assert len(server.requests) == 1
    assert target.read_bytes() == server.file_body()


def test_a_killed_download_leaves_no_lock_and_is_resumed(
    server: ScryfallServer, tmp_path: Path, time: FakeTime
) -> None:
    target = tmp_path / "cards.jsonl.gz"
    server.fail(server.file_path(), cut(after=1 << 17, stall=30))
    program = (
        "import sys, pathlib; from catalog.download import Client\n"
        "with Client() as client:\n"
        "    client.fetch(sys.argv[1], pathlib.Path(sys.argv[2]), version='v1',\n"
        "                 progress=lambda *step: print(*step, flush=True))\n"
    )
    command = [sys.executable, "-c", program, address(server), str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(f"{1 << 17} "):
                break
        with make_client(tmp_path, time) as client, pytest.raises(DownloadError, match="another ccgrid"):
            client.fetch(address(server), target, version="v1")
        process.kill()
    assert left(target) == BEGUN
    with make_client(tmp_path, time) as client:
        client.fetch(address(server), target, version="v1")
    assert server.requests[-1].headers["range"] == f"bytes={1 << 17}-"
    assert target.read_bytes() == server.file_body()


# ---- politeness, by the clock


def test_requests_to_one_host_keep_their_distance(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    with make_client(tmp_path, time, intervals={"127.0.0.1": 0.5}) as client:
        for _ in range(3):
            client.get_json(server.url + API)
        time.now += 0.2
        client.get_json(server.url + API)
        time.now += 10
        client.get_json(server.url + API)
    assert time.slept == pytest.approx([0.5, 0.5, 0.3])


def test_redirects_and_repeats_count_as_requests(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    server.fail("/old", redirect(API))
    with make_client(tmp_path, time, intervals={"127.0.0.1": 0.5}) as client:
        client.get_json(server.url + "/old")
    assert time.slept == [0.5]


def test_scryfalls_api_is_asked_ten_times_a_second_at_most_and_its_files_freely(tmp_path: Path, time: FakeTime) -> None:
    pace = make_client(tmp_path, time)._pace
    for _ in range(4):
        pace.wait("api.scryfall.com")
        pace.wait("data.scryfall.io")
    assert time.slept == pytest.approx([0.1] * 3)


def test_hosts_are_paced_apart() -> None:
    time = FakeTime()
    pace = Pace({"one": 1.0, "two": 2.0}, time.clock, time.sleep)
    for host in ("one", "two", "one", "two"):
        pace.wait(host)
    assert time.slept == [1.0, 1.0]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "5"}, 5.0),
        ({"Retry-After": " 07 "}, 7.0),
        ({"Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT"}, 60.0),
        ({"Retry-After": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        ({"Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT", "Date": "Fri, 15 Jan 2027 08:00:50 GMT"}, 10.0),
        ({"Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT", "Date": "yesterday"}, 60.0),
        ({"Retry-After": "٣"}, None),
        ({"Retry-After": "1.5"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "Mon, 99 Foo 99999 99:99:99"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=150), st.text(max_size=50))
def test_any_retry_after_is_read_or_passed_over(text: str, date: str) -> None:
    seconds = retry_after({"Retry-After": text, "Date": date}, NOW)
    assert seconds is None or seconds >= 0


def test_loading_the_package_does_not_load_the_network_libraries() -> None:
    program = "import sys, catalog.download; sys.exit('requests' in sys.modules or 'urllib3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ---- https


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that nobody has signed, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl to make a certificate with")
    both = tmp_path / "certificate.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", tmp_path / "key.pem", "-out", both,
         "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    with both.open("ab") as file:
        file.write((tmp_path / "key.pem").read_bytes())
    return both


@pytest.fixture
def secure_server(certificate: Path) -> Iterator[ScryfallServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with ScryfallServer(ROWS[:5], tls=context) as server:
        yield server


def test_a_certificate_that_nobody_vouches_for_is_refused(
    secure_server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    with pytest.raises(
        DownloadError, match=r"^the certificate of 127\.0\.0\.1:\d+ is not trusted, so nothing was read"
    ):
        client.get_json(secure_server.url + API)
    assert secure_server.requests == []
    assert time.slept == []


def test_https_never_leads_down_to_http(
    secure_server: ScryfallServer, server: ScryfallServer, client: Client, target: Path, certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    assert client.get_json(secure_server.url + API)["object"] == "list"
    secure_server.fail("/file/x.gz", redirect(address(server)))
    with pytest.raises(DownloadError, match="redirects from https to plain http, which is refused"):
        client.fetch(secure_server.url + "/file/x.gz", target)
    assert server.requests == []


def test_http_may_lead_up_to_https(
    secure_server: ScryfallServer, server: ScryfallServer, client: Client, certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    server.fail("/old", redirect(secure_server.url + API))
    assert client.get_json(server.url + "/old")["object"] == "list"


# ---- the stand-in itself


def test_the_old_style_of_the_api_offers_the_plain_array_too(tmp_path: Path, time: FakeTime) -> None:
    with ScryfallServer(ROWS[:20], old_style=True) as server, make_client(tmp_path, time) as client:
        entry = client.get_json(server.url + "/bulk-data/default-cards")
        assert entry == server.bulk_object()
        path = client.fetch(entry["download_uri"], tmp_path / "cards.json", size=entry["size"]).path
        assert json.loads(path.read_bytes()) == ROWS[:20]


def test_the_new_style_has_the_keys_that_scryfall_sends(server: ScryfallServer, client: Client) -> None:
    assert set(client.get_json(server.url + "/bulk-data/default_cards")) == {
        "object", "id", "type", "updated_at", "uri", "name", "description", "jsonl_download_uri", "compressed_size",
    }  # fmt: skip
