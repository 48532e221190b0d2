"""Moves of the grid game as text: the interpretation of typed moves, and why a move is not legal."""

import re
from typing import Final

from ccgrid.catalog.lazy_patterns import lazy_pattern
from ccgrid.engine.board import OPPOSITE
from ccgrid.engine.games.grid.moves import BOARD, MOVES
from ccgrid.engine.games.grid.rules import GridState

# a1xb2
_NOTATION: Final = lazy_pattern(r"[a-c][1-3]x[a-c][1-3]")
# a1xb2 · a1 x b2 · a1b2 · A1 takes b2 · a1->b2 · a1 ==> b2 · a1 · xb2; each of the three parts is optional.
_LOOSE: Final = lazy_pattern(
    r"(?P<source>[a-c][1-3])?\s*(?P<takes>x|×|to|takes|[-=]*>|-)?\s*(?P<target>[a-c][1-3])?", re.IGNORECASE
)


class GridNotation:
    """The notation `a1xb2`: the card on a1 captures the card on b2."""

    example: Final = "a1xb2"

    def is_notation(self, state: GridState, move: str) -> bool:
        """Return whether the text is two cells joined by an `x`."""
        return _NOTATION.fullmatch(move) is not None

    def why_illegal(self, state: GridState, move: str) -> str:
        """Return the rule that the move breaks, with the numbers and cells concerned."""
        source, target = move.split("x")
        mover, captured = state.zones_on(source), state.zones_on(target)
        zone = BOARD.zone_towards(source, target)
        if zone is None:
            return "a card cannot take itself" if source == target else f"{source} and {target} are not neighbours"
        if empty := [cell for cell in (source, target) if state.card_on(cell) is None]:
            return f"there is no card on {empty[0]}"
        if zone not in mover:
            return f"{source} has no number at its {zone}, which faces {target}"
        number, facing = mover[zone], captured[OPPOSITE[zone]]
        equal = ", and equal does not capture" if facing == number else ""
        return f"{target} has {facing} facing {source}'s {number}{equal}"

    def moves_meant(self, state: GridState, text: str) -> tuple[str, ...]:
        """Return the moves that a text may mean.

        `A1 x B2`, `a1b2`, `a1 b2` and `a1-b2` are one move; `a1` means any capture by it, and `xb2` any capture of it.
        """
        typed = _LOOSE.fullmatch(text.strip())
        source, takes, target = typed.group("source", "takes", "target") if typed else (None, None, None)
        if source and target:
            # Two cells are a move even if it is impossible: `why_illegal` is more helpful than "not understood".
            return (f"{source}x{target}".lower(),)
        if source and not takes:
            return tuple(move for move in MOVES if move.startswith(source.lower()))
        # `b2` alone is a source.
        if target and takes:
            return tuple(move for move in MOVES if move.endswith(target.lower()))
        return ()
