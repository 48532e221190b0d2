"""How a game of matrix begins, and who plays when, sentence by sentence as RULES.md states it."""

import random
from collections import Counter

import pytest
from helpers.made_up import random_deck
from matrix_positions import EXAMPLE, MATRIX, NAMES, deal, played, position

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import (
    EngineError,
)
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.matrix.state import MatrixSetup
from ccgrid.engine.notation import play


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
def test_two_of_each_card_are_shuffled_and_ten_dealt_to_each_and_two_such_sets_for_three_or_four(players, copies):
    setups = [deal(players, seed) for seed in range(50)]
    for setup in setups:
        assert [len(hand) for hand in setup.hands] == [10] * players
        dealt = Counter(kind for hand in setup.hands for kind in hand)
        assert set(dealt) <= set(KINDS)
        assert max(dealt.values()) <= copies
        assert players == 3 or set(dealt.values()) == {copies}
    assert len({setup.hands for setup in setups}) == 50
    assert players == 2 or any(max(Counter(hand).values()) > 2 for setup in setups for hand in setup.hands)


def test_two_to_four_may_play():
    assert MATRIX.player_counts == (2, 3, 4)
    with pytest.raises(EngineError, match="matrix is for 2 to 4 players, not 1"):
        deal(1)


def test_the_game_has_its_own_cards():
    assert MATRIX.decks_needed(4) == 0
    with pytest.raises(EngineError, match="has its own cards"):
        MATRIX.deal(("Ann", "Bob"), [random_deck(random.Random(1))], Dice(1))


def test_nobody_can_be_said_to_start():
    assert MATRIX.has_first is False
    assert deal().first is None
    with pytest.raises(EngineError, match="the scores decide who starts"):
        deal(first=1)


def test_unknown_options_are_refused():
    with pytest.raises(EngineError, match='no option "life": it has rotate'):
        deal(options={"life": 3})
    with pytest.raises(EngineError, match='must be "quarter" or "step", not "half"'):
        deal(options={"rotate": "half"})


# The score
@pytest.mark.parametrize(
    ("players", "scores"), [(2, (14, 13)), (3, (14, 12, 13)), (4, (14, 12, 13, 10))], ids=["two", "three", "four"]
)
def test_a_score_is_the_sum_of_the_three_numbers_in_front_of_the_seat(players, scores):
    """South 1+8+5, west 4+7+1, north 4+6+3, east 3+2+5."""
    assert position([KINDS] * players).scores() == scores


# The order of play
def test_the_highest_score_goes_first():
    assert position().setup.start().order == (0, 1)
    turned = (1, 8, 5, 7, 9, 2, 4, 6, 3)
    assert MatrixSetup(("Ann", "Bob"), turned, (KINDS, KINDS)).start().to_move == 1


def test_all_four_go_in_the_order_of_their_scores():
    assert MatrixSetup(NAMES, EXAMPLE, (KINDS,) * 4).start().order == (0, 2, 1, 3)


def test_equal_scores_go_in_seat_order_in_the_first_round():
    even = (1, 6, 8, 9, 3, 7, 5, 6, 4)
    assert MatrixSetup(("Ann", "Bob"), even, (KINDS, KINDS)).start().order == (0, 1)


def test_the_order_is_fixed_for_a_round_and_made_anew_for_the_next():
    state = position([KINDS] * 2)
    state = play(state, "rotate-clockwise")  # 174 896 523: north 12, south 10
    assert (state.to_move, state.order) == (1, (0, 1))
    state = play(state, "shift-east 1")  # still 12 to 10
    assert (state.to_move, state.order) == (1, (1, 0))


def test_equal_scores_keep_the_order_of_the_round_before():
    """Bob leads a round; then both have the same score, twice, and he stays first, though his seat is the second."""
    state = MatrixSetup(("Ann", "Bob"), (2, 6, 8, 1, 9, 5, 3, 4, 7), (KINDS, KINDS)).start()
    assert (state.scores(), state.order) == ((14, 16), (1, 0))
    for moves in (("switch-corners c1 c3", "shift-west 2"), ("shift-east 1", "shift-east 3")):
        for move in moves:
            state = play(state, move)
        assert (state.scores(), state.order) == ((15, 15), (1, 0))


def test_tied_seats_among_four_keep_their_order_and_the_others_move():
    """South 15, north 15, west 10, east 20: east goes first, north and south stay as they were, west goes last."""
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
        record, final = played(players, players)
        assert len(record.moves) == 10 * players
        seats = [ply.state.to_move for ply in record]
        for start in range(0, len(seats), players):
            assert sorted(seats[start : start + players]) == list(range(players))
            assert record_round(record, start) == start // players + 1
        assert final.hands == ((),) * players
        assert final.round == 11


def record_round(record, ply):
    return list(record)[ply].state.round
