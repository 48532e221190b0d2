"""How good moves of the tactics game look at once."""

from catalog.card import HIGHEST
from engine.games.tactics.state import EMPTY, TacticsState


def heuristic(state: TacticsState, move: str) -> float:
    """The points gained and taken from others, in tenths, less what the card's weakest open side puts at risk."""
    card, place = state.meaning(move)
    values, beaten, numbers = state.table.values, tuple(state.beaten(card, place)), state.lying(card)
    gain = values[place] + sum([1 + values[other] for other in beaten])
    lacking = [
        HIGHEST - number
        for number, other in zip(numbers, state.table.neighbours[place], strict=True)
        if other >= 0 and (state.grid[other] == EMPTY or other in beaten)
    ]
    return 10 * gain - (1 + values[place]) * max(lacking, default=0)
