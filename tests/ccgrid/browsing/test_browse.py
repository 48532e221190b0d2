"""Tests of the catalogue in a browser, requested over HTTP: contents, read-only access, start and end."""

import asyncio
import csv
import json
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import pytest
import requests
from helpers.browsers import run_chromium
from helpers.catalogues import Shell, row, write_rows
from helpers.processes import end, ends_with_test

from ccgrid.browsing import guard
from ccgrid.browsing.serve import pages_metadata
from ccgrid.catalog.extras import install_command
from ccgrid.catalog.store.browse_copy import MOST_MEMORY, write_copy
from ccgrid.catalog.store.catalogue import Store

needs_browsing = pytest.mark.skipif(find_spec("datasette") is None, reason="the extra 'browse' is not installed")


@pytest.fixture
def example_catalogue(shell: Shell) -> Shell:
    """A catalogue of 40 cards, three of them in a box."""
    cards = [row(number, f"Drake {number}", number % 11) for number in range(1, 40)]
    cards.append(row(40, "Brass Ferryman", 10, oversized=True))
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", cards))
    shell.good("collection", "add", "Drake 7", "--copies", "3", "--box", "Shelf")
    return shell


class BrowseServer:
    """A running `ccgrid browse`, and requests to it."""

    def __init__(self, shell: Shell) -> None:
        command = [sys.executable, "-m", "ccgrid", "browse", "--port", "0", "--json"]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, env=shell.environment(), text=True, **streams)
        assert self.process.stdout is not None
        self.link = json.loads(self.process.stdout.readline())["address"]
        self.address, _, self.token = self.link.partition("?token=")
        port = self.address.rstrip("/").rpartition(":")[2]
        self.cookies = {f"ccgrid-{port}": self.token}

    def get(self, path: str, **headers: str) -> requests.Response:
        return requests.get(self.address + path, timeout=60, cookies=self.cookies, headers=headers)

    def rows(self, path: str) -> list[dict[str, object]]:
        """Return the rows of a page in JSON."""
        found = self.get(path)
        assert found.status_code == 200, found.text
        return found.json()["rows"]

    def stop(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """Stop the server with a signal, and return its exit status and output."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=240)
        return self.process.returncode, out, err


def serve_until_end_of_test(shell: Shell) -> BrowseServer:
    """Start a server that ends with the test."""
    server = BrowseServer(shell)
    ends_with_test(server.process)
    return server


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[BrowseServer]]]:
    """The folder and the server for tests that only read; the first of them starts it."""
    started: list[BrowseServer] = []
    yield tmp_path_factory.mktemp("served"), started
    for server in started:
        end(server.process)


@pytest.fixture
def served(example_catalogue: Shell, shared_server: tuple[Path, list[BrowseServer]]) -> BrowseServer:
    """The shared server, with the cards of the example catalogue."""
    folder, started = shared_server
    if not started:
        shell = Shell(folder, example_catalogue.capture)
        shutil.copy(example_catalogue.database, shell.database)
        started.append(BrowseServer(shell))
    return started[0]


@needs_browsing
def test_cards_are_listed_searched_faceted_and_queried(served: BrowseServer):
    assert "ccgrid: the catalogue and the collection" in served.get("").text
    page = served.get("catalogue/cards").text
    assert "Every printing in the catalogue" in page
    facets = served.get("catalogue/cards.json?_size=0").json()["facet_results"]
    facets = facets.get("results", facets)
    assert {"game", "set_code", "legal", "reason", "zones"} <= set(facets)
    counts = {found["value"]: found["count"] for found in facets["legal"]["results"]}
    assert counts == {"legal": 39, "barred": 1}
    found = served.rows("catalogue/cards.json?_query=ferryman&_shape=objects")
    assert [(card["name"], card["reason"]) for card in found] == [("Brass Ferryman", "oversized")]
    zones = served.rows("catalogue/cards.json?zones__arraycontains=top-right&_size=100&_shape=objects")
    assert len(zones) == 40
    tens = served.rows("catalogue/ten_top_right.json?_shape=objects")
    assert {card["name"] for card in tens} == {"Drake 10", "Drake 21", "Drake 32", "Brass Ferryman"}
    boxes = served.rows("catalogue/in_box.json?box=Shelf&_shape=objects")
    assert [(line["box"], line["name"], line["copies"]) for line in boxes] == [("Shelf", "Drake 7", 3)]


@needs_browsing
def test_first_page_lists_owned_cards_first_and_searches(served: BrowseServer):
    page = served.get("").text
    assert page.count('<div class="card ') == 18
    path, name = re.findall(r'<a href="/(\S+)"><div class="card .*?<span class="name">([^<]*)', page, re.DOTALL)[0]
    assert name == "Drake 7"
    assert "You own 3, in Shelf." in served.get(path).text
    assert "All 40 cards" in page
    assert "Your collection (3)" in page
    assert 'name="_query"' in page


@needs_browsing
def test_first_card_is_visible_without_scrolling(served: BrowseServer):
    for browser in run_chromium():
        for width, height in ((360, 640), (1280, 720)):
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(served.link)
            place = page.locator(".card").first.bounding_box()
            assert place is not None
            assert place["y"] + place["height"] <= height
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@needs_browsing
def test_queries_find_cards_and_owned_copies(served: BrowseServer):
    def found(query: str, table: str = "cards") -> set[object]:
        address = f"catalogue/{table}.json?_size=100&_shape=objects&_query={quote(query)}"
        return {line["name"] for line in served.rows(address)}

    assert found("tr>=10") == {"Drake 10", "Drake 21", "Drake 32", "Brass Ferryman"}
    assert found("tr>=10 legal -number:10") == {"Drake 21", "Drake 32"}
    assert found("brass feryman") == {"Brass Ferryman"}
    assert found("own:>=2") == found("box:shelf", "collection") == {"Drake 7"}
    assert found("tr:none") == found("tr:none", "collection") == set()
    page = served.get(f"catalogue/cards?_query={quote('tr>=10')}").text
    assert 'value="tr&gt;=10"' in page
    assert "4 rows" in page
    wrong = served.get(f"catalogue/cards?_query={quote('tpo:3')}")
    assert (wrong.status_code, "the nearest are top, " in wrong.text) == (400, True)
    assert "Here: [tpo]:3" in wrong.text


@needs_browsing
@pytest.mark.parametrize(
    "query",
    [
        *(
            "tr>=10 -number:10",
            "-legal",
            "is:legal or reason:digital",
            "(tr<3 or tr>30) game:mtg",
            "name:/^drake [12]$/",
        ),
        *(
            '"drake 1"',
            "set:dsk year>=1990",
            "own:>=1 box:shelf",
            "is:owned",
            "-is:owned score<5",
            "cond:nm or lang:en",
        ),
        *("tr>bl", "face:none", "brass feryman or own:3"),
    ],
)
def test_query_has_the_same_results_as_search(served: BrowseServer, example_catalogue: Shell, query: str):
    address = f"catalogue/cards.json?_size=1000&_shape=objects&_query={quote(query)}"
    searched = example_catalogue("search", "--all", "--json", "--", query)
    assert searched.status in (0, 1)
    assert {line["id"] for line in served.rows(address)} == {line["id"] for line in searched.json_lines}


@needs_browsing
def test_every_canned_query_runs(served: BrowseServer):
    for name in pages_metadata()["databases"]["catalogue"]["queries"]:
        assert served.get(f"catalogue/{name}.json?box=").json()["ok"] is True, name


@needs_browsing
def test_card_page_shows_numbers_in_zones(served: BrowseServer):
    path = quote("mtg:dsk/7", safe="").replace("%", "~")
    page = served.get(f"catalogue/cards/{path}").text
    drawn = page[page.index('<div class="card ') :]
    assert dict(re.findall(r'<b class="number ([a-z-]+)">(\d*)</b>', drawn))["top-right"] == "7"
    assert "You own 3, in Shelf." in page
    assert "Legal in decks." in page


@needs_browsing
def test_table_and_card_page_show_the_fields_of_the_card(shell: Shell):
    card = row(
        1, "Brass Ferryman", 4, cmc=4.0, rarity="rare", artist="Ann <Example>", oracle_text="Draw 2 cards.\nThen rest."
    )
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", [card]))
    served = serve_until_end_of_test(shell)
    [found] = served.rows("catalogue/cards.json?_shape=objects")
    expected = {"type": "Artifact", "rarity": "rare", "cost": "{4}", "mana_value": 4, "artist": "Ann <Example>"}
    assert {name: found[name] for name in expected} == expected
    assert found["text"] == "Draw 2 cards.\nThen rest."
    path = re.findall(r'<a href="/(\S+)"><div class="card ', served.get("").text)[0]
    page = served.get(path).text
    assert "<p>Draw 2 cards.</p><p>Then rest.</p>" in page
    assert "Artifact {4}" in page
    assert "1, rare, drawn by Ann &lt;Example&gt;. Legal in decks." in page


@needs_browsing
def test_rarities_have_one_spelling(shell: Shell):
    cards = [row(number, rarity=rarity) for number, rarity in enumerate(("Rare", "rare", "Rare", "common"), 1)]
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", cards))
    found = serve_until_end_of_test(shell).rows("catalogue/cards.json?_shape=objects")
    assert sorted(card["rarity"] for card in found) == ["Rare", "Rare", "Rare", "common"]


@needs_browsing
def test_pages_are_read_only(example_catalogue: Shell):
    served = serve_until_end_of_test(example_catalogue)
    with Store(example_catalogue.database) as store:
        before = store.stats()
    response = requests.post(
        f"{served.address}catalogue/cards/-/insert", json={"row": {"id": "x"}}, cookies=served.cookies, timeout=240
    )
    assert response.status_code == 405
    assert served.get("catalogue.db").status_code == 403
    assert len(served.rows("catalogue/cards.json?_size=100&_shape=objects")) == 40
    with Store(example_catalogue.database) as store:
        assert store.stats() == before
    status, out, err = served.stop()
    assert (status, out, err) == (0, "", "")


FREE_SQL = (
    "catalogue.json?sql=select+zeroblob(1000000000)",
    "catalogue?sql=select+1",
    "catalogue.csv?sql=select+1",
    "_memory.json?sql=select+1",
    "_internal.json?sql=select+1",
    "catalogue/cards.json?_where=1+in+(select+1)",
    "catalogue/cards.csv?_where=length(zeroblob(1000000000))",
)


@needs_browsing
def test_free_sql_is_rejected(served: BrowseServer):
    statuses = {path: served.get(path).status_code for path in FREE_SQL}
    assert set(statuses.values()) <= {403, 404}, statuses


# --- Access -------------------------------------------------------------------------------------------------------


@needs_browsing
def test_token_in_address_becomes_a_cookie(served: BrowseServer):
    for index, path in enumerate(("", "catalogue/cards?_query=drake&", "/rebound.example/")):
        separator = "" if path.endswith("&") else "?"
        first = requests.get(
            f"{served.address}{path}{separator}token={served.token}", timeout=60, allow_redirects=False
        )
        expected = ("/", "/catalogue/cards?_query=drake", "/rebound.example/")[index]
        assert (first.status_code, first.headers["location"]) == (302, expected)
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(first.headers["set-cookie"].split("; "))
    browser = requests.Session()
    assert "the catalogue and the collection" in browser.get(served.link, timeout=60).text
    assert browser.get(f"{served.address}catalogue/cards.json", timeout=60).ok


@needs_browsing
def test_request_without_token_is_rejected(served: BrowseServer):
    ((name, token),) = served.cookies.items()
    refusal = "Open the complete address that 'ccgrid browse' printed, including the part after '?'.\n"
    wrong = ("", ""), ("", "x"), ("", "\xe9"), ("?token=", ""), ("?token=%C3%A9", ""), ("?token=x", token)
    for query, cookie in wrong:
        for path in ("", "catalogue/cards.json", "-/static/app.css", "nothing"):
            headers = {"Cookie": f"other={{}}; {name}={cookie}"}
            response = requests.get(f"{served.address}{path}{query}", headers=headers, timeout=60)
            assert (response.status_code, response.text) == (403, refusal)


@needs_browsing
def test_request_from_another_site_is_rejected_even_with_token(served: BrowseServer):
    own = served.address.rstrip("/")
    for name, value, status in (
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),  # another port of this machine
        ("Sec-Fetch-Site", "same-origin", 200),
        ("Sec-Fetch-Site", "none", 200),
        ("Origin", "https://rebound.example", 403),
        ("Origin", "http://127.0.0.1:1", 403),
        ("Origin", "null", 403),
        ("Origin", own, 200),
    ):
        assert served.get("catalogue/cards.json", **{name: value}).status_code == status, value
        first = requests.get(served.link, headers={name: value}, timeout=60, allow_redirects=False)
        assert first.status_code == (302 if status == 200 else 403), value


@pytest.mark.slow
@needs_browsing
def test_browser_shows_catalogue_and_sends_no_referrer(served: BrowseServer, tmp_path: Path):
    for browser in run_chromium():
        page = browser.new_page()
        page.goto(served.link)
        assert page.url == served.address
        page.goto(f"{served.address}catalogue/cards?_query=ferryman")
        assert "Brass Ferryman" in page.inner_text("table.rows-and-columns")
        responses: list[tuple[str, int]] = []
        page.on("response", lambda answer, responses=responses: responses.append((answer.url, answer.status)))
        address = f"{served.address}catalogue/cards.json?name=Brass+Ferryman"
        elsewhere = tmp_path / "elsewhere.html"
        elsewhere.write_text(
            f"""<img src="{address}"><script src="{address}&x"></script><iframe src="{address}&y"></iframe>
            <script>window.read = fetch("{address}&z", {{credentials: "include"}}).then(a => a.text(), () => "refused");
            </script>"""
        )
        page.goto(elsewhere.as_uri())
        assert page.evaluate("window.read") == "refused"
        assert {status for url, status in responses if url.startswith(served.address)} == {403}


# --- Limits -------------------------------------------------------------------------------------------------------

_QUERIES_SCRIPT = """
import asyncio, sys
from pathlib import Path
from ccgrid.browsing.serve import pages_of

async def tries():
    pages = pages_of(Path(sys.argv[1]), lambda table, query: frozenset())
    for sql in sys.argv[2:]:
        try:
            print([*(await pages.execute("catalogue", sql)).rows[0]])
        except Exception as error:
            print(error.args[0])

asyncio.run(tries())
"""


@needs_browsing
def test_queries_are_limited_in_memory_and_time(example_catalogue: Shell):
    copy = example_catalogue.folder / "copied" / "catalogue.db"
    copy.parent.mkdir()
    write_copy(example_catalogue.database, copy)
    numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    long = f"{numbers} SELECT group_concat(hex(zeroblob(100000)), '') FROM (SELECT i FROM n LIMIT 9)"
    queries = {
        "SELECT zeroblob(2000000)": "string or blob too big",
        long: "string or blob too big",
        f"{numbers} SELECT count(*) FROM n": "interrupted",
        "PRAGMA hard_heap_limit": f"[{MOST_MEMORY}]",
    }
    run = [sys.executable, "-c", _QUERIES_SCRIPT, str(copy), *queries]
    errors = subprocess.run(run, capture_output=True, text=True, check=True, timeout=240).stdout.splitlines()
    assert errors == list(queries.values())


async def _endless(scope: object, receive: object, send: object) -> None:
    await asyncio.sleep(3600)


def test_slow_answer_is_aborted():
    sent = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1:8001"), (b"cookie", b"ccgrid-8001=secret")]
    scope = {"type": "http", "method": "GET", "server": ("127.0.0.1", 8001), "headers": headers, "query_string": b""}
    asyncio.run(guard.guard_pages(_endless, "secret", "ccgrid browse", longest=0.01)(scope, None, send))
    assert (sent[0]["status"], sent[1]["body"]) == (
        503,
        b"This took too long and was stopped. Ask for fewer rows or a simpler query.\n",
    )


@needs_browsing
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminate"])
def test_server_stops_cleanly_and_deletes_the_copy(
    example_catalogue: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how
):
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    served = serve_until_end_of_test(example_catalogue)
    served.get("")
    assert list(folder.glob("ccgrid-*"))
    status, _, err = served.stop(how)
    assert "Traceback" not in err
    assert status == (0 if how == signal.SIGINT else -how) or status == 128 + how
    assert list(folder.glob("ccgrid-*")) == []


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("127.0.0.1:8001", True),
        ("localhost:8001", True),
        ("LOCALHOST", True),
        ("[::1]:8001", True),
        ("192.168.1.7:8001", True),
        (f"{socket.gethostname()}:8001", True),
        ("rebound.example:8001", False),
        ("127.0.0.1.rebound.example", False),
        ("localhost.rebound.example", False),
        ("", False),
        ("[::1", False),
        ("user@rebound.example", False),
    ],
)
def test_other_host_names_are_not_this_machine(host: str, answered: bool):
    assert guard.is_this_machine(host) is answered


@needs_browsing
def test_dns_rebinding_is_rejected(served: BrowseServer):
    path = "catalogue/cards.json?_shape=objects"
    response = served.get(path, Host="rebound.example")
    assert (response.status_code, response.text) == (421, "Use the address of this machine.\n")
    assert served.get(path, Host="localhost").json()["rows"]


@needs_browsing
def test_server_listens_on_loopback_by_default(served: BrowseServer):
    assert served.address.startswith("http://127.0.0.1:")
    port = int(served.address.rstrip("/").rpartition(":")[2])
    listening = subprocess.run(["ss", "-ltnH", f"sport = :{port}"], capture_output=True, text=True, check=False)
    if listening.returncode == 0 and listening.stdout:
        assert {line.split()[3] for line in listening.stdout.splitlines()} == {f"127.0.0.1:{port}"}


def test_used_port_is_reported(example_catalogue: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: True)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        result = example_catalogue("browse", "--port", port)
    assert result.status == 3
    assert f"Port {port} is not available: Address already in use." in result.err
    assert "--port 0" in result.err


def test_browse_reports_missing_cards_and_packages(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: True)
    without_cards = shell("browse")
    assert (without_cards.status, "ccgrid import starter" in without_cards.err) == (3, True)
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: None)
    without_extra = shell("browse")
    assert (without_extra.status, install_command("browse") in without_extra.err) == (3, True)


def test_host_must_be_numeric(example_catalogue: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: True)
    result = example_catalogue("browse", "--host", "example.org")
    assert (result.status, "not an address" in result.err) == (3, True)


def test_copy_contains_cards_and_collection(example_catalogue: Shell):
    copy = example_catalogue.folder / "copy.db"
    write_copy(example_catalogue.database, copy)
    with sqlite3.connect(copy) as connection:
        found = connection.execute("SELECT owned, boxes, zones FROM cards WHERE name = 'Drake 7'").fetchone()
        assert found == (3, "Shelf", '["top-right", "bottom"]')
    connection.close()


@needs_browsing
def test_untrusted_names_are_escaped(shell: Shell):
    names = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}{% raw %}", "javascript:alert(1)")
    cards = [
        row(number, name, number, set_name=name, collector_number=str(number)) for number, name in enumerate(names, 1)
    ]
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", cards))
    shell.good("collection", "add", "mtg:dsk/1", "--box", names[0])
    shell.good("collection", "add", "mtg:dsk/3", "--box", names[2])
    served = serve_until_end_of_test(shell)
    try:
        pages = [
            served.get(path).text for path in ("", "catalogue", "catalogue/cards", "catalogue/cards?_query=script")
        ]
        for number in range(1, 5):
            pages.append(served.get(f"catalogue/cards/{quote(f'mtg:dsk/{number}', safe='').replace('%', '~')}").text)
        pages.append(served.get(f"catalogue/in_box?box={quote(names[0])}").text)
        pages.append(served.get(f"catalogue/cards?_sort={quote(names[1])}").text)
    finally:
        served.stop()
    text = "".join(pages)
    assert "&lt;script&gt;alert(1)" in text
    assert "{{ 7*7 }}" in text
    assert not [part for part in ("<script>alert", "<img src=x", 'href="javascript:') if part in text]


@needs_browsing
def test_csv_tables_escape_formulas(shell: Shell):
    names = [f"{before}{sign}1+4" for before in ("", " ", "\u3000") for sign in "=+-@＝"]
    cards = [row(number, name, 1) for number, name in enumerate(names, 1)]
    shell.good("import", "mtg", write_rows(shell.folder / "cards.jsonl", cards))
    shell.good("collection", "add", "mtg:dsk/1", "--box", names[0])
    served = serve_until_end_of_test(shell)
    for path in ("cards.csv?_size=max", "cards.csv?_size=max&_dl=on", "collection.csv?_labels=on", "in_box.csv?box="):
        table = list(csv.DictReader(served.get(f"catalogue/{path}").text.splitlines()))
        assert len(table) == (len(names) if path.startswith("cards") else 1)
        assert {cell[:1] for card in table for cell in card.values()}.isdisjoint("=+-@＝ \u3000"), table
        assert "'=1+4" in {card["name"] for card in table}
