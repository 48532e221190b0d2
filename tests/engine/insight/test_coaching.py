"""Tests of Glicko-2 ratings, of player levels, and of the turning point and its reason in a review."""

import random
from itertools import pairwise

import pytest
from helpers.everyday import slow_except
from helpers.made_up import PASSIVE_CARD, card, deck_for, grid_of

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import GAMES, find_game
from ccgrid.engine.insight.analysis import Analysis, MoveAnalysis, analyze, analyze_move, reason, turning_point
from ccgrid.engine.insight.glicko import Rating, update_rating
from ccgrid.engine.many.simulation import play_out
from ccgrid.engine.players import LEVELS, PLAYERS, GreedyPlayer, RandomPlayer, choose_move, find_player
from ccgrid.engine.records.record import Record
from ccgrid.engine.search.thinking import Estimate, Thought


def test_glicko_example_of_paper():
    others = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    new = update_rating(Rating(1500, 200, 0.06), others)
    assert new.rating == pytest.approx(1464.06, abs=0.02)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_rating_gain_equals_loss_and_deviation_shrinks():
    one, other = update_rating(Rating(), [(Rating(), 1)]), update_rating(Rating(), [(Rating(), 0)])
    assert one.rating - 1500 == pytest.approx(1500 - other.rating)
    assert one.rating > 1500
    assert one.deviation < Rating().deviation
    assert update_rating(Rating(), [(Rating(), 0.5)]).rating == pytest.approx(1500)


def test_levels_are_players():
    assert [level.name for level in LEVELS] == ["easy", "fair", "hard", "best"]
    for level in LEVELS:
        assert find_player(level.name) is level
        assert level in PLAYERS


def test_medium_plays_like_fair():
    state = grid_of([PASSIVE_CARD] * 11, a1=card(right=1, bottom=1), b1=card(left=0, score=3), a2=card(top=0, score=9))
    fair, medium = find_player("fair"), find_player("medium")
    assert all(choose_move(fair, state, Dice(seed)) == choose_move(medium, state, Dice(seed)) for seed in range(50))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_has_all_levels_and_easier_ones_slip_more_often(game):
    levels = [game.levels[level.name] for level in LEVELS]
    assert all(find_player(policy) and 0 <= slips < 100 for policy, slips in levels)
    for (policy, slips), (harder, fewer) in pairwise(levels):
        assert policy != harder or slips > fewer


def test_level_makes_random_moves_in_its_share_of_turns():
    state = grid_of(
        [PASSIVE_CARD] * 11, a1=card(right=1, bottom=1), b1=card(left=0, score=3), a2=card(top=0, score=9, bottom=9)
    )
    _, slips = find_game("grid").levels["easy"]
    gains = {move: find_game("grid").heuristic(state, move) for move in state.legal_moves()}
    worse = [move for move, gain in gains.items() if gain < max(gains.values())]
    missed = sum(choose_move(find_player("easy"), state, Dice(seed)) in worse for seed in range(600)) / 600
    assert missed == pytest.approx(slips / 100 * len(worse) / len(gains), abs=0.07)


@pytest.mark.parametrize("game", slow_except(GAMES, find_game("ninecard")), ids=lambda game: game.name)
def test_turning_point_is_costliest_move_and_has_reason(game):
    decks = [deck_for(game.name, random.Random(seed)) for seed in range(game.decks_needed(2))]
    setup = game.deal(["Ann", "Bob"], decks, Dice(2))
    moves, _ = play_out(setup.start(), [RandomPlayer(), GreedyPlayer()], Dice(2))
    record = Record(setup, tuple(moves[:24]))
    analysis = analyze(record, rounds=40, proving=1.0)
    number = turning_point(analysis)
    if number is None:
        assert not any(analysed.mark for analysed in analysis.moves)
        return
    assert analysis.moves[number].mark
    assert all(analysed.lost <= analysis.moves[number].lost for analysed in analysis.moves if analysed.mark)
    state = Record(setup, record.moves[:number]).final()
    why = reason(state, analysis.moves[number], Dice(1))
    if why.answer is not None:
        assert why.answer in why.state.legal_moves()
        assert 0 < why.played.answers[why.answer] <= 1
        assert 0 <= why.otherwise <= 1


def test_game_without_marks_has_no_turning_point():
    thought = Thought("Ann", True, (Estimate("a1xa2", 3, None),))
    analysed = MoveAnalysis(0, "a1xa2", thought, 0, None, "", None)
    assert turning_point(Analysis(("Ann", "Bob"), (analysed,), (3, 0), True, True)) is None


def test_costliest_reply_is_named_with_frequency():
    state = grid_of(
        [PASSIVE_CARD] * 11,
        a1=card(right=5, bottom=5),
        b1=card(left=0, score=2),
        a2=card(top=0, score=1),
        c1=card(left=9, score=1),
    )
    assert set(state.legal_moves()) >= {"a1xb1", "a1xa2"}
    estimates = (Estimate("a1xa2", 5, None), Estimate("a1xb1", -5, None))
    analysed = MoveAnalysis(state.to_move, "a1xb1", Thought("Ann", True, estimates), 10, None, "??", None)
    why = reason(state, analysed, Dice(1))
    assert why.answer == "c1xb1"
    assert why.played.answers["c1xb1"] == 1
    assert why.is_answer == (why.played.taken - why.best.taken >= 10 / 3)


def test_look_at_move_uses_only_players_view():
    game = find_game("grid")
    state = game.deal(["Ann", "Bob"], [deck_for("grid", random.Random(1))], Dice(3)).start()
    move = state.legal_moves()[0]
    analysed = analyze_move(state.view(state.to_move), move, 0.05, Dice(1))
    assert analysed.move == move
    assert analysed.lost >= 0
