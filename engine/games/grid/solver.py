"""Grid as it is solved: in plain Python, and what is large by compiled code where the extra `fast` is installed."""

import sys
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Final

from engine.games.grid.searcher import GridSearcher, TooManyNodesError, lead_of
from engine.games.grid.state import DECK_SIZE, GridState
from engine.search.loading import has_time_to_load
from engine.search.proving import Clock, Searcher

if TYPE_CHECKING:
    from engine.games.grid.compiled.table import Table

PLAIN_NODES: Final = 200_000
"""So many positions are looked at in plain Python, in half a second, before compiled code is loaded."""

NODES_A_CALL: Final = 20_000
"""So many positions, in some milliseconds, compiled code looks at before it asks the clock, and whoever interrupts."""

PLACES: Final = 1 << 25
"""The table has room for so many positions at most, in 512 MB; it begins small."""

_COMPILED: Final = "engine.games.grid.compiled.table"
_SLOWEST: Final = "engine.games.grid.compiled.search.search"

_MOST_POINTS: Final = 32_000
"""Values beyond do not fit into the table."""


class QuickGridSearcher:
    """Searches below positions of one deal of two players: at first in plain Python, then in compiled code."""

    def __init__(self, state: GridState, plain_nodes: int | None = None, places: int = PLACES) -> None:
        """Looks at `plain_nodes` positions in plain Python: usually at none once compiled code is loaded."""
        if plain_nodes is None:
            plain_nodes = 0 if _COMPILED in sys.modules else PLAIN_NODES
        self._cards = state.setup.cards
        self._places = places
        fits = sum(card.score for card in self._cards) < _MOST_POINTS and find_spec("numba") is not None
        self._plain = GridSearcher(state, most_nodes=plain_nodes) if fits else GridSearcher(state)
        self._begins_plain = not fits or plain_nodes > 0
        self._table: Table | None = None

    @property
    def plain_nodes(self) -> int:
        """How many positions were looked at in plain Python."""
        return self._plain.nodes

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self._plain.nodes + (self._table.nodes if self._table is not None else 0)

    def reach(self, state: GridState) -> tuple[int, int]:
        """What the cards that are left allow."""
        return self._plain.reach(state)

    def search(self, state: GridState, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        if self._table is None:
            try:
                if self._begins_plain:
                    return self._plain.search(state, bound, clock)
            except TooManyNodesError:
                if not has_time_to_load(_COMPILED, _SLOWEST, clock):
                    self._plain.most_nodes = inf
                    return self._plain.search(state, bound, clock)
            self._table = self._compiled()
        lead, plain = lead_of(state), self._plain
        found = None
        while found is None:
            clock.check()
            found = self._table.search(
                plain.lying(state), state.turned_up, plain.left(state), bound - lead, NODES_A_CALL
            )
        return lead + found

    def _compiled(self) -> "Table":
        from engine.games.grid.compiled.table import Table  # an extra

        plain = self._plain
        kinds = dict(zip(plain.deck, self._cards, strict=False))
        numbers = [kinds[kind].zones if kind else {} for kind in range(len(plain.scores))]
        return Table(plain.deck, plain.scores, plain.ranked, plain.ranks, numbers, self._places)


class GridSolver:
    """Says which positions of grid are solved, and how."""

    options: Final = ("komi",)

    def refusal(self, state: GridState) -> str:
        """Games of two whose cards are all known are solved."""
        if len(state.players) != 2:
            return f"grid is solved for two players, not {len(state.players)}: ask 'ccgrid advise' what to play."
        if len(state.setup.cards) < DECK_SIZE:
            missing = DECK_SIZE - len(state.setup.cards)
            return f"{missing} cards of the draw pile are not known: ask 'ccgrid advise' what to play."
        return ""

    def is_quick(self, state: GridState) -> bool:
        """With no card in the pile, or one."""
        return state.pile <= 1

    def searcher(self, state: GridState) -> Searcher:
        """What searches below this position."""
        return QuickGridSearcher(state)


SOLVER: Final = GridSolver()
