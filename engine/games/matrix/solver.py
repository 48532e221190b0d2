"""The matrix game solved: the last rounds of two players, who know each other's hands."""

from typing import Final

from engine.games.matrix.cards import Numbers
from engine.games.matrix.moves import Hand, lead, move_table, played
from engine.games.matrix.state import MatrixState
from engine.search.proving import Clock, make_room

MOST_KEPT: Final = 1 << 19
"""So many positions are kept at most; the oldest make room for others."""

NODES_A_LOOK: Final = 8
"""So many positions, which take some milliseconds, are looked at between two looks at the clock."""

MOST_ROUNDS: Final = 5
QUICK_ROUNDS: Final = 3
"""So many rounds are solved at all, and in a moment."""

_MOST: Final = 18
"""The most that 7, 8 and 9 are ahead of 1, 2 and 3."""

Kept = dict[tuple[Numbers, Hand, Hand, bool], tuple[int, int]]


class MatrixSearcher:
    """Searches below positions of one deal of two players."""

    def __init__(self, state: MatrixState, most_kept: int = MOST_KEPT) -> None:
        self.nodes = 0
        self._table = move_table(state.setup.rotate)
        self._kept: Kept = {}
        self._most_kept = most_kept

    def reach(self, state: MatrixState) -> tuple[int, int]:
        """The nine numbers allow no more; at the end what lies there."""
        if any(state.hands):
            return -_MOST, _MOST
        own, other = state.scores()[state.to_move], state.scores()[1 - state.to_move]
        return own - other, own - other

    def search(self, state: MatrixState, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        hands = tuple([tuple([kind for kind in hand if kind is not None]) for hand in state.hands])
        return self._search(state.board, hands[0], hands[1], state.order[0] == 0, state.to_move == 0, bound, clock)

    def _search(
        self, board: Numbers, south: Hand, north: Hand, south_first: bool, south_moves: bool, bound: int, clock: Clock
    ) -> int:
        table, kept, most, look = self._table, self._kept, self._most_kept, NODES_A_LOOK
        nodes = 0

        def search(board: Numbers, south: Hand, north: Hand, south_first: bool, south_moves: bool, bound: int) -> int:
            """The value for who moves; `south_first` says who began this round."""
            nonlocal nodes
            nodes += 1
            if nodes % look == 0:
                clock.check()
                make_room(kept, most)
            key = board, south, north, south_first
            low, high = kept.get(key) or (-_MOST, _MOST)
            if low >= bound:
                return low
            if high < bound:
                return high
            sign = 1 if south_moves else -1
            following = [
                (sign * lead(after), after, rest)
                for after, rest in played(board, south if south_moves else north, table)
            ]
            is_last = len(south) + len(north) == 1
            if is_last:
                value = max(gain for gain, _, _ in following)
                kept[key] = value, value
                return value
            # Who is behind has the last word: boards on which one is a little behind are looked at first.
            following.sort(key=_promise)
            best = -_MOST - 1
            goes_on = south_moves == south_first  # the other one plays in this round, too
            for gain, after, rest in following:
                hands = (rest, north) if south_moves else (south, rest)
                if goes_on:
                    value = -search(after, *hands, south_first, not south_moves, 1 - bound)
                else:
                    ahead = sign * gain
                    first = ahead > 0 if ahead else south_first
                    value = (
                        search(after, *hands, first, first, bound)
                        if first == south_moves
                        else -search(after, *hands, first, first, 1 - bound)
                    )
                if value > best:
                    best = value
                    if value >= bound:
                        break
            kept[key] = (best, high) if best >= bound else (low, min(best, high))
            return best

        try:
            return search(board, south, north, south_first, south_moves, bound)
        finally:
            self.nodes += nodes


def _promise(following: tuple[int, Numbers, Hand]) -> int:
    return abs(following[0] + 3)


class MatrixSolver:
    """Says which positions of matrix are solved, and how."""

    options: Final = ("rotate",)

    def refusal(self, state: MatrixState) -> str:
        """The last rounds of two players are solved."""
        if len(state.hands) != 2:
            return f"matrix is solved for two players, not {len(state.hands)}: ask 'ccgrid advise' what to play."
        if any(None in hand for hand in state.hands):
            return "Some cards in hand are not known: write them into the record."
        if (left := max(map(len, state.hands))) > MOST_ROUNDS:
            return (
                f"matrix is solved in its last {MOST_ROUNDS} rounds, and {left} are left: "
                "ask 'ccgrid advise', or say after how many moves with --after."
            )
        return ""

    def is_quick(self, state: MatrixState) -> bool:
        """The last rounds of all."""
        return max(map(len, state.hands)) <= QUICK_ROUNDS

    def searcher(self, state: MatrixState) -> MatrixSearcher:
        """What searches below this position."""
        return MatrixSearcher(state)


SOLVER: Final = MatrixSolver()
