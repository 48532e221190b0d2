"""Positions proved on the core of a game: at first in plain Python, then in compiled code where that is installed."""

from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, Final

from engine.game import State
from engine.rows import core as contract
from engine.rows import solving
from engine.rows.binding import bound, outside
from engine.search.loading import solves_compiled
from engine.search.proving import Clock, make_room
from engine.search.state_solver import StateSolver

MOST_KEPT: Final = 1 << 19
"""So many positions are kept at most in plain Python; the oldest make room for others."""

TIMES: Final = 2
"""So many times as large becomes a compiled table that is nearly full: a smaller one is looked up sooner."""

NODES_A_LOOK: Final = 64
NODES_A_CALL: Final = 20_000
"""So many positions, in some milliseconds, are looked at between two looks at the clock: plain, and compiled."""


class CoreSearcher:
    """Searches below positions of one deal of two players, all of whose cards are known.

    Attributes:
        solving: the module by which it searches, `engine.rows.solving` or one that has the same.
        least_places, places: so large a compiled table is at first and at most, powers of two.
        is_compiled: whether compiled code searches now.
        size: how many places its table has.
    """

    solving: ClassVar[Any] = solving
    least_places: ClassVar[int] = 1 << 14
    places: ClassVar[int] = 1 << 23

    def __init__(
        self, core: ModuleType, state: State, most_kept: int = MOST_KEPT, *, is_compiled: bool | None = None
    ) -> None:
        """`state` is the first position that is asked for; compiled it is once that is worth it, if nobody says."""
        self._core, self._first = core, state
        self._most_kept = most_kept
        self._may_compile = is_compiled is None
        self._nodes_before = 0
        self._load(is_compiled=bool(is_compiled))

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self._nodes_before + int(self._work.state[solving.NODES])

    def reach(self, state: State) -> tuple[int, int]:
        """The least and the most that the value can be, without any search."""
        if state.ending() is not None:
            own, other = state.scores()[state.to_move], state.scores()[1 - state.to_move]
            return own - other, own - other
        found: tuple[int, int] = self._core.reach(state)
        return found

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """A number at least `bound` that the value reaches; or one below `bound` that it does not exceed."""
        settled = self._begin(state)
        while True:
            clock.check()
            if self._may_compile and not self.is_compiled and self._is_worth_compiling(clock):
                self._nodes_before = self.nodes
                self._load(is_compiled=True)
                self._begin(state)
            self._make_room()
            at_once = NODES_A_CALL if self.is_compiled else NODES_A_LOOK
            found = int(self._search(self._rows, self._proofs, self._work, bound - settled, at_once))
            if found != solving.INTERRUPTED:
                return settled + found

    def _load(self, *, is_compiled: bool) -> None:
        """Prepares for compiled code, or for plain Python; what was proved before is proved anew."""
        self.is_compiled = is_compiled
        arrays = import_module("engine.rows.arrays") if is_compiled else None

        def outside_of(function: Any) -> Any:
            return outside(function, self._core, is_compiled=is_compiled)

        position = outside_of(self._core.position)(self._first)
        self._table, self._row_of = position.table, outside_of(self._core.row_of)
        self._rows = arrays.arrays(position.table) if arrays else position.table
        work = outside_of(self.solving.work_of)(self._core, position, arrays.zeros if arrays else _zeros)
        self._work: Any = arrays.arrays(work) if arrays else work
        self.size = self.least_places
        self._proofs: Any = self._empty() if arrays else {}
        made: Any = import_module("engine.rows.compiling").compiled if arrays else bound
        self._search, self._move_over = [made(one, self._core) for one in (self.solving.search, self.solving.move_over)]

    def _begin(self, state: State) -> int:
        """Begins to search a position, and gives what is settled there."""
        row = self._row_of(self._table, state)
        self._work.s[:] = row
        self._work.state[solving.DEPTH] = solving.AFRESH
        settled: int = getattr(self._core, "settled", contract.settled)(self._table, row)
        return -settled if state.to_move else settled

    def _is_worth_compiling(self, clock: Clock) -> bool:
        return solves_compiled(self.solving.search, self._core, self.nodes, clock)

    def _make_room(self) -> None:
        if not self.is_compiled:
            make_room(self._proofs, self._most_kept)
        elif 8 * self._proofs.taken[0] > 7 * self.size and self.size < self.places:
            self.size = min(TIMES * self.size, self.places)
            larger = self._empty()
            self._move_over(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> Any:
        return self.solving.table_of(self.size, import_module("engine.rows.arrays").zeros)


def _zeros(count: int) -> list[int]:
    return [0] * count


class CoreSolver(StateSolver):
    """Solves positions of a game that has a core to do so, and no solver of its own."""

    def __init__(self, core: ModuleType) -> None:
        self.options: tuple[str, ...] = tuple(core.OPTIONS)
        self._core = core

    def searcher(self, state: State) -> CoreSearcher:
        """What searches below this position."""
        return CoreSearcher(self._core, state)
