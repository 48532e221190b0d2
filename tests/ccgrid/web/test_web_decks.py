"""Tests of decks on phones: making, checking, rating, changing and playing them."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.web_server import Guest, RunningServer, alert_message, server

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.games import find_game
from ccgrid.services import card_pictures, collection
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.deck_search import DeckProposal
from ccgrid.services.decks import check_deck_file
from ccgrid.web import deck_shelf
from ccgrid.web.deck_shelf import DeckShelf


@pytest.fixture
def database(tmp_path: Path) -> Path:
    cards = [row(number, f"Drake {chr(64 + number)}", number % 11) for number in range(1, 27)]
    return make_catalogue(tmp_path / "catalogue.db", write_rows(tmp_path / "cards.jsonl", cards))


def make_deck(guest: Guest, **fields: str) -> str:
    """Make a deck, and return the final page."""
    return guest.final_page(guest.post("/decks/new", **{"game": "grid", "kind": "random", "name": "Ours", **fields}))


def test_deck_is_made_rated_changed_and_removed(served: RunningServer, tmp_path: Path, database: Path):
    ann = served.guest()
    assert "It is legal." in make_deck(ann)
    file = tmp_path / "tables" / "decks" / "1.toml"
    before = check_deck_file(file, database)[0].cards
    rated = ann.final_page(ann.post("/deck/1/rate"))
    assert "How it plays" in rated
    assert re.search(r"\d+(\.\d)? %", rated)
    out = before[0].name
    new = next(f"Drake {chr(64 + n)}" for n in range(1, 27) if f"Drake {chr(64 + n)}" not in {c.name for c in before})
    changed = ann.post("/deck/1/swap", **{"out": out, "in": new}).text
    assert "How it plays" not in changed
    after = check_deck_file(file, database)[0].cards
    assert Counter(card.name for card in after) == Counter(card.name for card in before) - Counter([out]) + Counter(
        [new]
    )
    rejected = ann.post("/deck/1/swap", **{"out": "Nobody", "in": new})
    assert ([response.status_code for response in rejected.history], "is not in the deck" in rejected.text) == (
        [303],
        True,
    )
    assert 'value="Nobody"' in rejected.text
    assert ann.get("/deck/1/file").text == file.read_text()
    ann.post("/deck/1/remove")
    assert ann.get("/deck/1").status_code == 404
    assert not file.exists()


def test_deck_that_is_not_legal_is_not_offered_for_play(served: RunningServer, tmp_path: Path):
    ann = served.guest()
    assert "Play with it" in make_deck(ann)
    assert alert_message(ann.get("/play/grid?deck=1").text) == ""
    file = tmp_path / "tables" / "decks" / "1.toml"
    *lines, _, end = file.read_text().splitlines()
    file.write_text("\n".join([*lines, end]))  # 19 cards
    page = ann.get("/deck/1").text
    assert ("It is not legal" in page, "Play with it" in page) == (True, False)
    assert "This deck cannot be played" in alert_message(ann.get("/play/grid?deck=1").text)


def test_deck_search_shows_progress_and_expected_play(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        found = make_deck(served.guest(), kind="lively")
    assert "It is legal." in found
    assert re.search(r'<p id="note"[^>]*>[^<]+ %', found)


@pytest.mark.parametrize("kind", ["lively", "good"])
def test_deck_kind_is_requested_by_name(served: RunningServer, kind: str, monkeypatch):
    requests = []

    def find(request: DeckRequest, seed: int, **more: object) -> Iterator[DeckProposal]:
        requests.append(request)
        raise CatalogError("That was all.")

    monkeypatch.setattr(deck_shelf, "search_decks", find)
    assert "That was all." in make_deck(served.guest(), kind=kind, owned="yes", query="")
    assert [(deck_request.game, deck_request.kind, deck_request.is_owned) for deck_request in requests] == [
        ("grid", kind, True)
    ]


def test_server_stops_during_deck_search(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        guest = served.guest()
        guest.post("/decks/new", game="grid", kind="good", name="", query="")
    assert not list((tmp_path / "tables" / "decks").glob("*"))


def test_deck_search_does_not_block_and_can_be_stopped(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        ann, bob = served.guest(), served.guest()
        work = ann.post("/decks/new", game="grid", kind="good", name="", query="").url
        bob.post("/tables", game="matrix", name=["Ann", "Bob"], computer=["", ""])
        assert [table.players for table in served.tables] == [("Ann", "Bob")]
        assert f"Making a good deck for {find_game('grid').title}: " in bob.get("/decks").text
        assert "another deck" in ann.post("/decks/new", game="grid", kind="good", name="", query="").text
        assert "Stopped: Making a good deck" in bob.final_page(bob.post(f"{urlsplit(work).path}/stop"))
        assert "It is legal." in make_deck(ann)
    assert len(list((tmp_path / "tables" / "decks").glob("*"))) == 1


def test_numbers_and_names_of_decks_are_not_given_twice(served: RunningServer):
    ann = served.guest()
    make_deck(ann, name="Ours")
    make_deck(ann, name="Ours")
    assert "<h1>Ours (2)</h1>" in ann.get("/deck/2").text
    ann.post("/deck/2/remove")
    make_deck(ann, name="Ours")
    assert "There is no deck 2." in ann.post("/deck/2/remove").text
    assert "<h1>Ours (2)</h1>" in ann.get("/deck/3").text
    for number in (3, 1):
        ann.post(f"/deck/{number}/remove")
    make_deck(ann, name="Ours")
    assert "<h1>Ours</h1>" in ann.get("/deck/4").text


def test_owned_cards_and_a_query_select_cards_together(served: RunningServer, database: Path):
    for number in range(1, 27):
        collection.add_copies(database, f"mtg:dsk/{number}", 1, "")
    page = make_deck(served.guest(), owned="yes", query="top-right<=5")
    assert "Drake J" not in page, "its cost is 10"
    assert "nosuchcard" in make_deck(served.guest(), owned="yes", query="nosuchcard")


def test_impossible_deck_is_explained(served: RunningServer):
    ann = served.guest()
    assert "The catalogue has" in make_deck(ann, query="tr>=10")
    assert "20 bundled cards completed the deck: " in make_deck(ann, owned="yes")
    assert "no lively decks for tactics" in make_deck(ann, game="tactics", kind="lively")
    assert "at most" in make_deck(ann, name="x" * 2000)
    rejected = make_deck(ann, query="tr>=10", owned="yes", name="Mine", game="tactics")
    assert all(typed in rejected for typed in ('value="tr&gt;=10"', 'value="Mine"', 'value="yes" checked')), rejected
    assert ann.get("/deck/9").status_code == 404
    assert make_deck(ann, name="<b>Ours").count("<b>Ours") == 0


def test_illegal_deck_lists_problems(served: RunningServer, tmp_path: Path):
    ann = served.guest()
    make_deck(ann)
    file = tmp_path / "tables" / "decks" / "1.toml"
    file.write_text("1 Drake A\n1 Drake Zzz\n")
    page = ann.get("/deck/1").text
    assert "It is not legal:" in page
    assert "Rate it" not in page


def test_pull_list_shows_locations_and_checks_cards_out(served: RunningServer, database: Path, tmp_path: Path):
    ann = served.guest()
    make_deck(ann)
    cards = DeckShelf(tmp_path / "tables" / "decks", database).find(1).deck.cards
    for card in cards[:-1]:
        collection.add_copies(database, card.id, 1, "Attic")
    page = ann.get("/deck/1/pull").text
    assert page.count('type="checkbox"') == len({card.id for card in cards[:-1]})
    assert f'<span class="quiet">{cards[0].set_code} {cards[0].collector_number}, Attic</span>' in page
    assert "Missing" in page
    assert "All are out" not in page
    assert alert_message(ann.post("/deck/1/out").text)
    collection.add_copies(database, cards[-1].id, 1, "Attic")
    ann.post("/deck/1/out")
    assert ("Ours", 1) in collection.owned_card(database, cards[0].id).decks


def test_table_is_opened_with_own_deck(served: RunningServer, database: Path, tmp_path: Path):
    ann = served.guest()
    make_deck(ann)
    page = ann.get("/play/grid", deck="1").text
    assert '<option value="1" selected>Ours</option>' in page
    ann.post("/tables", game="grid", name=["Ann", "Bob"], computer=["", ""], faction="1")
    table = served.tables.find(1)
    assert table is not None
    deck = check_deck_file(tmp_path / "tables" / "decks" / "1.toml", database)[0]
    assert {card.name for card in table.session.setup.deck} == {card.name for card in deck.cards}
    assert [deck_entry.number for deck_entry in DeckShelf(tmp_path / "tables" / "decks", database)] == [1]


def test_own_picture_is_shown_in_deck_board_and_replay(
    served: RunningServer, database: Path, tmp_path: Path, monkeypatch
):
    ann = served.guest()
    make_deck(ann)
    deck = check_deck_file(tmp_path / "tables" / "decks" / "1.toml", database)[0]
    named = {card.name: f"{number}-0" for number, card in enumerate(deck.cards, 100)}
    monkeypatch.setattr(card_pictures, "pictures_of", lambda *_: named)

    def pictures_on(path: str) -> set[str]:
        return set(re.findall(r'<img [^>]*src="/pictures/([\w-]+)"', ann.get(path).text))

    assert pictures_on("/deck/1") == set(named.values())
    ann.post("/tables", game="grid", name=["Ann", "Bob"], computer=["", ""], faction="1")
    table = served.tables.find(1)
    on_table = {named[card.name] for card in table.session.setup.cards[: table.session.state.turned_up]}
    assert pictures_on("/table/1") == pictures_on("/table/1/board") == on_table
    table.session.resign(table.session.state.to_move)
    assert pictures_on("/table/1/games/1") == on_table
    ann.post("/tables", game="grid", cards="real", name=["Ann", "Bob"], faction="1")
    ann.session.headers["Accept"] = "application/json"
    ann.post("/real/2/say", move="1", turn=served.tables.find(2).turn)
    assert pictures_on("/real/2") == {named[deck.cards[0].name]}
