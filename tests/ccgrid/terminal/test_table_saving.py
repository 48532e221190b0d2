"""A game at one keyboard: what goes back, and what is written down."""

from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest
from evening import TODAY, Evening, table

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, IllegalMoveError
from ccgrid.engine.players import GreedyPlayer, RandomPlayer
from ccgrid.engine.records.files import read_game
from ccgrid.services.session import TookBack, take_up
from ccgrid.terminal.keyboard import sit_down

# --- undo and hint ------------------------------------------------------------------------------------------------


def test_undo_takes_back_one_move_between_people() -> None:
    at = table()
    start = at.state
    evening = Evening("1", "undo").at(at)
    assert (at.state, at.moves) == (start, [])
    assert evening.said == ["Undid 1 move."]
    assert evening.asked == ["Ann", "Bob", "Ann"]


def test_undo_goes_back_to_ones_own_decision_across_the_computers_answer() -> None:
    at = table(computers={1: GreedyPlayer()})
    start = at.state
    evening = Evening("1", "undo").at(at)
    assert at.state == start
    assert evening.said == ["Undid 2 moves."]


def test_undo_can_go_back_to_the_beginning_and_no_further() -> None:
    at = table(computers={0: GreedyPlayer()})  # who begins
    evening = Evening("1", "1", "undo", "undo", "undo").at(at)
    assert len(at.moves) == 1
    assert evening.said == ["Undid 2 moves.", "Undid 2 moves.", "There is nothing to undo."]


def test_undo_goes_back_into_a_game_that_was_taken_up() -> None:
    at = table()
    Evening("1", "1").at(at)
    again = take_up(at.record(), {}, Dice(1))
    assert again.undo() == TookBack(1)
    assert again.moves == at.moves[:1]


def test_a_hint_names_a_good_move_and_the_next_best_stays_the_same_and_changes_no_dice() -> None:
    at = table(computers={1: RandomPlayer()})
    dice = copy(at.dice)
    hint = at.hint()
    assert at.hint() == hint
    assert {estimate.move for estimate in hint.moves} == set(at.state.legal_moves())
    assert at.dice.bits() == dice.bits()
    (said,) = Evening("hint").at(at).said
    assert said.startswith(f"Play {hint.best.move} (+")
    assert "): about " in said
    assert f" in the end. Next best: {hint.moves[1].move}, about " in said


# --- what is written down -----------------------------------------------------------------------------------------


def test_an_unfinished_game_is_a_record_without_a_result(tmp_path: Path) -> None:
    at = table()
    Evening("1", "1", f"save {tmp_path / 'game.toml'}").at(at)
    record = read_game(tmp_path / "game.toml")
    assert record == at.record()
    assert (record.moves, record.result, record.date, record.seed) == (tuple(at.moves), None, TODAY, 5)


def test_a_finished_game_claims_its_result() -> None:
    at = table(computers={0: GreedyPlayer(), 1: GreedyPlayer()})
    sit_down(at, Evening().voice(), None)
    assert at.record().result == at.state.scores()


def test_a_resignation_ends_the_game_and_stands_in_the_notes(tmp_path: Path) -> None:
    at = table()
    sit_down(at, Evening("1", "resign").voice(), None)
    at.save(tmp_path / "game.toml")
    record = read_game(tmp_path / "game.toml")
    assert (record.notes, record.result) == ({"resigned": "Bob"}, None)


def test_a_resigned_game_can_be_taken_up_and_is_resigned_no_longer() -> None:
    at = table()
    sit_down(at, Evening("1", "resign").voice(), None)
    again = take_up(at.record(), {}, Dice(1))
    assert Evening("1").at(again).asked == ["Bob", "Ann"]
    assert again.record().notes == {}


def test_what_the_players_noted_survives_going_on_with_a_game() -> None:
    noted = replace(table().record(), event="Autumn evening", notes={"sleeves": "black"}, result=None)
    again = take_up(noted, {}, Dice(1))
    again.play(again.state.legal_moves()[0])
    record = again.record()
    assert (record.event, record.date, record.seed, record.notes) == ("Autumn evening", TODAY, 5, {"sleeves": "black"})


def test_the_table_knows_where_the_game_is_saved_until_somebody_moves(tmp_path: Path) -> None:
    at = table()
    path = tmp_path / "game.toml"
    assert at.saved_to is None
    Evening("1", f"save {path}").at(at)
    assert at.saved_to == path
    at.play(at.state.legal_moves()[0])
    assert at.saved_to is None
    at.undo()
    assert at.saved_to == path


def test_save_alone_takes_the_file_that_the_game_began_with(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    assert Evening("save").at(table(), path).said == [f"Saved to {path}"]
    assert read_game(path).moves == ()
    assert Evening("save").at(table()).said == ["Name a file: save game.toml"]


def test_a_tilde_is_the_home_of_whom_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    Evening("save ~/my game.toml").at(table())
    assert read_game(tmp_path / "my game.toml").moves == ()


@pytest.mark.parametrize(
    "name", [".", "..", "/", "no/such/folder/game.toml", "~nobody-of-this-name/x", "a\0b", "a\0/b", "x" * 300]
)
def test_a_place_that_cannot_be_written_is_told_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    evening = Evening(f"save {name}", "1").at(table())
    [said] = evening.said
    assert "cannot be written" in said
    assert "\0" not in said
    assert evening.asked == ["Ann", "Ann", "Bob"]
    assert list(tmp_path.iterdir()) == []


def test_a_record_with_a_wrong_move_is_not_taken_up() -> None:
    wrong = replace(table().record(), moves=("a1xa1",))
    with pytest.raises(IllegalMoveError):
        take_up(wrong, {}, Dice(1))
    assert issubclass(IllegalMoveError, EngineError)
