"""The solver of positions of games without a solver of their own, or with options that it does not support."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Final

from ccgrid.engine.game import State
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.proving import Searcher
from ccgrid.engine.search.state_core import StateSearcher

QUICK_NODES: Final = 500
"""A position with at most this number of subsequent positions is solved instantly."""


@dataclass(frozen=True, slots=True)
class CommonSolver:
    """Solves positions of two players whose cards are all known.

    Attributes:
        searcher: Returns a searcher for a position.
        options: The names of the options that the searcher supports.
    """

    searcher: Callable[[State], Searcher]
    options: tuple[str, ...] = ()

    def refusal(self, state: State) -> str:
        """Return why a position cannot be solved: it needs two players and known cards."""
        if len(state.players) != 2:
            return (
                f"{state.game} is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
            )
        if not state.is_known():
            return "Some cards are not known: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: State) -> bool:
        """Return whether at most `QUICK_NODES` positions can follow."""
        seen = {state}
        waiting = [state]
        # Count positions, not moves: many orders of the same moves lead to one position.
        while waiting:
            current = waiting.pop()
            for move in current.legal_moves():
                after = current.play_unchecked(move)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
            if len(seen) > QUICK_NODES:
                return False
        return True


SOLVER: Final = CommonSolver(StateSearcher)
"""The solver for every game, by its readable rules."""


def core_solver(core: ModuleType) -> CommonSolver:
    """Return the solver of positions of a game whose core supports it."""
    return CommonSolver(partial(CoreSearcher, core), tuple(core.OPTIONS))
