"""Small answers: refused, misunderstood, redirected, packed, kept."""

import gzip
import socket
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path

import pytest
from download_world import API, ROWS, WAY_AROUND, FakeTime, make_client
from helpers.scryfall_server import ScryfallServer, packed_lines
from helpers.server_faults import Fault, cut, redirect, refusal, replaced, too_many, unavailable, web_page
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.cache import (
    manifest_path,
)
from ccgrid.catalog.download.hosts import LONGEST_TIME, check_address, next_address, printable_line
from ccgrid.catalog.errors import CatalogError


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
    assert printable_line(str(caught.value)) == str(caught.value)
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
            assert printable_line(str(error), 500) == str(error)  # noqa: PT017


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


def test_a_stored_answer_that_was_damaged_is_asked_for_again(
    server: ScryfallServer, client: Client, tmp_path: Path
) -> None:
    first = client.get_json(server.url + API, max_age=60)
    (stored,) = (path for path in (tmp_path / "cache" / "answers").iterdir() if "manifest" not in path.name)
    stored.write_bytes(b"x" * stored.stat().st_size)
    assert client.get_json(server.url + API, max_age=60) == first
    manifest_path(stored).write_text('{"url": 5}')
    assert client.get_json(server.url + API, max_age=60) == first
    assert len(server.requests) == 3


def test_an_answer_from_the_future_is_old(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    client.get_json(server.url + API, max_age=60)
    time.now -= 100_000
    client.get_json(server.url + API, max_age=60)
    assert len(server.requests) == 2


# --- What a client says of itself, and how long it waits before it asks again -------------------------------------


def test_says_who_is_asking_and_what_it_takes(server: ScryfallServer, client: Client) -> None:
    listing = client.get_json(server.url + API)
    assert [entry["type"] for entry in listing["data"]][:3] == ["oracle_cards", "unique_artwork", "default_cards"]
    (request,) = server.seen(API)
    assert request.headers["user-agent"].partition(" ")[0] == f"ccgrid/{version('ccgrid')}"
    assert "*/*" in request.headers["accept"]


def test_the_server_refuses_a_librarys_own_name(server: ScryfallServer) -> None:
    import requests

    answer = requests.get(server.url + API, timeout=60)
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


def test_429_waits_as_long_as_it_asks(server: ScryfallServer, client: Client, time: FakeTime) -> None:
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


def test_no_try_begins_after_the_longest_time_in_all(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    server.fail_always(API, unavailable(Retry_After="119"))
    patient = make_client(tmp_path, time, attempts=1000)
    with (
        patient,
        pytest.raises(DownloadError, match=r"answered 503 \(Service Unavailable\), and 3 hours have passed\.\n"),
    ):
        patient.get_json(server.url + API)
    assert sum(time.slept) == pytest.approx(LONGEST_TIME, abs=2 * 119)


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
    server.fail_always(API, Fault(stall=120))
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
    assert str(caught.value) == f"no server answers at {host}." + WAY_AROUND
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
