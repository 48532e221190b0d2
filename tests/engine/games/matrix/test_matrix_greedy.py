"""Tests of the heuristic values of matrix moves, by which the greedy player chooses."""

import pytest
from matrix_positions import EXAMPLE, MATRIX, NAMES, position

from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.matrix.rules import MatrixSetup, MatrixState
from ccgrid.engine.notation import play

ROTATE = "rotate-clockwise"


def lead(state, seat):
    scores = state.scores()
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("kind", ["switch-corners", "switch-edges", "shift-north", "shift-west", ROTATE])
@pytest.mark.parametrize("rotate", ["quarter", "step"])
def test_last_card_is_worth_its_share_of_the_win_then_its_lead(players, seat, kind, rotate):
    hands = [[kind] if other == seat else [] for other in range(players)]
    order = (*(other for other in range(players) if other != seat), seat)
    state = position(hands, EXAMPLE, order, to_move=seat, rotate=rotate)
    for move in state.legal_moves():
        after = play(state, move)
        leaders = after.outcome().leaders
        share = 1 / len(leaders) if after.scores()[seat] == max(after.scores()) else 0
        assert MATRIX.heuristic(state, move) == pytest.approx(share + lead(after, seat) / 1000, abs=1e-9)


def test_two_players_need_no_playouts():
    state = position([[ROTATE] * 2 for _ in range(2)])
    (move,) = state.legal_moves()
    assert MATRIX.heuristic(state, move) == -abs(lead(play(state, move), 0) + 3)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_lowest_score_at_most_three_behind_is_best_among_more_than_two(players, seat):
    order = (seat, *(other for other in range(players) if other != seat))
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


WORTH = {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3}
"""Points of lead that a kept card is worth in every seat; the shifts along the seat's own row are worth 6."""


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_cards_are_kept_for_their_final_lead(seat, kind):
    order = (seat, *(other for other in range(4) if other != seat))
    state = position([[kind] * 3 for _ in range(4)], EXAMPLE, order, to_move=seat)
    along = ("shift-north", "shift-south") if seat in (0, 2) else ("shift-west", "shift-east")
    worth = 6 if kind in along else WORTH.get(kind, 0)
    for move in state.legal_moves():
        scores = play(state, move).scores()
        above, behind = scores[seat] - min(scores), max(scores) - scores[seat]
        assert MATRIX.heuristic(state, move) == -2 * above - max(behind - 3, 0) - 3 * worth


def between_turners(mine, players, seat, board, rotate="quarter"):
    """Return a position in which the other players can hold only rotate cards, because all others were played."""
    turners = (ROTATE,) * len(mine)
    others = tuple(kind for kind in KINDS * 4 if kind != ROTATE)
    dealt = tuple(others if other == seat else turners for other in range(players))
    hands = tuple(mine if other == seat else turners for other in range(players))
    order = (seat, *(other for other in range(players) if other != seat))
    setup = MatrixSetup(NAMES[:players], board, dealt, rotate)
    return MatrixState(setup, board, hands, order, seat).view(seat)


def best_share(state, seat):
    """Return the seat's share of the game if it plays its last card for the best lead; the others have no choice."""
    while moves := state.legal_moves():
        state = max((play(state, move) for move in moves), key=lambda following: lead(following, state.to_move))
    leaders = state.outcome().leaders
    return 1 / len(leaders) if seat in leaders else 0.0


@pytest.mark.parametrize("rotate", ["quarter", "step"])
@pytest.mark.parametrize(("players", "seat"), [(3, 0), (3, 2), (4, 1), (4, 3)])
def test_last_two_rounds_are_evaluated_with_possible_hands(players, seat, rotate):
    shares = set()
    for board in (EXAMPLE, EXAMPLE[::-1], (9, 2, 4, 3, 8, 5, 1, 7, 6)):
        for mine in (("swap-odd",), ("shift-west", "switch-corners")[: 5 - players]):
            state = between_turners(mine, players, seat, board, rotate)
            known = state.with_hands({other: (ROTATE,) * len(mine) for other in range(players) if other != seat})
            for move in state.legal_moves():
                after = play(known, move)
                shares.add(share := best_share(after, seat))
                assert MATRIX.heuristic(state, move) == pytest.approx(share + lead(after, seat) / 1000, abs=1e-9)
    assert len(shares) > 1
