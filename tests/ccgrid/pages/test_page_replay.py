"""Tests of replays as pages, and of the command that makes them."""

import msgspec
import pytest
from helpers.browsers import DESK, PHONE, open_page
from helpers.catalogues import Shell
from helpers.random_records import random_record
from helpers.replay_pages import BROKEN_WORDS, EXAMPLES, NAMELESS

from ccgrid.engine.games import GAMES
from ccgrid.engine.insight.analysis import read_move_notes
from ccgrid.engine.picture import Tile, Tiles
from ccgrid.engine.records.codes import code_document
from ccgrid.engine.records.files import read_game
from ccgrid.engine.records.record import read_document
from ccgrid.pages.page import Nodes, replay_data, replay_page


def test_equal_parts_of_pictures_are_shared():
    nodes = Nodes()
    tile = Tile("a1", "", "Amber Drake", {"top": 3})
    first = nodes.add(Tiles((tile, tile), 2))
    assert nodes.add(Tiles((tile, tile), 2)) == first
    assert len(nodes.values) == 2


STEP = """
() => {
  const one = (selector) => document.querySelector(selector);
  return {
    status: one("#status").innerText,
    points: [...document.querySelectorAll("#score .points")].map((shown) => Number(shown.innerText)),
    current: one("#list [aria-current]").innerText,
    width: document.documentElement.scrollWidth,
  };
}
"""
STEPS = f"""
(count) => Array.from({{length: count}}, () => {{
  document.querySelector("#forth").click();
  return ({STEP})();
}})
"""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_replay_shows_every_move_of_every_game(browser, tmp_path, game):
    record = random_record(game, 11, share=30)
    path = tmp_path / "game.html"
    path.write_text(replay_page(record), encoding="utf-8")
    data = msgspec.to_builtins(replay_data(record))
    with open_page(browser, path.as_uri(), PHONE) as page:
        assert page.locator("#list li").count() == len(record.moves) + 1
        page.locator("#forth").tap()
        steps = [page.evaluate(STEP), *page.evaluate(STEPS, len(record.moves) - 1)]
        for number, (ply, shown) in enumerate(zip(record, steps, strict=True), 1):
            assert shown["status"].startswith(f"{number}. {ply.player} plays ")
            assert shown["points"] == list(data["scores"][number])
            assert shown["current"].startswith(f"{number}.")
            assert shown["width"] <= 360
        assert page.locator("#forth").is_disabled()
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(BROKEN_WORDS) == []
        assert page.locator("#chart polyline").count() == len(record.setup.players)
        assert read_document(code_document(page.locator("#code").input_value())).require().moves == record.moves


def test_replay_is_controlled_by_keys_and_address(browser, tmp_path, shell: Shell):
    shell.good("page", EXAMPLES / "game.toml", "-o", tmp_path / "game.html")
    address = (tmp_path / "game.html").as_uri()
    with open_page(browser, f"{address}#5", DESK) as page:
        for key, number in (("ArrowRight", 6), ("ArrowLeft", 5), ("End", 12), ("ArrowRight", 12), ("Home", 0)):
            page.keyboard.press(key)
            assert page.locator("#place").input_value() == str(number)
        page.locator("#list button").nth(12).click()
        assert (
            page.locator("#status")
            .inner_text()
            .endswith("Bob wins: no card on the grid can take a neighbour, with 1 left in the draw pile.")
            or "Bob wins" in page.locator("#status").inner_text()
        )


def test_replay_shows_marks_and_values_of_analysis(browser, tmp_path, shell: Shell):
    analysed = shell.folder / "analysed.toml"
    shell.good("analyze", EXAMPLES / "game.toml", "-o", analysed)
    record = read_game(analysed)
    notes = read_move_notes(record)
    assert any(note.best for note in notes)
    shell.good("page", analysed, "-o", tmp_path / "game.html")
    with open_page(browser, (tmp_path / "game.html").as_uri(), DESK) as page:
        shown = page.locator("#list li").all_inner_texts()[1:]
        for number, (ply, note) in enumerate(zip(record, notes, strict=True)):
            lead = note.value if ply.state.to_move == 0 else -note.value
            points = f"{round(lead, 1):+g}".replace("-", "−")
            assert shown[number].endswith(f" {ply.move}{f' {note.mark}' if note.mark else ''} ({points})"), shown[
                number
            ]
            page.locator("#list button").nth(number + 1).click()
            status = page.locator("#status").inner_text()
            assert status.count(f"{note.lost:.1f} points better. Ann: {points} points.") == bool(note.best), status


# --- at the command line -----------------------------------------------------------------------------------------


def test_page_accepts_codes_and_rejects_unsupported_sources(shell: Shell):
    game = shell.good("code", EXAMPLES / "game.toml").out.strip()
    shell.good("page", game, "-o", shell.folder / "replay.html")
    assert (shell.folder / "replay.html").read_text("utf-8").startswith("<!doctype html>")
    second = shell("page", game, "-o", shell.folder / "replay.html")
    assert (second.status, "exists already" in second.err) == (3, True)
    shell.good("page", game, "-o", shell.folder / "replay.html", "--force")
    deck = shell("page", EXAMPLES / "deck.toml", "-o", shell.folder / "deck.html")
    assert (deck.status, "a deck" in deck.err) == (3, True)
    wrong = (EXAMPLES / "game.toml").read_text("utf-8").replace('"b3xc2", "a2xb1"', '"a1xc3", "a2xb1"', 1)
    (shell.folder / "wrong.toml").write_text(wrong, "utf-8")
    illegal = shell("page", shell.folder / "wrong.toml", "-o", shell.folder / "wrong.html")
    assert (illegal.status, "moves[0]" in illegal.err) == (1, True)
    assert not (shell.folder / "wrong.html").exists()
