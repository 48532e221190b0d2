"""Random games of any kind as records, and checks of records that are read again."""

import random

from ccgrid.engine import schema
from ccgrid.engine.dice import Dice
from ccgrid.engine.records.record import Record, read_document
from helpers.made_up import deck_for, options_for

NAMES = ("Ann", "Bob", "Cid", "Dan")


def random_moves(setup, rng, most=10_000):
    """Return the moves of a random game, at most `most`, and the position after them."""
    moves, state = [], setup.start()
    while (legal := state.legal_moves()) and len(moves) < most:
        moves.append(rng.choice(legal))
        state = state.play_unchecked(moves[-1])
    return tuple(moves), state


def random_record(game, seed, *, count=None, share=None):
    """Return the record of a random game, complete with its result, or broken off after `share` moves at most."""
    rng = random.Random(seed)
    count = count or rng.choice(game.player_counts)
    decks = [deck_for(game.name, rng) for _ in range(game.decks_needed(count))]
    setup = game.deal(NAMES[:count], decks, Dice(seed), options=options_for(game.name, rng))
    moves, _ = random_moves(setup, rng, rng.randrange(60) if share is None else share)
    return Record(setup, moves).with_result()


def assert_reads_back(record, final):
    """Assert that both formats of the record can be read, and replay to the same position and result."""
    for text, parse in ((record.to_toml(), schema.parse_toml), (record.to_json_line(), schema.parse_json)):
        reading = read_document(parse(text.encode()))
        assert reading.require() == record
        assert reading.state == final
        assert reading.state.scores() == record.result
