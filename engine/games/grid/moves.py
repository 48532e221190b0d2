"""The cells of the grid game and its possible moves, whatever cards are on the grid."""

from operator import itemgetter
from typing import Final

from ccgrid.engine.board import Board

DECK_SIZE: Final = 20
BOARD: Final = Board(3)
GRID_SIZE: Final = len(BOARD.cells)
# a1xa2, a1xb1, a1xb2 … c3xc2: sorted like legal moves.
PAIRS: Final = {
    f"{cell}x{other}": (cell, other, zone)
    for cell in sorted(BOARD.cells)
    for zone, other in sorted(BOARD.neighbours(cell).items(), key=itemgetter(1))
}
"""Every possible move: its two cells, and the zone of an upright card on the first that faces the second."""
MOVES: Final = tuple(PAIRS)
"""Every possible move, sorted."""
