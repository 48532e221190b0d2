"""Grid and matrix played on in compiled code: what the tree over worlds finds in plain Python, round for round."""

import random

import pytest
from game_positions import positions

from engine.dice import Dice
from engine.search.grid_tree import GridTree
from engine.search.grid_world import grid_world
from engine.search.matrix_tree import MatrixTree
from engine.search.matrix_world import MatrixWorld
from engine.search.tree import WorldTree

grid_rounds = pytest.importorskip("engine.kernels.compiled.grid_rounds")
matrix_rounds = pytest.importorskip("engine.kernels.compiled.matrix_rounds")


def counted(tree):
    return {move: (node.visits, node.total, node.lead, node.squares, node.seen) for move, node in tree.tried().items()}


def trees(view, seed):
    """The tree in plain Python, and the compiled one; none for variants that are played on by the readable rules."""
    if view.game == "matrix":
        return WorldTree(MatrixWorld(view, Dice(seed)), Dice(seed)), MatrixTree(view, Dice(seed), matrix_rounds)
    world = grid_world(view, Dice(seed))
    return (WorldTree(world, Dice(seed)), GridTree(view, Dice(seed), grid_rounds)) if world else None


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("by_lead", [False, True])
@pytest.mark.parametrize("game", ["grid", "matrix"])
def test_compiled_it_finds_what_it_finds_in_plain_python(game, players, by_lead):
    rng = random.Random(players)
    compared = 0
    for seed in range(12):
        state = rng.choice([state for state, _ in positions(game, seed, players) if state.legal_moves()])
        if not (both := trees(state.view(state.to_move), seed)):
            continue
        plain, quick = both
        for rounds in (1, 20, 60):
            plain.grow(rounds, by_lead=by_lead)
            quick.grow(rounds, by_lead=by_lead)
        assert sorted(plain.moves) == sorted(quick.moves) == sorted(state.legal_moves())
        assert counted(quick) == counted(plain)
        for number in range(3):
            assert plain.lead(plain.moves[0], number) == quick.lead(plain.moves[0], number)
        compared += 1
    assert compared > 3
