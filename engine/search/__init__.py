"""Searches: what positions are worth when both sides play best, and how much of that is proved.

The rules are what `engine.games` says; solvers and worlds repeat them faster. One module and one line each.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.dice import Dice
from engine.errors import EngineError
from engine.game import State
from engine.games import find_game
from engine.search import grid_solver, matrix, tactics
from engine.search.grid_tree import grid_tree
from engine.search.grid_world import grid_world
from engine.search.matrix_table import MatrixTable, games, hoards, is_late
from engine.search.matrix_tree import matrix_tree
from engine.search.matrix_world import MatrixWorld
from engine.search.ninecard_tree import ninecard_tree
from engine.search.proving import NO_CLOCK, Clock, Proof, Searcher, Solver, Told, move_values, prove
from engine.search.state_world import StateWorld
from engine.search.tactics_tree import tactics_tree
from engine.search.tactics_world import TacticsWorld
from engine.search.thinking import Estimate, Thought, Tree, chosen, measured, proved
from engine.search.tree import World, WorldTree

__all__ = [
    "NO_CLOCK",
    "SOLVERS",
    "WORLDS",
    "Clock",
    "Estimate",
    "Proof",
    "Searcher",
    "Solver",
    "Thought",
    "Told",
    "best_move",
    "find_solver",
    "move_values",
    "prove",
    "prove_moves",
    "solve",
    "think",
]

SOLVERS: Final[tuple[Solver, ...]] = (grid_solver.SOLVER, matrix.SOLVER, tactics.SOLVER)

WORLDS: Final[Mapping[str, Callable[[Any, Dice], World | None]]] = {
    "grid": grid_world,
    "tactics": TacticsWorld,
    "matrix": lambda view, dice: MatrixTable(view) if is_late(view) else MatrixWorld(view, dice),
}
"""By the name of a game what plays it on quickly, where it can: `None` for variants that it does not know."""

TREES: Final[Mapping[str, Callable[[Any, Dice, int | None, Clock], Tree | None]]] = {
    "grid": grid_tree,
    "tactics": tactics_tree,
    "matrix": matrix_tree,
    "ninecard": ninecard_tree,
}
"""By the name of a game what searches it in rows of numbers, given how many rounds and what time there are."""


def find_solver(state: State) -> Solver:
    """The solver for a position.

    Raises:
        EngineError: it cannot be solved, and why.
    """
    solver = _solver(state)
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


def think(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> Thought:
    """What every legal move is worth to who is to move, as far as its seat can know.

    Args:
        view: what the seat sees, or a full position, of which what the seat cannot see is not looked at.
        dice: what alone decides about what is hidden.
        rounds: how many games are played on; the same number gives the same thought. In the last rounds of matrix
            among three or four, where a game takes so much longer, it is a fifth of them.
        clock: when the answer has to be there. One of the two has to be given.
    """
    view = view.view(view.to_move)
    if thought := proved(view, _quick_solver(view), clock.part(_TO_PROVE)):
        return thought
    return measured(view, _tree(view, dice, rounds, clock), games(view, rounds), clock)


def prove_moves(state: State, clock: Clock = NO_CLOCK) -> Thought:
    """What every legal move is worth with everything known.

    Raises:
        EngineError: the position cannot be solved, and why; or not in this time.
    """
    solver = find_solver(state)
    if (thought := proved(state, solver, clock)) is None:
        raise EngineError("There was not enough time to prove what the moves are worth: give --think more.")
    return thought


def best_move(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> str:
    """The move by which who is to move wins most often, as far as its seat can know; arguments as of `think`."""
    view = view.view(view.to_move)
    if thought := proved(view, _quick_solver(view), clock.part(_TO_PROVE)):
        return thought.best.move
    if hoards(view):
        heuristic = find_game(view.game).heuristic
        return max(view.legal_moves(), key=lambda move: heuristic(view, move))
    return chosen(_tree(view, dice, rounds, clock), games(view, rounds), clock)


_TO_PROVE: Final = 0.4
"""So much of the time a proof may take before games are played on instead."""


def _solver(view: State) -> Solver | None:
    return next((solver for solver in SOLVERS if solver.game == view.game), None)


def _quick_solver(view: State) -> Solver | None:
    solver = _solver(view)
    return solver if solver is not None and not solver.refusal(view) and solver.is_quick(view) else None


def _tree(view: State, dice: Dice, rounds: int | None, clock: Clock) -> Tree:
    grown = TREES.get(view.game)
    if grown and (tree := grown(view, dice, rounds, clock)):
        return tree
    make = WORLDS.get(view.game)
    world: World = (make(view, dice) if make else None) or StateWorld(view)
    return WorldTree(world, dice)
