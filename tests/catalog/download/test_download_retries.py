"""What a client says of itself, and how long it waits before it asks again."""

import socket
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import version
from pathlib import Path

import pytest
from download_world import API, WAY_AROUND, FakeTime, make_client
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import Fault, cut, refusal, too_many, unavailable

from ccgrid.catalog.card import CatalogError
from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.hosts import LONGEST_TIME


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
