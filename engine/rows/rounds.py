"""The rounds of a search on a core: games played on in worlds that are drawn, and counted in one tree of moves.

The tree is that of `engine.search.thinking` in rows of numbers: a node is a move, a small whole number, below another.

    links   LINKS whole numbers a node
            first below | next beside | move | tried | legal | first turned up
    sums    SUMS decimal numbers a node: what came of it in all for who made it
            games | points of lead | these squared

Node 0 is the root, whose second number counts the nodes.
"""

from math import log, sqrt
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.core import (
    SEAT,
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
"""Only the best-looking moves are tried: 4, and as many more as the root of the visits (progressive widening)."""

ENOUGH: Final = 16
"""The visits after which a line with the cards turned up chooses the reply, and no longer the line without them."""

GREEDY_OF: Final = 2
"""With three or four players, one in this many moves of others is greedy, the rest are best for them in the tree.

In grid for three, with a thousand rounds a move, that took 40.5 % from greedy players (always greedy: 40.4, always the
best: 39.4), and 36.2 % from others that think (the best: 34.6), where 33.3 is even; standard errors are 0.6.
"""

MOST_COUNTED: Final = 6
"""The most numbers in `path` for a move: three nodes, each with who moved."""


NODES_A_ROUND: Final = 3
"""The most nodes that a round adds: for a move, for what it turned up, and for the answer to that."""


class Search(NamedTuple):
    """The tree that rounds are counted in, and room for one round after the other.

    Attributes:
        dice: the dice of the worlds.
        links, sums, nodes_of: the rows of the tree.
        s: room for a position.
        moves, promises: room for the moves of a position.
        at_root: room for those that the search began with.
        path: room for the nodes of a round, and for who moved there.
        points, worths: room for what came of a round for each seat.
    """

    dice: Seeds
    links: Row
    sums: Floats
    nodes_of: Row
    s: Row
    moves: Row
    promises: Row
    at_root: Row
    path: Row
    points: Floats
    worths: Floats


class Ways(NamedTuple):
    """How rounds are played.

    Attributes:
        rounds: how many.
        first: the move that is played first, or -1.
        number: the number of the world, or -1.
        exploring: how much it counts that a move was seldom tried.
        scale: a lead in points that is a clear one.
        by_lead: a number that is not 0 where everybody wants points ahead, and not to win by however much.
    """

    rounds: int
    first: int
    number: int
    exploring: float
    scale: float
    by_lead: int


def draw_world(table: Any, start: Row, hidden: Any, search: Search) -> None:
    """Goes back to the position, and draws what is hidden."""
    copy(search.s, 0, start, 0, len(start))
    deal_unseen(table, search.s, hidden, search.dice)


def play_rounds(table: Any, start: Row, hidden: Any, search: Search, ways: Ways) -> float:
    """Plays rounds, and gives the lead in points of who is to move in the last one.

    In each a world is drawn, the tree is descended to where it ends, one move is added, and the game is played on.

    Args:
        table: the table of the core.
        start: the position.
        hidden: what is drawn from.
        search: the tree and room.
        ways: how rounds are played.
    """
    dice, links, sums, nodes_of = search.dice, search.links, search.sums, search.nodes_of
    s, moves, promises, at_root, path = search.s, search.moves, search.promises, search.at_root, search.path
    points, worths = search.points, search.worths
    # World 0 stands in for all: what who is to move may do here does not depend on what they cannot see.
    fork(dice, 0)
    draw_world(table, start, hidden, search)
    seat, count_at_root = s[SEAT], search_moves(table, s, moves, promises)
    copy(at_root, 0, moves, 0, count_at_root)
    for _ in range(ways.rounds):
        move = ways.first
        if move < 0:
            move = at_root[choice(links, sums, 0, at_root, count_at_root, ways.exploring, nodes_of)]
        # Two lines go down the tree: `node` by moves alone, `own` also by what each of them turned up. `own` is 0 where
        # that line has ended, and both are the same node until something is turned up.
        node, own, child, deep = 0, 0, child_of(links, 0, move, CHILD), 0
        # The tree ends where the path is full. `path` has node, mover, node, mover …
        plies = len(path) // MOST_COUNTED
        # A move that was tried n times was tried in worlds 0 to n - 1: all moves are tried in the same worlds.
        tried = links[child * LINKS + VISITS] if child else 0
        fork(dice, tried if ways.number < 0 else ways.number)
        draw_world(table, start, hidden, search)
        while True:
            # `s[SEAT]` is read before the move: what comes of a node counts for who made its move.
            mover, is_split, is_new = s[SEAT], own != node, child == 0
            if is_new:
                child = add_child(links, node, move, CHILD)  # 0 where there is no room: then nothing is counted there
            path[deep], path[deep + 1] = child, mover
            deep += 2
            node = child
            own_is_new = is_new
            if is_split and own:
                child = child_of(links, own, move, CHILD)
                own_is_new = child == 0
                own = add_child(links, own, move, CHILD) if own_is_new else child
                path[deep], path[deep + 1] = own, mover
                deep += 2
            elif not is_split:
                own = node
            before = reveal_count(table, s)
            # On the new node's move the tree ends: what follows is played on.
            play(table, s, move)
            plies -= 1
            if is_new or plies == 0 or over(table, s) >= 0:
                break
            what = reveal_code(table, s, before)
            # A node that is new has nothing below it to choose by: that line ends here.
            if own_is_new:
                own = 0
            elif what and own:
                child = child_of(links, own, what, REVEAL)
                own = child if child else add_child(links, own, what, REVEAL)
                path[deep], path[deep + 1] = own, mover
                deep += 2
            count = search_moves(table, s, moves, promises)
            # `moves` are sorted: the first one alone is what a greedy player makes.
            if len(points) > 2 and s[SEAT] != seat and below(dice, GREEDY_OF) == 0:
                count = 1
            # The replies to what was turned up, once they were tried often enough; else those to the moves alone.
            chooser = own if links[own * LINKS + VISITS] >= ENOUGH and own else node
            move = moves[choice(links, sums, chooser, moves, count, ways.exploring, nodes_of)]
            child = child_of(links, node, move, CHILD)
        finish(table, s, moves, promises, dice)
        judge(table, s, ways.scale, points, worths)
        # Node 0 is in no path: it is the position, and nobody moved there.
        links[VISITS] += 1
        for place in range(0, deep, 2):
            if path[place]:
                mover = path[place + 1]
                ahead = lead(points, mover)
                # Leads of -2 to 2 times `scale` are 0 to 1, as in `thinking`; a straight line, so that the mean lead
                # decides.
                value = 0.5 + ahead / (4.0 * ways.scale) if ways.by_lead else worths[mover]
                count_in(links, sums, path[place], value, ahead)
    return lead(points, seat)


# --- the tree ---


def child_of(links: Row, node: int, move: int, kind: int) -> int:
    """The node of a move below another, or of what was turned up, or 0; `kind` is `CHILD` or `REVEAL`."""
    child = links[node * LINKS + kind]
    while child and links[child * LINKS + MOVE] != move:
        child = links[child * LINKS + SIBLING]
    return child


def add_child(links: Row, node: int, move: int, kind: int) -> int:
    """A new node of a move below another, or of what was turned up, or 0 where there is no room."""
    # The root has no sibling: its number counts the nodes that there are.
    child = links[SIBLING] + 1
    if (child + 1) * LINKS > len(links):
        return 0
    links[SIBLING] = child
    links[child * LINKS + MOVE] = move
    # Put in front of its siblings: the order of children does not matter.
    links[child * LINKS + SIBLING] = links[node * LINKS + kind]
    links[node * LINKS + kind] = child
    return child


def choice(links: Row, sums: Floats, node: int, moves: Row, count: int, exploring: float, nodes_of: Row) -> int:
    """The place of the move to descend by: the first that was never tried, else the one that promises most.

    `nodes_of` has room for a number for each move, all 0, and is so again in the end.
    """
    # Progressive widening: with more visits more of the moves are tried.
    width = min(count, WIDTH + int(WIDENING * sqrt(links[node * LINKS + VISITS])))
    child = links[node * LINKS + CHILD]
    # Children are a list: put down by move, so that each of `moves` finds its node at once.
    while child:
        nodes_of[links[child * LINKS + MOVE]] = child
        child = links[child * LINKS + SIBLING]
    chosen = -1
    for place in range(width):
        # Untried moves come first, in the order in which they look best.
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
            # Of moves that are not always legal counts how often they were, not how often anything was.
            # UCB1: the mean, and more the less a move was tried.
            value = sums[child * SUMS + TOTAL] / visits + exploring * sqrt(log(seen + 1) / visits)
            if value > most:
                most, chosen = value, place
    child = links[node * LINKS + CHILD]
    while child:
        nodes_of[links[child * LINKS + MOVE]] = 0
        child = links[child * LINKS + SIBLING]
    return chosen


def count_in(links: Row, sums: Floats, node: int, value: float, lead: float) -> None:
    """Counts what came of a node, for who made its move."""
    links[node * LINKS + VISITS] += 1
    sums[node * SUMS + TOTAL] += value
    sums[node * SUMS + LEAD] += lead
    sums[node * SUMS + SQUARES] += lead * lead
