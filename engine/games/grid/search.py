"""How grid is played on while somebody thinks."""

from typing import Final

from engine.games.grid.tree import grid_tree
from engine.games.grid.world import GridWorld
from engine.search.contract import GameSearch

SEARCH: Final = GameSearch(
    options=("komi",),
    world=GridWorld,
    tree=grid_tree,
    compiled="engine.games.grid.compiled.rounds",
    slowest="engine.games.grid.compiled.rounds.play_rounds",
)
