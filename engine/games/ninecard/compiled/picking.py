"""A random move of the ninecard game, compiled: counted by kinds, so that only the kind that is chosen is listed."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.ninecard.compiled.combat import cost_of
from engine.games.ninecard.compiled.moves import (
    ASSAULT,
    ENERGY,
    FACEDOWN,
    MOVE,
    PLAY,
    SACRIFICE,
    STEPS,
    SWAP,
    SWAPS,
    VERB,
    legal,
    put_in,
    steps_and_swaps,
)
from engine.games.ninecard.compiled.table import (
    DISCARDING,
    HAS_SACRIFICED,
    MOVED,
    SEAT,
    SPENT,
    TABLE,
    TARGET,
    card_of,
    creature_of,
    rank_of,
)
from engine.kernels.compiled.compiler import compiled, count_bits, lowest_bit
from engine.kernels.compiled.throwing import below

_I: Final = np.int64
_U: Final = np.uint64
_FREE: Final = np.array([3 - cells.bit_count() for cells in range(8)], np.int64)
"""How many of the three rear cells are free, by those that are not."""


@compiled("int64(uint64, int64)", borrows=True)
def bit_number(bits: Any, count: Any) -> Any:
    """The place of a bit that is set, counted from 0."""
    while count:
        bits &= bits - _U(1)
        count -= 1
    return _I(lowest_bit(bits))


@compiled(types.int64(TABLE, types.int64, types.boolean), inline=True, borrows=True)
def kind_in_hand(table: Any, number: Any, are_creatures: Any) -> Any:
    """A card of the kind with this number in hand, of creatures or of energy cards; copies lie side by side there."""
    seat = table.turn[SEAT]
    last = _I(-1)
    for place in range(table.held[seat]):
        card = table.hands[seat, place]
        if (creature_of(card) != 0) != are_creatures or rank_of(card) == last:
            continue
        last = rank_of(card)
        if number == 0:
            return card_of(card)
        number -= 1
    return _I(-1)


@compiled(types.int64(TABLE, types.int64, types.int64), borrows=True)
def played(table: Any, number: Any, ready: Any) -> Any:
    """The move with this number of those that play a creature with so much energy that is ready."""
    seat, keys, moves = table.turn[SEAT], table.keys, table.moves
    occupied = table.occupied[seat]
    found, last = _I(0), _I(-1)
    for place in range(table.held[seat]):
        card = table.hands[seat, place]
        if rank_of(card) == last or not creature_of(card) or cost_of(creature_of(card)) > ready:
            continue
        last = rank_of(card)
        for column in range(3):
            if not occupied >> column & 64:
                key = _I(table.ranks.played[table.labels[seat, card_of(card)], column])
                found = put_in(found, key, PLAY * VERB + 4 * card_of(card) + column, keys, moves)
    return moves[number]


@compiled(types.UniTuple(types.uint64, 2)(types.uint64, TABLE), inline=True, borrows=True)
def picked(state: Any, table: Any) -> Any:
    """The state of the dice after one throw, and the legal move with that number."""
    turn, out, held, by_name = table.turn, table.out, table.held, table.ranks.seats
    seat = turn[SEAT]
    if turn[DISCARDING] or turn[TARGET] >= 0:
        count = legal(table)
        state, thrown = below(state, _U(count))
        return state, _U(table.moves[thrown])
    others = _I(-1)
    for other in range(len(out)):
        others += 1 - _I(out[other])
    occupied = table.occupied[seat]
    free = _FREE[occupied >> 6]
    ready = table.energy[seat] - turn[SPENT]
    hand = table.hands[seat]
    energies, kinds, affordable, last = _I(0), _I(0), _I(0), _I(-1)
    for place in range(held[seat]):
        card = hand[place]
        if rank_of(card) == last:
            continue
        last = rank_of(card)
        creature = creature_of(card)
        if creature == 0:
            energies += 1
        else:
            kinds += 1
            affordable += cost_of(creature) <= ready
    steps, swaps = steps_and_swaps(occupied, turn[MOVED])
    laid = kinds if table.rules.facedown else _I(0)
    stepping = _I(count_bits(steps))
    sacrificed = kinds if table.rules.one_creature and not turn[HAS_SACRIFICED] else _I(0)
    total = others + energies + laid + stepping + affordable * free + sacrificed + _I(count_bits(swaps))
    state, thrown = below(state, _U(total))
    number = _I(thrown)
    if number < others:
        for place in range(len(by_name)):
            other = by_name[place]
            if other != seat and not out[other]:
                if number == 0:
                    return state, _U(ASSAULT * VERB + other)
                number -= 1
    number -= others
    if number < energies:
        return state, _U(ENERGY * VERB + kind_in_hand(table, number, False))
    number -= energies
    if number < laid:
        return state, _U(FACEDOWN * VERB + kind_in_hand(table, number, True))
    number -= laid
    if number < stepping:
        bit = bit_number(steps, number)
        return state, _U(MOVE * VERB + 9 * STEPS[bit, 0] + STEPS[bit, 1])
    number -= stepping
    if number < affordable * free:
        return state, _U(played(table, number, ready))
    number -= affordable * free
    if number < sacrificed:
        return state, _U(SACRIFICE * VERB + kind_in_hand(table, number, True))
    bit = bit_number(swaps, number - sacrificed)
    return state, _U(SWAP * VERB + 9 * SWAPS[bit, 0] + SWAPS[bit, 1])
