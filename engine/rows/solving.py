"""Interruptible alpha-beta search on a core: perfect-information values of two-player positions.

A value is the final lead of the player to move, without the settled lead: it affects nothing, so that positions that
differ only in it are equal.

Proved bounds of positions are stored in a dictionary in plain Python, and in a transposition table when compiled. The
table identifies a position by two hashes of 64 bits: among 2**30 positions a collision of both has a probability of
about 2**-69. It has buckets of four entries; in a full bucket one entry is evicted. The hashes wrap around at 64 bits,
which happens only in compiled code.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.binding import compiled_as
from ccgrid.engine.rows.core import (
    SEAT,
    UNDECIDED,
    Position,
    changing,
    deciding,
    last_lead,
    over,
    play,
    scores,
    search_moves,
    settled_lead,
)
from ccgrid.engine.rows.row import Row, copy

UNKNOWN: Final = 1 << 30
"""Larger than any value."""

# Four entries of 8 bytes in each of three rows: half a cache line each.
_BUCKET: Final = 4
_FIRST_MULTIPLIER: Final = 0x2545F4914F6CDD1D
_SECOND_MULTIPLIER: Final = 0x369DEA0F31A53F85


class Proofs(NamedTuple):
    """The transposition table: two hashes and the bounds of each entry (0 if free), and the number of used entries.

    The bounds are one integer, each increased by `UNKNOWN`, so that neither is negative, and their combination is never
    0:

        bits    32 and up     0..31
                lower bound   upper bound
    """

    first: Row
    second: Row
    bounds: Row
    taken: Row


def empty_table(places: int, zeros: Callable[[int], Row]) -> Proofs:
    """Return an empty table with this number of entries, a power of two; `zeros` creates rows."""
    return Proofs(zeros(places), zeros(places), zeros(places), zeros(1))


def _hash_pair(row: Row, begin: int, count: int) -> tuple[int, int]:
    # Two hashes of the same numbers, one by exclusive or, the other by addition, so that they rarely collide together.
    first, second = _SECOND_MULTIPLIER, _FIRST_MULTIPLIER
    for place in range(begin, begin + count):
        first = (first ^ row[place]) * _FIRST_MULTIPLIER
        first ^= first >> 29
        second = (second + row[place]) * _SECOND_MULTIPLIER
        second ^= second >> 32
    return first, second


def _look_up_in_table(proofs: Proofs, row: Row, begin: int, count: int) -> tuple[int, int]:
    first, second = _hash_pair(row, begin, count)
    # The mask clears the two lowest bits: a bucket begins at a multiple of four.
    line = first & (len(proofs.first) - _BUCKET)
    for place in range(line, line + _BUCKET):
        if proofs.first[place] == first and proofs.second[place] == second:
            known = proofs.bounds[place]
            # Both bounds were stored increased by `UNKNOWN`, so that neither is negative.
            return (known >> 32) - UNKNOWN, (known & (1 << 32) - 1) - UNKNOWN
    return -UNKNOWN, UNKNOWN


def _store_key(proofs: Proofs, first: int, second: int, known: int) -> None:
    line = first & (len(proofs.first) - _BUCKET)
    # In a full bucket, replace an entry selected by bits that did not select the bucket.
    chosen = line + (second & (_BUCKET - 1))
    for place in range(line, line + _BUCKET):
        is_free = proofs.bounds[place] == 0
        # The first free entry ends the search: a bucket is filled from its front, and nothing is removed.
        if is_free or (proofs.first[place] == first and proofs.second[place] == second):
            proofs.taken[0] += is_free
            chosen = place
            break
    proofs.first[chosen], proofs.second[chosen], proofs.bounds[chosen] = first, second, known


def _store_in_table(proofs: Proofs, row: Row, begin: int, count: int, low: int, high: int) -> None:
    first, second = _hash_pair(row, begin, count)
    _store_key(proofs, first, second, (low + UNKNOWN) << 32 | (high + UNKNOWN))


@compiled_as(_look_up_in_table)
def look_up(proofs: Any, row: Row, begin: int, count: int) -> tuple[int, int]:
    """Return the proved bounds of a position, which is a part of a row."""
    # The key is the part that affects the game: positions that differ only in settled points share their bounds.
    found: tuple[int, int] = proofs.get(tuple(row[begin : begin + count]), (-UNKNOWN, UNKNOWN))
    return found


@compiled_as(_store_in_table)
def store(proofs: Any, row: Row, begin: int, count: int, low: int, high: int) -> None:
    """Store the bounds of a position."""
    proofs[tuple(row[begin : begin + count])] = low, high


def copy_table(proofs: Proofs, larger: Proofs) -> None:
    """Copy all entries to a larger table; for compiled code."""
    for place in range(len(proofs.bounds)):
        if proofs.bounds[place]:
            _store_key(larger, proofs.first[place], proofs.second[place], proofs.bounds[place])


# --- the search ---

INTERRUPTED: Final = 2 * UNKNOWN

FIELDS: Final = 8
BOUND, LOW, HIGH, BEST, COUNT, NUMBER, MOVER, SETTLED_LEAD = range(FIELDS)
"""The fields of a position on the search stack, `FIELDS` numbers each.

The requested bound, the bounds proved before, the best value of the moves tried, the number of moves and of moves
tried,
the seat to move, and the settled lead.
"""

DEPTH, NODES = range(2)

NOT_BEGUN: Final = -1
"""The depth of a search that has not begun."""


class Work(NamedTuple):
    """The state of a search.

    Attributes:
        state: The depth, and the number of positions searched.
        s: The current position.
        stack: The changing numbers of each position on the path.
        frames: Their fields.
        move_stack: Their moves.
        moves, promises, points: Buffers.
    """

    state: Row
    s: Row
    stack: Row
    frames: Row
    move_stack: Row
    moves: Row
    promises: Row
    points: Row


def new_work(core: ModuleType, position: Position, zeros: Callable[[int], Row]) -> Work:
    """Return the state of a search from a position; `zeros` creates rows."""
    changes, deep, wide = core.changing(position.table), position.plies + 2, core.MOST_MOVES
    return Work(
        [NOT_BEGUN, 0],
        position.row,
        zeros(deep * changes),
        zeros(deep * FIELDS),
        zeros(deep * wide),
        zeros(wide),
        zeros(wide),
        [0, 0],
    )


def search(table: Any, proofs: Proofs, work: Work, root_bound: int, most: int) -> int:
    """Return a number >= `root_bound` if the value of `work.s` is at least that number, else an upper bound below it.

    Args:
        table: The table of the core.
        proofs: The transposition table, which is read and updated.
        work: The state of the search; `work.state[DEPTH]` is `NOT_BEGUN` to begin with another position.
        root_bound: The bound.
        most: The number of positions, approximately, after which the search returns `INTERRUPTED`; another call resumes
            it.
    """
    s, stack, frames, move_stack, state = work.s, work.stack, work.frames, work.move_stack, work.state
    changes, decides, wide = changing(table), deciding(table), len(work.moves)
    depth, end = state[DEPTH], state[NODES] + most
    if depth == NOT_BEGUN:
        low, high = bounds(table, proofs, s, decides, work.points)
        # The bounds decide already, or the game is over.
        if not low < root_bound <= high:
            return low if low >= root_bound else high
        depth, frames[BOUND], frames[LOW], frames[HIGH] = 0, root_bound, low, high
    is_new, at = True, FIELDS * depth
    bound, best, count, number, seat, before = frames[at + BOUND], 0, 0, 0, 0, 0
    # Depth first without recursion, so that it can be interrupted and resumed. The current position's fields are in
    # local variables; they are in `frames` while its successors are searched.
    while True:
        # When resumed, the search begins with `s` as it was before this position was searched.
        if is_new:  # the known bounds do not decide
            if state[NODES] >= end:
                state[DEPTH] = depth
                return INTERRUPTED
            count = search_moves(table, s, work.moves, work.promises)
            copy(move_stack, depth * wide, work.moves, 0, count)
            # Each move is played on a copy of the position, because cores cannot undo moves.
            copy(stack, depth * changes, s, 0, changes)
            best, number, seat, before, is_new = -UNKNOWN, 0, s[SEAT], settled_lead(table, s), False
        while best < bound and number < count:
            if number:  # the first move starts from the position itself
                copy(s, 0, stack, depth * changes, changes)
            play(table, s, move_stack[depth * wide + number])
            number += 1
            state[NODES] += 1
            gained = settled_lead(table, s) - before
            # Settled points are counted for the first seat.
            if seat:
                gained = -gained
            stays = s[SEAT] == seat
            # Null windows: test only whether a value reaches a bound, or for the opponent, whether theirs stays below
            # one.
            below = bound - gained if stays else gained - bound + 1
            # `low < below <= high`: the known bounds do not decide, so that this position must be searched.
            low, high = bounds(table, proofs, s, decides, work.points)
            if low < below <= high:
                frames[at + BOUND], frames[at + BEST], frames[at + COUNT] = bound, best, count
                frames[at + NUMBER], frames[at + MOVER], frames[at + SETTLED_LEAD] = number, seat, before
                depth, at, bound, is_new = depth + 1, at + FIELDS, below, True
                frames[at + BOUND], frames[at + LOW], frames[at + HIGH] = bound, low, high
                break
            value = low if low >= below else high
            value = gained + value if stays else gained - value
            if value > best:
                best = value
        # Descend: `s` is the position after the move.
        if is_new:
            continue
        low, high = frames[at + LOW], frames[at + HIGH]
        # Fail-soft: `best` may exceed the requested bound. If it is below, all moves were tried.
        if best >= bound:
            low = best
        else:
            high = min(best, high)
        store(proofs, stack, depth * changes, decides, low, high)
        if depth == 0:
            return best
        # Return to the parent position, which continues with its next move.
        value, depth, at = best, depth - 1, at - FIELDS
        # Before the variables change: the lead settled by the last move, and whether the same seat moved again.
        gained, stays = before - frames[at + SETTLED_LEAD], seat == frames[at + MOVER]
        bound, best, count = frames[at + BOUND], frames[at + BEST], frames[at + COUNT]
        number, seat, before = frames[at + NUMBER], frames[at + MOVER], frames[at + SETTLED_LEAD]
        if seat:
            gained = -gained
        best = max(best, gained + (value if stays else -value))


def bounds(table: Any, proofs: Proofs, s: Row, decides: int, points: Row) -> tuple[int, int]:
    """Return bounds of the value of a position, without its settled lead; both equal it if few moves remain.

    `decides` is the number of leading numbers of the row that affect the rest of the game.
    """
    if over(table, s) < 0:
        lead = last_lead(table, s)
        return look_up(proofs, s, 0, decides) if lead == UNDECIDED else (lead, lead)
    scores(table, s, points)
    value = points[0] - points[1] - settled_lead(table, s)
    # Points are the first seat's minus the second's; a value is for the player to move.
    if s[SEAT]:
        value = -value
    return value, value
