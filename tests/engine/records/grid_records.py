"""Records of grid games for the tests of records."""

import json
import random
from io import BufferedReader, BytesIO

from helpers.made_up import random_deck
from helpers.random_records import random_moves

from ccgrid.engine.dice import Dice
from ccgrid.engine.games import find_game
from ccgrid.engine.records.files import read_stream
from ccgrid.engine.records.record import Record

GRID = find_game("grid")


def grid_game(deal=1, players=("Ann", "Bob"), plies=99, **more):
    rng = random.Random(deal)
    setup = GRID.deal(players, [random_deck(rng)], Dice(deal))
    return Record(setup, random_moves(setup, rng, plies)[0], **more)


def document(**changes):
    """Return a finished game as a document with changed keys; the value `...` removes a key."""
    plain = json.loads(grid_game().with_result().to_json_line()) | changes
    return {key: value for key, value in plain.items() if value is not ...}


def minimal_document(*cards, moves=("a1xb1",), **more):
    """Return a document with these first cards; other cards cannot capture or be captured from the left or right."""
    rest = {"zones": {"left": 10, "right": 10}, "score": 20}
    return {
        "game": "grid",
        "players": ["Ann", "Bob"],
        "first": "Ann",
        "moves": list(moves),
        "setup": {"cards": [*cards, *[rest] * (10 - len(cards))]},
        **more,
    }


def read_bytes(data, name="games.jsonl", **more):
    return list(read_stream(BufferedReader(BytesIO(data)), name, **more))
