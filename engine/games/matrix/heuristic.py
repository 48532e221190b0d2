"""How good moves of the matrix game look at once."""

from typing import Final

from engine.board import AROUND_THE_TABLE
from engine.games.matrix.cards import arranged
from engine.games.matrix.state import MatrixState, board_scores

_KEEPING: Final = 3
_BEHIND: Final = 3
_WORTH: Final = {
    side: {"switch-corners": 7, "switch-edges": 5, "swap-odd": 4, "swap-even": 3, **dict.fromkeys(shifts, 6)}
    for side, shifts in {
        "south": ("shift-north", "shift-south"),
        "west": ("shift-west", "shift-east"),
        "north": ("shift-north", "shift-south"),
        "east": ("shift-west", "shift-east"),
    }.items()
}
"""The lead in points that one card of a kind gives a seat at the end, about; the other kinds give none on average."""


def heuristic(state: MatrixState, move: str) -> float:
    """With the last card the lead over the best of the others; before, weak cards first, and a rank just behind.

    Only the last board counts, and the lowest score has the last word on it.
    """
    seat, players = state.to_move, len(state.hands)
    scores = board_scores(arranged(state.board, move, state.setup.rotate), players)
    lead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
    if len(state.hands[seat]) == 1:
        return lead
    worth = _WORTH[AROUND_THE_TABLE[players][seat]].get(move.partition(" ")[0], 0)
    return -abs(lead + _BEHIND) - _KEEPING * worth
