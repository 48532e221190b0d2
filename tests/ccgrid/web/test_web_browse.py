"""Tests of the tables of all cards on a server: current contents, read-only access, and the token."""

import re
import tempfile
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import requests
from helpers.browsers import DESK, PHONE
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.phones import guests
from helpers.web_server import server

from ccgrid.services.collection import add_copies

pytest.importorskip("datasette", reason="the extra 'browse' is not installed")
app_state = pytest.importorskip("ccgrid.web.app_state", reason="the extra 'web' is not installed", exc_type=ImportError)

LINK = 'href="/browse/"'


@pytest.fixture
def database(tmp_path: Path) -> Path:
    cards = [row(number, f"Drake {number}", number) for number in range(1, 9)]
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", cards))


@pytest.fixture
def _datasette() -> None:
    pytest.importorskip("datasette", reason="the extra 'browse' is not installed")


@pytest.mark.usefixtures("_datasette")
def test_tables_show_the_current_collection(tmp_path: Path, database: Path):
    with server(tmp_path / "tables", database=database) as served:
        ann = served.guest()
        assert LINK in ann.get("/cards").text
        assert LINK in ann.get("/boxes").text
        first = ann.get("/browse/").text
        assert ("All 8 cards" in first, "Your collection (0)" in first) == (True, True)
        add_copies(database, "mtg:dsk/7", 3, "Shelf")
        assert "Your collection (3)" in ann.get("/browse/").text
        found = ann.get("/browse/catalogue/collection.json", _shape="objects", _query="box:shelf").json()["rows"]
        assert [(line["name"], line["copies"]) for line in found] == [("Drake 7", 3)]
        assert all('"/catalogue' not in ann.get(path).text for path in ("/browse/", "/browse/catalogue/cards"))


@pytest.mark.usefixtures("_datasette")
def test_links_of_tables_lead_to_pages(tmp_path: Path, database: Path):
    add_copies(database, "mtg:dsk/7", 3, "Shelf")
    with server(tmp_path / "tables", database=database) as served:
        ann = served.guest()
        links = set(re.findall(r'href="(/[^"#]*)', ann.get("/browse/catalogue/collection").text))
        assert {link.partition("?")[0].rpartition(".")[2] for link in links} >= {"json", "csv"}
        assert [link for link in sorted(links) if not ann.get(unescape(link)).ok] == []


@pytest.mark.usefixtures("_datasette")
def test_tables_are_read_only_and_need_the_token(tmp_path: Path, database: Path):
    with server(tmp_path / "tables", database=database) as served:
        ann, here = served.guest(), f"{served.address}/browse/"
        assert ann.get("/browse/catalogue.json", sql="select 1").status_code in (403, 404)
        assert ann.get("/browse/catalogue.db").status_code == 403
        assert ann.post("/browse/catalogue/cards/-/insert").status_code == 405
        assert requests.get(here, timeout=60).status_code == 403
        assert ann.session.get(here, headers={"Sec-Fetch-Site": "cross-site"}, timeout=60).status_code == 403
        assert ann.session.get(here, headers={"Host": "rebound.example"}, timeout=60).status_code == 421
        policy = ann.session.get(here, timeout=60).headers["content-security-policy"]
        assert "'unsafe-inline'" not in policy.partition("script-src")[2].partition(";")[0]


@pytest.mark.usefixtures("_datasette")
def test_missing_catalogue_is_reported_and_copy_is_deleted(
    tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    with server(tmp_path / "none") as served:
        answer = served.guest().get("/browse/")
        assert (answer.status_code, "ccgrid import starter" in answer.text) == (409, True)
    with server(tmp_path / "tables", database=database) as served:
        assert served.guest().get("/browse/").ok
        assert list(scratch.iterdir())
    assert list(scratch.iterdir()) == []


def test_tables_are_not_linked_without_extra(tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: None)
    with server(tmp_path / "tables", database=database) as served:
        ann = served.guest()
        assert LINK not in ann.get("/cards").text + ann.get("/boxes").text
        assert "Install it" in ann.get("/browse/").text


@pytest.mark.usefixtures("_datasette")
def test_tables_open_in_browser_without_errors(browser: Any, tmp_path: Path, database: Path):
    with server(tmp_path / "tables", database=database) as served, guests(browser, served, PHONE, DESK) as pages:
        for page in pages:
            page.goto(f"{served.address}/boxes")
            page.click("text=Browse with filters and totals")
            page.wait_for_url(f"{served.address}/browse/")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.fill("[name=_query]", "number:7")
            page.click("input[value=Find]")
            page.click("table.rows-and-columns td a")
            assert "Drake 7" in page.inner_text("h1")
            page.goto(f"{served.address}/browse/catalogue")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.goto(f"{served.address}/browse/")
            page.click("text=Games, scans and decks")
            page.wait_for_url(f"{served.address}/")
