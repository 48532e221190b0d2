"""The solver of grid: whole games of two players whose draw pile is known in its order."""

from functools import partial
from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.games.grid import core, solving
from ccgrid.engine.games.grid.moves import DECK_SIZE
from ccgrid.engine.games.grid.rules import GridState
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.solvers import CommonSolver


class GridSolver(CommonSolver[GridState]):
    """The choice of positions of grid that are solved."""

    def limit(self, state: GridState) -> str:
        """Return why a position of two players cannot be solved, or "" if it can: all cards must be known."""
        if len(state.setup.cards) < DECK_SIZE:
            missing = DECK_SIZE - len(state.setup.cards)
            return (
                f"{counted(missing, 'card')} of the draw pile {'is' if missing == 1 else 'are'} "
                "not known: ask 'ccgrid advise' what to play."
            )
        return ""

    def is_quick(self, state: GridState) -> bool:
        """Return whether the draw pile has at most one card."""
        return state.pile <= 1


SOLVER: Final = GridSolver(partial(CoreSearcher, solving), tuple(core.OPTIONS))
