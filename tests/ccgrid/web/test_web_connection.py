"""Tests of phones that lose their connection, of restarted servers, and of continuing on another phone."""

from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import PHONE
from helpers.cut_network import relay
from helpers.everyday import sampled
from helpers.phones import (
    OVERFLOW,
    PHONE_LANDSCAPE,
    TELEVISION,
    guests,
    make_move_by_touch,
    open_table,
    wait_for_update,
)
from helpers.web_server import server

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import GreedyPlayer, choose_move
from ccgrid.services.requests import GameRequest


@pytest.mark.parametrize("game", sampled(GAMES.names, "grid"))
def test_lost_connection_is_shown_and_page_updates_after_it(browser: Any, tmp_path: Path, game: str):
    with (
        server(tmp_path / "tables") as served,
        relay(served.address) as network,
        guests(browser, served, PHONE, PHONE) as (ann, bob),
    ):
        table = open_table(served, ann, game)
        bob.goto(f"{network.address}/?token={served.token}")
        bob.goto(f"{network.address}/table/{table.number}")
        bob.get_by_role("button", name="Play as Bob").click()
        bob.wait_for_selector("text=Leave the seat", state="attached")
        wait_for_update(bob, table)
        assert not bob.locator("#connection").is_visible()
        network.cut()
        bob.wait_for_selector("#connection:visible", timeout=60_000)
        seat = table.session.state.to_move
        move = find_game(game).move_menu(table.session.state)[0]
        wait_for_update(ann, table)
        if seat == 0:
            make_move_by_touch(ann, table, move)
        else:
            table.move(table.seats[1], move, table.turn)
        network.restore()
        wait_for_update(bob, table)
        assert not bob.locator("#connection").is_visible()


@pytest.mark.parametrize("game", sampled([game.name for game in GAMES if 4 in game.player_counts], "ninecard"))
def test_four_phones_play_although_one_loses_the_network(browser: Any, tmp_path: Path, game: str):
    players = ("Ann", "Bob", "Carol", "Dan")
    with (
        server(tmp_path / "tables") as served,
        relay(served.address) as network,
        guests(browser, served, PHONE, PHONE_LANDSCAPE, PHONE, PHONE, TELEVISION) as (*phones, television),
    ):
        table = served.tables.open(GameRequest(game=game, players=players))
        phones[3].goto(f"{network.address}/?token={served.token}")
        for player, page, address in zip(players, phones, [served.address] * 3 + [network.address], strict=True):
            page.goto(f"{address}/table/{table.number}")
            page.get_by_role("button", name=f"Play as {player}").click()
            page.wait_for_selector("text=Leave the seat", state="attached")
        television.goto(f"{served.address}/table/{table.number}/board")
        dice, turns = Dice(1), 0
        while turns < 3:
            state = table.session.state
            seat, menu = state.to_move, find_game(game).move_menu(state)
            if seat == 3 and turns == 1:
                phones[3].wait_for_selector("#connection:visible", timeout=60_000)
                network.restore()
            wait_for_update(phones[seat], table)
            move = choose_move(GreedyPlayer(), state, dice)
            # The menu lists "end turn" instead of an assault without attacks.
            make_move_by_touch(phones[seat], table, move if move in menu else menu[-1])
            turns += seat == 3
            if seat == 3 and turns == 1:
                network.cut()
        for page in (*phones, television):
            wait_for_update(page, table)
            assert page.evaluate(OVERFLOW) == 0


def test_hidden_pages_leave_connections_to_others(browser: Any, tmp_path: Path):
    hide = "Object.defineProperty(document, 'visibilityState', { get: () => window.isShown ? 'visible' : 'hidden' })"
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        table = open_table(served, ann, "matrix")
        hidden = [ann.context.new_page() for _ in range(7)]
        for page in hidden:
            page.add_init_script(
                f"const later = setTimeout; setTimeout = (call, time) => later(call, time / 5); {hide}"
            )
            page.goto(ann.url)
        ann.reload()
        wait_for_update(ann, table)
        make_move_by_touch(ann, table, table.session.state.legal_moves()[0])
        for page in hidden[:2]:
            wait_for_update(page, table)


def test_unanswered_action_is_reported(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        open_table(served, ann, "matrix")
        ann.add_init_script(
            "const later = setTimeout; setTimeout = (call, time) => later(call, time > 20000 ? 100 : time)"
        )
        ann.reload()
        ann.route("**/hint", lambda route: None)
        ann.get_by_role("button", name="Hint").click()
        ann.wait_for_selector("#note:has-text('The server does not answer')")
        ann.unroute_all(behavior="ignoreErrors")


def test_page_says_if_its_token_is_not_valid_any_more(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        open_table(served, ann, "matrix")
        page = ann.context.new_page()  # `guests` allows no console errors on its own pages
        page.goto(ann.url)
        ann.close()
        page.context.clear_cookies()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_selector("#connection:has-text('Scan the QR code of the server again')")
        page.get_by_role("button", name="Hint").click()
        page.wait_for_selector("#note:has-text('Scan the QR code of the server again')")


def test_touch_without_connection_is_reported(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        open_table(served, ann, "grid")
        ann.context.set_offline(True)
        ann.wait_for_selector("#connection:visible")
        ann.evaluate("touch('cell:nowhere')")
        ann.wait_for_selector("#note:has-text('The server does not answer')")


def test_page_follows_restarted_server_with_equal_number_of_changes(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (bob,):
        table = open_table(served, bob, "matrix")
        wait_for_update(bob, table)
        changes, port = table.version, int(served.address.rpartition(":")[2])
        bob.context.set_offline(True)
        served.stop()
        with server(tmp_path / "tables", port) as again:
            table = again.tables.find(table.number)
            assert table is not None
            assert table.version != changes
            ann = "a" * 32
            table.take_seat(ann, 1)
            mover = table.seats[table.session.state.to_move]
            table.move(mover, table.session.state.legal_moves()[0], table.turn)
            bob.context.set_offline(False)
            wait_for_update(bob, table)
            assert "to move" in bob.locator("#status").text_content() or "Your turn" in bob.content()


def test_player_continues_on_another_phone_after_seat_is_freed(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE, PHONE, PHONE) as (ann, bob, new):
        table = open_table(served, ann, "tactics")
        for page in (bob, new):
            page.goto(f"{served.address}/table/{table.number}")
        bob.get_by_role("button", name="Play as Bob").click()
        bob.wait_for_selector("text=Leave the seat", state="attached")
        hand = ann.locator(".picture").inner_text()
        bob.locator("summary", has_text="Seats").click()
        bob.get_by_role("button", name="Free the seat of Ann").click()
        new.get_by_role("button", name="Play as Ann").click()
        new.wait_for_selector("text=Leave the seat", state="attached")
        assert new.locator(".picture").inner_text() == hand
        ann.locator(".notice", has_text="Bob freed the seat of Ann.").wait_for()
        assert ann.locator("button", has_text="Leave the seat").count() == 0
        mover = (new, bob)[table.session.state.to_move]
        make_move_by_touch(mover, table, table.session.state.legal_moves()[0])
