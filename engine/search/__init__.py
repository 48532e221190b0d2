"""Searches: values of positions and moves under best play, proved or estimated.

A game's `State` defines the rules; its core, and its part `solver`, are faster implementations of them.
"""

from collections.abc import Callable
from typing import Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.options import slower_notice, unknown_options
from ccgrid.engine.search.averages import exact_averages
from ccgrid.engine.search.core_search import (
    CoreSearch,
    CoreSearcher,
    find_core_search,
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
    move_values,
    prove,
)
from ccgrid.engine.search.solvers import SOLVER, core_solver
from ccgrid.engine.search.state_core import state_search
from ccgrid.engine.search.thinking import (
    Estimate,
    Thought,
    estimate_moves,
    exact_thought,
    most_visited_move,
    prove_best_move,
    prove_in_time,
)
from ccgrid.engine.search.tree import SearchTree

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


def find_solver(state: State, remark: Callable[[str], object] | None = None) -> Solver[State]:
    """Return the solver for a position.

    Args:
        state: The position, with all hidden cards.
        remark: Called with a sentence if the game's own solver does not support an option.

    Raises:
        EngineError: If the position cannot be solved; the message gives the reason.
    """
    if state.ending() is not None:
        raise EngineError("The game is over: choose an earlier position with --after N.")
    solver, unknown = _select_solver(state)
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
    """Return the perfect-information value of a two-player position, and its principal variation.

    Args:
        state: The position, with all hidden cards.
        seconds: The time limit; the result contains what was proved until then.
        tell: Called with the bounds whenever one of them improves.
        remark: Called with a sentence if the game's own solver does not support an option.

    Raises:
        EngineError: If the position cannot be solved; the message gives the reason.

    >>> state = find_game("matrix").deal(("Ann", "Bob"), [], Dice(7)).start()
    >>> while max(map(len, state.hands)) > 1:
    ...     state = state.play_unchecked(state.legal_moves()[0])
    >>> proof = solve(state)
    >>> proof.player, proof.value, len(proof.line)
    ('Ann', -1, 2)
    """
    return prove(state, find_solver(state, remark).searcher(state), Clock.of(seconds), tell)


def think(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> Thought:
    """Return the value of every legal move for the player to move, given only the knowledge of that seat.

    Args:
        view: The seat's view, or a full position, whose hidden parts are ignored.
        dice: The random number generator, which alone determines the hidden cards.
        rounds: The number of playouts, reduced in games with slow playouts; it makes the result reproducible.
        clock: The deadline. At least one of `rounds` and `clock` must be given.
    """
    # From here on, use nothing beyond the seat's view, whatever the caller passed.
    view = view.view(view.to_move)
    reserved = _RESERVED_TIME_SHARE * clock.remaining
    # In order of reliability: a proof, exact averages over hidden cards, then playouts.
    solver, to_prove = _quick_solver(view, clock)
    if thought := prove_in_time(view, solver, to_prove):
        return thought
    by_core = find_core_search(view, rounds, clock)
    if values := exact_averages(view, by_core, rounds, clock.part(_QUICK_TIME_SHARE)):
        return exact_thought(view, values)
    # `rounds_for` reduces the number in games with slow playouts.
    rounds, tree = find_game(view.game).rounds_for(view, rounds), _tree(view, by_core, dice)
    return estimate_moves(view, tree, rounds, clock.at_least(reserved))


def prove_moves(state: State, clock: Clock = NO_CLOCK) -> Thought:
    """Return the perfect-information value of every legal move.

    Raises:
        EngineError: If the position cannot be solved, or not in this time; the message gives the reason.
    """
    solver = find_solver(state)
    if (thought := prove_in_time(state, solver, clock)) is None:
        raise EngineError("There was not enough time to prove the moves: increase --think.")
    return thought


def best_move(view: State, dice: Dice, *, rounds: int | None = None, clock: Clock = NO_CLOCK) -> str:
    """Return the move that wins most often for the player to move, given only the knowledge of that seat.

    See `think` for the arguments.
    """
    view = view.view(view.to_move)
    reserved = _RESERVED_TIME_SHARE * clock.remaining
    solver, to_prove = _quick_solver(view, clock)
    if solver and (move := prove_best_move(view, solver, to_prove)):
        return move
    game = find_game(view.game)
    if game.is_too_early(view):
        return max(view.legal_moves(), key=lambda move: game.heuristic(view, move))
    by_core = find_core_search(view, rounds, clock)
    if values := exact_averages(view, by_core, rounds, clock.part(_QUICK_TIME_SHARE), all_moves=False):
        return exact_thought(view, values).best.move
    tree = _tree(view, by_core, dice)
    return most_visited_move(tree, game.rounds_for(view, rounds), clock.at_least(reserved))


_PROOF_TIME_SHARE: Final = 0.4
"""The share of the time limit for a proof that is not known to be quick; the rest is for playouts."""

_QUICK_TIME_SHARE: Final = 0.85
"""The share of the time limit for a quick proof, or for exact averages, which fail early if time is short."""

_RESERVED_TIME_SHARE: Final = 0.4
"""The share of the time limit that playouts get even if loading code and proofs took longer than planned."""


def prepare_proof(view: State) -> None:
    """Load the saved compiled code of the proof of a position, before its time limit starts.

    Nothing is loaded if the proof is quick, or the position cannot be proved.
    """
    view = view.view(view.to_move)
    solver, _ = _select_solver(view)
    if not solver.refusal(view) and not solver.is_quick(view):
        searcher = solver.searcher(view)
        if isinstance(searcher, CoreSearcher):
            searcher.prepare()


def _quick_solver(view: State, clock: Clock) -> tuple[Solver[State] | None, Clock]:
    """Return a solver and the deadline of the proof.

    The solver must be quick, or with a time limit at least faster than the readable rules; otherwise it is None.
    """
    solver, _ = _select_solver(view)
    if solver.refusal(view):
        return None, clock
    if solver.is_quick(view):
        return solver, clock.part(_QUICK_TIME_SHARE)
    # Without a deadline the answer must not depend on the speed of the machine: then use only quick solvers.
    is_tried = clock.end is not None and solver is not SOLVER
    return solver if is_tried else None, clock.part(_PROOF_TIME_SHARE)


def _select_solver(state: State) -> tuple[Solver[State], tuple[str, ...]]:
    """Return the solver for positions of a game, and the options that its faster solvers do not support.

    The solver is the first that supports the options: the game's own solver, its core, its readable rules.
    """
    own, core = find_game(state.game).part("solver"), solved_core(state.game)
    faster: list[GameSolver[State]] = [solver for solver in (own, core and core_solver(core)) if solver is not None]
    for solver in faster:
        if not unknown_options(state.variant, solver.options):
            return solver, ()
    return SOLVER, unknown_options(state.variant, faster[0].options) if faster else ()


def _tree(view: State, by_core: CoreSearch | None, dice: Dice) -> SearchTree:
    return SearchTree(by_core or state_search(view), dice)
