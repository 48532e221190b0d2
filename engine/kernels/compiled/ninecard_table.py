"""What lies on the table in a compiled game of ninecard, in one bundle that its functions are handed."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.games.ninecard.opening import HAND
from engine.kernels.compiled.compiler import bundle, compiled
from engine.kernels.compiled.dealing import DEALT

TURN, SEAT, SPENT, MOVED, HAS_PLAYED, HAS_SACRIFICED, TARGET, LAST, DISCARDING = range(9)
"""The places of what is true of this turn: its number, whose it is, the energy used, a bit for each cell of creatures
that have moved, and so on as in `NinecardState`; -1 is no seat and no cell."""

MOST_HELD: Final = HAND + 2
MOST_MOVES: Final = 100


class Ranks(NamedTuple):
    """How texts are sorted.

    Attributes:
        alone: for each text where it stands when all are sorted.
        played: and with each column behind it.
        seats: the seats in the order of the players' names.
    """

    alone: Any
    played: Any
    seats: Any


class Rules(NamedTuple):
    """The variants.

    Attributes:
        life: points of life at the start.
        limit: turns at most.
        facedown: not 0 where every creature may be laid as energy.
        one_creature: not 0 where one may in a turn.
        again: how often a deck is shuffled again at most.
    """

    life: Any
    limit: Any
    facedown: Any
    one_creature: Any
    again: Any


class Table(NamedTuple):
    """A position, and the decks.

    Attributes:
        turn: what is true of this turn.
        grids: for each seat nine creatures, or 0.
        life: each seat's points of life.
        energy: how many cards each has laid as energy.
        out: not 0 for each seat that is out.
        hands: the places of the cards in hand in the shuffled decks, sorted by their names.
        held: how many these are.
        drawn: how many cards were drawn.
        size: how many cards each deck has.
        labels: the places of the cards' texts.
        creatures: the cards as creatures, or 0.
        rules: the variants.
        ranks: how texts are sorted.
        keys: room, like what follows.
        moves: for a list of moves.
    """

    turn: Any
    grids: Any
    life: Any
    energy: Any
    out: Any
    hands: Any
    held: Any
    drawn: Any
    size: Any
    labels: Any
    creatures: Any
    rules: Any
    ranks: Any
    keys: Any
    moves: Any


RANKS: Final = bundle(Ranks, "uint32[::1]", "uint32[:, ::1]", "int64[::1]")
RULES: Final = bundle(Rules, "int64", "int64", "uint8", "uint8", "int64")
TABLE: Final = types.NamedTuple(
    [
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        types.uint8[::1],
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        types.uint64[::1],
        types.uint32[:, ::1],
        types.int64[:, ::1],
        RULES,
        RANKS,
        types.int64[::1],
        types.int64[::1],
    ],
    Table,
)


@compiled(TABLE(types.int64, DEALT, RULES, RANKS))
def laid(seats: Any, dealt: Any, rules: Any, ranks: Any) -> Any:
    """A table for so many seats, on which nothing lies yet."""
    return Table(
        np.zeros(DISCARDING + 1, np.int64),
        np.zeros((seats, 9), np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.uint8),
        np.zeros((seats, MOST_HELD), np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        dealt.size,
        dealt.labels,
        np.zeros(dealt.cards.shape, np.int64),
        rules,
        ranks,
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(MOST_MOVES, np.int64),
    )
