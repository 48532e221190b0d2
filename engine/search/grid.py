"""Grid solved: whole games of two players when the order of the draw pile is known, in plain Python.

Positions are searched on lanes (`engine.games.grid.lanes`): fail-soft alpha-beta with a window of one point, best
captures first. What was proved of a position is kept under an exact key, five bits for each cell and five for how many
cards were turned up. Before a position is searched, the cards that are left say between what its value lies: as the
players take turns, at best one takes the highest and the other the lowest. Cards that play alike count as one card.
"""

from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from typing import Final

from engine.games.grid.lanes import EMPTY_CELL, ENDS, LEGAL, SCORE, Row, position, row_of
from engine.games.grid.state import DECK_SIZE, EMPTY, GridState
from engine.search.proving import NODES_A_LOOK, Clock

MOST_KEPT: Final = 1 << 20
"""So many positions are kept at most, which takes some 250 MB; the oldest half makes room for others."""

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


class GridSearcher:
    """Searches below positions of one deal of two players, all of whose cards are known."""

    def __init__(self, state: GridState, most_kept: int = MOST_KEPT) -> None:
        self.nodes = 0
        self._most_kept = most_kept
        self._kept: dict[int, tuple[int, int, tuple[int, Lane] | None]] = {}
        self._rows: list[Row] = [(*EMPTY_CELL, 0, *(0 for _ in ENDS))]
        kinds: dict[Row, int] = {}
        self._cards = []
        for card in state.setup.cards:
            row = row_of(card)
            if row not in kinds:
                kinds[row] = len(self._rows)
                self._rows.append(row)
            self._cards.append(kinds[row])
        self._scores = [row[SCORE] for row in self._rows]
        ranked = sorted(self._cards, key=lambda kind: (-self._scores[kind], kind))
        self._ranked = [self._scores[kind] for kind in ranked]
        kinds_of = range(len(self._rows))
        self._ranks = [sum(1 << rank for rank, one in enumerate(ranked) if one == kind) for kind in kinds_of]
        self._between: dict[int, tuple[int, int, None]] = {}

    def reach(self, state: GridState) -> tuple[int, int]:
        """What the cards that are left allow."""
        lead = _lead(state)
        low, high = self._bounds(self._left(state))[:2] if state.legal_moves() else (0, 0)
        return lead + low, lead + high

    def search(self, state: GridState, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        lying = self._lying(state)
        lanes, lead = position([self._rows[kind] for kind in lying]), _lead(state)
        if not lanes & LEGAL:
            return lead
        cells = sum(kind << _WIDTH * place for place, kind in enumerate(lying))
        return lead + self._search(lanes, cells, state.turned_up, self._left(state), bound - lead, clock)

    def _lying(self, state: GridState) -> list[int]:
        return [0 if card == EMPTY else self._cards[card] for card in state.grid]

    def _left(self, state: GridState) -> int:
        """The cards on the grid and in the pile, as a bit for each at its rank by its score."""
        left = 0
        for kind in self._lying(state) + self._cards[state.turned_up :]:
            free = self._ranks[kind] & ~left
            left |= free & -free
        return left

    def _bounds(self, left: int) -> tuple[int, int, None]:
        if left not in self._between:
            scores = [score for rank, score in enumerate(self._ranked) if left >> rank & 1]
            self._between[left] = *between(scores), None
        return self._between[left]

    def _search(self, lanes: int, cells: int, turned_up: int, left: int, bound: int, clock: Clock) -> int:
        rows, scores, ranks, table = self._rows, self._scores, self._ranks, _LANES
        kept, most, between, bounds = self._kept, self._most_kept, self._between, self._bounds
        deck = [*self._cards, 0]
        nodes, look, worth_most = 0, NODES_A_LOOK, itemgetter(0)

        def search(lanes: int, cells: int, turned_up: int, left: int, bound: int) -> int:
            nonlocal nodes
            nodes += 1
            if nodes % look == 0:
                clock.check()
                for full in (kept, between):
                    if len(full) > most:
                        for old in list(islice(full, most // 2)):
                            del full[old]
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


class GridSolver:
    """Grid as `engine.search` lists it."""

    game: Final = "grid"

    def refusal(self, state: GridState) -> str:
        """Games of two whose cards are all known are solved."""
        if len(state.players) != 2:
            return f"grid is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
        if len(state.setup.cards) < DECK_SIZE:
            missing = DECK_SIZE - len(state.setup.cards)
            return f"{missing} cards of the draw pile are not known: ask 'ccgrid advise' what to play."
        if state.setup.options.in_pairs or state.setup.options.empty_pile:
            return "grid is solved without the variants order and empty-pile: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: GridState) -> bool:
        """With no card in the pile, or one."""
        return state.pile <= 1

    def searcher(self, state: GridState) -> GridSearcher:
        """What searches below this position."""
        return GridSearcher(state)


def _lead(state: GridState) -> int:
    scores = state.scores()
    return 2 * scores[state.to_move] - sum(scores)


SOLVER: Final = GridSolver()
