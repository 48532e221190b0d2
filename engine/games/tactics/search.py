"""How tactics is played on while somebody thinks."""

from typing import Final

from engine.games.tactics.tree import tactics_tree
from engine.games.tactics.world import TacticsWorld
from engine.search.contract import GameSearch

SEARCH: Final = GameSearch(
    world=TacticsWorld,
    tree=tactics_tree,
    compiled="engine.games.tactics.compiled.rounds",
    slowest="engine.games.tactics.compiled.rounds.play_rounds",
)
