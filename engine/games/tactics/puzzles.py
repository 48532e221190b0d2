"""Which positions of tactics are puzzles."""

from typing import Final

from engine.games.tactics.state import EMPTY, TacticsState
from engine.puzzles import IsNearEnd

_OPEN: Final = 4
"""At most so many cells are open."""


def _is_near_end(state: TacticsState) -> bool:
    """With nothing left in the decks, so that all cards lie open."""
    return state.grid.count(EMPTY) <= _OPEN and not any(state.deck_left(seat) for seat in range(len(state.hands)))


PUZZLES: Final[IsNearEnd] = _is_near_end
