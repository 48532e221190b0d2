"""Boards, positions and random games of the matrix game for its tests."""

import random

from helpers.random_records import random_moves
from hypothesis import strategies as st

from ccgrid.engine.dice import Dice
from ccgrid.engine.games.matrix.cards import KINDS
from ccgrid.engine.games.matrix.game import MatrixGame
from ccgrid.engine.games.matrix.rules import MatrixSetup, MatrixState
from ccgrid.engine.records.record import Record

MATRIX = MatrixGame()
NAMES = ("Ann", "Bob", "Cid", "Dan")
EXAMPLE = (4, 6, 3, 7, 9, 2, 1, 8, 5)
"""The example board: 4 6 3, 7 9 2, 1 8 5."""


def position(hands=(KINDS, KINDS), board=EXAMPLE, order=None, to_move=None, rotate="quarter"):
    """Return a position with these hands, in seat order by default."""
    hands = tuple(tuple(sorted(hand)) for hand in hands)
    order = order or tuple(range(len(hands)))
    setup = MatrixSetup(NAMES[: len(hands)], board, hands, rotate)
    return MatrixState(setup, board, hands, order, order[0] if to_move is None else to_move)


def deal(players=2, seed=1, **more):
    return MATRIX.deal(NAMES[:players], [], Dice(seed), **more)


def random_game(seed, players=2, rotate="quarter"):
    """Return the record and the final state of a random game."""
    rng = random.Random(seed)
    setup = deal(players, seed, options={"rotate": rotate})
    moves, state = random_moves(setup, rng)
    return Record(setup, moves, result=state.scores()), state


boards = st.permutations(range(1, 10)).map(tuple)
