"""Any game of two solved by its readable rules, as far from the end as there is time for: alpha-beta over `State`."""

from typing import Any, Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.search.proving import UNBOUNDED, Clock, Searcher, lead_of, make_room
from ccgrid.engine.worlds import Pool, sample_world

MOST_KEPT: Final = 1 << 18
"""So many positions are remembered at most; the oldest make room for others."""

MOST_NODES: Final = 200_000
"""After so many positions in one search, about half a minute, a position counts as too far from the end."""

QUICK_NODES: Final = 500
"""A position below which there are no more than these is solved in a moment."""

_DEEPEST: Final = 300
"""So many moves may follow at most: Python's own stack ends somewhere beyond."""


class TooFarError(EngineError):
    """A position that is too far from the end to be solved."""


class StateSearcher:
    """Searches below positions of one deal; what it proved of a position it remembers."""

    def __init__(self, game: str, most_nodes: int = MOST_NODES) -> None:
        self.nodes = 0
        self._heuristic = find_game(game).heuristic
        self._most_nodes, self._last = most_nodes, 0
        self._proved: dict[State, tuple[int, int]] = {}

    def reach(self, state: State) -> tuple[int, int]:
        """Nothing is known of the value before the end."""
        if state.ending() is None:
            return -UNBOUNDED, UNBOUNDED
        lead = lead_of(state, state.to_move)
        return lead, lead

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed.

        Raises:
            OutOfTimeError: the clock ended.
            TooFarError: there are more positions than can be looked at.
        """
        self._last = self.nodes + self._most_nodes
        return self._search(state, bound, clock, 0)

    def _search(self, state: State, bound: int, clock: Clock, depth: int) -> int:
        self.nodes += 1
        if self.nodes % 64 == 0:
            clock.check()
            make_room(self._proved, MOST_KEPT)
        moves = state.legal_moves()
        if not moves:
            return lead_of(state, state.to_move)
        low, high = self._proved.get(state, (-UNBOUNDED, UNBOUNDED))
        if low >= bound:
            return low
        if high < bound:
            return high
        if self.nodes > self._last or depth > _DEEPEST:
            raise TooFarError(
                "This position is too far from the end to solve: choose a later one with --after, or ask 'ccgrid "
                "advise'."
            )
        best = -UNBOUNDED
        # What looks best is tried first: the sooner a move reaches the bound, the fewer of the others are looked at.
        for move in sorted(moves, key=lambda move: -self._heuristic(state, move)):
            after = state.play_unchecked(move)
            if after.ending() is not None:  # whose turn it would be means nothing then
                value = lead_of(after, state.to_move)
            elif after.to_move == state.to_move:
                value = self._search(after, bound, clock, depth + 1)
            else:
                value = -self._search(after, 1 - bound, clock, depth + 1)
            best = max(best, value)
            if best >= bound:
                break
        self._proved[state] = (best, high) if best >= bound else (low, min(best, high))
        return best


class StateSolver:
    """Solves positions of a game that has no solver of its own, or none for the options that are played."""

    def refusal(self, state: State) -> str:
        """Positions of two whose cards are all known are solved."""
        if len(state.players) != 2:
            return (
                f"{state.game} is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
            )
        if not state.is_known():
            return "Some cards are not known: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: State) -> bool:
        """Whether few positions can follow."""
        return _is_small(state)

    def searcher(self, state: State) -> Searcher:
        """What searches below this position."""
        return StateSearcher(state.game)


def _is_small(state: State) -> bool:
    """Whether no more than `QUICK_NODES` positions lie below."""
    seen: set[Any] = {state}
    waiting = [state]
    while waiting:
        one = waiting.pop()
        for move in one.legal_moves():
            after = one.play_unchecked(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(seen) > QUICK_NODES:
            return False
    return True


SOLVER: Final = StateSolver()
"""Serves every game."""


class StateWorld:
    """A game of any kind; moves are as records write them.

    Games are played on by the game's own heuristic, at most `longest` moves from the position; who is ahead then
    counts.
    """

    scale: float = 10.0
    exploring: float = 0.3
    longest = 60

    def __init__(self, state: State, pool: Pool | None = None) -> None:
        """`state` is what a seat sees, or more, which is not looked at."""
        self.seats = len(state.players)
        self.seat = self._first = state.to_move
        self._view = state.view(state.to_move)
        self._pool = pool
        self._heuristic = find_game(state.game).heuristic
        self._state: Any = self._view
        self._moves = 0

    def begin(self, dice: Dice) -> None:
        """Draws what is hidden."""
        self._state = sample_world(self._view, self._first, dice, self._pool)
        self.seat = self._first
        self._moves = 0

    def legal(self) -> list[str]:
        """Those first that the heuristic says are best."""
        state, heuristic = self._state, self._heuristic
        values = [(-heuristic(state, move), move) for move in state.legal_moves()]
        return [move for _, move in sorted(values)]

    def play(self, move: str) -> None:
        """Plays it."""
        self._state = self._state.play_unchecked(move)
        self.seat = self._state.to_move
        self._moves += 1

    def name(self, move: str) -> str:
        """The move itself."""
        return move

    def finish(self, dice: Dice) -> list[float]:
        """Everybody plays the move that the heuristic says is best; among equals any."""
        heuristic = self._heuristic
        while self._moves < self.longest and (moves := self._state.legal_moves()):
            values = [heuristic(self._state, move) for move in moves]
            best = max(values)
            self.play(dice.choose([move for move, value in zip(moves, values, strict=True) if value == best]))
        return self.standing()

    def standing(self) -> list[float]:
        """How the seats stand where a game is not played on: their points."""
        return list(self._state.scores())
