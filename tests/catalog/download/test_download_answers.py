"""Downloads of small answers: errors, redirects, compression, cache, headers and retries."""

import gzip
import socket
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path

import pytest
from download_world import ALTERNATIVE_ADVICE, API, ROWS, FakeTime, make_client
from helpers.scryfall_server import ScryfallServer, packed_lines
from helpers.server_faults import Fault, cut, redirect, refusal, replaced, too_many, unavailable, web_page
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.cache import (
    manifest_path,
)
from ccgrid.catalog.download.errors import (
    AddressError,
    DownloadTimeoutError,
    StatusError,
    TooLargeError,
    UnreachableError,
)
from ccgrid.catalog.download.hosts import LONGEST_TIME, check_address, next_address, printable_line
from ccgrid.catalog.errors import CatalogError


@pytest.mark.parametrize(
    ("status", "name"),
    [(204, "No Content"), (206, "Partial Content"), (300, "Multiple Choices"), (304, "Not Modified"),
     (416, "Requested Range Not Satisfiable"), (799, "a status without a name")],
)  # fmt: skip
def test_unexpected_status_is_an_error(
    server: ScryfallServer, client: Client, target: Path, status: int, name: str
) -> None:
    server.fail_always(API, Fault(status, body=b""))
    with pytest.raises(DownloadError, match=rf"answered {status} \({name}\) for"):
        client.get_json(server.url + API)
    with pytest.raises(DownloadError, match=rf"answered {status} \({name}\) for"):
        client.fetch(server.url + API, target)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (web_page(), "sent a web page, not data: does this network want a sign-in?\n"),
        (replaced(b""), "sent an empty answer instead of JSON.\n"),
        (replaced(b"hello \x1b[31m"), "sent this instead of JSON: 'hello \ufffd[31m'.\n"),
        (replaced(b'{"a": 1'), "sent this instead of JSON: '{\"a\": 1'.\n"),
        (replaced(b"[" * 200_000), "sent this instead of JSON: '[[[["),
        (replaced(b'"\xff"'), "sent this instead of JSON: "),
        (replaced(packed_lines(ROWS[:5])), "sent this instead of JSON: "),
        (replaced(b"junk", Content_Encoding="gzip"), "sent a damaged answer.\n"),
        (replaced(b"junk", Content_Encoding="br"), "compressed its answer as 'br', which was not requested.\n"),
    ],
)
def test_answer_that_is_not_json_is_named(server: ScryfallServer, client: Client, fault: Fault, message: str) -> None:
    server.fail(API, fault)
    with pytest.raises(DownloadError) as caught:
        client.get_json(server.url + API)
    assert message in str(caught.value)
    assert str(caught.value).count("\n") == 1
    assert len(server.requests) == 1


def test_gzip_answer_is_decompressed(server: ScryfallServer, client: Client) -> None:
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
def test_answer_beyond_the_limit_is_not_read(server: ScryfallServer, client: Client, fault: Fault) -> None:
    server.fail(API, fault)
    with pytest.raises(TooLargeError, match=r"sent an answer of more than 99\.9 kB, which is not read\."):
        client.get_json(server.url + API, max_bytes=99_900)


def test_redirects_are_followed_to_the_end(server: ScryfallServer, client: Client) -> None:
    server.fail("/old", redirect("/older", 301))
    server.fail("/older", redirect(f"{server.url}{API}", 308))
    assert client.get_json(server.url + "/old")["object"] == "list"


def test_circular_redirects_are_an_error(server: ScryfallServer, client: Client) -> None:
    server.fail_always("/here", redirect("/there"))
    server.fail_always("/there", redirect("/here"))
    with pytest.raises(DownloadError, match="redirects without end"):
        client.get_json(server.url + "/here")
    assert len(server.requests) == 6


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://x", "http://[", "http://a b/"])
def test_redirect_to_another_scheme_is_an_error(server: ScryfallServer, client: Client, place: str) -> None:
    server.fail(API, redirect(place))
    with pytest.raises(DownloadError, match="redirects to an address that is not allowed"):
        client.get_json(server.url + API)
    assert len(server.requests) == 1


def test_body_of_a_redirect_is_not_read(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
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
def test_only_http_addresses_are_requested(client: Client, target: Path, url: str) -> None:
    with pytest.raises(AddressError, match="not an http or https address") as caught:
        client.get_json(url)
    assert printable_line(str(caught.value)) == str(caught.value)
    with pytest.raises(AddressError, match="not an http or https address"):
        client.fetch(url, target)


def test_password_in_an_address_is_neither_sent_nor_shown(client: Client) -> None:
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
def test_redirect_never_leaves_https(text: str) -> None:
    for place in (text, f"http:{text}", f"//{text}"):
        with suppress(DownloadError):
            assert next_address("https://example.com/x", place).startswith("https://")


def test_recent_cached_answer_needs_no_request(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    first = client.get_json(server.url + API, max_age=86_400)
    time.now += 86_399
    assert client.get_json(server.url + API, max_age=86_400) == first
    assert len(server.requests) == 1
    time.now += 1
    assert client.get_json(server.url + API, max_age=86_400) == first
    assert len(server.requests) == 2
    client.get_json(server.url + API)
    assert len(server.requests) == 3


def test_old_cached_answer_is_revalidated(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    url = server.put("/file/cards.json", b'["one"]')
    for _ in range(3):
        assert client.get_json(url, max_age=60) == ["one"]
        time.now += 61
    tag = server.seen("/file/cards.json")[1].headers["if-none-match"]
    assert [request.headers.get("if-none-match") for request in server.requests] == [None, tag, tag]
    server.put("/file/cards.json", b'["two"]')
    assert client.get_json(url, max_age=60) == ["two"]


def test_damaged_cached_answer_is_requested_again(server: ScryfallServer, client: Client, tmp_path: Path) -> None:
    first = client.get_json(server.url + API, max_age=60)
    (stored,) = (path for path in (tmp_path / "cache" / "answers").iterdir() if "manifest" not in path.name)
    stored.write_bytes(b"x" * stored.stat().st_size)
    assert client.get_json(server.url + API, max_age=60) == first
    manifest_path(stored).write_text('{"url": 5}')
    assert client.get_json(server.url + API, max_age=60) == first
    assert len(server.requests) == 3


def test_cached_answer_with_a_future_time_is_requested_again(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    client.get_json(server.url + API, max_age=60)
    time.now -= 100_000
    client.get_json(server.url + API, max_age=60)
    assert len(server.requests) == 2


# --- The headers of a request, and the pauses before another attempt ---------------------------------------------


def test_request_names_the_program_and_what_it_accepts(server: ScryfallServer, client: Client) -> None:
    listing = client.get_json(server.url + API)
    assert [entry["type"] for entry in listing["data"]][:3] == ["oracle_cards", "unique_artwork", "default_cards"]
    (request,) = server.seen(API)
    assert request.headers["user-agent"].partition(" ")[0] == f"ccgrid/{version('ccgrid')}"
    assert "*/*" in request.headers["accept"]


def test_server_rejects_the_user_agent_of_a_library(server: ScryfallServer) -> None:
    import requests

    answer = requests.get(server.url + API, timeout=60)
    assert (answer.status_code, answer.json()["subcode"]) == (400, "generic_user_agent")
    answer.close()


def test_status_503_is_retried_with_growing_back_off(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, unavailable(), unavailable(502))
    assert client.get_json(server.url + API)["object"] == "list"
    assert time.slept == [0.5, 1.0]
    assert len(server.requests) == 3


def test_permanent_status_503_ends_with_an_alternative(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail_always(API, unavailable())
    with pytest.raises(DownloadError) as caught:
        client.get_json(server.url + API)
    host = server.url.removeprefix("http://")
    assert str(caught.value) == f"{host} answered 503 (Service Unavailable) (5 tries)." + ALTERNATIVE_ADVICE
    assert time.slept == [0.5, 1.0, 2.0, 4.0]
    assert len(server.requests) == 5
    assert isinstance(caught.value, CatalogError)


def test_status_429_with_retry_after_waits_for_that_time(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    server.fail(API, too_many("31"))
    client.get_json(server.url + API)
    assert time.slept == [31.0]


def test_status_429_with_date_is_measured_by_the_servers_clock(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    there = datetime(2031, 5, 1, 12, 0, 0, tzinfo=UTC)
    until = format_datetime(there.replace(second=45), usegmt=True)
    dates = {"Retry-After": until, "Date": format_datetime(there, usegmt=True)}
    server.fail(API, replace(too_many(until), headers=dates))
    client.get_json(server.url + API)
    assert time.slept == [45.0]


@pytest.mark.parametrize("unclear", [None, "soon", "-5", ""])
def test_status_429_without_a_time_waits_for_scryfalls_lock(
    server: ScryfallServer, client: Client, time: FakeTime, unclear: str | None
) -> None:
    server.fail(API, too_many(unclear))
    client.get_json(server.url + API)
    assert time.slept == [30.0]


def test_status_429_with_time_zero_still_backs_off(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, too_many("0"), too_many("0"))
    client.get_json(server.url + API)
    assert time.slept == [0.5, 1.0]


@pytest.mark.parametrize(("seconds", "message"), [("600", "10 minutes"), ("86400", "24 hours"), ("9" * 60, "hours")])
def test_too_long_a_requested_pause_ends_with_the_time(
    server: ScryfallServer, client: Client, time: FakeTime, seconds: str, message: str
) -> None:
    server.fail(API, too_many(seconds))
    with pytest.raises(DownloadError, match=rf"429 \(Too Many Requests\), and asks .* try again in .*{message}\.\n"):
        client.get_json(server.url + API)
    assert time.slept == []
    assert len(server.requests) == 1


def test_no_attempt_starts_after_the_longest_time(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    server.fail_always(API, unavailable(Retry_After="119"))
    patient = make_client(tmp_path, time, attempts=1000)
    with (
        patient,
        pytest.raises(DownloadError, match=r"answered 503 \(Service Unavailable\), and 3 hours have passed\.\n"),
    ):
        patient.get_json(server.url + API)
    assert sum(time.slept) == pytest.approx(LONGEST_TIME, abs=2 * 119)


def test_status_503_with_retry_after_waits_for_that_time(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    server.fail(API, unavailable(Retry_After="7"))
    client.get_json(server.url + API)
    assert time.slept == [7.0]


def test_connection_closed_without_an_answer_is_retried(server: ScryfallServer, client: Client, time: FakeTime) -> None:
    server.fail(API, Fault(hang_up=True), cut(after=100))
    assert client.get_json(server.url + API)["object"] == "list"
    assert time.slept == [0.5, 1.0]


def test_timeout_is_retried(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
    server.fail_always(API, Fault(stall=120))
    impatient = make_client(tmp_path, time, timeouts=(1, 0.1), attempts=2)
    with impatient, pytest.raises(DownloadTimeoutError, match=r"did not answer in time \(2 tries\)\.\n"):
        impatient.get_json(server.url + API)
    assert time.slept == [0.5]


def test_unreachable_server_is_reported_at_once_with_an_alternative(client: Client, time: FakeTime) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(UnreachableError) as caught:
            client.get_json(f"http://{host}/bulk-data")
    assert str(caught.value) == f"no server answers at {host}." + ALTERNATIVE_ADVICE
    assert time.slept == []


def test_unknown_host_asks_whether_the_computer_is_online(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UnreachableError) as caught:
        client.get_json("https://api.scryfall.com/bulk-data")
    assert str(caught.value) == "api.scryfall.com cannot be found: is this computer online?" + ALTERNATIVE_ADVICE


def test_missing_proxy_is_named_as_the_reason(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://someone:secret@127.0.0.1:1")
    with pytest.raises(DownloadError, match=r"^the proxy .* does not lead to cards\.example\.\n") as caught:
        client.get_json("http://cards.example/")
    assert "secret" not in str(caught.value)


def test_error_status_is_not_retried_and_quotes_the_server(
    server: ScryfallServer, client: Client, time: FakeTime
) -> None:
    server.fail(API, refusal(403, "You are blocked.\n\x1b[2JGo \u202eaway."))
    with pytest.raises(StatusError) as caught:
        client.get_json(server.url + API)
    assert caught.value.status == 403
    first, second = str(caught.value).split("\n")
    assert first.endswith("answered 403 (Forbidden) for /bulk-data: You are blocked. \ufffd[2JGo \ufffdaway.")
    assert second == ALTERNATIVE_ADVICE.strip()
    assert time.slept == []


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[" * 100_000, b'{"details": 5}', b'"text"', b"\xff\xfe", b'{"details": "cut', b"\0" * 99]
)
def test_error_status_with_an_odd_body_is_one_sentence(server: ScryfallServer, client: Client, body: bytes) -> None:
    server.fail(API, Fault(404, body=body))
    with pytest.raises(DownloadError, match=r"answered 404 \(Not Found\) for /bulk-data\.\n"):
        client.get_json(server.url + API)
