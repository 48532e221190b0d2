"""Tests of how pages signal turns and moves (title, sound, vibration, motion), and of boards on several screens."""

from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import PHONE
from helpers.phones import TELEVISION, guests, open_table, wait_for_update
from helpers.web_server import server

from ccgrid.engine.games import GAMES
from ccgrid.services.requests import GameRequest
from ccgrid.services.shared_tables import SharedTable

RECORD_SIGNALS = """() => {
    window.heard = [];
    navigator.vibrate = (pattern) => { window.heard.push("vibration"); };
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.heard.push("tone"); return start.apply(this, when); };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        if (frames[0].transform) window.heard.push(`moves ${this.dataset.card}`);
        return animate.call(this, frames, options);
    };
}"""
MEASURE_LAYOUT = """() => {
    const place = (selector) => document.querySelector(selector).getBoundingClientRect();
    const board = place(".edged, .text-grid:last-of-type");
    const beside = place("#status");
    const small = [...document.querySelectorAll("main *")]
        .filter((one) => one.offsetParent && !one.closest(".edge, .aside, svg"))
        .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
        .map((one) => parseFloat(getComputedStyle(one).fontSize));
    const boards = document.querySelectorAll("main .edged, main .text-grid").length;
    return {boards, height: board.height / innerHeight, width: board.width / innerWidth,
            bottom: board.bottom / innerHeight, beside: beside.left > board.right,
            letters: Math.min(...small) / innerHeight, across: document.documentElement.scrollWidth <= innerWidth};
}"""


def play_first_move(table: SharedTable) -> None:
    """Play the first legal move of the player to move, as from that player's phone."""
    guest = table.seats[table.session.state.to_move]
    table.move(guest, table.session.state.legal_moves()[0], table.turn)


def seat_bob(table: SharedTable) -> None:
    """Give the second seat to a guest without a browser."""
    table.take_seat("b" * 32, 1)


@pytest.mark.parametrize("is_on", [True, False], ids=["on", "off"])
def test_turn_is_signalled_in_title_and_by_sound_unless_switched_off(browser: Any, tmp_path: Path, is_on: bool):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        table = open_table(served, ann, "matrix")
        seat_bob(table)
        if table.session.state.to_move == 0:
            play_first_move(table)
        wait_for_update(ann, table)
        assert "Your turn" not in ann.title()
        if not is_on:
            ann.get_by_role("button", name="Sound on").tap()
            assert ann.get_by_role("button", name="Sound off").get_attribute("aria-pressed") == "false"
        ann.locator("#status").tap()  # browsers allow sound only after a touch
        ann.evaluate(RECORD_SIGNALS)
        while table.session.state.to_move != 0:
            play_first_move(table)
        ann.wait_for_selector("#status.turn")
        assert "Your turn" in ann.title()
        assert set(ann.evaluate("window.heard")) >= ({"tone", "vibration"} if is_on else set())
        assert {"tone", "vibration"}.isdisjoint(ann.evaluate("window.heard")) is not is_on


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("game", ["grid", "matrix"])
def test_cards_visibly_move_unless_motion_is_reduced(browser: Any, tmp_path: Path, game: str, motion: str):
    screen = {**PHONE, "reduced_motion": motion}
    with server(tmp_path / "tables") as served, guests(browser, served, screen) as (ann,):
        table = open_table(served, ann, game)
        seat_bob(table)
        wait_for_update(ann, table)
        ann.evaluate(RECORD_SIGNALS)
        before = table.session.state
        play_first_move(table)
        wait_for_update(ann, table)
        moved = {signal for signal in ann.evaluate("window.heard") if signal.startswith("moves")}
        if motion == "reduce":
            assert moved == set()
        elif game == "grid":
            card = before.card_on(table.session.moves[-1].split("x")[0])
            assert f"moves {card.name}" in moved
        else:
            assert moved
        marks = ann.locator(".last").evaluate_all(
            "all => all.map((one) => getComputedStyle(one.querySelector('.cell') || one, '::after').borderStyle)"
        )
        assert marks
        assert set(marks) == {"dotted"}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("game", GAMES.names)
def test_board_fills_a_television(browser: Any, tmp_path: Path, game: str, players: int):
    with server(tmp_path / "tables") as served, guests(browser, served, {}) as (watcher,):
        table = served.tables.open(GameRequest(game=game, players=("Ann", "Bob", "Carol", "Dan")[:players]))
        for width, height in ((1920, 1080), (3840, 2160)):
            watcher.set_viewport_size({"width": width, "height": height})
            watcher.goto(f"{served.address}/table/{table.number}/board")
            laid_out = watcher.evaluate(MEASURE_LAYOUT)
            assert laid_out["across"]
            assert laid_out["beside"]
            assert laid_out["height"] >= 0.75
            assert laid_out["bottom"] <= 1
            assert laid_out["width"] >= (0.42 if game == "matrix" else 0.5 if laid_out["boards"] > 1 else 0.55)
            assert laid_out["letters"] >= 0.0165
            for invitation in (".qr svg", ".code .letters"):
                shown = watcher.locator(invitation)
                assert shown.evaluate("(one) => one.getBoundingClientRect().bottom <= innerHeight")
            assert watcher.locator("#status").inner_text()
        for seat in table.people:
            table.take_seat(str(seat) * 32, seat)
        table.resign(table.seats[table.session.state.to_move], table.turn)
        table.play_again(table.seats[0], 1)
        watcher.set_viewport_size(TELEVISION["viewport"])
        watcher.reload()
        for shown in (".evening li:last-child", ".code .letters"):
            bottom = watcher.locator(shown).evaluate("(one) => one.getBoundingClientRect().bottom / innerHeight")
            assert bottom <= 1


@pytest.mark.parametrize("screen", [(740, 360), (1180, 820), (820, 1180)], ids=["phone", "tablet", "upright"])
def test_hand_and_board_are_visible_together(browser: Any, tmp_path: Path, screen: tuple[int, int]):
    size = {"viewport": {"width": screen[0], "height": screen[1]}}
    with server(tmp_path / "tables") as served, guests(browser, served, size) as (ann,):
        for game, hand in (("ninecard", ".hand-list"), ("tactics", ".hand")):
            open_table(served, ann, game)
            bottom = ann.evaluate(f"document.querySelector('{hand} :is(.entry, .card)').getBoundingClientRect().bottom")
            assert bottom <= screen[1]
            board = ann.evaluate(
                "document.querySelector('.edged, .text-grid:last-of-type').getBoundingClientRect().bottom"
            )
            assert board <= screen[1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_upright_phone_shows_facing_board_hand_and_buttons_of_ninecard(browser: Any, tmp_path: Path, players: int):
    size = {**PHONE, "viewport": {"width": 390, "height": 844}}
    with server(tmp_path / "tables") as served, guests(browser, served, size) as (ann,):
        ann.goto(f"{served.address}/play/ninecard")
        ann.locator("details summary", has_text="More seats").click()
        for place, name in enumerate(("Ann", "Bob", "Carol", "Dan")[:players]):
            ann.locator("[name=name]").nth(place).fill(name)
            ann.locator("[name=computer]").nth(place).select_option("")
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_selector(".hand-list")
        table = served.tables.find(int(ann.url.rpartition("/")[2]))
        assert table is not None
        while table.session.state.to_move:  # the bar of buttons is shown only in the player's own turn
            for seat in range(1, players):
                table.take_seat(str(seat) * 32, seat)
            play_first_move(table)
        wait_for_update(ann, table)
        bar, hand = (
            f"document.querySelector('{selector}').getBoundingClientRect()" for selector in (".bar", ".hand-list ul")
        )
        assert ann.evaluate(f"{hand}.bottom <= ({bar}.height ? {bar}.top : innerHeight)")
        assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
