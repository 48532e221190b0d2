"""Tables that several people share: who may do what, what is kept, and what a damaged file does."""

import json
from pathlib import Path

import pytest

from ccgrid.catalog import files
from ccgrid.engine.errors import EngineError
from ccgrid.services.shared_tables import MOST_TABLES, SharedTable, SharedTables

ANN, BOB = "guest-of-ann", "guest-of-bob"


@pytest.fixture(autouse=True)
def _no_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCGRID_DB", str(tmp_path / "none.db"))


def tables(folder: Path, complaints: list[str] | None = None) -> SharedTables:
    said = [] if complaints is None else complaints
    return SharedTables(folder, lambda: 5, said.append)


def seated(folder: Path, game: str = "matrix") -> SharedTable:
    table = tables(folder).open(game, ("Ann", "Bob"), (), (), None)
    table.take_seat(ANN, 0)
    table.take_seat(BOB, 1)
    return table


def mover(table: SharedTable) -> str:
    return (ANN, BOB)[table.session.state.to_move]


def test_a_table_is_as_it_was_when_it_is_read_again(tmp_path: Path) -> None:
    table = seated(tmp_path, "tactics")
    table.move(mover(table), table.session.state.legal_moves()[0], table.turn)
    table.ask_undo(ANN if table.session.state.to_move == 1 else BOB)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert (again.session.state, again.session.moves) == (table.session.state, table.session.moves)
    assert (again.seats, again.undo_request) == (table.seats, table.undo_request)
    table.answer_undo(mover(table), agrees=True)
    assert table.session.moves == []
    table.resign(mover(table), table.turn)
    table.play_again(ANN, 7)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert (again.games, again.session.state) == (table.games, table.session.state)


def test_a_given_up_game_stays_given_up(tmp_path: Path) -> None:
    table = seated(tmp_path)
    table.resign(mover(table), table.turn)
    again = tables(tmp_path).find(1)
    assert again is not None
    assert again.session.resigned == table.session.resigned
    with pytest.raises(EngineError, match="nothing to undo"):
        again.ask_undo(ANN)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "game": {}}'])
def test_a_damaged_table_is_told_and_harms_no_other(tmp_path: Path, content: str) -> None:
    seated(tmp_path)
    (tmp_path / "2.json").write_text(content, encoding="utf-8")
    complaints: list[str] = []
    read = tables(tmp_path, complaints)
    assert ([table.number for table in read], len(complaints)) == ([1], 1)
    assert read.open("matrix", ("Ann", "Bob"), (), (), None).number == 3
    assert (tmp_path / "2.json").read_text(encoding="utf-8") == content


def test_a_full_disk_costs_nobody_their_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccgrid.services.saved_games.write_whole", full)
    table.move(mover(table), table.session.state.legal_moves()[0], table.turn)
    assert (len(table.session.moves), "No space left" in table.failed) == (1, True)
    monkeypatch.setattr("ccgrid.services.saved_games.write_whole", files.write_whole)
    table.move(mover(table), table.session.state.legal_moves()[0], table.turn)
    assert table.failed == ""
    assert len(json.loads((tmp_path / "1.json").read_text(encoding="utf-8"))["game"]["moves"]) == 2


def test_a_new_table_takes_the_place_of_the_oldest_that_is_over_and_of_no_other(tmp_path: Path) -> None:
    same_tables = tables(tmp_path)
    for _ in range(MOST_TABLES):
        same_tables.open("matrix", ("Ann", "Bob"), (), (), None)
    with pytest.raises(EngineError, match="End one of them first"):
        same_tables.open("matrix", ("Ann", "Bob"), (), (), None)
    over = same_tables.find(7)
    assert over is not None
    for seat, guest in enumerate((ANN, BOB)):
        over.take_seat(guest, seat)
    over.resign(mover(over), over.turn)
    assert same_tables.open("matrix", ("Ann", "Bob"), (), (), None).number == MOST_TABLES + 1
    assert (same_tables.find(7), (tmp_path / "7.json").exists()) == (None, False)


def test_a_move_for_another_turn_is_refused(tmp_path: Path) -> None:
    table = seated(tmp_path)
    turn, move = table.turn, table.session.state.legal_moves()[0]
    table.move(mover(table), move, turn)
    with pytest.raises(EngineError, match="moved on"):
        table.move(mover(table), table.session.state.legal_moves()[0], turn)
