"""Tactics solved near the end, for two players and with the decks in the order in which they lie."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.games.four_sides.cards import Numbers
from engine.games.tactics.state import EMPTY, TacticsState
from engine.games.tactics.table import TABLES, Seating
from engine.search.proving import Clock, make_room

MOST_KEPT: Final = 1 << 19
"""So many positions are kept at most; the oldest make room for others."""

NODES_A_LOOK: Final = 32
"""So many positions, which take some milliseconds, are looked at between two looks at the clock."""

MOST_OPEN: Final = 5
QUICK_OPEN: Final = 3
"""With so many open cells a position is solved at all, and in a moment."""

_TABLE: Final = TABLES[2]
_CELLS: Final = sum(_TABLE.values)

Grid = tuple[int, ...]
Position = tuple[Grid, tuple[tuple[int, ...], tuple[int, ...]], tuple[int, int], int]
"""The cards on the cells, both hands, the card that each seat draws next, and who moves; cards are their places."""


class TacticsSearcher:
    """Searches below positions of one deal of two players, all of whose cards are known."""

    def __init__(self, state: TacticsState, most_kept: int = MOST_KEPT) -> None:
        self.nodes = 0
        setup = state.setup
        self._labels: list[tuple[str, Numbers]] = [
            (card.name if card else "", lying or (0, 0, 0, 0))
            for card, lying in zip(setup.cards, setup.lying, strict=True)
        ]
        self._owners = setup.owners
        self._ends = len(setup.decks[0]), len(setup.cards)
        self._kept: dict[Position, tuple[int, int]] = {}
        self._most_kept = most_kept

    def reach(self, state: TacticsState) -> tuple[int, int]:
        """Nobody holds more than all cells in the end, nor captures more cards than there are."""
        own, other = state.scores()[state.to_move], state.scores()[1 - state.to_move]
        if state.ending() is not None:
            return own - other, own - other
        ahead = len(state.captured[state.to_move]) - len(state.captured[1 - state.to_move])
        return ahead - self._most(state), ahead + self._most(state)

    def _most(self, state: TacticsState) -> int:
        return _CELLS + 9 + sum(map(len, state.hands)) + state.deck_left(0) + state.deck_left(1)

    def search(self, state: TacticsState, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        seat = state.to_move
        ahead = len(state.captured[seat]) - len(state.captured[1 - seat])
        tops = (state.drawn[0], self._ends[0] + state.drawn[1])
        hands = (state.hands[0], state.hands[1])
        return ahead + self._search((state.grid, hands, tops, seat), bound - ahead, self._most(state), clock)

    def _search(self, position: Position, bound: int, most: int, clock: Clock) -> int:
        ends, kept, most_kept, look = self._ends, self._kept, self._most_kept, NODES_A_LOOK
        nodes = 0

        def search(position: Position, bound: int) -> int:
            """What who moves captures from here on and holds in the end, less the same of the other."""
            nonlocal nodes
            nodes += 1
            if nodes % look == 0:
                clock.check()
                make_room(kept, most_kept)
            grid, hands, tops, seat = position
            if EMPTY not in grid or not (hands[0] or hands[1]):
                return self._held(grid, seat)
            low, high = kept.get(position) or (-most, most)
            if low >= bound:
                return low
            if high < bound:
                return high
            best = -most - 1
            for _, card, place, taken in self._moves(grid, hands[seat], seat):
                cells = list(grid)
                for other in taken:
                    cells[other] = EMPTY
                cells[place] = card
                hand = tuple([other for other in hands[seat] if other != card])
                after = tops
                if tops[seat] < ends[seat]:
                    hand = (*hand, tops[seat])
                    after = (tops[0] + 1, tops[1]) if seat == 0 else (tops[0], tops[1] + 1)
                held = (hand, hands[1]) if seat == 0 else (hands[0], hand)
                captures = len(taken)
                if held[1 - seat] or not hand:
                    value = captures - search((tuple(cells), held, after, 1 - seat), captures - bound + 1)
                else:
                    value = captures + search((tuple(cells), held, after, seat), bound - captures)
                if value > best:
                    best = value
                    if value >= bound:
                        break
            kept[position] = (best, high) if best >= bound else (low, min(best, high))
            return best

        try:
            return search(position, bound)
        finally:
            self.nodes += nodes

    def _held(self, grid: Grid, seat: int) -> int:
        owners, values = self._owners, _TABLE.values
        return sum(
            [
                values[place] if owners[card] == seat else -values[place]
                for place, card in enumerate(grid)
                if card != EMPTY
            ]
        )

    def _moves(self, grid: Grid, hand: tuple[int, ...], seat: int) -> list[tuple[int, int, int, list[int]]]:
        """Every card, once for each label, on every open cell; what gains most at once comes first."""
        labels, owners, values = self._labels, self._owners, _TABLE.values
        found = []
        for label, card in {labels[card]: card for card in reversed(hand)}.items():
            for place, there in enumerate(grid):
                if there == EMPTY:
                    taken = [*beaten(grid, labels, owners, _TABLE, seat, label[1], place)]
                    gain = values[place] + sum([1 + values[other] for other in taken])
                    found.append((-gain, card, place, taken))
        found.sort()
        return found


class TacticsSolver:
    """Says which positions of tactics are solved, and how."""

    options: Final = ()

    def refusal(self, state: TacticsState) -> str:
        """Positions of two are solved when few cells are open and all decks are known."""
        if len(state.hands) != 2:
            return f"tactics is solved for two players, not {len(state.hands)}: ask 'ccgrid advise' what to play."
        if None in state.setup.cards:
            return "Some cards in hands and decks are not known: ask 'ccgrid advise' what to play."
        if (cells := state.grid.count(EMPTY)) > MOST_OPEN:
            return (
                f"tactics is solved while at most {MOST_OPEN} cells are open, and {cells} are: "
                "ask 'ccgrid advise', or say after how many moves with --after."
            )
        return ""

    def is_quick(self, state: TacticsState) -> bool:
        """With very few open cells."""
        return state.grid.count(EMPTY) <= QUICK_OPEN

    def searcher(self, state: TacticsState) -> TacticsSearcher:
        """What searches below this position."""
        return TacticsSearcher(state)


def beaten(
    grid: Sequence[int],
    labels: Sequence[tuple[Any, Numbers]],
    owners: Sequence[int],
    table: Seating,
    seat: int,
    numbers: Numbers,
    place: int,
) -> Iterator[int]:
    """The places of the cards that a seat captures with these numbers on an open cell."""
    neighbours, turn = table.neighbours[place], table.turns[seat]
    for side in (turn, (turn + 1) & 3, (turn + 2) & 3, (turn + 3) & 3):
        other = neighbours[side]
        if other < 0 or (facing := grid[other]) == EMPTY or owners[facing] == seat:
            continue
        number, opposed = numbers[side], labels[facing][1][side ^ 2]
        if number < opposed:
            return
        if number > opposed:
            yield other


SOLVER: Final = TacticsSolver()
