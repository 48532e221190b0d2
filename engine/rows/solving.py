"""What positions of two are worth with everything known, on a core: alpha-beta search, which can be interrupted.

A value is the lead of who is to move in the end, less what is settled: that decides nothing any more, and positions
that differ in it alone are one.

What was proved of positions, the bounds of each value, is kept in a dictionary in plain Python, and compiled in a
transposition table. The table knows a position by two hashes of 64 bits, which is as good as by itself: two of 2**30
positions share both once in 2**69 proofs. It has lines of four places; where all are taken, one makes room. The hashes
wrap around at 64 bits, which they do only when compiled.
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
"""No value is so large."""

# Four places of 8 bytes in each of three rows: half a cache line of each.
_LINE: Final = 4
_FIRST: Final = 0x2545F4914F6CDD1D
_SECOND: Final = 0x369DEA0F31A53F85


class Proofs(NamedTuple):
    """The table: for each place the two numbers of a position and its bounds, 0 where it is free; how many are not.

    The bounds are one number, each plus `UNKNOWN`, so that neither is negative, and none of them is 0:

        bits    32 and up   0..31
                at least    at most
    """

    first: Row
    second: Row
    bounds: Row
    taken: Row


def empty_table(places: int, zeros: Callable[[int], Row]) -> Proofs:
    """An empty table of this many places, a power of two, of rows of zeros."""
    return Proofs(zeros(places), zeros(places), zeros(places), zeros(1))


def _hash_pair(row: Row, begin: int, count: int) -> tuple[int, int]:
    # Two hashes of the same numbers: one takes each in bit by bit, the other adds it, so that they seldom fail
    # together.
    first, second = _SECOND, _FIRST
    for place in range(begin, begin + count):
        first = (first ^ row[place]) * _FIRST
        first ^= first >> 29
        second = (second + row[place]) * _SECOND
        second ^= second >> 32
    return first, second


def _look_up_in_table(proofs: Proofs, row: Row, begin: int, count: int) -> tuple[int, int]:
    first, second = _hash_pair(row, begin, count)
    # The mask has no two lowest bits: a line begins at a multiple of four.
    line = first & (len(proofs.first) - _LINE)
    for place in range(line, line + _LINE):
        if proofs.first[place] == first and proofs.second[place] == second:
            known = proofs.bounds[place]
            # Both bounds were stored `UNKNOWN` higher, so that neither is negative.
            return (known >> 32) - UNKNOWN, (known & (1 << 32) - 1) - UNKNOWN
    return -UNKNOWN, UNKNOWN


def _store_key(proofs: Proofs, first: int, second: int, known: int) -> None:
    line = first & (len(proofs.first) - _LINE)
    # A full line: any of its places, by bits that did not choose the line.
    chosen = line + (second & (_LINE - 1))
    for place in range(line, line + _LINE):
        is_free = proofs.bounds[place] == 0
        # The first free place ends the search: a line is filled from its front, and nothing is taken out.
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
    """The bounds of a position, which is a part of a row."""
    # The key is the part that decides: positions that differ in settled points alone share their bounds.
    found: tuple[int, int] = proofs.get(tuple(row[begin : begin + count]), (-UNKNOWN, UNKNOWN))
    return found


@compiled_as(_store_in_table)
def store(proofs: Any, row: Row, begin: int, count: int, low: int, high: int) -> None:
    """Keeps the bounds of a position."""
    proofs[tuple(row[begin : begin + count])] = low, high


def copy_table(proofs: Proofs, larger: Proofs) -> None:
    """Keeps in another table what is in one; for compiled code."""
    for place in range(len(proofs.bounds)):
        if proofs.bounds[place]:
            _store_key(larger, proofs.first[place], proofs.second[place], proofs.bounds[place])


# --- the search ---

INTERRUPTED: Final = 2 * UNKNOWN

FIELDS: Final = 8
BOUND, LOW, HIGH, BEST, COUNT, NUMBER, MOVER, SETTLED_LEAD = range(FIELDS)
"""What is known of a position that waits for those after it, `FIELDS` numbers in a row.

The bound that is asked for, those that were proved before, what the moves that were tried come to at best, how many
moves there are and were tried, who is to move, and what is settled.
"""

DEPTH, NODES = range(2)

AFRESH: Final = -1
"""The depth of a search that has not begun."""


class Work(NamedTuple):
    """What a search has in hand.

    Attributes:
        state: how deep it is, and how many positions it looked at.
        s: the position that it looks at.
        stack: what moves change of each position that waits.
        frames: what is known of it.
        move_stack: its moves.
        moves, promises, points: room.
    """

    state: Row
    s: Row
    stack: Row
    frames: Row
    move_stack: Row
    moves: Row
    promises: Row
    points: Row


def work_of(core: ModuleType, position: Position, zeros: Callable[[int], Row]) -> Work:
    """Room for a search from a position on; `zeros` makes rows."""
    changes, deep, wide = core.changing(position.table), position.plies + 2, core.MOST_MOVES
    return Work(
        [AFRESH, 0],
        position.row,
        zeros(deep * changes),
        zeros(deep * FIELDS),
        zeros(deep * wide),
        zeros(wide),
        zeros(wide),
        [0, 0],
    )


def search(table: Any, proofs: Proofs, work: Work, root_bound: int, most: int) -> int:
    """A number at least `root_bound` that the value of `work.s` reaches; or one below it that it does not exceed.

    Args:
        table: the table of the core.
        proofs: what was proved, and is from now on.
        work: what it has in hand; `work.state[DEPTH]` is `AFRESH` for another position than the last one.
        root_bound: the bound.
        most: after about this many positions it gives `INTERRUPTED`; called again it goes on.
    """
    s, stack, frames, move_stack, state = work.s, work.stack, work.frames, work.move_stack, work.state
    changes, decides, wide = changing(table), deciding(table), len(work.moves)
    depth, end = state[DEPTH], state[NODES] + most
    if depth == AFRESH:
        low, high = bounds(table, proofs, s, decides, work.points)
        # Known already, or a game that is over.
        if not low < root_bound <= high:
            return low if low >= root_bound else high
        depth, frames[BOUND], frames[LOW], frames[HIGH] = 0, root_bound, low, high
    is_new, at = True, FIELDS * depth
    bound, best, count, number, seat, before = frames[at + BOUND], 0, 0, 0, 0, 0
    # Depth first without recursion, so that it can be interrupted and go on. The position at `depth` is in local names
    # while it is looked at; `frames` has it while positions after it are.
    while True:
        # `s` is as it was before this position was looked at: called again, the search begins with it.
        if is_new:  # a position of which too little is known
            if state[NODES] >= end:
                state[DEPTH] = depth
                return INTERRUPTED
            count = search_moves(table, s, work.moves, work.promises)
            copy(move_stack, depth * wide, work.moves, 0, count)
            # Each move is played on a copy of the position. A core has no way to take a move back.
            copy(stack, depth * changes, s, 0, changes)
            best, number, seat, before, is_new = -UNKNOWN, 0, s[SEAT], settled_lead(table, s), False
        while best < bound and number < count:
            if number:  # else it is the position itself that lies there
                copy(s, 0, stack, depth * changes, changes)
            play(table, s, move_stack[depth * wide + number])
            number += 1
            state[NODES] += 1
            gained = settled_lead(table, s) - before
            # Settled points are counted for the first seat.
            if seat:
                gained = -gained
            stays = s[SEAT] == seat
            # Null windows: asked is only whether a value reaches a bound. For the other player that is whether theirs
            # stays below.
            below = bound - gained if stays else gained - bound + 1
            # `low < below <= high`: what is known does not answer, so this position has to be searched.
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
        # One deeper: the position after the move is in `s`.
        if is_new:
            continue
        low, high = frames[at + LOW], frames[at + HIGH]
        # Fail-soft: `best` may be further than the bound that was asked for. All moves were tried where it is below.
        if best >= bound:
            low = best
        else:
            high = min(best, high)
        store(proofs, stack, depth * changes, decides, low, high)
        if depth == 0:
            return best
        # Up again: the names of this loop are those of the position above, which goes on with its next move.
        value, depth, at = best, depth - 1, at - FIELDS
        # Before the names are exchanged: what the move to here settled, and whether the same seat moved on.
        gained, stays = before - frames[at + SETTLED_LEAD], seat == frames[at + MOVER]
        bound, best, count = frames[at + BOUND], frames[at + BEST], frames[at + COUNT]
        number, seat, before = frames[at + NUMBER], frames[at + MOVER], frames[at + SETTLED_LEAD]
        if seat:
            gained = -gained
        best = max(best, gained + (value if stays else -value))


def bounds(table: Any, proofs: Proofs, s: Row, decides: int, points: Row) -> tuple[int, int]:
    """What is known of the value of a position, of which nothing is settled: all of it where few moves are left.

    `decides` is how many numbers at the beginning of its row decide how it goes on.
    """
    if over(table, s) < 0:
        lead = last_lead(table, s)
        return look_up(proofs, s, 0, decides) if lead == UNDECIDED else (lead, lead)
    scores(table, s, points)
    value = points[0] - points[1] - settled_lead(table, s)
    # Points are the first seat's less the second's; a value is for who would be to move.
    if s[SEAT]:
        value = -value
    return value, value
