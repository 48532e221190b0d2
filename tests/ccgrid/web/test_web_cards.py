"""Tests of cards on phones: search, details, boxes, and changes that can be undone."""

import re
from html import unescape
from pathlib import Path

import pytest
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.web_server import Guest, RunningServer, alert_message, connect_from_other_address, server

from ccgrid.catalog.collection import imports
from ccgrid.services import collection
from ccgrid.services.catalogue import open_collection


@pytest.fixture
def database(tmp_path: Path) -> Path:
    cards = [row(number, f"Drake {number}", number % 11) for number in range(1, 60)]
    cards += [row(70, "Brass <b>Ferryman", 10, oversized=True), row(71, "Drake 7", 7)]
    cards += [row(80, "Amber Archivist", 3), row(81, "Cinder Cartographer", 3)]
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", cards))


def names(guest: Guest, query: str) -> list[str]:
    return re.findall(r'<a href="/card\?id=[^"]+">([^<]*)</a>', guest.get("/cards", q=query, part="1").text)


def test_queries_find_cards_and_errors_are_explained(served: RunningServer):
    ann = served.guest()
    assert names(ann, "tr>=10 is:legal") == ["Drake 10", "Drake 21", "Drake 32", "Drake 43", "Drake 54"]
    assert names(ann, "brass feryman") == ["Brass &lt;b&gt;Ferryman"]
    assert "the nearest are top, " in ann.get("/cards", q="tpo:3", part="1").text
    assert "No card matches" in ann.get("/cards", q="zzzzzz", part="1").text
    assert "the first 40" in ann.get("/cards", q="game:mtg").text
    assert "<form" in ann.get("/cards").text
    assert ann.get("/cards", q="x" * 100_000).status_code in (200, 400)


def test_card_page_shows_numbers_printings_and_copies(served: RunningServer, database: Path):
    ann = served.guest()
    page = ann.get("/card", id="mtg:dsk/7").text
    assert 'class="number top-right">7</b>' in page
    assert "You own none." in page
    assert "Legal in decks." in page
    assert "/card?id=mtg%3Adsk%2F71" in page
    barred = ann.get("/card", id="mtg:dsk/70").text
    assert "Not legal in decks" in barred
    assert "<b>Ferryman" not in barred
    assert ann.get("/card", id="mtg:dsk/999").status_code == 404


def test_copies_are_added_and_removed_and_changes_undone(served: RunningServer, database: Path):
    ann, card = served.guest(), "mtg:dsk/7"

    def owned() -> list[tuple[int, str]]:
        return [(entry.copies, entry.place.box) for entry in collection.owned_card(database, card).holdings]

    ann.post("/copies/add", card=card, copies="3", box="Attic")
    assert owned() == [(3, "Attic")]
    page = ann.get("/card", id=card).text
    holding = re.search(r'name="holding" value="(\d+)"', page)
    assert holding is not None
    assert alert_message(ann.post("/copies/take", card=card, holding=holding[1]).text) == "Removed 1 Drake 7."
    assert owned() == [(2, "Attic")]
    assert "Undone: remove 1 Drake 7." in ann.post("/copies/undo", card=card).text
    assert owned() == [(3, "Attic")]
    assert "Attic" in ann.get("/boxes").text
    assert "Drake 7" in ann.get("/cards", q='box:"Attic"').text


BOX_NAMES = ('12" box', "Bob's", "'a\"/b", "A & B", "#1", "50%", "a+b", "\N{DRAGON} (1)", "<i>", "or")


def test_boxes_with_any_characters_are_opened(served: RunningServer, database: Path):
    for number, name in enumerate(BOX_NAMES, 1):
        collection.add_copies(database, f"mtg:dsk/{number}", 1, name)
    ann = served.guest()
    links = {
        unescape(name): unescape(to)
        for to, name in re.findall(r'href="(/cards\?q=[^"]+)">([^<]+)<', ann.get("/boxes").text)
    }
    assert links.keys() == set(BOX_NAMES)
    for number, name in enumerate(BOX_NAMES, 1):
        found = re.findall(r'href="/card\?id=([^"]+)"', ann.get(links[name]).text)
        assert (name, found) == (name, [f"mtg%3Adsk%2F{number}"])


def test_copies_are_edited_on_card_page_and_change_undone(served: RunningServer, database: Path):
    ann, card = served.guest(), "mtg:dsk/7"
    collection.add_copies(database, card, 2, "Attic")

    def copies() -> list[tuple[str, str, str, str, str]]:
        found = collection.owned_card(database, card).holdings
        return [(entry.condition, entry.finish, entry.language, str(entry.place), entry.note) for entry in found]

    def edit(**fields: str) -> str:
        (holding,) = collection.owned_card(database, card).holdings
        return ann.post("/copies/edit", card=card, holding=holding.id, **fields).text

    kind = {"condition": "played", "finish": "foil", "language": "German", "note": "from Bob", "box": "attic"}
    edit(**kind)
    assert copies() == [("played", "foil", "de", "Attic", "from Bob")]
    assert "from Bob" in ann.get("/card", id=card).text
    rejected = edit(**{**kind, "condition": "schrott", "note": "from Carol"})
    assert "schrott" in alert_message(rejected)
    assert 'name="note" value="from Carol"' in rejected, "what was typed"
    assert alert_message(ann.post("/copies/edit", card=card, holding=999, **kind).text)
    assert copies() == [("played", "foil", "de", "Attic", "from Bob")]
    ann.post("/copies/undo", card=card)
    assert copies() == [("", "normal", "en", "Attic", "")]


def test_numbers_are_corrected_on_card_page_and_change_undone(served: RunningServer, database: Path):
    ann, card = served.guest(), "mtg:dsk/7"

    def zones() -> dict[str, int]:
        return dict(collection.owned_card(database, card).explained.card.zones)

    before = zones()
    assert 'name="zone-top-right" value="7"' in ann.get("/card", id=card).text
    ann.post("/card/numbers", card=card, **{"zone-top-right": "8", "zone-left": "3"})
    assert zones() == {**before, "top-right": 8, "left": 3}
    ann.post("/card/numbers", card=card, **{"zone-left": ""})
    assert zones() == {**before, "top-right": 8}
    assert ann.post("/card/numbers", card="mtg:dsk/999", **{"zone-left": "1"}).status_code == 404
    refused = ann.post("/card/numbers", card=card, **{"zone-top-right": "abc", "zone-left": "4"}).text
    assert alert_message(refused) == "'abc' (top right) has no number. Type one, or leave the place empty."
    assert ('value="abc"' in refused, 'name="zone-left" value="4"' in refused) == (True, True)
    assert zones() == {**before, "top-right": 8}
    message = alert_message(ann.post("/card/numbers", card=card, **{"zone-bottom": "3/6"}).text)
    assert "3/6 (bottom) was read as two numbers, 3 and 6." in message
    ann.post("/copies/undo", card=card)
    ann.post("/copies/undo", card=card)
    ann.post("/copies/undo", card=card)
    assert zones() == before


def test_pages_without_a_catalogue_say_so(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        ann, phone = served.guest(), served.guest()
        connect_from_other_address(phone)
        assert "Your collection is empty." in ann.get("/boxes").text
        assert "Try: ccgrid import starter" in ann.get("/cards", q="drake").text
        said = "There are no cards yet. Ask for help at the computer that runs ccgrid."
        assert said in phone.get("/cards", q="drake").text


def test_card_page_lists_decks(served: RunningServer, database: Path):
    ann, card = served.guest(), "mtg:dsk/7"
    ann.post("/copies/add", card=card, copies="2", box="Attic")
    with open_collection(database) as collection, collection.change("pull an evening's deck"):
        collection.mark_out("An evening", next(collection.holdings()), 1)
    page = ann.get("/card", id=card).text
    assert "In decks: An evening (1)" in page
    assert "1 out" in page


@pytest.mark.parametrize("fields", [{"copies": "0"}, {"copies": "-1"}, {"copies": "x"}, {"box": "x" * 201}])
def test_invalid_copies_are_rejected(served: RunningServer, database: Path, fields: dict[str, str]):
    ann = served.guest()
    rejected = ann.post("/copies/add", **{"card": "mtg:dsk/7", "copies": "1", "box": "", **fields})
    assert (rejected.status_code, bool(alert_message(rejected.text))) == (200, True)
    assert rejected.url.partition("?")[0].endswith("/card"), "loading the page again sends nothing"
    assert ann.post("/copies/add", card="mtg:no/1", copies="1").status_code == 404
    assert alert_message(ann.post("/copies/take", card="mtg:dsk/7", holding="1").text)
    assert collection.boxes(database) == []


def test_changes_need_the_form_token(served: RunningServer, database: Path):
    ann = served.guest()
    sent = {"card": "mtg:dsk/7", "copies": "1"}
    assert ann.session.post(f"{served.address}/copies/add", data=sent, timeout=60).status_code == 409
    assert collection.boxes(database) == []


def test_uncertain_rows_are_resolved_and_undone(served: RunningServer, database: Path, tmp_path: Path):
    file = tmp_path / "mine.csv"
    file.write_text(
        "Count,Name,Edition,Collector Number\n1,Drake 5,dsk,5\n"
        "1,Cinder Cartografer,dsk,\n2,Amber Archivist,xyz,9\n3,Quxyzzy,,\n"
    )
    with open_collection(database) as collection:
        request = imports.CollectionImport(file, file.name)
        imports.import_file(request, collection, lambda line: None)

    def copies() -> dict[str, int]:
        with open_collection(database) as collection:
            return {holding.card_id: holding.copies for holding in collection.holdings()}

    ann = served.guest()
    before = copies()
    assert "Review 3 uncertain rows" in ann.get("/boxes").text
    rows = dict(re.findall(r"<code>([^<]*)</code>.*?action=\"(/doubts/\d+)\"", ann.get("/doubts").text, re.DOTALL))
    amber, cinder, other = (next(where for raw, where in rows.items() if word in raw) for word in ("Amb", "Cin", "Qux"))
    assert before == {"mtg:dsk/5": 1}
    assert ">Amber Archivist, mtg dsk 80</option>" in ann.get("/doubts").text, "they may be of several games"
    ann.post(amber, act="take", card="mtg:dsk/80")
    assert copies() == {**before, "mtg:dsk/80": 2}
    ann.post(cinder, act="take", card="mtg:dsk/3")
    assert copies() == {"mtg:dsk/5": 1, "mtg:dsk/80": 2, "mtg:dsk/3": 1}
    ann.post(other, act="drop")
    assert "No rows of imported" in ann.get("/doubts").text
    assert alert_message(ann.post(cinder, act="take", card="mtg:dsk/3").text)
    for _ in range(2):
        ann.post("/copies/undo")
    assert copies() == {**before, "mtg:dsk/80": 2}
