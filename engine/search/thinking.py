"""What every legal move is worth, as far as who is to move can know: proved, or tried out in sampled worlds.

One tree is shared by all worlds that are drawn (its nodes are moves, not positions), so that nobody in it plays by what
they cannot see. In every round a world is drawn, the tree is descended to where it ends, one move is added to it, and
the game is played on to its end.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot, inf, log, sqrt
from types import MappingProxyType
from typing import Any, Final, Protocol, TypedDict

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.rows.rounds import GREEDY_OF
from ccgrid.engine.search.proving import NO_CLOCK, Clock, OutOfTimeError, Solver, move_values, reaches

MARGIN: Final = 0.25
"""So much of what a game is worth is by how much it is won, the rest whether it is."""

MOST_NODES: Final = 1 << 21
"""So many nodes a tree has at most, with its root (some 500 MB in plain Python, 130 MB in rows); then none is added."""

_WIDTH: Final = 4
_WIDENING: Final = 1.0
"""Only the best-looking moves are tried: 4, and as many more as the root of the visits (progressive widening)."""


class World(Protocol):
    """A game of which what is hidden is drawn anew, from one position on; moves are whatever hashes.

    Attributes:
        seats: how many play.
        seat: who is to move.
        scale: a lead in points that is a clear one.
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
    # Two of the best lead each other by nothing: the second of the sorted ones is as high.
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
        scale: a lead in points that is a clear one.
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
        # World 0, as in `engine.rows.rounds`: the same dice are forked in the same order there.
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
        # A move that was tried n times was tried in worlds 0 to n - 1.
        dice = self._dice.fork((found.visits if found else 0) if number is None else number)
        world.begin(dice)
        mover, node = world.seat, root
        while True:
            is_new = found is None
            if found is None:
                found = Node()
                # Without room it is played all the same, and counted nowhere.
                if self._count < self.most_nodes:
                    node.children[move] = found
                    self._count += 1
            path.append((world.seat, found))
            world.play(move)
            node = found
            if is_new or not (legal := world.legal()):
                break
            # `rows.rounds.GREEDY_OF` says what this was measured to be worth.
            if world.seats > 2 and world.seat != mover and dice.below(GREEDY_OF) == 0:
                legal = legal[:1]
            move = _choice(node, legal, exploring)
            found = node.children.get(move)
        scores = world.finish(dice)
        ahead = leads(scores)
        if by_lead:
            # Leads of -2 to 2 times `scale` are 0 to 1: about as far apart as wins and losses are, for the same
            # `exploring`.
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
    # As in `rows.rounds.choice`, so that both trees grow alike.
    legal = legal[: _WIDTH + int(_WIDENING * sqrt(node.visits))]
    for move in legal:
        child = children.get(move)
        if child is None:
            # `legal` begins with what looks best.
            return move
        child.seen += 1
        tried.append(child)
    # Of moves that are not always legal counts how often they were, not how often anything was.
    values = [child.total / child.visits + exploring * sqrt(log(child.seen + 1) / child.visits) for child in tried]
    return legal[values.index(max(values))]


BIAS: Final = 0.3
BIAS_IN_THE_OPEN: Final = 1.0
"""In a tree that ends where games are played on nobody plays best: by so much of how far single games differ from each
other means are off, and by more where nothing is hidden, as no luck is in it then. So 95 of 100 moves of grid, and of
matrix for two, lie within two errors of what they are worth."""

_UNTRIED: Final = 2.0
"""So much, divided by the root of how often a move was tried while the tree grew, is added: it is not deep yet."""

_BY_ALL: Final = 8
"""Of a move that was tried seldom, how far its games differ is not known: so many games of all moves stand in."""

_TO_GROW: Final = 0.6
"""So much of the time the tree may grow; the rest goes into measuring."""
_LEAST: Final = 2
"""So often at least every move is tried where rounds are counted and not seconds."""


_A_LOOK: Final = 0.002
"""So many seconds pass at most, about, before the clock is looked at again."""


class SearchTree(Protocol):
    """What grows while a player thinks about one position.

    Attributes:
        scale: a lead in points that is a clear one.
        only: the one move that is worth looking at, if there is no other.
        at_once: so many rounds are played at most before the clock is looked at.
        alike: the legal moves that are not in `moves`, each with the one there that plays alike.
    """

    scale: float
    alike: Mapping[str, str]
    only: str | None
    at_once: int

    @property
    def moves(self) -> Sequence[str]:
        """The legal moves, or one of those that are the same."""

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Plays so many rounds; with `by_lead` everybody wants points ahead, else to win, by however much."""

    def lead(self, move: str, number: int) -> float:
        """The lead of who is to move, in points, when a move is tried in the world of this number."""

    def tried(self) -> Mapping[str, Node]:
        """What came of the moves that were tried."""


class EstimateJson(TypedDict):
    """What a move is worth to who makes it, in points, with its standard error; null where it is proved."""

    move: str
    value: float
    stderr: float | None


class ThoughtJson(TypedDict):
    """What the legal moves of a position are worth, the best first; `exact` where all of it is proved."""

    player: str
    exact: bool
    best: str
    moves: list[EstimateJson]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one move is worth to who makes it: the lead over the best of the others in the end, in points.

    `error` is its standard error, and what a tree may be off by; `None` where it is proved.
    """

    move: str
    value: float
    error: float | None

    def to_dict(self) -> EstimateJson:
        """The estimate as scripts see it."""
        return {"move": self.move, "value": self.value, "stderr": self.error}


@dataclass(frozen=True, slots=True)
class Thought:
    """What is known of the moves of one position, the best first; `is_exact` where all of it is proved."""

    player: str
    is_exact: bool
    moves: tuple[Estimate, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all values are whole points: else they are averages."""
        return all(one.value % 1 == 0 for one in self.moves)

    @property
    def best(self) -> Estimate:
        """The best move; of equal ones that are proved the first by the alphabet."""
        return self.moves[0]

    def to_dict(self) -> ThoughtJson:
        """The thought as scripts see it: `advise --json`."""
        moves = [estimate.to_dict() for estimate in self.moves]
        return {"player": self.player, "exact": self.is_exact, "best": self.best.move, "moves": moves}


def proved(state: State, solver: Solver | None, clock: Clock) -> Thought | None:
    """What all moves are worth where that can be proved in time: nothing that is hidden may be needed for it."""
    if solver is None or solver.refusal(state):
        return None
    try:
        values = move_values(state, solver.searcher(state), clock)
    except OutOfTimeError:
        return None
    return thought_of(state, values)


def best_proved(state: State, solver: Solver, clock: Clock) -> str | None:
    """A move by which who is to move gets the best result, and the best lead of these as far as there is time.

    That is the first by the alphabet where there was time for all; none where not even the result is proved.
    """
    searcher = solver.searcher(state)
    low, high = searcher.reach(state)
    after = {move: state.play_unchecked(move) for move in state.legal_moves()}
    # A win, then a draw, then by halving how high: the result is known first, if time runs out.
    best, bound = list(after), 1  # `best` are worth `low` at least; at first it is asked which of them win
    found: str | None = None
    try:
        while low < high:
            good = []
            for move in best:
                if reaches(after[move], bound, searcher, clock, stays=after[move].to_move == state.to_move):
                    good.append(move)
                    # One move that wins is an answer, before it is known which others do.
                    found = good[0] if bound > 0 else found
            if good:
                best, low = good, max(low, bound)
                # A bound below 0 says something only where nothing better is left: then every move loses, by more or
                # less.
                found = good[0] if bound >= 0 or high < 0 else found
            else:
                high = min(high, bound - 1)
            # Once no win is possible: is it a draw? Else the middle between the bounds, rounded up.
            bound = 0 if low < 0 <= high else (low + high + 1) // 2
    except OutOfTimeError:
        return found
    return best[0]


def thought_of(state: State, values: Mapping[str, float]) -> Thought:
    """What is known of a position where the values of all moves are proved."""
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return Thought(_player(state), True, tuple(Estimate(move, value, None) for move, value in ordered))


def chosen(tree: SearchTree, rounds: int | None, clock: Clock) -> str:
    """The move that was tried most in a search for what wins the game; of equal ones what promises more."""
    if tree.only is not None:
        # Nothing to choose: no round is played.
        return tree.only
    grow(tree, rounds, clock)
    tried = tree.tried()
    # By visits, not by mean: a move that was seldom tried may owe its mean to luck. `sorted` settles ties by name.
    return max(sorted(tried), key=lambda move: (tried[move].visits, tried[move].total))


def grow(tree: SearchTree, rounds: int | None, clock: Clock, *, by_lead: bool = False) -> None:
    """Lets a tree grow by so many rounds, or until the clock ends, at least by one."""
    done, count = 0, 1
    while (rounds is None or done < rounds) and not (done and clock.is_over):
        # No more rounds than are wanted; with a clock alone as many as the last look allowed.
        count = min(count, (rounds or done + count) - done)
        start = time.perf_counter() if clock.end is not None else 0.0
        tree.grow(count, by_lead=by_lead)
        done += count
        # Twice as many at once, while that takes less than half the time between two looks.
        if clock.end is None or time.perf_counter() - start < _A_LOOK / 2:
            count = min(2 * count, tree.at_once)


def measured(state: State, tree: SearchTree, rounds: int | None, clock: Clock = NO_CLOCK) -> Thought:
    """What all moves are worth on average: a tree grows, then each move is tried in turn with everybody playing by it.

    A move for which there was no time has what it came to while the tree grew, or is worth no more than the worst.
    """
    growing = None if rounds is None else int(rounds * _TO_GROW)
    grow(tree, growing, clock.part(_TO_GROW), by_lead=True)
    grown = tree.tried()
    legal = tree.moves
    found = {move: Node() for move in legal}
    measuring = None if rounds is None else max(rounds - int(rounds * _TO_GROW), _LEAST * len(legal))
    done = 0
    while (measuring is None or done < measuring) and not clock.is_over:
        # Each world is given to every move in turn: whenever time runs out, all were tried in about the same worlds.
        number, place = divmod(done, len(legal))
        node = found[legal[place]]
        lead = tree.lead(legal[place], number)
        node.visits, node.lead, node.squares = node.visits + 1, node.lead + lead, node.squares + lead * lead
        done += 1
    # One game has no spread; what came of the move while the tree grew is better than that.
    tried = {move: node if node.visits > 1 else grown.get(move, node) for move, node in found.items()}
    means = {move: node.mean() for move, node in tried.items() if node.visits}
    # An error of infinity is cut to this: nothing here is further off than the largest mean, or a clear lead.
    worst, widest = min(means.values()), max(tree.scale, *(abs(mean) for mean in means.values()))
    bias, spread = BIAS_IN_THE_OPEN if state.is_open(state.to_move) else BIAS, _spread(tried.values())
    estimates = [
        Estimate(move, means.get(move, worst), min(_error(node, grown.get(move, node), spread, bias), widest))
        for move, node in tried.items()
    ]
    by_move = {one.move: one for one in estimates}
    estimates += [replace(by_move[listed], move=move) for move, listed in tree.alike.items()]
    return Thought(_player(state), False, tuple(sorted(estimates, key=lambda one: (-one.value, one.move))))


def _error(node: Node, grown: Node, of_all: float, bias: float) -> float:
    """The standard error of a mean, and with it how far the mean may be off however often a move is tried.

    `grown` is what came of the move while the tree grew: there is more in it than by what all play in the end. `of_all`
    is how far single games of all moves are from their means.
    """
    if node.visits < 2:
        return inf
    own = max(node.spread(), grown.spread())
    # The variance, shrunk towards that of all moves: as if `_BY_ALL` games of all moves had been seen with this one.
    spread = sqrt((node.visits * own**2 + _BY_ALL * of_all**2) / (node.visits + _BY_ALL))
    # Three errors that have nothing to do with each other add up by their squares.
    return spread * hypot(1 / sqrt(node.visits - 1), bias, _UNTRIED / sqrt(grown.visits + 1))


def _spread(nodes: Collection[Node]) -> float:
    """How far single games of all moves are from the mean of their move."""
    # Back from standard deviations to sums of squares; a degree of freedom less for each move's own mean.
    squares = sum(node.visits * node.spread() ** 2 for node in nodes)
    return sqrt(squares / max(sum(max(node.visits - 1, 0) for node in nodes), 1))


def _player(state: State) -> str:
    return state.players[state.to_move]
