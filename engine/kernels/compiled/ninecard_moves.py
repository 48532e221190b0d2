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
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.ninecard_combat import (
    assault_gain,
    attack_of,
    column_gain,
    column_of,
    cost_of,
    standing,
)
from engine.kernels.compiled.ninecard_table import (
    DISCARDING,
    HAS_PLAYED,
    HAS_SACRIFICED,
    LAST,
    MOVED,
    SEAT,
    SPENT,
    TABLE,
    TARGET,
)

VERBS: Final = (
    "assault", "attack", "discard", "end", "energy", "facedown", "move", "play", "sacrifice", "swap",
)  # fmt: skip
ASSAULT, ATTACK, DISCARD, END, ENERGY, FACEDOWN, MOVE, PLAY, SACRIFICE, SWAP = range(len(VERBS))
VERB: Final = 4096

_I: Final = np.int64
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

_LAY_ENERGY: Final = float(heuristic.LAY_ENERGY)
_LAY_CREATURE: Final = float(heuristic.LAY_CREATURE)
_PLAY: Final = float(heuristic.PLAY)
_PLAY_EACH_COST: Final = float(heuristic.PLAY_EACH_COST)
_STEP: Final = float(heuristic.STEP)
_USELESS: Final = float(heuristic.USELESS)
_KILL: Final = float(heuristic.KILL)
_ENOUGH_ENERGY: Final = _I(heuristic.ENOUGH_ENERGY)
_SOON: Final = _I(heuristic.SOON)


@compiled("int64(int64, int64, int64, int64[::1], int64[::1])", inline=True)
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


@compiled("int64(int64[:, ::1], int64)", inline=True)
def landing(grids: Any, place: Any) -> Any:
    """The cell to which a creature slides that is played, or -1; `place` is 3 times the seat and the column."""
    seat, column = place // 3, place % 3
    free = _I(-1)
    for cell in range(column + 6, -1, -3):
        if grids[seat, cell]:
            break
        free = _I(cell)
    return free


@compiled(types.int64(TABLE), inline=True)
def legal(table: Any) -> Any:
    """How many legal moves there are; they are in the table's `moves`, sorted."""
    turn, grids, out, hands, held = table.turn, table.grids, table.out, table.hands, table.held
    labels, creatures, ranks = table.labels, table.creatures, table.ranks.alone
    rules, keys, moves, by_name = table.rules, table.keys, table.moves, table.ranks.seats
    seat = turn[SEAT]
    count = _I(0)
    if turn[DISCARDING]:
        for place in range(held[seat]):
            card = hands[seat, place]
            count = put_in(count, _I(ranks[labels[seat, card]]), DISCARD * VERB + card, keys, moves)
        return count
    if turn[TARGET] >= 0:
        column, behind = _I(0), _I(-1)
        if turn[LAST] >= 0:
            column, behind = turn[LAST] % 3, turn[LAST]
        for later in range(column, 3):
            for cell in range(later, 9, 3):
                if not grids[seat, cell] or (later == column and cell <= behind):
                    continue
                if attack_of(grids[seat, cell]) > 0:
                    moves[count] = ATTACK * VERB + cell
                    count += 1
                break
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
            if (creatures[seat, card] == 0) == (verb == ENERGY):
                found = put_in(found, _I(ranks[labels[seat, card]]), verb * VERB + card, keys, moves[count:])
        count += found
    moved = turn[MOVED]
    for place in range(len(STEPS)):
        a, b = STEPS[place]
        if grids[seat, a] and not grids[seat, b] and not (moved >> a) & 1:
            moves[count] = MOVE * VERB + 9 * a + b
            count += 1
    found = _I(0)
    for place in range(held[seat]):
        card = hands[seat, place]
        if creatures[seat, card] and cost_of(creatures[seat, card]) <= table.energy[seat] - turn[SPENT]:
            for column in range(3):
                if not grids[seat, column + 6]:
                    key = _I(table.ranks.played[labels[seat, card], column])
                    found = put_in(found, key, PLAY * VERB + 4 * card + column, keys, moves[count:])
    count += found
    if rules.one_creature and not turn[HAS_SACRIFICED]:
        found = _I(0)
        for place in range(held[seat]):
            card = hands[seat, place]
            if creatures[seat, card]:
                found = put_in(found, _I(ranks[labels[seat, card]]), SACRIFICE * VERB + card, keys, moves[count:])
        count += found
    for place in range(len(SWAPS)):
        a, b = SWAPS[place]
        if grids[seat, a] and grids[seat, b] and not (moved >> a) & 1 and not (moved >> b) & 1:
            moves[count] = SWAP * VERB + 9 * a + b
            count += 1
    return count


@compiled(types.float64(TABLE, types.int64, types.int64))
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
        cell = landing(grids, 3 * seat + about % 4)
        grids[seat, cell] = creature
        better = float(standing(grids, life, out, seat) - before)
        grids[seat, cell] = 0
        return _PLAY + _PLAY_EACH_COST * cost_of(creature) + max(-49.0, min(49.0, better))
    cheapest = _I(1000)
    for place in range(table.held[seat]):
        creature = creatures[seat, table.hands[seat, place]]
        if creature:
            cheapest = min(cheapest, cost_of(creature))
    wants = energy < _ENOUGH_ENERGY and not turn[HAS_PLAYED] and cheapest > energy
    return _LAY_CREATURE + cost_of(creatures[seat, about]) if wants else _USELESS
