"""Positions of two on the core of grid proved: alpha-beta search that knows which cards are left, and all neighbours.

A value is what who is to move will gain on the other. A position is known by its key: how many cards were turned up,
the kinds of the cards on the nine cells, and whether who is to move has two moves, five bits each. What cards are
left bound its value at once. All positions that follow one are looked up before any is searched: often
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
    cells_after,
    gain_bounds,
    kind_on_cell,
    moves_by_number,
    next_in_deck,
    play,
)
from ccgrid.engine.games.grid.state import DECK_SIZE, GRID_SIZE
from ccgrid.engine.rows.binding import compiled_as, not_inlined
from ccgrid.engine.rows.core import Position
from ccgrid.engine.rows.row import Row, copy, count_bits, fetch, lowest_bit
from ccgrid.engine.rows.solving import DEPTH, INTERRUPTED, NODES, NOT_BEGUN

# The key of a position: five bits each, but the last one.
#
#     bits    50          45..49    ...   10..14    5..9      0..4
#             two moves   kind c3   ...   kind b1   kind a1   cards turned up
_KIND: Final = 5
_KINDS: Final = (1 << _KIND) - 1
_HALF: Final = _KIND * (GRID_SIZE + 1)

# A move that is searched, and a group of moves that take the same card:
#
#     bits    40                     8 and up    0..7
#     move                           its score   its number
#     group   is looked at first     its score   the cell in four bits
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
_CARDS_GONE: Final = 48
_BOUND: Final = (1 << _HIGH) - 1
# 2**19 to either side: a game is worth at most 20 times the largest score, 10,000.
_MIDDLE: Final = 1 << _HIGH - 1

_FRAME: Final = 8
_TARGET, _KEY, _CARDS, _PROOF, _VALUE, _MOVE_OF_BEST, _COUNT, _NUMBER = range(_FRAME)
"""What a frame holds: what is known of a position while positions after it are searched."""

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
        reach: for each set of cards that are left the bounds of the value, 0 until they were counted.
        room: for counting it.
        groups: the moves of a position by the cells of the cards that they take.
        stack: what moves change of each position that waits.
        frames: `_FRAME` numbers of it.
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
    stack: Row
    frames: Row
    moves: Row
    keys: Row
    lefts: Row


def search(table: Table, proofs: Proofs, work: Work, root_bound: int, most: int) -> int:
    """A number at least `root_bound` that the value of `work.s` reaches; or one below it that it does not exceed.

    Arguments as of `engine.rows.solving.search`.
    """
    state, s, frames, stack, reach = work.state, work.s, work.frames, work.stack, work.reach
    moves, keys, lefts, groups = work.moves, work.keys, work.lefts, work.groups
    deck, scores, ranks, takers = work.deck, work.scores, work.ranks, work.takers
    sources, targets = table.source, table.target
    in_pairs, covers, depth, end = table.in_pairs, table.covers, state[DEPTH], state[NODES] + most
    if depth == NOT_BEGUN:
        key, left = key_of(s), cards_left(work, s)
        known = proof_for(proofs, work, key, left, in_pairs)
        low, high = low_of(known), high_of(known)
        # Over: nothing more is gained.
        if s[LEGAL] == 0:
            low = high = 0
        if not low < root_bound <= high:
            return low if low >= root_bound else high
        depth, frames[_TARGET], frames[_KEY], frames[_CARDS], frames[_PROOF] = 0, root_bound, key, left, known
    at, is_new = _FRAME * depth, True
    bound, key, left, known = frames[at + _TARGET], frames[at + _KEY], frames[at + _CARDS], frames[at + _PROOF]
    best = chosen = count = number = 0
    # Depth first without recursion, so that it can be interrupted and go on: `frames` holds what a position needs when
    # its turn comes again. A position that is new lists its moves. Each is played until one reaches the bound; where
    # too little is known of the position after it, that one is searched, a level deeper. `climbs` says that a value is
    # found, which then counts for the move one level up.
    while True:
        begin = MOST_MOVES * depth
        # 1 where who is to move has two moves: then the position after the move is theirs as well.
        half = key >> _HALF
        if is_new:
            if state[NODES] >= end:
                state[DEPTH] = depth
                return INTERRUPTED
            state[NODES] += 1
            is_new, best, chosen, count, number = False, _NOTHING, 0, 0, 0
            legal, hint, card, after = s[LEGAL], best_move_of(known), deck[s[NEXT]], half ^ in_pairs
            hinted = targets[hint] if hint >= 0 else -1
            grouped = 0
            for cell in range(GRID_SIZE):  # moves that take the same card: what the cards left then say of them
                if legal & takers[cell] == 0:
                    continue
                # `+` binds before `>>`, and that before `&`: the five bits of this cell.
                taken = key >> _KIND * cell + _KIND & _KINDS
                # Cards of one kind have neighbouring ranks, and any of them may be the one that goes: the lowest does.
                copies, worth = left & ranks[taken], scores[taken]
                rest = left ^ (copies & -copies)
                known = reach[rest << in_pairs | after]
                if known == 0:
                    known = count_reach(reach, work.ranked, work.room, rest, in_pairs, after)
                low, high = low_of(known), high_of(known)
                # Who has two moves goes on: the value is added. Else the other moves, and its sign changes.
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
                # By insertion, highest score first: what takes most is searched first.
                group, place = worth << _WORTH | cell, grouped
                if cell == hinted:
                    group |= _FIRST
                while place > 0 and groups[place - 1] < group:
                    groups[place] = groups[place - 1]
                    place -= 1
                groups[place] = group
                grouped += 1
            place = 0
            # The key after a move is this with the kinds of two cells exchanged: all but these changes in the same way.
            # `^ in_pairs << _HALF` turns the bit for two moves over, where there is one; a card more is turned up, if
            # one is left.
            base = (key ^ in_pairs << _HALF) + next_in_deck(s[NEXT]) - s[NEXT]
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
                        # The first move of the hinted group is the one that was best before; `group = 0` ends that.
                        move = hint
                        group = 0
                    into ^= 1 << move
                    source = _KIND * sources[move] + _KIND
                    mover = key >> source & _KINDS
                    at_source, at_target = cells_after(mover, card)
                    # Two fields change: each is exchanged by what it differs in.
                    following = base ^ (mover ^ at_source) << source ^ (taken ^ at_target) << target
                    moves[begin + count], keys[begin + count] = worth << _WORTH | move, following
                    lefts[begin + count] = rest
                    look_ahead(proofs, following)
                    count += 1
            listed, place, count = count, begin, 0
            # `count` never passes `place`, so the list can be shortened in place.
            while best < bound and place < begin + listed:  # what was proved of these; the others stay listed
                known = look_up(proofs, keys[place])
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
            # Nothing to search where all is known already: then the position is not needed again.
            if best < bound and count:
                copy(stack, depth * DECK, s, 0, DECK)
        value, climbs = 0, best >= bound or number == count
        if climbs:
            known = frames[at + _PROOF]
            low, high, value = low_of(known), high_of(known), best
            if best >= bound:
                low = best
            else:
                high = min(best, high)
            store(proofs, key, proof_of(low, high, chosen + 1, DECK_SIZE - count_bits(left)))
            if depth == 0:
                return best
        else:
            place = begin + number
            if number:
                copy(s, 0, stack, depth * DECK, DECK)
            play(table, s, moves[place] & _MOVE)
            worth = moves[place] >> _WORTH
            if s[LEGAL]:
                frames[at + _VALUE], frames[at + _MOVE_OF_BEST], frames[at + _COUNT] = best, chosen, count
                frames[at + _NUMBER] = number
                # Own next move: what is missing to the bound. The other's: theirs must stay below what is left of it.
                key, left, below = keys[place], lefts[place], bound - worth if half else worth - bound + 1
                if covers:  # cards may have been laid over others
                    key, left = key_of(s), cards_left(work, s)
                known = proof_for(proofs, work, key, left, in_pairs)
                depth, at = depth + 1, at + _FRAME
                low, high = low_of(known), high_of(known)
                if low < below <= high:
                    frames[at + _TARGET], frames[at + _KEY], frames[at + _CARDS] = below, key, left
                    frames[at + _PROOF] = known
                    bound, is_new = below, True
                    continue
                value = low if low >= below else high
                climbs = True
        if climbs:
            depth, at = depth - 1, at - _FRAME
            bound, key, left = frames[at + _TARGET], frames[at + _KEY], frames[at + _CARDS]
            best, chosen, count = frames[at + _VALUE], frames[at + _MOVE_OF_BEST], frames[at + _COUNT]
            number = frames[at + _NUMBER]
            # `key` is of the position one level up now: with one move the value below was the other player's.
            if key >> _HALF == 0:
                value = -value
        place = MOST_MOVES * depth + number
        # What the move took, and what both will gain after it.
        value += moves[place] >> _WORTH
        if value > best:
            best, chosen = value, moves[place] & _MOVE
        number += 1


def key_of(s: Row) -> int:
    """The key of a position."""
    key = s[NEXT] | s[HALF] << _HALF
    # The lowest five bits are the number of cards turned up: cells begin above them.
    for cell in range(GRID_SIZE):
        key |= kind_on_cell(s[CELLS + cell]) << _KIND * cell + _KIND
    return key


def cards_left(work: Work, s: Row) -> int:
    """The cards on the grid and in the pile, as bits by their ranks."""
    # Cards of a kind have neighbouring bits: the first free one is taken for each that is still there.
    left = 0
    for cell in range(GRID_SIZE):
        free = work.ranks[kind_on_cell(s[CELLS + cell])] & ~left
        left |= free & -free
    for place in range(s[NEXT], DECK_SIZE):
        free = work.ranks[work.deck[place]] & ~left
        left |= free & -free
    return left


def proof_for(proofs: Proofs, work: Work, key: int, left: int, in_pairs: int) -> int:
    """What is proved of a position, or the bounds that the cards left put on its value."""
    known = look_up(proofs, key)
    if known == 0:
        known = work.reach[left << in_pairs | key >> _HALF]
    return known if known else count_reach(work.reach, work.ranked, work.room, left, in_pairs, key >> _HALF)


@not_inlined
def count_reach(reach: Row, ranked: Row, room: Row, left: int, in_pairs: int, half: int) -> int:
    """The bounds of the value when these cards are left, as a proof."""
    count, cards = count_bits(left), left
    # `ranked` is lowest first and `gain_bounds` wants the highest first: filled from the back.
    place = count
    while cards:
        place -= 1
        room[place] = ranked[lowest_bit(cards)]
        cards &= cards - 1
    low, high = gain_bounds(room, count, in_pairs, half)
    reach[left << in_pairs | half] = found = proof_of(low, high, 0, 0)
    return found


def proof_of(low: int, high: int, move: int, gone: int) -> int:
    """What is proved as a number."""
    return low + _MIDDLE | (high + _MIDDLE) << _HIGH | move << _BEST | gone << _CARDS_GONE


def low_of(proof: int) -> int:
    """The value is at least so much."""
    return (proof & _BOUND) - _MIDDLE


def high_of(proof: int) -> int:
    """The value is at most so much."""
    return (proof >> _HIGH & _BOUND) - _MIDDLE


def best_move_of(proof: int) -> int:
    """The best move, or -1."""
    return (proof >> _BEST & _MOVE) - 1


# --- what was proved: in plain Python in a dictionary, compiled in lines of four places ---

# A line is 64 bytes, what a processor fetches at a time: four places of a key and a proof. The multiplier is that of
# SplitMix64 without its highest bit, so that it has no sign; a line is chosen by upper bits of the product, which
# depend on all bits of the key.
_LINE: Final = 8
_SPREAD: Final = 0x1E3779B97F4A7C15
_UPPER: Final = 38


def _line_of(places: Row, key: int) -> int:
    """Where the places for a key begin; the product wraps around at 64 bits."""
    return (key * _SPREAD >> _UPPER & (len(places) // _LINE - 1)) * _LINE


def _prefetch(proofs: Proofs, key: int) -> None:
    fetch(proofs.places, _line_of(proofs.places, key))


def _look_up_in_table(proofs: Proofs, key: int) -> int:
    places = proofs.places
    line = _line_of(places, key)
    for place in range(line, line + _LINE, 2):
        if places[place] == key:
            return places[place + 1]
    return 0


def _store_in_table(proofs: Proofs, key: int, proof: int) -> None:
    """Keeps it; where all places are taken instead of what has the fewest cards left, or of any if this has fewer."""
    places = proofs.places
    line = _line_of(places, key)
    chosen, most = line, 0
    for place in range(line, line + _LINE, 2):
        if places[place] == key or places[place] == 0:
            proofs.taken[0] += 1 if places[place] == 0 else 0
            places[place], places[place + 1] = key, proof
            return
        # With few cards left a position is soon proved anew: its proof makes room first.
        if places[place + 1] >> _CARDS_GONE >= most:
            chosen, most = place, places[place + 1] >> _CARDS_GONE
    # All four have more cards left than this one: any makes room, by two bits of the kind on a1.
    if most < proof >> _CARDS_GONE:
        chosen = line + 2 * (key >> _KIND & 3)
    places[chosen], places[chosen + 1] = key, proof


@compiled_as(_prefetch)
def look_ahead(proofs: Any, key: int) -> None:
    """Says that a position will be looked up soon."""


@compiled_as(_look_up_in_table)
def look_up(proofs: Any, key: int) -> int:
    """What is proved of a position, or 0."""
    found: int = proofs.get(key, 0)
    return found


@compiled_as(_store_in_table)
def store(proofs: Any, key: int, proof: int) -> None:
    """Keeps what is proved of a position."""
    proofs[key] = proof


def copy_table(proofs: Proofs, larger: Proofs) -> None:
    """Keeps in another table what is in one; for compiled code."""
    for place in range(0, len(proofs.places), 2):
        if proofs.places[place]:
            _store_in_table(larger, proofs.places[place], proofs.places[place + 1])


# --- what is never compiled ---


def empty_table(places: int, zeros: Any) -> Proofs:
    """An empty table of this many places, a power of two."""
    return Proofs(zeros(2 * places), zeros(1))


def new_work(core: ModuleType, position: Position, zeros: Any) -> Work:
    """Room for a search from a position on."""
    table, s = position.table, position.row
    scores = [card >> SCORE for card in table.cards]
    deck = [*table.kinds, 0]
    cards = [*map(kind_on_cell, s[CELLS : CELLS + GRID_SIZE]), *deck[s[NEXT] :]]
    # Equal scores are kept together by kind, so that the cards of a kind have neighbouring ranks.
    ranked = sorted([kind for kind in cards if kind], key=lambda kind: (scores[kind], kind))
    ranks = [sum(1 << rank for rank, one in enumerate(ranked) if one == kind) for kind in range(len(scores))]
    legal = moves_by_number()
    takers = [sum(1 << move for move in legal if table.target[move] == cell) for cell in range(GRID_SIZE)]
    # Each move takes a card, and one position more is looked at.
    deep = len(ranked) + 1
    moves, keys, lefts = [[0] * deep * MOST_MOVES for _ in range(3)]
    return Work(
        [NOT_BEGUN, 0],
        s,
        deck,
        scores,
        ranks,
        [scores[kind] for kind in ranked],
        takers,
        # A place for each set of the cards left, twice where one or two moves are to come: 2**20 or 2**21 at most.
        zeros(1 << len(ranked) + table.in_pairs),
        [0] * DECK_SIZE,
        [0] * GRID_SIZE,
        [0] * deep * DECK,
        [0] * deep * _FRAME,
        moves,
        keys,
        lefts,
    )
