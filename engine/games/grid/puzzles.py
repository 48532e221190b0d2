"""Which positions of grid are puzzles."""

from typing import Final

from engine.games.grid.state import GridState
from engine.puzzles import IsNearEnd

_PILE: Final = 5
"""At most so many cards are in the draw pile."""


def _is_near_end(state: GridState) -> bool:
    return state.pile <= _PILE


PUZZLES: Final[IsNearEnd] = _is_near_end
