"""Tactics played on in sampled worlds, compiled: what `engine.search` does with a `TacticsWorld`, round for round."""

from typing import Any, Final

import numpy as np
from numba.core import types

from engine.games.tactics.compiled.looks import OPEN
from engine.games.tactics.compiled.world import POSITION, WORLD, deal, look, new_world, position, put
from engine.kernels.compiled.compiler import compiled
from engine.kernels.compiled.numeric import dice, floats, ints, more
from engine.kernels.compiled.rounds import SEARCH, Search, ahead_of, begun, count_path
from engine.kernels.compiled.throwing import below
from engine.numeric import tree

__all__ = ["Search", "dice", "floats", "ints", "more", "play_rounds", "position"]

_U: Final = np.uint64
_I: Final = np.int64
_0, _1 = _U(0), _U(1)


@compiled(types.void(WORLD, types.int64), borrows=True)
def put_in_order(world: Any, count: Any) -> None:
    """Sorts so many moves, those that look best first, of equal ones by their numbers."""
    moves, promises = world.moves, world.promises
    for place in range(1, count):
        move, promise, at = moves[place], promises[place], place
        while at > 0 and (promises[at - 1] < promise or (promises[at - 1] == promise and moves[at - 1] > move)):
            moves[at], promises[at] = moves[at - 1], promises[at - 1]
            at -= 1
        moves[at], promises[at] = move, promise


@compiled("UniTuple(uint64, 2)(uint64, int64[::1], int64[::1], int64)", borrows=True)
def best_of(state: Any, moves: Any, promises: Any, count: Any) -> Any:
    """The state of the dice, and a move that looks best, among equals any."""
    best, ways, chosen = promises[0], _0, _0
    for place in range(1, count):
        best = max(best, promises[place])
    for place in range(count):
        ways += _1 if promises[place] == best else _0
    if ways > _1:
        state, chosen = below(state, ways)
    for place in range(count):
        if promises[place] == best:
            if chosen == _0:
                return state, _U(moves[place])
            chosen -= _1
    return state, _U(moves[0])


@compiled(types.float64(POSITION, SEARCH))
def play_rounds(start: Any, search: Any) -> Any:
    """Plays so many rounds, and gives the lead in points of who is to move in the last one.

    Args:
        start: the position.
        search: the tree, and how rounds are counted in it.
    """
    cells, left = len(start.worth), _I(0)
    for seat in range(len(start.captured)):
        left += start.hands[seat, 0] + start.drawn[seat, 1] - start.drawn[seat, 0]
    world = new_world(start)
    path = np.zeros((left + 1, 2), np.int64)
    deal(_0, start, world)
    count_at_root = look(start, world, start.seat)
    put_in_order(world, count_at_root)
    at_root = world.moves.copy()
    moves = world.moves
    for _ in range(search.rounds):
        move, child, state = begun(search, at_root, count_at_root)
        state = deal(state, start, world)
        mover, node, deep = start.seat, 0, 0
        while True:
            is_new = child == 0
            if is_new:
                child = tree.added(search.links, node, move)
            path[deep, 0], path[deep, 1] = child, mover
            deep += 1
            node = child
            mover = put(start, world, mover, move)
            count = look(start, world, mover)
            if is_new or count == 0:
                break
            put_in_order(world, count)
            move = moves[tree.choice(search.links, search.sums, node, moves, count, search.exploring, search.nodes_of)]
            child = tree.child_of(search.links, node, move)
        while count:
            state, chosen = best_of(state, moves, world.promises, count)
            mover = put(start, world, mover, _I(chosen))
            count = look(start, world, mover)
        for cell in range(cells):
            if world.holder[cell] != OPEN:
                world.points[world.holder[cell]] += start.worth[cell]
        count_path(search, path, deep, world.points)
    return float(ahead_of(world.points, start.seat))
