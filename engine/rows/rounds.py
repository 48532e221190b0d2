"""The rounds of a search on a core: games played on in worlds that are drawn, and counted in one tree of moves."""

from typing import Any, Final, NamedTuple

from engine.rows.core import SEAT, deal_unseen, finish, judge, lead, ordered, over, play, shown, turned_up
from engine.rows.dice import fork
from engine.rows.memory import copy
from engine.rows.row import Floats, Row, Seeds
from engine.rows.tree import BELOW, LINKS, SHOWN, VISITS, added, child_of, choice, count_in

ENOUGH: Final = 16
"""After so many rounds it is known better what to answer to the cards that were turned up than to any."""

MOST_COUNTED: Final = 6
"""So many numbers in `path` a move takes at most: three nodes, and who moved."""


NODES_A_ROUND: Final = 3
"""So many nodes a round adds at most: for a move, for what it turned up, and for the answer to that."""


class Search(NamedTuple):
    """The tree that rounds are counted in, and room for one round after the other.

    Attributes:
        dice: the dice of the worlds.
        links, sums, nodes_of: as of `engine.rows.tree`.
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
        scale: a lead of so many points is a clear one.
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
    fork(dice, 0)
    draw_world(table, start, hidden, search)
    seat, count_at_root = s[SEAT], ordered(table, s, moves, promises)
    copy(at_root, 0, moves, 0, count_at_root)
    for _ in range(ways.rounds):
        move = ways.first
        if move < 0:
            move = at_root[choice(links, sums, 0, at_root, count_at_root, ways.exploring, nodes_of)]
        node, own, child, deep = 0, 0, child_of(links, 0, move, BELOW), 0
        plies = len(path) // MOST_COUNTED
        # As often as a move was tried, so many worlds were drawn for it: the same ones for all moves.
        tried = links[child * LINKS + VISITS] if child else 0
        fork(dice, tried if ways.number < 0 else ways.number)
        draw_world(table, start, hidden, search)
        while True:
            mover, is_split, is_new = s[SEAT], own != node, child == 0
            if is_new:
                child = added(links, node, move, BELOW)  # 0 where there is no room: then nothing is counted there
            path[deep], path[deep + 1] = child, mover
            deep += 2
            node = child
            own_is_new = is_new
            if is_split and own:
                child = child_of(links, own, move, BELOW)
                own_is_new = child == 0
                own = added(links, own, move, BELOW) if own_is_new else child
                path[deep], path[deep + 1] = own, mover
                deep += 2
            elif not is_split:
                own = node
            before = turned_up(table, s)
            play(table, s, move)
            plies -= 1
            if is_new or plies == 0 or over(table, s) >= 0:
                break
            what = shown(table, s, before)
            if own_is_new:
                own = 0
            elif what and own:
                child = child_of(links, own, what, SHOWN)
                own = child if child else added(links, own, what, SHOWN)
                path[deep], path[deep + 1] = own, mover
                deep += 2
            count = ordered(table, s, moves, promises)
            chooser = own if links[own * LINKS + VISITS] >= ENOUGH and own else node
            move = moves[choice(links, sums, chooser, moves, count, ways.exploring, nodes_of)]
            child = child_of(links, node, move, BELOW)
        finish(table, s, moves, promises, dice)
        judge(table, s, ways.scale, points, worths)
        links[VISITS] += 1
        for place in range(0, deep, 2):
            if path[place]:
                mover = path[place + 1]
                ahead = lead(points, mover)
                value = 0.5 + ahead / (4.0 * ways.scale) if ways.by_lead else worths[mover]
                count_in(links, sums, path[place], value, ahead)
    return lead(points, seat)
