"""The readable rules of any game as a core, for searches of games, options and views that no core supports.

The core runs only in plain Python. The row of a position has only the seat to move; the position itself is in the
world, which is the core's table.
"""

import sys
from collections.abc import Sequence
from typing import Any, Final

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.rows.core import SEAT, CoreWorld
from ccgrid.engine.rows.row import Floats, Row, Seeds
from ccgrid.engine.search.core_search import CoreSearch
from ccgrid.engine.worlds import Pool, sample_world

SCALE: Final = 10.0
EXPLORING: Final = 0.3
MOST_MOVES: Final = 1
"""The initial length of rows of moves, which grow."""

_DEPTH: Final = 1000
"""The maximum depth of a tree."""


class MoveNumbers(dict[str, int]):
    """Numbers of moves, from 0 in the order in which they are looked up first; `names` are the moves."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, move: str) -> int:
        self[move] = number = len(self.names)
        self.names.append(move)
        return number


class StateWorld:
    """A sampled world of a position, with moves in canonical notation.

    Playouts follow the game's heuristic, for at most `longest` moves from the position; the scores at that point count.

    Attributes:
        seats: The number of players.
        seat: The seat to move.
        numbers: The numbers of the moves seen so far.
    """

    longest = 60

    def __init__(self, state: State, pool: Pool | None = None) -> None:
        """Create a world for a seat's view; hidden parts of a full position are ignored."""
        self.seats = len(state.players)
        self.seat = self._first = state.to_move
        # Only the seat's view is kept, so that hidden information of `state` cannot leak into a world.
        self._view = state.view(state.to_move)
        self._pool = pool
        self._heuristic = find_game(state.game).heuristic
        self._state: Any = self._view
        self._moves = 0
        self._legal: list[str] | None = None
        self._first_legal: list[str] | None = None
        self.numbers = MoveNumbers()

    def begin(self, dice: Dice) -> None:
        """Return to the position and sample the hidden cards."""
        self._state = sample_world(self._view, self._first, dice, self._pool)
        self.seat = self._first
        self._moves = 0
        # The legal moves of the position are the same in all worlds: they are sorted in the first one.
        self._legal = self._first_legal

    def legal(self) -> list[str]:
        """Return the legal moves, the best by the heuristic first."""
        if self._legal is None:
            state, heuristic = self._state, self._heuristic
            # Negated, so that a single sort gives the best first, and equal moves in alphabetical order.
            values = [(-heuristic(state, move), move) for move in state.legal_moves()]
            self._legal = [move for _, move in sorted(values)]
            if self._moves == 0:
                self._first_legal = self._legal
        return self._legal

    def play(self, move: str) -> None:
        """Play a legal move."""
        self._state = self._state.play_unchecked(move)
        self.seat = self._state.to_move
        self._moves += 1
        self._legal = None

    def finish(self, dice: Dice) -> Sequence[int]:
        """Play out the game with the highest heuristic values, ties broken at random, and return the points."""
        heuristic = self._heuristic
        while self._moves < self.longest and (moves := self._state.legal_moves()):
            # If the game is cut off, the current points count as the final ones.
            values = {move: heuristic(self._state, move) for move in moves}
            best = max(values.values())
            self.play(dice.choose([move for move, value in values.items() if value == best]))
        return self.standing()

    def standing(self) -> Sequence[int]:
        """Return each seat's points without further play."""
        scores: Sequence[int] = self._state.scores()
        return scores


def state_search(view: State) -> CoreSearch:
    """Return the search of a seat's view by the readable rules."""
    world = StateWorld(view)
    numbers = {move: world.numbers[move] for move in world.legal()}
    start = [world.seat]
    found: CoreWorld[Any, Any] = CoreWorld(world, world.seats, start, None, numbers, 0, _DEPTH)
    return CoreSearch(sys.modules[__name__], found, is_compiled=False)


# --- the functions of the contract `engine.rows.core` ---


def deal_unseen(table: StateWorld, s: Row, hidden: None, dice: Seeds) -> None:
    """Return to the position and sample the hidden cards."""
    drawing = Dice(dice[0])
    table.begin(drawing)
    dice[0] = drawing.state


def over(table: StateWorld, s: Row) -> int:
    """Return 0 if the game is over, else -1."""
    return -1 if table.legal() else 0


def search_moves(table: StateWorld, s: Row, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves, the best by the heuristic first, and return their number."""
    moves[:] = map(table.numbers.__getitem__, table.legal())
    return len(moves)


def play(table: StateWorld, s: Row, move: int) -> None:
    """Play a legal move."""
    table.play(table.numbers.names[move])
    s[SEAT] = table.seat


def finish(table: StateWorld, s: Row, moves: Row, priorities: Row, dice: Seeds) -> None:
    """Play out the game, or the part of it that is played out."""
    playing = Dice(dice[0])
    table.finish(playing)
    dice[0] = playing.state


def scores(table: StateWorld, s: Row, points: Row | Floats) -> None:
    """Write each seat's points."""
    for seat, score in enumerate(table.standing()):
        points[seat] = score
