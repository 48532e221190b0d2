"""The core of grid for proofs if cards are turned.

The kinds on nine cells in four orientations do not fit in the key of `engine.games.grid.solving`. Here the functions of
`engine.rows.solving` identify a position, and the remaining cards decide moves as there.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from ccgrid.engine.games.grid.core import (
    CELLS,
    HALF,
    IN_PLAIN_PYTHON,
    LEGAL,
    MOST_MOVES,
    SCORE,
    Table,
    changing,
    deciding,
    kind_on_cell,
    legal,
    play,
    position,
    rate_moves,
    reach,
    row_of,
    settled_lead,
)
from ccgrid.engine.games.grid.solving import before_move, cards_left, reach_of
from ccgrid.engine.games.grid.solving import new_notes as notes_of_deal
from ccgrid.engine.games.grid.state import GRID_SIZE, QUARTERS
from ccgrid.engine.rows.core import Position, best_first
from ccgrid.engine.rows.row import Row, copy
from ccgrid.engine.rows.solving import NODES, UNKNOWN, Work, look_up

# The functions of the core that the search calls as well.
__all__ = [
    "IN_PLAIN_PYTHON",
    "MOST_MOVES",
    "Notes",
    "Table",
    "bounds",
    "changing",
    "deciding",
    "expand",
    "legal",
    "new_notes",
    "play",
    "position",
    "rate_moves",
    "reach",
    "row_of",
    "settled_lead",
]


class Notes(NamedTuple):
    """Data of one deal, and buffers: those of `engine.games.grid.solving.Notes` that are used here.

    `ranks` has an entry for each kind in each of its four orientations.
    """

    deck: Row
    ranks: Row
    ranked: Row
    reach: Row
    room: Row
    moves: Row
    priorities: Row


def bounds(table: Table, proofs: Any, work: Work, notes: Notes, at: int, place: int) -> tuple[int, int]:
    """Return the proved bounds of the value of `work.s`; see `engine.rows.solving.bounds`."""
    # The game is over: nothing more is gained.
    if work.s[LEGAL] == 0:
        return 0, 0
    return look_up(proofs, work.s, 0, work.decides)


def expand(table: Table, proofs: Any, work: Work, notes: Any, depth: int, bound: int) -> tuple[int, int, int]:
    """List the moves of `work.s` that the remaining cards do not decide; see `engine.rows.solving.expand`."""
    s, ranks, in_pairs = work.s, notes.ranks, table.in_pairs
    half, left, end = s[HALF], cards_left(notes, s), depth * work.wide
    best, chosen, begin = -UNKNOWN, 0, end
    work.state[NODES] += 1
    count = rate_moves(table, s, notes.moves, notes.priorities)
    best_first(notes.moves, notes.priorities, count)
    for place in range(count):
        move = notes.moves[place]
        taken = s[CELLS + table.target[move]]
        # Cards of a kind have neighbouring ranks and are interchangeable: remove the lowest.
        copies = left & ranks[kind_on_cell(taken)]
        rest = reach_of(notes, left ^ (copies & -copies), in_pairs, half ^ in_pairs)
        low, high = before_move(rest, taken >> SCORE, half)
        if low >= bound:
            best, chosen, end = low, move, begin
            break
        if high >= bound:
            work.move_stack[end] = move
            end += 1
        elif high > best:
            best, chosen = high, move
    if end == begin:
        # The search itself copies a position only if it has moves to try, and `keep` reads the copy.
        copy(work.stack, depth * work.changes, s, 0, work.changes)
    return best, chosen, end - begin


# --- never compiled ---


def new_notes(core: ModuleType, position: Position[Table], zeros: Callable[[int], Row]) -> Notes:
    """Return the data of a deal, and buffers for a search from a position of it."""
    table, kinds = position.table, len(position.table.cards) - 1
    row = position.row[:]
    # The data of a deal do not depend on how its cards are turned.
    for cell in range(CELLS, CELLS + GRID_SIZE):
        row[cell] = table.cards[(kind_on_cell(row[cell]) - 1) % kinds + 1] if row[cell] else 0
    notes = notes_of_deal(core, position._replace(row=row), zeros)
    ranks = [*notes.ranks, *notes.ranks[1:] * (QUARTERS - 1)]
    return Notes(notes.deck, ranks, notes.ranked, notes.reach, notes.room, [0] * MOST_MOVES, [0] * MOST_MOVES)
