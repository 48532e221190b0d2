"""The interpretation of a picture of nine cards as a position of grid."""

from typing import Final

from ccgrid.engine.games.grid.moves import BOARD
from ccgrid.engine.games.grid.rules import GridSetup
from ccgrid.engine.real_cards import LaidOut

LAID_OUT: Final = LaidOut(BOARD.cells, GridSetup)
