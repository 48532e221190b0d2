"""The solver of matrix: the last rounds of two players, who know each other's hands."""

from functools import partial
from typing import Final

from ccgrid.engine.games.matrix import core
from ccgrid.engine.games.matrix.rules import MatrixState
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.solvers import CommonSolver

MOST_ROUNDS: Final = 6
QUICK_ROUNDS: Final = 4
"""The maximum numbers of rounds that are solved at all, and in a third of a second in plain Python."""


class MatrixSolver(CommonSolver[MatrixState]):
    """The choice of positions of matrix that are solved."""

    def limit(self, state: MatrixState) -> str:
        """Return why a position of two players cannot be solved, or "" if it can: few rounds are left."""
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


SOLVER: Final = MatrixSolver(partial(CoreSearcher, core), tuple(core.OPTIONS))
