"""Positions out of records, and what was proved of them."""

from collections.abc import Callable
from typing import Final

from catalog.card import CatalogError
from engine.analysis import Analysis, analyze
from engine.dice import Dice
from engine.errors import EngineError
from engine.game import State
from engine.record import Record
from engine.search import Clock, Proof, Thought, Told, prove_moves, solve, think


def position_after(record: Record, after: int | None) -> State:
    """The position after so many moves, or after all of them; raises CatalogError where there are not so many."""
    if after is None:
        return record.final()
    if after > len(record.moves):
        raise CatalogError(f"The record has {len(record.moves)} moves, not {after}: give --after a number up to that.")
    return Record(record.setup, record.moves[:after]).final()


def proof_of(state: State, seconds: float | None = None, tell: Told | None = None) -> Proof:
    """What is proved of a position until the time is over or somebody interrupts; raises EngineError."""
    return solve(state, seconds, tell)


def advice_on(state: State, seconds: float, seed: int, *, is_open: bool = False) -> Thought:
    """What every legal move is worth, proved or tried out in this time.

    Args:
        state: the position.
        seconds: the time it may take.
        seed: what the worlds follow from that are tried out.
        is_open: whether what is hidden from who is to move counts as known: then all of it is proved.

    Raises:
        EngineError: the game is over; or, with `is_open`, the position cannot be solved, or not in this time.
    """
    if state.ending() is not None:
        raise EngineError("The game is over: say after how many moves with --after.")
    clock = Clock.of(seconds)
    return prove_moves(state, clock) if is_open else think(state, Dice(seed), clock=clock)


_PROVING: Final = 20.0
"""So many seconds all proofs of one analysis may take."""


def analysis_of(record: Record, seconds: float, seed: int, progress: Callable[[int, int], object]) -> Analysis:
    """A game looked at move by move, with so many seconds of thought for each; raises EngineError."""
    return analyze(record, seconds=seconds, seed=seed, proving=_PROVING, progress=progress)
