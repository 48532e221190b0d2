"""What is printed for grid: a table for the moves, and cards with their scores."""

from typing import Final

from ccgrid.engine.sheet import ScoreTable, Sheet, numbered

SHEET: Final = Sheet(
    scores=ScoreTable(2, numbered(11), "move", ("move", "card taken", "points")),
    shows_score=True,
)
