"""The solver of positions. A game may limit it to positions that its core solves in time (its part `solver`)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Final, Generic

from ccgrid.engine.game import State
from ccgrid.engine.search.core_search import CoreSearcher
from ccgrid.engine.search.proving import Searcher, StateT
from ccgrid.engine.search.state_core import StateSearcher

QUICK_NODES: Final = 500
"""A position with at most this number of subsequent positions is solved instantly."""


@dataclass(frozen=True, slots=True)
class CommonSolver(Generic[StateT]):
    """Solves positions of two players whose cards are all known.

    Attributes:
        searcher: Returns a searcher for a position.
        options: The names of the options that the searcher supports.
    """

    searcher: Callable[[StateT], Searcher]
    options: tuple[str, ...] = ()

    def refusal(self, state: StateT) -> str:
        """Return why a position cannot be solved, or "" if it can: it needs two players."""
        if len(state.players) != 2:
            return (
                f"{state.game} is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
            )
        return self.limit(state)

    def limit(self, state: StateT) -> str:
        """Return why a position of two players cannot be solved, or "" if it can: all cards must be known."""
        return "" if state.is_known() else "Some cards are not known: ask 'ccgrid advise' what to play."

    def is_quick(self, state: StateT) -> bool:
        """Return whether a position is solved in a fraction of a second: at most `QUICK_NODES` positions can follow."""
        seen: set[State] = {state}
        waiting: list[State] = [state]
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


SOLVER: Final[CommonSolver[State]] = CommonSolver(StateSearcher)
"""The solver for every game, by its readable rules."""


def core_solver(core: ModuleType) -> CommonSolver[State]:
    """Return the solver of positions of a game whose core supports it."""
    return CommonSolver(partial(CoreSearcher, core), tuple(core.OPTIONS))
