"""Tests of the server's answers: tables, seats, moves, reviews, puzzles, and no hidden information."""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import fields, is_dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from helpers.web_server import Guest, RunningServer, alert_message, connect_from_other_address, server

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES
from ccgrid.engine.players import GreedyPlayer, choose_move
from ccgrid.engine.records.files import read_games
from ccgrid.services import reviews, training
from ccgrid.services.shared_tables import SharedTable
from ccgrid.view.games import turn_lines

every_game = pytest.mark.parametrize("game", GAMES.names)


@pytest.fixture
def served(tmp_path: Path):
    with server(tmp_path / "tables") as running:
        yield running


def open_table(served: RunningServer, guest: Guest, game: str, *players: str) -> SharedTable:
    """Open a table for these players, at which the guest has the first seat of a person."""
    answer = guest.post("/tables", game=game, name=list(players), computer=[""] * len(players))
    assert answer.status_code == 200, answer.text
    table = served.tables.find(int(answer.url.rpartition("/")[2]))
    assert table is not None
    return table


def test_form_of_a_new_table_chooses_named_rules(served: RunningServer) -> None:
    ann = served.guest()
    fields = {"game": "grid", "name": ["Ann", "Bob"], "computer": ["", ""], "option-turn": "none"}
    for chosen, expected in (("evening", {"turn": "clockwise", "order": "1-2-2"}), ("", {})):
        answer = ann.post("/tables", **fields, **{"option-rules": chosen})
        table = served.tables.find(int(answer.url.rpartition("/")[2]))
        assert table.session.state.variant == expected
    assert 'role="alert" class="answer"' in ann.post("/tables", **fields, **{"option-rules": "morning"}).text


def names_in(value: object) -> set[str]:
    """Return the names of all cards in a position."""
    if isinstance(value, Mapping):
        return names_in(tuple(value.values()))
    if isinstance(value, tuple | list | frozenset):
        return set().union(*map(names_in, value))
    if not is_dataclass(value):
        return set()
    own = {str(value.name)} if hasattr(value, "name") else set()
    return own.union(*(names_in(getattr(value, field.name)) for field in fields(value)))


@every_game
def test_hidden_cards_are_never_sent_to_other_seats(served: RunningServer, game: str):
    ann, bob, eve = served.guest(), served.guest(), served.guest()
    table = open_table(served, ann, game, "Ann", "Bob")
    assert bob.act(table.number, "seat", seat=1) == ""
    dice, secrets = Dice(3), 0
    for number in range(1000):
        state = table.session.state
        if table.session.is_over:
            break
        all_names = names_in(state)
        views = ((ann, state.view(0)), (bob, state.view(1)), (eve, table.public_view()))
        for guest, view in views if number < 30 or number % 20 == 0 else ():
            before = len(guest.read)
            guest.get(f"/table/{table.number}")
            guest.get(f"/table/{table.number}/board")
            guest.get(f"/table/{table.number}/moves")
            hidden = all_names - names_in(view)
            for group in () if guest is eve else view.unseen(0 if guest is ann else 1):
                hidden |= {card.name for card in group.cards or ()} - {card.name for card in group.seen}
            # Exclude names of publicly played cards, and names that are part of a visible name.
            seen = " ".join([*turn_lines(game, table.session.plies()), *(names_in(view) - hidden)])
            hidden = {name for name in hidden if name not in seen}
            assert [name for name in hidden if escape(name) in guest.read[before:]] == []
            secrets += len(hidden)
        mover = (ann, bob)[state.to_move]
        assert mover.act(table.number, "move", move=choose_move(GreedyPlayer(), state, dice)) == ""
    assert table.session.is_over
    start = table.session.setup.start()
    assert secrets or start.is_open(0) or not names_in(start)


def test_requests_need_token_host_and_origin(served: RunningServer):
    address = served.address
    assert requests.get(address, timeout=60).status_code == 403
    assert "Or scan the QR code" in requests.get(address, timeout=60).text
    assert requests.get(f"{address}/?token=wrong", timeout=60).status_code == 403
    ann = served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    here = f"{address}/table/{table.number}"
    assert ann.session.get(here, timeout=60).status_code == 200
    assert ann.session.get(here, headers={"Host": "evil.example"}, timeout=60).status_code == 421
    assert ann.session.get(here, headers={"Origin": "http://evil.example"}, timeout=60).status_code == 403
    assert ann.session.get(here, headers={"Sec-Fetch-Site": "cross-site"}, timeout=60).status_code == 403
    cookie = requests.get(f"{address}/?token={served.token}", allow_redirects=False, timeout=60).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}


def test_changes_need_a_page_of_this_server_and_its_token(served: RunningServer):
    ann = served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    move, where = table.session.state.legal_moves()[0], f"{served.address}/table/{table.number}/move"
    fields = {"move": move, "turn": table.turn}
    assert ann.session.post(where, data=fields, timeout=60).status_code == 409
    bob = served.guest()
    token = re.search(r'name="csrf" value="(\w+)"', bob.get("/play/grid").text)
    assert token is not None
    assert ann.session.post(where, data={**fields, "csrf": token[1]}, timeout=60).status_code == 409
    for origin in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": None}):
        assert ann.session.post(where, data=fields, headers=origin, timeout=60).status_code == 403
    assert ann.session.put(where, data=fields, timeout=60).status_code == 405
    large = {**fields, "csrf": "x" * 100_000}
    assert ann.session.post(where, data=large, timeout=60).status_code == 409
    assert table.session.moves == []


def test_pages_block_foreign_scripts_and_escape_names(served: RunningServer):
    ann = served.guest()
    malicious = "<script>alert(1)</script>"
    answer = ann.post("/tables", game="matrix", name=[malicious, "B&b"], computer=["", ""])
    assert "<script>alert" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert re.findall(r"<script(?![^>]*src=)|\son\w+=|style=", answer.text) == []
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", ["cmd:touch x", "greedy", "strong:5s", "x" * 300, "a\nb"])
def test_player_names_from_browsers_cannot_start_programs(served: RunningServer, name: str):
    ann = served.guest()
    rejected = ann.post("/tables", game="matrix", name=[name, "Ann"], computer=["", ""])
    assert 'role="alert" class="answer"' in rejected.text
    assert list(served.tables) == []


def test_seat_belongs_to_one_guest_until_left(served: RunningServer):
    ann, bob, eve = served.guest(), served.guest(), served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    assert bob.act(table.number, "seat", seat=1) == ""
    assert eve.act(table.number, "seat", seat=1).startswith("Bob plays on another device.")
    assert eve.act(table.number, "seat", seat=7) == "There is no such seat for a person."
    assert ann.act(table.number, "seat", seat=1).startswith("Bob plays on another device.")
    move = table.session.state.legal_moves()[0]
    assert eve.act(table.number, "move", move=move) == "You have no seat at this table."
    assert bob.act(table.number, "leave") == ""
    assert eve.act(table.number, "seat", seat=1) == ""
    assert table.seat_of(bob.session.cookies.get(f"ccgrid-guest-{served.address.rpartition(':')[2]}")) is None


def test_seat_is_freed_by_others_and_host_only(served: RunningServer):
    ann, bob, eve = served.guest(), served.guest(), served.guest()
    connect_from_other_address(eve)
    table = open_table(served, ann, "tactics", "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    assert "Free the seat" not in eve.shown(table.number)
    assert eve.act(table.number, "free", seat=0).startswith("Only players")
    connect_from_other_address(bob)
    assert "Free the seat of Ann" in bob.shown(table.number)
    assert bob.act(table.number, "free", seat=0) == ""
    assert "Bob freed the seat of Ann." in eve.shown(table.number)
    assert eve.act(table.number, "seat", seat=0) == ""
    assert ann.act(table.number, "move", move="anything") == "You have no seat at this table."
    assert "Free the seat of Bob" in ann.shown(table.number), "requests of this computer are the host's"
    assert ann.act(table.number, "free", seat=1) == ""
    assert "The host freed the seat of Bob." in bob.shown(table.number)


def test_invalid_moves_are_rejected_with_reason(served: RunningServer):
    ann, bob = served.guest(), served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    mover, other = (ann, bob) if table.session.state.to_move == 0 else (bob, ann)
    legal = table.session.state.legal_moves()[0]
    assert other.act(table.number, "move", move=legal).endswith("turn.")
    assert "not a move" in mover.act(table.number, "move", move="jump")
    late = mover.post(f"/table/{table.number}/move", move=legal, turn="0.7")
    assert alert_message(late.text) == "The game has moved on."
    why = mover.get(f"/table/{table.number}/why", touch="card:nothing")
    assert why.text
    assert other.get(f"/table/{table.number}/why", touch="card:x").text == "It is not your turn."
    assert table.session.moves == []


def test_undo_needs_agreement_of_all_others(served: RunningServer):
    ann, bob = served.guest(), served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    number = table.number
    mover, other = (ann, bob) if table.session.state.to_move == 0 else (bob, ann)
    assert mover.act(number, "undo") == "There is nothing to undo."
    mover.act(number, "move", move=table.session.state.legal_moves()[0])
    assert mover.act(number, "undo") == "The others have been asked."
    assert "asks to undo the last moves" in other.shown(number)
    assert len(table.session.moves) == 1
    other.act(number, "answer", agrees="no")
    assert "does not agree to undo the last moves" in mover.shown(number)
    assert (len(table.session.moves), table.undo_request) == (1, None)
    mover.act(number, "undo")
    other.act(number, "answer", agrees="yes")
    assert (table.session.moves, table.undo_request) == ([], None)


def test_computer_plays_hints_work_and_rematch_starts(served: RunningServer):
    ann = served.guest()
    answer = ann.post("/tables", game="matrix", name=["Ann", ""], computer=["", "easy"])
    table = served.tables.find(int(answer.url.rpartition("/")[2]))
    assert table is not None
    waited = threading.Event()
    for _ in range(200):
        if not table.needs_computer:
            break
        waited.wait(0.05)
    assert ann.act(table.number, "hint").startswith("Play ")
    assert table.session.is_helped
    rejected = ann.get(f"/table/{table.number}/games/1")
    assert (rejected.status_code, "it is not over" in rejected.text) == (404, True)
    assert ann.act(table.number, "again") == "The game is not over."
    assert ann.act(table.number, "resign") == ""
    assert "Ann resigned." in ann.shown(table.number)
    record = ann.get(f"/table/{table.number}/games/1/record")
    assert record.json()["notes"] == {"resigned": "Ann"}
    assert ann.act(table.number, "again") == ""
    assert (len(table.games), table.session.resigned) == (1, None)


@every_game
def test_finished_game_is_replayed_and_analysed(served: RunningServer, game: str):
    ann, bob = served.guest(), served.guest()
    table = open_table(served, ann, game, "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    for _ in range(6):
        mover = (ann, bob)[table.session.state.to_move]
        mover.act(table.number, "move", move=choose_move(GreedyPlayer(), table.session.state, Dice(1)))
    assert ann.get(f"/table/{table.number}/games/1").status_code == 404
    moves = list(table.session.moves)
    (ann, bob)[table.session.state.to_move].act(table.number, "resign")
    here = f"/table/{table.number}/games/1"
    page = ann.get(here, at="3").text
    assert f"<b>3/{len(moves)}</b>" in page
    assert page.count("<polyline") == 2
    code = re.search(r'readonly value="([^"]+)"', page)
    assert code is not None
    read = next(iter(read_games(code[1]))).require()
    assert read.moves == tuple(moves)
    analysed = ann.final_page(ann.post(f"{here}/analyze"))
    assert "Find the best moves" not in analysed
    assert any(text in ann.get(here, at="1").text for text in ("points. The best move was:", "This was the best move"))
    assert ann.get(here, at="x").status_code == 200
    assert ann.get(f"/table/{table.number}/games/2").status_code == 404


def test_daily_puzzle_is_answered_and_explained(served: RunningServer, monkeypatch):
    monkeypatch.setattr(training, "daily_seed", lambda day: 740_000)
    ann = served.guest()
    found = ann.final_page(ann.get("/puzzle/matrix"))
    moves = re.findall(r'name="move" value="([^"]+)"', found)
    pages = [ann.get("/puzzle/matrix", move=move).text for move in moves]
    assert sum("Right: that is the one best move." in page for page in pages) == 1
    assert sum("Not the best: it loses " in page for page in pages) == len(moves) - 1
    assert "Not the best" not in ann.get("/puzzle/matrix", move="jump").text
    assert "Not a move" in ann.get("/puzzle/matrix/why", touch="words:jump").text


@pytest.fixture
def endless_work(monkeypatch) -> threading.Event:
    """Replace the search by one that runs until it is stopped, and return the event set at its start."""
    begun = threading.Event()

    def work(*_: object, progress: Callable[..., object], **more: object) -> None:
        while True:
            begun.set()
            progress(1)

    monkeypatch.setattr(training, "puzzles", work)
    monkeypatch.setattr(reviews, "review_game", work)
    return begun


def test_server_stops_during_puzzle_search(tmp_path: Path, endless_work: threading.Event):
    with server(tmp_path / "tables") as running:
        assert "Looking for the puzzle" in running.guest().get("/puzzle/grid").text
        assert endless_work.is_set()


def test_puzzle_search_can_be_stopped_and_begun_again(served: RunningServer, endless_work: threading.Event):
    ann, bob = served.guest(), served.guest()
    works = [guest.get("/puzzle/grid").url for guest in (ann, bob, ann)]
    assert len(set(works)) == 1
    assert "Stopped: Looking for the puzzle of the day" in bob.final_page(bob.post(f"{urlsplit(works[0]).path}/stop"))
    assert ann.get("/puzzle/grid").url not in works


def test_review_can_be_stopped_and_begun_again(served: RunningServer, endless_work: threading.Event):
    ann, bob = served.guest(), served.guest()
    table = open_table(served, ann, "grid", "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    ann.act(table.number, "move", move=table.session.state.legal_moves()[0])
    bob.act(table.number, "resign")
    work = ann.post("/table/1/games/1/analyze")
    assert "Looking for the best moves of game 1" in work.text
    stopped = ann.final_page(ann.post(f"{urlsplit(work.url).path}/stop"))
    assert "Stopped: Looking for the best moves" in stopped
    assert "Find the best moves" in stopped
    again = ann.post("/table/1/games/1/analyze")
    assert "Looking for the best moves of game 1" in again.text
    assert again.url != work.url


def test_restarted_server_keeps_seats_and_game(tmp_path: Path):
    with server(tmp_path / "tables") as first:
        ann = first.guest()
        table = open_table(first, ann, "tactics", "Ann", "Bob")
        seat = table.session.state.to_move
        guest = ann if seat == 0 else first.guest()
        if guest is not ann:
            guest.act(table.number, "seat", seat=seat)
        guest.act(table.number, "move", move=table.session.state.legal_moves()[0])
        port, moves, state = int(first.address.rpartition(":")[2]), list(table.session.moves), table.session.state
        shown = guest.shown(table.number)
    with server(tmp_path / "tables", port) as second:
        again = second.tables.find(table.number)
        assert again is not None
        assert (again.session.moves, again.session.state) == (moves, state)
        guest.served = second
        assert guest.shown(table.number) == shown


def next_version(lines: Iterator[str], version: int) -> str:
    """Return the first version other than this one; the server repeats each version every second."""
    return next(line for line in lines if line != f"data: {version}" and not line.startswith('data: "'))


def test_watchers_are_notified_of_every_change(served: RunningServer):
    ann = served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    with ann.session.get(f"{served.address}/table/{table.number}/events", stream=True, timeout=60) as events:
        lines = (line.decode() for line in events.iter_lines() if line.startswith(b"data:"))
        assert next(lines) == f"data: {table.version}"
        before = table.version
        served.guest().act(table.number, "seat", seat=1)
        assert next_version(lines, before) == f"data: {table.version}"


def test_each_page_gets_changes_as_its_player_may_see_them(served: RunningServer):
    ann, bob, eve = served.guest(), served.guest(), served.guest()
    connect_from_other_address(eve)
    table = open_table(served, ann, "tactics", "Ann", "Bob")
    bob.act(table.number, "seat", seat=1)
    where = f"{served.address}/table/{table.number}/events"
    streams = [guest.session.get(where, stream=True, timeout=60) for guest in (ann, bob, eve)]
    heard = [(line for line in stream.iter_lines() if line.startswith(b"data: ")) for stream in streams]
    for lines in heard:
        next(lines)
    mover = (ann, bob)[table.session.state.to_move]
    assert mover.act(table.number, "move", move=table.session.state.legal_moves()[0]) == ""
    for guest, lines in zip((ann, bob, eve), heard, strict=True):
        sent = json.loads(next(line for line in lines if line.startswith(b'data: "')).removeprefix(b"data: "))
        assert sent == guest.get(f"/table/{table.number}/part").text
        assert ("Leave the seat" in sent) == (guest is not eve)
    for stream in streams:
        stream.close()


def test_fifty_watchers_are_notified(served: RunningServer):
    ann = served.guest()
    table = open_table(served, ann, "matrix", "Ann", "Bob")
    where = f"{served.address}/table/{table.number}/events"
    watchers = [ann.session.get(where, stream=True, timeout=60) for _ in range(50)]
    heard = [(line for line in watcher.iter_lines() if line.startswith(b"data:")) for watcher in watchers]
    before = table.version
    assert {next(lines) for lines in heard} == {f"data: {before}".encode()}
    served.guest().act(table.number, "seat", seat=1)
    assert {next_version(map(bytes.decode, lines), before) for lines in heard} == {f"data: {table.version}"}
    for watcher in watchers:
        watcher.close()


def test_missing_pages_are_reported(served: RunningServer):
    ann = served.guest()
    assert "What wins at" in ann.get("/learn/grid").text
    for path in ("/table/99", "/nothing", "/rules/chess", "/play/chess", "/static/app.py"):
        assert ann.get(path).status_code == 404, path
    assert ann.get("/tables").status_code == 405


def test_pages_and_assets_are_small(served: RunningServer):
    ann = served.guest()
    table = open_table(served, ann, "tactics", "Ann", "Bob")
    page = ann.get(f"/table/{table.number}").text
    parts = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(parts) == 4
    assert len(page) + sum(len(ann.get(part).content) for part in parts) < 150_000


def test_picture_with_very_long_name_is_not_found(served: RunningServer):
    assert served.guest().get(f"/pictures/{'a' * 5000}").status_code == 404


def send_incomplete_request(served: RunningServer) -> socket.socket:
    """Send a part of a request without a token."""
    port = int(served.address.rpartition(":")[2])
    sent = socket.create_connection(("127.0.0.1", port))
    sent.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    return sent


def test_incomplete_requests_do_not_block_others(served: RunningServer):
    ann = served.guest()
    connect_from_other_address(ann)
    with ExitStack() as connections:
        for _ in range(520):
            connections.enter_context(send_incomplete_request(served))
        assert [ann.get("/").status_code for _ in range(20)] == [200] * 20
        assert served.guest().get("/").status_code == 200, "another browser at the same address"


def test_incomplete_request_times_out(served: RunningServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ccgrid.web.connections._SECONDS", 0.2)
    with send_incomplete_request(served) as sent:
        sent.settimeout(30)
        with suppress(ConnectionResetError):
            assert sent.recv(1) == b""


def test_refused_request_ends_its_connection(served: RunningServer):
    assert requests.get(served.address, timeout=60).headers["connection"] == "close"
