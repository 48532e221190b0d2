"""Searches: what positions are worth when both sides play best, and how much of that is proved.

The rules are what `engine.games` says; a solver repeats them faster for its game. One module and one line each.
"""

from typing import Final

from engine.errors import EngineError
from engine.game import State
from engine.search import grid
from engine.search.proving import NO_CLOCK, Clock, Proof, Solver, Told, move_values, prove

__all__ = ["NO_CLOCK", "SOLVERS", "Clock", "Proof", "Solver", "Told", "find_solver", "move_values", "prove", "solve"]

SOLVERS: Final[tuple[Solver, ...]] = (grid.SOLVER,)


def find_solver(state: State) -> Solver:
    """The solver for a position.

    Raises:
        EngineError: it cannot be solved, and why.
    """
    solver = next((solver for solver in SOLVERS if solver.game == state.game), None)
    if state.ending() is not None:
        raise EngineError("The game is over: say after how many moves with --after.")
    if solver is None:
        raise EngineError(f"{state.game} is not solved: ask 'ccgrid advise' what to play.")
    if refusal := solver.refusal(state):
        raise EngineError(refusal)
    return solver


def solve(state: State, seconds: float | None = None, tell: Told | None = None) -> Proof:
    """What a position of two players is worth with everything known, and its best line.

    Args:
        state: the position, with everything that is hidden in it.
        seconds: the time it may take; what was proved by then is the answer.
        tell: is told the bounds whenever one is proved anew.

    Raises:
        EngineError: the position cannot be solved, and why.

    >>> from engine.cards import Card
    >>> from engine.games.grid.state import GridSetup
    >>> cards = [Card(id="", game="", name=f"Card {n}", zones={"right": n}, score=n) for n in range(9)]
    >>> state = GridSetup(("Ann", "Bob"), 0, (*cards, *[cards[0]] * 11)).start()
    >>> solve(state).player
    'Ann'
    """
    return prove(state, find_solver(state).searcher(state), Clock.of(seconds), tell)
