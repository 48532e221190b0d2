"""The page of a table as two players use it."""

import random

from helpers.browsers import DESK, PHONE, open_page
from helpers.catalogues import Shell
from helpers.made_up import random_deck
from helpers.table_pages import EXAMPLES, a_game, a_game_by_taps, page_of

from ccgrid.engine.cards import zone_card
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid.state import GridSetup
from ccgrid.engine.records.files import code_document, record_code
from ccgrid.engine.records.record import Record, read_document


def test_game_moves_between_page_code_and_terminal(browser, table, shell: Shell):
    with open_page(browser, table, PHONE) as page:
        a_game_by_taps(page)
        code = page.locator("#code").input_value()
        points = [int(text) for text in page.locator("#players .points").all_inner_texts()]
        record = page.locator("#record").input_value()
        assert page.url.endswith(f"#{code}")
    scored = shell.good("score", code, "--json").json
    assert scored["scores"] == dict(zip(("Ann", "Bob"), points, strict=True))
    assert (scored["moves"], scored["over"], scored["ok"]) == (3, False, True)
    (shell.folder / "game.toml").write_text(record, encoding="utf-8")
    assert shell.good("score", shell.folder / "game.toml", "--json").json["scores"] == scored["scores"]
    # From the terminal: the same game, its next move and the card turned up then, as a code into the address bar.
    game = read_document(code_document(code)).require()
    state = game.final()
    further = Record(game.setup, (*game.moves, state.legal_moves()[0]))
    cards = (*game.setup.cards, next(card for card in game.setup.deck if card not in game.setup.cards))
    setup = GridSetup(game.setup.players, game.setup.first, cards, game.setup.deck)
    Record(setup, further.moves).final()
    from ccgrid.engine.records.files import write_game

    write_game(Record(setup, further.moves), shell.folder / "further.toml")
    sent = shell.good("code", shell.folder / "further.toml").out.strip()
    with open_page(browser, f"{table}#{sent}", DESK) as page:
        assert page.locator("#moves li").count() == 4
        shown = [int(text) for text in page.locator("#players .points").all_inner_texts()]
        assert tuple(shown) == Record(setup, further.moves).final().scores()


def test_reloaded_page_keeps_its_game(browser, table):
    with open_page(browser, table, PHONE) as page:
        a_game(page, 2)
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        page.locator("#not-now").tap()
        status, url = page.locator("#status").inner_text(), page.url
        assert status.startswith("Which card was turned up onto")
        page.reload()
        assert page.locator("#status").inner_text() == status
        page.locator("#grid .asked").tap()
        page.locator("#unseen button").first.tap()
        assert page.locator("#moves li").count() == 3
        assert page.url != url
    with open_page(browser, url, PHONE) as page:  # on another phone: the game as far as the address says it
        assert page.locator("#moves li").count() == 2


def test_undo_reverts_revealed_card_then_move(browser, table):
    with open_page(browser, table, PHONE) as page:
        a_game(page, 1)
        before = page.locator("#code").input_value()
        page.locator("#undo").tap()
        assert page.locator("#status").inner_text().startswith("Which card was turned up")
        page.locator("#undo").tap()
        assert page.locator("#moves li").count() == 0
        page.locator("#grid .can").first.tap()
        page.locator("#grid .lit").first.tap()
        page.locator("#unseen button").last.tap()
        assert page.locator("#code").input_value() == before
        for _ in range(12):
            page.locator("#undo").tap()
        assert page.locator("#lay").is_visible()


def test_page_without_real_cards_deals_and_reveals(browser, table):
    with open_page(browser, table, DESK) as page:
        page.locator("#shuffle").click()
        while page.locator("#grid .can").count():
            page.locator("#grid .can").first.click()
            page.locator("#grid .lit").first.click()
            assert page.locator("#chooser[open]").count() == 0
        code = page.locator("#code").input_value()
        assert page.locator("#players .best").count() >= 1
    game = read_document(code_document(code)).require()
    assert len(game.setup.cards) == 20
    assert game.final().outcome() is not None
    assert game.result == game.final().scores()


def test_damaged_code_or_code_of_another_deck_is_rejected(browser, table, shell: Shell):
    other = shell.good("code", EXAMPLES / "game.toml").out.strip()
    with open_page(browser, table, PHONE) as page:
        a_game(page)
        url = page.url
        for bad, words in (
            (other, "another deck"),
            (other[:-1], "damaged"),
            ("nonsense", "damaged"),
            ("ccgrid1-2q0WDnh7Bc5Xh-1a9Kz--0Ab3xZ", "of version 1, which is no longer read"),
        ):
            page.locator("#written summary").tap()
            page.locator("#given").fill(bad)
            page.locator("#take-up button").tap()
            assert words in page.locator("#note").inner_text()
            assert page.url == url
            page.locator("#written summary").tap()
        page.goto(f"{table}#{other}")
        page.wait_for_function("document.querySelector('#note').textContent.includes('another deck')")
        assert page.locator("#moves li").count() == 3


def test_unsupported_variant_is_left_to_the_terminal(browser, tmp_path):
    deck = [zone_card(card) for card in random_deck(random.Random(2))]
    setup = find_game("grid").deal(("Ann", "Bob"), [deck], Dice(2), options={"komi": 5})
    code = record_code(Record(setup)).line
    with open_page(browser, f"{page_of(tmp_path, deck)}#{code}", PHONE) as page:
        assert "by a variant" in page.locator("#note").inner_text()
        assert page.locator("#lay").is_visible()


def test_variant_table_is_playable_and_rejects_other_games(browser, table, shell: Shell):
    varied = shell.folder / "varied.html"
    options = ("--option", "komi=5", "--option", "order=1-2-2")
    shell.good("page", EXAMPLES / "deck.toml", "-o", varied, *options)
    with open_page(browser, varied.as_uri(), PHONE) as page:
        assert page.locator("#variant").inner_text().startswith("Whoever does not start has 5 points more.")
        a_game_by_taps(page)
        moved = [text.split(" ")[0] for text in page.locator("#moves li").all_inner_texts()]
        points = [int(text) for text in page.locator("#players .points").all_inner_texts()]
        code = page.locator("#code").input_value()
    assert moved in (["Ann", "Bob", "Bob"], ["Bob", "Ann", "Ann"])
    assert list(shell.good("score", code, "--json").json["scores"].values()) == points
    with open_page(browser, f"{table}#{code}", PHONE) as page:
        assert "played by a variant" in page.locator("#note").inner_text()
        assert page.locator("#lay").is_visible()
    shell("page", EXAMPLES / "game.toml", "-o", shell.folder / "x.html", *options).fails("leave --option out")
