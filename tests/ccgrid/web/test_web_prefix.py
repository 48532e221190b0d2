"""Tests of pages below a path, such as `/ccgrid/`, with which all addresses, redirections and cookies begin."""

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from helpers.browsers import PHONE
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.phones import guests
from helpers.web_server import Guest, RunningServer, server

from ccgrid.engine.games import GAMES
from ccgrid.services import card_pictures, collection

ROOT = "/ccgrid"
ADDRESSES = re.compile(r'\b(?:href|src|action|formaction|data-(?:source|events|why))="([^"]*)"')


@pytest.fixture
def served(tmp_path: Path):
    cards = [row(number, f"Drake {chr(64 + number)}", number % 11) for number in range(1, 27)]
    database = make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", cards))
    with server(tmp_path / "tables", database=database, root=ROOT) as running:
        yield running


def crawl(guest: Guest, *first: str) -> set[str]:
    """Return the paths of all pages linked from the first ones; check that each is below the root and opens."""
    pending, seen = list(first), set[str]()
    while pending:
        page = pending.pop()
        path = urlsplit(page).path
        if path in seen or page.startswith("data:"):
            continue
        seen.add(path)
        assert path.startswith(f"{ROOT}/"), page
        if path.endswith("/events") or path.startswith(f"{ROOT}/browse"):
            continue
        answer = guest.session.get(urljoin(guest.served.address, page), timeout=60)
        is_form = answer.status_code == 405  # it accepts only POST
        assert is_form or answer.status_code in (200, 204), (page, answer.status_code, answer.text)
        if "text/html" in answer.headers.get("content-type", ""):
            pending += [urljoin(page, unescape(address)) for address in ADDRESSES.findall(answer.text)]
    return {address.removeprefix(ROOT) for address in seen}


def test_all_addresses_of_pages_begin_with_the_path(served: RunningServer, monkeypatch: pytest.MonkeyPatch):
    ann = served.guest()
    assert {(cookie.path, cookie.name.rpartition("-")[0]) for cookie in ann.session.cookies} == {
        (f"{ROOT}/", "ccgrid"),
        (f"{ROOT}/", "ccgrid-guest"),
    }
    named = {"Drake A": "0123-0"}
    monkeypatch.setattr(card_pictures, "pictures_of", lambda *_: named)
    monkeypatch.setattr(card_pictures, "read_picture", lambda database, name: b"picture")
    collection.add_copies(None, "mtg:dsk/1", 2, "Attic")
    assert ann.post("/decks/new", game="grid", kind="random", name="Ours").url.startswith(served.address)
    for fields in ({"computer": ["", ""]}, {"cards": "real", "faction": "1"}):
        ann.post("/tables", game="grid", name=["Ann", "Bob"], **fields)
    session = served.tables.find(1).session
    session.play(session.state.legal_moves()[0])
    session.resign(session.state.to_move)
    starts = [
        f"{ROOT}{page}" for page in ("/", "/cards?q=drake", "/table/1/board", "/real/2/board", "/scan", "/doubts")
    ]
    monkeypatch.setattr("ccgrid.services.training.puzzles", lambda *_, **__: [])
    found = crawl(ann, *starts)
    expected = {"/static/web.js", "/boxes", "/card", "/pictures/0123-0", "/deck/1/pull", "/deck/1/file"}
    expected |= {f"/play/{game}" for game in GAMES.names} | {f"/puzzle/{game}" for game in GAMES.names}
    expected |= {"/table/1/part", "/table/1/why", "/table/1/games/1/record", "/table/1/moves", "/real/2/part"}
    assert expected <= found
    assert ann.get("/nothing").status_code == 404
    assert f'href="{ROOT}/"' in ann.get("/nothing").text


def test_browser_plays_and_searches_below_the_path(browser: Any, served: RunningServer):
    with guests(browser, served, PHONE) as (ann,):
        assert urlsplit(ann.url).path == f"{ROOT}/"
        ann.goto(f"{served.address}/play/matrix")
        ann.locator("[name=name]").nth(0).fill("Ann")
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_selector(".play[data-ways]", timeout=60_000)
        assert urlsplit(ann.url).path == f"{ROOT}/table/1"
        before = ann.locator(".play").get_attribute("data-version")
        ann.locator("details.moves summary").first.click()
        ann.locator(".choices button").first.click()
        ann.wait_for_selector(f'.play:not([data-version="{before}"])', timeout=60_000)
        assert len(served.tables.find(1).session.moves) >= 1
        ann.goto(f"{served.address}/cards")
        ann.locator("[name=q]").type("drake c")
        ann.wait_for_selector("#found a:has-text('Drake C')")
        assert urlsplit(ann.url).path == f"{ROOT}/cards"
