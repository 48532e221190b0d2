"""Interruptible alpha-beta search on a core: perfect-information values of two-player positions.

A value is the final lead of the player to move, without the settled lead: it affects nothing, so that positions that
differ only in it are equal.

The functions marked `part_of_contract` are defaults. A core may define its own, with the same names and parameters, if
it can list, bound and store positions faster; then it may also define its own `Proofs` and `Notes`.

Proved bounds of positions are stored in a dictionary in plain Python, and in a transposition table when compiled. The
table identifies a position by two hashes of 64 bits: among 2**30 positions a collision of both has a probability of
about 2**-69. It has buckets of four entries; in a full bucket one entry is evicted. The hashes wrap around at 64 bits,
which happens only in compiled code.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.binding import compiled_as, part_of_contract
from ccgrid.engine.rows.core import (
    SEAT,
    UNDECIDED,
    Position,
    Table,
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


@part_of_contract
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


@part_of_contract
def copy_table(proofs: Proofs, larger: Proofs) -> None:
    """Copy all entries to a larger table; for compiled code."""
    for place in range(len(proofs.bounds)):
        if proofs.bounds[place]:
            _store_key(larger, proofs.first[place], proofs.second[place], proofs.bounds[place])


# --- the search ---

INTERRUPTED: Final = 2 * UNKNOWN

FIELDS: Final = 12
BOUND, LOW, HIGH, BEST, CHOSEN, COUNT, NUMBER, MOVER, SETTLED_LEAD, OWN_FIELDS = range(10)
"""The fields of a position on the search stack, `FIELDS` numbers each.

The requested bound, the bounds proved before, the best value of the moves tried and the move that has it, the number of
moves and of moves tried, the seat to move, and the settled lead. The three fields from `OWN_FIELDS` on are for a core
with its own `bounds`.
"""

DEPTH, NODES = range(2)

NOT_BEGUN: Final = -1
"""The depth of a search that has not begun."""

NO_MOVE: Final = -1
"""The index of the move before the first position of a search."""


class Work(NamedTuple):
    """The state of a search.

    Attributes:
        changes: The number of leading numbers of a position that moves can change.
        decides: The number of leading numbers that affect the rest of the game.
        wide: The number of moves for which `move_stack` has space in each position.
        state: The depth, and the number of positions searched.
        s: The current position.
        stack: The changing numbers of each position on the path.
        frames: Their fields.
        move_stack: Their moves.
        points: A buffer.
    """

    changes: int
    decides: int
    wide: int
    state: Row
    s: Row
    stack: Row
    frames: Row
    move_stack: Row
    points: Row


class Notes(NamedTuple):
    """Buffers for listing the moves of a position."""

    moves: Row
    priorities: Row


def new_work(core: ModuleType, position: Position[Table], zeros: Callable[[int], Row]) -> Work:
    """Return the state of a search from a position; `zeros` creates rows."""
    changes, deep, wide = core.changing(position.table), position.plies + 2, core.MOST_MOVES
    decides = vars(core).get("deciding", core.changing)(position.table)
    return Work(
        changes,
        decides,
        wide,
        [NOT_BEGUN, 0],
        position.row,
        zeros(deep * changes),
        zeros(deep * FIELDS),
        zeros(deep * wide),
        [0, 0],
    )


@part_of_contract
def new_notes(core: ModuleType, position: Position[Table], zeros: Callable[[int], Row]) -> Notes:
    """Return the buffers of a search from a position; a core with its own `Notes` defines this as well."""
    return Notes(zeros(core.MOST_MOVES), zeros(core.MOST_MOVES))


def search(table: Table, proofs: Proofs, work: Work, notes: Notes, root_bound: int, most: int) -> int:
    """Return a number >= `root_bound` if the value of `work.s` is at least that number, else an upper bound below it.

    Args:
        table: The table of the core.
        proofs: The transposition table, which is read and updated.
        work: The state of the search; `work.state[DEPTH]` is `NOT_BEGUN` to begin with another position.
        notes: The buffers.
        root_bound: The bound.
        most: The number of positions, approximately, after which the search returns `INTERRUPTED`; another call resumes
            it.
    """
    s, stack, frames, move_stack, state = work.s, work.stack, work.frames, work.move_stack, work.state
    changes, wide, depth, end = work.changes, work.wide, state[DEPTH], state[NODES] + most
    if depth == NOT_BEGUN:
        low, high = bounds(table, proofs, work, notes, 0, NO_MOVE)
        # The bounds decide already, or the game is over.
        if not low < root_bound <= high:
            return low if low >= root_bound else high
        depth, frames[BOUND], frames[LOW], frames[HIGH] = 0, root_bound, low, high
    is_new, at = True, FIELDS * depth
    bound, best, chosen, count, number, seat, before = frames[at + BOUND], 0, 0, 0, 0, 0, 0
    # Depth first without recursion, so that it can be interrupted and resumed. The current position's fields are in
    # local variables; they are in `frames` while its successors are searched.
    while True:
        # When resumed, the search begins with `s` as it was before this position was searched.
        if is_new:  # the known bounds do not decide
            if state[NODES] >= end:
                state[DEPTH] = depth
                return INTERRUPTED
            best, chosen, count = expand(table, proofs, work, notes, depth, bound)
            number, seat, before, is_new = 0, s[SEAT], settled_lead(table, s), False
            if best < bound and count:
                # Each move is played on a copy of the position, because cores cannot undo moves.
                copy(stack, depth * changes, s, 0, changes)
        while best < bound and number < count:
            place = depth * wide + number
            if number:  # the first move starts from the position itself
                copy(s, 0, stack, depth * changes, changes)
            play(table, s, move_stack[place])
            number += 1
            gained = settled_lead(table, s) - before
            # Settled points are counted for the first seat.
            if seat:
                gained = -gained
            stays = s[SEAT] == seat
            # Null windows: test only whether a value reaches a bound, or for the opponent, whether theirs stays below
            # one.
            below = bound - gained if stays else gained - bound + 1
            # `low < below <= high`: the known bounds do not decide, so that this position must be searched.
            low, high = bounds(table, proofs, work, notes, at + FIELDS, place)
            if low < below <= high:
                frames[at + BOUND], frames[at + BEST], frames[at + CHOSEN] = bound, best, chosen
                frames[at + COUNT], frames[at + NUMBER] = count, number
                frames[at + MOVER], frames[at + SETTLED_LEAD] = seat, before
                depth, at, bound, is_new = depth + 1, at + FIELDS, below, True
                frames[at + BOUND], frames[at + LOW], frames[at + HIGH] = bound, low, high
                break
            value = low if low >= below else high
            value = gained + value if stays else gained - value
            if value > best:
                best, chosen = value, move_stack[place]
        # Descend: `s` is the position after the move.
        if is_new:
            continue
        low, high = frames[at + LOW], frames[at + HIGH]
        # Fail-soft: `best` may exceed the requested bound. If it is below, all moves were tried.
        if best >= bound:
            low = best
        else:
            high = min(best, high)
        keep(proofs, work, depth, low, high, chosen)
        if depth == 0:
            return best
        # Return to the parent position, which continues with its next move.
        value, depth, at = best, depth - 1, at - FIELDS
        # Before the variables change: the lead settled by the last move, and whether the same seat moved again.
        gained, stays = before - frames[at + SETTLED_LEAD], seat == frames[at + MOVER]
        bound, best, chosen = frames[at + BOUND], frames[at + BEST], frames[at + CHOSEN]
        count, number = frames[at + COUNT], frames[at + NUMBER]
        seat, before = frames[at + MOVER], frames[at + SETTLED_LEAD]
        if seat:
            gained = -gained
        value = gained + (value if stays else -value)
        if value > best:
            best, chosen = value, move_stack[depth * wide + number - 1]


@part_of_contract
def bounds(table: Table, proofs: Proofs, work: Work, notes: Notes, at: int, place: int) -> tuple[int, int]:
    """Return bounds of the value of `work.s`, without its settled lead; both equal it if few moves remain.

    Args:
        table: The table of the core.
        proofs: The transposition table.
        work: The state of the search.
        notes: The buffers.
        at: The index of the position's fields in `work.frames`.
        place: The index in `work.move_stack` of the move that led to the position, or `NO_MOVE`.
    """
    s = work.s
    if place >= 0:
        work.state[NODES] += 1
    if over(table, s) < 0:
        lead = last_lead(table, s)
        return look_up(proofs, s, 0, work.decides) if lead == UNDECIDED else (lead, lead)
    points = work.points
    scores(table, s, points)
    value = points[0] - points[1] - settled_lead(table, s)
    # Points are the first seat's minus the second's; a value is for the player to move.
    if s[SEAT]:
        value = -value
    return value, value


@part_of_contract
def expand(table: Table, proofs: Proofs, work: Work, notes: Notes, depth: int, bound: int) -> tuple[int, int, int]:
    """List the moves of `work.s` that must be searched, in the part of `work.move_stack` for this depth.

    Returns:
        The best value of the other moves (`-UNKNOWN` if there are none), a move that has it, and the number of moves to
        search. If the value reaches `bound`, none need be searched.
    """
    count = search_moves(table, work.s, notes.moves, notes.priorities)
    copy(work.move_stack, depth * work.wide, notes.moves, 0, count)
    return -UNKNOWN, 0, count


@part_of_contract
def keep(proofs: Proofs, work: Work, depth: int, low: int, high: int, chosen: int) -> None:
    """Store the proved bounds of the position at this depth; `chosen` is its best move."""
    store(proofs, work.stack, depth * work.changes, work.decides, low, high)
