"""Playouts of a search on a core: games in sampled worlds, counted in one tree of moves.

The tree of `engine.search.tree` is in rows of numbers: a node, a small integer, is a move below another node.

    links   LINKS integers per node
            first child | next sibling | move | visits | times legal | first revealed
    sums    SUMS floats per node: summed results for the player who made the move
            value of games | lead in points | squared lead

Node 0 is the root: its second number counts the nodes, and its third one its legal moves, once they are listed.
"""

from math import log, sqrt
from typing import Final, NamedTuple

from ccgrid.engine.rows.core import (
    SEAT,
    Hidden,
    Table,
    deal_unseen,
    finish,
    judge,
    lead,
    over,
    play,
    reveal_code,
    reveal_count,
    search_moves,
)
from ccgrid.engine.rows.dealing import below, fork
from ccgrid.engine.rows.row import Floats, Row, Seeds, copy

LINKS: Final = 6
CHILD, SIBLING, MOVE, VISITS, TIMES_LEGAL, REVEAL = range(LINKS)
SUMS: Final = 3
TOTAL, LEAD, SQUARES = range(SUMS)

WIDTH: Final = 4
WIDENING: Final = 1.0
"""Progressive widening: only the most promising 4 + sqrt(visits) moves are tried."""

ENOUGH: Final = 16
"""The visits from which a node that includes revealed cards chooses the reply, instead of the node without them."""

GREEDY_OF: Final = 2
"""With three or four players, one in this many opponents' moves is greedy; the others are the best in the tree.

In grid for three, with 1,000 playouts per move, this won 40.5 % against greedy players (always greedy: 40.4, always the
best: 39.4), and 36.2 % against other searches (always the best: 34.6); 33.3 is even, standard errors are 0.6.
"""

MOST_COUNTED: Final = 6
"""The maximum number of entries in `path` per move: three nodes, each with the player who moved."""


NODES_PER_ROUND: Final = 3
"""The maximum number of nodes that a playout adds: for a move, for cards that it reveals, and for the reply to
these."""


class Search(NamedTuple):
    """The tree and buffers for playouts.

    Attributes:
        dice: The random number generator of the worlds.
        links, sums, nodes_of: The rows of the tree.
        s: A buffer for a position.
        moves, priorities: Buffers for the moves of a position.
        at_root: The moves of the root, once they are listed.
        path: A buffer for the nodes of a playout and the players who moved there.
        points, worths: Buffers for a playout's result for each seat.
    """

    dice: Seeds
    links: Row
    sums: Floats
    nodes_of: Row
    s: Row
    moves: Row
    priorities: Row
    at_root: Row
    path: Row
    points: Floats
    worths: Floats


class SearchSettings(NamedTuple):
    """Settings of playouts.

    Attributes:
        rounds: The number of playouts.
        first: The move to play first, or -1 for any.
        number: The number of the world, or -1 to count up with the visits of the move.
        exploring: The weight of exploration.
        scale: A clear lead in points.
        by_lead: Nonzero if all players maximise their lead instead of their chance of winning.
    """

    rounds: int
    first: int
    number: int
    exploring: float
    scale: float
    by_lead: int


def draw_world(table: Table, start: Row, hidden: Hidden, search: Search) -> None:
    """Return to the position and sample the hidden cards."""
    copy(search.s, 0, start, 0, len(start))
    deal_unseen(table, search.s, hidden, search.dice)


def play_rounds(table: Table, start: Row, hidden: Hidden, search: Search, settings: SearchSettings) -> float:
    """Run playouts and return the lead, in points, of the player to move in the last one.

    Each samples a world, descends the tree to a leaf, adds one move, and plays out the game.

    Args:
        table: The table of the core.
        start: The position.
        hidden: The data from which hidden cards are drawn.
        search: The tree and buffers.
        settings: The settings.
    """
    dice, links, sums, nodes_of = search.dice, search.links, search.sums, search.nodes_of
    s, moves, priorities, at_root, path = search.s, search.moves, search.priorities, search.at_root, search.path
    points, worths = search.points, search.worths
    seat = start[SEAT]
    if links[MOVE] == 0:
        # World 0 represents all worlds: the legal moves here do not depend on hidden cards.
        fork(dice, 0)
        draw_world(table, start, hidden, search)
        links[MOVE] = search_moves(table, s, moves, priorities)
        copy(at_root, 0, moves, 0, links[MOVE])
    for _ in range(settings.rounds):
        move = settings.first
        if move < 0:
            move = at_root[choice(links, sums, 0, at_root, links[MOVE], settings.exploring, nodes_of)]
        # Two lines descend the tree: `node` by moves only, `own` also by the cards that each move reveals. `own` is 0
        # after its line has ended; both are the same node until something is revealed.
        node, own, child, deep = 0, 0, find_child(links, 0, move, CHILD), 0
        # The tree ends when the path is full. `path` alternates node and mover.
        plies = len(path) // MOST_COUNTED
        # A move with n visits has been tried in worlds 0 to n - 1, so that all moves are tried in the same worlds.
        tried = links[child * LINKS + VISITS] if child else 0
        fork(dice, tried if settings.number < 0 else settings.number)
        draw_world(table, start, hidden, search)
        while True:
            # `s[SEAT]` is read before the move: a node counts results for the player who makes its move.
            mover, is_split, is_new = s[SEAT], own != node, child == 0
            if is_new:
                child = add_child(links, node, move, CHILD)  # 0 if the tree is full: then nothing is counted there
            path[deep], path[deep + 1] = child, mover
            deep += 2
            node = child
            own_is_new = is_new
            if is_split and own:
                child = find_child(links, own, move, CHILD)
                own_is_new = child == 0
                own = add_child(links, own, move, CHILD) if own_is_new else child
                path[deep], path[deep + 1] = own, mover
                deep += 2
            elif not is_split:
                own = node
            before = reveal_count(table, s)
            # At the move of a new node the tree ends, and a playout follows.
            play(table, s, move)
            plies -= 1
            if is_new or plies == 0 or over(table, s) >= 0:
                break
            what = reveal_code(table, s, before)
            # A new node has no children to choose from: its line ends here.
            if own_is_new:
                own = 0
            elif what and own:
                child = find_child(links, own, what, REVEAL)
                own = child if child else add_child(links, own, what, REVEAL)
                path[deep], path[deep + 1] = own, mover
                deep += 2
            count = search_moves(table, s, moves, priorities)
            # `moves` are sorted: the first one is the greedy move.
            if len(points) > 2 and s[SEAT] != seat and below(dice, GREEDY_OF) == 0:
                count = 1
            # Choose among replies to the revealed cards after enough visits; before, among replies to the moves only.
            chooser = own if links[own * LINKS + VISITS] >= ENOUGH and own else node
            move = moves[choice(links, sums, chooser, moves, count, settings.exploring, nodes_of)]
            child = find_child(links, node, move, CHILD)
        finish(table, s, moves, priorities, dice)
        judge(table, s, settings.scale, points, worths)
        # Node 0 is not in the path: it is the position, without a move.
        links[VISITS] += 1
        for place in range(0, deep, 2):
            if path[place]:
                mover = path[place + 1]
                ahead = lead(points, mover)
                # Leads of -2 to 2 times `scale` become 0 to 1: about the spread of wins and losses, so that
                # `exploring` still fits; linear, so that the mean lead decides.
                value = 0.5 + ahead / (4.0 * settings.scale) if settings.by_lead else worths[mover]
                count_in(links, sums, path[place], value, ahead)
    return lead(points, seat)


# --- the tree ---


def find_child(links: Row, node: int, move: int, kind: int) -> int:
    """Return the child node of a move, or of revealed cards, or 0; `kind` is `CHILD` or `REVEAL`."""
    child = links[node * LINKS + kind]
    while child and links[child * LINKS + MOVE] != move:
        child = links[child * LINKS + SIBLING]
    return child


def add_child(links: Row, node: int, move: int, kind: int) -> int:
    """Add and return a child node of a move, or of revealed cards; return 0 if the tree is full."""
    # The root has no sibling: its field counts the nodes.
    child = links[SIBLING] + 1
    if (child + 1) * LINKS > len(links):
        return 0
    links[SIBLING] = child
    links[child * LINKS + MOVE] = move
    # Insert at the front of the siblings: their order does not matter.
    links[child * LINKS + SIBLING] = links[node * LINKS + kind]
    links[node * LINKS + kind] = child
    return child


def choice(links: Row, sums: Floats, node: int, moves: Row, count: int, exploring: float, nodes_of: Row) -> int:
    """Return the index of the move for the descent: the first without visits, else the one with the highest UCB.

    `nodes_of` has an entry for each move; all are 0 before and after the call.
    """
    # Progressive widening: more visits allow more moves.
    width = min(count, WIDTH + int(WIDENING * sqrt(links[node * LINKS + VISITS])))
    child = links[node * LINKS + CHILD]
    # Children are a linked list: index them by move for constant-time access.
    while child:
        nodes_of[links[child * LINKS + MOVE]] = child
        child = links[child * LINKS + SIBLING]
    chosen = -1
    for place in range(width):
        # Moves without visits come first, in the order of their priority.
        child = nodes_of[moves[place]]
        if not child:
            chosen = place
            break
        links[child * LINKS + TIMES_LEGAL] += 1
    if chosen < 0:
        most = -1e300
        for place in range(width):
            child = nodes_of[moves[place]]
            visits, seen = links[child * LINKS + VISITS], links[child * LINKS + TIMES_LEGAL]
            # UCB1: the mean plus a bonus for few visits. Count how often the move was legal instead of all visits,
            # because a move need not be legal in every world.
            value = sums[child * SUMS + TOTAL] / visits + exploring * sqrt(log(seen + 1) / visits)
            if value > most:
                most, chosen = value, place
    child = links[node * LINKS + CHILD]
    while child:
        nodes_of[links[child * LINKS + MOVE]] = 0
        child = links[child * LINKS + SIBLING]
    return chosen


def count_in(links: Row, sums: Floats, node: int, value: float, lead: float) -> None:
    """Update a node with a playout's result, from the point of view of the player who made the move."""
    links[node * LINKS + VISITS] += 1
    sums[node * SUMS + TOTAL] += value
    sums[node * SUMS + LEAD] += lead
    sums[node * SUMS + SQUARES] += lead * lead
