"""Positions proved on the core of a game: at first in plain Python, then in compiled code where that is installed."""

from importlib import import_module
from types import ModuleType
from typing import Any, Final

from engine.game import State
from engine.rows import solving
from engine.rows.binding import bound
from engine.rows.proofs import move_over, table_of
from engine.search.loading import solves_compiled
from engine.search.proving import Clock, make_room
from engine.search.state_solver import StateSolver

MOST_KEPT: Final = 1 << 19
"""So many positions are kept at most in plain Python; the oldest make room for others."""

LEAST_PLACES: Final = 1 << 14
PLACES: Final = 1 << 23
TIMES: Final = 4
"""A compiled table begins small, and is so many times as large once it is half full; at most it has 200 MB."""

NODES_A_LOOK: Final = 64
NODES_A_CALL: Final = 20_000
"""So many positions, in some milliseconds, are looked at between two looks at the clock: plain, and compiled."""


class CoreSearcher:
    """Searches below positions of one deal of two players, all of whose cards are known."""

    def __init__(
        self, core: ModuleType, state: State, most_kept: int = MOST_KEPT, *, is_compiled: bool | None = None
    ) -> None:
        """`state` is the first position that is asked for; compiled it is once that is worth it, if nobody says."""
        position = core.position(state)
        changes, length = core.changing(position.table), core.length(position.table)
        self._core = core
        self._most_kept = most_kept
        self._is_compiled, self._may_compile = False, is_compiled is None
        self._table: Any = position.table
        self._proofs: Any = {}
        self._work: Any = solving.work_of(length, changes, core.MOST_MOVES, position.plies)
        self._search: Any = bound(solving.search, core)
        if is_compiled:
            self._compile()

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._work.state[solving.NODES])

    def reach(self, state: State) -> tuple[int, int]:
        """The least and the most that the value can be, without any search."""
        if state.ending() is not None:
            own, other = state.scores()[state.to_move], state.scores()[1 - state.to_move]
            return own - other, own - other
        found: tuple[int, int] = self._core.reach(state)
        return found

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        row = self._core.position(state).row
        settled: int = self._core.settled(self._table, row) * (-1 if state.to_move else 1)
        self._begin(row)
        while True:
            clock.check()
            if not self._is_compiled and self._may_compile and solves_compiled(self._core, self.nodes, clock):
                self._compile()
                self._begin(row)
            self._make_room()
            at_once = NODES_A_CALL if self._is_compiled else NODES_A_LOOK
            found = int(self._search(self._table, self._proofs, self._work, bound - settled, at_once))
            if found != solving.INTERRUPTED:
                return settled + found

    def _begin(self, row: list[int]) -> None:
        self._work.s[:] = import_module("engine.rows.arrays").ints(row) if self._is_compiled else row
        self._work.state[solving.DEPTH] = solving.AFRESH

    def _compile(self) -> None:
        arrays, compiling = import_module("engine.rows.arrays"), import_module("engine.rows.compiling")
        self._search = compiling.compiled(solving.search, self._core)
        self._move_over = compiling.compiled(move_over, self._core)
        self._table, self._work = arrays.arrays(self._table), arrays.arrays(self._work)
        self._proofs = arrays.arrays(table_of(LEAST_PLACES))
        self._is_compiled = True

    def _make_room(self) -> None:
        if not self._is_compiled:
            make_room(self._proofs, self._most_kept)
        elif 2 * self._proofs.taken[0] > (places := len(self._proofs.bounds)) and places < PLACES:
            larger = import_module("engine.rows.arrays").arrays(table_of(TIMES * places))
            self._move_over(self._proofs, larger)
            self._proofs = larger


class CoreSolver(StateSolver):
    """Solves positions of a game that has a core to do so, and no solver of its own."""

    def __init__(self, core: ModuleType) -> None:
        self.options: tuple[str, ...] = tuple(core.OPTIONS)
        self._core = core

    def searcher(self, state: State) -> CoreSearcher:
        """What searches below this position."""
        return CoreSearcher(self._core, state)
