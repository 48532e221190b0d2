"""The matrix game solved: the last rounds of two players, who know each other's hands."""

from typing import Final

from ccgrid.engine.games.matrix import core
from ccgrid.engine.games.matrix.state import MatrixState
from ccgrid.engine.search.core_search import CoreSearcher

MOST_ROUNDS: Final = 6
QUICK_ROUNDS: Final = 4
"""The most rounds that are solved at all, and that take a third of a second in plain Python."""


class MatrixSolver:
    """Says which positions of matrix are solved, and how."""

    options: Final = tuple(core.OPTIONS)

    def refusal(self, state: MatrixState) -> str:
        """The last rounds of two players are solved."""
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
        """The last rounds of all."""
        return max(map(len, state.hands)) <= QUICK_ROUNDS

    def searcher(self, state: MatrixState) -> CoreSearcher:
        """What searches below this position."""
        return CoreSearcher(core, state)


SOLVER: Final = MatrixSolver()
