"""Which positions of matrix are puzzles."""

from typing import Final

from engine.games.matrix.state import MatrixState
from engine.puzzles import IsNearEnd

_ROUNDS: Final = 3
"""At most so many rounds are left."""


def _is_near_end(state: MatrixState) -> bool:
    return max(map(len, state.hands)) <= _ROUNDS


PUZZLES: Final[IsNearEnd] = _is_near_end
