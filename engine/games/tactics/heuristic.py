"""How good moves of the tactics game look at once."""

from ccgrid.catalog.card import HIGHEST
from ccgrid.engine.games.tactics.state import EMPTY, TacticsState


def heuristic(state: TacticsState, move: str) -> float:
    """The points gained and taken from others, in tenths, less what the card's weakest open side puts at risk."""
    card, place = state.meaning(move)
    table, grid = state.table, state.grid
    values, numbers, beaten = table.values, state.lying(card), tuple(state.beaten(card, place))
    gain, weakest = values[place] + len(beaten), HIGHEST
    for other in beaten:
        gain += values[other]
    for number, other in zip(numbers, table.neighbours[place], strict=True):
        if number < weakest and other >= 0 and (grid[other] == EMPTY or other in beaten):
            weakest = number
    return 10 * gain - (1 + values[place]) * (HIGHEST - weakest)
