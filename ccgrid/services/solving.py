"""Positions out of records, and what was proved of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ccgrid.catalog.card import CatalogError
from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.insight.analysis import Analysis, AnalysisJson, Look, LookedBack, analyze, look_at, look_back
from ccgrid.engine.insight.analysis import annotated as annotated
from ccgrid.engine.real_cards import hides_hand
from ccgrid.engine.records.record import Record
from ccgrid.engine.search import Clock, Proof, Thought, Told, prove_moves, solve, think
from ccgrid.services.referee import Referee
from ccgrid.services.tables import with_pending


def position_after(record: Record, after: int | None) -> State:
    """The position after so many moves, or after all of them; raises CatalogError where there are not so many."""
    return Record(record.setup, position_moves(record, after)).final()


def position_moves(record: Record, after: int | None) -> tuple[str, ...]:
    """So many moves of a record, or all of them; raises CatalogError where there are not so many."""
    if after is None:
        return record.moves
    if after > len(record.moves):
        raise CatalogError(f"The record has only {len(record.moves)} moves: --after {after} is too large.")
    return record.moves[:after]


def position_held(record: Record, after: int | None, hand: str) -> State:
    """The position as who is to move sees it, with what this player holds named: `gate, mill, tower`.

    Raises:
        CatalogError: it is not plain which cards are meant, or there are not so many moves.
        EngineError: these cannot be in the hand, or the record does not say what it may be.
    """
    begun = replace(record, moves=position_moves(record, after), result=None)
    return Referee.of(with_pending(begun, ())).seen_holding(hand)


def proof_of(
    state: State, seconds: float | None, tell: Told | None, remark: Callable[[str], object] | None = None
) -> Proof:
    """What is proved of a position until the time is over or somebody interrupts; raises EngineError."""
    return solve(state, seconds, tell, remark)


def advice_on(state: State, seconds: float, seed: int, *, is_open: bool = False) -> Thought:
    """What every legal move is worth, proved or tried out in this time.

    Args:
        state: the position.
        seconds: the time it may take.
        seed: what the worlds follow from that are tried out.
        is_open: whether what is hidden from who is to move counts as known: then all of it is proved.

    Raises:
        EngineError: the game is over, or the hand is not known; or, with `is_open`, the position cannot be solved, or
            not in this time.
    """
    if state.ending() is not None:
        raise EngineError("The game is over: choose an earlier position with --after N.")
    if hides_hand(state):
        raise EngineError("The hand of the player to move is not known. Name all cards: --hand NAME,NAME")
    clock = Clock.of(seconds)
    return prove_moves(state, clock) if is_open else think(state, Dice(seed), clock=clock)


_PROVING: Final = 20.0
"""So many seconds all proofs of one analysis may take."""

_PROVING_AT_ONCE: Final = 1.0
"""The same where somebody waits for it after a game."""


def analysis_of(record: Record, seconds: float, seed: int, progress: Callable[[int, int], object]) -> Analysis:
    """A game looked at move by move, with so many seconds of thought for each.

    Raises:
        EngineError: it cannot be looked at, for example because nobody knows what the players held.
    """
    if any(hides_hand(ply.state) for ply in record):
        raise EngineError("The record lacks cards that players held, so the best moves cannot be found.")
    return analyze(record, seconds=seconds, seed=seed, proving=_PROVING, progress=progress)


def looked_back(record: Record, seconds: float, progress: Callable[[int, int], object]) -> LookedBack:
    """A game that was just played, looked at with so many seconds for each move; raises EngineError."""
    return look_back(record, analyze(record, seconds=seconds, proving=_PROVING_AT_ONCE, progress=progress))


def looked_at(state: State, move: str, seconds: float, seed: int) -> Look:
    """One move as its player could know what it is worth."""
    return look_at(state, move, seconds, Dice(seed))


class AnalyzedGameJson(AnalysisJson):
    """A game looked at move by move."""

    game: str


def analysis_json(record: Record, analysis: Analysis) -> AnalyzedGameJson:
    """What was found of a game in the documented shape of `analyze --json`."""
    return {"game": record.setup.game, **analysis.to_dict()}
