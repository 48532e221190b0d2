"""Tests of phones at one table in a real browser: playing, watching, sleeping, and reconnecting after a restart."""

import threading
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from helpers.browsers import DESK, PHONE
from helpers.catalogues import make_catalogue, row, write_rows
from helpers.everyday import sampled
from helpers.phones import (
    OVERLAPPING,
    PHONE_LANDSCAPE,
    SMALL_LANDSCAPE,
    SMALL_PHONE,
    TABLET,
    TELEVISION,
    check_fits,
    check_page,
    guests,
    is_touched,
    make_move_by_touch,
    open_table,
    wait_for_update,
)
from helpers.web_server import server

from ccgrid.catalog.collection import imports
from ccgrid.catalog.scan.values import ScannedCard, SeenNumber
from ccgrid.catalog.zones import ZONES
from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.players import GreedyPlayer, choose_move
from ccgrid.services import catalogue, shared_tables
from ccgrid.services.catalogue import open_collection
from ccgrid.services.collection import add_copies, boxes
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.services.requests import GameRequest
from ccgrid.services.scan_queue import Photograph, ReadCard
from ccgrid.web.deck_shelf import DeckShelf

COVERED = """[...document.querySelectorAll('.buttons button')].filter((one) => {
    one.scrollIntoView({block: 'end'});
    const place = one.getBoundingClientRect();
    return document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2) !== one;
}).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("game", sampled(GAMES.names, "grid", "ninecard"))
def test_two_phones_play_and_a_third_screen_watches(browser: Any, tmp_path: Path, game: str):
    with (
        server(tmp_path / "tables") as served,
        guests(browser, served, PHONE, PHONE_LANDSCAPE, DESK) as (ann, bob, watcher),
    ):
        table = open_table(served, ann, game)
        here = f"{served.address}/table/{table.number}"
        bob.goto(here)
        bob.get_by_role("button", name="Play as Bob").click()
        bob.wait_for_selector("text=Leave the seat", state="attached")
        watcher.goto(f"{here}/board")
        dice = Dice(1)
        for number in count():
            if table.session.is_over:
                break
            seat, move = table.session.state.to_move, choose_move(GreedyPlayer(), table.session.state, dice)
            if is_touched(number):
                wait_for_update((ann, bob)[seat], table)
                make_move_by_touch((ann, bob)[seat], table, move)
            else:
                table.move(table.seats[seat], move, table.turn)
        for page in (ann, bob, watcher):
            wait_for_update(page, table)
            assert "The game is over" in page.locator("#status").text_content()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert watcher.locator("form button").count() == 0
        ann.get_by_role("button", name="Play again").click()
        ann.wait_for_selector("#status:not(:has-text('over'))")
        assert len(table.games) == 1


def test_invalid_touch_is_explained_and_game_is_playable_by_keys(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        ann.goto(f"{served.address}/play/grid")
        ann.locator("[name=name]").first.fill("Ann")
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_selector(".play[data-ways]", timeout=60_000)
        table = served.tables.find(1)
        assert table is not None
        state = table.session.state
        ways = {way[0].text for move in state.legal_moves() for way in find_game(state.game).pictures.ways(state, move)}
        dead = next(cell for cell in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3") if cell not in ways)
        ann.click(f'[data-touch="cell:{dead}"]')
        ann.wait_for_selector("#note:not([hidden])")
        assert len(ann.locator("#note").text_content()) > 10
        ann.focus('[data-touch="cell:a1"]')
        for key, cell in (("Right", "b1"), ("Down", "b2"), ("Left", "a2"), ("Up", "a1"), ("Left", "a1")):
            ann.keyboard.press(f"Arrow{key}")
            assert ann.evaluate("document.activeElement.dataset.touch") == f"cell:{cell}"
        move = state.legal_moves()[0]
        before = table.version
        for what in find_game(state.game).pictures.ways(state, move)[0]:
            ann.focus(f'[data-touch="cell:{what.text}"]')
            ann.keyboard.press("Enter")
        ann.wait_for_selector(f'.play:not([data-version="{before}"])')
        assert table.session.moves[0] == move
        assert ann.locator("#live").text_content()
        ann.wait_for_selector("#note", state="hidden", timeout=4000)  # it is about an earlier touch


def test_focus_stays_near_after_an_action(browser: Any, tmp_path: Path):
    focused = "document.activeElement.id || document.activeElement.textContent"
    with server(tmp_path / "tables") as served, guests(browser, served, DESK) as (ann,):
        table = open_table(served, ann, "matrix")
        table.take_seat("b" * 32, 1)
        ann.locator("details.seats summary").focus()
        table.free_seat("a", 1, is_host=True)
        wait_for_update(ann, table)
        assert ann.evaluate(focused) == "Seats"
        ann.locator("details.moves summary").press("Enter")
        ann.locator(".choices button").first.press("Enter")
        ann.wait_for_selector("#status:has-text('Bob')")
        assert ann.evaluate(focused) == "status"
        for name in ("one.jpg", "two.jpg"):
            served.scans.add(name.encode(), name, "")
        ann.goto(f"{served.address}/scan")
        ann.get_by_role("button", name="Remove two.jpg").focus()
        served.scans.drop(1)
        ann.wait_for_selector("#photographs li:nth-child(2)", state="detached")
        assert ann.evaluate("document.activeElement.ariaLabel") == "Remove two.jpg"
        served.scans.drop(2)
        ann.wait_for_selector("#photographs li", state="detached")
        assert ann.evaluate(focused) == "photographs"


def test_page_shows_the_error_if_it_cannot_update_the_table(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        table = open_table(served, ann, "grid")
        page = ann.context.new_page()  # `guests` allows no console errors on its own pages
        page.goto(ann.url)
        page.route("**/part", lambda route: route.fulfill(status=500, json={"said": "This is a defect."}))
        page.evaluate("play().dataset.version = 'older'")  # so that the page requests an update at the next event
        page.wait_for_selector("#note:has-text('This is a defect.')")
        page.unroute("**/part")
        wait_for_update(page, table)


def test_phone_reconnects_after_sleep_and_server_restart(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE, PHONE) as (ann, bob):
        table = open_table(served, ann, "matrix")
        bob.goto(f"{served.address}/table/{table.number}")
        bob.get_by_role("button", name="Play as Bob").click()
        bob.wait_for_selector("text=Leave the seat", state="attached")
        mover, sleeper = (ann, bob) if table.session.state.to_move == 0 else (bob, ann)
        wait_for_update(mover, table)
        sleeper.context.set_offline(True)
        make_move_by_touch(mover, table, table.session.state.legal_moves()[0])
        sleeper.context.set_offline(False)
        sleeper.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        wait_for_update(sleeper, table)
        mover, moves = (ann, bob)[table.session.state.to_move], list(table.session.moves)
        port = int(served.address.rpartition(":")[2])
        served.stop()
        with server(tmp_path / "tables", port) as again:
            table = again.tables.find(table.number)
            assert table is not None
            assert table.session.moves == moves
            mover.reload()
            mover.wait_for_selector(".play[data-ways]")
            make_move_by_touch(mover, table, table.session.state.legal_moves()[0])
            assert len(table.session.moves) == 2


def test_photograph_list_resumes_uploads_after_sleep(browser: Any, tmp_path: Path):
    pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
    from helpers.made_up_pictures import draw, packed

    pictures = [tmp_path / f"{name}.jpg" for name in ("one", "two")]
    for number, path in enumerate(pictures, 3):
        path.write_bytes(packed(draw("Amber Drake", {"top": str(number)}, ""), "JPEG"))
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE, PHONE) as (ann, bob):
        for page in (ann, bob):
            page.goto(f"{served.address}/scan")
        ann.context.set_offline(True)
        ann.locator("input[type=file][multiple]").set_input_files(pictures[0])
        ann.wait_for_selector("#sending:has-text('1 not sent')")
        bob.locator("input[type=file][multiple]").set_input_files(pictures[1])
        bob.locator("#photographs li").nth(0).wait_for()
        assert ann.locator("#photographs li:has-text('two')").count() == 0
        ann.context.set_offline(False)
        ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        for page in (ann, bob):
            page.locator("#photographs li").nth(1).wait_for(timeout=60_000)
        ann.wait_for_selector("#sending:text-is('')", state="attached")
        assert sorted(one.name for one in served.scans) == ["one.jpg", "two.jpg"]


def test_browser_asks_before_leaving_unsent_photographs(browser: Any, tmp_path: Path):
    pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
    (tmp_path / "one.jpg").write_bytes(b"no picture")
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (ann,):
        ann.goto(f"{served.address}/scan")
        ann.route("**/scan/pictures*", lambda route: route.abort())
        asked: list[str] = []
        ann.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        ann.locator("input[type=file][multiple]").set_input_files(tmp_path / "one.jpg")
        ann.wait_for_selector("#sending:has-text('1 not sent')")
        ann.get_by_role("link", name="Decks").click()
        ann.wait_for_timeout(200)
        assert (asked, ann.url) == (["beforeunload"], f"{served.address}/scan")
        ann.unroute("**/scan/pictures*")
        ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        ann.wait_for_selector("#sending:text-is('')", state="attached", timeout=60_000)
        ann.get_by_role("link", name="Decks").click()
        ann.wait_for_url("**/decks")
        assert asked == ["beforeunload"]


def test_browser_without_valid_token_sees_nothing(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served:
        page = browser.new_page()
        for address in (served.address, f"{served.address}/?token=wrong", f"{served.address}/table/1"):
            answer = page.goto(address)
            assert answer.status == 403
            assert "Or scan the QR code" in page.text_content("body")
            assert ("no longer valid" in page.text_content("body")) == ("token" in address)
        page.close()


@pytest.mark.parametrize("game", GAMES.names)
def test_game_pages_fit_screens_and_controls_are_accessible(browser: Any, tmp_path: Path, game: str):
    with server(tmp_path / "tables") as served, guests(browser, served, {}) as (page,):
        page.goto(f"{served.address}/play/{game}")
        page.locator("[name=name]").first.fill("Ann")
        page.locator("[name=computer]").nth(1).select_option("easy")
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_selector(".play[data-ways]", timeout=60_000)
        paths = [f"/{where}/{game}" for where in ("play", "rules")]
        paths += [f"/table/1{rest}" for rest in ("", "/board", "/moves")]
        table = served.tables.find(1)
        assert table is not None
        for path in ("/", *paths):
            check_fits(page, served.address + path)
        table.resign(table.seats[0], table.turn)
        check_fits(page, f"{served.address}/table/1")
        check_fits(page, f"{served.address}/table/1/games/1")


@pytest.mark.parametrize("players", [2, 4])
def test_names_and_numbers_of_cards_do_not_overlap(browser: Any, tmp_path: Path, players: int):
    with server(tmp_path / "tables") as served, guests(browser, served, {}) as (page,):
        table = served.tables.open(GameRequest(game="tactics", players=("Maximilian", "Bob", "Carol", "Dan")[:players]))
        for seat in table.people:
            table.take_seat(str(seat) * 32, seat)
        dice = Dice(1)
        for _ in range(6):
            state = table.session.state
            table.move(table.seats[state.to_move], choose_move(GreedyPlayer(), state, dice), table.turn)
        table.leave_seat(table.seats[0])
        page.goto(f"{served.address}/table/{table.number}")
        page.get_by_role("button", name="Play as Maximilian").click()
        page.wait_for_selector("text=Leave the seat", state="attached")
        assert page.locator(".card .name").count() > 3
        for screen in (SMALL_PHONE, PHONE, PHONE_LANDSCAPE, SMALL_LANDSCAPE, TABLET, DESK, TELEVISION):
            page.set_viewport_size(screen["viewport"])
            assert (screen, page.evaluate(OVERLAPPING)) == (screen, [])


def test_card_pages_fit_screens_and_search_while_typing(browser: Any, tmp_path: Path):
    cards = write_rows(tmp_path / "cards.jsonl", [row(number, f"Long named Drake {number}") for number in range(1, 60)])
    database = make_catalogue(tmp_path / "catalogue.db", cards)
    with (
        server(tmp_path / "tables", database=database) as served,
        guests(browser, served, {"color_scheme": "dark"}) as (page,),
    ):
        for path in ("/cards?q=drake", "/card?id=mtg%3Adsk%2F7", "/boxes"):
            check_fits(page, served.address + path)
        page.goto(f"{served.address}/cards")
        page.locator("[name=q]").press_sequentially("drake 7")
        page.wait_for_selector("#found a:has-text('Long named Drake 7')")
        page.get_by_role("button", name="Owned").click()
        page.wait_for_selector("#found:has-text('No card matches')")
        assert page.locator("[name=q]").input_value() == "drake 7 is:owned"
        page.context.set_offline(True)
        page.locator("[name=q]").fill("drake 8")
        page.wait_for_selector("#found:has-text('The server does not answer')")
        page.context.set_offline(False)
        page.locator("[name=q]").fill("drake 9")
        page.wait_for_selector("#found a:has-text('Long named Drake 9')")


def test_slow_table_asks_for_patience(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ready = threading.Event()
    monkeypatch.setattr(shared_tables, "prepare", lambda computers, game: ready.wait(60))
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (page,):
        page.goto(f"{served.address}/play/grid")
        page.locator("[name=name]").first.fill("Ann")
        # Playwright itself waits for the answer before it looks at the page again.
        page.evaluate("new MutationObserver(() => console.log(note.textContent)).observe(note, { childList: true })")
        try:
            with page.expect_console_message() as said:
                page.get_by_role("button", name="Open the table").click(no_wait_after=True)
            assert said.value.text.startswith("The table is being prepared.")
        finally:
            ready.set()
        page.wait_for_url("**/table/1")


def test_points_follow_names_in_scripts_from_right_to_left(browser: Any, tmp_path: Path):
    misplaced = """[...document.querySelectorAll('.called')].filter((one) => {
        const after = document.createRange();
        if (!one.nextSibling?.data?.trim()) return false;
        after.selectNode(one.nextSibling);
        return after.getClientRects()[0].left < one.getBoundingClientRect().right - 1;
    }).map((one) => one.parentElement.textContent)"""
    with server(tmp_path / "tables") as served, guests(browser, served, DESK) as (page,):
        for game in ("matrix", "tactics"):
            table = served.tables.open(GameRequest(game=game, players=("שלום", "مريم")))
            page.goto(f"{served.address}/table/{table.number}")
            assert page.locator(".called").count() >= 2
            assert page.evaluate(misplaced) == []


def test_double_tap_submits_a_form_once(browser: Any, tmp_path: Path):
    cards = write_rows(tmp_path / "cards.jsonl", [row(7, "Drake 7")])
    database = make_catalogue(tmp_path / "catalogue.db", cards)
    with server(tmp_path / "tables", database=database) as served, guests(browser, served, PHONE) as (page,):
        for count in (1, 2):
            page.goto(f"{served.address}/card?id=mtg%3Adsk%2F7")
            with page.expect_navigation(url="**said=*"):
                page.get_by_role("button", name="Add", exact=True).dblclick()
            assert page.text_content("#note") == "Added 1 Drake 7."
            assert [one.copies for one in boxes(database)] == [count]
        page.go_back()
        with page.expect_navigation(url="**said=*"):
            page.get_by_role("button", name="Add", exact=True).click()
        assert [one.copies for one in boxes(database)] == [3]


def test_five_photographs_become_corrected_cards_in_a_box(browser: Any, tmp_path: Path):
    pytest.importorskip("rapidocr", reason="the extra 'scan' is not installed")
    from helpers.made_up_pictures import draw, packed

    labelled = {
        "Amber Drake": {"top": "7"},
        "Brass Heron": {"left": "3"},
        "Cinder Wolf": {"bottom-right": "5"},
        "Dusk Lantern": {"top-left": "9"},
        "Ember Knight": {"right": "2"},
    }
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name, zones in labelled.items():
        (pictures / f"{name}.jpg").write_bytes(packed(draw(name, zones, "A made-up card."), "JPEG"))
    cards = write_rows(tmp_path / "cards.jsonl", [row(1, "Amber Drake", 7)])
    database = make_catalogue(tmp_path / "catalogue.db", cards)
    with server(tmp_path / "tables", database=database) as served, guests(browser, served, PHONE) as (page,):
        page.goto(f"{served.address}/scan")
        page.locator("[name=game]").select_option("mtg")
        page.locator("input[type=file][multiple]").set_input_files(sorted(pictures.iterdir()))
        page.locator("#photographs li").nth(4).wait_for(timeout=60_000)
        check_fits(page, f"{served.address}/scan")
        page.locator("#photographs:not(:has-text('waiting to be read'))").wait_for(timeout=240_000)
        page.click("text=Look at the next card")
        check_fits(page, page.url)
        page.set_viewport_size(PHONE["viewport"])
        page.locator("[name=box]").fill("Attic")
        for name, zones in labelled.items():
            page.locator("h1", has_text=name).wait_for()
            for zone in (*ZONES, "face"):
                page.locator(f'.cut a[href="#zone-{zone}"]').click()
                assert page.evaluate("document.activeElement.id") == f"zone-{zone}"
                page.keyboard.press("Delete")
                page.keyboard.type(zones.get(zone, ""))
            page.get_by_role("button", name="Keep it").click()
            page.locator("#note", has_text=name).wait_for()
        found = boxes(database)
        assert [(box.name, box.cards, box.copies) for box in found] == [("Attic", 5, 5)]
        page.goto(f"{served.address}/cards?q=box%3AAttic")
        assert page.locator("#found img").count() == 5
        for name, zones in labelled.items():
            (card,) = catalogue.find_cards(database, name, 1).cards
            assert card.zones == {zone: int(value) for zone, value in zones.items()}


def test_picture_is_removed_only_after_a_question(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (page,):
        served.scans.add(b"no picture", "card.jpg", "")
        page.goto(f"{served.address}/scan")
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.get_by_role("button", name="Remove").click()
        page.wait_for_timeout(200)
        assert [one.name for one in served.scans] == ["card.jpg"]
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Remove").click()
        page.wait_for_selector("#photographs li", state="detached")
        assert list(served.scans) == []


def test_message_about_last_card_covers_no_button(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, PHONE) as (page,):
        seen = (SeenNumber("7", 7, "top", 50, 7, 0.9),)
        read = ReadCard(ScannedCard("Drake 7", seen), b"", 343, 480)
        served.scans._photographs[1] = Photograph(1, "card.jpg", "0" * 64, "mtg", is_read=True, cards=[read])
        page.goto(f"{served.address}/scan/1/0?said=1+Amber+Drake+in+Attic.")
        assert page.locator("#note").is_visible()
        assert page.locator(".buttons button").count() == 2
        for screen in (PHONE, PHONE_LANDSCAPE, DESK):
            page.set_viewport_size(screen["viewport"])
            assert page.evaluate(COVERED) == []


def test_axe_finds_nothing_on_pages_of_games(browser: Any, tmp_path: Path):
    with server(tmp_path / "tables") as served, guests(browser, served, {}) as (page,):
        paths = ["/"]
        for number, game in enumerate(sampled(GAMES.names, "grid", "ninecard"), 1):
            page.goto(f"{served.address}/play/{game}")
            page.locator("[name=name]").first.fill("Ann")
            page.locator("[name=computer]").nth(1).select_option("easy")
            page.get_by_role("button", name="Open the table").click()
            page.wait_for_selector(".play[data-ways]", timeout=60_000)
            paths += [f"/{where}/{game}" for where in ("play", "rules")]
            paths += [f"/table/{number}{rest}" for rest in ("", "/board", "/moves")]
        wrong = [one for path in paths for one in check_page(page, served.address + path)]
        table = served.tables.find(1)
        assert table is not None
        table.resign(table.seats[0], table.turn)
        real = served.tables.open_real(GameRequest(game="matrix", players=("Ann", "Bob")))
        page.goto(f"{served.address}/puzzle/matrix")
        page.wait_for_selector(".picture", timeout=200_000)
        after = ["/table/1", "/table/1/games/1", "/puzzle/matrix"] + [
            f"/real/{real.number}{end}" for end in ("", "/board")
        ]
        wrong += [one for path in after for one in check_page(page, served.address + path)]
    assert wrong == []


def test_axe_finds_nothing_on_pages_of_cards_scans_and_decks(browser: Any, tmp_path: Path):
    rows = [row(number, f"Drake {number}", number % 11) for number in range(1, 30)]
    cards = write_rows(tmp_path / "cards.jsonl", [*rows, row(40, "Amber Archivist", 3)])
    database = make_catalogue(tmp_path / "catalogue.db", cards)
    add_copies(database, "mtg:dsk/7", 2, "Attic")
    file = tmp_path / "mine.csv"
    file.write_text("Count,Name,Edition,Collector Number\n1,Drake 5,dsk,5\n2,Amber Archivist,xyz,9\n")
    with open_collection(database) as collection:
        imports.import_file(imports.CollectionImport(file, file.name), collection, lambda line: None)
    with server(tmp_path / "tables", database=database) as served, guests(browser, served, {}) as (page,):
        seen = (SeenNumber("7", 7, "top", 50, 7, 0.9), SeenNumber("3", 3, "left", 8, 50, 0.5))
        read = ReadCard(ScannedCard("Drake 7", seen, names=("Drake 7",)), b"", 343, 480, "mtg:dsk/7")
        photograph = Photograph(1, "card.jpg", "0" * 64, "mtg", is_read=True, cards=[read])
        served.scans._photographs[1] = photograph
        shelf = DeckShelf(tmp_path / "tables" / "decks", database)
        shelf.write(shelf.make(DeckRequest(game="grid"), "Ours", 1)[0])
        paths = ["/cards?q=drake", "/card?id=mtg%3Adsk%2F7", "/boxes", "/doubts", "/scan", "/scan/1/0"]
        paths += ["/decks", "/deck/1", "/deck/1/pull"]
        tables = ["cards", "cards?q=dragon", "cards/mtg~3Adsk~2F7", "collection", "boxes"]
        tables = ["/browse/", "/browse/catalogue", *(f"/browse/catalogue/{one}" for one in tables)]
        paths += tables if find_spec("datasette") else []
        assert [one for path in paths for one in check_page(page, served.address + path)] == []
        for path in paths:
            check_fits(page, served.address + path)
