"""Tests that compiled kernels play the same games as the readable rules; skipped without the extra `fast`."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import pytest
from helpers.differential import games
from test_kernels import (
    BATTLE_DECKS,
    BATTLE_POOL,
    DECKS,
    PLANS,
    POOL,
    SIDE_POOL,
    SOURCES,
    any_decks,
    assert_equal_games,
    assert_equal_matches,
    every_table_of_matrix,
    every_table_of_ninecard,
    every_table_of_tactics,
    has_playouts,
)
from test_kernels import VARIANTS as GRID_VARIANTS

from ccgrid.catalog.card import Card
from ccgrid.engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from ccgrid.engine.games.four_sides import sided_card
from ccgrid.engine.games.ninecard.decks import BattleDecks
from ccgrid.engine.many.kernels import CoreKernel, find_kernel
from ccgrid.engine.many.simulation import Lineup, play_game, simulate
from ccgrid.engine.rows import saved_code
from ccgrid.engine.rows.games import play_games

pytest.importorskip("numba")
pytest.importorskip("numpy")
compiling = pytest.importorskip("ccgrid.engine.rows.compiling")


def compiled_kernel(lineup):
    kernel = find_kernel(lineup)
    assert kernel.is_compiled
    return kernel


def test_elapsed_time_excludes_compilation(monkeypatch):
    compiling = pytest.importorskip("ccgrid.engine.rows.compiling")
    lineup = Lineup("matrix", ("random",) * 2, FixedDecks(()), 1)
    core = compiled_kernel(lineup).core
    monkeypatch.setattr(compiling, "_LOADED", {})  # as in a new process
    clock = SimpleNamespace(monotonic=time.monotonic, perf_counter=lambda: float(compiling.is_loaded(play_games, core)))
    monkeypatch.setattr("ccgrid.engine.many.tally.time", clock)
    assert simulate(lineup, 10_000, workers=1).seconds == 0.0


def test_each_of_many_games_has_its_own_moves():
    lineup = Lineup("matrix", ("random",) * 2, FixedDecks(()), 1)
    kernel = compiled_kernel(lineup)
    assert kernel.run(lineup, range(1, 5001), keep_moves=True).moves[-1] == play_game(lineup, 5000).moves


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "policies", [("random",) * 2, ("greedy",) * 2, ("greedy", "random", "random"), ("random", "greedy") * 2]
)
def test_compiled_grid_equals_readable_rules(policies, source):
    lineup = Lineup("grid", policies, SOURCES[source], 7)
    assert_equal_games(compiled_kernel(lineup), lineup, range(3, 3 + games(200)))


@pytest.mark.parametrize("options", GRID_VARIANTS, ids=str)
@pytest.mark.parametrize("source", ["sparse", "drawn"])
@pytest.mark.parametrize("policies", [("random", "greedy"), ("greedy", "random", "random"), ("random",) * 4])
def test_compiled_grid_variants_equal_readable_rules(policies, source, options):
    lineup = Lineup("grid", policies, SOURCES[source], 7, options)
    assert_equal_games(compiled_kernel(lineup), lineup, range(3, 3 + games(200)))


@every_table_of_matrix
def test_compiled_matrix_equals_readable_rules(lineup):
    assert_equal_games(compiled_kernel(lineup), lineup, range(3, 3 + games(15 if has_playouts(lineup) else 200)))


NUMBERED = (sided_card("Elk", 1, 2, 3, 4), sided_card("Elk", 2, 2, 3, 4), sided_card("Elk #2", 1, 1, 1, 1))


@every_table_of_tactics
def test_compiled_tactics_equals_readable_rules(lineup):
    assert_equal_games(compiled_kernel(lineup), lineup, range(3, 3 + games(200)))


@every_table_of_ninecard
def test_compiled_ninecard_equals_readable_rules(lineup):
    assert_equal_games(compiled_kernel(lineup), lineup, range(3, 3 + games(2, parts=8)))


MATCHES = (
    Lineup("grid", ("random", "greedy"), SOURCES["drawn"], 7, {"komi": 5, "order": "1-2-2"}),
    Lineup("grid", ("greedy", "random", "random"), SOURCES["sparse"], 7, {"empty-pile": True}),
    Lineup("matrix", ("random", "greedy"), FixedDecks(()), 7),
    Lineup("matrix", ("random",) * 3, FixedDecks(()), 7),
    Lineup("tactics", ("random", "greedy"), RandomDecks(SIDE_POOL, 18, 2), 7),
    Lineup("tactics", ("greedy", "random") * 2, DifferentDecks(DECKS, 4), 7),
    Lineup("ninecard", ("random", "greedy"), BattleDecks.of(BATTLE_POOL, 2), 7, {"limit": 30}),
    Lineup("ninecard", ("random",) * 3, FixedDecks(BATTLE_DECKS[:3]), 7, {"facedown": True}),
)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("lineup", MATCHES, ids=lambda lineup: f"{lineup.game} {len(lineup.policies)}")
def test_compiled_matches_equal_readable_rules(lineup, plan):
    count = games(4 if lineup.game == "ninecard" else 15, parts=10)
    assert_equal_matches(compiled_kernel(lineup), lineup, PLANS[plan](lineup.game, lineup.players), count)


def test_saved_code_is_loaded_without_message():
    lineup, messages = Lineup("grid", ("random",) * 2, SOURCES["fixed"], 1), []
    assert not find_kernel(lineup, 9_999, tell=messages.append).is_compiled
    compiled_kernel(lineup).run(lineup, range(1, 3))
    find_kernel(lineup, 10_000, tell=messages.append)
    assert messages == []
    assert saved_code.cache_folder().is_dir()


def test_message_precedes_compilation(monkeypatch):
    monkeypatch.setattr(CoreKernel, "is_saved", lambda kernel: False)
    messages = []
    find_kernel(Lineup("matrix", ("random",) * 2, FixedDecks(()), 1), tell=messages.append)
    assert messages == ["Compiling matrix takes some seconds, only this once."]


def test_threads_count_a_million_games_like_one_thread():
    lineup = Lineup("grid", ("random", "greedy"), SOURCES["drawn"], 3)
    one, two = simulate(lineup, 120_000, workers=1), simulate(lineup, 120_000, workers=2)
    assert one.tally == two.tally
    assert one.tally.games == 120_000


@pytest.mark.parametrize(
    "lineup",
    [
        Lineup("grid", ("random",) * 2, any_decks, 1),
        Lineup("grid", ("random",) * 5, SOURCES["fixed"], 1),
        Lineup("grid", ("random",) * 2, FixedDecks((POOL[:19],)), 1),
        Lineup("grid", ("random",) * 2, RandomDecks(POOL[:19], 20), 1),
        Lineup("grid", ("random",) * 2, RandomDecks((*POOL, Card("x", "", "Nought", {}, 0)), 20), 1),
        Lineup("grid", ("random",) * 2, RandomDecks((*POOL, replace(POOL[0], legal=False)), 20), 1),
        Lineup("grid", ("random",) * 2, SOURCES["fixed"], 1, {"komi": "5"}),
        Lineup("matrix", ("random",) * 2, FixedDecks(()), 1, {"rotate": "twice"}),
        Lineup("matrix", ("random",) * 2, SOURCES["fixed"], 1),
        Lineup("tactics", ("random",) * 3, FixedDecks(DECKS[:3]), 1),
        Lineup("tactics", ("random",) * 2, FixedDecks(DECKS[:3]), 1),
        Lineup("tactics", ("random",) * 2, FixedDecks((DECKS[0], DECKS[0][:2])), 1),
        Lineup("tactics", ("random",) * 2, FixedDecks((DECKS[0], POOL[:18])), 1),
        Lineup("tactics", ("random",) * 2, FixedDecks((DECKS[0], (sided_card("a@b", 1, 2, 3, 4),) * 3)), 1),
        Lineup("tactics", ("random",) * 2, FixedDecks((DECKS[0], NUMBERED)), 1),
        Lineup("tactics", ("random",) * 2, RandomDecks(SIDE_POOL[:17], 18, 2), 1),
    ],
)
def test_compiled_kernel_declines_unsupported_lineups(lineup):
    assert find_kernel(lineup) is None


def test_threads_with_different_decks_are_independent():
    sources = [FixedDecks(decks) for decks in permutations(BATTLE_DECKS, 2)]
    lineups = [Lineup("ninecard", ("greedy", "random"), source, 7) for source in sources]
    alone = [compiled_kernel(lineup).run(lineup, range(1, 20)).tally() for lineup in lineups]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda lineup: compiled_kernel(lineup).run(lineup, range(1, 20)).tally(), lineups))
    assert together == alone
