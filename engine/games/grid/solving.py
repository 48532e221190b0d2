"""The core of grid for proofs: faster functions for `engine.rows.solving`.

A value is the further gain of the player to move on the opponent. A position is identified by its key: the kinds of the
cards on the nine cells, the number of revealed cards, and whether the player to move has two moves. A card that is
turned differently is another kind there. The remaining cards bound the value without a search. All positions after a
position are looked up before any of them is searched, because one of them may be proved well enough already.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.games.grid.core import (
    CELLS,
    DECK,
    HALF,
    IN_PLAIN_PYTHON,
    LEGAL,
    MOST_MOVES,
    NEXT,
    SCORE,
    Table,
    cells_after,
    changing,
    gain_bounds,
    kind_on_cell,
    moves_by_number,
    next_in_deck,
    play,
    position,
    reach,
    row_of,
    settled_lead,
    turned,
)
from ccgrid.engine.games.grid.moves import DECK_SIZE, GRID_SIZE
from ccgrid.engine.games.grid.rules import QUARTERS
from ccgrid.engine.rows.binding import compiled_as, not_inlined
from ccgrid.engine.rows.core import Position
from ccgrid.engine.rows.row import Row, count_bits, lowest_bit
from ccgrid.engine.rows.solving import FIELDS, NO_MOVE, NODES, OWN_FIELDS, UNKNOWN, Work

# The functions of the core that the search calls as well.
__all__ = [
    "BEFORE_KINDS",
    "IN_PLAIN_PYTHON",
    "LEAST_PLACES",
    "MOST_MOVES",
    "MOST_PLACES",
    "Notes",
    "Proofs",
    "Table",
    "bounds",
    "changing",
    "copy_table",
    "empty_table",
    "expand",
    "keep",
    "new_notes",
    "play",
    "position",
    "reach",
    "row_of",
    "settled_lead",
]

# An entry is a key and a proof, 16 bytes: 1 MB at first, at most 512 MB.
LEAST_PLACES: Final = 1 << 16
MOST_PLACES: Final = 1 << 25

# The key of a position is a sum; it stays below 2**63, because there are at most 81 kinds: 20 in four orientations, and
# no card.
#
#     32 * (kind a1 + kinds * kind b1 + kinds**2 * kind c1 + ...)    each kind times its cell's weight
#     2 * (number of revealed cards - 9)                             at most 22
#     1 if the player to move has two moves                          0 if not
BEFORE_KINDS: Final = 5
"""The number of bits of a key below the kinds."""

# A move to be searched, and a group of moves that capture the same card:
#
#     bits    40                8 and up    0..7
#     move                      its score   its number
#     group   is tried first    its score   the cell in four bits
_GAIN: Final = 8
_MOVE: Final = (1 << _GAIN) - 1
_CELL: Final = 15
_FIRST: Final = 1 << 40

# A proof of a position, or 0 if there is none. Each bound is increased by `_MIDDLE`, so that it is not negative.
#
#     bits    48 and up     40..47             20..39        0..19
#             cards gone    best move + 1      upper bound   lower bound
_HIGH: Final = 20
_BEST: Final = 40
_CARDS_GONE: Final = 48
_BOUND: Final = (1 << _HIGH) - 1
# 2**19 in both directions: a game is worth at most 20 times the largest score, 10,000.
_MIDDLE: Final = 1 << _HIGH - 1

_KEY, _CARDS, _PROOF = OWN_FIELDS, OWN_FIELDS + 1, OWN_FIELDS + 2
"""The fields of a position on the search stack: its key, its remaining cards as bits by rank, and what is proved."""


class Proofs(NamedTuple):
    """The transposition table of compiled code: a key and a proof in each entry, and the number of used entries."""

    places: Row
    taken: Row


class Notes(NamedTuple):
    """Data of one deal, and buffers.

    Attributes:
        weights: For each cell, the weight of its kind in a key.
        ranks: For each kind, its cards as bits by their ranks.
        ranked: The scores by rank, the lowest first: cards that are captured late are low bits, so that their entries
            in `reach` are near each other.
        takers: For each cell, the moves that capture the card there, as bits.
        reach: For each set of remaining cards, the bounds of the value, or 0 if they have not been computed.
        room: A buffer for computing them.
        groups: The moves of a position, grouped by the cell of the captured card.
        moves: The moves of a position, each with the score of the captured card.
        keys, lefts: For each position on the path, the keys of the positions after its moves, and the remaining cards.
    """

    weights: Row
    ranks: Row
    ranked: Row
    takers: Row
    reach: Row
    room: Row
    groups: Row
    moves: Row
    keys: Row
    lefts: Row


def bounds(table: Table, proofs: Proofs, work: Work, notes: Notes, at: int, place: int) -> tuple[int, int]:
    """Return bounds of the value of `work.s`, and note its key, remaining cards and proof in its fields.

    See `engine.rows.solving.bounds`.
    """
    s, frames = work.s, work.frames
    # The game is over: nothing more is gained.
    if s[LEGAL] == 0:
        return 0, 0
    # After the move the cards of the draw pile may have covered others: then the noted key is wrong.
    if place == NO_MOVE or table.covers:
        key, left = key_of(notes, s), cards_left(notes, s)
    else:
        key, left = notes.keys[place], notes.lefts[place]
    proof = find_proof(proofs, key)
    if proof == 0:
        proof = reach_of(notes, left, table.in_pairs, s[HALF])
    frames[at + _KEY], frames[at + _CARDS], frames[at + _PROOF] = key, left, proof
    return low_of(proof), high_of(proof)


def expand(table: Table, proofs: Proofs, work: Work, notes: Notes, depth: int, bound: int) -> tuple[int, int, int]:
    """List the moves of `work.s` that must be searched, ordered by the captured score.

    The remaining cards or a proof may decide the other moves. See `engine.rows.solving.expand`.
    """
    frames, at, begin = work.frames, FIELDS * depth, work.wide * depth
    work.state[NODES] += 1
    key, left, hint = frames[at + _KEY], frames[at + _CARDS], best_move_of(frames[at + _PROOF])
    best, chosen, count = group_moves(table, notes, work.s, left, hint, bound)
    if best < bound and count:
        count = list_positions(table, notes, work.s, key, left, hint, begin, count)
        best, chosen, count = drop_decided(proofs, work, notes, begin, count, bound, best, chosen)
    return best, chosen, count


def keep(proofs: Proofs, work: Work, depth: int, low: int, high: int, chosen: int) -> None:
    """Store the proved bounds of the position at this depth; `chosen` is its best move."""
    frames, at = work.frames, FIELDS * depth
    gone = DECK_SIZE - count_bits(frames[at + _CARDS])
    store_proof(proofs, frames[at + _KEY], proof_of(low, high, chosen + 1, gone))


def group_moves(table: Table, notes: Notes, s: Row, left: int, hint: int, bound: int) -> tuple[int, int, int]:
    """Group the legal moves in `notes.groups` by the captured card, the highest score first.

    Groups that the remaining cards decide are omitted. Like `expand`, return the best value of these, a move that has
    it, and the number of other groups. The group of the move `hint` comes first; it is -1 if there is none.
    """
    groups, takers, ranks, legal, in_pairs = notes.groups, notes.takers, notes.ranks, s[LEGAL], table.in_pairs
    # 1 if the player to move has two moves: then the next move is theirs as well.
    half = s[HALF]
    after, hinted = half ^ in_pairs, table.target[hint] if hint >= 0 else -1
    best, chosen, count = -UNKNOWN, 0, 0
    for cell in range(GRID_SIZE):
        if legal & takers[cell] == 0:
            continue
        taken = s[CELLS + cell]
        # Cards of a kind have neighbouring ranks and are interchangeable: remove the lowest.
        copies, score = left & ranks[kind_on_cell(taken)], taken >> SCORE
        low, high = before_move(reach_of(notes, left ^ (copies & -copies), in_pairs, after), score, half)
        if low >= bound:
            return low, lowest_bit(legal & takers[cell]), 0
        if high < bound:
            if high > best:
                best, chosen = high, lowest_bit(legal & takers[cell])
            continue
        # Insertion sort, the highest score first: these moves are searched first.
        group, place = score << _GAIN | cell, count
        if cell == hinted:
            group |= _FIRST
        while place > 0 and groups[place - 1] < group:
            groups[place] = groups[place - 1]
            place -= 1
        groups[place] = group
        count += 1
    return best, chosen, count


def list_positions(table: Table, notes: Notes, s: Row, key: int, left: int, hint: int, begin: int, grouped: int) -> int:
    """List the moves of these groups with the keys and the remaining cards of the positions after them.

    The keys and cards are in `notes.keys` and `notes.lefts` from `begin` on. Return the number of moves.
    """
    moves, keys, lefts, takers, weights = notes.moves, notes.keys, notes.lefts, notes.takers, notes.weights
    sources, legal, card, at = table.source, s[LEGAL], s[DECK + s[NEXT]], begin
    # All keys share this, except for the kinds on the two cells of the move: if a card remains in the draw pile, one
    # more is revealed; and if players have two moves, the 1 for them is added or removed.
    base = key + 2 * (next_in_deck(s[NEXT]) - s[NEXT]) + table.in_pairs - 2 * s[HALF]
    for place in range(grouped):
        group = notes.groups[place]
        cell, score = group & _CELL, (group & _FIRST - 1) >> _GAIN
        taken, remaining = kind_on_cell(s[CELLS + cell]), legal & takers[cell]
        copies = left & notes.ranks[taken]
        rest = left ^ (copies & -copies)
        while remaining:
            move = lowest_bit(remaining)
            if group >= _FIRST:
                # The best move known comes first in its group; `group = 0` ends that.
                move = hint
                group = 0
            remaining ^= 1 << move
            source = sources[move]
            mover = s[CELLS + source]
            at_source, at_target = cells_after(turned(table, mover) if table.quarter else mover, card)
            keys[at] = base + weights[source] * (kind_on_cell(at_source) - kind_on_cell(mover))
            keys[at] += weights[cell] * (kind_on_cell(at_target) - taken)
            moves[at - begin], lefts[at] = score << _GAIN | move, rest
            at += 1
    return at - begin


def drop_decided(
    proofs: Proofs, work: Work, notes: Notes, begin: int, listed: int, bound: int, best: int, chosen: int
) -> tuple[int, int, int]:
    """Write the listed moves that no proof decides to `work.move_stack`; return the same as `expand`.

    `best` and `chosen` are the best value of the moves decided before, and a move that has it.
    """
    moves, keys, lefts, move_stack = notes.moves, notes.keys, notes.lefts, work.move_stack
    half, end = work.s[HALF], begin
    for place in range(listed):
        move, after = moves[place] & _MOVE, keys[begin + place]
        proof = find_proof(proofs, after)
        if proof:
            low, high = before_move(proof, moves[place] >> _GAIN, half)
            if low >= bound:
                return low, move, 0
            if high < bound:
                if high > best:
                    best, chosen = high, move
                continue
        # `end` never exceeds the index that is read, so that the rows can be shortened in place.
        move_stack[end], keys[end], lefts[end] = move, after, lefts[begin + place]
        end += 1
    return best, chosen, end - begin


def key_of(notes: Notes, s: Row) -> int:
    """Return the key of a position."""
    key = 2 * (s[NEXT] - GRID_SIZE) + s[HALF]
    for cell in range(GRID_SIZE):
        key += notes.weights[cell] * kind_on_cell(s[CELLS + cell])
    return key


def cards_left(notes: Notes, s: Row) -> int:
    """Return the cards on the grid and in the draw pile, as bits by their ranks."""
    # Cards of a kind have neighbouring bits: use the first free one for each remaining card.
    left = 0
    for cell in range(GRID_SIZE):
        free = notes.ranks[kind_on_cell(s[CELLS + cell])] & ~left
        left |= free & -free
    for place in range(DECK + s[NEXT], DECK + DECK_SIZE):
        free = notes.ranks[kind_on_cell(s[place])] & ~left
        left |= free & -free
    return left


def reach_of(notes: Notes, left: int, in_pairs: int, half: int) -> int:
    """Return the bounds of the value with these remaining cards, as a proof."""
    proof = notes.reach[left << in_pairs | half]
    return proof if proof else compute_reach(notes.reach, notes.ranked, notes.room, left, in_pairs, half)


@not_inlined
def compute_reach(reach: Row, ranked: Row, room: Row, left: int, in_pairs: int, half: int) -> int:
    """Compute and store the bounds of the value with these remaining cards, and return them as a proof."""
    count, cards = count_bits(left), left
    # `ranked` has the lowest first, and `gain_bounds` needs the highest first: fill the row from its end.
    place = count
    while cards:
        place -= 1
        room[place] = ranked[lowest_bit(cards)]
        cards &= cards - 1
    low, high = gain_bounds(room, count, in_pairs, half)
    reach[left << in_pairs | half] = found = proof_of(low, high, 0, 0)
    return found


def proof_of(low: int, high: int, move: int, gone: int) -> int:
    """Return a proof as one number."""
    return low + _MIDDLE | (high + _MIDDLE) << _HIGH | move << _BEST | gone << _CARDS_GONE


def low_of(proof: int) -> int:
    """Return the lower bound of the value."""
    return (proof & _BOUND) - _MIDDLE


def high_of(proof: int) -> int:
    """Return the upper bound of the value."""
    return (proof >> _HIGH & _BOUND) - _MIDDLE


def before_move(proof: int, score: int, half: int) -> tuple[int, int]:
    """Return the bounds of a value before a move that captures this score, given a proof of the position after it.

    If `half` is not 0, the same player moves again; otherwise the value after the move is the opponent's.
    """
    low, high = (proof & _BOUND) - _MIDDLE, (proof >> _HIGH & _BOUND) - _MIDDLE
    if half:
        return score + low, score + high
    return score - high, score - low


def best_move_of(proof: int) -> int:
    """Return the best move, or -1 if none is known."""
    return (proof >> _BEST & _MOVE) - 1


# --- the transposition table: a dictionary in plain Python, and lines of four entries when compiled ---

# A line is 64 bytes, which a processor fetches at once: four entries of a key and a proof. The multiplier is that of
# SplitMix64 without its highest bit, so that it has no sign; the line is selected by upper bits of the product, which
# depend on all bits of the key.
_LINE: Final = 8
_SPREAD: Final = 0x1E3779B97F4A7C15
_UPPER: Final = 38


def _line_of(places: Row, key: int) -> int:
    """Return the index of the line for a key; the product wraps around at 64 bits."""
    return (key * _SPREAD >> _UPPER & (len(places) // _LINE - 1)) * _LINE


def _find_in_table(proofs: Proofs, key: int) -> int:
    places = proofs.places
    line = _line_of(places, key)
    for place in range(line, line + _LINE, 2):
        if places[place] == key:
            return places[place + 1]
    return 0


def _store_in_table(proofs: Proofs, key: int, proof: int) -> None:
    """Store a proof; in a full line, replace the one with the fewest remaining cards, or any if this one has fewer."""
    places = proofs.places
    line = _line_of(places, key)
    chosen, most = line, 0
    for place in range(line, line + _LINE, 2):
        if places[place] == key or places[place] == 0:
            proofs.taken[0] += 1 if places[place] == 0 else 0
            places[place], places[place + 1] = key, proof
            return
        # A position with few remaining cards is quickly proved again: replace its proof first.
        if places[place + 1] >> _CARDS_GONE >= most:
            chosen, most = place, places[place + 1] >> _CARDS_GONE
    # All four have more remaining cards than this one: select any, by two bits that depend on the kind on a1.
    if most < proof >> _CARDS_GONE:
        chosen = line + 2 * (key >> BEFORE_KINDS & 3)
    places[chosen], places[chosen + 1] = key, proof


@compiled_as(_find_in_table)
def find_proof(proofs: Any, key: int) -> int:
    """Return the proof of a position, or 0 if there is none."""
    found: int = proofs.get(key, 0)
    return found


@compiled_as(_store_in_table)
def store_proof(proofs: Any, key: int, proof: int) -> None:
    """Store the proof of a position."""
    proofs[key] = proof


def copy_table(proofs: Proofs, larger: Proofs) -> None:
    """Copy all entries to a larger table; for compiled code."""
    for place in range(0, len(proofs.places), 2):
        if proofs.places[place]:
            _store_in_table(larger, proofs.places[place], proofs.places[place + 1])


# --- never compiled ---


def empty_table(places: int, zeros: Callable[[int], Row]) -> Proofs:
    """Return an empty table with this number of entries, a power of two."""
    return Proofs(zeros(2 * places), zeros(1))


def new_notes(core: ModuleType, position: Position[Table], zeros: Callable[[int], Row]) -> Notes:
    """Return the data of a deal, and buffers for a search from a position of it."""
    table, s = position.table, position.row
    scores, kinds = [card >> SCORE for card in table.cards], len(table.cards) - 1
    cards = map(kind_on_cell, [*s[CELLS : CELLS + GRID_SIZE], *s[DECK + s[NEXT] : DECK + DECK_SIZE]])
    # Among equal scores, sort by kind, so that the cards of a kind have neighbouring ranks; a turned card is captured
    # like an upright one.
    ranked = sorted([(kind - 1) % kinds + 1 for kind in cards if kind], key=lambda kind: (scores[kind], kind))
    ranks = [sum([1 << rank for rank, one in enumerate(ranked) if one == kind]) for kind in range(len(scores))]
    if table.quarter:
        ranks += ranks[1:] * (QUARTERS - 1)
    legal = moves_by_number()
    takers = [sum([1 << move for move in legal if table.target[move] == cell]) for cell in range(GRID_SIZE)]
    deep = position.plies + 2
    return Notes(
        [len(ranks) ** cell << BEFORE_KINDS for cell in range(GRID_SIZE)],
        ranks,
        [scores[kind] for kind in ranked],
        takers,
        # An entry for each set of remaining cards, two if players have two moves: at most 2**20 or 2**21.
        zeros(1 << len(ranked) + table.in_pairs),
        [0] * DECK_SIZE,
        [0] * GRID_SIZE,
        [0] * MOST_MOVES,
        [0] * deep * MOST_MOVES,
        [0] * deep * MOST_MOVES,
    )
