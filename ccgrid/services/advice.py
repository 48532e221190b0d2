"""The values of the legal moves in a position."""

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.real_cards import hides_hand
from ccgrid.engine.search import Clock, Thought, prepare_proof, prove_moves, think
from ccgrid.engine.search import solve as solve


def advice_on(state: State, seconds: float, seed: int, *, is_open: bool = False) -> Thought:
    """Return the value of every legal move, proved or estimated within the time.

    Args:
        state: The position.
        seconds: The time limit.
        seed: The seed of the sampled worlds.
        is_open: Whether cards hidden from the player to move count as known. All values are then proved.

    Raises:
        EngineError: If the game is over, or the hand is unknown. With `is_open`, if the position cannot be solved in
            this time.
    """
    if state.ending() is not None:
        raise EngineError("The game is over: choose an earlier position with --after N.")
    if hides_hand(state):
        raise EngineError("The hand of the player to move is not known. Name all cards: --hand NAME,NAME")
    prepare_proof(state)
    clock = Clock.of(seconds)
    return prove_moves(state, clock) if is_open else think(state, Dice(seed), clock=clock)
