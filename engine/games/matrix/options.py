"""The options of the matrix game."""

from typing import Final

from ccgrid.engine.games.matrix.cards import ROTATIONS
from ccgrid.engine.options import Option

OPTIONS: Final = (Option("rotate", ROTATIONS, ROTATIONS[0], "how far the cards that rotate turn the board"),)
