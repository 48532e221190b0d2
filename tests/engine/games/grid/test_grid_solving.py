"""Tests of the keys that identify positions in the search of grid."""

import random
from itertools import pairwise

from helpers.made_up import random_deck

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.games.grid import solving
from ccgrid.engine.search.core_search import CoreSearcher


def test_positions_with_cards_turned_differently_have_different_keys() -> None:
    # 20 kinds in four orientations, each on the cell with the greatest weight.
    deck = random_deck(random.Random(1))
    state = find_game("grid").deal(("Ann", "Bob"), [deck], Dice(1), options={"turn": "clockwise"}).start()
    searcher = CoreSearcher(solving, state, is_compiled=False)
    notes, weights = searcher._notes, searcher._notes.weights
    kinds = len(notes.ranks)
    assert kinds == 81
    assert all(after == kinds * before for before, after in pairwise(weights))
    assert weights[-1] * kinds <= 2**63
