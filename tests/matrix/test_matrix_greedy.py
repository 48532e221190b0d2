"""What the greedy player of the matrix game thinks of a move where the end can be told."""

import pytest
from matrix_positions import EXAMPLE, MATRIX, position

from engine.notation import play

TURN = "rotate-clockwise"


def lead(state, seat):
    scores = state.scores()
    return scores[seat] - max(score for one, score in enumerate(scores) if one != seat)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("kind", ["switch-corners", "switch-edges", "shift-north", "shift-west", TURN])
@pytest.mark.parametrize("rotate", ["quarter", "step"])
def test_the_last_card_of_all_is_worth_the_share_of_the_game_that_it_wins_then_its_lead(players, seat, kind, rotate):
    hands = [[kind] if one == seat else [] for one in range(players)]
    order = (*(one for one in range(players) if one != seat), seat)
    state = position(hands, EXAMPLE, order, to_move=seat, rotate=rotate)
    for move in state.legal_moves():
        after = play(state, move)
        leaders = after.outcome().leaders
        share = 1 / len(leaders) if after.scores()[seat] == max(after.scores()) else 0
        assert MATRIX.heuristic(state, move) == pytest.approx(share + lead(after, seat) / 1000, abs=1e-9)


def test_nothing_is_tried_out_before_the_last_round_between_two():
    state = position([[TURN] * 2 for _ in range(2)])
    (move,) = state.legal_moves()
    assert MATRIX.heuristic(state, move) == -abs(lead(play(state, move), 0) + 3)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_among_more_than_two_the_lowest_is_best_and_at_most_three_behind(players, seat):
    order = (seat, *(one for one in range(players) if one != seat))
    state = position([["shift-south"] * 3 for _ in range(players)], EXAMPLE, order, to_move=seat)
    found = set()
    for move in state.legal_moves():
        scores = play(state, move).scores()
        above = max(scores[seat] - min(scores[:seat] + scores[seat + 1 :]), 0)
        behind = max(max(scores) - scores[seat] - 3, 0) if scores[seat] < max(scores) else 0
        worth = {0: 18, 1: 0, 2: 18}[seat]  # three a point of lead, for the sides whose rows a column's shift changes
        assert MATRIX.heuristic(state, move) == -2 * above - behind - worth
        found.add((above > 0, behind > 0))
    assert len(found) > 1
