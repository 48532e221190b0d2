"""Tests of the arena: pairs of games, their statistics, sequential tests, and comparisons of house rules."""

import json
import random
from itertools import product
from math import erf, log10, sqrt
from statistics import fmean, stdev

import msgspec
import pytest
from arenas import COUNTS, GRID, arena, each_pair, pairs_of
from helpers.made_up import random_battle_deck, random_side_deck
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games.tactics.factions import FACTIONS
from ccgrid.engine.many.arena import Arena, Contestant, play_arena
from ccgrid.engine.many.comparison import (
    MEASURES,
    Z_95,
    PairCounts,
    Sprt,
    compare,
    elo,
    expected_share,
    half_points,
    interval,
    likelihood_of_superiority,
    pair_code,
)
from ccgrid.engine.many.kernels import find_kernel
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import Lineup, play_game


def test_pair_is_one_deal_with_seats_exchanged():
    one, other = arena("greedy", "random").lineups(0)
    for number in range(1, 20):
        first, second = play_game(one, number), play_game(other, number)
        assert first.setup.cards == second.setup.cards
        assert first.setup.first == second.setup.first
        assert first.setup.players == ("greedy-1", "random-2")
        assert second.setup.players == ("random-1", "greedy-2")


def test_contestants_keep_their_decks_in_both_seats():
    decks = [tuple(random_side_deck(random.Random(seed))) for seed in (1, 2)]
    games_arena = Arena(
        "tactics", tuple(Contestant(name, "greedy", deck) for name, deck in zip("AB", decks, strict=True)), GRID, 3
    )
    one, other = games_arena.lineups(0)
    assert one.decks.decks == tuple(decks)
    assert other.decks.decks == tuple(decks[::-1])


def test_every_meeting_has_different_deals():
    games_arena = arena("random", "greedy", "random")
    assert games_arena.meetings == [(0, 1), (0, 2), (1, 2)]
    assert len({games_arena.lineups(meeting)[0].seed for meeting in range(3)}) == 3


def test_counts_equal_those_of_records():
    games_arena = arena("greedy", "random", "greedy")
    found = msgspec.to_builtins(play_arena(games_arena, 60).answer())
    points = [0.0] * 3
    for meeting, (one, other) in enumerate(games_arena.meetings):
        for (is_exchanged, lineup), number in product(enumerate(games_arena.lineups(meeting)), range(1, 31)):
            points_of_first_seat = half_points(*play_game(lineup, number).result) / 2
            seats = (other, one) if is_exchanged else (one, other)
            points[seats[0]] += points_of_first_seat
            points[seats[1]] += 1 - points_of_first_seat
    assert [player["points"] for player in found["players"]] == points
    assert [player["games"] for player in found["players"]] == [120, 120, 120]
    assert found["games"] == 180
    assert found["los"] is None
    assert found["sprt"] is None


@pytest.mark.parametrize("game", ["grid", "tactics", "matrix"])
def test_kernels_count_like_readable_rules(game, monkeypatch):
    decks = {"grid": GRID, "matrix": FixedDecks(())}.get(
        game, FixedDecks(tuple(faction.cards for faction in FACTIONS.bundled()[:2]))
    )
    games_arena = arena("greedy", "random", game=game, decks=decks)
    monkeypatch.setattr("ccgrid.engine.many.arena.find_kernel", lambda *_, **__: None)
    plain = play_arena(games_arena, 60, runner=Runner(1))
    # Use a kernel even for few games.
    monkeypatch.setattr("ccgrid.engine.many.arena.find_kernel", lambda lineup, *_, **__: find_kernel(lineup))
    assert msgspec.to_builtins(play_arena(games_arena, 60, runner=Runner(1)).answer()) == msgspec.to_builtins(
        plain.answer()
    )


@pytest.mark.slow
def test_counts_are_independent_of_runner(tmp_path):
    games_arena = arena("greedy", "random")
    alone = play_arena(games_arena, 3000, runner=Runner(1))
    assert play_arena(games_arena, 3000, runner=Runner(2)) == alone
    for games in (1000, 1000, 3000):
        resumed = play_arena(games_arena, games, resume=tmp_path / "kept.json")
    assert resumed == alone
    with pytest.raises(EngineError, match="other games"):
        play_arena(arena("greedy", "greedy"), 3000, resume=tmp_path / "kept.json")


def test_odd_number_of_games_is_rounded_up():
    assert msgspec.to_builtins(play_arena(arena("greedy", "random"), 7).answer())["games"] == 8


@pytest.mark.parametrize("games", [0, -1])
def test_number_of_games_must_be_positive(games):
    with pytest.raises(EngineError, match="at least 1"):
        play_arena(arena("greedy", "random"), games)


def test_arena_needs_two_contestants_and_test_exactly_two():
    with pytest.raises(EngineError, match="needs two contestants"):
        play_arena(arena("greedy"), 10)
    with pytest.raises(EngineError, match="two contestants"):
        play_arena(arena("greedy", "random", "random"), 10, test=Sprt(0, 10))


def play_sequential_test(games_arena):
    return msgspec.to_builtins(play_arena(games_arena, 2000, test=Sprt(0, 40), runner=Runner(1)).answer())


@pytest.mark.usefixtures("tilted")
def test_slightly_better_player_is_detected():
    found = msgspec.to_builtins(
        play_arena(arena("tilted", "random"), 2000, test=Sprt(0, 40), runner=Runner(1)).answer()
    )
    assert found["sprt"]["decided"] == "elo1"
    assert found["los"] > 0.99
    assert found["players"][0]["elo_low"] > 0 > found["players"][1]["elo_high"]
    worse = msgspec.to_builtins(
        play_arena(arena("random", "tilted"), 2000, test=Sprt(0, 40), runner=Runner(1)).answer()
    )
    assert worse["sprt"]["decided"] == "elo0"
    assert worse["los"] < 0.01


@pytest.mark.usefixtures("tilted")
def test_player_is_not_better_than_itself():
    found = msgspec.to_builtins(play_arena(arena("tilted", "tilted"), 400, runner=Runner(1)).answer())
    assert found["players"][0]["elo_low"] <= 0 <= found["players"][0]["elo_high"]


def test_damaged_meeting_counts_are_rejected_and_kept(tmp_path):
    counts_file = tmp_path / "kept.json"
    play_arena(arena("greedy", "random"), 20, resume=counts_file)
    damaged = counts_file.read_text().replace('"counts":[[', '"counts":[[0,')
    counts_file.write_text(damaged)
    with pytest.raises(EngineError, match="is damaged"):
        play_arena(arena("greedy", "random"), 40, resume=counts_file)
    assert counts_file.read_text() == damaged


def test_mirror_match_is_exactly_even_and_cannot_be_result_of_test():
    one, other = msgspec.to_builtins(play_arena(arena("greedy", "greedy"), 60).answer())["players"]
    assert [one[key] for key in ("share", "stderr", "elo", "elo_low", "elo_high")] == [0.5, 0, 0, 0, 0]
    assert one["points"] == other["points"]
    with pytest.raises(EngineError, match="the same player with the same cards"):
        play_arena(arena("greedy", "greedy"), 60, test=Sprt(0, 10))


# --- Comparisons of house rules, and the command --------------------------------------------------------------------


def lineups_with_options(game="ninecard", one=None, other=None):
    deck = tuple(random_battle_deck(random.Random(2), 40))
    decks = FixedDecks((deck, deck)) if game == "ninecard" else GRID
    return [Lineup(game, ("random", "random"), decks, 5, options or {}) for options in (one, other)]


def measure_by_readable_rules(lineup, number):
    record = play_game(lineup, number)
    state, choices = record.setup.start(), []
    first = state.to_move if record.setup.first is None else record.setup.first
    for move in record.moves:
        choices.append(len(state.legal_moves()))
        state = state.play_unchecked(move)
    outcome = state.outcome()
    won = 0.5 if outcome.winner is None else float(outcome.winner == first)
    return won, float(outcome.winner is None), float(len(choices)), fmean(choices)


@pytest.mark.slow
def test_comparison_equals_plain_means_and_errors():
    one, other = lineups_with_options(other={"life": 20})
    found = msgspec.to_builtins(compare(one, other, ("50", "20"), 24).answer())
    seen = [
        (measure_by_readable_rules(one, number), measure_by_readable_rules(other, number)) for number in range(1, 13)
    ]
    assert found["games"] == 24
    for place, measure in enumerate(MEASURES):
        differences = [second[place] - first[place] for first, second in seen]
        error = stdev(differences) / sqrt(12)
        difference = found["differences"][measure]
        assert found["rules"][0][measure] == pytest.approx(fmean(first[place] for first, _ in seen), abs=0.001)
        assert found["rules"][1][measure] == pytest.approx(fmean(second[place] for _, second in seen), abs=0.001)
        assert difference["value"] == pytest.approx(fmean(differences), abs=0.002)
        assert difference["stderr"] == pytest.approx(error, abs=0.002)
        assert difference["high"] - difference["low"] == pytest.approx(2 * Z_95 * error, abs=0.01)
    assert found["differences"]["mean_moves"]["high"] < 0  # games with less life are shorter


def test_rule_does_not_differ_from_itself():
    one, other = lineups_with_options("grid")
    found = msgspec.to_builtins(compare(one, other, ("a", "b"), 100).answer())
    assert all(difference["value"] == difference["stderr"] == 0 for difference in found["differences"].values())


@pytest.mark.slow
def test_comparisons_are_independent_of_runner_and_resumable(tmp_path):
    one, other = lineups_with_options(other={"life": 20})
    alone = compare(one, other, ("a", "b"), 16, runner=Runner(1))
    assert compare(one, other, ("a", "b"), 16, runner=Runner(2)) == alone
    compare(one, other, ("a", "b"), 6, resume=tmp_path / "kept.json")
    assert compare(one, other, ("a", "b"), 16, resume=tmp_path / "kept.json") == alone


KEYS = ["game", "games", "seed", "players", "los", "sprt"]
PLAYER = ["name", "policy", "games", "wins", "draws", "points", "share", "stderr", "elo", "elo_low", "elo_high"]


def arena_json(shell, *words):
    return json.loads(shell.good("arena", *words, "--seed", "3", "--json").out)


def test_arena_command_prints_documented_keys(shell):
    found = arena_json(shell, "grid", "--players", "greedy,random", "-n", "40", "--sprt", "0,10")
    assert list(found)[:6] == KEYS
    assert [list(player) for player in found["players"]] == [PLAYER, PLAYER]
    assert found["players"][0]["share"] > 0.8
    assert set(found["sprt"]) == {"elo0", "elo1", "llr", "lower", "upper", "decided"}


@pytest.mark.parametrize(
    ("players", "verdict"),
    [
        ("greedy,greedy", "Both took the same share of points: neither is better as far as these games show."),
        ("random,greedy", "greedy is better (likelihood > 99.9 %)."),
        ("greedy,random", "greedy is better (likelihood > 99.9 %)."),
    ],
)
def test_better_player_is_named_unless_equal(shell, players, verdict):
    shown = shell.good("arena", "matrix", "--players", players, "-n", "40", "--seed", "3").out
    assert shown.endswith(f"\n\n{verdict}\n")


def test_factions_meet_with_one_policy(shell):
    found = arena_json(shell, "tactics", "--faction", "cinder,bastion,lancers", "-n", "6")
    assert [player["name"] for player in found["players"]] == ["cinder", "bastion", "lancers"]
    assert {player["policy"] for player in found["players"]} == {"greedy"}
    assert [meeting["games"] for meeting in found["meetings"]] == [6, 6, 6]


def test_decks_meet_if_each_player_has_one(shell):
    files = [shell.folder / f"{name}.toml" for name in ("cinder", "bastion")]
    for file in files:
        shell.good("deck", "new", "tactics", "--faction", file.stem, "-o", file)
    found = arena_json(shell, "tactics", "--deck", files[0], "--deck", files[1], "-n", "20")
    assert [player["name"] for player in found["players"]] == ["cinder", "bastion"]
    factions = arena_json(shell, "tactics", "--faction", "cinder,bastion", "-n", "20")
    assert found == factions


def test_shared_decks_are_compared(shell):
    shell.import_starter()
    files = [shell.folder / f"{game}.toml" for game in ("mtg", "hearthstone")]
    for file in files:
        shell.good("deck", "new", "--game", file.stem, "--seed", "2", "-o", file)
    found = arena_json(shell, "grid", "--deck", files[0], "--deck", files[1], "--players", "random", "-n", "20")
    assert [rule["rule"] for rule in found["rules"]] == [str(file) for file in files]
    assert shell("arena", "grid", *(word for file in (*files, *files) for word in ("--deck", file))).status == 2


def test_house_rules_are_compared(shell):
    found = arena_json(shell, "ninecard", "--against-option", "life=10", "--players", "random", "-n", "6")
    assert list(found)[:6] == KEYS
    assert [rule["rule"] for rule in found["rules"]] == ["as it is", "life=10"]
    assert found["differences"]["mean_moves"]["value"] < 0
    shown = shell.good("arena", "ninecard", "--against-option", "life=10", "--players", "random", "-n", "6").out
    assert "legal moves a turn" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("grid",), "needs two contestants"),
        (("tactics", "--faction", "cinder,bastion", "--players", "greedy,random,random"), "3 contestants"),
        (("grid", "--players", "greedy,random,random", "--sprt", "0,5"), "two contestants"),
        (("ninecard", "--against-option", "life=10", "--sprt", "0,5"), "not house rules"),
        (("grid", "--players", "greedy,random", "--faction", "cinder,bastion"), "has no factions"),
    ],
)
def test_contradictory_arguments_are_rejected(shell, words, message):
    done = shell("arena", *words, "-n", "10")
    assert done.status == 2
    assert message in done.err


def test_unknown_player_is_usage_error(shell):
    done = shell("arena", "grid", "--players", "greedy,lazy", "-n", "10")
    assert done.status == 2
    assert "lazy" in done.err


def test_malformed_sprt_is_usage_error(shell):
    assert shell("arena", "--players", "greedy,random", "--sprt", "ten").status == 2


# --- Statistics, compared with plain formulas and many runs ---------------------------------------------------------


@given(COUNTS)
def test_share_and_error_are_mean_and_standard_error_of_pairs(counts):
    pairs = PairCounts(counts)
    values = each_pair(pairs)
    assert pairs.share == pytest.approx(fmean(values))
    assert pairs.stderr == pytest.approx(stdev(values) / sqrt(len(values)))
    assert pairs.wins + pairs.draws / 2 == pytest.approx(2 * pairs.pairs * pairs.share)


@given(COUNTS)
def test_mirrored_counts_are_the_opponents(counts):
    pairs = PairCounts(counts)
    other = pairs.mirrored()
    assert other.share == pytest.approx(1 - pairs.share)
    assert other.stderr == pytest.approx(pairs.stderr)
    assert other.draws == pairs.draws
    assert likelihood_of_superiority(other) == pytest.approx(1 - likelihood_of_superiority(pairs))
    assert Sprt(-10, 10).ratio(other) == pytest.approx(-Sprt(-10, 10).ratio(pairs))


@given(st.floats(0.001, 0.999))
def test_elo_is_logistic(share):
    assert elo(share) == pytest.approx(-400 * log10(1 / share - 1))
    assert expected_share(elo(share)) == pytest.approx(share)
    assert elo(1 - share) == pytest.approx(-elo(share), abs=1e-6)


@given(st.floats(0, 1), st.floats(0, 0.3), st.integers(1, 10_000))
def test_interval_contains_share_and_stays_within_0_and_1(share, stderr, pairs):
    low, high = interval(share, stderr, pairs)
    assert 0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1


def test_interval_of_many_pairs_is_normal_approximation():
    low, high = interval(0.55, 0.005, 10_000)
    assert (low, high) == pytest.approx((0.55 - Z_95 * 0.005, 0.55 + Z_95 * 0.005), abs=2e-4)


def test_interval_of_equal_results_has_positive_width():
    low, high = interval(1.0, 0.0, 10)
    assert low == pytest.approx(10 / (10 + Z_95**2))
    assert high == 1
    assert elo(high) is None
    assert interval(0.5, 0.5, 0) == (0.0, 1.0)


def test_about_5_percent_of_intervals_miss_true_share():
    missed = 0
    for run in range(400):
        dice = Dice(run)
        pairs = PairCounts()
        pairs.add([pair_code(2 * (dice.below(100) < 58), 2 * (dice.below(100) < 58)) for _ in range(300)])
        low, high = interval(pairs.share, pairs.stderr, pairs.pairs)
        missed += not low <= 0.58 <= high
    assert 8 <= missed <= 34  # 20 expected, with a deviation of 4.4


@pytest.mark.parametrize(("wins", "losses"), [(30, 20), (20, 30), (100, 40)])
def test_likelihood_of_superiority_equals_usual_formula(wins, losses):
    pairs = PairCounts()
    games = [2] * wins + [0] * losses
    random.Random(1).shuffle(games)
    pairs.add([pair_code(a, b) for a, b in zip(games[::2], games[1::2], strict=True)])
    usual = (1 + erf((wins - losses) / sqrt(2 * (wins + losses)))) / 2
    assert likelihood_of_superiority(pairs) == pytest.approx(usual, abs=0.06)


def test_likelihood_of_superiority_starts_at_half_and_grows_with_wins():
    assert likelihood_of_superiority(PairCounts()) == 0.5
    assert likelihood_of_superiority(pairs_of(0.5, 0.5, 0.5)) == 0.5
    likelihoods = [likelihood_of_superiority(pairs_of(*[1.0] * number)) for number in (1, 2, 5, 20)]
    assert likelihoods == sorted(likelihoods)
    assert 0.5 < likelihoods[0] < 0.98 < likelihoods[-1] < 1


# Sequential tests


def tosses(seed, share):
    dice = Dice(seed)
    while True:
        yield pair_code(2 * (dice.below(10_000) < 10_000 * share), 2 * (dice.below(10_000) < 10_000 * share))


def sprt_result(test, seed, share, most=4000):
    pairs = PairCounts()
    for code in tosses(seed, share):
        pairs.add((code,))
        if pairs.pairs == most or (pairs.pairs % 8 == 0 and test.decision(pairs)):
            return test.decision(pairs)
    return None


def test_sprt_error_rate_is_about_5_percent():
    test = Sprt(0, 60)
    false_alarms = sum(sprt_result(test, seed, expected_share(0)) == "elo1" for seed in range(150))
    missed = sum(sprt_result(test, seed, expected_share(60)) == "elo0" for seed in range(150))
    assert false_alarms <= 15  # 7.5 expected, with a deviation of 2.7
    assert missed <= 15


def test_sprt_does_not_decide_on_short_runs():
    test = Sprt(0, 10)
    assert test.decision(pairs_of(*[1.0] * 49)) is None
    assert test.decision(pairs_of(*[1.0] * 50)) == "elo1"


def test_sprt_decides_one_sided_runs():
    test = Sprt(0, 5)
    even = pairs_of(*[0.5] * 60)
    assert abs(test.ratio(even)) < test.bound  # 60 even pairs do not refute a lead of 5 Elo
    assert test.decision(pairs_of(*[0.0] * 60)) == "elo0"
    assert test.ratio(PairCounts()) == 0


def test_sprt_ratio_equals_plain_formula():
    pairs = PairCounts([30, 4, 41, 3, 5, 6, 52, 7, 60])
    values = each_pair(pairs)
    low, high = expected_share(0), expected_share(20)
    variance = fmean([(value - fmean(values)) ** 2 for value in values])
    plain = len(values) * (high - low) * (2 * fmean(values) - low - high) / (2 * variance)
    assert Sprt(0, 20).ratio(pairs) == pytest.approx(plain, rel=0.05)


@pytest.mark.parametrize("elos", [(10, 0), (5, 5), (float("nan"), 1), (0, 9999)])
def test_sprt_needs_lower_and_higher_elo(elos):
    with pytest.raises(EngineError, match="lower one first"):
        Sprt(*elos)


def test_sprt_needs_two_different_contestants():
    with pytest.raises(EngineError, match="needs two different contestants"):
        play_arena(arena("greedy", "greedy"), 20, test=Sprt(0, 10))
    with pytest.raises(EngineError, match="a test that stops by itself needs two contestants"):
        play_arena(arena("greedy", "random", "greedy"), 20, test=Sprt(0, 10))


def test_sprt_stops_at_same_game_for_every_runner(tmp_path):
    games_arena, test = arena("greedy", "random"), Sprt(0, 10)
    alone = play_arena(games_arena, 20_000, test=test, runner=Runner(1))
    assert msgspec.to_builtins(alone.answer())["sprt"]["decided"] == "elo1"
    assert 100 <= msgspec.to_builtins(alone.answer())["games"] < 1000
    assert play_arena(games_arena, 20_000, test=test, runner=Runner(2)) == alone
    play_arena(games_arena, 40, test=test, resume=tmp_path / "kept.json")
    assert play_arena(games_arena, 20_000, test=test, resume=tmp_path / "kept.json") == alone
    assert play_arena(games_arena, 20_000, test=test, resume=tmp_path / "kept.json") == alone
