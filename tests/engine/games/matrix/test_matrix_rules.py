"""Tests of the rules of matrix, one per sentence of RULES.md, and of how its moves are written and explained."""

import random
from collections import Counter

import pytest
from helpers.made_up import random_deck
from matrix_positions import EXAMPLE, MATRIX, NAMES, deal, position, random_game

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    AmbiguousMoveError,
    EngineError,
    IllegalMoveError,
    MalformedMoveError,
)
from ccgrid.engine.game import Ending
from ccgrid.engine.games.matrix.cards import KINDS, MOVES, board_after
from ccgrid.engine.games.matrix.rules import MatrixSetup
from ccgrid.engine.notation import play, read_move


# Notation and typed moves
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("switch-corners c1 a1", "cells are written in alphabetical order: switch-corners a1 c1"),
        ("switch-corners a1 a1", "two different corners change places, and a1 is one"),
        ("switch-corners a1 b1", "b1 is not a corner: the corners are a1 a3 c1 c3"),
        ("switch-edges b2 c2", "b2 is not an edge: the edges are a2 b1 b3 c2"),
        ("swap-even 5", "5 is not even"),
        ("swap-odd 9", "9 is in the centre already"),
    ],
)
def test_illegal_move_is_explained(move, reason):
    with pytest.raises(IllegalMoveError) as caught:
        play(position(), move)
    assert caught.value.reason == reason


def test_card_not_in_hand_is_reported():
    with pytest.raises(IllegalMoveError) as caught:
        play(position([["swap-odd", "swap-odd", "shift-west"], KINDS]), "swap-even 2")
    assert caught.value.reason == '"Ann" has no swap-even in hand, only shift-west, swap-odd'


@pytest.mark.parametrize(
    "move",
    [
        "",
        "rotate",
        "rotate-clockwise a1",
        "shift-north",
        "shift-north 1",
        "shift-west a",
        "swap-even",
        "swap-even 0",
        "swap-even 10",
        "switch-corners a1",
        "switch-corners a1c1",
        "Shift-North a",
        "shift-north a\n",
        "shift-north d",
    ],
)
def test_play_takes_canonical_notation_only(move):
    with pytest.raises(MalformedMoveError, match="not a move; write moves like switch-corners a1 c3"):
        play(position(), move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Switch Corners C1 A1", "switch-corners a1 c1"),
        ("corners a1-c3", "switch-corners a1 c3"),
        ("a3, c3", "switch-corners a3 c3"),
        ("switch edges b1 with a2", "switch-edges a2 b1"),
        ("edge c2 b3", "switch-edges b3 c2"),
        ("corners a1 and c3", "switch-corners a1 c3"),
        ("north b", "shift-north b"),
        ("shift the column b to the north", "shift-north b"),
        (" - shift row 3 west - ", "shift-west 3"),
        ("north b".rjust(100), "shift-north b"),
        ("shift column b south", "shift-south b"),
        ("shift_west 3", "shift-west 3"),
        ("east row 1", "shift-east 1"),
        ("swap 4", "swap-even 4"),
        ("swap 7", "swap-odd 7"),
        ("even 6", "swap-even 6"),
        ("rotate clockwise", "rotate-clockwise"),
        ("CW", "rotate-clockwise"),
        ("ccw", "rotate-counterclockwise"),
        ("rotate counter-clockwise", "rotate-counterclockwise"),
        ("anticlockwise", "rotate-counterclockwise"),
    ],
)
def test_typed_moves_may_be_informal(text, move):
    assert read_move(position(), text) == move


@pytest.mark.parametrize("move", MOVES)
def test_canonical_notation_is_understood_when_typed(move):
    assert MATRIX.notation.moves_meant(position(), move) == (move,)


def test_typed_text_for_several_moves_is_ambiguous():
    with pytest.raises(AmbiguousMoveError, match="shift-north b or shift-south b: say which"):
        read_move(position(), "b")
    with pytest.raises(AmbiguousMoveError, match="rotate-clockwise or rotate-counterclockwise"):
        read_move(position(), "rotate")
    assert read_move(position([["rotate-clockwise"], KINDS]), "rotate") == "rotate-clockwise"


@pytest.mark.parametrize(
    "text", ["", "-", "jump", "swap 10", "shift up", "\x1b[2J", "a" * 10_000, "a1 a1 a1", "cw".rjust(101), "the"]
)
def test_typed_text_without_a_move_is_malformed(text):
    with pytest.raises(MalformedMoveError) as caught:
        read_move(position(), text)
    assert len(str(caught.value)) < 300
    assert "\x1b" not in str(caught.value)


# --- Setup, scores and order of play, sentence by sentence as in RULES.md -------------------------------------------


# Setup
def test_the_board_holds_1_to_9_in_random_order():
    boards = {deal(seed=seed).board for seed in range(50)}
    assert len(boards) == 50
    assert all(sorted(board) == list(range(1, 10)) for board in boards)


def test_there_are_ten_kinds_of_cards():
    assert set(KINDS) == {
        *("switch-corners", "switch-edges", "shift-north", "shift-south", "shift-west", "shift-east"),
        *("swap-even", "swap-odd", "rotate-clockwise", "rotate-counterclockwise"),
    }


@pytest.mark.parametrize(("players", "copies"), [(2, 2), (3, 4), (4, 4)])
def test_each_player_gets_ten_cards_of_one_set_for_two_players_or_two_sets_for_more(players, copies):
    setups = [deal(players, seed) for seed in range(50)]
    for setup in setups:
        assert [len(hand) for hand in setup.hands] == [10] * players
        dealt = Counter(kind for hand in setup.hands for kind in hand)
        assert set(dealt) <= set(KINDS)
        assert max(dealt.values()) <= copies
        assert players == 3 or set(dealt.values()) == {copies}
    assert len({setup.hands for setup in setups}) == 50
    assert players == 2 or any(max(Counter(hand).values()) > 2 for setup in setups for hand in setup.hands)


def test_two_to_four_players_can_play():
    assert MATRIX.player_counts == (2, 3, 4)
    with pytest.raises(EngineError, match="matrix is for 2 to 4 players, not 1"):
        deal(1)


def test_the_game_has_its_own_cards():
    assert MATRIX.decks_needed(4) == 0
    with pytest.raises(EngineError, match="has its own cards"):
        MATRIX.deal(("Ann", "Bob"), [random_deck(random.Random(1))], Dice(1))


def test_starting_player_cannot_be_given():
    assert MATRIX.has_first is False
    assert deal().first is None
    with pytest.raises(EngineError, match="the scores decide who starts"):
        deal(first=1)


def test_unknown_options_are_rejected():
    with pytest.raises(EngineError, match='no option "life": it has rotate'):
        deal(options={"life": 3})
    with pytest.raises(EngineError, match='must be "quarter" or "step", not "half"'):
        deal(options={"rotate": "half"})


# The score
@pytest.mark.parametrize(
    ("players", "scores"), [(2, (14, 13)), (3, (14, 12, 13)), (4, (14, 12, 13, 10))], ids=["two", "three", "four"]
)
def test_a_score_is_the_sum_of_the_three_numbers_in_front_of_the_seat(players, scores):
    assert position([KINDS] * players).scores() == scores


# The order of play
def test_highest_score_moves_first():
    assert position().setup.start().order == (0, 1)
    turned = (1, 8, 5, 7, 9, 2, 4, 6, 3)
    assert MatrixSetup(("Ann", "Bob"), turned, (KINDS, KINDS)).start().to_move == 1


def test_four_players_move_in_the_order_of_their_scores():
    assert MatrixSetup(NAMES, EXAMPLE, (KINDS,) * 4).start().order == (0, 2, 1, 3)


def test_ties_in_the_first_round_are_in_seat_order():
    even = (1, 6, 8, 9, 3, 7, 5, 6, 4)
    assert MatrixSetup(("Ann", "Bob"), even, (KINDS, KINDS)).start().order == (0, 1)


def test_order_is_fixed_within_a_round_and_recomputed_for_the_next():
    state = position([KINDS] * 2)
    state = play(state, "rotate-clockwise")  # 174 896 523: north 12, south 10
    assert (state.to_move, state.order) == (1, (0, 1))
    state = play(state, "shift-east 1")  # 12 to 10 again
    assert (state.to_move, state.order) == (1, (1, 0))


def test_equal_scores_keep_the_order_of_the_previous_round():
    state = MatrixSetup(("Ann", "Bob"), (2, 6, 8, 1, 9, 5, 3, 4, 7), (KINDS, KINDS)).start()
    assert (state.scores(), state.order) == ((14, 16), (1, 0))
    for moves in (("switch-corners c1 c3", "shift-west 2"), ("shift-east 1", "shift-east 3")):
        for move in moves:
            state = play(state, move)
        assert (state.scores(), state.order) == ((15, 15), (1, 0))


def test_tied_seats_among_four_keep_their_order():
    board = (1, 8, 6, 4, 2, 9, 5, 3, 7)  # south 15, north 15, west 10, east 22
    for before, order in (((2, 0, 1, 3), (3, 2, 0, 1)), ((1, 0, 3, 2), (3, 0, 2, 1))):
        state = position([KINDS] * 4, board, order=before)
        for move in ("shift-west 2", "shift-east 2", "switch-edges b1 b3", "switch-edges b1 b3"):
            state = play(state, move)
        assert state.board == board
        assert state.scores() == (15, 10, 15, 22)
        assert state.order == order


def test_each_player_plays_one_card_a_round_for_ten_rounds():
    for players in (2, 3, 4):
        record, final = random_game(players, players)
        assert len(record.moves) == 10 * players
        seats = [ply.state.to_move for ply in record]
        for start in range(0, len(seats), players):
            assert sorted(seats[start : start + players]) == list(range(players))
            assert record_round(record, start) == start // players + 1
        assert final.hands == ((),) * players
        assert final.round == 11


def record_round(record, ply):
    return list(record)[ply].state.round


# --- The cards and the end of the game, sentence by sentence as in RULES.md -----------------------------------------


def board_rows_after(move, rotate="quarter"):
    """Return the rows of the example board after a move."""
    board = play(position(rotate=rotate), move).board
    return " ".join("".join(map(str, board[row : row + 3])) for row in (0, 3, 6))


# The cards, played on the example board of RULES.md
def test_switch_corners_changes_two_corners():
    assert board_rows_after("switch-corners a1 c1") == "364 792 185"
    assert board_rows_after("switch-corners a1 a3") == "163 792 485"


def test_switch_edges_changes_two_edges():
    assert board_rows_after("switch-edges a2 b1") == "473 692 185"
    assert board_rows_after("switch-edges a2 c2") == "463 297 185"


def test_shift_north_rolls_a_column_upwards():
    assert board_rows_after("shift-north a") == "763 192 485"  # 4-7-1 becomes 7-1-4


def test_shift_south_rolls_a_column_downwards():
    assert board_rows_after("shift-south a") == "163 492 785"  # 4-7-1 becomes 1-4-7


def test_shift_west_rolls_a_row_to_the_left():
    assert board_rows_after("shift-west 2") == "463 927 185"  # 7-9-2 becomes 9-2-7


def test_shift_east_rolls_a_row_to_the_right():
    assert board_rows_after("shift-east 2") == "463 279 185"  # 7-9-2 becomes 2-7-9


def test_swap_even_changes_an_even_number_with_the_centre():
    assert board_rows_after("swap-even 6") == "493 762 185"


def test_swap_odd_changes_an_odd_number_with_the_centre():
    assert board_rows_after("swap-odd 1") == "463 712 985"


def test_rotate_clockwise_is_a_quarter_turn_of_the_whole_board():
    assert board_rows_after("rotate-clockwise") == "174 896 523"


def test_rotate_counterclockwise_is_a_quarter_turn_the_other_way():
    assert board_rows_after("rotate-counterclockwise") == "325 698 471"


def test_variant_moves_numbers_one_step_around_the_rim():
    assert board_rows_after("rotate-clockwise", "step") == "746 193 852"
    assert board_rows_after("rotate-counterclockwise", "step") == "632 495 718"


@pytest.mark.parametrize("rotate", ["quarter", "step"])
@pytest.mark.parametrize("move", ["rotate-clockwise", "rotate-counterclockwise"])
def test_the_centre_stays_when_the_board_turns(move, rotate):
    assert play(position(rotate=rotate), move).number_on("b2") == 9


def test_rotate_card_is_always_legal_without_arguments():
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
    board = board_after(EXAMPLE, f"swap-even {centre}", "quarter") if centre != 9 else EXAMPLE
    moves = position(board=board).legal_moves()
    assert [move for move in moves if move.startswith("swap-even")] == [f"swap-even {number}" for number in even]
    assert [move for move in moves if move.startswith("swap-odd")] == [f"swap-odd {number}" for number in odd]


def test_a_card_is_played_once_and_copies_make_no_further_moves():
    state = position([["shift-north"] * 2, ["shift-south"] * 2])
    assert state.legal_moves() == ("shift-north a", "shift-north b", "shift-north c")
    state = play(play(state, "shift-north a"), "shift-south a")
    assert state.hands == (("shift-north",), ("shift-south",))
    assert state.discards(0) == ("shift-north",)


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


def test_equal_scores_are_a_draw():
    board = (2, 6, 7, 1, 9, 5, 3, 4, 8)
    outcome = play(play(position([["shift-west"], ["shift-east"]], board), "shift-west 2"), "shift-east 2").outcome()
    assert (outcome.scores, outcome.winner, outcome.leaders) == ((15, 15), None, (0, 1))
