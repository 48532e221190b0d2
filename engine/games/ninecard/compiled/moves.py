"""The legal moves of the ninecard game, compiled, in the order in which they are sorted, and how good they look.

A move is 4,096 times its verb, and what it is about: a seat, a cell, two cells (9 times the one and the other), or a
card, by its place in the shuffled deck, which for playing is 4 times that and the column.
"""

from itertools import combinations
from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.ninecard import heuristic
from engine.games.ninecard.combat import BOARD
from engine.games.ninecard.compiled.combat import (
    assault_gain,
    attack_of,
    column_gain,
    column_of,
    cost_of,
    standing,
)
from engine.games.ninecard.compiled.table import (
    DISCARDING,
    HAS_PLAYED,
    HAS_SACRIFICED,
    LAST,
    MOVED,
    SEAT,
    SPENT,
    TABLE,
    TARGET,
    card_of,
    creature_of,
    rank_of,
)
from engine.kernels.compiled.compiler import compiled, lowest_bit

VERBS: Final = (
    "assault", "attack", "discard", "end", "energy", "facedown", "move", "play", "sacrifice", "swap",
)  # fmt: skip
ASSAULT, ATTACK, DISCARD, END, ENERGY, FACEDOWN, MOVE, PLAY, SACRIFICE, SWAP = range(len(VERBS))
VERB: Final = 4096

_I: Final = np.int64
_U: Final = np.uint64
_NEIGHBOURS: Final = [
    (a, b)
    for a, b in combinations(sorted(BOARD.cells), 2)
    if BOARD.zone_towards(a, b) in ("top", "right", "bottom", "left")
]
STEPS: Final = np.array(
    [list(map(BOARD.cells.index, pair)) for pair in sorted([*_NEIGHBOURS, *((b, a) for a, b in _NEIGHBOURS)])], np.int64
)
SWAPS: Final = np.array([list(map(BOARD.cells.index, pair)) for pair in _NEIGHBOURS], np.int64)
"""The cells of all steps, and of all swaps, as the moves are sorted."""

_SETS: Final = range(1 << 9)
_ALL_CELLS: Final = _SETS.stop - 1


def _bits(pairs: Any, fits: Any) -> Any:
    """For each set of cells, a bit for each of the pairs that fit it."""
    return np.array(
        [sum(1 << bit for bit, (a, b) in enumerate(pairs.tolist()) if fits(cells, a, b)) for cells in _SETS], np.uint64
    )


_FROM: Final = _bits(STEPS, lambda cells, a, b: cells >> a & 1)
_TO: Final = _bits(STEPS, lambda cells, a, b: cells >> b & 1)
_WITHIN: Final = _bits(SWAPS, lambda cells, a, b: cells >> a & cells >> b & 1)
_LATER: Final = np.array(
    [_ALL_CELLS] + [sum(1 << cell for cell in range(9) if (cell % 3, cell) > (last % 3, last)) for last in range(9)],
    np.int64,
)
"""After each cell, the first standing for none, the cells from which may be attacked after an attack from there."""

_LAY_ENERGY: Final = float(heuristic.LAY_ENERGY)
_LAY_CREATURE: Final = float(heuristic.LAY_CREATURE)
_PLAY: Final = float(heuristic.PLAY)
_PLAY_EACH_COST: Final = float(heuristic.PLAY_EACH_COST)
_STEP: Final = float(heuristic.STEP)
_USELESS: Final = float(heuristic.USELESS)
_KILL: Final = float(heuristic.KILL)
_ENOUGH_ENERGY: Final = _I(heuristic.ENOUGH_ENERGY)
_SOON: Final = _I(heuristic.SOON)


@compiled("int64(int64, int64, int64, int64[::1], int64[::1])", inline=True, borrows=True)
def put_in(count: Any, key: Any, move: Any, keys: Any, moves: Any) -> Any:
    """Puts a move where its key sorts it among the last `count`; a key that is there already is not put in again."""
    at = count
    while at > 0 and keys[at - 1] > key:
        at -= 1
    if at > 0 and keys[at - 1] == key:
        return count
    for later in range(count, at, -1):
        keys[later] = keys[later - 1]
        moves[later] = moves[later - 1]
    keys[at] = key
    moves[at] = move
    return count + 1


@compiled("int64(int64, int64)", inline=True, borrows=True)
def landing(occupied: Any, column: Any) -> Any:
    """The cell of a column to which a creature slides that is played, with creatures on these cells; or -1."""
    there = occupied >> column
    if there & 64:
        return _I(-1)
    if there & 8:
        return column + 6
    return column + 3 if there & 1 else column


@compiled("UniTuple(uint64, 2)(int64, int64)", inline=True, borrows=True)
def steps_and_swaps(occupied: Any, moved: Any) -> Any:
    """A bit for each of the steps that creatures may make that have not moved, and for each of the swaps."""
    movable = occupied & ~moved
    return _FROM[movable] & _TO[_ALL_CELLS & ~occupied], _WITHIN[movable]


@compiled(types.int64(TABLE), inline=True, borrows=True)
def legal(table: Any) -> Any:
    """How many legal moves there are; they are in the table's `moves`, sorted."""
    turn, grids, out, hands, held = table.turn, table.grids, table.out, table.hands, table.held
    rules, keys, moves, by_name = table.rules, table.keys, table.moves, table.ranks.seats
    seat = turn[SEAT]
    count = _I(0)
    if turn[DISCARDING]:
        for place in range(held[seat]):
            card = hands[seat, place]
            count = put_in(count, rank_of(card), DISCARD * VERB + card_of(card), keys, moves)
        return count
    if turn[TARGET] >= 0:
        able = table.occupied[seat] & _LATER[turn[LAST] + 1]
        for column in range(3):
            there = able >> column
            if there & 0b1001001:
                cell = column + (0 if there & 1 else 3 if there & 8 else 6)
                if attack_of(grids[seat, cell]) > 0:
                    moves[count] = ATTACK * VERB + cell
                    count += 1
        moves[count] = END * VERB
        return count + 1
    for place in range(len(by_name)):
        other = by_name[place]
        if other != seat and not out[other]:
            moves[count] = ASSAULT * VERB + other
            count += 1
    for verb in (ENERGY, FACEDOWN):
        if verb == FACEDOWN and not rules.facedown:
            continue
        found = _I(0)
        for place in range(held[seat]):
            card = hands[seat, place]
            if (creature_of(card) == 0) == (verb == ENERGY):
                found = put_in(found, rank_of(card), verb * VERB + card_of(card), keys, moves[count:])
        count += found
    steps, swaps = steps_and_swaps(table.occupied[seat], turn[MOVED])
    while steps:
        a, b = STEPS[lowest_bit(steps)]
        moves[count] = MOVE * VERB + 9 * a + b
        count += 1
        steps &= steps - _U(1)
    found = _I(0)
    for place in range(held[seat]):
        card = hands[seat, place]
        if creature_of(card) and cost_of(creature_of(card)) <= table.energy[seat] - turn[SPENT]:
            for column in range(3):
                if not grids[seat, column + 6]:
                    key = _I(table.ranks.played[table.labels[seat, card_of(card)], column])
                    found = put_in(found, key, PLAY * VERB + 4 * card_of(card) + column, keys, moves[count:])
    count += found
    if rules.one_creature and not turn[HAS_SACRIFICED]:
        found = _I(0)
        for place in range(held[seat]):
            card = hands[seat, place]
            if creature_of(card):
                found = put_in(found, rank_of(card), SACRIFICE * VERB + card_of(card), keys, moves[count:])
        count += found
    while swaps:
        a, b = SWAPS[lowest_bit(swaps)]
        moves[count] = SWAP * VERB + 9 * a + b
        count += 1
        swaps &= swaps - _U(1)
    return count


@compiled(types.float64(TABLE, types.int64, types.int64), borrows=True)
def looks(table: Any, move: Any, before: Any) -> Any:
    """How good a move looks; `before` is how the seat stands now."""
    turn, grids, life, out, creatures = table.turn, table.grids, table.life, table.out, table.creatures
    verb, about, seat = move // VERB, move % VERB, turn[SEAT]
    energy = table.energy[seat]
    if verb == ENERGY:
        return _LAY_ENERGY
    if verb == ASSAULT:
        gain = float(assault_gain(grids, life, seat, about))
        return gain / (gain + 100.0)
    if verb == ATTACK:
        target, column = turn[TARGET], about % 3
        gain = float(column_gain(column_of(grids, seat, about), column_of(grids, target, column), life[target]))
        return _KILL * (3 - column) + gain if gain > 0 else _USELESS
    if verb == END:
        return 0.0
    if verb in (MOVE, SWAP):
        a, b = about // 9, about % 9
        grids[seat, a], grids[seat, b] = grids[seat, b], grids[seat, a]
        better = float(standing(grids, life, out, seat) - before)
        grids[seat, a], grids[seat, b] = grids[seat, b], grids[seat, a]
        return _STEP + better if better > 0 else _USELESS
    if verb == DISCARD:
        creature = creatures[seat, about]
        if not creature:
            return -float(_ENOUGH_ENERGY - energy)
        cost = cost_of(creature)
        return -float(cost if cost <= energy + _SOON else energy - cost)
    if verb == PLAY:
        creature = creatures[seat, about // 4]
        cell = landing(table.occupied[seat], about % 4)
        grids[seat, cell] = creature
        better = float(standing(grids, life, out, seat) - before)
        grids[seat, cell] = 0
        return _PLAY + _PLAY_EACH_COST * cost_of(creature) + max(-49.0, min(49.0, better))
    cheapest = _I(1000)
    for place in range(table.held[seat]):
        creature = creature_of(table.hands[seat, place])
        if creature:
            cheapest = min(cheapest, cost_of(creature))
    wants = energy < _ENOUGH_ENERGY and not turn[HAS_PLAYED] and cheapest > energy
    return _LAY_CREATURE + cost_of(creatures[seat, about]) if wants else _USELESS
