"""Line-ups of players for tests that are independent of the game, and their counts."""

import random

import msgspec

from ccgrid.engine.deck_sources import FixedDecks
from ccgrid.engine.many.simulation import Lineup
from helpers.made_up import random_deck

CARDS = tuple(random_deck(random.Random(1), 60))
LINEUP = Lineup("grid", ("random", "greedy"), FixedDecks((CARDS[:20],)), 7)
SLOW = Lineup("matrix", ("random", "greedy"), FixedDecks(()), 7)


def counts_of(summary):
    """Return a summary without values that depend on elapsed time."""
    return {key: value for key, value in msgspec.to_builtins(summary.answer()).items() if key != "games_per_second"}
