"""Tests of tables that several people share: permissions, undo requests, saving, and damaged files."""

import json
from pathlib import Path

import pytest
from helpers.error_messages import error_of
from inline_snapshot import snapshot

from ccgrid.catalog import files
from ccgrid.catalog.card import LONGEST_NAME
from ccgrid.engine.errors import EngineError
from ccgrid.services.requests import GameRequest
from ccgrid.services.shared_tables import MOST_TABLES, SharedTable, SharedTables, UndoRequest, check_player
from ccgrid.services.table_files import MOST_GAMES

ANN, BOB = "guest-of-ann", "guest-of-bob"


@pytest.fixture(autouse=True)
def _no_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_DB", str(tmp_path / "none.db"))


def tables(folder: Path, messages: list[str] | None = None) -> SharedTables:
    log = [] if messages is None else messages
    return SharedTables(folder, lambda: 5, log.append)


def table_with_two_guests(folder: Path, game: str = "matrix") -> SharedTable:
    table = tables(folder).open(GameRequest(game=game, players=("Ann", "Bob")))
    table.take_seat(ANN, 0)
    table.take_seat(BOB, 1)
    return table


def guest_to_move(table: SharedTable) -> str:
    return (ANN, BOB)[table.session.state.to_move]


def test_table_reads_back(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path, "tactics")
    table.move(guest_to_move(table), table.session.state.legal_moves()[0], table.turn)
    table.ask_undo(ANN if table.session.state.to_move == 1 else BOB, table.turn)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert (again.session.state, again.session.moves) == (table.session.state, table.session.moves)
    assert (again.seats, again.undo_request) == (table.seats, table.undo_request)
    table.answer_undo(guest_to_move(table), agrees=True)
    assert table.session.moves == []
    table.resign(guest_to_move(table), table.turn)
    table.play_again(ANN, 7)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert (again.games, again.session.state) == (table.games, table.session.state)


def test_resigned_game_stays_resigned(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    table.resign(guest_to_move(table), table.turn)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert again.session.resigned == table.session.resigned
    with pytest.raises(EngineError, match="nothing to undo"):
        again.ask_undo(ANN, again.turn)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "game": {}}'])
def test_damaged_table_is_reported_and_others_are_read(tmp_path: Path, content: str) -> None:
    table_with_two_guests(tmp_path)
    (tmp_path / "2.json").write_text(content, encoding="utf-8")
    messages: list[str] = []
    read = tables(tmp_path, messages)
    assert ([table.number for table in read], len(messages)) == ([1], 1)
    assert read.open(GameRequest(game="matrix", players=("Ann", "Bob"))).number == 3
    assert (tmp_path / "2.json").read_text(encoding="utf-8") == content


@pytest.mark.parametrize("wrong", [0, False, "", [], {}])
def test_table_with_undo_request_of_wrong_type_is_reported(wrong: object, tmp_path: Path) -> None:
    table_with_two_guests(tmp_path)
    path, messages = tmp_path / "1.json", list[str]()
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"undo": wrong}), encoding="utf-8")
    assert list(tables(tmp_path, messages)) == []
    assert len(messages) == 1


def test_full_disk_does_not_end_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_with_two_guests(tmp_path)

    def raise_disk_full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccgrid.services.table_files.write_own_file", raise_disk_full)
    table.move(guest_to_move(table), table.session.state.legal_moves()[0], table.turn)
    assert (len(table.session.moves), "No space left" in table.failed) == (1, True)
    monkeypatch.setattr("ccgrid.services.table_files.write_own_file", files.write_own_file)
    table.move(guest_to_move(table), table.session.state.legal_moves()[0], table.turn)
    assert table.failed == ""
    assert len(json.loads((tmp_path / "1.json").read_text(encoding="utf-8"))["game"]["moves"]) == 2


def test_new_table_replaces_oldest_finished_one_only(tmp_path: Path) -> None:
    same_tables = tables(tmp_path)
    for _ in range(MOST_TABLES):
        same_tables.open(GameRequest(game="matrix", players=("Ann", "Bob")))
    with pytest.raises(EngineError, match="End one of them first"):
        same_tables.open(GameRequest(game="matrix", players=("Ann", "Bob")))
    finished = same_tables.find(7)
    assert finished is not None
    for seat, guest in enumerate((ANN, BOB)):
        finished.take_seat(guest, seat)
    finished.resign(guest_to_move(finished), finished.turn)
    assert same_tables.open(GameRequest(game="matrix", players=("Ann", "Bob"))).number == MOST_TABLES + 1
    assert (same_tables.find(7), (tmp_path / "7.json").exists()) == (None, False)


def test_move_for_other_turn_is_rejected(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    turn, move = table.turn, table.session.state.legal_moves()[0]
    table.move(guest_to_move(table), move, turn)
    with pytest.raises(EngineError, match="moved on"):
        table.move(guest_to_move(table), table.session.state.legal_moves()[0], turn)


def test_seat_is_taken_by_one_guest_without_other_seat(tmp_path: Path) -> None:
    table = tables(tmp_path).open(GameRequest(game="matrix", players=("Ann", "fair")))
    assert table.people == (0,)
    table.take_seat(ANN, 0)
    table.take_seat(ANN, 0)
    taken = "Ann plays on another device. The others or the host can free it."
    assert error_of(lambda: table.take_seat(BOB, 0), EngineError) == taken
    for seat in (1, 2):
        assert (
            error_of(lambda seat=seat: table.take_seat(BOB, seat), EngineError) == "There is no such seat for a person."
        )
    assert error_of(lambda: table.leave_seat(BOB), EngineError) == "You have no seat at this table."
    table.leave_seat(ANN)
    assert (table.seats, table.seat_of(ANN)) == ({}, None)
    both = table_with_two_guests(tmp_path / "both")
    both.leave_seat(BOB)
    assert error_of(lambda: both.take_seat(ANN, 1), EngineError) == "You have a seat at this table. Leave it first."


def test_others_and_host_can_free_seat_for_another_phone(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    table.move(guest_to_move(table), table.session.state.legal_moves()[0], table.turn)
    state, message = table.session.state, "Only players at this table and the host can free a seat."
    assert error_of(lambda: table.free_seat("eve", 0, is_host=False), EngineError) == message
    table.free_seat(BOB, 0, is_host=False)
    assert (table.seats, table.notice) == ({1: BOB}, "Bob freed the seat of Ann.")
    assert error_of(lambda: table.free_seat(BOB, 0, is_host=False), EngineError) == "This seat is free."
    table.take_seat("the-new-phone-of-ann", 0)
    assert table.session.state == state
    table.free_seat("the-host", 1, is_host=True)
    assert (table.seats, table.notice) == ({0: "the-new-phone-of-ann"}, "The host freed the seat of Bob.")
    table.take_seat(BOB, 1)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert again.seats == table.seats
    player = table.seats[table.session.state.to_move]
    table.move(player, table.session.state.legal_moves()[0], table.turn)
    assert table.notice == ""


def test_rejected_undo_request_is_reported_to_the_requesting_player(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    first, other = guest_to_move(table), ({ANN, BOB} - {guest_to_move(table)}).pop()
    table.move(first, table.session.state.legal_moves()[0], table.turn)
    table.ask_undo(first, table.turn)
    table.answer_undo(other, agrees=False)
    assert table.notice == f"{table.players[table.seat_of(other)]} does not agree to undo the last moves."
    table.ask_undo(first, table.turn)
    assert table.notice == ""


def test_same_request_for_undo_counts_once_and_later_turns_are_others(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    first, other = guest_to_move(table), ({ANN, BOB} - {guest_to_move(table)}).pop()
    table.leave_seat(other)
    before = table.turn
    table.move(first, table.session.state.legal_moves()[0], before)
    turn = table.turn
    table.ask_undo(first, turn)
    assert table.turn not in (before, turn)
    for _ in range(2):
        assert "moved on" in error_of(lambda: table.ask_undo(first, turn), EngineError)


def test_undo_needs_agreement_of_all_people(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    first, other = guest_to_move(table), ({ANN, BOB} - {guest_to_move(table)}).pop()
    message = "There is nothing to undo."
    assert error_of(lambda: table.ask_undo(first, table.turn), EngineError) == message
    assert error_of(lambda: table.answer_undo(first, agrees=True), EngineError) == "No player has asked to undo a move."
    table.move(first, table.session.state.legal_moves()[0], table.turn)
    version = table.version
    table.ask_undo(first, table.turn)
    seat = table.seat_of(first)
    assert table.undo_request == UndoRequest(seat, frozenset({seat}))
    assert (table.version, len(table.session.moves)) == (version + 1, 1)
    table.answer_undo(other, agrees=False)
    assert (table.undo_request, len(table.session.moves)) == (None, 1)
    table.ask_undo(first, table.turn)
    table.leave_seat(other)
    assert (table.undo_request, table.session.moves) == (None, []), "all who are left have agreed"
    table.take_seat(other, 1 - seat)
    table.move(first, table.session.state.legal_moves()[0], table.turn)
    table.ask_undo(first, table.turn)
    table.leave_seat(first)
    assert (table.undo_request, len(table.session.moves)) == (None, 1)
    table.take_seat(first, seat)
    table.ask_undo(first, table.turn)
    table.answer_undo(other, agrees=True)
    assert (table.undo_request, table.session.moves) == (None, [])
    table.move(first, table.session.state.legal_moves()[0], table.turn)
    table.ask_undo(first, table.turn)
    table.move(other, table.session.state.legal_moves()[0], table.turn)
    assert table.undo_request is None, "a move was made meanwhile"
    table.leave_seat(other)
    table.ask_undo(first, table.turn)
    assert table.session.moves == [], "nobody else is there to agree"


def test_only_player_to_move_gets_view(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    first, other = guest_to_move(table), ({ANN, BOB} - {guest_to_move(table)}).pop()
    move = table.session.state.legal_moves()[0]
    assert table.view_in_turn(first, table.turn) == table.session.state.view(table.session.state.to_move)
    assert error_of(lambda: table.view_in_turn(other, table.turn), EngineError) == "It is not your turn."
    assert error_of(lambda: table.view_in_turn(first, "0.9"), EngineError) == "The game has moved on."
    assert table.why_not(other, move) == "It is not your turn."
    assert table.why_not(first, move) == f"This may be {move}."
    assert table.why_not(first, "nonsense").startswith("Not a move; write moves like ")
    assert table.why_not(first, "nonsense").endswith(".")
    assert error_of(lambda: table.play_again(first, 1), EngineError) == "The game is not over."
    table.resign(first, table.turn)
    assert error_of(lambda: table.view_in_turn(first, table.turn), EngineError) == "It is not your turn."
    assert table.why_not(first, move) == "It is not your turn."


def test_last_twenty_games_of_table_are_kept(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    for number in range(22):
        table.resign(guest_to_move(table), table.turn)
        table.play_again(ANN, number)
    assert len(table.games) == MOST_GAMES == 20
    assert table.turn == "20.0"
    assert sum(won for _, won in table.standings()) == 22, "also the games that are not kept"
    again = tables(tmp_path).find(1)
    assert again is not None
    assert again.standings() == table.standings()
    document = json.loads((tmp_path / "1.json").read_text(encoding="utf-8"))
    del document["won"]
    (tmp_path / "1.json").write_text(json.dumps(document), encoding="utf-8")
    older = tables(tmp_path).find(1)
    assert older is not None
    assert sum(won for _, won in older.standings()) == 20, "the file of an earlier version"


def test_standings_count_games_won_of_an_evening(tmp_path: Path) -> None:
    table = table_with_two_guests(tmp_path)
    assert table.standings() == []
    loser = table.players[table.session.state.to_move]
    table.resign(guest_to_move(table), table.turn)
    assert table.standings() == [(player, int(player != loser)) for player in ("Ann", "Bob")]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x" * LONGEST_NAME, None),
        (
            "x" * (LONGEST_NAME + 1),
            snapshot(f"A player's name has at most {LONGEST_NAME} characters; this one has 201."),
        ),
        ("a\nb", snapshot('The name "a\\nb" has invisible characters. Leave them out.')),
        ("Ann\u202e", snapshot('The name "Ann\\u202e" has invisible characters. Leave them out.')),
        ("An\u200dn", snapshot('The name "An\\u200dn" has invisible characters. Leave them out.')),
        ("علی\u200cرضا", None),
        ("क्\u200dष", None),
        ("👨\u200d👩\u200d👧\u200d👦", None),
        ("👩\u200d❤\ufe0f\u200d👨", None),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", None),
        ("strong:1000000", snapshot("'strong:1000000' is the name of a computer player. Take another one.")),
        ("fair", None),
        ("medium", None),
    ],
)
def test_name_must_be_short_and_visible_and_start_no_program(name: str, message: str | None) -> None:
    if message is None:
        check_player(name)
    else:
        assert error_of(lambda: check_player(name), EngineError) == message


def test_table_needs_person_and_reports_factions(tmp_path: Path) -> None:
    shared_tables = tables(tmp_path)
    message = error_of(lambda: shared_tables.open(GameRequest(game="matrix", players=("fair", "easy"))), EngineError)
    assert message == "At least one seat must be for a person."
    table = shared_tables.open(GameRequest(game="tactics", players=("Ann", "Bob"), factions=("cinder", "harbor")))
    assert [remark.partition(":")[0] for remark in table.remarks] == ["Ann", "Bob"]
    assert [each.number for each in shared_tables] == [table.number] == [1]
    shared_tables.open(GameRequest(game="matrix", players=("Ann", "Bob")))
    assert [each.number for each in shared_tables] == [2, 1]


def test_other_files_in_folder_are_kept(tmp_path: Path) -> None:
    table_with_two_guests(tmp_path)
    for name in ("notes.json", "1234567.json", "²5.json"):
        (tmp_path / name).write_text("{", encoding="utf-8")
    messages: list[str] = []
    assert [table.number for table in tables(tmp_path, messages)] == [1]
    assert messages == []
