"""How ninecard is played on while somebody thinks."""

from typing import Final

from engine.games.ninecard.tree import ninecard_tree
from engine.search.contract import GameSearch

SEARCH: Final = GameSearch(
    options=("life", "facedown", "one_creature", "limit"),
    tree=ninecard_tree,
    compiled="engine.games.ninecard.compiled.search",
    slowest="engine.games.ninecard.rows.search.play_rounds",
)
