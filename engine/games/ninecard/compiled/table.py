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
        occupied: for each seat a bit for each cell on which a creature stands.
        life: each seat's points of life.
        energy: how many cards each has laid as energy.
        out: not 0 for each seat that is out.
        hands: the cards in hand, sorted by their names: where the name stands among all, whether it is a creature, and
            the card's place in the shuffled deck, in one number (`held_card`).
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
    occupied: Any
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
RULES: Final = bundle(Rules, *["int64"] * 5)
TABLE: Final = bundle(
    Table, "int64[::1]", "int64[:, ::1]", "int64[::1]", "int64[::1]", "int64[::1]", "uint8[::1]", "int64[:, ::1]",
    "int64[::1]", "int64[::1]", "uint64[::1]", "uint32[:, ::1]", "int64[:, ::1]", RULES, RANKS, "int64[::1]",
    "int64[::1]",
)  # fmt: skip


_CARD_BITS: Final = 12
_CREATURE_BITS: Final = 9


@compiled("int64(int64, int64, int64)", inline=True, borrows=True)
def held_card(rank: Any, creature: Any, card: Any) -> Any:
    """A card in hand as one number, by which hands are sorted."""
    return (rank << _CREATURE_BITS | creature) << _CARD_BITS | card


@compiled("int64(int64)", inline=True, borrows=True)
def card_of(held: Any) -> Any:
    """The place in the shuffled deck of a card in hand."""
    return held & ((1 << _CARD_BITS) - 1)


@compiled("int64(int64)", inline=True, borrows=True)
def creature_of(held: Any) -> Any:
    """A card in hand as a creature, or 0."""
    return held >> _CARD_BITS & ((1 << _CREATURE_BITS) - 1)


@compiled("int64(int64)", inline=True, borrows=True)
def rank_of(held: Any) -> Any:
    """Where the name of a card in hand stands among all names; copies have the same."""
    return held >> _CARD_BITS + _CREATURE_BITS


@compiled(TABLE(types.int64, DEALT, RULES, RANKS))
def laid(seats: Any, dealt: Any, rules: Any, ranks: Any) -> Any:
    """A table for so many seats, on which nothing lies yet."""
    return Table(
        np.zeros(DISCARDING + 1, np.int64),
        np.zeros((seats, 9), np.int64),
        np.zeros(seats, np.int64),
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
