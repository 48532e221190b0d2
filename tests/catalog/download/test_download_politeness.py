"""Pauses between requests, certificates, and the local imitation of Scryfall's server."""

import json
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from download_world import API, NOW, ROWS, FakeTime, address, make_client
from helpers.scryfall_server import ScryfallServer
from helpers.server_faults import redirect
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.catalog.download import Client, DownloadError
from ccgrid.catalog.download.hosts import Pace, retry_after

# ---- pauses


def test_requests_to_one_host_are_paused(server: ScryfallServer, tmp_path: Path, time: FakeTime) -> None:
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


def test_only_scryfalls_api_is_limited_to_ten_requests_a_second(tmp_path: Path, time: FakeTime) -> None:
    pace = make_client(tmp_path, time)._pace
    for _ in range(4):
        pace.wait("api.scryfall.com")
        pace.wait("data.scryfall.io")
    assert time.slept == pytest.approx([0.1] * 3)


def test_each_host_has_its_own_pauses() -> None:
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
def test_any_retry_after_is_read_or_ignored(text: str, date: str) -> None:
    seconds = retry_after({"Retry-After": text, "Date": date}, NOW)
    assert seconds is None or seconds >= 0


def test_loading_the_package_does_not_load_the_network_libraries() -> None:
    program = "import sys, ccgrid.catalog.download; sys.exit('requests' in sys.modules or 'urllib3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_request_contains_only_the_name_of_the_program_and_the_request(
    server: ScryfallServer, tmp_path: Path, time: FakeTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with make_client(tmp_path, time) as client:
        client.get_json(server.url + API)
    (request,) = server.seen(API)
    assert set(request.headers) <= {"host", "user-agent", "accept", "accept-encoding", "connection"}


# ---- https


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate for 127.0.0.1, with its key in the same file."""
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


def test_untrusted_certificate_is_an_error(secure_server: ScryfallServer, client: Client, time: FakeTime) -> None:
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
    with pytest.raises(DownloadError, match="redirects from https to plain http, which is not allowed"):
        client.fetch(secure_server.url + "/file/x.gz", target)
    assert server.requests == []


def test_http_may_lead_up_to_https(
    secure_server: ScryfallServer, server: ScryfallServer, client: Client, certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    server.fail("/old", redirect(secure_server.url + API))
    assert client.get_json(server.url + "/old")["object"] == "list"


# ---- the imitated server


def test_old_style_of_the_api_offers_the_plain_array_too(tmp_path: Path, time: FakeTime) -> None:
    with ScryfallServer(ROWS[:20], old_style=True) as server, make_client(tmp_path, time) as client:
        entry = client.get_json(server.url + "/bulk-data/default-cards")
        assert entry == server.bulk_object()
        path = client.fetch(entry["download_uri"], tmp_path / "cards.json").path
        assert json.loads(path.read_bytes()) == ROWS[:20]


def test_imitated_api_has_the_keys_that_scryfall_sends(server: ScryfallServer, client: Client) -> None:
    assert set(client.get_json(server.url + "/bulk-data/default_cards")) == {
        "object", "id", "type", "updated_at", "uri", "name", "description", "jsonl_download_uri", "compressed_size",
    }  # fmt: skip
