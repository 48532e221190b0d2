"""A random move of the ninecard game, compiled: counted by kinds, so that only the kind that is chosen is listed."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.kernels.compiled.compiler import compiled, count_bits, lowest_bit
from engine.kernels.compiled.ninecard_combat import cost_of
from engine.kernels.compiled.ninecard_moves import (
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
)
from engine.kernels.compiled.ninecard_table import DISCARDING, HAS_SACRIFICED, MOVED, SEAT, SPENT, TABLE, TARGET
from engine.kernels.compiled.throwing import below

_I: Final = np.int64
_U: Final = np.uint64
_SETS: Final = range(1 << 9)


def _bits(pairs: Any, fits: Any) -> Any:
    """For each set of cells, a bit for each of the pairs that fit it."""
    return np.array(
        [sum(1 << bit for bit, (a, b) in enumerate(pairs.tolist()) if fits(cells, a, b)) for cells in _SETS], np.uint64
    )


_FROM: Final = _bits(STEPS, lambda cells, a, b: cells >> a & 1)
_TO: Final = _bits(STEPS, lambda cells, a, b: cells >> b & 1)
_WITHIN: Final = _bits(SWAPS, lambda cells, a, b: cells >> a & cells >> b & 1)


@compiled("int64(uint64, int64)")
def bit_number(bits: Any, count: Any) -> Any:
    """The place of a bit that is set, counted from 0."""
    while count:
        bits &= bits - _U(1)
        count -= 1
    return _I(lowest_bit(bits))


@compiled(types.int64(TABLE, types.int64, types.boolean), inline=True)
def kind_in_hand(table: Any, number: Any, are_creatures: Any) -> Any:
    """A card of the kind with this number in hand, of creatures or of energy cards; copies lie side by side there."""
    seat, labels = table.turn[SEAT], table.labels
    last = _I(-1)
    for place in range(table.held[seat]):
        card = table.hands[seat, place]
        if (table.creatures[seat, card] != 0) != are_creatures or _I(labels[seat, card]) == last:
            continue
        last = _I(labels[seat, card])
        if number == 0:
            return card
        number -= 1
    return _I(-1)


@compiled(types.UniTuple(types.uint64, 2)(types.uint64, TABLE), inline=True)
def picked(state: Any, table: Any) -> Any:
    """The state of the dice after one throw, and the legal move with that number."""
    turn, grids, out, hands, held = table.turn, table.grids, table.out, table.hands, table.held
    labels, creatures, keys, moves, by_name = table.labels, table.creatures, table.keys, table.moves, table.ranks.seats
    seat = turn[SEAT]
    if turn[DISCARDING] or turn[TARGET] >= 0:
        count = legal(table)
        state, thrown = below(state, _U(count))
        return state, _U(moves[thrown])
    others = _I(-1)
    for other in range(len(out)):
        others += 1 - _I(out[other])
    occupied, free = _I(0), _I(0)
    for cell in range(9):
        if grids[seat, cell]:
            occupied |= _I(1) << cell
        elif cell > 5:
            free += 1
    ready = table.energy[seat] - turn[SPENT]
    energies, kinds, affordable, last = _I(0), _I(0), _I(0), _I(-1)
    for place in range(held[seat]):
        card = hands[seat, place]
        if _I(labels[seat, card]) == last:
            continue
        last = _I(labels[seat, card])
        if creatures[seat, card] == 0:
            energies += 1
        else:
            kinds += 1
            if cost_of(creatures[seat, card]) <= ready:
                affordable += 1
    movable = occupied & ~turn[MOVED]
    steps, swaps = _FROM[movable] & _TO[511 & ~occupied], _WITHIN[movable]
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
        found = _I(0)
        for place in range(held[seat]):
            card = hands[seat, place]
            if creatures[seat, card] and cost_of(creatures[seat, card]) <= ready:
                for column in range(3):
                    if not grids[seat, column + 6]:
                        key = _I(table.ranks.played[labels[seat, card], column])
                        found = put_in(found, key, PLAY * VERB + 4 * card + column, keys, moves)
        return state, _U(moves[number])
    number -= affordable * free
    if number < sacrificed:
        return state, _U(SACRIFICE * VERB + kind_in_hand(table, number, True))
    bit = bit_number(swaps, number - sacrificed)
    return state, _U(SWAP * VERB + 9 * SWAPS[bit, 0] + SWAPS[bit, 1])
