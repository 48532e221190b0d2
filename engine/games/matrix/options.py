"""The variants of the matrix game."""

from typing import Final

from engine.games.matrix.cards import ROTATIONS
from engine.options import Option

OPTIONS: Final = (Option("rotate", ROTATIONS, ROTATIONS[0], "how far the cards that rotate turn the board"),)
