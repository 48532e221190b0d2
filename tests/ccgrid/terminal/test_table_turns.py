"""A game at one keyboard: who is asked, and what is understood."""

import pytest
from evening import Evening, table
from helpers.made_up import STILL, card, grid_of

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import MalformedMoveError
from ccgrid.engine.players import GreedyPlayer, RandomPlayer
from ccgrid.engine.records.record import Record
from ccgrid.services.session import Session
from ccgrid.terminal.keyboard import sit_down

# --- whose turn it is ---------------------------------------------------------------------------------------------


def test_people_are_asked_in_turn() -> None:
    assert Evening("1", "1", "1").at(table(players="Ann Bob Cay", first=1)).asked == ["Bob", "Cay", "Ann", "Bob"]


def test_a_computer_player_moves_without_being_asked() -> None:
    at = table(computers={0: GreedyPlayer()})
    evening = Evening("1").at(at)
    assert evening.asked == ["Bob", "Bob"]
    assert [who for who, _ in evening.played] == ["Ann", "Ann"]
    assert at.moves[0] == evening.played[0][1]


def test_a_game_between_computers_asks_nobody_and_ends() -> None:
    at = table(computers={0: GreedyPlayer(), 1: RandomPlayer()})
    evening = Evening()
    sit_down(at, evening.voice(), None)
    assert at.state.outcome() is not None
    assert (evening.asked, evening.boards) == ([], [])
    assert [move for _, move in evening.played] == at.moves


def test_the_board_and_the_moves_are_shown_once_for_each_position() -> None:
    evening = Evening("", "nonsense", "  ", "1").at(table())
    assert len(evening.boards) == len(evening.lists) == 2
    assert len(evening.asked) == 5


def test_a_game_that_is_over_ends_without_a_question() -> None:
    setup = grid_of().setup
    sit_down(Session(Record(setup), {}, Dice(1)), Evening().voice(), None)


# --- what is understood -------------------------------------------------------------------------------------------


def one_capture() -> Session:
    """A grid on which only b2 can take, and two cards: the one on a1 and the one on b1."""
    state = grid_of(
        [STILL] * 11, b2=card("Drake", top=5, top_left=5, bottom=0), a1=card("Amber", top=0, bottom=0), b1=STILL
    )
    return Session(Record(state.setup), {}, Dice(1))


def test_a_move_is_read_as_notation_loosely_or_as_its_number() -> None:
    at = one_capture()
    moves = at.state.legal_moves()
    assert moves == ("b2xa1", "b2xb1")
    assert [at.read(text) for text in ("b2xa1", "B2 x A1", "b2 a1", "xa1", "1", "01", "2")] == [
        *["b2xa1"] * 6,
        "b2xb1",
    ]


@pytest.mark.parametrize("text", ["0", "3", "99", "00000000012", "1" * 4000])
def test_a_number_that_no_move_has_is_answered_with_those_there_are(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="moves are numbered 1 to 2"):
        one_capture().read(text)


@pytest.mark.parametrize("text", ["²", "-1", "1.0", "b2xb9", "½", "١x"])
def test_what_only_looks_like_a_number_is_no_move(text: str) -> None:
    with pytest.raises(MalformedMoveError, match="not a move; write moves like a1xb2"):
        one_capture().read(text)


def test_a_wrong_move_is_explained_and_the_same_player_asked_again() -> None:
    evening = Evening("a1xb2", "b2", "b2xc3", "jump").at(one_capture())
    assert evening.said == [
        '"a1xb2": a1 has no number at its bottom-right, which faces b2',
        '"b2": this may be b2xa1 or b2xb1: say which',
        '"b2xc3": b2 has no number at its bottom-right, which faces c3',
        '"jump": not a move; write moves like a1xb2. Type help for a list of commands.',
    ]
    assert set(evening.asked) == {"Ann"}


@pytest.mark.parametrize("word", ["help", "HELP", "?"])
def test_help_lists_every_command(word: str) -> None:
    [text] = Evening(word).at(table()).said
    for command in ("moves", "board", "hint", "undo", "save FILE", "rules", "resign", "quit"):
        assert f"\n  {command} " in text
    assert max(map(len, text.splitlines())) <= 80


def test_moves_board_and_rules_show_them_again() -> None:
    evening = Evening("moves", "board", "rules").at(table())
    assert (len(evening.lists), len(evening.boards), evening.rules) == (2, 2, 1)


@pytest.mark.parametrize("word", ["quit", "exit", "q", " QUIT "])
def test_quit_leaves_the_table(word: str) -> None:
    assert len(Evening(word, "1").at(table()).asked) == 1


def test_a_line_of_megabytes_costs_nothing() -> None:
    at = table()
    [said] = Evening("a1" + " " * 10_000_000 + "z").at(at).said
    assert said == "This line has 10,000,003 characters, too many for a move."
    assert at.moves == []
