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
"""What is known of a position that waits for those after it, `FIELDS` numbers in a row.

The bounds that were asked for, those that were proved before, what who is to move can gain at least and at most on
the other, the hidden cards, how many were turned up, who is to move, and what is settled. How many moves there are and
were tried, and what these come to at best. Of the move that is tried: what the ways that were looked at come to, the
weight of the others, how many cards it turns up; of the way that is looked at: what was gained by it, whether the same
seat moves on, and the bounds beyond which the others need not be looked at.
"""

DEPTH, NODES, NEXT_HIDDEN, NEXT_LOW, NEXT_HIGH = range(5)


class Work(NamedTuple):
    """What a search has in hand.

    Attributes:
        state: how deep it is, and how many positions it looked at; of that which comes next the hidden cards, as bits,
            and the bounds.
        s: the position that it looks at.
        stack: for each position that waits, its hidden cards, and what moves change of it.
        frames: what is known of it.
        move_stack: its moves.
        picks: the cards that the move turns up that is tried.
        moves, promises, points: room.
    """

    state: Row
    s: Row
    stack: Row
    frames: Row
    move_stack: Row
    picks: Row
    moves: Row
    promises: Row
    points: Row


def work_of(core: ModuleType, position: Position, zeros: Callable[[int], Row]) -> Work:
    """Room for a search from a position on; `zeros` makes rows."""
    # One more for the move that `begin` waits with at depth 0, and one for the position that is looked at.
    deep, wide = position.plies + 2, core.MOST_MOVES
    return Work(
        [0] * 5,
        position.row,
        # For each depth:  hidden cards | what moves change    (the hidden cards are part of the key in `look_up`)
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
    work.move_stack[0] = move
    # Depth 0 is the position with this one move: its value is what the move is worth to who makes it.
    wait(table, work, 0, left, low, UNKNOWN)
    work.frames[LEAST], work.frames[MOST], work.frames[COUNT] = least, most, 1
    work.state[DEPTH] = 0
    go_on(table, hidden, work)


def wait(table: Any, work: Work, depth: int, left: int, low: int, high: int) -> None:
    """Lets `work.s` wait at this depth for the positions after it."""
    s, frames, at, changes = work.s, work.frames, FIELDS * depth, changing(table)
    copy(work.stack, depth * (changes + 1) + 1, s, 0, changes)
    frames[at + LOW], frames[at + HIGH], frames[at + HIDDEN] = low, high, left
    frames[at + REVEALS], frames[at + MOVER], frames[at + SETTLED_LEAD] = (
        reveal_count(table, s),
        s[SEAT],
        settled_lead(table, s),
    )
    frames[at + NUMBER], frames[at + BEST] = 0, -UNKNOWN
    first_way(work, depth)


def first_way(work: Work, depth: int) -> None:
    """Begins with the first way in which the next move of a position that waits can turn cards up: with one card."""
    frames, at = work.frames, FIELDS * depth
    left = frames[at + HIDDEN]
    # Nothing looked at yet: all n! orders are left.
    frames[at + TOTAL], frames[at + REST], frames[at + DEEP] = 0, FACTORIALS[count_bits(left)], 0
    if left:
        # One card is the guess; `go_on` picks more where the move turns up more, none where it turns up none.
        work.picks[depth * MOST_HIDDEN] = lowest_bit(left)
        frames[at + DEEP] = 1


def next_way(work: Work, depth: int) -> bool:
    """Goes on to the next way in which the move can turn cards up that is tried, if there is one."""
    frames, picks, at, place = work.frames, work.picks, FIELDS * depth, depth * MOST_HIDDEN
    # `picks` count up like the digits of a number, no digit twice. Of cards 0, 1, 2, two turned up:
    #     01  02  10  12  20  21
    deep = frames[at + DEEP]
    while deep:
        # The cards that are not picked at an earlier place.
        free = frames[at + HIDDEN]
        for earlier in range(place, place + deep - 1):
            free ^= 1 << picks[earlier]
        # Higher than the last pick: like counting, the last place goes up, else the one before it.
        free &= -(2 << picks[place + deep - 1])
        if free:
            picks[place + deep - 1] = lowest_bit(free)
            break
        # This place has had all cards: the one before it goes up, and `go_on` fills this one again.
        deep -= 1
    frames[at + DEEP] = deep
    return deep > 0


def go_on(table: Any, hidden: Any, work: Work) -> None:
    """Plays the move that is tried of the deepest position that waits, and says what is asked of the one after it."""
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
    while is_short:  # until it turns no more cards up than were picked
        # The move was played with too few cards picked: back to the position, and once more with the next one.
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
    # The pick was not needed: one way, which all orders share.
    if reveals == 0:
        deep, others = 0, frames[at + HIDDEN]
    # The orders of the cards that stay hidden: so many orders of all hidden cards begin with these picks.
    seat, weight, asked = frames[at + MOVER], FACTORIALS[count_bits(others)], max(frames[at + BEST], frames[at + LOW])
    frames[at + DEEP] = deep
    frames[at + REST] -= weight
    total, rest = frames[at + TOTAL], frames[at + REST]
    # Star1: with all other ways at their most this one has to come to more than `too_low`; with all at their least it
    # need not come to more than `high_enough`.
    too_low = asked - total - rest * frames[at + MOST]
    high_enough = frames[at + HIGH] - total - rest * frames[at + LEAST]
    # What was settled by the move is no longer in the value of the position after it.
    gained = weight * (settled_lead(table, s) - frames[at + SETTLED_LEAD])
    if seat:
        gained = -gained
    frames[at + GAIN], frames[at + TOO_LOW], frames[at + HIGH_ENOUGH] = gained, too_low, high_enough
    state[NEXT_HIDDEN] = others
    # Asked of the position after it, as its mover sees it: for the other one bounds change sign and places.
    if s[SEAT] == seat:
        frames[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 1, too_low - gained, high_enough - gained
    else:
        frames[at + STAYS], state[NEXT_LOW], state[NEXT_HIGH] = 0, gained - high_enough, gained - too_low


def search(table: Any, hidden: Any, proofs: Proofs, work: Work, most: int) -> int:
    """The value of what was begun, or a number up to the bound that was asked for, which it does not exceed.

    Args:
        table: the table of the core.
        hidden: the hidden cards.
        proofs: what was proved, and is from now on.
        work: what it has in hand.
        most: after about this many positions it gives `INTERRUPTED`; called again it goes on.
    """
    s, frames, state = work.s, work.frames, work.state
    # One more each: the hidden cards lie before the position in `stack`.
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
            # Where `wait` would put it, one deeper: copied early, since the key of `look_up` is a part of one row.
            begins = (depth + 1) * size
            work.stack[begins] = left
            copy(work.stack, begins + 1, s, 0, size - 1)
            known_low, known_high = look_up(proofs, work.stack, begins, decides)
            least, most_gained = span(table, s, hidden, left)
            # `span` is of one order of cards, values are of all of them.
            known_low, known_high = max(known_low, scale * least), min(known_high, scale * most_gained)
            is_known = known_low >= high or known_high <= low or known_low >= known_high
            # Fail-soft: a bound that was proved says more than the one that was asked for.
            value = known_high if known_high <= low else known_low
            if not is_known:
                if state[NODES] >= end:
                    return INTERRUPTED
                state[NODES] += 1
                depth += 1
                at = FIELDS * depth
                wait(table, work, depth, left, max(low, known_low), min(high, known_high))
                frames[at + KNOWN_LOW], frames[at + KNOWN_HIGH] = known_low, known_high
                frames[at + LEAST], frames[at + MOST] = least, most_gained
                frames[at + COUNT] = search_moves(table, s, work.moves, work.promises)
                copy(work.move_stack, depth * len(work.moves), work.moves, 0, frames[at + COUNT])
        # Up again: a value is given to the position that waits, and that may settle this one, too.
        while is_known:
            at = FIELDS * depth
            value = frames[at + GAIN] + (value if frames[at + STAYS] else -value)
            # Star1 cuts: the ways that are left are counted with the bound that they cannot pass.
            frames[at + TOTAL] += value
            if value <= frames[at + TOO_LOW]:
                frames[at + TOTAL] += frames[at + REST] * frames[at + MOST]
            elif value >= frames[at + HIGH_ENOUGH]:
                frames[at + TOTAL] += frames[at + REST] * frames[at + LEAST]
            elif next_way(work, depth):
                break
            # The move is done, whether in all its ways or cut.
            best = max(frames[at + BEST], frames[at + TOTAL])
            frames[at + BEST] = best
            frames[at + NUMBER] += 1
            is_known = best >= frames[at + HIGH] or frames[at + NUMBER] == frames[at + COUNT]
            if is_known:
                if depth == 0:
                    return best
                known_low, known_high = frames[at + KNOWN_LOW], frames[at + KNOWN_HIGH]
                # `best` is exact between the bounds; beyond one of them it is a bound only. Depth 0 has one move, and
                # is not kept.
                if best > frames[at + LOW]:
                    known_low = best
                if best < frames[at + HIGH]:
                    known_high = min(known_high, best)
                store(proofs, work.stack, depth * size, decides, known_low, known_high)
                value, depth = best, depth - 1
            else:
                first_way(work, depth)
        state[DEPTH] = depth
        go_on(table, hidden, work)
