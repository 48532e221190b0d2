"""Tests of games with real cards, in which a phone is the referee."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import DESK, PHONE
from helpers.phones import PHONE_LANDSCAPE, check_fits, check_page, guests, is_touched
from helpers.web_server import Guest, RunningServer, server

from ccgrid.engine.games import GAMES, find_game
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.real_tables import RealTable
from ccgrid.web.deck_shelf import DeckShelf


def decks_for(folder: Path, game: str) -> list[str]:
    """Return the decks of the form: numbers of decks made on phones, or names of factions."""
    if ready := find_game(game).factions:
        return [deck.name for deck in ready.bundled()][:2]
    if find_game(game).decks is None:
        return []
    shelf = DeckShelf(folder / "decks", None)
    number = shelf.write(shelf.make(DeckRequest(game=game), "", 1)[0])
    return [str(number)] * find_game(game).decks_needed(2)


def open_table(served: RunningServer, guest: Guest, folder: Path, game: str, **more: Any) -> RealTable:
    answer = guest.post(
        "/tables", game=game, cards="real", name=["Ann", "Bob"], faction=decks_for(folder, game), **more
    )
    assert answer.status_code == 200, answer.text
    table = served.tables.find(int(answer.url.rpartition("/")[2]))
    assert isinstance(table, RealTable)
    return table


def post_action(guest: Guest, table: RealTable, what: str, **fields: str) -> str:
    """Post an action to a table, and return the message of the answer."""
    guest.session.headers["Accept"] = "application/json"
    try:
        return str(guest.post(f"/real/{table.number}/{what}", turn=table.turn, **fields).json()["said"])
    finally:
        guest.session.headers["Accept"] = "*/*"


@pytest.mark.parametrize("game", GAMES.having("referee"))
def test_any_phone_enters_moves_for_all(tmp_path: Path, game: str):
    with server(tmp_path) as served:
        ann, bob = served.guest(), served.guest()
        table = open_table(served, ann, tmp_path, game, **({"first": "2"} if find_game(game).has_first else {}))
        assert table.beginning.setup.first == (1 if find_game(game).has_first else None)
        while table.question:
            assert table.question in bob.get(f"/real/{table.number}").text
            assert post_action(bob, table, "say", move="xyzzy") == '"xyzzy" is not among the remaining cards.'
            post_action(bob, table, "say", move=str([card.name for card in table.deck].index(table.unseen[0].name) + 1))
        assert post_action(ann, table, "say", move="castle") != ""
        move = table.referee.possible.legal_moves()[-1]
        post_action(ann, table, "say", move=move)
        for guest in (ann, bob):
            for page in ("", "/board", "/part"):
                assert guest.get(f"/real/{table.number}{page}").status_code == 200
        post_action(bob, table, "undo")
        assert table.referee.moves == ()
        if table.cards.in_hand(table.referee.state) or game == "grid":
            assert "Play " in post_action(ann, table, "hint", hand="")
        else:
            assert "Name all cards" in post_action(ann, table, "hint", hand="")
        post_action(ann, table, "resign")
        assert " resigned." in bob.get(f"/real/{table.number}").text
        assert bob.get(f"/table/{table.number}/games/1").status_code == 200
        assert bob.get("/").text.count(f'href="/real/{table.number}"') == 1
        post_action(ann, table, "again")
        assert not table.is_over
        assert bob.get(f"/table/{table.number}").status_code == 404
        without_form_token = ann.session.post(
            f"{served.address}/real/{table.number}/undo", data={"turn": table.turn}, timeout=60
        )
        assert without_form_token.status_code == 409


def test_evening_rules_are_recommended_and_cards_are_turned(tmp_path: Path):
    with server(tmp_path) as served:
        ann = served.guest()
        [rules] = find_game("grid").named_rules
        assert "For closer games: the evening rules (cards turn;" in ann.get("/").text
        assert '<select name="option-rules">' in ann.get("/play/grid", cards="real").text
        table = open_table(served, ann, tmp_path, "grid", **{"option-rules": "evening", "option-order": "1-1-1"})
        assert table.beginning.setup.to_table().items() >= dict(rules.values).items()
        while table.question:
            post_action(ann, table, "say", move=str([card.name for card in table.deck].index(table.unseen[0].name) + 1))
        move = table.referee.possible.legal_moves()[-1]
        answer = post_action(ann, table, "say", move=move)
        assert answer.startswith(f"On {move[3:]}, turn ")
        assert "a quarter clockwise: its top is now at the right." in answer
        post_action(ann, table, "say", move=str([card.name for card in table.deck].index(table.unseen[0].name) + 1))
        assert "turned 90°" in ann.get(f"/real/{table.number}/board").text


def test_hint_is_shown_only_to_the_requester(tmp_path: Path):
    with server(tmp_path) as served:
        ann, bob = served.guest(), served.guest()
        table = open_table(served, ann, tmp_path, "tactics")
        hand = [card.name for card in table.unseen[:3]]
        assert "Play " in post_action(ann, table, "hint", hand=", ".join(hand))
        assert "Next best" not in bob.get(f"/real/{table.number}").text


def test_missing_deck_of_real_table_is_reported(tmp_path: Path):
    with server(tmp_path) as served:
        ann = served.guest()
        assert 'href="/decks">make one' in ann.get("/play/grid", cards="real").text
        answer = ann.post("/tables", game="grid", cards="real", name=["Ann", "Bob"])
        assert ([response.status_code for response in answer.history], "Choose the deck" in answer.text) == (
            [303],
            True,
        )
        assert list(served.tables) == []


def tap(page: Any, table: RealTable, wanted: str) -> None:
    """Enter a card or a move by touching, in the way that the page defines."""
    page.wait_for_selector(f'.play[data-version="{table.version}"]')
    ways, before = dict(json.loads(page.locator(".play").get_attribute("data-ways"))), table.version
    page.evaluate(
        'way => { for (const what of way) document.querySelector(`[data-touch="${CSS.escape(what)}"]`).click(); }',
        ways[wanted][0],
    )
    page.wait_for_selector(f'.play:not([data-version="{before}"])', timeout=60_000)


@pytest.mark.parametrize("game", ["matrix", "tactics", "grid"])
def test_two_phones_enter_a_real_game_and_a_third_screen_shows_it(browser: Any, tmp_path: Path, game: str):
    decks = decks_for(tmp_path, game)
    with server(tmp_path) as served, guests(browser, served, PHONE, PHONE_LANDSCAPE, DESK) as (ann, bob, board):
        ann.goto(f"{served.address}/play/{game}")
        ann.click("text=This device is the referee")
        check_fits(ann, ann.url)
        ann.set_viewport_size(PHONE["viewport"])
        for number, deck in enumerate(dict.fromkeys(decks)):
            ann.locator("[name=faction]").nth(number).select_option(deck)
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_selector("#status")
        table = served.tables.find(1)
        assert isinstance(table, RealTable)
        bob.goto(ann.url)
        board.goto(f"{ann.url}/board")
        guest = served.guest()
        for number in range(200):
            if table.is_over:
                break
            if table.question:
                wanted = str([card.name for card in table.deck].index(table.unseen[0].name) + 1)
            else:
                wanted = table.referee.possible.legal_moves()[0]
            if is_touched(number):
                tap((ann, bob)[number % 2], table, wanted)
            else:
                post_action(guest, table, "say", move=wanted)
        for page in (ann, bob, board):
            page.wait_for_selector("#status:has-text('The game is over')")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert board.locator("button:not(#signals), input:not([type=hidden])").count() == 0
        assert check_page(ann, ann.url) == []
        check_fits(ann, f"{served.address}/table/1/games/1")


def test_typed_text_survives_updates_and_server_restart(browser: Any, tmp_path: Path):
    with server(tmp_path) as served, guests(browser, served, PHONE) as (page,):
        table = open_table(served, served.guest(), tmp_path, "matrix")
        page.goto(f"{served.address}/real/1")
        assert check_page(page, page.url) == []
        check_fits(page, page.url)
        page.fill("#line", "1 2 3 4 5 6 7 8")
        post_action(served.guest(), table, "say", move="9")
        page.wait_for_selector(f'.play[data-version="{table.version}"]')
        assert page.input_value("#line") == "1 2 3 4 5 6 7 8"
        page.keyboard.press("Enter")
        page.wait_for_selector("#status:has-text('to move')")
        assert page.input_value("#line") == ""
        port = int(served.address.rpartition(":")[2])
        served.stop()
        with server(tmp_path, port) as again:
            page.reload()
            restored = again.tables.find(1)
            assert isinstance(restored, RealTable)
            tap(page, restored, restored.referee.possible.legal_moves()[0])
            assert len(restored.referee.moves) == 1
            page.get_by_role("button", name="Undo").click()
            page.wait_for_selector("#note:has-text('Undone')")
            assert restored.referee.moves == ()
