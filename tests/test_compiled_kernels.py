"""Compiled kernels: game for game what the readable rules play. Needs the extra `fast`; else all of it is skipped."""

import os

import pytest
from test_kernels import SOURCES, assert_equal_games

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
