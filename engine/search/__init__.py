"""Searches: what positions are worth when both sides play best, and how much of that is proved.

The rules are what a game's `State` says; its core, and its part `solver`, repeat them faster.
"""

from collections.abc import Callable
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.options import slower_notice, unknown_options
from ccgrid.engine.search import proving
from ccgrid.engine.search.core_search import (
    CoreSearcher,
    CoreSolver,
    CoreTree,
    Searched,
    expected,
    searched,
    solved_core,
)
from ccgrid.engine.search.proving import (
    NO_CLOCK,
    Clock,
    GameSolver,
    OnProgress,
    Proof,
    Searcher,
    Solver,
    StateWorld,
    move_values,
    prove,
)
from ccgrid.engine.search.thinking import (
    Estimate,
    SearchTree,
    Thought,
    WorldTree,
    best_proved,
    chosen,
    measured,
    proved,
    thought_of,
)

__all__ = [
    "NO_CLOCK",
    "Clock",
    "Estimate",
    "OnProgress",
    "Proof",
    "Searcher",
    "Solver",
    "Thought",
    "best_move",
    "find_solver",
    "move_values",
    "prepare_proof",
    "prove",
    "prove_moves",
    "solve",
    "think",
]


def find_solver(state: State, remark: Callable[[str], object] | None = None) -> Solver:
    """The solver for a position.

    Args:
        state: the position, with everything that is hidden in it.
        remark: is given a sentence where the game's own solver does not know an option.

    Raises:
        EngineError: it cannot be solved, and why.
    """
    if state.ending() is not None:
        raise EngineError("The game is over: choose an earlier position with --after N.")
    solver, unknown = _solver(state)
    if refusal := solver.refusal(state):
        raise EngineError(refusal)
    if unknown and remark is not None:
        remark(slower_notice(unknown))
    return solver


def solve(
    state: State,
    seconds: float | None = None,
    tell: OnProgress | None = None,
    remark: Callable[[str], object] | None = None,
) -> Proof:
    """What a position of two players is worth with everything known, and its best line.

    Args:
        state: the position, with everything that is hidden in it.
        seconds: the time it may take; what was proved by then is the answer.
        tell: is told the bounds whenever one is proved anew.
        remark: is given a sentence where the game's own solver does not know an option.

    Raises:
        EngineError: the position cannot be solved, and why.

    >>> state = find_game("matrix").deal(("Ann", "Bob"), [], Dice(7)).start()
    >>> while max(map(len, state.hands)) > 1:
    ...     state = state.play_unchecked(state.legal_moves()[0])
    >>> proof = solve(state)
    >>> proof.player, proof.value, len(proof.line)
    ('Ann', -1, 2)
    """
    return prove(state, find_solver(state, remark).searcher(state), Clock.of(seconds), tell)


def think(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> Thought:
    """What every legal move is worth to who is to move, as far as its seat can know.

    Args:
        view: what the seat sees, or a full position, of which what the seat cannot see is not looked at.
        dice: what alone decides about what is hidden.
        rounds: how many games are played on, fewer where a game takes so much longer; the same number gives the same
            thought.
        clock: when the answer has to be there. One of the two has to be given.
    """
    # Whoever calls: nothing beyond what the seat sees may be looked at from here on.
    view = view.view(view.to_move)
    # From the surest to the vaguest: proved, exact averages over hidden cards, then games played on.
    solver, to_prove = _quick_solver(view, clock)
    if thought := proved(view, solver, to_prove):
        return thought
    by_core = searched(view, rounds, clock)
    if values := expected(view, by_core, rounds, clock.part(_TO_BE_EXACT)):
        return thought_of(view, values)
    # Fewer rounds of a game that is slow: `rounds_for` says how many.
    return measured(view, _tree(view, by_core, dice), find_game(view.game).rounds_for(view, rounds), clock)


def prove_moves(state: State, clock: Clock = NO_CLOCK) -> Thought:
    """What every legal move is worth with everything known.

    Raises:
        EngineError: the position cannot be solved, and why; or not in this time.
    """
    solver = find_solver(state)
    if (thought := proved(state, solver, clock)) is None:
        raise EngineError("There was not enough time to prove the moves: increase --think.")
    return thought


def best_move(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> str:
    """The move by which who is to move wins most often, as far as its seat can know; arguments as of `think`."""
    view = view.view(view.to_move)
    solver, to_prove = _quick_solver(view, clock)
    if solver and (move := best_proved(view, solver, to_prove)):
        return move
    game = find_game(view.game)
    if game.is_too_early(view):
        return max(view.legal_moves(), key=lambda move: game.heuristic(view, move))
    by_core = searched(view, rounds, clock)
    if values := expected(view, by_core, rounds, clock.part(_TO_BE_EXACT), of_all=False):
        return thought_of(view, values).best.move
    return chosen(_tree(view, by_core, dice), game.rounds_for(view, rounds), clock)


_TO_PROVE: Final = 0.4
"""So much of the time a proof may take that is not known to be quick, before games are played on instead."""

_TO_BE_EXACT: Final = 0.85
"""So much may take one that is, and what moves come to on average, of which it is seen early whether there is time."""


def prepare_proof(view: State) -> None:
    """Loads what proves a position faster, where it was compiled before, before the time is counted.

    Where a proof is quick, or there is none, nothing is loaded.
    """
    view = view.view(view.to_move)
    solver, _ = _solver(view)
    if not solver.refusal(view) and not solver.is_quick(view):
        searcher = solver.searcher(view)
        if isinstance(searcher, CoreSearcher):
            searcher.prepare()


def _quick_solver(view: State, clock: Clock) -> tuple[Solver | None, Clock]:
    """What proves a position in a moment; where the time is counted anything that is faster than the readable rules.

    And when the proof has to end.
    """
    solver, _ = _solver(view)
    if solver.refusal(view):
        return None, clock
    if solver.is_quick(view):
        return solver, clock.part(_TO_BE_EXACT)
    # Without a clock the answer must not depend on how fast the machine is: then only what is quick is proved.
    is_tried = clock.end is not None and solver is not proving.SOLVER
    return solver if is_tried else None, clock.part(_TO_PROVE)


def _solver(state: State) -> tuple[Solver, tuple[str, ...]]:
    """What solves positions of a game, and the options that what is faster than its readable rules does not know.

    That is the first that knows the options: the game's own solver, its core, its readable rules.
    """
    own, core = find_game(state.game).part("solver"), solved_core(state.game)
    faster: list[GameSolver] = [solver for solver in (own, core and CoreSolver(core)) if solver is not None]
    for solver in faster:
        if not unknown_options(state.variant, solver.options):
            return solver, ()
    return proving.SOLVER, unknown_options(state.variant, faster[0].options) if faster else ()


def _tree(view: State, by_core: Searched | None, dice: Dice) -> SearchTree:
    return WorldTree(StateWorld(view), dice) if by_core is None else CoreTree(by_core, dice)
