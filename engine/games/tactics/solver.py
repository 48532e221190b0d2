"""The solver of tactics: positions near the end, with two players and known decks."""

from functools import partial
from typing import Final

from ccgrid.engine.games.tactics import core
from ccgrid.engine.games.tactics.rules import EMPTY, TacticsState
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.solvers import CommonSolver

MOST_OPEN: Final = 5
QUICK_OPEN: Final = 3
"""The maximum numbers of open cells in a position that is solved at all, and quickly."""


class TacticsSolver(CommonSolver[TacticsState]):
    """The choice of positions of tactics that are solved."""

    def limit(self, state: TacticsState) -> str:
        """Return why a position of two players cannot be solved, or "" if few cells are open and the decks known."""
        if None in state.setup.cards:
            return "Some cards in hands and decks are not known: ask 'ccgrid advise' what to play."
        if (cells := state.grid.count(EMPTY)) > MOST_OPEN:
            return (
                f"tactics is solved while at most {MOST_OPEN} cells are open, and {cells} are: "
                "ask 'ccgrid advise', or choose a later position with --after."
            )
        return ""

    def is_quick(self, state: TacticsState) -> bool:
        """Return whether very few cells are open."""
        return state.grid.count(EMPTY) <= QUICK_OPEN


SOLVER: Final = TacticsSolver(partial(CoreSearcher, core))
