"""Tree search over sampled worlds: what moves are worth where something is hidden, by playing on many times.

One tree is shared by all worlds that are drawn (its nodes are moves, not positions), so that nobody in it plays by what
they cannot see. In every round a world is drawn, the tree is descended to where it ends, one move is added to it, and
the game is played on to its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt
from types import MappingProxyType
from typing import Any, Final, Protocol

from ccgrid.engine.dice import Dice
from ccgrid.engine.rows.rounds import GREEDY_OF

MARGIN: Final = 0.25
"""So much of what a game is worth is by how much it is won, the rest whether it is."""

MOST_NODES: Final = 1 << 21
"""So many nodes a tree has at most, with its root (some 500 MB in plain Python, 130 MB in rows); then none is added."""

_WIDTH: Final = 4
_WIDENING: Final = 1.0
"""So many moves are tried, those that look best, and with the root of how often they were so many times more."""


class World(Protocol):
    """A game of which what is hidden is drawn anew, from one position on; moves are whatever hashes.

    Attributes:
        seats: how many play.
        seat: who is to move.
        scale: a lead of so many points is a clear one.
        exploring: how much it counts for a move that it was seldom tried.
    """

    seats: int
    seat: int
    scale: float
    exploring: float

    def begin(self, dice: Dice) -> None:
        """Goes back to the position, and draws what is hidden."""

    def legal(self) -> Sequence[Any]:
        """The legal moves, those that look best first; none when the game is over."""

    def play(self, move: Any) -> None:
        """Plays a legal move."""

    def name(self, move: Any) -> str:
        """A move as records write it."""

    def finish(self, dice: Dice) -> Sequence[float]:
        """Plays on to where it can be told how the game ends, and gives each seat's points there."""


@dataclass(slots=True)
class Node:
    """A move in the tree: how often it was tried, and what came of it for who made it, added up.

    `total` is in what games are worth, 0 to 1; `lead` in points ahead of the best of the others, `squares` these
    squared; `seen` how often it was legal.
    """

    visits: int = 0
    total: float = 0.0
    lead: float = 0.0
    squares: float = 0.0
    seen: int = 0
    children: "dict[Any, Node]" = field(default_factory=dict)

    def mean(self) -> float:
        """The lead to be expected, in points."""
        return self.lead / self.visits if self.visits else 0.0

    def spread(self) -> float:
        """How far single games are from that: the standard deviation."""
        return sqrt(max(self.squares / self.visits - self.mean() ** 2, 0.0)) if self.visits else 0.0

    def error(self) -> float:
        """The standard error of that; of a move tried once or never it is not known."""
        return self.spread() / sqrt(self.visits - 1) if self.visits > 1 else inf


def leads(scores: Sequence[float]) -> list[float]:
    """Every seat's points ahead of the best of the others.

    >>> leads([7, 4, 5])
    [2, -3, -2]
    """
    first, second = sorted(scores, reverse=True)[:2]
    return [score - (second if score == first else first) for score in scores]


def worth(lead: float, scale: float, leaders: int) -> float:
    """What an ending is worth to a seat with this lead, 0 to 1: mostly whether it wins, a little by how much.

    >>> worth(40, 40, 1), worth(0, 40, 2), worth(-40, 40, 1)
    (1.0, 0.5, 0.0)
    """
    share = 1 / leaders if lead == 0 else float(lead > 0)
    return (1 - MARGIN) * share + MARGIN * (1 + min(max(lead / scale, -1.0), 1.0)) / 2


class WorldTree:
    """A tree over the worlds of one position.

    Every move of the position is tried in the same worlds in the same order, so that luck weighs on all of them alike.

    Attributes:
        scale: a lead of so many points is a clear one.
        only: the one move that is worth looking at, if there is no other.
        at_once: so many rounds are played at most before the clock is looked at.
        most_nodes: so many nodes it has at most.
    """

    only: str | None = None
    alike: Mapping[str, str] = MappingProxyType({})
    at_once: int = 1
    most_nodes: int = MOST_NODES

    def __init__(self, world: World, dice: Dice) -> None:
        self.scale = world.scale
        self._world = world
        self._dice = dice
        self._root = Node()
        self._count = 1
        world.begin(dice.fork(0))
        self._legal = list(world.legal())
        self._named = {world.name(move): move for move in self._legal}

    @property
    def moves(self) -> list[str]:
        """The legal moves."""
        return list(self._named)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Plays so many rounds; with `by_lead` everybody wants points ahead, else to win, by however much."""
        for _ in range(rounds):
            self._round(None, None, self._world.exploring, by_lead=by_lead)

    def lead(self, move: str, number: int) -> float:
        """The lead of who is to move, in points, when a move is tried in the world of this number."""
        return self._round(self._named[move], number, 0.0, by_lead=True)

    def tried(self) -> dict[str, Node]:
        """What came of the moves that were tried."""
        return {self._world.name(move): node for move, node in self._root.children.items()}

    def _round(self, first: Any, number: int | None, exploring: float, *, by_lead: bool) -> float:
        """Draws a world, descends the tree, adds a move, and plays on."""
        root, world, path = self._root, self._world, []
        move = _choice(root, self._legal, exploring) if first is None else first
        found = root.children.get(move)
        dice = self._dice.fork((found.visits if found else 0) if number is None else number)
        world.begin(dice)
        mover, node = world.seat, root
        while True:
            is_new = found is None
            if found is None:
                found = Node()
                if self._count < self.most_nodes:
                    node.children[move] = found
                    self._count += 1
            path.append((world.seat, found))
            world.play(move)
            node = found
            if is_new or not (legal := world.legal()):
                break
            if world.seats > 2 and world.seat != mover and dice.below(GREEDY_OF) == 0:
                legal = legal[:1]
            move = _choice(node, legal, exploring)
            found = node.children.get(move)
        scores = world.finish(dice)
        ahead = leads(scores)
        if by_lead:
            values = [0.5 + lead / (4 * world.scale) for lead in ahead]
        else:
            leaders = list(scores).count(max(scores))
            values = [worth(lead, world.scale, leaders) for lead in ahead]
        root.visits += 1
        for seat, node in path:
            lead = ahead[seat]
            node.visits += 1
            node.total += values[seat]
            node.lead += lead
            node.squares += lead * lead
        return ahead[mover]


def _choice(node: Node, legal: Sequence[Any], exploring: float) -> Any:
    """The move to descend by: the first that was never tried, else the one that promises most."""
    children = node.children
    tried = []
    legal = legal[: _WIDTH + int(_WIDENING * sqrt(node.visits))]
    for move in legal:
        child = children.get(move)
        if child is None:
            return move
        child.seen += 1
        tried.append(child)
    # Of moves that are not always legal counts how often they were, not how often anything was.
    values = [child.total / child.visits + exploring * sqrt(log(child.seen + 1) / child.visits) for child in tried]
    return legal[values.index(max(values))]
