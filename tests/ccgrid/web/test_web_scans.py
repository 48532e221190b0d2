"""Tests of photographs from phones: upload, reading in a limited process, review, and boxes."""

import re
import socket
import struct
import time
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import requests
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.web_server import Guest, RunningServer, alert_message, connect_from_other_address, server

from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.engine.picture import Tile, Tiles
from ccgrid.services import card_pictures, collection, scan_queue
from ccgrid.services.catalogue import open_collection
from ccgrid.services.scan_queue import ReadCard

pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
made_up_pictures = pytest.importorskip("helpers.made_up_pictures")

NAMES = ("Amber Drake", "Brass Heron", "Cinder Wolf", "Dusk Lantern", "Ember Knight")
ZONES = ({"top": "7"}, {"left": "3"}, {"bottom-right": "5"}, {"top-left": "9"}, {"right": "2"})


def draw_card(number: int) -> bytes:
    name, zones = NAMES[number], ZONES[number]
    return bytes(made_up_pictures.packed(made_up_pictures.draw(name, zones, "A made-up card.\nIt sleeps."), "JPEG"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", [row(1, NAMES[0], 7)]))


def upload(guest: Guest, content: bytes, name: str = "card.jpg", token: str | None = None) -> requests.Response:
    page = guest.get("/scan").text
    found = re.search(r'data-form="(\w+)"', page)
    assert found is not None
    headers = {"X-Form": found[1] if token is None else token, "Accept": "application/json"}
    where = f"{guest.served.address}/scan/pictures"
    params = {"name": name, "game": "mtg"}
    return guest.session.post(where, data=content, headers=headers, params=params, timeout=60)


def wait_until_read(served: RunningServer) -> list[scan_queue.Photograph]:
    """Wait until all photographs are read, and return them."""
    end = time.monotonic() + 240
    while served.scans.is_waiting and time.monotonic() < end:
        time.sleep(0.1)
    return list(served.scans)


def form_fields(page: str) -> dict[str, str]:
    """Return the fields of a card's form with their initial values."""
    found = dict(re.findall(r'<input [^>]*name="([\w-]+)" value="([^"]*)"', page))
    found["copies"] = "1"
    for name, body in re.findall(r'<select name="(\w+)">(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', body)
        found[name] = chosen[1] if chosen else ""
    return {name: value for name, value in found.items() if name != "csrf"}


def owned_copies(database: Path) -> list[tuple[int, str, str, str]]:
    with open_collection(database, lambda: None) as store:
        return sorted((one.copies, one.name, one.condition, one.place.box) for one in store.holdings())


def test_photograph_becomes_card_with_picture_and_undo_reverts_it(served: RunningServer, database: Path):
    ann = served.guest()
    assert upload(ann, draw_card(1)).json() == {"number": 1}
    (photograph,) = wait_until_read(served)
    assert [card.read.name for card in photograph.cards] == [NAMES[1]]
    page = ann.get("/scan/1/0").text
    assert re.search(r'<text x="[\d.]+" y="[\d.]+" font-size="[\d.]+">3</text>', page)
    assert ann.get("/scan/1/0/picture").content.startswith(b"\xff\xd8")
    given = {**form_fields(page), "zone-left": "4", "copies": "2", "condition": "played", "box": "Attic"}
    ann.post("/scan/1/0/keep", **given)
    assert owned_copies(database) == [(2, NAMES[1], "played", "Attic")]
    (card_id,) = [one.card_id for one in holdings(database)]
    assert collection.owned_card(database, card_id).explained.card.zones == {"left": 4}
    picture = re.search(r'src="(/pictures/[\w-]+)"', ann.get("/card", id=card_id).text)
    assert picture is not None
    assert ann.get(picture[1]).content.startswith(b"\xff\xd8")
    assert picture[1] in ann.get("/cards", q="heron", part="1").text
    assert list(served.scans) == []
    collection.undo_last(database)
    assert owned_copies(database) == []
    assert card_pictures.pictures_of(database) == {}


def holdings(database: Path) -> list[Any]:
    with open_collection(database, lambda: None) as store:
        return list(store.holdings())


def test_photograph_is_matched_to_catalogue_unless_corrected(served: RunningServer, database: Path):
    ann = served.guest()
    for number in (0, 0):
        upload(ann, draw_card(number))
    assert len(wait_until_read(served)) == 1, "the same picture is in the queue once"
    page = ann.get("/scan/1/0").text
    given = form_fields(page)
    assert given["card"] == "mtg:dsk/1"
    assert "a card of its own" in page
    ann.post("/scan/1/0/keep", **{**given, "box": "Attic"})
    assert [one.card_id for one in holdings(database)] == ["mtg:dsk/1"]
    assert ann.get("/scan/1/0").status_code == 404
    assert "already saved" in upload(ann, draw_card(0)).json()["said"]
    again = made_up_pictures.draw(NAMES[0], {"top": "8"}, "Another card.\nIt is awake.")
    upload(ann, made_up_pictures.packed(again))
    wait_until_read(served)
    given = {**form_fields(ann.get("/scan/2/0").text), "zone-top": "8", "zone-top-right": "", "name": "Amber Drakes"}
    ann.post("/scan/2/0/keep", **given)
    assert sorted(one.card_id for one in holdings(database)) == ["mtg:dsk/1", "mtg:hand/amber-drakes"]


def test_photographed_cards_are_skipped_dropped_and_searched(served: RunningServer, database: Path):
    ann = served.guest()
    upload(ann, draw_card(2))
    upload(ann, draw_card(3))
    wait_until_read(served)
    page = ann.post("/scan/1/0/look", **{**form_fields(ann.get("/scan/1/0").text), "look": "amber"}).text
    assert 'value="mtg:dsk/1"' in page
    said = alert_message(ann.post("/scan/1/0/skip").text)
    assert said == "Left out Cinder Wolf: it is not in your collection."
    ann.post("/scan/2/drop")
    assert list(served.scans) == []
    assert holdings(database) == []


def test_pending_photographs_survive_server_restart(tmp_path: Path, database: Path):
    with server(tmp_path / "tables", database=database) as first:
        upload(first.guest(), draw_card(4))
    with server(tmp_path / "tables", database=database) as second:
        (photograph,) = wait_until_read(second)
        assert [card.read.name for card in photograph.cards] == [NAMES[4]]


def decompression_bomb() -> bytes:
    """Return a small file that claims to be a picture of 400 megapixels."""
    width = height = 20_000
    rows = zlib.compress(b"\0" * (height * (1 + width // 8)), 9)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_malicious_picture_does_not_affect_others(served: RunningServer):
    ann = served.guest()
    contents = [
        decompression_bomb(),
        b"\xff\xd8\xff" + b"junk" * 1000,
        draw_card(0)[:3000],
        b"<svg onload=alert(1)>",
        draw_card(1),
    ]
    for number, content in enumerate(contents):
        assert upload(ann, content, f"{number}.jpg").status_code == 200
    photographs = wait_until_read(served)
    assert [bool(one.reason) for one in photographs] == [True] * 4 + [False]
    assert "400 megapixels" in photographs[0].reason
    assert photographs[4].cards[0].read.name == NAMES[1]


def test_picture_that_crashes_or_hangs_the_reader_is_reported(served: RunningServer, monkeypatch):
    from ccgrid.services import scan_queue

    program = "import sys, time; time.sleep(60) if 'slow' in open(sys.argv[3]).read() else sys.exit(1)"
    ann, usual = served.guest(), scan_queue._PROGRAM
    monkeypatch.setattr(scan_queue, "_PROGRAM", (usual[0], "-c", program))
    monkeypatch.setattr(scan_queue, "PICTURE_SECONDS", 1.0)
    for content in (b"slow", b"broken"):
        upload(ann, content)
    assert ["cannot be read" in one.reason for one in wait_until_read(served)] == [True, True]


def test_uploads_are_limited_and_need_the_form_token(served: RunningServer, monkeypatch):
    ann = served.guest()
    monkeypatch.setattr(served.scans, "read_waiting", lambda: time.sleep(0.1))
    answer = upload(ann, b"x" * (scan_queue.LARGEST + 1))
    assert (answer.status_code, "at most 32 megabytes" in answer.text) == (409, True)
    assert upload(ann, b"").status_code == 409
    assert upload(ann, b"x", token="0" * 64).status_code == 409
    ann.session.headers["Origin"] = "http://elsewhere.example"
    found = ann.session.post(f"{served.address}/scan/pictures", data=b"x", timeout=60)
    assert found.status_code == 403
    ann.session.headers["Origin"] = served.address
    monkeypatch.setattr(scan_queue, "MOST", 2)
    assert [upload(ann, bytes([number])).status_code for number in range(3)] == [200, 200, 409]
    for name in ("..%2f..%2fcatalogue", "none-0", "%00"):
        assert ann.get(f"/pictures/{name}").status_code == 404
    for photograph in list(served.scans):
        served.scans.drop(photograph.number)


def test_page_that_is_left_while_sending_is_no_defect(served: RunningServer, caplog: pytest.LogCaptureFixture) -> None:
    ann = served.guest()
    token = re.search(r'data-form="(\w+)"', ann.get("/scan").text)
    assert token is not None
    host = served.address.removeprefix("http://")
    cookies = "; ".join(f"{one.name}={one.value}" for one in ann.session.cookies)
    head = f"Host: {host}\r\nOrigin: {served.address}\r\nCookie: {cookies}\r\nX-Form: {token[1]}\r\nContent-Length: 9"
    with socket.create_connection(("127.0.0.1", int(host.rpartition(":")[2]))) as sent:
        sent.sendall(f"POST /scan/pictures HTTP/1.1\r\n{head}\r\n\r\nhalf".encode())
        time.sleep(0.3)  # until the server reads the body
    time.sleep(0.3)
    ann.get("/scan")
    assert [one.getMessage() for one in caplog.records if one.levelname == "ERROR"] == []
    assert list(served.scans) == []


def test_own_pictures_are_drawn_for_all_copies():
    from ccgrid.web.pictures import Drawer

    tiles = Tiles((Tile(name="Amber Drake #2", zones={"top": 7}, label="a1"), Tile(name="Brass Heron", label="b1")), 2)
    html = Drawer(pictures={"Amber Drake": "/pictures/0123-0"}).draw(tiles)
    assert html.count("<img") == 1
    assert 'src="/pictures/0123-0"' in html


def test_picture_of_a_turned_card_is_turned():
    from ccgrid.web.pictures import Drawer

    tile = Tile(name="Amber Drake", zones={"right": 7}, label="a1", captions=("score 7",), turns=1)
    html = Drawer(pictures={"Amber Drake": "/pictures/0123-0"}).draw(Tiles((tile,), 1))
    assert '<img class="photo turns-1"' in html
    assert "score 7, turned 90°" in html


def test_names_read_from_pictures_are_escaped(served: RunningServer):
    ann = served.guest()
    upload(ann, b"no picture", "<script>alert(1)</script>.jpg")
    wait_until_read(served)
    assert "<script>alert" not in ann.get("/scan").text
    assert "&lt;script&gt;alert" in ann.get("/scan?part=1").text


def queue_guessed_card(served: RunningServer) -> tuple[Guest, dict[str, str]]:
    """Put a photograph with a guessed card into the queue; return the guest and the fields of the form."""
    seen = (SeenNumber("6", 6, "top", 50, 7, 0.9),)
    wait_until_read = ReadCard(ScannedCard("AMBER DRAKE", seen), b"", 343, 480, "mtg:dsk/1")
    photograph = scan_queue.Photograph(
        1, "card.jpg", "0" * 64, is_read=True, cards=[wait_until_read, ReadCard(wait_until_read.read, b"", 343, 480)]
    )
    served.scans._folder.mkdir(parents=True)
    served.scans._photographs[1] = photograph
    ann = served.guest()
    page = ann.get("/scan/1/0").text
    assert "It may be" in page
    return ann, form_fields(page)


def test_name_on_picture_selects_card_and_next_game(served: RunningServer, database: Path):
    ann, given = queue_guessed_card(served)
    following = ann.post("/scan/1/0/keep", **given)
    assert [one.card_id for one in holdings(database)] == ["mtg:dsk/1"]
    assert form_fields(following.text)["game"] == "mtg"


def test_one_tap_saves_all_certain_cards_in_the_box(served: RunningServer, database: Path) -> None:
    wait_until_read = ScannedCard("BEAST", ())
    drake = ReadCard(
        wait_until_read, draw_card(0), 343, 480, "mtg:dsk/1", is_sure=True, is_certain=True, name="Amber Drake"
    )
    other = ReadCard(ScannedCard("Brass", ()), draw_card(1), 343, 480)
    served.scans._folder.mkdir(parents=True)
    served.scans._photographs[1] = scan_queue.Photograph(
        1, "a.jpg", "0" * 64, is_read=True, cards=[drake, other, drake]
    )
    ann = served.guest()
    page = ann.get("/scan?box=Attic").text
    assert "Keep 2 certain cards in Attic" in page
    assert "1 of 3 cards to look at" in page
    assert page.count("Amber Drake</a>: certain") == 2
    assert served.scans.next_card == (1, 1)
    page = ann.post("/scan/certain", box="Attic").text
    assert "Kept 2 cards." in page
    assert "You kept 2 cards." in page
    assert "certain card" not in page
    (holding,) = holdings(database)
    assert (holding.card_id, holding.copies, holding.place.box) == ("mtg:dsk/1", 2, "Attic")
    assert served.scans.next_card == (1, 1)


def test_form_of_a_settled_picture_does_not_settle_another_one(
    served: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = served.guest()
    monkeypatch.setattr(served.scans, "read_waiting", lambda: time.sleep(0.1))
    for content in (b"first", b"second"):
        number = upload(ann, content).json()["number"]
        served.scans.drop(number)
        assert "is not in the queue any more" in ann.post(f"/scan/{number}/0/keep", name="Heron", copies="1").text
    assert (number, scan_queue.ScanQueue(served.scans._folder, None, print).add(b"x", "", "").number) == (2, 3)


def test_guess_in_another_game_is_not_preselected(served: RunningServer):
    ann, _ = queue_guessed_card(served)
    page = ann.get("/scan/1/0?game=fab").text
    assert '<option value="" selected>a card of its own' in page
    assert '<option value="fab" selected>' in page
    assert '<option value="" selected>a card of its own' not in ann.get("/scan/1/0?game=mtg").text


def test_corrected_guess_becomes_custom_card(served: RunningServer, database: Path):
    ann, given = queue_guessed_card(served)
    ann.post("/scan/1/0/keep", **{**given, "zone-top": "5", "game": "mtg"})
    (holding,) = holdings(database)
    assert holding.card_id.startswith("mtg:hand/")
    assert collection.owned_card(database, holding.card_id).explained.card.zones == {"top": 5}


def queue_card_without_game(served: RunningServer, game: str = "") -> dict[str, str]:
    """Put a photograph of a card of an unknown game into the queue, and return the fields of its form."""
    served.scans._folder.mkdir(parents=True, exist_ok=True)
    read_card = ReadCard(ScannedCard("Brass Heron", ()), draw_card(1), 343, 480)
    served.scans._photographs[1] = scan_queue.Photograph(1, "a.jpg", "0" * 64, game, is_read=True, cards=[read_card])
    return {"name": "Brass Heron", "zone-top": "7", "copies": "2", "game": "", "card": "", "finish": "nonfoil"}


def test_missing_game_must_be_chosen_once(served: RunningServer) -> None:
    ann, given = served.guest(), queue_card_without_game(served)
    assert '<option value="mtg" >Magic: The Gathering</option>' in ann.get("/scan").text
    rejected = ann.post("/scan/1/0/keep", **given)
    assert "Choose the card game" in alert_message(rejected.text)
    assert (rejected.url.partition("?")[0][-9:], 'value="Brass Heron"' in rejected.text) == ("/scan/1/0", True)
    assert '<label class="doubt">Card game' in rejected.text
    given = queue_card_without_game(served, "mtg")
    assert '<option value="mtg" selected>' in ann.get("/scan/1/0").text
    assert "2 Brass Heron." in ann.post("/scan/1/0/keep", **given).text


@pytest.mark.parametrize(("typed", "zones"), [("3 of 6", [3]), ("5 1/2", [5]), ("3/6", [3, 6])])
def test_numbers_typed_on_a_phone_are_read_as_at_the_terminal(
    served: RunningServer, database: Path, typed: str, zones: list[int]
) -> None:
    kept = served.guest().post("/scan/1/0/keep", **{**queue_card_without_game(served, "mtg"), "zone-top": typed}).text
    assert ("3/6 (top) was read as two numbers, 3 and 6." in unescape(kept)) == (typed == "3/6")
    (holding,) = holdings(database)
    explained = collection.owned_card(database, holding.card_id).explained
    assert [number.value for number in explained.numbers if number.counts] == zones


def test_typed_name_of_the_catalogue_needs_no_game(served: RunningServer, database: Path) -> None:
    ann, given = served.guest(), queue_card_without_game(served)
    assert "1 Amber Drake." in ann.post("/scan/1/0/keep", **{**given, "name": "amber drake", "copies": "1"}).text
    assert [one.card_id for one in holdings(database)] == ["mtg:dsk/1"]


def test_kept_cards_become_a_deck_to_play_with(served: RunningServer) -> None:
    ann, bob = served.guest(), served.guest()
    ann.post("/scan/1/0/keep", **queue_card_without_game(served, "mtg"))
    assert "You kept 2 cards." in ann.get("/scan").text
    assert "You kept" not in bob.get("/scan").text
    ann.post("/scan/1/0/keep", **{**queue_card_without_game(served, "mtg"), "copies": "1"})
    assert "You kept 3 cards." in ann.get("/scan").text
    ann.post("/copies/undo")
    assert "You kept 2 cards." in ann.get("/scan").text
    deck = ann.post("/scan/deck")
    assert deck.url.partition("?")[0].endswith("/deck/1")
    assert deck.text.count('data-card="Brass Heron') == 2
    assert "18 bundled cards completed the deck" in alert_message(deck.text)
    assert "It is legal." in deck.text
    assert "You kept" not in ann.get("/scan").text
    ann.post("/scan/1/0/keep", **{**queue_card_without_game(served, "mtg"), "zone-top": ""})
    ann.post("/scan/1/0/keep", **queue_card_without_game(served, "mtg"))
    play = ann.post("/scan/deck", play="yes")
    assert play.url.partition("&")[0].endswith("/play/grid?deck=2")
    assert '<option value="2" selected>' in play.text
    assert "Left out 2 cards that are not legal." in alert_message(play.text)
    assert alert_message(bob.post("/scan/deck").text)


def test_exceeded_limits_are_reported(served: RunningServer) -> None:
    ann = served.guest()
    assert upload(ann, b"").json()["said"] == "This picture is empty."
    message = upload(ann, b"x" * (scan_queue.LARGEST + 1)).json()["said"]
    assert message == "This picture is too large: a picture has at most 32 megabytes."


def test_phones_get_no_commands_to_run(served: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccgrid.catalog.extras.find_spec", lambda name: None)
    ann, phone = served.guest(), served.guest()
    connect_from_other_address(phone)
    assert "pip install" in ann.get("/scan").text
    assert "pip install" not in phone.get("/scan").text
    assert "Ask for help at the computer that runs ccgrid." in phone.get("/scan").text
