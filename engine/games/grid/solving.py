"""Positions of two on the core of grid proved: alpha-beta search that knows which cards are left, and all neighbours.

A value is what who is to move will gain on the other. A position is known by its key: how many cards were turned up,
the kinds of the cards on the nine cells, and whether the first move of two was made, five bits each. What cards are
left says at once between what its value lies. All positions that follow one are looked up before any is searched: often
one was proved good enough already.
"""

from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.games.grid.core import (
    CELLS,
    DECK,
    HALF,
    LEGAL,
    MOST_MOVES,
    NEXT,
    SCORE,
    Table,
    between,
    kind_of,
    moved_on,
    moves_by_number,
    play,
    refilled,
)
from ccgrid.engine.games.grid.state import DECK_SIZE, GRID_SIZE
from ccgrid.engine.rows.binding import called, compiled_as
from ccgrid.engine.rows.core import Position
from ccgrid.engine.rows.row import Row, copy, count_bits, fetch, lowest_bit
from ccgrid.engine.rows.solving import AFRESH, DEPTH, INTERRUPTED, NODES

# The key of a position: five bits each, but the last one.
#
#     bits    50                    45..49    ...   10..14    5..9      0..4
#             first of two made     kind c3   ...   kind b1   kind a1   cards turned up
_KIND: Final = 5
_KINDS: Final = (1 << _KIND) - 1
_HALF: Final = _KIND * (GRID_SIZE + 1)

# A move that is searched: what it takes, and in the lowest eight bits its number.
_WORTH: Final = 8
_MOVE: Final = (1 << _WORTH) - 1
_CELL: Final = 15
_FIRST: Final = 1 << 40
"""This and the cell whose card is taken are a group of moves, with what they take between; the best comes first."""

# What is proved of a position; 0 where nothing is. The bounds stand there plus `_MIDDLE`, so that none is negative.
#
#     bits    48 and up     40..47             20..39     0..19
#             cards gone    best move and 1    at most    at least
_HIGH: Final = 20
_BEST: Final = 40
_GONE: Final = 48
_BOUND: Final = (1 << _HIGH) - 1
_MIDDLE: Final = 1 << _HIGH - 1

_WAITING: Final = 8
_ASKED, _KEY, _LEFT, _KNOWN, _VALUE, _CHOSEN, _COUNT, _NUMBER = range(_WAITING)
"""What is kept of a position that waits for those after it, so many numbers in a row."""

_NOTHING: Final = -(1 << 30)


class Proofs(NamedTuple):
    """A table of what was proved, for compiled code: a key and a proof in each place, and how many are not free."""

    places: Row
    taken: Row


class Work(NamedTuple):
    """What a search has in hand.

    Attributes:
        state: how deep it is, and how many positions it looked at.
        s: the position that it looks at.
        deck: the kinds of the cards in the deck, then that of no card.
        scores: what each kind is worth.
        ranks: for each kind its cards, as bits by their ranks.
        ranked: the scores by rank, the lowest first: what is taken late are low bits, near each other in `reach`.
        takers: for each cell the moves that take the card there, as bits.
        reach: for each set of cards that are left between what the value lies, 0 until that was counted.
        room: for counting it.
        groups: the moves of a position by the cells of the cards that they take.
        waiting: what moves change of each position that waits.
        values: `_WAITING` numbers of it.
        moves, keys, lefts: its moves, and of each position after it the key and the cards that are left.
    """

    state: Row
    s: Row
    deck: Row
    scores: Row
    ranks: Row
    ranked: Row
    takers: Row
    reach: Row
    room: Row
    groups: Row
    waiting: Row
    values: Row
    moves: Row
    keys: Row
    lefts: Row


def search(table: Table, proofs: Proofs, work: Work, asked: int, most: int) -> int:
    """A number at least `asked` that the value of `work.s` reaches; or one below it that it does not exceed.

    Arguments as of `engine.rows.solving.search`.
    """
    state, s, values, waiting, reach = work.state, work.s, work.values, work.waiting, work.reach
    moves, keys, lefts, groups = work.moves, work.keys, work.lefts, work.groups
    deck, scores, ranks, takers = work.deck, work.scores, work.ranks, work.takers
    sources, targets = table.source, table.target
    in_pairs, covers, depth, end = table.in_pairs, table.covers, state[DEPTH], state[NODES] + most
    if depth == AFRESH:
        key, left = key_of(s), left_of(work, s)
        known = known_of(proofs, work, key, left, in_pairs)
        low, high = low_of(known), high_of(known)
        if s[LEGAL] == 0:
            low = high = 0
        if not low < asked <= high:
            return low if low >= asked else high
        depth, values[_ASKED], values[_KEY], values[_LEFT], values[_KNOWN] = 0, asked, key, left, known
    at, is_new = _WAITING * depth, True
    bound, key, left, known = values[at + _ASKED], values[at + _KEY], values[at + _LEFT], values[at + _KNOWN]
    best = chosen = count = number = 0
    while True:
        begin = MOST_MOVES * depth
        half = key >> _HALF
        if is_new:
            if state[NODES] >= end:
                state[DEPTH] = depth
                return INTERRUPTED
            state[NODES] += 1
            is_new, best, chosen, count, number = False, _NOTHING, 0, 0, 0
            legal, hint, card, after = s[LEGAL], move_of(known), deck[s[NEXT]], half ^ in_pairs
            hinted = targets[hint] if hint >= 0 else -1
            grouped = 0
            for cell in range(GRID_SIZE):  # moves that take the same card: what the cards left then say of them
                if legal & takers[cell] == 0:
                    continue
                taken = key >> _KIND * cell + _KIND & _KINDS
                copies, worth = left & ranks[taken], scores[taken]
                rest = left ^ (copies & -copies)
                known = reach[rest << in_pairs | after]
                if known == 0:
                    known = reached(reach, work.ranked, work.room, rest, in_pairs, after)
                low, high = low_of(known), high_of(known)
                if half:
                    low, high = worth + low, worth + high
                else:
                    low, high = worth - high, worth - low
                if low >= bound:
                    best, chosen = low, lowest_bit(legal & takers[cell])
                    break
                if high < bound:
                    if high > best:
                        best, chosen = high, lowest_bit(legal & takers[cell])
                    continue
                group, place = worth << _WORTH | cell, grouped
                if cell == hinted:
                    group |= _FIRST
                while place > 0 and groups[place - 1] < group:
                    groups[place] = groups[place - 1]
                    place -= 1
                groups[place] = group
                grouped += 1
            place = 0
            base = (key ^ in_pairs << _HALF) + refilled(s[NEXT]) - s[NEXT]
            while best < bound and place < grouped:  # the positions after them; memory is asked for all at once
                group = groups[place]
                place += 1
                cell, worth = group & _CELL, (group & _FIRST - 1) >> _WORTH
                target, into = _KIND * cell + _KIND, legal & takers[cell]
                taken = key >> target & _KINDS
                copies = left & ranks[taken]
                rest = left ^ (copies & -copies)
                while into:
                    move = lowest_bit(into)
                    if group >= _FIRST:
                        move = hint
                        group = 0
                    into ^= 1 << move
                    source = _KIND * sources[move] + _KIND
                    mover = key >> source & _KINDS
                    at_source, at_target = moved_on(mover, card)
                    following = base ^ (mover ^ at_source) << source ^ (taken ^ at_target) << target
                    moves[begin + count], keys[begin + count] = worth << _WORTH | move, following
                    lefts[begin + count] = rest
                    look_ahead(proofs, following)
                    count += 1
            listed, place, count = count, begin, 0
            while best < bound and place < begin + listed:  # what was proved of these; the others stay listed
                known = find(proofs, keys[place])
                worth = moves[place] >> _WORTH
                low, high = low_of(known), high_of(known)
                if half:
                    low, high = worth + low, worth + high
                else:
                    low, high = worth - high, worth - low
                if known and low >= bound:
                    best, chosen = low, moves[place] & _MOVE
                elif known and high < bound:
                    if high > best:
                        best, chosen = high, moves[place] & _MOVE
                else:
                    moves[begin + count], keys[begin + count] = moves[place], keys[place]
                    lefts[begin + count] = lefts[place]
                    count += 1
                place += 1
            if best < bound and count:
                copy(waiting, depth * DECK, s, 0, DECK)
        value, climbs = 0, best >= bound or number == count
        if climbs:
            known = values[at + _KNOWN]
            low, high, value = low_of(known), high_of(known), best
            if best >= bound:
                low = best
            else:
                high = min(best, high)
            keep(proofs, key, proof_of(low, high, chosen + 1, DECK_SIZE - count_bits(left)))
            if depth == 0:
                return best
        else:
            place = begin + number
            if number:
                copy(s, 0, waiting, depth * DECK, DECK)
            play(table, s, moves[place] & _MOVE)
            worth = moves[place] >> _WORTH
            if s[LEGAL]:
                values[at + _VALUE], values[at + _CHOSEN], values[at + _COUNT] = best, chosen, count
                values[at + _NUMBER] = number
                key, left, below = keys[place], lefts[place], bound - worth if half else worth - bound + 1
                if covers:  # cards may have been laid over others
                    key, left = key_of(s), left_of(work, s)
                known = known_of(proofs, work, key, left, in_pairs)
                depth, at = depth + 1, at + _WAITING
                low, high = low_of(known), high_of(known)
                if low < below <= high:
                    values[at + _ASKED], values[at + _KEY], values[at + _LEFT] = below, key, left
                    values[at + _KNOWN] = known
                    bound, is_new = below, True
                    continue
                value = low if low >= below else high
                climbs = True
        if climbs:
            depth, at = depth - 1, at - _WAITING
            bound, key, left = values[at + _ASKED], values[at + _KEY], values[at + _LEFT]
            best, chosen, count = values[at + _VALUE], values[at + _CHOSEN], values[at + _COUNT]
            number = values[at + _NUMBER]
            if key >> _HALF == 0:
                value = -value
        place = MOST_MOVES * depth + number
        value += moves[place] >> _WORTH
        if value > best:
            best, chosen = value, moves[place] & _MOVE
        number += 1


def key_of(s: Row) -> int:
    """The key of a position."""
    key = s[NEXT] | s[HALF] << _HALF
    for cell in range(GRID_SIZE):
        key |= kind_of(s[CELLS + cell]) << _KIND * cell + _KIND
    return key


def left_of(work: Work, s: Row) -> int:
    """The cards on the grid and in the pile, as bits by their ranks."""
    left = 0
    for cell in range(GRID_SIZE):
        free = work.ranks[kind_of(s[CELLS + cell])] & ~left
        left |= free & -free
    for place in range(s[NEXT], DECK_SIZE):
        free = work.ranks[work.deck[place]] & ~left
        left |= free & -free
    return left


def known_of(proofs: Proofs, work: Work, key: int, left: int, in_pairs: int) -> int:
    """What is proved of a position, or between what its value lies by the cards that are left."""
    known = find(proofs, key)
    if known == 0:
        known = work.reach[left << in_pairs | key >> _HALF]
    return known if known else reached(work.reach, work.ranked, work.room, left, in_pairs, key >> _HALF)


@called
def reached(reach: Row, ranked: Row, room: Row, left: int, in_pairs: int, half: int) -> int:
    """Between what the value lies when these cards are left, as a proof."""
    count, cards = count_bits(left), left
    place = count
    while cards:
        place -= 1
        room[place] = ranked[lowest_bit(cards)]
        cards &= cards - 1
    low, high = between(room, count, in_pairs, half)
    reach[left << in_pairs | half] = found = proof_of(low, high, 0, 0)
    return found


def proof_of(low: int, high: int, move: int, gone: int) -> int:
    """What is proved as a number."""
    return low + _MIDDLE | (high + _MIDDLE) << _HIGH | move << _BEST | gone << _GONE


def low_of(proof: int) -> int:
    """The value is at least so much."""
    return (proof & _BOUND) - _MIDDLE


def high_of(proof: int) -> int:
    """The value is at most so much."""
    return (proof >> _HIGH & _BOUND) - _MIDDLE


def move_of(proof: int) -> int:
    """The best move, or -1."""
    return (proof >> _BEST & _MOVE) - 1


# --- what was proved: in plain Python in a dictionary, compiled in lines of four places ---

_LINE: Final = 8
_SPREAD: Final = 0x1E3779B97F4A7C15
_UPPER: Final = 38


def _line_of(places: Row, key: int) -> int:
    """Where the places for a key begin; the product wraps around at 64 bits."""
    return (key * _SPREAD >> _UPPER & (len(places) // _LINE - 1)) * _LINE


def _looked_ahead(proofs: Proofs, key: int) -> None:
    fetch(proofs.places, _line_of(proofs.places, key))


def _found(proofs: Proofs, key: int) -> int:
    places = proofs.places
    line = _line_of(places, key)
    for place in range(line, line + _LINE, 2):
        if places[place] == key:
            return places[place + 1]
    return 0


def _stored(proofs: Proofs, key: int, proof: int) -> None:
    """Keeps it; where all places are taken instead of what has the fewest cards left, or of any if this has fewer."""
    places = proofs.places
    line = _line_of(places, key)
    chosen, most = line, 0
    for place in range(line, line + _LINE, 2):
        if places[place] == key or places[place] == 0:
            proofs.taken[0] += 1 if places[place] == 0 else 0
            places[place], places[place + 1] = key, proof
            return
        if places[place + 1] >> _GONE >= most:
            chosen, most = place, places[place + 1] >> _GONE
    if most < proof >> _GONE:
        chosen = line + 2 * (key >> _KIND & 3)
    places[chosen], places[chosen + 1] = key, proof


@compiled_as(_looked_ahead)
def look_ahead(proofs: Any, key: int) -> None:
    """Says that a position will be looked up soon."""


@compiled_as(_found)
def find(proofs: Any, key: int) -> int:
    """What is proved of a position, or 0."""
    found: int = proofs.get(key, 0)
    return found


@compiled_as(_stored)
def keep(proofs: Any, key: int, proof: int) -> None:
    """Keeps what is proved of a position."""
    proofs[key] = proof


def move_over(proofs: Proofs, larger: Proofs) -> None:
    """Keeps in another table what is in one; for compiled code."""
    for place in range(0, len(proofs.places), 2):
        if proofs.places[place]:
            _stored(larger, proofs.places[place], proofs.places[place + 1])


# --- what is never compiled ---


def table_of(places: int, zeros: Any) -> Proofs:
    """An empty table of so many places, a power of two."""
    return Proofs(zeros(2 * places), zeros(1))


def work_of(core: ModuleType, position: Position, zeros: Any) -> Work:
    """Room for a search from a position on."""
    table, s = position.table, position.row
    scores = [card >> SCORE for card in table.cards]
    deck = [*table.kinds, 0]
    cards = [*map(kind_of, s[CELLS : CELLS + GRID_SIZE]), *deck[s[NEXT] :]]
    ranked = sorted([kind for kind in cards if kind], key=lambda kind: (scores[kind], kind))
    ranks = [sum(1 << rank for rank, one in enumerate(ranked) if one == kind) for kind in range(len(scores))]
    legal = moves_by_number()
    takers = [sum(1 << move for move in legal if table.target[move] == cell) for cell in range(GRID_SIZE)]
    deep = len(ranked) + 1
    moves, keys, lefts = [[0] * deep * MOST_MOVES for _ in range(3)]
    return Work(
        [AFRESH, 0],
        s,
        deck,
        scores,
        ranks,
        [scores[kind] for kind in ranked],
        takers,
        zeros(1 << len(ranked) + table.in_pairs),
        [0] * DECK_SIZE,
        [0] * GRID_SIZE,
        [0] * deep * DECK,
        [0] * deep * _WAITING,
        moves,
        keys,
        lefts,
    )
