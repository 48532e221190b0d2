"""The tree of `engine.search.tree` in rows of numbers: a node is a move, a small whole number, below another node.

A node has `LINKS` whole numbers in one row: the first node below it, the next node beside it, its move, how often it
was tried, how often it was legal, the first of the nodes for what its move turned up; and `SUMS` decimal ones in
another: what came of it in all for who made it, in what games are worth, in points of lead, and these squared. Node 0
is the root, whose second number counts the nodes.
"""

from math import log, sqrt
from typing import Final

from engine.rows.row import Floats, Row

LINKS: Final = 6
BELOW, BESIDE, MOVE, VISITS, SEEN, SHOWN = range(LINKS)
SUMS: Final = 3
TOTAL, LEAD, SQUARES = range(SUMS)

WIDTH: Final = 4
WIDENING: Final = 1.0
"""So many moves are tried, those that look best, and with the root of how often they were so many times more."""


def child_of(links: Row, node: int, move: int, kind: int) -> int:
    """The node of a move below another, or of what was turned up, or 0; `kind` is `BELOW` or `SHOWN`."""
    child = links[node * LINKS + kind]
    while child and links[child * LINKS + MOVE] != move:
        child = links[child * LINKS + BESIDE]
    return child


def added(links: Row, node: int, move: int, kind: int) -> int:
    """A new node of a move below another, or of what was turned up, or 0 where there is no room."""
    child = links[BESIDE] + 1
    if (child + 1) * LINKS > len(links):
        return 0
    links[BESIDE] = child
    links[child * LINKS + MOVE] = move
    links[child * LINKS + BESIDE] = links[node * LINKS + kind]
    links[node * LINKS + kind] = child
    return child


def choice(links: Row, sums: Floats, node: int, moves: Row, count: int, exploring: float, nodes_of: Row) -> int:
    """The place of the move to descend by: the first that was never tried, else the one that promises most.

    `nodes_of` has room for a number for each move, all 0, and is so again in the end.
    """
    width = min(count, WIDTH + int(WIDENING * sqrt(links[node * LINKS + VISITS])))
    child = links[node * LINKS + BELOW]
    while child:
        nodes_of[links[child * LINKS + MOVE]] = child
        child = links[child * LINKS + BESIDE]
    chosen = -1
    for place in range(width):
        child = nodes_of[moves[place]]
        if not child:
            chosen = place
            break
        links[child * LINKS + SEEN] += 1
    if chosen < 0:
        most = -1e300
        for place in range(width):
            child = nodes_of[moves[place]]
            visits, seen = links[child * LINKS + VISITS], links[child * LINKS + SEEN]
            # Of moves that are not always legal counts how often they were, not how often anything was.
            value = sums[child * SUMS + TOTAL] / visits + exploring * sqrt(log(seen + 1) / visits)
            if value > most:
                most, chosen = value, place
    child = links[node * LINKS + BELOW]
    while child:
        nodes_of[links[child * LINKS + MOVE]] = 0
        child = links[child * LINKS + BESIDE]
    return chosen


def count_in(links: Row, sums: Floats, node: int, value: float, lead: float) -> None:
    """Counts what came of a node, for who made its move."""
    links[node * LINKS + VISITS] += 1
    sums[node * SUMS + TOTAL] += value
    sums[node * SUMS + LEAD] += lead
    sums[node * SUMS + SQUARES] += lead * lead
