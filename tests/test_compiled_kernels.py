"""Compiled kernels: game for game what the readable rules play. Needs the extra `fast`; else all of it is skipped."""

import os
import random

import pytest
from made_up import random_side_deck
from test_kernels import SOURCES, assert_equal_games

from engine.deck_sources import DifferentDecks, FixedDecks, RandomDecks
from engine.kernels import find_kernel
from engine.simulation import Lineup

pytest.importorskip("numba")
pytest.importorskip("numpy")

GAMES = int(os.environ.get("CCGRID_COMPILED_GAMES", "200"))
"""So many games of every kind are compared; continuous integration asks for more where time permits."""


def compiled(lineup):
    kernel = find_kernel(lineup)
    assert type(kernel).__module__.startswith("engine.kernels.compiled.")
    return kernel


GRID = {name: SOURCES[name] for name in ("fixed", "copies", "sparse", "drawn", "drawn of twenty")}


@pytest.mark.parametrize("source", GRID)
@pytest.mark.parametrize(
    "policies", [("random",) * 2, ("greedy",) * 2, ("greedy", "random", "random"), ("random", "greedy") * 2]
)
def test_grid_compiled_is_the_readable_game_move_for_move(policies, source):
    lineup = Lineup("grid", policies, GRID[source], 7)
    assert_equal_games(compiled(lineup), lineup, range(3, GAMES + 3))


@pytest.mark.parametrize("rotate", ["quarter", "step"])
@pytest.mark.parametrize(
    "policies", [("random",) * 2, ("greedy",) * 2, ("greedy", "random"), ("random",) * 3, ("random",) * 4]
)
def test_matrix_compiled_is_the_readable_game_move_for_move(policies, rotate):
    lineup = Lineup("matrix", policies, FixedDecks(()), 7, {"rotate": rotate})
    assert_equal_games(compiled(lineup), lineup, range(3, GAMES + 3))


SIDE_POOL = tuple(random_side_deck(random.Random(2), 1300))
DECKS = tuple(tuple(random_side_deck(random.Random(seed), size)) for seed, size in enumerate((18, 18, 3, 25, 5)))
PLAIN = tuple(tuple({card.name: card for card in SIDE_POOL}.values())[:18] * 2 for _ in range(4))


@pytest.mark.parametrize("source", ["fixed", "copies", "different", "drawn"])
@pytest.mark.parametrize("policies", [("random",) * 2, ("greedy",) * 2, ("random",) * 4, ("greedy", "random") * 2])
def test_tactics_compiled_is_the_readable_game_move_for_move(policies, source):
    seats = len(policies)
    sources = {
        "fixed": FixedDecks(DECKS[:seats]),
        "copies": FixedDecks(PLAIN[:seats]),
        "different": DifferentDecks(DECKS, seats),
        "drawn": RandomDecks(SIDE_POOL, 18, seats),
    }
    lineup = Lineup("tactics", policies, sources[source], 7)
    assert_equal_games(compiled(lineup), lineup, range(3, GAMES + 3))
