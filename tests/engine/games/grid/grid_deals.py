"""Deals of the grid game for its tests."""

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.grid.game import GridGame

GRID = GridGame()


def deal(deck, players=("Ann", "Bob"), seed=1, **more):
    return GRID.deal(players, [deck], Dice(seed), **more)
