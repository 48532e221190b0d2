"""Grid solved: whole games of two players when the order of the draw pile is known, in plain Python.

Positions are searched on lanes (`engine.games.grid.lanes`): fail-soft alpha-beta with a window of one point, best
captures first. What was proved of a position is kept under an exact key, five bits for each cell and five for how many
cards were turned up. Before a position is searched, the cards that are left say between what its value lies: as the
players take turns, at best one takes the highest and the other the lowest. Cards that play alike count as one card.
"""

from collections.abc import Sequence
from math import inf
from operator import itemgetter
from typing import Final

from engine.errors import EngineError
from engine.games.grid.lanes import EMPTY_CELL, ENDS, LEGAL, SCORE, Row, position, row_of
from engine.games.grid.state import EMPTY, GridState
from engine.search.proving import Clock, make_room

MOST_KEPT: Final = 1 << 20
"""So many positions are kept at most, which takes some 250 MB; the oldest make room for others."""

NODES_A_LOOK: Final = 512
"""So many positions, which take a millisecond or two, are looked at between two looks at the clock."""

_WIDTH: Final = 5
_CARD: Final = (1 << _WIDTH) - 1
_INFINITE: Final = 1 << 30

Lane = tuple[int, int, int, int, int]
"""Of a move its two cells, its place in the row of the card that moves, and both cells' places in a key."""


def _lanes() -> tuple[Lane, ...]:
    lanes = [(0, 0, 0, 0, 0)] * (LEGAL.bit_length() + 1)
    for bit, (source, target, moves) in ENDS.items():
        lanes[bit.bit_length()] = source, target, moves, _WIDTH * source, _WIDTH * target
    return tuple(lanes)


_LANES: Final = _lanes()
"""The moves by the lengths of their bits."""


class TooManyNodesError(EngineError):
    """A search looked at as many positions as it may, and was not done."""


class GridSearcher:
    """Searches below positions of one deal of two players, all of whose cards are known.

    Attributes:
        deck: the kinds of the cards, from 1, in the order of the deck; 0 stands for no card.
        scores: what each kind is worth.
        ranked: the scores of all cards, the highest first.
        ranks: for each kind a bit for each of its cards at its place in `ranked`.
        most_nodes: so many positions are looked at at most, in all.
    """

    def __init__(self, state: GridState, most_kept: int = MOST_KEPT, most_nodes: float = inf) -> None:
        """Looks at `most_nodes` positions at most, in all; then searching raises TooManyNodesError."""
        self.nodes = 0
        self.most_nodes = most_nodes
        self._most_kept = most_kept
        self._kept: dict[int, tuple[int, int, tuple[int, Lane] | None]] = {}
        self._rows: list[Row] = [(*EMPTY_CELL, 0, *(0 for _ in ENDS))]
        kinds: dict[Row, int] = {}
        self.deck = []
        for card in state.setup.cards:
            row = row_of(card)
            if row not in kinds:
                kinds[row] = len(self._rows)
                self._rows.append(row)
            self.deck.append(kinds[row])
        self.scores = [row[SCORE] for row in self._rows]
        ranked = sorted(self.deck, key=lambda kind: (-self.scores[kind], kind))
        self.ranked = [self.scores[kind] for kind in ranked]
        kinds_of = range(len(self._rows))
        self.ranks = [sum(1 << rank for rank, one in enumerate(ranked) if one == kind) for kind in kinds_of]
        self._between: dict[int, tuple[int, int, None]] = {}

    def reach(self, state: GridState) -> tuple[int, int]:
        """What the cards that are left allow."""
        lead = lead_of(state)
        low, high = self._bounds(self.left(state))[:2] if state.legal_moves() else (0, 0)
        return lead + low, lead + high

    def search(self, state: GridState, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        lying = self.lying(state)
        lanes, lead = position([self._rows[kind] for kind in lying]), lead_of(state)
        if not lanes & LEGAL:
            return lead
        cells = sum(kind << _WIDTH * place for place, kind in enumerate(lying))
        return lead + self._search(lanes, cells, state.turned_up, self.left(state), bound - lead, clock)

    def lying(self, state: GridState) -> list[int]:
        """The kinds on the cells."""
        return [0 if card == EMPTY else self.deck[card] for card in state.grid]

    def left(self, state: GridState) -> int:
        """The cards on the grid and in the pile, as a bit for each at its rank by its score."""
        left = 0
        for kind in self.lying(state) + self.deck[state.turned_up :]:
            free = self.ranks[kind] & ~left
            left |= free & -free
        return left

    def _bounds(self, left: int) -> tuple[int, int, None]:
        if left not in self._between:
            scores = [score for rank, score in enumerate(self.ranked) if left >> rank & 1]
            self._between[left] = *between(scores), None
        return self._between[left]

    def _search(self, lanes: int, cells: int, turned_up: int, left: int, bound: int, clock: Clock) -> int:
        rows, scores, ranks, table = self._rows, self.scores, self.ranks, _LANES
        kept, most, between, bounds = self._kept, self._most_kept, self._between, self._bounds
        most_nodes = self.most_nodes
        deck = [*self.deck, 0]
        nodes, look, worth_most = 0, NODES_A_LOOK, itemgetter(0)

        def search(lanes: int, cells: int, turned_up: int, left: int, bound: int) -> int:
            nonlocal nodes
            nodes += 1
            if nodes % look == 0:
                clock.check()
                if self.nodes + nodes > most_nodes:
                    raise TooManyNodesError("too many positions were looked at")
                make_room(kept, most)
                make_room(between, most)
            key = cells << _WIDTH | turned_up
            low, high, hint = kept.get(key) or between.get(left) or bounds(left)
            if low >= bound:
                return low
            if high < bound:
                return high
            legal = lanes & LEGAL
            moves = []
            while legal:
                bit = legal & -legal
                legal ^= bit
                lane = table[bit.bit_length()]
                moves.append((scores[cells >> lane[4] & _CARD], lane))
            moves.sort(key=worth_most, reverse=True)
            if hint is not None:
                moves.remove(hint)
                moves.insert(0, hint)
            card = deck[turned_up]
            row, after = rows[card], turned_up + 1 if card else turned_up
            best = -_INFINITE
            for move in moves:
                worth, (source, target, moved, low_bits, high_bits) = move
                mover, taken = cells >> low_bits & _CARD, cells >> high_bits & _CARD
                following = lanes + row[source] + rows[mover][moved] - rows[taken][target]
                value = worth
                if following & LEGAL:
                    lying = cells + (mover - taken << high_bits) + (card - mover << low_bits)
                    copies = left & ranks[taken]
                    value -= search(following, lying, after, left ^ copies & -copies, worth - bound + 1)
                if value > best:
                    best, hint = value, move
                    if value >= bound:
                        break
            kept[key] = (best, high, hint) if best >= bound else (low, min(best, high), hint)
            return best

        try:
            return search(lanes, cells, turned_up, left, bound)
        finally:
            self.nodes += nodes


def between(scores: Sequence[int]) -> tuple[int, int]:
    """Between what the value lies when cards with these scores, highest first, are left and somebody can move.

    Of an odd number of captures the mover makes one more; one card always stays.

    >>> between([9, 5, 2, 1])
    (-8, 13)
    """
    captures = len(scores) - 1
    highest, best = scores[0], scores[0]
    for pairs in range(1, (captures + 1) // 2):
        highest += scores[pairs] - scores[-pairs]
        best = max(best, highest)
    lowest, worst = 0, scores[-1]
    for pairs in range(1, captures // 2 + 1):
        lowest += scores[-pairs] - scores[pairs - 1]
        worst = min(worst, lowest)
    return worst, best


def lead_of(state: GridState) -> int:
    """What who is to move is ahead."""
    scores = state.scores()
    return 2 * scores[state.to_move] - sum(scores)
