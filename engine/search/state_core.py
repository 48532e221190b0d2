"""The readable rules of any game as a core, for searches of games, options and views that no core supports.

The core runs only in plain Python. The row of a position has the seat to move, the position itself, its legal moves
once they are listed, and the number of moves played since the search began.
"""

import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.rows.core import SEAT, CoreWorld, Position
from ccgrid.engine.rows.row import Row, Seeds, copy
from ccgrid.engine.rows.solving import UNKNOWN, Notes, Proofs, Work
from ccgrid.engine.search.core_search import CoreSearch, CoreSearcher
from ccgrid.engine.search.proving import UNBOUNDED, TooFarError
from ccgrid.engine.worlds import sample_world

SCALE: Final = 10.0
EXPLORING: Final = 0.3

MOST_MOVES: Final = 1 << 8
"""The maximum number of moves in a position that is solved. In playouts rows of moves grow."""

_DEPTH: Final = 1000
"""The maximum depth of a tree of playouts."""

MOST_PLIES: Final = 300
"""The maximum depth of a proof in moves."""

MOST_NODES: Final = 200_000
"""The maximum number of positions in one proof, about half a minute; beyond it a position is too far from the end."""

LONGEST_PLAYOUT: Final = 60
"""The maximum number of moves from the position to the end of a playout; the scores at that point count."""

_STATE, _LEGAL, _PLAYED = SEAT + 1, SEAT + 2, SEAT + 3
_DECIDING: Final = _STATE + 1
_CHANGING: Final = _PLAYED + 1


StateRow: TypeAlias = list[Any]
"""The row of a position: unlike the rows of other cores, its entries have different types."""


class MoveNumbers(dict[str, int]):
    """Numbers of moves, from 0 in the order in which they are looked up first; `names` are the moves."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, move: str) -> int:
        self[move] = number = len(self.names)
        self.names.append(move)
        return number


class Table(NamedTuple):
    """The data of a search.

    Attributes:
        heuristic: The game's heuristic value of a move in a position.
        numbers: The numbers of the moves seen so far.
        view: The position as the player to move sees it; in a proof, the position.
    """

    heuristic: Callable[[State, str], float]
    numbers: MoveNumbers
    view: State


def state_search(view: State) -> CoreSearch:
    """Return the search of a seat's view by the readable rules; hidden parts of a full position are ignored."""
    # Only the seat's view is kept, so that hidden information cannot leak into a world.
    table = _table(view.view(view.to_move))
    start, moves = row_of(table, table.view), [0] * MOST_MOVES
    count = search_moves(table, start, moves, moves)
    numbers = {table.numbers.names[move]: move for move in moves[:count]}
    found: CoreWorld[Any, Any] = CoreWorld(table, len(view.players), start, None, numbers, 0, _DEPTH)
    return CoreSearch(sys.modules[__name__], found, is_compiled=False)


class StateSearcher(CoreSearcher):
    """Searches positions of a game by its readable rules."""

    def __init__(self, state: State, most_nodes: int = MOST_NODES) -> None:
        """Prepare for positions of the game of `state`; a search of more than `most_nodes` positions fails."""
        super().__init__(sys.modules[__name__], state, is_compiled=False, most_nodes=most_nodes)


def _table(view: State) -> Table:
    return Table(find_game(view.game).heuristic, MoveNumbers(), view)


# --- the functions of the contract `engine.rows.core` ---


def changing(table: Table) -> int:
    """Return the length of a row: moves change all of it."""
    return _CHANGING


def deciding(table: Table) -> int:
    """Return the number of leading numbers that affect the rest of the game."""
    return _DECIDING


def deal_unseen(table: Table, s: StateRow, hidden: None, dice: Seeds) -> None:
    """Return to the position and sample the hidden cards."""
    drawing = Dice(dice[0])
    s[:] = row_of(table, sample_world(table.view, table.view.to_move, drawing))
    dice[0] = drawing.state


def legal_moves(s: StateRow) -> list[str]:
    """Return the legal moves in the order of the rules."""
    if s[_LEGAL] is None:
        s[_LEGAL] = list(s[_STATE].legal_moves())
    found: list[str] = s[_LEGAL]
    return found


def over(table: Table, s: Row) -> int:
    """Return 0 if the game is over, else -1."""
    return -1 if legal_moves(s) else 0


def search_moves(table: Table, s: StateRow, moves: Row, priorities: Row) -> int:
    """Fill `moves` with the legal moves, the best by the heuristic first, and return their number."""
    state, heuristic, numbers = s[_STATE], table.heuristic, table.numbers
    # Negated, so that a single sort gives the best first, and equal moves in alphabetical order.
    values = sorted([(-heuristic(state, move), move) for move in legal_moves(s)])
    moves[: len(values)] = [numbers[move] for _, move in values]
    return len(values)


def play(table: Table, s: StateRow, move: int) -> None:
    """Play a legal move."""
    after = s[_STATE].play_unchecked(table.numbers.names[move])
    s[:] = [after.to_move, after, None, s[_PLAYED] + 1]


def finish(table: Table, s: StateRow, moves: Row, priorities: Row, dice: Seeds) -> None:
    """Play out the game with the highest heuristic values, ties broken at random, or the part of it played out."""
    playing, heuristic = Dice(dice[0]), table.heuristic
    while s[_PLAYED] < LONGEST_PLAYOUT and (legal := legal_moves(s)):
        values = {move: heuristic(s[_STATE], move) for move in legal}
        best = max(values.values())
        play(table, s, table.numbers[playing.choose([move for move, value in values.items() if value == best])])
    dice[0] = playing.state


def scores(table: Table, s: StateRow, points: StateRow) -> None:
    """Write each seat's points."""
    points[:] = s[_STATE].scores()


# --- the functions of `engine.rows.solving` ---


def expand(table: Table, proofs: Proofs, work: Work, notes: Notes, depth: int, bound: int) -> tuple[int, int, int]:
    """List the moves of `work.s`; see `engine.rows.solving.expand`.

    Raises:
        TooFarError: If the position has too many moves, or is too deep.
    """
    if depth > MOST_PLIES:
        raise TooFarError
    count = search_moves(table, work.s, notes.moves, notes.priorities)
    if count > MOST_MOVES:
        raise TooFarError
    copy(work.move_stack, depth * work.wide, notes.moves, 0, count)
    return -UNKNOWN, 0, count


def position(state: State) -> Position[Table]:
    """Return the position to be solved."""
    table = _table(state)
    return Position(table, row_of(table, state), MOST_PLIES + 1)


def row_of(table: Table, state: State) -> StateRow:
    """Return the row of a position."""
    return [state.to_move, state, None, 0]


def reach(state: State) -> tuple[int, int]:
    """Return no bounds of the value of an unfinished game."""
    return -UNBOUNDED, UNBOUNDED
