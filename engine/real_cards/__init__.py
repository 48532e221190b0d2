"""Games that people play with real cards: what a referee has to know of each. One module and one name a game."""

from functools import cache
from importlib import import_module
from typing import Final

from engine.errors import EngineError
from engine.game import State
from engine.real_cards.contract import RealCards

__all__ = ["REAL_CARDS", "RealCards", "find_real_cards", "hides_hand"]

REAL_CARDS: Final = ("grid", "ninecard", "tactics", "matrix")
"""The games that have a referee; the module of this name holds `CARDS`, and is imported when the game is played."""


@cache
def find_real_cards(game: str) -> RealCards:
    """How a game is refereed.

    Raises:
        EngineError: it cannot be.
    """
    if game not in REAL_CARDS:
        raise EngineError(f"{game} has no referee: there is one for {', '.join(REAL_CARDS)}.")
    cards: RealCards = import_module(f"{__name__}.{game}").CARDS
    return cards


def hides_hand(state: State) -> bool:
    """Whether a position does not tell all that its player to move holds: what may be played is then not known."""
    if state.game not in REAL_CARDS or state.ending() is not None:
        return False
    return find_real_cards(state.game).hidden_in_hand(state) > 0
