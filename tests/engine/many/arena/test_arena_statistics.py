"""Shares, errors, intervals and tests of the arena, held against plain formulas and many runs."""

import random
from math import erf, log10, sqrt
from statistics import fmean, stdev

import pytest
from arenas import COUNTS, arena, each_pair, pairs_of
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.many.arena import play_arena
from ccgrid.engine.many.comparison import (
    SURE,
    PairCounts,
    Sprt,
    elo,
    expected_share,
    interval,
    likelihood_of_superiority,
    pair_code,
)
from ccgrid.engine.many.runner import Runner


@given(COUNTS)
def test_share_and_error_are_the_mean_of_the_pairs_and_its_standard_error(counts):
    pairs = PairCounts(counts)
    values = each_pair(pairs)
    assert pairs.share == pytest.approx(fmean(values))
    assert pairs.stderr == pytest.approx(stdev(values) / sqrt(len(values)))
    assert pairs.wins + pairs.draws / 2 == pytest.approx(2 * pairs.pairs * pairs.share)


@given(COUNTS)
def test_the_other_player_sees_the_mirror_image(counts):
    pairs = PairCounts(counts)
    other = pairs.mirrored()
    assert other.share == pytest.approx(1 - pairs.share)
    assert other.stderr == pytest.approx(pairs.stderr)
    assert other.draws == pairs.draws
    assert likelihood_of_superiority(other) == pytest.approx(1 - likelihood_of_superiority(pairs))
    assert Sprt(-10, 10).ratio(other) == pytest.approx(-Sprt(-10, 10).ratio(pairs))


@given(st.floats(0.001, 0.999))
def test_elo_is_the_logistic_scale(share):
    assert elo(share) == pytest.approx(-400 * log10(1 / share - 1))
    assert expected_share(elo(share)) == pytest.approx(share)
    assert elo(1 - share) == pytest.approx(-elo(share), abs=1e-6)


@given(st.floats(0, 1), st.floats(0, 0.3), st.integers(1, 10_000))
def test_an_interval_holds_its_share_and_stays_between_nothing_and_all(share, stderr, pairs):
    low, high = interval(share, stderr, pairs)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1


def test_the_interval_of_many_pairs_is_the_usual_one():
    low, high = interval(0.55, 0.005, 10_000)
    assert (low, high) == pytest.approx((0.55 - SURE * 0.005, 0.55 + SURE * 0.005), abs=2e-4)


def test_the_interval_of_equal_results_is_no_point():
    low, high = interval(1.0, 0.0, 10)
    assert low == pytest.approx(10 / (10 + SURE**2))
    assert high == 1
    assert elo(high) is None
    assert interval(0.5, 0.5, 0) == (0.0, 1.0)


def test_of_a_hundred_intervals_some_five_miss_the_true_share():
    missed = 0
    for run in range(400):
        dice = Dice(run)
        pairs = PairCounts()
        pairs.add([pair_code(2 * (dice.below(100) < 58), 2 * (dice.below(100) < 58)) for _ in range(300)])
        low, high = interval(pairs.share, pairs.stderr, pairs.pairs)
        missed += not low <= 0.58 <= high
    assert 8 <= missed <= 34  # 20 expected, with a deviation of 4.4


@pytest.mark.parametrize(("wins", "losses"), [(30, 20), (20, 30), (100, 40)])
def test_superiority_is_the_usual_formula_of_wins_and_losses(wins, losses):
    pairs = PairCounts()
    games = [2] * wins + [0] * losses
    random.Random(1).shuffle(games)
    pairs.add([pair_code(a, b) for a, b in zip(games[::2], games[1::2], strict=True)])
    usual = (1 + erf((wins - losses) / sqrt(2 * (wins + losses)))) / 2
    assert likelihood_of_superiority(pairs) == pytest.approx(usual, abs=0.06)


def test_superiority_is_even_where_nothing_tells_and_grows_with_wins():
    assert likelihood_of_superiority(PairCounts()) == 0.5
    assert likelihood_of_superiority(pairs_of(0.5, 0.5, 0.5)) == 0.5
    likelihoods = [likelihood_of_superiority(pairs_of(*[1.0] * number)) for number in (1, 2, 5, 20)]
    assert likelihoods == sorted(likelihoods)
    assert 0.5 < likelihoods[0] < 0.98 < likelihoods[-1] < 1


# Tests that stop by themselves


def tosses(seed, share):
    dice = Dice(seed)
    while True:
        yield pair_code(2 * (dice.below(10_000) < 10_000 * share), 2 * (dice.below(10_000) < 10_000 * share))


def decided(test, seed, share, most=4000):
    pairs = PairCounts()
    for code in tosses(seed, share):
        pairs.add((code,))
        if pairs.pairs == most or (pairs.pairs % 8 == 0 and test.decided(pairs)):
            return test.decided(pairs)
    return None


def test_a_test_is_wrong_in_about_one_of_twenty_runs():
    test = Sprt(0, 60)
    false_alarms = sum(decided(test, seed, expected_share(0)) == "elo1" for seed in range(150))
    missed = sum(decided(test, seed, expected_share(60)) == "elo0" for seed in range(150))
    assert false_alarms <= 15  # 7.5 expected, with a deviation of 2.7
    assert missed <= 15


def test_a_short_run_decides_nothing():
    test = Sprt(0, 10)
    assert test.decided(pairs_of(*[1.0] * 49)) is None
    assert test.decided(pairs_of(*[1.0] * 50)) == "elo1"


def test_a_one_sided_run_has_a_ratio_that_can_be_told():
    test = Sprt(0, 5)
    even = pairs_of(*[0.5] * 60)
    assert abs(test.ratio(even)) < test.bound  # sixty even pairs do not prove that five Elo are lacking
    assert test.decided(pairs_of(*[0.0] * 60)) == "elo0"
    assert test.ratio(PairCounts()) == 0


def test_the_ratio_is_the_plain_formula():
    pairs = PairCounts([30, 4, 41, 3, 5, 6, 52, 7, 60])
    values = each_pair(pairs)
    low, high = expected_share(0), expected_share(20)
    variance = fmean([(value - fmean(values)) ** 2 for value in values])
    plain = len(values) * (high - low) * (2 * fmean(values) - low - high) / (2 * variance)
    assert Sprt(0, 20).ratio(pairs) == pytest.approx(plain, rel=0.05)


@pytest.mark.parametrize("elos", [(10, 0), (5, 5), (float("nan"), 1), (0, 9999)])
def test_a_test_is_between_a_lower_and_a_higher_elo(elos):
    with pytest.raises(EngineError, match="lower one first"):
        Sprt(*elos)


def test_a_test_stops_at_the_same_game_wherever_it_is_played(tmp_path):
    made, test = arena("greedy", "random"), Sprt(0, 10)
    alone = play_arena(made, 20_000, test=test, runner=Runner(1))
    assert alone.to_dict()["sprt"]["decided"] == "elo1"
    assert 100 <= alone.to_dict()["games"] < 1000
    assert play_arena(made, 20_000, test=test, runner=Runner(2)) == alone
    play_arena(made, 40, test=test, resume=tmp_path / "kept.json")
    assert play_arena(made, 20_000, test=test, resume=tmp_path / "kept.json") == alone
    assert play_arena(made, 20_000, test=test, resume=tmp_path / "kept.json") == alone
