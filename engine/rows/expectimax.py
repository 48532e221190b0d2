"""Expectimax search on a core: exact average values of two-player positions over cards hidden from both players.

All orders of the hidden cards are equally likely. The value of a position is the final lead of the player to move,
without the settled lead, as a sum over these orders: n! times the average for n hidden cards, an integer. Both players
see the revealed cards and play optimally.

Each outcome of a move, a sequence of revealed cards, is searched within bounds: the value that it must reach if all
other outcomes have their maximum or minimum (Ballard's Star1).
"""

from collections.abc import Callable
from types import ModuleType
from typing import Final, NamedTuple

from ccgrid.engine.rows.core import (
    SEAT,
    Hidden,
    Position,
    Table,
    changing,
    deciding,
    over,
    play,
    reveal_count,
    scores,
    search_moves,
    set_reveal,
    settled_lead,
    span,
)
from ccgrid.engine.rows.row import Row, copy, count_bits, lowest_bit
from ccgrid.engine.rows.solving import INTERRUPTED, UNKNOWN, Proofs, look_up, store

# Up to 7 hidden cards: a sum over 5040 orders of at most `MOST_GAINED` each stays below `UNKNOWN`.
FACTORIALS: Final = (1, 1, 2, 6, 24, 120, 720, 5040)
MOST_HIDDEN: Final = len(FACTORIALS) - 1

FIELDS: Final = 20
LOW, HIGH, KNOWN_LOW, KNOWN_HIGH, LEAST, MOST, HIDDEN, REVEALS, MOVER, SETTLED_LEAD = range(10)
COUNT, NUMBER, BEST, TOTAL, REST, DEEP, GAIN, STAYS, TOO_LOW, HIGH_ENOUGH = range(10, FIELDS)
"""The fields of a position on the search stack, `FIELDS` numbers each.

The requested bounds, the bounds proved before, the least and the greatest further gain of the player to move, the
hidden cards, the number of revealed cards, the seat to move, and the settled lead. The number of moves, the number of
moves tried, and their best value. For the current move: the sum of the outcomes searched, the weight of the others, and
the number of cards that it reveals. For the current outcome: the gain that it settled, whether the same seat moves
again, and the bounds beyond which the other outcomes need not be searched.
"""

DEPTH, NODES, NEXT_HIDDEN, NEXT_LOW, NEXT_HIGH = range(5)


class Work(NamedTuple):
    """The state of a search.

    Attributes:
        state: The depth and the number of positions searched; for the next position, the hidden cards as a bit set, and
            the bounds.
        s: The current position.
        stack: For each position on the path, its hidden cards and changing numbers.
        frames: Their fields.
        move_stack: Their moves.
        picks: The cards that the current moves reveal.
        moves, priorities, points: Buffers.
    """

    state: Row
    s: Row
    stack: Row
    frames: Row
    move_stack: Row
    picks: Row
    moves: Row
    priorities: Row
    points: Row


def new_work(core: ModuleType, position: Position[Table], zeros: Callable[[int], Row]) -> Work:
    """Return the state of a search from a position; `zeros` creates rows."""
    # One more for the move of `begin` at depth 0, and one for the current position.
    deep, wide = position.plies + 2, core.MOST_MOVES
    return Work(
        [0] * 5,
        position.row,
        # For each depth: hidden cards | changing numbers (the hidden cards are part of the key in `look_up`)
        zeros(deep * (1 + core.changing(position.table))),
        zeros(deep * FIELDS),
        zeros(deep * wide),
        zeros(deep * MOST_HIDDEN),
        zeros(wide),
        zeros(wide),
        [0, 0],
    )


def begin(table: Table, hidden: Hidden, work: Work, move: int, left: int, low: int) -> None:
    """Start the search of a move in `work.s` for the player who makes it; `left` are the hidden cards as a bit set.

    The exact value is needed only if it exceeds `low`.
    """
    least, most = span(table, work.s, hidden, left)
    work.move_stack[0] = move
    # Depth 0 is the position with only this move: its value is the move's value.
    push_position(table, work, 0, left, low, UNKNOWN)
    work.frames[LEAST], work.frames[MOST], work.frames[COUNT] = least, most, 1
    work.state[DEPTH] = 0
    play_next_move(table, hidden, work)


def push_position(table: Table, work: Work, depth: int, left: int, low: int, high: int) -> None:
    """Push `work.s` on the stack at this depth, before its successors are searched."""
    s, frames, at, changes = work.s, work.frames, FIELDS * depth, changing(table)
    copy(work.stack, depth * (changes + 1) + 1, s, 0, changes)
    frames[at + LOW], frames[at + HIGH], frames[at + HIDDEN] = low, high, left
    frames[at + REVEALS], frames[at + MOVER], frames[at + SETTLED_LEAD] = (
        reveal_count(table, s),
        s[SEAT],
        settled_lead(table, s),
    )
    frames[at + NUMBER], frames[at + BEST] = 0, -UNKNOWN
    first_outcome(work, depth)


def first_outcome(work: Work, depth: int) -> None:
    """Start the outcomes of the next move: guess that it reveals one card."""
    frames, at = work.frames, FIELDS * depth
    left = frames[at + HIDDEN]
    # Nothing has been searched: all n! orders remain.
    frames[at + TOTAL], frames[at + REST], frames[at + DEEP] = 0, FACTORIALS[count_bits(left)], 0
    if left:
        # `play_next_move` extends the guess if the move reveals more cards, or drops it if it reveals none.
        work.picks[depth * MOST_HIDDEN] = lowest_bit(left)
        frames[at + DEEP] = 1


def next_outcome(work: Work, depth: int) -> bool:
    """Advance to the next outcome of the current move; return whether there is one."""
    frames, picks, at, place = work.frames, work.picks, FIELDS * depth, depth * MOST_HIDDEN
    # `picks` count up like the digits of a number without repeated digits. For cards 0, 1, 2 and two reveals:
    #     01  02  10  12  20  21
    deep = frames[at + DEEP]
    while deep:
        # The cards that are not picked at an earlier index.
        free = frames[at + HIDDEN]
        for earlier in range(place, place + deep - 1):
            free ^= 1 << picks[earlier]
        # Higher than the last pick: like counting, advance the last digit, or else the one before it.
        free &= -(2 << picks[place + deep - 1])
        if free:
            picks[place + deep - 1] = lowest_bit(free)
            break
        # This index has had all cards: advance the one before it; `play_next_move` fills this one again.
        deep -= 1
    frames[at + DEEP] = deep
    return deep > 0


def play_next_move(table: Table, hidden: Hidden, work: Work) -> None:
    """Play the current move of the deepest position on the stack, and set the bounds for its successor."""
    s, frames, picks, state = work.s, work.frames, work.picks, work.state
    depth, changes = state[DEPTH], changing(table)
    at, place = FIELDS * depth, depth * MOST_HIDDEN
    move, deep, reveals, is_short = (
        work.move_stack[depth * len(work.moves) + frames[at + NUMBER]],
        frames[at + DEEP],
        0,
        True,
    )
    others = frames[at + HIDDEN]
    while is_short:  # until it reveals no more cards than were picked
        # The move was played with too few picks: restore the position, and repeat it with one more.
        copy(s, 0, work.stack, depth * (changes + 1) + 1, changes)
        others = frames[at + HIDDEN]
        for number in range(deep):
            set_reveal(table, s, hidden, number, picks[place + number])
            others ^= 1 << picks[place + number]
        play(table, s, move)
        reveals = reveal_count(table, s) - frames[at + REVEALS]
        is_short = reveals > deep
        if is_short:
            picks[place + deep] = lowest_bit(others)
            deep += 1
    # The pick was not needed: there is one outcome for all orders.
    if reveals == 0:
        deep, others = 0, frames[at + HIDDEN]
    # The number of orders that begin with these picks is the number of orders of the cards that remain hidden.
    seat, weight, asked = frames[at + MOVER], FACTORIALS[count_bits(others)], max(frames[at + BEST], frames[at + LOW])
    frames[at + DEEP] = deep
    frames[at + REST] -= weight
    total, rest = frames[at + TOTAL], frames[at + REST]
    # Star1: if all other outcomes have their maximum, this one must exceed `too_low`; if all have their minimum, it
    # need not exceed `high_enough`.
    too_low = asked - total - rest * frames[at + MOST]
    high_enough = frames[at + HIGH] - total - rest * frames[at + LEAST]
    # The lead settled by the move is no longer part of the successor's value.
    gained = weight * (settled_lead(table, s) - frames[at + SETTLED_LEAD])
    if seat:
        gained = -gained
    frames[at + GAIN], frames[at + TOO_LOW], frames[at + HIGH_ENOUGH] = gained, too_low, high_enough
    state[NEXT_HIDDEN] = others
    # The bounds of the successor, for its player to move: for the opponent they are negated and swapped.
    if s[SEAT] == seat:
        frames[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 1, too_low - gained, high_enough - gained
    else:
        frames[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 0, gained - high_enough, gained - too_low


def search(table: Table, hidden: Hidden, proofs: Proofs, work: Work, most: int) -> int:
    """Return the value of the move that was started, or an upper bound that does not exceed the requested bound.

    Args:
        table: The table of the core.
        hidden: The hidden cards.
        proofs: The transposition table, which is read and updated.
        work: The state of the search.
        most: The number of positions, approximately, after which the search returns `INTERRUPTED`; another call resumes
            it.
    """
    s, frames, state = work.s, work.frames, work.state
    # One more each: the hidden cards precede the position in `stack`.
    size, decides, end = 1 + changing(table), 1 + deciding(table), state[NODES] + most
    while True:
        left, low, high, value, depth = state[NEXT_HIDDEN], state[NEXT_LOW], state[NEXT_HIGH], 0, state[DEPTH]
        scale, is_known = FACTORIALS[count_bits(left)], over(table, s) >= 0
        if is_known:
            scores(table, s, work.points)
            value = scale * (work.points[0] - work.points[1] - settled_lead(table, s))
            if s[SEAT]:
                value = -value
        else:
            # The location that `push_position` uses at the next depth; copied early, because the key of `look_up` must
            # be part of one row.
            begins = (depth + 1) * size
            work.stack[begins] = left
            copy(work.stack, begins + 1, s, 0, size - 1)
            known_low, known_high = look_up(proofs, work.stack, begins, decides)
            least, most_gained = span(table, s, hidden, left)
            # `span` is for one order of cards, values are sums over all.
            known_low, known_high = max(known_low, scale * least), min(known_high, scale * most_gained)
            is_known = known_low >= high or known_high <= low or known_low >= known_high
            # Fail-soft: a proved bound is stronger than the requested one.
            value = known_high if known_high <= low else known_low
            if not is_known:
                if state[NODES] >= end:
                    return INTERRUPTED
                state[NODES] += 1
                depth += 1
                at = FIELDS * depth
                push_position(table, work, depth, left, max(low, known_low), min(high, known_high))
                frames[at + KNOWN_LOW], frames[at + KNOWN_HIGH] = known_low, known_high
                frames[at + LEAST], frames[at + MOST] = least, most_gained
                frames[at + COUNT] = search_moves(table, s, work.moves, work.priorities)
                copy(work.move_stack, depth * len(work.moves), work.moves, 0, frames[at + COUNT])
        # Ascend: the value is added to the parent, which may complete the parent, too.
        while is_known:
            at = FIELDS * depth
            value = frames[at + GAIN] + (value if frames[at + STAYS] else -value)
            # Star1 cut: count the remaining outcomes with the bound that they cannot exceed.
            frames[at + TOTAL] += value
            if value <= frames[at + TOO_LOW]:
                frames[at + TOTAL] += frames[at + REST] * frames[at + MOST]
            elif value >= frames[at + HIGH_ENOUGH]:
                frames[at + TOTAL] += frames[at + REST] * frames[at + LEAST]
            elif next_outcome(work, depth):
                break
            # The move is complete, with all outcomes or cut.
            best = max(frames[at + BEST], frames[at + TOTAL])
            frames[at + BEST] = best
            frames[at + NUMBER] += 1
            is_known = best >= frames[at + HIGH] or frames[at + NUMBER] == frames[at + COUNT]
            if is_known:
                if depth == 0:
                    return best
                known_low, known_high = frames[at + KNOWN_LOW], frames[at + KNOWN_HIGH]
                # `best` is exact between the bounds, else only a bound. Depth 0 has only one move, and is not stored.
                if best > frames[at + LOW]:
                    known_low = best
                if best < frames[at + HIGH]:
                    known_high = min(known_high, best)
                store(proofs, work.stack, depth * size, decides, known_low, known_high)
                value, depth = best, depth - 1
            else:
                first_outcome(work, depth)
        state[DEPTH] = depth
        play_next_move(table, hidden, work)
