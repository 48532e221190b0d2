"""A naive version of the search tree, with nodes and dictionaries, on the readable rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.rows.core import MARGIN
from ccgrid.engine.rows.rounds import GREEDY_OF
from ccgrid.engine.search.state_core import EXPLORING, LONGEST_PLAYOUT, SCALE
from ccgrid.engine.worlds import sample_world


class NaiveWorld:
    """A sampled world of a position, with moves in canonical notation, and the seat to move."""

    def __init__(self, view: State) -> None:
        self._view = view.view(view.to_move)
        self._heuristic = find_game(view.game).heuristic
        self.seats = len(view.players)
        self.begin(Dice(0))

    def begin(self, dice: Dice) -> None:
        """Return to the position and sample the hidden cards."""
        self._state = sample_world(self._view, self._view.to_move, dice)
        self.seat, self._moves = self._state.to_move, 0

    def legal(self) -> list[str]:
        """Return the legal moves, the best by the heuristic first."""
        return sorted(self._state.legal_moves(), key=lambda move: (-self._heuristic(self._state, move), move))

    def play(self, move: str) -> None:
        """Play a legal move."""
        self._state = self._state.play_unchecked(move)
        self.seat, self._moves = self._state.to_move, self._moves + 1

    def finish(self, dice: Dice) -> Sequence[int]:
        """Play out the game with the highest heuristic values, ties broken at random, and return the points."""
        while self._moves < LONGEST_PLAYOUT and (moves := self._state.legal_moves()):
            values = {move: self._heuristic(self._state, move) for move in moves}
            self.play(dice.choose([move for move in moves if values[move] == max(values.values())]))
        return self._state.scores()


@dataclass(slots=True)
class Node:
    """A move in the tree: its number of visits, and sums of results from the point of view of the player who made it.

    `total` sums values of games, 0 to 1; `lead` sums leads over the best opponent, in points, and `squares` their
    squares; `seen` counts how often the move was legal.
    """

    visits: int = 0
    total: float = 0.0
    lead: float = 0.0
    squares: float = 0.0
    seen: int = 0
    children: "dict[Any, Node]" = field(default_factory=dict)


def leads(scores: Sequence[float]) -> list[float]:
    """Return every seat's lead over its best opponent.

    >>> leads([7, 4, 5])
    [2, -3, -2]
    """
    first, second = sorted(scores, reverse=True)[:2]
    # If the best score is shared, `second` equals it, so that these seats have a lead of 0.
    return [score - (second if score == first else first) for score in scores]


def worth(lead: float, scale: float, leaders: int) -> float:
    """Return the value of an ending for a seat, 0 to 1: mostly whether it wins, partly its lead.

    >>> worth(40, 40, 1), worth(0, 40, 2), worth(-40, 40, 1)
    (1.0, 0.5, 0.0)
    """
    share = 1 / leaders if lead == 0 else float(lead > 0)
    return (1 - MARGIN) * share + MARGIN * (1 + min(max(lead / scale, -1.0), 1.0)) / 2


class NaiveTree:
    """A search tree over sampled worlds of one position.

    Every move of the position is tried in the same sequence of worlds, so that luck affects all of them equally.
    """

    most_nodes = 1 << 21

    def __init__(self, world: NaiveWorld, dice: Dice) -> None:
        self._world = world
        self._dice = dice
        self._root = Node()
        self._count = 1
        # World 0, as in `engine.rows.rounds`, which forks the same generator in the same order.
        world.begin(dice.fork(0))
        self._legal = list(world.legal())
        self._named = {move: move for move in self._legal}

    @property
    def moves(self) -> list[str]:
        """The legal moves."""
        return list(self._named)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Run playouts; with `by_lead` all players maximise their lead, else their chance of winning."""
        for _ in range(rounds):
            self._round(None, None, EXPLORING, by_lead=by_lead)

    def lead(self, move: str, number: int) -> float:
        """Return the lead, in points, of the player to move after trying a move in the world of this number."""
        return self._round(self._named[move], number, 0.0, by_lead=True)

    def tried(self) -> dict[str, Node]:
        """Return the nodes of the moves tried so far."""
        return dict(self._root.children)

    def _round(self, first: Any, number: int | None, exploring: float, *, by_lead: bool) -> float:
        """Sample a world, descend the tree, add a move, and play out; return the lead of the player to move."""
        root, world, path = self._root, self._world, []
        move = _choice(root, self._legal, exploring) if first is None else first
        found = root.children.get(move)
        # A move with n visits has been tried in worlds 0 to n - 1.
        dice = self._dice.fork((found.visits if found else 0) if number is None else number)
        world.begin(dice)
        mover, node = world.seat, root
        while True:
            is_new = found is None
            if found is None:
                found = Node()
                # If the tree is full, the move is played but not counted.
                if self._count < self.most_nodes:
                    node.children[move] = found
                    self._count += 1
            path.append((world.seat, found))
            world.play(move)
            node = found
            if is_new or not (legal := world.legal()):
                break
            # See `rows.rounds.GREEDY_OF` for the measured benefit.
            if world.seats > 2 and world.seat != mover and dice.below(GREEDY_OF) == 0:
                legal = legal[:1]
            move = _choice(node, legal, exploring)
            found = node.children.get(move)
        scores = world.finish(dice)
        ahead = leads(scores)
        if by_lead:
            # Map leads of -2 to 2 times `scale` to 0 to 1: about the spread of wins and losses, so that `exploring`
            # still fits.
            values = [0.5 + lead / (4 * SCALE) for lead in ahead]
        else:
            leaders = list(scores).count(max(scores))
            values = [worth(lead, SCALE, leaders) for lead in ahead]
        root.visits += 1
        for seat, node in path:
            lead = ahead[seat]
            node.visits += 1
            node.total += values[seat]
            node.lead += lead
            node.squares += lead * lead
        return ahead[mover]


def _choice(node: Node, legal: Sequence[Any], exploring: float) -> Any:
    """Return the move for the descent: the first without visits, else the one with the highest upper bound (UCB)."""
    children = node.children
    tried = []
    # As in `rows.rounds.choice`, so that both trees grow alike.
    legal = legal[: 4 + int(sqrt(node.visits))]
    for move in legal:
        child = children.get(move)
        if child is None:
            # `legal` begins with the most promising move.
            return move
        child.seen += 1
        tried.append(child)
    # Count how often the move was legal instead of all visits: a move need not be legal in every world.
    values = [child.total / child.visits + exploring * sqrt(log(child.seen + 1) / child.visits) for child in tried]
    return legal[values.index(max(values))]
