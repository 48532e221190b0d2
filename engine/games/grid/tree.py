"""Grid played on in compiled code, which does what `GridWorld` and its tree do, round for round."""

from typing import Any

from engine.dice import Dice
from engine.games.grid.state import EMPTY, GridState
from engine.games.grid.world import GridWorld
from engine.search.loading import compiled_search
from engine.search.proving import Clock
from engine.search.row_tree import CompiledTree
from engine.worlds import sample_world


class GridTree(CompiledTree):
    """A tree over one position without the variants order and empty-pile."""

    scale: float = GridWorld.scale
    exploring: float = GridWorld.exploring

    def __init__(self, view: GridState, dice: Dice, compiled: Any) -> None:
        """`view` is what a seat sees; `compiled` the module of the compiled search."""
        legal = set(view.legal_moves())
        super().__init__({number: move for number, move in compiled.MOVES.items() if move in legal}, 64, compiled)
        full = sample_world(view, view.to_move, dice)
        if not isinstance(full, GridState):
            raise TypeError("this is not a game of grid")
        cards = full.setup.cards
        lying = [None if card == EMPTY else cards[card] for card in view.grid]
        before = compiled.ints(list(view.scores()))
        self._rows = (*compiled.position(lying, cards[view.turned_up :]), before, view.to_move)
        self._throws = compiled.dice(dice.seed)
        self._search, self._play = compiled.Search, compiled.play_rounds


def grid_tree(view: GridState, dice: Dice, rounds: int | None, clock: Clock) -> GridTree | None:
    """The tree of a position, if there is compiled code for it."""
    compiled = compiled_search("grid", rounds, clock)
    return None if compiled is None else GridTree(view, dice, compiled)
