"""What came of a round that was played on in compiled code: counted in the tree, as `engine.search.tree` does."""

from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.kernels.compiled.compiler import bundle, compiled
from engine.kernels.compiled.numeric import DICE, FLOATS, INTS, compile_with
from engine.kernels.compiled.throwing import below, fork_seed
from engine.rows import tree

MOST_DEEP: Final = 64
"""No game that is played on so has more moves."""

_NONE: Final = -(1 << 40)

compile_with(tree)

_U: Final = np.uint64


class Search(NamedTuple):
    """The tree that rounds are counted in, and how they are.

    Attributes:
        throws: the dice.
        links: the nodes of the tree, as of `engine.rows.tree`.
        sums: and what came of them.
        nodes_of: room for a number for each move.
        rounds: how many.
        first: the move that is played first, or -1.
        number: the number of the world, or -1.
        exploring: how much it counts that a move was seldom tried.
        scale: a lead of so many points is a clear one.
        margin: so much of what a game is worth is by how much it is won.
        by_lead: a number that is not 0 where everybody wants points ahead.
    """

    throws: Any
    links: Any
    sums: Any
    nodes_of: Any
    rounds: Any
    first: Any
    number: Any
    exploring: Any
    scale: Any
    margin: Any
    by_lead: Any


SEARCH: Final = bundle(Search, DICE, INTS, FLOATS, INTS, *["int64"] * 3, *["float64"] * 3, "int64")


@compiled(types.Tuple((types.int64, types.int64, types.uint64))(SEARCH, types.int64[::1], types.int64))
def begun(search: Any, moves: Any, count: Any) -> Any:
    """The first move of a round, of so many; its node, or 0; and the state of the dice of the world it is tried in."""
    move = search.first
    if move < 0:
        move = moves[tree.choice(search.links, search.sums, 0, moves, count, search.exploring, search.nodes_of)]
    node = tree.child_of(search.links, 0, move)
    tried = search.links[node * tree.LINKS + tree.VISITS] if node else 0
    return move, node, fork_seed(search.throws[1], _U(tried if search.number < 0 else search.number))


@compiled("uint64(uint64, int64[::1])", borrows=True)
def shuffled(state: Any, row: Any) -> Any:
    """Shuffles a row, and gives the state of the dice after that."""
    for place in range(len(row) - 1):
        state, other = below(state, _U(len(row) - place))
        there = place + np.int64(other)
        row[place], row[there] = row[there], row[place]
    return state


@compiled(f"int64({INTS}, int64)")
def ahead_of(points: Any, seat: Any) -> Any:
    """A seat's points ahead of the best of the others."""
    best = np.int64(_NONE)
    for other in range(len(points)):
        if other != seat:
            best = max(best, points[other])
    return points[seat] - best


@compiled(types.void(SEARCH, types.int64[:, ::1], types.int64, types.int64[::1]))
def count_path(search: Any, path: Any, deep: Any, points: Any) -> None:
    """Counts a round with these points at the end in so many nodes of the path, which has node and seat in a row."""
    search.links[tree.VISITS] += 1
    best, leaders = points[0], 0
    for seat in range(len(points)):
        best = max(best, points[seat])
    for seat in range(len(points)):
        leaders += 1 if points[seat] == best else 0
    for place in range(deep):
        ahead = ahead_of(points, path[place, 1])
        if search.by_lead:
            value = 0.5 + ahead / (4.0 * search.scale)
        else:
            share = 1.0 / leaders if ahead == 0 else (1.0 if ahead > 0 else 0.0)
            clear = (1.0 + min(max(ahead / search.scale, -1.0), 1.0)) / 2.0
            value = (1.0 - search.margin) * share + search.margin * clear
        if path[place, 0]:  # there was room for a node
            tree.count_in(search.links, search.sums, path[place, 0], value, float(ahead))
