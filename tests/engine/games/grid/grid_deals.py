"""Games of grid as they are dealt."""

from engine.dice import Dice
from engine.games.grid.game import GridGame

GRID = GridGame()


def deal(deck, players=("Ann", "Bob"), seed=1, **more):
    return GRID.deal(players, [deck], Dice(seed), **more)
