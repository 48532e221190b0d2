"""A picture of nine cards as a position of grid."""

from typing import Final

from engine.games.grid.state import BOARD, GridSetup
from engine.real_cards import LaidOut

LAID_OUT: Final = LaidOut(BOARD.cells, GridSetup)
