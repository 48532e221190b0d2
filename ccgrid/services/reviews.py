"""Reviews of finished games."""

from collections.abc import Callable
from typing import Final

from ccgrid.engine.errors import EngineError
from ccgrid.engine.insight.analysis import Analysis, Review, analyze
from ccgrid.engine.insight.analysis import review as review
from ccgrid.engine.insight.analysis import with_notes as with_notes
from ccgrid.engine.real_cards import hides_hand
from ccgrid.engine.records.record import Record

_PROOF_SECONDS: Final = 20.0
"""The time limit for all proofs of an analysis."""

_WAITING_PROOF_SECONDS: Final = 1.0
"""The time limit for all proofs while players wait for the review of their game."""


def analysis_of(record: Record, seconds: float, seed: int, progress: Callable[[int, int], object]) -> Analysis:
    """Analyse every move of a game, with this time limit for each.

    Raises:
        EngineError: If the game cannot be analysed, for example because a hand is unknown.
    """
    if any(hides_hand(ply.state) for ply in record):
        raise EngineError("The record lacks cards that players held, so the best moves cannot be found.")
    return analyze(record, seconds=seconds, seed=seed, proving=_PROOF_SECONDS, progress=progress)


def review_game(record: Record, seconds: float, progress: Callable[[int, int], object]) -> Review:
    """Review a game that was just played, with this time limit for each move.

    Raises:
        EngineError: If the game cannot be analysed.
    """
    return review(record, analyze(record, seconds=seconds, proving=_WAITING_PROOF_SECONDS, progress=progress))
