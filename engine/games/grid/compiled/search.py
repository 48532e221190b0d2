"""Alpha-beta search of grid, compiled: that of `engine.games.grid.searcher` on whole numbers, with a bounded table.

A position is nine kinds of cards, five bits each, and how many cards were turned up: the key under which what was
proved of it is kept. Beside it goes a lane of five bits for each move, ten lanes in each of four numbers, to which what
lies on its two cells adds up: 16 or more where the move is legal. Before the positions that follow are searched all of
them are looked up: often one was proved good enough already. Between what a value lies by the cards that are left is
counted once for each set of them. The search calls nothing: positions that wait lie in rows by their depth.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numba.core import types

from engine.games.grid.compiled.kept import (
    MOST,
    NODES,
    high_of,
    keep,
    kept,
    low_of,
    move_of,
    proved,
)
from engine.games.grid.state import BOARD, DECK_SIZE, MOVES
from engine.rows.compiler import bundle, compiled, count_bits, lowest_bit

ENDED: Final = 1 << 29
"""What a search gives that looked at as many positions as it may."""

_INFINITE: Final = np.int64(1 << 30)
_HINT: Final = np.int64(1 << 40)
WORDS: Final = 4
"""The lanes of a position are so many numbers,"""
LANE: Final = 5
"""and one lane takes so many bits."""

KEY, LEFT = WORDS, WORDS + 1
_BOUND, _LOW, _HIGH, _BEST, _CHOSEN, _NUMBER, COUNT = range(7)

_U: Final = np.uint64
_0, _1, _2, _3, _4, _5, _31 = (_U(number) for number in (0, 1, 2, 3, 4, 5, 31))
_TENS: Final = _U(sum(1 << LANE * lane for lane in range(len(MOVES) // WORDS)))
_TENTHS: Final = _TENS << _4
_WORTH: Final = np.int64(0xFFFF)


def _by_bit(cells: Sequence[str]) -> Any:
    found = np.zeros(64, np.int64)
    for number, cell in enumerate(cells):
        found[LANE * (number // WORDS) + number % WORDS] = BOARD.cells.index(cell)
    return found


_SOURCE: Final = _by_bit([move[:2] for move in MOVES])
_TARGET: Final = _by_bit([move[3:] for move in MOVES])


class Deal(NamedTuple):
    """What stays as it is while a deal is searched.

    Attributes:
        lanes: for each kind, 0 for no card, and each cell what a card there adds to the lanes.
        scores: what each kind is worth.
        deck: the kinds in the order of the deck, then 0.
        ranks: for each kind the bits of its cards.
        ranked: the scores by rank.
        reach: for each set of cards between what the value lies while they are left, 0 until that was counted.
        room: for counting it.
    """

    lanes: Any
    scores: Any
    deck: Any
    ranks: Any
    ranked: Any
    reach: Any
    room: Any


class Rows(NamedTuple):
    """What waits, by its depth.

    Attributes:
        positions: the lanes, the key, the cards that are left.
        values: what is asked and known, the best so far and its move, and at which of so many moves the search is.
        moves: the moves to search, with what they take above the move's six bits.
        keys: the positions after them.
        lefts: the cards that are left then.
    """

    positions: Any
    values: Any
    moves: Any
    keys: Any
    lefts: Any


DEAL: Final = bundle(
    Deal, "uint64[:, :, ::1]", "int64[::1]", "uint64[::1]", "uint64[::1]", "int64[::1]", "int16[:, ::1]", "int64[::1]"
)
ROWS: Final = bundle(Rows, "uint64[:, ::1]", "int64[:, ::1]", "int64[:, ::1]", "uint64[:, ::1]", "uint64[:, ::1]")


@compiled("UniTuple(int64, 2)(uint64, int64[::1], int64[::1])", borrows=True)
def between(left: Any, ranked: Any, room: Any) -> Any:
    """Between what the value lies when these cards, bits by their ranks, are left and somebody can move."""
    count = 0
    while left:
        room[count] = ranked[lowest_bit(left)]
        count += 1
        left &= left - _1
    captures = count - 1
    highest = room[0]
    best = highest
    for pairs in range(1, (captures + 1) // 2):
        highest += room[pairs] - room[count - pairs]
        best = max(best, highest)
    lowest = np.int64(0)
    worst = room[count - 1]
    for pairs in range(1, captures // 2 + 1):
        lowest += room[count - pairs] - room[pairs - 1]
        worst = min(worst, lowest)
    return worst, best


@compiled(types.void(DEAL, types.uint64), borrows=True)
def count_reach(deal: Any, left: Any) -> None:
    """Keeps between what the value lies while these cards are left."""
    low, high = between(left, deal.ranked, deal.room)
    deal.reach[left, 0], deal.reach[left, 1] = low, high


@compiled("uint64(uint64[:, ::1], int64)", inline=True, borrows=True)
def legal_moves(positions: Any, depth: Any) -> Any:
    """A bit for each legal move."""
    return (
        (positions[depth, 0] & _TENTHS) >> _4
        | (positions[depth, 1] & _TENTHS) >> _3
        | (positions[depth, 2] & _TENTHS) >> _2
        | (positions[depth, 3] & _TENTHS) >> _1
    )


@compiled(types.int64(DEAL, ROWS, types.uint64[::1], types.int64[::1], types.int64), borrows=True)
def search(deal: Any, rows: Any, table: Any, counts: Any, asked: Any) -> Any:
    """A number at least `asked` that the value of the first position reaches, or one below it that it does not exceed.

    Looks at `counts[MOST]` positions at most, and gives `ENDED` if that was not enough.
    """
    positions, values, moves, keys, lefts = rows
    lanes, scores, deck, ranks, _, reach, _ = deal
    depth = np.int64(0)
    values[0, _BOUND] = asked
    while True:
        counts[NODES] += 1
        if counts[NODES] > counts[MOST]:
            return np.int64(ENDED)
        key, left, bound = positions[depth, KEY], positions[depth, LEFT], values[depth, _BOUND]
        cells, turned_up = key >> _5, key & _31
        legal = legal_moves(positions, depth)
        entry = kept(key, table)
        hint = np.int64(-1)
        if entry:
            low, high, hint = low_of(entry), high_of(entry), move_of(entry)
        elif legal:
            if reach[left, 1] == 0:
                count_reach(deal, left)
            low, high = np.int64(reach[left, 0]), np.int64(reach[left, 1])
        else:
            low, high = np.int64(0), np.int64(0)
        value = low if low >= bound else high
        climbs = low >= bound or high < bound
        if not climbs:
            best, chosen, count = -_INFINITE, np.int64(0), np.int64(0)
            card = deck[turned_up]
            after = turned_up + _1 if card else turned_up
            while legal:
                move = np.int64(lowest_bit(legal))
                legal &= legal - _1
                source, target = _U(5 * _SOURCE[move]), _U(5 * _TARGET[move])
                mover, taken = (cells >> source) & _31, (cells >> target) & _31
                worth = scores[taken]
                copies = left & ranks[taken]
                rest = left ^ (copies & (_0 - copies))
                if reach[rest, 1] == 0:
                    count_reach(deal, rest)
                # Nobody knows yet whether there is a move then: without one the value is 0.
                least = worth - np.int64(reach[rest, 1])
                most = worth - min(np.int64(reach[rest, 0]), np.int64(0))
                if least >= bound:
                    best, chosen = least, move
                    break
                if most < bound:
                    if most > best:
                        best, chosen = most, move
                    continue
                lying = cells ^ (mover ^ taken) << target ^ (mover ^ card) << source
                promise = worth << 6 | move
                if move == hint:
                    promise |= _HINT
                place = count
                while place > 0 and moves[depth, place - 1] < promise:
                    moves[depth, place] = moves[depth, place - 1]
                    keys[depth, place] = keys[depth, place - 1]
                    lefts[depth, place] = lefts[depth, place - 1]
                    place -= 1
                moves[depth, place], keys[depth, place], lefts[depth, place] = promise, lying << _5 | after, rest
                count += 1
            room, known = count, np.int64(0)
            count = np.int64(0)
            while known < room and best < bound:
                promise, found = moves[depth, known], kept(keys[depth, known], table)
                worth = promise >> 6 & _WORTH
                if found and worth - high_of(found) >= bound:
                    best, chosen = worth - high_of(found), promise & 63
                elif found and worth - low_of(found) < bound:
                    if worth - low_of(found) > best:
                        best, chosen = worth - low_of(found), promise & 63
                else:
                    moves[depth, count], keys[depth, count] = promise, keys[depth, known]
                    lefts[depth, count] = lefts[depth, known]
                    count += 1
                known += 1
            values[depth, _LOW], values[depth, _HIGH] = low, high
            values[depth, _BEST], values[depth, _CHOSEN] = best, chosen
            values[depth, _NUMBER], values[depth, COUNT] = 0, count
        while True:
            if climbs:
                if depth == 0:
                    return value
                depth -= 1
                promise = moves[depth, values[depth, _NUMBER]]
                values[depth, _NUMBER] += 1
                value = (promise >> 6 & _WORTH) - value
                if value > values[depth, _BEST]:
                    values[depth, _BEST], values[depth, _CHOSEN] = value, promise & 63
            best, number = values[depth, _BEST], values[depth, _NUMBER]
            if best < values[depth, _BOUND] and number < values[depth, COUNT]:
                break
            low, high = values[depth, _LOW], values[depth, _HIGH]
            if best >= values[depth, _BOUND]:
                low = best
            else:
                high = min(best, high)
            gone = _U(DECK_SIZE) - count_bits(positions[depth, LEFT])
            keep(positions[depth, KEY], proved(low, high, values[depth, _CHOSEN], gone), table, counts)
            value, climbs = best, True
        key, promise = positions[depth, KEY], moves[depth, number]
        move = promise & 63
        source, target = _SOURCE[move], _TARGET[move]
        card = deck[key & _31]
        mover, taken = (key >> _U(5 * source + 5)) & _31, (key >> _U(5 * target + 5)) & _31
        for word in range(WORDS):
            positions[depth + 1, word] = (
                positions[depth, word]
                + lanes[card, source, word]
                - lanes[mover, source, word]
                + lanes[mover, target, word]
                - lanes[taken, target, word]
            )
        positions[depth + 1, KEY], positions[depth + 1, LEFT] = keys[depth, number], lefts[depth, number]
        values[depth + 1, _BOUND] = (promise >> 6 & _WORTH) - values[depth, _BOUND] + 1
        depth += 1
