"""Tests that simulated games depend only on the seed, and that their counts are consistent."""

import json
import multiprocessing
import os
from dataclasses import replace

import msgspec
import pytest
from helpers.small_lineups import CARDS, LINEUP, counts_of

from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.games import find_game
from ccgrid.engine.many import runner
from ccgrid.engine.many.simulation import Lineup, play_game, simulate
from ccgrid.engine.records.match import Match
from ccgrid.engine.records.record import read_document


def test_summary_has_documented_keys_and_consistent_counts():
    answer = msgspec.to_builtins(simulate(LINEUP, 300).answer())
    assert list(answer) == [
        "game",
        "games",
        "seed",
        "players",
        "first_player_wins",
        "draws",
        "mean_moves",
        "games_per_second",
    ]
    assert [player["policy"] for player in answer["players"]] == ["random", "greedy"]
    assert [player["name"] for player in answer["players"]] == ["random-1", "greedy-2"]
    assert sum(player["wins"] for player in answer["players"]) + answer["draws"] == answer["games"] == 300
    assert all(player["draws"] == answer["draws"] for player in answer["players"])
    assert 0 <= answer["first_player_wins"] <= 300 - answer["draws"]
    assert 0 < answer["mean_moves"] <= 19
    assert answer["games_per_second"] > 0
    assert answer["seed"] == 7


@pytest.mark.slow
def test_results_are_independent_of_number_of_workers():
    alone, together = [], []
    one = simulate(LINEUP, 1200, workers=1, write=alone.append)
    two = simulate(LINEUP, 1200, workers=2, write=together.append)
    assert counts_of(one) == counts_of(two)
    assert alone == together
    assert len(alone) == 1200


def test_seed_determines_games():
    assert counts_of(simulate(LINEUP, 100)) == counts_of(simulate(LINEUP, 100))
    assert counts_of(simulate(LINEUP, 100)) != counts_of(simulate(replace(LINEUP, seed=8), 100))
    assert len({Dice(seed).fork(number).seed for seed in range(30) for number in range(30)}) == 900


def test_longer_simulation_begins_with_same_games():
    few, many = [], []
    simulate(LINEUP, 20, write=few.append)
    simulate(LINEUP, 40, write=many.append)
    assert many[:20] == few


def test_written_records_replay_to_their_results():
    lines = []
    summary = simulate(
        Lineup("grid", ("greedy", "random", "random"), RandomDecks(CARDS, 20), 3), 50, write=lines.append
    )
    points = [0, 0, 0]
    for number, line in enumerate(lines, start=1):
        reading = read_document(json.loads(line))
        assert reading.error is None
        assert reading.record.seed == Dice(3).fork(number).seed
        assert reading.record == play_game(summary.lineup, number)
        points = [total + score for total, score in zip(points, reading.record.result, strict=True)]
    assert [player.mean_score for player in summary.answer().players] == [total / 50 for total in points]


def test_starting_player_is_random():
    firsts = [play_game(LINEUP, number).setup.first for number in range(1, 401)]
    assert 150 < sum(firsts) < 250


def test_random_decks_differ_per_game_and_have_distinct_cards():
    source = RandomDecks(CARDS, 20)
    decks = {tuple(card.id for card in source(Dice(seed))[0]) for seed in range(20)}
    assert len(decks) == 20
    assert all(len(set(deck)) == 20 for deck in decks)


def test_too_few_cards_for_deck_is_an_error():
    with pytest.raises(EngineError, match="20 different cards, and there are 19"):
        simulate(Lineup("grid", ("random", "random"), RandomDecks(CARDS[:19], 20), 1), 1)


def test_greedy_beats_random():
    players = msgspec.to_builtins(simulate(LINEUP, 500).answer())["players"]
    assert players[1]["wins"] > 1.5 * players[0]["wins"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games is at least 1"),
        ({"workers": 0}, "workers is at least 1"),
        ({"policies": ("random",)}, "players, not 1"),
        ({"policies": ("random", "lazy")}, "There is no computer player 'lazy'"),
        ({"game": "chess"}, "There is no game 'chess'"),
        ({"decks": FixedDecks((CARDS[:19],))}, "one deck of 20 cards"),
        ({"decks": DifferentDecks((), 1)}, "1 different decks are needed, and there are 0"),
    ],
)
def test_invalid_lineup_gives_one_error(changes, message):
    match = replace(LINEUP, **{key: value for key, value in changes.items() if key not in ("games", "workers")})
    with pytest.raises(EngineError, match=message):
        simulate(match, changes.get("games", 1), workers=changes.get("workers"))


def test_error_in_worker_process_is_the_same():
    with pytest.raises(EngineError, match="one deck of 20 cards"):
        simulate(Lineup("grid", ("random", "random"), FixedDecks((CARDS[:19],)), 1), 1200, workers=2)


def test_progress_reports_every_game():
    reports = []
    simulate(LINEUP, 1100, workers=1, progress=reports.append)
    assert sum(reports) == 1100
    assert len(reports) > 1


def test_game_determines_number_of_decks():
    assert find_game("grid").decks_needed(4) == 1


# Workers


@pytest.mark.slow
def test_matches_are_independent_of_number_of_workers():
    lineup = Lineup("grid", ("random", "greedy"), RandomDecks(CARDS, 20), 5)
    plan = Match.best_of("grid", lineup.players, 3)
    alone, together = [], []
    one = simulate(lineup, 250, plan=plan, workers=1, write=alone.append)
    two = simulate(lineup, 250, plan=plan, workers=2, write=together.append)
    assert counts_of(one) == counts_of(two)
    assert alone == together
    assert msgspec.to_builtins(one.answer())["match"]["matches"] == 250
    assert 500 <= msgspec.to_builtins(one.answer())["games"] == len(alone) <= 750


@pytest.mark.slow
@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_forked_and_spawned_processes_play_same_games(start_method, monkeypatch):
    monkeypatch.setattr(runner, "_process_context", lambda: multiprocessing.get_context(start_method))
    assert counts_of(simulate(LINEUP, 350, workers=3)) == counts_of(simulate(LINEUP, 350))


def test_cards_are_sent_to_each_process_once(monkeypatch):
    monkeypatch.setattr(runner, "_process_context", lambda: multiprocessing.get_context("spawn"))
    sent = []

    class CountingDecks(FixedDecks):
        def __reduce__(self):
            sent.append(self)
            return FixedDecks, (self.decks,)

    simulate(Lineup("grid", ("random", "random"), CountingDecks((CARDS[:20],)), 1), 2000, workers=2)
    assert len(sent) == 1


def exit_in_worker(dice):
    """Return decks in the process of the test, and exit in a worker process."""
    if multiprocessing.parent_process() is not None:
        os._exit(3)
    return (CARDS[:20],)


def test_terminated_worker_process_is_an_error():
    message = r"^A worker process was terminated\. Try again, or use --workers 1\.$"
    with pytest.raises(EngineError, match=message):
        simulate(Lineup("grid", ("random", "random"), exit_in_worker, 1), 1200, workers=2)


def test_progress_adds_up_to_number_of_games():
    reports = []
    simulate(LINEUP, 2500, workers=2, progress=reports.append)
    assert sum(reports) == 2500
    assert len(reports) > 2


def test_progress_is_more_frequent_without_kernel(monkeypatch):
    monkeypatch.setattr("ccgrid.engine.many.simulation.find_kernel", lambda *_, **__: None)
    reports = []
    simulate(LINEUP, 250, workers=2, progress=reports.append)
    assert sum(reports) == 250
    assert max(reports) <= 100
    assert reports[0] == 1


def test_kernel_counts_and_records_equal_readable_rules(monkeypatch):
    lineup = Lineup("grid", ("random", "greedy", "greedy"), RandomDecks(CARDS, 20), 5)
    kernel_records, readable_records = [], []
    kernel_summaries = (simulate(lineup, 300), simulate(lineup, 300, write=kernel_records.append))
    monkeypatch.setattr("ccgrid.engine.many.simulation.find_kernel", lambda *_, **__: None)
    readable_summaries = (simulate(lineup, 300), simulate(lineup, 300, write=readable_records.append))
    assert len({str(counts_of(summary)) for summary in (*kernel_summaries, *readable_summaries)}) == 1
    assert kernel_records == readable_records
