"""The solver of matrix: the last rounds of two players, who know each other's hands."""

from typing import Final

from ccgrid.engine.games.matrix import core
from ccgrid.engine.games.matrix.state import MatrixState
from ccgrid.engine.search.core_search import CoreSearcher

MOST_ROUNDS: Final = 6
QUICK_ROUNDS: Final = 4
"""The maximum numbers of rounds that are solved at all, and in a third of a second in plain Python."""


class MatrixSolver:
    """Decides which positions of matrix can be solved, and solves them."""

    options: Final = tuple(core.OPTIONS)

    def refusal(self, state: MatrixState) -> str:
        """Return why a position cannot be solved, or "" if it is in the last rounds of two players."""
        if len(state.hands) != 2:
            return f"matrix is solved for two players, not {len(state.hands)}: ask 'ccgrid advise' what to play."
        if any(None in hand for hand in state.hands):
            return "Some cards in hand are not known: add them to the record."
        if (left := max(map(len, state.hands))) > MOST_ROUNDS:
            return (
                f"matrix is solved in its last {MOST_ROUNDS} rounds, and {left} are left: "
                "ask 'ccgrid advise', or choose a later position with --after."
            )
        return ""

    def is_quick(self, state: MatrixState) -> bool:
        """Return whether it is in the very last rounds."""
        return max(map(len, state.hands)) <= QUICK_ROUNDS

    def searcher(self, state: MatrixState) -> CoreSearcher:
        """Return a searcher for this position."""
        return CoreSearcher(core, state)


SOLVER: Final = MatrixSolver()
