"""What a game may say of how it is thought about."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.game import State


@dataclass(frozen=True, slots=True)
class GameSearch:
    """How long a game is thought about, its part `search`.

    Attributes:
        rounds: in a position how many games are played on for so many rounds.
        is_too_early: whether to think is of no use yet: the heuristic says what is played.
    """

    rounds: Callable[[State, int | None], int | None] = lambda view, rounds: rounds
    is_too_early: Callable[[State], bool] = lambda view: False
