"""The registry of games: one folder and one line each."""

from typing import Final

from engine.game import Game
from engine.games.grid.game import GridGame
from engine.games.matrix.game import MatrixGame
from engine.games.ninecard.game import NinecardGame
from engine.games.tactics.game import TacticsGame
from engine.registry import find_named

GAMES: Final[tuple[Game, ...]] = (GridGame(), NinecardGame(), TacticsGame(), MatrixGame())


def find_game(name: str) -> Game:
    """The game with this name.

    Raises:
        EngineError: there is none; says which there are.

    >>> find_game("grid").title
    '3x3 CCG Battle'
    """
    return find_named("game", name, GAMES)
