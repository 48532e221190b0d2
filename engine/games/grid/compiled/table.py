"""Deals of grid for the compiled search: what cards add to its lanes, and how its table grows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from catalog.card import HIGHEST, LOWEST
from engine.board import OPPOSITE
from engine.games.grid.compiled.kept import LEAST_PLACES, MOST, NODES, STORED, move_over, table_of
from engine.games.grid.compiled.search import COUNT, ENDED, KEY, LANE, LEFT, WORDS, Deal, Rows, search
from engine.games.grid.state import BOARD, DECK_SIZE, GRID_SIZE, MOVES

LEGAL: Final = 15
"""What a lane holds, and the number that takes, less the number that is taken: 1 more, and the move is legal."""

TIMES: Final = 4
"""So many times as large is a table that was half full."""


class Table:
    """What was proved of positions of one deal, and the search that fills it."""

    def __init__(
        self,
        deck: Sequence[int],
        scores: Sequence[int],
        ranked: Sequence[int],
        ranks: Sequence[int],
        numbers: Sequence[Mapping[str, int]],
        places: int,
    ) -> None:
        """Arguments as in `Deal`; `numbers` are those of each kind by zone, `places` the most, a power of two."""
        self.nodes = 0
        self._places = places
        self._kept = table_of(min(places, LEAST_PLACES))
        self._counts = np.zeros(3, np.int64)
        self._deal = Deal(
            _lanes(numbers),
            np.array(scores, np.int64),
            np.array([*deck, 0], np.uint64),
            np.array(ranks, np.uint64),
            np.array(ranked, np.int64),
            np.zeros((1 << DECK_SIZE, 2), np.int16),
            np.zeros(DECK_SIZE, np.int64),
        )
        deep, wide = DECK_SIZE + 1, len(MOVES)
        self._rows = Rows(
            np.zeros((deep, WORDS + 2), np.uint64),
            np.zeros((deep, COUNT + 1), np.int64),
            np.zeros((deep, wide), np.int64),
            np.zeros((deep, wide), np.uint64),
            np.zeros((deep, wide), np.uint64),
        )

    def search(self, lying: Sequence[int], turned_up: int, left: int, bound: int, most: int) -> int | None:
        """A number at least `bound` that the value reaches, or one below that it does not exceed.

        Nothing where `most` positions were looked at before that was found; what was proved by then is kept.
        """
        places = len(self._kept) // 2
        if 2 * self._counts[STORED] > places and places < self._places:
            larger = table_of(min(TIMES * places, self._places))
            move_over(self._kept, larger, self._counts)
            self._kept = larger
        self._counts[NODES], self._counts[MOST] = 0, most
        position = self._rows.positions[0]
        position[:WORDS] = self._deal.lanes[lying, range(GRID_SIZE)].sum(axis=0)
        position[KEY] = sum(kind << 5 * cell + 5 for cell, kind in enumerate(lying)) + turned_up
        position[LEFT] = left
        found = search(self._deal, self._rows, self._kept, self._counts, bound)
        self.nodes += min(int(self._counts[NODES]), most)
        return None if found == ENDED else int(found)


def _lanes(numbers: Sequence[Mapping[str, int]]) -> Any:
    """What each kind adds to the lanes on each cell; no card takes nothing, and is taken by nothing."""
    lanes = [[[0] * WORDS for _ in range(GRID_SIZE)] for _ in numbers]
    for number, move in enumerate(MOVES):
        zone = BOARD.zone_towards(move[:2], move[3:]) or ""
        source, target = BOARD.cells.index(move[:2]), BOARD.cells.index(move[3:])
        word, lane = number % WORDS, LANE * (number // WORDS)
        for kind, printed in enumerate(numbers):
            opposed = printed.get(OPPOSITE[zone], LOWEST - 1) if kind else HIGHEST
            lanes[kind][source][word] += LEGAL + printed.get(zone, LOWEST - 1) << lane
            lanes[kind][target][word] -= opposed << lane
    return np.array([[[word % (1 << 64) for word in cell] for cell in kind] for kind in lanes], np.uint64)
