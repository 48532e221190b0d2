"""House rules against each other, and the arena at the command line."""

import json
import random
from math import sqrt
from statistics import fmean, stdev

import pytest
from arenas import GRID
from helpers.made_up import random_battle_deck

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.many.comparison import MEASURES, SURE, compare
from ccgrid.engine.many.runner import Runner
from ccgrid.engine.many.simulation import Lineup, play_game


def rules(game="ninecard", one=None, other=None):
    deck = tuple(random_battle_deck(random.Random(2), 40))
    decks = FixedDecks((deck, deck)) if game == "ninecard" else GRID
    return [Lineup(game, ("random", "random"), decks, 5, options or {}) for options in (one, other)]


def observed(lineup, number):
    record = play_game(lineup, number)
    state, choices = record.setup.start(), []
    first = state.to_move if record.setup.first is None else record.setup.first
    for move in record.moves:
        choices.append(len(state.legal_moves()))
        state = state.play_unchecked(move)
    outcome = state.outcome()
    won = 0.5 if outcome.winner is None else float(outcome.winner == first)
    return won, float(outcome.winner is None), float(len(choices)), fmean(choices)


def test_the_same_deals_are_compared_by_plain_means_and_errors():
    one, other = rules(other={"life": 20})
    found = compare(one, other, ("50", "20"), 24).to_dict()
    seen = [(observed(one, number), observed(other, number)) for number in range(1, 13)]
    assert found["games"] == 24
    for place, measure in enumerate(MEASURES):
        differences = [second[place] - first[place] for first, second in seen]
        error = stdev(differences) / sqrt(12)
        told = found["differences"][measure]
        assert found["rules"][0][measure] == pytest.approx(fmean(first[place] for first, _ in seen), abs=0.001)
        assert found["rules"][1][measure] == pytest.approx(fmean(second[place] for _, second in seen), abs=0.001)
        assert told["value"] == pytest.approx(fmean(differences), abs=0.002)
        assert told["stderr"] == pytest.approx(error, abs=0.002)
        assert told["high"] - told["low"] == pytest.approx(2 * SURE * error, abs=0.01)
    assert found["differences"]["mean_moves"]["high"] < 0  # with less life a game is shorter


def test_a_rule_does_not_differ_from_itself():
    one, other = rules("grid")
    found = compare(one, other, ("a", "b"), 100).to_dict()
    assert all(told["value"] == told["stderr"] == 0 for told in found["differences"].values())


def test_comparisons_do_not_depend_on_who_plays_and_go_on(tmp_path):
    one, other = rules(other={"life": 20})
    alone = compare(one, other, ("a", "b"), 16, runner=Runner(1))
    assert compare(one, other, ("a", "b"), 16, runner=Runner(2)) == alone
    compare(one, other, ("a", "b"), 6, resume=tmp_path / "kept.json")
    assert compare(one, other, ("a", "b"), 16, resume=tmp_path / "kept.json") == alone


KEYS = ["game", "games", "seed", "players", "los", "sprt"]
PLAYER = ["name", "policy", "games", "wins", "draws", "points", "share", "stderr", "elo", "elo_low", "elo_high"]


def told(shell, *words):
    return json.loads(shell.good("arena", *words, "--seed", "3", "--json").out)


def test_the_command_prints_the_documented_keys(shell):
    found = told(shell, "grid", "--players", "greedy,random", "-n", "40", "--sprt", "0,10")
    assert list(found)[:6] == KEYS
    assert [list(player) for player in found["players"]] == [PLAYER, PLAYER]
    assert found["players"][0]["share"] > 0.8
    assert set(found["sprt"]) == {"elo0", "elo1", "llr", "lower", "upper", "decided"}


def test_factions_meet_with_one_policy_for_all(shell):
    found = told(shell, "tactics", "--faction", "cinder,bastion,lancers", "-n", "6")
    assert [player["name"] for player in found["players"]] == ["cinder", "bastion", "lancers"]
    assert {player["policy"] for player in found["players"]} == {"greedy"}
    assert [meeting["games"] for meeting in found["meetings"]] == [6, 6, 6]


def test_decks_meet_where_everybody_brings_one(shell):
    files = [shell.folder / f"{name}.toml" for name in ("cinder", "bastion")]
    for file in files:
        shell.good("deck", "new", "tactics", "--faction", file.stem, "-o", file)
    found = told(shell, "tactics", "--deck", files[0], "--deck", files[1], "-n", "20")
    assert [player["name"] for player in found["players"]] == ["cinder", "bastion"]
    factions = told(shell, "tactics", "--faction", "cinder,bastion", "-n", "20")
    assert found == factions


def test_decks_are_compared_where_the_players_share_one(shell):
    shell.good("import", "starter")
    files = [shell.folder / f"{game}.toml" for game in ("mtg", "hearthstone")]
    for file in files:
        shell.good("deck", "new", "--game", file.stem, "--seed", "2", "-o", file)
    found = told(shell, "grid", "--deck", files[0], "--deck", files[1], "--players", "random", "-n", "20")
    assert [rule["rule"] for rule in found["rules"]] == [str(file) for file in files]
    assert shell("arena", "grid", *(word for file in (*files, *files) for word in ("--deck", file))).status == 3


def test_house_rules_are_compared(shell):
    found = told(shell, "ninecard", "--against-option", "life=10", "--players", "random", "-n", "6")
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
def test_what_does_not_fit_together_is_told(shell, words, message):
    done = shell("arena", *words, "-n", "10")
    assert done.status == (2 if message == "lazy" else 3), "a name that nobody knows is a wrong command line"
    assert message in done.err


def test_a_player_that_nobody_knows_is_a_wrong_command_line(shell):
    done = shell("arena", "grid", "--players", "greedy,lazy", "-n", "10")
    assert done.status == 2
    assert "lazy" in done.err


def test_a_test_that_is_not_two_numbers_is_a_wrong_command_line(shell):
    assert shell("arena", "--players", "greedy,random", "--sprt", "ten").status == 2
