"""Who plays where any game will do, and what is counted of it."""

import random

import msgspec

from ccgrid.engine.decks import FixedDecks
from ccgrid.engine.many.simulation import Lineup
from helpers.made_up import random_deck

CARDS = tuple(random_deck(random.Random(1), 60))
LINEUP = Lineup("grid", ("random", "greedy"), FixedDecks((CARDS[:20],)), 7)
SLOW = Lineup("matrix", ("random", "greedy"), FixedDecks(()), 7)


def counts_of(summary):
    """What does not depend on the time that the games took."""
    return {key: value for key, value in msgspec.to_builtins(summary.answer()).items() if key != "games_per_second"}
