"""Tests of the start page and the form of a new table, in which typed text is never lost."""

import re
import threading
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import PHONE
from helpers.phones import guests, open_table
from helpers.web_server import Guest, RunningServer, alert_message, server

from ccgrid.engine.games import GAMES
from ccgrid.services import shared_tables

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@pytest.fixture
def served(tmp_path: Path):
    with server(tmp_path / "tables") as running:
        yield running


def listed_tables(guest: Guest) -> list[str]:
    """Return the texts of the tables on the start page."""
    rows = re.findall(r'<li class="[^"]*"><a .*?</a></li>', guest.get("/", part="1").text, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", row)).split()) for row in rows]


def test_start_page_lists_own_tables_first_then_free_seats(served: RunningServer):
    ann, bob = served.guest(), served.guest()
    for opener, game in ((bob, "matrix"), (ann, "tactics"), (bob, "matrix")):
        opener.post("/tables", game=game, name=["Ann", "Bob"], computer=["", ""])
    ann.act(1, "seat", seat=1)
    bob.act(3, "leave")
    first, second, third = listed_tables(ann)
    assert "you play as Bob" in first or "you play as Ann" in first
    assert {text.partition(" table ")[2][0] for text in (first, second)} == {"1", "2"}
    assert ("Free seats: Bob" in first, "Free seats: Ann, Bob" in third) == ("table 2" in first, True)
    assert find_title("tactics") in first + second
    assert not any(name in first + second + third for name in GAMES.names)
    table = served.tables.find(2)
    assert table is not None
    mine = next(text for text in listed_tables(ann) if "table 2" in text)
    assert ("Your turn" in mine) == (table.session.state.to_move == 0)


def find_title(game: str) -> str:
    return next(one.title for one in GAMES if one.name == game)


def test_rejected_form_keeps_the_typed_text(served: RunningServer):
    ann = served.guest()
    fields = {"name": ["Ann", "cmd:touch x", "Cid"], "computer": ["", "", "", "hard"], "option-order": "1-2-2"}
    answer = ann.post("/tables", game="grid", **fields)
    # The answer redirects to a page, so that going back sends nothing again.
    assert [response.status_code for response in answer.history] == [303]
    assert "cmd:touch x' is the name of a computer player" in unescape(answer.text)
    names = re.findall(r'<input name="name"[^>]* value="([^"]*)"', answer.text)
    assert names == ["Ann", "cmd:touch x", "Cid", ""]
    chosen = re.findall(r'<option value="([^"]*)" selected', answer.text)
    assert chosen[:2] == ["hard", "1-2-2"]
    assert "<details open><summary>More seats" in answer.text


def test_guest_names_seat_before_first_move_only(served: RunningServer):
    ann, bob, cid = served.guest(), served.guest(), served.guest()
    ann.post("/tables", game="tactics", name=["Ann", "Guest"], computer=["", ""], faction=["cinder", "harbor"])
    table = served.tables.find(1)
    assert table is not None
    assert "two players are called" in bob.act(1, "seat", seat=1, name="Ann")
    assert "is the name of a computer player" in bob.act(1, "seat", seat=1, name="greedy")
    assert bob.act(1, "seat", seat=1, name=FAMILY) == ""
    assert table.players == ("Ann", FAMILY)
    assert table.remarks[1].startswith(f"{FAMILY}: ")
    assert FAMILY in ann.shown(1)
    mover = (ann, bob)[table.session.state.to_move]
    assert mover.act(1, "move", move=table.session.state.legal_moves()[0]) == ""
    bob.act(1, "leave")
    assert cid.act(1, "seat", seat=1, name="Cid") == ""
    assert table.players == ("Ann", FAMILY)
    assert mover.get("/table/1/moves").text.count("\\u200d") == 0


@pytest.mark.parametrize("game", GAMES.names)
def test_renamed_seat_plays_in_every_game(served: RunningServer, game: str):
    ann, bob = served.guest(), served.guest()
    ann.post("/tables", game=game, name=["Ann", "Guest"], computer=["", ""])
    assert bob.act(1, "seat", seat=1, name="علی\u200cرضا") == ""
    table = served.tables.find(1)
    assert table is not None
    for _ in range(4):
        mover = (ann, bob)[table.session.state.to_move]
        assert mover.act(1, "move", move=table.session.state.legal_moves()[0]) == ""
    again = type(served.tables)(table.path.parent, lambda: 1, pytest.fail).find(1)
    assert again is not None
    assert (again.players, again.session.state) == (table.players, table.session.state)


def test_start_page_updates_itself_and_form_survives_going_back(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE, PHONE) as (ann, bob):
        assert bob.locator("#tables li").count() == 0
        table = open_table(served, ann, "grid")
        bob.wait_for_selector("#tables li:has-text('Free seats: Bob')")
        bob.locator("#tables a").first.click()
        bob.get_by_label("Your name").fill(FAMILY)
        bob.get_by_role("button", name="Play as Bob").click()
        bob.wait_for_selector("text=Leave the seat", state="attached")
        assert table.players == ("Ann", FAMILY)
        ann.goto(f"{served.address}/play/matrix")
        ann.locator("[name=name]").first.fill("Annabel")
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_selector("#status")
        ann.go_back()
        assert ann.locator("[name=name]").first.input_value() == "Annabel"


def test_name_similar_to_a_computer_player_must_be_confirmed_once(served: RunningServer) -> None:
    ann = served.guest()
    fields = {"game": "grid", "name": ["Ann", "hrad"], "computer": ["", ""]}
    confirmation = ann.post("/tables", **fields)
    assert "'hrad' would be the name of a person." in unescape(confirmation.text)
    assert list(served.tables) == []
    again = re.findall(r'name="asked" value="([^"]*)"', confirmation.text)
    assert again == ["Ann", "hrad"]
    another = ann.post("/tables", **{**fields, "name": ["Ann", "fiar"]}, asked=again)
    assert "'fiar' would be the name of a person." in unescape(another.text), (
        "only the names that were asked about are confirmed"
    )
    ann.post("/tables", **fields, asked=again)
    (table,) = served.tables
    assert (table.players, table.session.computers) == (("Ann", "hrad"), {})


def test_tables_open_while_a_computer_player_is_prepared(
    served: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = threading.Event()

    monkeypatch.setattr(shared_tables, "prepare", lambda computers, game: list(computers) and ready.wait(60))
    ann, bob = served.guest(), served.guest()
    slow = {"game": "grid", "name": ["Ann", ""], "computer": ["", "easy"]}
    opening = threading.Thread(target=ann.post, args=("/tables",), kwargs=slow)
    opening.start()
    try:
        for _ in range(2):
            bob.post("/tables", game="grid", name=["Bob", "Carol"], computer=["", ""])
        assert [table.players for table in served.tables] == [("Bob", "Carol")] * 2
    finally:
        ready.set()
        opening.join()
    assert sorted(table.number for table in served.tables) == [1, 2, 3]


def test_refused_option_is_explained_in_a_sentence_and_empty_one_is_the_default(served: RunningServer) -> None:
    ann = served.guest()
    fields = {"game": "ninecard", "name": ["Ann", "Bob"], "computer": ["", ""]}
    refused = ann.post("/tables", **fields, **{"option-life": "999999"})
    assert alert_message(refused.text) == "The option life must be 1 to 10000, not 999999."
    ann.post("/tables", **fields, **{"option-life": " "})
    (table,) = served.tables
    assert table.session.setup.options.life == 50


@pytest.mark.parametrize(("computer", "name"), [("", "First"), ("fair", "You")])
def test_suggested_name_you_is_only_used_against_computer_players(served: RunningServer, computer: str, name: str):
    served.guest().post("/tables", game="matrix", name=["You", "Bob"], computer=["", computer])
    (table,) = served.tables
    assert table.players[0] == name
