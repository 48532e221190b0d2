"""How matrix is played on while somebody thinks."""

from typing import Final

from engine.games.matrix.table import MatrixTable, games, hoards, is_late
from engine.games.matrix.tree import matrix_tree
from engine.games.matrix.world import MatrixWorld
from engine.search.contract import GameSearch

SEARCH: Final = GameSearch(
    options=("rotate",),
    world=lambda view, dice: MatrixTable(view) if is_late(view) else MatrixWorld(view, dice),
    tree=matrix_tree,
    compiled="engine.games.matrix.compiled.rounds",
    slowest="engine.games.matrix.compiled.rounds.play_rounds",
    rounds=games,
    is_too_early=hoards,
)
