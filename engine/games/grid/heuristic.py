"""How good moves of the grid game look at once."""

from ccgrid.engine.games.grid.state import GridState


def heuristic(state: GridState, move: str) -> float:
    """The score of the card that the move takes."""
    return state.card_taken(move).score
