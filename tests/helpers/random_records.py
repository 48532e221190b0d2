"""Random games of any kind, as records."""

import random

from ccgrid.engine.dice import Dice
from ccgrid.engine.records.record import Record
from helpers.made_up import deck_for, options_for

NAMES = ("Ann", "Bob", "Cid", "Dan")


def random_record(game, seed, *, count=None, share=None):
    """A random game, broken off somewhere or played to its end and with its result."""
    rng = random.Random(seed)
    count = count or rng.choice(game.player_counts)
    decks = [deck_for(game.name, rng) for _ in range(game.decks_needed(count))]
    setup = game.deal(NAMES[:count], decks, Dice(seed), options=options_for(game.name, rng))
    moves, state = [], setup.start()
    stop = rng.randrange(60) if share is None else share
    while (legal := state.legal_moves()) and len(moves) < stop:
        moves.append(rng.choice(legal))
        state = state.play_unchecked(moves[-1])
    return Record(setup, tuple(moves)).with_result()
