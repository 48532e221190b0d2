"""Grid played on in compiled code: what the tree over worlds finds in plain Python, round for round."""

import random

import pytest
from game_positions import positions

from engine.dice import Dice
from engine.search.grid_tree import GridTree
from engine.search.grid_world import grid_world
from engine.search.tree import WorldTree

compiled = pytest.importorskip("engine.kernels.compiled.grid_rounds")


def counted(tree):
    return {move: (node.visits, node.total, node.lead, node.squares, node.seen) for move, node in tree.tried().items()}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("by_lead", [False, True])
def test_compiled_it_finds_what_it_finds_in_plain_python(players, by_lead):
    rng = random.Random(players)
    compared = 0
    for seed in range(14):
        state = rng.choice([state for state, _ in positions("grid", seed, players) if state.legal_moves()])
        view = state.view(state.to_move)
        world = grid_world(view, Dice(seed))
        if world is None:
            continue
        plain, quick = WorldTree(world, Dice(seed)), GridTree(view, Dice(seed), compiled)
        for rounds in (1, 40, 160):
            plain.grow(rounds, by_lead=by_lead)
            quick.grow(rounds, by_lead=by_lead)
        assert sorted(plain.moves) == sorted(quick.moves) == sorted(view.legal_moves())
        assert counted(quick) == counted(plain)
        for number in range(3):
            assert plain.lead(plain.moves[0], number) == quick.lead(plain.moves[0], number)
        compared += 1
    assert compared > 3
