"""The solver of Quads: exhaustive search of the last cells, with better bounds than the rules alone give."""

from typing import Final

from ccgrid.engine.search.proving import Searcher
from ccgrid.engine.search.state_core import StateSearcher

from .options import OPTIONS
from .rules import EMPTY, HAND, QuadsState

MAX_OPEN_CELLS: Final = 7
QUICK_OPEN_CELLS: Final = 4


class QuadsSearcher(StateSearcher):
    """A searcher for positions of Quads."""

    def reach(self, state: QuadsState) -> tuple[int, int]:
        """Return bounds on the final lead: there are ten cards."""
        low, high = super().reach(state)
        return max(low, -2 * HAND), min(high, 2 * HAND)


class QuadsSolver:
    """The choice of positions of Quads that are solved."""

    options: Final = tuple(option.name for option in OPTIONS)

    def refusal(self, state: QuadsState) -> str:
        """Return why a position is not solved, or "" if it is."""
        if state.grid.count(EMPTY) > MAX_OPEN_CELLS:
            return f"quads is solved from {MAX_OPEN_CELLS} open cells on: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: QuadsState) -> bool:
        """Return whether few cells are open."""
        return state.grid.count(EMPTY) <= QUICK_OPEN_CELLS

    def searcher(self, state: QuadsState) -> Searcher:
        """Return a searcher for a position."""
        return QuadsSearcher(state)


SOLVER: Final = QuadsSolver()
