"""Small answers: refused, misunderstood, redirected, packed, kept."""

import gzip
from contextlib import suppress
from pathlib import Path

import pytest
from download_world import API, ROWS, FakeTime, make_client
from helpers.scryfall_server import ScryfallServer, packed_lines
from helpers.server_faults import Fault, redirect, replaced, web_page
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.cache import (
    manifest_path,
)
from ccgrid.catalog.download.hosts import check_address, next_address, plain


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
        replaced(gzip.compress(b"[" + b" " * 20_000_000 + b"]"), Content_Encoding="gzip"),
    ],
    ids=["long", "of unannounced length", "unpacks to 20 MB"],
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
    with pytest.raises(DownloadError, match="redirects without end"):
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
