"""Searches of the ninecard game, compiled."""

from typing import Final

from engine.games.ninecard.rows import rules, search, turns
from engine.kernels.compiled.numeric import DICE, FLOATS, INTS, dice, floats, ints, more, numeric
from engine.rows import tree

__all__ = ["dice", "floats", "ints", "more", "play_rounds"]

play_rounds: Final = numeric(
    search.play_rounds,
    f"float64({INTS}, {INTS}, {INTS}, {INTS}, {INTS}, {INTS}, {DICE}, {INTS}, {INTS}, {FLOATS}, {INTS}, {FLOATS},"
    " int64, int64, int64, int64, float64, float64, int64)",
    tree,
    rules,
    turns,
    search,
)
