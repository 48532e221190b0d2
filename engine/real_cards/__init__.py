"""Games that people play with real cards: what a referee has to know of each. One module and one line a game."""

from collections.abc import Mapping
from typing import Final

from engine.errors import EngineError
from engine.game import State
from engine.real_cards.contract import RealCards
from engine.real_cards.grid import GridCards
from engine.real_cards.matrix import MatrixCards
from engine.real_cards.ninecard import NinecardCards
from engine.real_cards.tactics import TacticsCards

__all__ = ["REAL_CARDS", "RealCards", "find_real_cards", "hides_hand"]

REAL_CARDS: Final[Mapping[str, RealCards]] = {
    cards.game: cards for cards in (GridCards(), NinecardCards(), TacticsCards(), MatrixCards())
}


def find_real_cards(game: str) -> RealCards:
    """How a game is refereed.

    Raises:
        EngineError: it cannot be.
    """
    if game not in REAL_CARDS:
        raise EngineError(f"{game} has no referee: there is one for {', '.join(REAL_CARDS)}.")
    return REAL_CARDS[game]


def hides_hand(state: State) -> bool:
    """Whether a position does not tell all that its player to move holds: what may be played is then not known."""
    cards = REAL_CARDS.get(state.game)
    return cards is not None and state.ending() is None and cards.hidden_in_hand(state) > 0
