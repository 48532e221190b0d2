"""What positions of two are worth on average over the cards that are hidden from both: expectimax search on a core.

All orders in which the hidden cards can be turned up are as likely. The value of a position is the lead of who is to
move in the end, less what is settled, as a sum over these orders: with n cards hidden n! times the average, a whole
number. Both see what was turned up, and play best by it.

Of the ways in which a move can turn cards up each has bounds: what it has to come to, if all others come to as much, or
as little, as they can (Ballard's Star1).
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.rows.core import (
    SEAT,
    Position,
    bring_up,
    changing,
    deciding,
    ordered,
    over,
    play,
    scores,
    settled,
    span,
    turned_up,
)
from ccgrid.engine.rows.row import Row, copy, count_bits, lowest_bit
from ccgrid.engine.rows.solving import INTERRUPTED, UNKNOWN, Proofs, find, keep

FACTORIALS: Final = (1, 1, 2, 6, 24, 120, 720, 5040)
MOST_HIDDEN: Final = len(FACTORIALS) - 1

FIELDS: Final = 20
LOW, HIGH, KNOWN_LOW, KNOWN_HIGH, LEAST, MOST, LEFT, SHOWN, MOVER, SETTLED = range(10)
COUNT, NUMBER, BEST, TOTAL, REST, DEEP, GAINED, STAYS, TOO_LOW, HIGH_ENOUGH = range(10, FIELDS)
"""What is known of a position that waits for those after it, `FIELDS` numbers in a row.

The bounds that were asked for, those that were proved before, what who is to move can gain at least and at most on
the other, the hidden cards, how many were turned up, who is to move, and what is settled. How many moves there are and
were tried, and what these come to at best. Of the move that is tried: what the ways that were looked at come to, the
weight of the others, how many cards it turns up; of the way that is looked at: what was gained by it, whether the same
seat moves on, and the bounds beyond which the others need not be looked at.
"""

DEPTH, NODES, NEXT_LEFT, NEXT_LOW, NEXT_HIGH = range(5)


class Work(NamedTuple):
    """What a search has in hand.

    Attributes:
        state: how deep it is, and how many positions it looked at; of that which comes next the hidden cards, as bits,
            and the bounds.
        s: the position that it looks at.
        waiting: for each position that waits, its hidden cards, and what moves change of it.
        values: what is known of it.
        tried: its moves.
        picks: the cards that the move turns up that is tried.
        moves, promises, points: room.
    """

    state: Row
    s: Row
    waiting: Row
    values: Row
    tried: Row
    picks: Row
    moves: Row
    promises: Row
    points: Row


def work_of(core: ModuleType, position: Position, zeros: Callable[[int], Row]) -> Work:
    """Room for a search from a position on; `zeros` makes rows."""
    deep, wide = position.plies + 2, core.MOST_MOVES
    return Work(
        [0] * 5,
        position.row,
        zeros(deep * (1 + core.changing(position.table))),
        zeros(deep * FIELDS),
        zeros(deep * wide),
        zeros(deep * MOST_HIDDEN),
        zeros(wide),
        zeros(wide),
        [0, 0],
    )


def begin(table: Any, hidden: Any, work: Work, move: int, left: int, low: int) -> None:
    """Begins to search what a move in `work.s` is worth to who makes it, with these hidden cards, as bits.

    It matters if that is more than `low`.
    """
    least, most = span(table, work.s, hidden, left)
    work.tried[0] = move
    wait(table, work, 0, left, low, UNKNOWN)
    work.values[KNOWN_LOW], work.values[KNOWN_HIGH] = -UNKNOWN, UNKNOWN
    work.values[LEAST], work.values[MOST], work.values[COUNT] = least, most, 1
    work.state[DEPTH] = 0
    go_on(table, hidden, work)


def wait(table: Any, work: Work, depth: int, left: int, low: int, high: int) -> None:
    """Lets `work.s` wait at this depth for the positions after it."""
    s, values, at, changes = work.s, work.values, FIELDS * depth, changing(table)
    work.waiting[depth * (changes + 1)] = left
    copy(work.waiting, depth * (changes + 1) + 1, s, 0, changes)
    values[at + LOW], values[at + HIGH], values[at + LEFT] = low, high, left
    values[at + SHOWN], values[at + MOVER], values[at + SETTLED] = (
        turned_up(table, s),
        s[SEAT],
        settled(table, s),
    )
    values[at + NUMBER], values[at + BEST] = 0, -UNKNOWN
    first_way(work, depth)


def first_way(work: Work, depth: int) -> None:
    """Begins with the first way in which the next move of a position that waits can turn cards up: with one card."""
    values, at = work.values, FIELDS * depth
    left = values[at + LEFT]
    values[at + TOTAL], values[at + REST], values[at + DEEP] = 0, FACTORIALS[count_bits(left)], 0
    if left:
        work.picks[depth * MOST_HIDDEN] = lowest_bit(left)
        values[at + DEEP] = 1


def next_way(work: Work, depth: int) -> bool:
    """Goes on to the next way in which the move can turn cards up that is tried, if there is one."""
    values, picks, at, place = work.values, work.picks, FIELDS * depth, depth * MOST_HIDDEN
    deep = values[at + DEEP]
    while deep:
        free = values[at + LEFT]
        for earlier in range(place, place + deep - 1):
            free ^= 1 << picks[earlier]
        free &= -(2 << picks[place + deep - 1])
        if free:
            picks[place + deep - 1] = lowest_bit(free)
            break
        deep -= 1
    values[at + DEEP] = deep
    return deep > 0


def go_on(table: Any, hidden: Any, work: Work) -> None:
    """Plays the move that is tried of the deepest position that waits, and says what is asked of the one after it."""
    s, values, picks, state = work.s, work.values, work.picks, work.state
    depth, changes = state[DEPTH], changing(table)
    at, place = FIELDS * depth, depth * MOST_HIDDEN
    move, deep, shown, is_short = work.tried[depth * len(work.moves) + values[at + NUMBER]], values[at + DEEP], 0, True
    others = values[at + LEFT]
    while is_short:  # until it turns no more cards up than were picked
        copy(s, 0, work.waiting, depth * (changes + 1) + 1, changes)
        others = values[at + LEFT]
        for number in range(deep):
            bring_up(table, s, hidden, number, picks[place + number])
            others ^= 1 << picks[place + number]
        play(table, s, move)
        shown = turned_up(table, s) - values[at + SHOWN]
        is_short = shown > deep
        if is_short:
            picks[place + deep] = lowest_bit(others)
            deep += 1
    if shown == 0:
        deep, others = 0, values[at + LEFT]
    seat, weight, asked = values[at + MOVER], FACTORIALS[count_bits(others)], max(values[at + BEST], values[at + LOW])
    values[at + DEEP] = deep
    values[at + REST] -= weight
    total, rest = values[at + TOTAL], values[at + REST]
    too_low = asked - total - rest * values[at + MOST]
    high_enough = values[at + HIGH] - total - rest * values[at + LEAST]
    gained = weight * (settled(table, s) - values[at + SETTLED])
    if seat:
        gained = -gained
    values[at + GAINED], values[at + TOO_LOW], values[at + HIGH_ENOUGH] = gained, too_low, high_enough
    state[NEXT_LEFT] = others
    if s[SEAT] == seat:
        values[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 1, too_low - gained, high_enough - gained
    else:
        values[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 0, gained - high_enough, gained - too_low


def search(table: Any, hidden: Any, proofs: Proofs, work: Work, most: int) -> int:
    """The value of what was begun, or a number up to the bound that was asked for, which it does not exceed.

    Args:
        table: the table of the core.
        hidden: what lies hidden.
        proofs: what was proved, and is from now on.
        work: what it has in hand.
        most: after about so many positions it gives `INTERRUPTED`; asked again it goes on.
    """
    s, values, state = work.s, work.values, work.state
    size, decides, end = 1 + changing(table), 1 + deciding(table), state[NODES] + most
    while True:
        left, low, high, value, depth = state[NEXT_LEFT], state[NEXT_LOW], state[NEXT_HIGH], 0, state[DEPTH]
        scale, is_known = FACTORIALS[count_bits(left)], over(table, s) >= 0
        if is_known:
            scores(table, s, work.points)
            value = scale * (work.points[0] - work.points[1] - settled(table, s))
            if s[SEAT]:
                value = -value
        else:
            begins = (depth + 1) * size
            work.waiting[begins] = left
            copy(work.waiting, begins + 1, s, 0, size - 1)
            known_low, known_high = find(proofs, work.waiting, begins, decides)
            least, most_gained = span(table, s, hidden, left)
            known_low, known_high = max(known_low, scale * least), min(known_high, scale * most_gained)
            is_known = known_low >= high or known_high <= low or known_low >= known_high
            value = known_high if known_high <= low else known_low
            if not is_known:
                if state[NODES] >= end:
                    return INTERRUPTED
                state[NODES] += 1
                depth += 1
                at = FIELDS * depth
                wait(table, work, depth, left, max(low, known_low), min(high, known_high))
                values[at + KNOWN_LOW], values[at + KNOWN_HIGH] = known_low, known_high
                values[at + LEAST], values[at + MOST] = least, most_gained
                values[at + COUNT] = ordered(table, s, work.moves, work.promises)
                copy(work.tried, depth * len(work.moves), work.moves, 0, values[at + COUNT])
        while is_known:
            at = FIELDS * depth
            value = values[at + GAINED] + (value if values[at + STAYS] else -value)
            values[at + TOTAL] += value
            if value <= values[at + TOO_LOW]:
                values[at + TOTAL] += values[at + REST] * values[at + MOST]
            elif value >= values[at + HIGH_ENOUGH]:
                values[at + TOTAL] += values[at + REST] * values[at + LEAST]
            elif next_way(work, depth):
                break
            best = max(values[at + BEST], values[at + TOTAL])
            values[at + BEST] = best
            values[at + NUMBER] += 1
            is_known = best >= values[at + HIGH] or values[at + NUMBER] == values[at + COUNT]
            if is_known:
                if depth == 0:
                    return best
                known_low, known_high = values[at + KNOWN_LOW], values[at + KNOWN_HIGH]
                if best > values[at + LOW]:
                    known_low = best
                if best < values[at + HIGH]:
                    known_high = min(known_high, best)
                keep(proofs, work.waiting, depth * size, decides, known_low, known_high)
                value, depth = best, depth - 1
            else:
                first_way(work, depth)
        state[DEPTH] = depth
        go_on(table, hidden, work)
