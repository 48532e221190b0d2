"""Tactics solved near the end, for two players and with the order of the decks known."""

from typing import Final

from ccgrid.engine.games.tactics import core
from ccgrid.engine.games.tactics.state import EMPTY, TacticsState
from ccgrid.engine.search.core_search import CoreSearcher

MOST_OPEN: Final = 5
QUICK_OPEN: Final = 3
"""The most open cells with which a position is solved at all, and in a moment."""


class TacticsSolver:
    """Says which positions of tactics are solved, and how."""

    options: Final = ()

    def refusal(self, state: TacticsState) -> str:
        """Positions of two are solved when few cells are open and all decks are known."""
        if len(state.hands) != 2:
            return f"tactics is solved for two players, not {len(state.hands)}: ask 'ccgrid advise' what to play."
        if None in state.setup.cards:
            return "Some cards in hands and decks are not known: ask 'ccgrid advise' what to play."
        if (cells := state.grid.count(EMPTY)) > MOST_OPEN:
            return (
                f"tactics is solved while at most {MOST_OPEN} cells are open, and {cells} are: "
                "ask 'ccgrid advise', or choose a later position with --after."
            )
        return ""

    def is_quick(self, state: TacticsState) -> bool:
        """With very few open cells."""
        return state.grid.count(EMPTY) <= QUICK_OPEN

    def searcher(self, state: TacticsState) -> CoreSearcher:
        """What searches below this position."""
        return CoreSearcher(core, state)


SOLVER: Final = TacticsSolver()
