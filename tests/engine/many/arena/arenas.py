"""Arenas, decks, counts and a player that the tests of the arena share."""

import random

from helpers.made_up import random_deck
from hypothesis import strategies as st

from ccgrid.engine.deck_sources import RandomDecks
from ccgrid.engine.many.arena import Arena, Contestant
from ccgrid.engine.many.comparison import PairCounts, pair_code
from ccgrid.engine.players import GreedyPlayer
from ccgrid.engine.players.player import PlainPlayer

CARDS = tuple(random_deck(random.Random(1), 60))
GRID = RandomDecks(CARDS, 20)
COUNTS = st.lists(st.integers(0, 60), min_size=9, max_size=9).filter(lambda counts: sum(counts) > 1)


def arena(*policies, game="grid", decks=GRID, seed=7, options=None):
    contestants = tuple(Contestant(f"{policy}-{place}", policy) for place, policy in enumerate(policies))
    return Arena(game, contestants, decks, seed, options or {})


def pairs_of(*shares):
    """Return the counts of pairs with these shares: 1, 0.5 or 0 for both games won, one, or none."""
    pairs = PairCounts()
    pairs.add([pair_code(round(4 * share) // 2, round(4 * share) - round(4 * share) // 2) for share in shares])
    return pairs


def each_pair(pairs):
    """Return the share of every pair."""
    return [sum(divmod(code, 3)) / 4 for code, count in enumerate(pairs.counts) for _ in range(count)]


class Tilted(PlainPlayer):
    """A player that is greedy in one move of four, and otherwise random."""

    name = "tilted"
    about = "greedy now and then"

    def choose(self, view, legal, dice, budget):
        return GreedyPlayer().choose(view, legal, dice, budget) if dice.below(4) == 0 else dice.choose(legal)
