"""What each card of matrix does, and how the game ends, sentence by sentence as RULES.md states it."""

import pytest
from matrix_positions import EXAMPLE, position

from ccgrid.engine.errors import (
    IllegalMoveError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.matrix.cards import arranged
from ccgrid.engine.notation import play


def after(move, rotate="quarter"):
    """The rows of the example board after a move."""
    board = play(position(rotate=rotate), move).board
    return " ".join("".join(map(str, board[row : row + 3])) for row in (0, 3, 6))


# The cards, on the example board of the source
def test_switch_corners_changes_two_corners():
    assert after("switch-corners a1 c1") == "364 792 185"
    assert after("switch-corners a1 a3") == "163 792 485"


def test_switch_edges_changes_two_edges():
    assert after("switch-edges a2 b1") == "473 692 185"
    assert after("switch-edges a2 c2") == "463 297 185"


def test_shift_north_rolls_a_column_upwards():
    assert after("shift-north a") == "763 192 485"  # 4-7-1 becomes 7-1-4


def test_shift_south_rolls_a_column_downwards():
    assert after("shift-south a") == "163 492 785"  # 4-7-1 becomes 1-4-7


def test_shift_west_rolls_a_row_to_the_left():
    assert after("shift-west 2") == "463 927 185"  # 7-9-2 becomes 9-2-7


def test_shift_east_rolls_a_row_to_the_right():
    assert after("shift-east 2") == "463 279 185"  # 7-9-2 becomes 2-7-9


def test_swap_even_changes_an_even_number_with_the_centre():
    assert after("swap-even 6") == "493 762 185"


def test_swap_odd_changes_an_odd_number_with_the_centre():
    assert after("swap-odd 1") == "463 712 985"


def test_rotate_clockwise_is_a_quarter_turn_of_the_whole_board():
    assert after("rotate-clockwise") == "174 896 523"


def test_rotate_counterclockwise_is_a_quarter_turn_the_other_way():
    assert after("rotate-counterclockwise") == "325 698 471"


def test_in_the_variant_the_numbers_go_one_step_around_the_rim():
    assert after("rotate-clockwise", "step") == "746 193 852"
    assert after("rotate-counterclockwise", "step") == "632 495 718"


@pytest.mark.parametrize("rotate", ["quarter", "step"])
@pytest.mark.parametrize("move", ["rotate-clockwise", "rotate-counterclockwise"])
def test_the_centre_stays_when_the_board_turns(move, rotate):
    assert play(position(rotate=rotate), move).number_on("b2") == 9


def test_a_rotate_card_is_legal_with_any_board_and_needs_no_place():
    assert position([["rotate-clockwise"] * 2, ["swap-even"] * 2]).legal_moves() == ("rotate-clockwise",)


def test_every_move_of_every_card_in_alphabetical_order_of_its_cells():
    moves = position().legal_moves()
    assert list(moves) == sorted(moves)
    assert [move for move in moves if move.startswith("switch")] == [
        *(f"switch-corners {pair}" for pair in ("a1 a3", "a1 c1", "a1 c3", "a3 c1", "a3 c3", "c1 c3")),
        *(f"switch-edges {pair}" for pair in ("a2 b1", "a2 b3", "a2 c2", "b1 b3", "b1 c2", "b3 c2")),
    ]
    assert [move for move in moves if move.startswith("shift")] == [
        *(f"shift-east {row}" for row in "123"),
        *(f"shift-north {column}" for column in "abc"),
        *(f"shift-south {column}" for column in "abc"),
        *(f"shift-west {row}" for row in "123"),
    ]
    assert [move for move in moves if move.startswith("rotate")] == ["rotate-clockwise", "rotate-counterclockwise"]


@pytest.mark.parametrize(
    ("centre", "even", "odd"),
    [(9, "2468", "1357"), (4, "268", "13579")],
    ids=["odd-in-the-centre", "even-in-the-centre"],
)
def test_a_number_of_its_parity_that_is_not_in_the_centre_is_swapped(centre, even, odd):
    board = arranged(EXAMPLE, f"swap-even {centre}", "quarter") if centre != 9 else EXAMPLE
    moves = position(board=board).legal_moves()
    assert [move for move in moves if move.startswith("swap-even")] == [f"swap-even {number}" for number in even]
    assert [move for move in moves if move.startswith("swap-odd")] == [f"swap-odd {number}" for number in odd]


def test_a_card_is_played_once_and_copies_make_no_further_moves():
    state = position([["shift-north"] * 2, ["shift-south"] * 2])
    assert state.legal_moves() == ("shift-north a", "shift-north b", "shift-north c")
    state = play(play(state, "shift-north a"), "shift-south a")
    assert state.hands == (("shift-north",), ("shift-south",))
    assert state.played(0) == ("shift-north",)


# The end
def test_after_ten_rounds_the_highest_score_on_the_board_wins():
    state = play(position([["shift-west"], ["shift-east"]]), "shift-west 2")
    assert state.outcome() is None
    state = play(state, "shift-east 2")
    assert state.ending() == Ending("all-rounds", "all ten rounds are played")
    assert (state.outcome().scores, state.outcome().winner) == ((14, 13), 0)
    assert state.legal_moves() == ()
    with pytest.raises(IllegalMoveError, match="the game is over: all ten rounds are played"):
        play(state, "shift-east 2")


def test_equal_is_a_draw():
    board = (2, 6, 7, 1, 9, 5, 3, 4, 8)
    outcome = play(play(position([["shift-west"], ["shift-east"]], board), "shift-west 2"), "shift-east 2").outcome()
    assert (outcome.scores, outcome.winner, outcome.leaders) == ((15, 15), None, (0, 1))
