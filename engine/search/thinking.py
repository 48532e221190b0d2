"""Values of legal moves, given the knowledge of the player to move: proved, or estimated in sampled worlds."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import Final

import msgspec
from msgspec.structs import replace

from ccgrid.engine.game import State
from ccgrid.engine.search.proving import (
    NO_CLOCK,
    Clock,
    OutOfTimeError,
    Solver,
    move_values,
    reaches,
    spent_seconds,
)
from ccgrid.engine.search.tree import Node, SearchTree

BIAS: Final = 0.3
PERFECT_INFORMATION_BIAS: Final = 1.0
"""The bias of means as a multiple of the standard deviation of single games: no player plays perfectly in a tree that
ends in playouts. It is larger with perfect information, because there is no luck. With these numbers 95 of 100 moves
of grid, and of matrix for two, are within two errors of their value."""

_SHALLOW_TREE_ERROR: Final = 2.0
"""The error added for a shallow tree: this number divided by the root of the move's visits while the tree grew."""

_POOLED_GAMES: Final = 8
"""The number of pooled games of all moves that are added to a move's own when its standard deviation is estimated."""

_TREE_TIME_SHARE: Final = 0.6
"""Share of the time budget for growing the tree; the rest estimates move values."""
_MIN_VISITS_PER_MOVE: Final = 2
"""The minimum number of tries of each move if playouts are counted instead of seconds."""


_CLOCK_CHECK_SECONDS: Final = 0.002
"""The maximum time, in seconds, between two checks of the clock, approximately."""


class Estimate(msgspec.Struct, frozen=True):
    """A move's value for the player who makes it: the final lead over the best opponent, in points.

    Attributes:
        stderr: its standard error, including the bias of the tree; null if the value is proved.
    """

    move: str
    value: float
    stderr: float | None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The values of the legal moves of a position, the best first.

    Attributes:
        exact: Whether all of them are proved.
        known: Whether they tell the moves apart; if not, there was too little time, and `best` is as good as any.
    """

    player: str
    exact: bool
    known: bool
    best: str
    moves: list[Estimate]


@dataclass(frozen=True, slots=True)
class Thought:
    """The values of the moves of one position, the best first; `is_exact` if all of them are proved."""

    player: str
    is_exact: bool
    moves: tuple[Estimate, ...]

    @property
    def has_integer_values(self) -> bool:
        """Whether all values are integers; otherwise they are averages."""
        return all(one.value % 1 == 0 for one in self.moves)

    @property
    def is_known(self) -> bool:
        """Whether the values tell moves apart: false if too little time left all estimates equal."""
        return self.is_exact or len(self.moves) == 1 or self.moves[0].value != self.moves[-1].value

    @property
    def best(self) -> Estimate:
        """The best move; among equal proved moves the alphabetically first."""
        return self.moves[0]

    def answer(self) -> Advice:
        """Return the values that `advise --json` prints."""
        best, moves = self.best.move, list(self.moves)
        return Advice(player=self.player, exact=self.is_exact, known=self.is_known, best=best, moves=moves)


def prove_in_time(state: State, solver: Solver[State] | None, clock: Clock) -> Thought | None:
    """Return the proved values of all moves, or None if hidden cards matter or the time is not enough."""
    if solver is None or solver.refusal(state):
        return None
    try:
        values = move_values(state, solver.searcher(state), clock)
    except OutOfTimeError:
        return None
    return exact_thought(state, values)


def prove_best_move(state: State, solver: Solver[State], clock: Clock) -> str | None:
    """Return a move with the best result and, if time allows, the best lead; None if not even the result is proved.

    With enough time it is the alphabetically first such move.
    """
    searcher = solver.searcher(state)
    low, high = searcher.reach(state)
    after = {move: state.play_unchecked(move) for move in state.legal_moves()}
    # Test for a win, then a draw, then bisect the lead, so that the result is known first if time runs out.
    best, bound = list(after), 1  # moves in `best` are worth at least `low`; test for a win first
    found: str | None = None
    try:
        while low < high:
            good = []
            for move in best:
                if reaches(after[move], bound, searcher, clock, stays=after[move].to_move == state.to_move):
                    good.append(move)
                    # A winning move is an answer before it is known whether others win as well.
                    found = good[0] if bound > 0 else found
            if good:
                best, low = good, max(low, bound)
                # A bound below 0 is informative only if no better result is possible: then every move loses.
                found = good[0] if bound >= 0 or high < 0 else found
            else:
                high = min(high, bound - 1)
            # Once a win is excluded, test for a draw; otherwise take the middle of the bounds, rounded up.
            bound = 0 if low < 0 <= high else (low + high + 1) // 2
    except OutOfTimeError:
        return found
    return best[0]


def exact_thought(state: State, values: Mapping[str, float]) -> Thought:
    """Return a thought for proved values of all moves."""
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return Thought(_player(state), True, tuple(Estimate(move, value, None) for move, value in ordered))


def most_visited_move(tree: SearchTree, rounds: int | None, clock: Clock) -> str:
    """Return the most visited move of a search for wins; ties go to the higher total value."""
    if tree.only is not None:
        # A single candidate needs no playout.
        return tree.only
    grow(tree, rounds, clock)
    tried = tree.tried()
    # Compare visits, not means: the mean of a rarely tried move may be luck. `sorted` breaks remaining ties by name.
    return max(sorted(tried), key=lambda move: (tried[move].visits, tried[move].total))


def grow(tree: SearchTree, rounds: int | None, clock: Clock, *, by_lead: bool = False) -> None:
    """Grow a tree by a number of playouts, or until the deadline, but by at least one."""
    done, count = 0, 1
    while (rounds is None or done < rounds) and not (done and clock.is_over):
        # Not more playouts than requested; with only a deadline, the number that the last interval allowed.
        count = min(count, (rounds or done + count) - done)
        start = spent_seconds() if clock.end is not None else 0.0
        tree.grow(count, by_lead=by_lead)
        done += count
        # Double the number per call while it takes less than half the interval between two checks.
        if clock.end is None or spent_seconds() - start < _CLOCK_CHECK_SECONDS / 2:
            count = min(2 * count, tree.rounds_per_call)


def estimate_moves(state: State, tree: SearchTree, rounds: int | None, clock: Clock = NO_CLOCK) -> Thought:
    """Estimate the values of all moves: grow a tree, then try each move in turn, with all players playing by the tree.

    A move without enough time has its value from the growth of the tree, or else the worst value.
    """
    growing = None if rounds is None else int(rounds * _TREE_TIME_SHARE)
    grow(tree, growing, clock.part(_TREE_TIME_SHARE), by_lead=True)
    grown = tree.tried()
    legal = tree.moves
    found = {move: Node() for move in legal}
    measuring = (
        None if rounds is None else max(rounds - int(rounds * _TREE_TIME_SHARE), _MIN_VISITS_PER_MOVE * len(legal))
    )
    done = 0
    while (measuring is None or done < measuring) and not clock.is_over:
        # Try every move in turn in each world: whenever time runs out, all were tried in about the same worlds.
        number, place = divmod(done, len(legal))
        node = found[legal[place]]
        lead = tree.lead(legal[place], number)
        node.visits, node.lead, node.squares = node.visits + 1, node.lead + lead, node.squares + lead * lead
        done += 1
    # A single game has no standard deviation; use the result from the growth of the tree instead.
    tried = {move: node if node.visits > 1 else grown.get(move, node) for move, node in found.items()}
    means = {move: node.mean() for move, node in tried.items() if node.visits}
    # Infinite errors are limited to the largest mean, or a clear lead.
    worst, widest = min(means.values()), max(tree.scale, *(abs(mean) for mean in means.values()))
    bias, spread = PERFECT_INFORMATION_BIAS if state.is_open(state.to_move) else BIAS, _spread(tried.values())
    estimates = [
        Estimate(move, means.get(move, worst), min(_error(node, grown.get(move, node), spread, bias), widest))
        for move, node in tried.items()
    ]
    by_move = {one.move: one for one in estimates}
    estimates += [replace(by_move[listed], move=move) for move, listed in tree.equivalents.items()]
    return Thought(_player(state), False, tuple(sorted(estimates, key=lambda one: (-one.value, one.move))))


def _error(node: Node, grown: Node, pooled_spread: float, bias: float) -> float:
    """Return the standard error of a mean, including its bias, which more tries do not reduce.

    Args:
        node: The results of the move.
        grown: Its results while the tree grew, which include more than the final play.
        pooled_spread: The standard deviation of single games of all moves.
        bias: The bias as a multiple of the standard deviation.
    """
    if node.visits < 2:
        return inf
    own = max(node.spread(), grown.spread())
    # Shrink the variance towards that of all moves, as if `_POOLED_GAMES` of their games were games of this move.
    spread = sqrt((node.visits * own**2 + _POOLED_GAMES * pooled_spread**2) / (node.visits + _POOLED_GAMES))
    # Independent errors add up by their squares.
    return spread * hypot(1 / sqrt(node.visits - 1), bias, _SHALLOW_TREE_ERROR / sqrt(grown.visits + 1))


def _spread(nodes: Collection[Node]) -> float:
    """Return the pooled standard deviation of single games from the mean of their move."""
    # Convert standard deviations back to sums of squares; each move's mean takes one degree of freedom.
    squares = sum(node.visits * node.spread() ** 2 for node in nodes)
    return sqrt(squares / max(sum(max(node.visits - 1, 0) for node in nodes), 1))


def _player(state: State) -> str:
    return state.players[state.to_move]
