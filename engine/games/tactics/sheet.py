"""What is printed for tactics: a table for what counts in the end, and the larger board of four players."""

from typing import Final

from ccgrid.engine.sheet import ScoreTable, Sheet

_COUNTED: Final = ("captured cards", "corners, 1 each", "sides, 2 each", "centre, 3")

SHEET: Final = Sheet(
    scores=ScoreTable(3, _COUNTED, "", ("points",)),
    boards=lambda players: (3, 4) if players == 4 else (3,),
)
