"""Games played on in worlds that are drawn, by the readable rules: what serves every game that has no quicker way."""

from typing import Any

from engine.dice import Dice
from engine.game import State
from engine.games import find_game
from engine.worlds import Pool, sample_world


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
