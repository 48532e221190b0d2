"""The solver of grid: whole games of two players whose draw pile is known in its order."""

from typing import Final

from ccgrid.catalog.formatting import counted
from ccgrid.engine.games.grid import core, solving
from ccgrid.engine.games.grid.plain_solving import MOST_KEPT, plain_search
from ccgrid.engine.games.grid.state import DECK_SIZE, GridState
from ccgrid.engine.search.core_search import CoreSearcher


class GridSolver:
    """Decides which positions of grid can be solved, and solves them."""

    options: Final = tuple(core.OPTIONS)

    def refusal(self, state: GridState) -> str:
        """Return why a position cannot be solved, or "" if it has two players and all cards are known."""
        if len(state.players) != 2:
            return f"grid is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
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

    def searcher(self, state: GridState) -> CoreSearcher:
        """Return a searcher for this position."""
        return CoreSearcher(solving, state, MOST_KEPT, plain_search=plain_search)


SOLVER: Final = GridSolver()
