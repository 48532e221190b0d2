"""Positions out of records, and what was proved of them."""

from pathlib import Path

from catalog.card import CatalogError
from ccgrid.services.choices import Choices
from ccgrid.services.records import read_record
from engine.dice import Dice
from engine.errors import EngineError
from engine.game import State
from engine.record import Record
from engine.search import Clock, Proof, Thought, Told, prove_moves, solve, think


def position_of(file: Path, after: int | None, database: Path | None, choices: Choices | None = None) -> State:
    """The position in which a record ends, or the one after so many of its moves.

    Raises:
        RecordError: the record is not valid.
        CatalogError: it has not so many moves.
    """
    return position_after(read_record(file, database, choices), after)


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
