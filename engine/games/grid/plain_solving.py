"""The search of `engine.games.grid.solving` in plain Python: one recursive function on unlimited integers.

It searches the same positions by the same bounds, in a quarter of the time of the common search, and exists only for
that: without the extra `fast`, whole games would take four times as long. Calls and copies of rows, which cost nothing
in compiled code, are most of the work here.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any, Final

from ccgrid.engine.games.grid.core import (
    HALF,
    LANE,
    LANES,
    SCORE,
    Table,
    gain_bounds,
    moves_by_number,
    next_in_deck,
)
from ccgrid.engine.games.grid.moves import GRID_SIZE
from ccgrid.engine.games.grid.solving import BEFORE_KINDS, Notes, cards_left, key_of
from ccgrid.engine.games.grid.state import QUARTERS
from ccgrid.engine.rows.row import Row
from ccgrid.engine.rows.solving import UNKNOWN

MOST_KEPT: Final = 1 << 20
"""The maximum number of cached positions, about 250 MB: with half of them large games take up to twice as long."""

_NODES_PER_CALL: Final = 256
"""The number of positions between two calls of `tick`."""

_Move = tuple[int, int, int, int, int]
_Proof = tuple[int, int, tuple[int, _Move] | None]
"""The bounds of a value, and the best move found, with the score that it captures."""


def plain_search(
    table: Table, notes: Notes
) -> Callable[[Row, dict[int, Any], int, Callable[[int], object]], int] | None:
    """Return the plain search of a deal (`engine.search.core_search.PlainSearch`), or None if cards are covered."""
    if table.covers:
        return None
    tops, in_pairs = table.tops, table.in_pairs
    # A side is the remaining cards and, if players have two moves, whether the player to move has both.
    ranks = [cards << in_pairs for cards in notes.ranks]
    # Unlike the compiled key, this one has some bits for each kind, so that shifts read it.
    width = len(ranks).bit_length()
    kinds, lowest = (1 << width) - 1, (1 << BEFORE_KINDS) - 1
    notes = notes._replace(weights=[1 << BEFORE_KINDS + width * cell for cell in range(GRID_SIZE)])
    # For each kind, the same card after it captured another one: if cards turn, a quarter further.
    last, quarter = len(ranks) - 1, len(table.cards) - 1 if table.quarter else 0
    landed = [0, *[(kind + quarter - 1) % last + 1 for kind in range(1, last + 1)]]
    scores = [0, *[card >> SCORE for card in table.cards[1:] * QUARTERS][:last]]
    # The contribution of each kind to the lanes on each cell, and its change by each move to another cell.
    rows = [table.lanes[GRID_SIZE * kind : GRID_SIZE * (kind + 1)] for kind in range(len(scores))]
    ends = [(table.source[move], table.target[move]) for move in moves_by_number()]
    steps = [[rows[landed[kind]][target] - row[source] for source, target in ends] for kind, row in enumerate(rows)]
    moves: list[_Move] = [(0, 0, 0, 0, 0)] * (max(moves_by_number()) + LANE + 1)
    for index, (move, (source, target)) in enumerate(zip(moves_by_number(), ends, strict=True)):
        # The length of the lanes in bits, if this is the only legal move.
        moves[move + LANE] = source, target, index, BEFORE_KINDS + width * source, BEFORE_KINDS + width * target
    # For each value of the key's own bits: the next card, its row, and the change of these bits.
    coming = [
        (card, rows[card], 2 * (next_in_deck(at) - at) + in_pairs - 2 * half)
        for at, card in enumerate([*table.kinds, 0][GRID_SIZE:], GRID_SIZE)
        for half in range(2)
    ]
    bounds_of: dict[int, _Proof] = {}
    captured = itemgetter(0)

    by_score = [(1 << rank + in_pairs, score) for rank, score in enumerate(notes.ranked)][::-1]

    def reach(side: int) -> _Proof:
        left = [score for bit, score in by_score if side & bit]
        found = bounds_of[side] = *gain_bounds(left, len(left), in_pairs, side & in_pairs), None
        return found

    def search(s: Row, proofs: dict[int, Any], bound: int, tick: Callable[[int], object]) -> int:
        nodes, find_proof = 0, proofs.get

        def visit(lanes: int, key: int, side: int, bound: int, known: _Proof) -> int:
            """Return a bound of a position that is not decided by `known`: its proof, or the remaining cards."""
            nonlocal nodes
            nodes += 1
            if nodes == _NODES_PER_CALL:
                nodes = 0
                tick(_NODES_PER_CALL)
            low, high, hint = known
            best = -UNKNOWN
            card, row, change = coming[key & lowest]
            half, base = side & in_pairs, key + change
            # Most often the best move known is good enough: the others are listed after it.
            tried, queue, is_listed = hint, [hint] if hint is not None else [], False
            while queue or not is_listed:
                if not queue:
                    legal, is_listed = lanes & tops, True
                    while legal:
                        bit = legal & -legal
                        legal ^= bit
                        move = moves[bit.bit_length()]
                        queue.append((scores[key >> move[4] & kinds], move))
                    if tried is not None:
                        queue.remove(tried)
                        if not queue:
                            break
                    # The highest score is last; among equal scores, the first move.
                    queue.sort(key=captured, reverse=True)
                    queue.reverse()
                choice = queue.pop()
                value, (source, target, index, low_bits, high_bits) = choice
                mover, taken = key >> low_bits & kinds, key >> high_bits & kinds
                copies = side & ranks[taken]
                rest = side ^ copies & -copies ^ in_pairs
                # With two moves, the same player moves again after the first.
                limit = bound - value if half else value - bound + 1
                found = bounds_of.get(rest) or reach(rest)
                if found[0] < limit <= found[1]:
                    after = base + (landed[mover] - taken << high_bits) + (card - mover << low_bits)
                    found = find_proof(after) or found
                if found[0] >= limit:
                    gained = found[0]
                elif found[1] < limit:
                    gained = found[1]
                else:
                    following = lanes + row[source] + steps[mover][index] - rows[taken][target]
                    gained = visit(following, after, rest, limit, found) if following & tops else 0
                value += gained if half else -gained
                if value > best:
                    best, hint = value, choice
                    if value >= bound:
                        break
            proofs[key] = (best, high, hint) if best >= bound else (low, min(best, high), hint)
            return best

        try:
            if not s[LANES] & tops:
                return 0
            side, key = cards_left(notes, s) << in_pairs | s[HALF], key_of(notes, s)
            known = proofs.get(key) or bounds_of.get(side) or reach(side)
            if known[0] < bound <= known[1]:
                return visit(s[LANES], key, side, bound, known)
            return known[0] if known[0] >= bound else known[1]
        finally:
            tick(nodes)

    return search
