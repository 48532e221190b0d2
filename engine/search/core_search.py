"""Searches on a game's core, in plain Python, or compiled if the extra is installed and compilation is worth it.

`CoreSearcher` proves positions. Compiled code is loaded early, so that it never delays a move beyond its deadline.
"""

import sys
from collections.abc import Callable, Mapping
from math import inf
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.options import unknown_options
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows import expectimax, saved_code, solving
from ccgrid.engine.rows.binding import Function, backend, in_core, outside
from ccgrid.engine.rows.core import CoreWorld, Hidden, Table
from ccgrid.engine.rows.rounds import play_rounds
from ccgrid.engine.rows.saved_code import can_compile
from ccgrid.engine.search.proving import NO_CLOCK, Clock, TooFarError, evict_oldest, lead_over_opponent

_MIN_ROUNDS_TO_LOAD: Final = 50
_MIN_ROUNDS_TO_COMPILE: Final = 500
"""The numbers of playouts per move from which loading saved code (about 1 s) and compiling (about 20 s) pay."""

_MIN_NODES_TO_LOAD: Final = 60_000
_MIN_NODES_TO_COMPILE: Final = 400_000
"""The numbers of positions, searched in plain Python in a second or more, after which loading and compiling pay."""

_LOADING_SECONDS: Final = 3.0
"""The time limit in seconds per move from which there is time to load saved code."""


class CoreSearch(NamedTuple):
    """A core, its data of a position to search, and whether the search is compiled."""

    core: ModuleType
    world: CoreWorld[Table, Hidden]
    is_compiled: bool


def find_core_search(view: State, rounds: int | None, clock: Clock) -> CoreSearch | None:
    """Return a core's search of a position for a number of playouts or a deadline, or None if no core supports it."""
    core = searched_core(view.game, view.variant)
    if core is None:
        return None
    is_compiled = is_search_compiled(core, rounds, clock)
    world: CoreWorld[Table, Hidden] | None = outside(core.world, core, is_compiled=is_compiled)(view)
    return None if world is None else CoreSearch(core, world, is_compiled)


def searches(core: ModuleType) -> list[Callable[..., object]]:
    """Return the functions that search a core."""
    return [play_rounds, expectimax.begin, expectimax.search] if hasattr(core, "set_reveal") else [play_rounds]


def searched_core(game: str, variant: Mapping[str, object] | None = None) -> ModuleType | None:
    """Return the core of a game if it supports searching (has `world`) and these options, else None."""
    core = find_game(game).core
    if core is None or not hasattr(core, "world") or unknown_options(variant or {}, core.OPTIONS):
        return None
    return core


def solved_core(game: str) -> ModuleType | None:
    """Return the core of a game if it supports proofs (has `position`), else None."""
    core = find_game(game).core
    return core if core is not None and hasattr(core, "position") else None


def is_search_compiled(core: ModuleType, rounds: int | None, clock: Clock) -> bool:
    """Return whether a core's search is compiled for a move, or should be and there is time for it."""
    if _is_loaded(core):
        return True
    if not can_compile():
        return False
    if clock.end is not None:
        # Never compile against a deadline, only load.
        return clock.remaining > _LOADING_SECONDS and _is_saved(core)
    return rounds is not None and (
        rounds >= _MIN_ROUNDS_TO_COMPILE or (rounds >= _MIN_ROUNDS_TO_LOAD and _is_saved(core))
    )


def prepare(
    game: str,
    rounds: int | None = None,
    tell: Callable[[str], object] | None = None,
    variant: Mapping[str, object] | None = None,
) -> None:
    """Load or compile the search of a game before a move is requested.

    Args:
        game: The name of the game; nothing is done if its core does not support searching.
        rounds: The number of playouts per move, or None if moves have a time limit; for few, nothing is loaded.
        tell: Called with a sentence before a slow compilation.
        variant: The options whose values differ from the defaults.
    """
    core = searched_core(game, variant)
    if core is None or _is_loaded(core) or not can_compile():
        return
    if rounds is None or rounds >= _MIN_ROUNDS_TO_COMPILE:
        if tell is not None and not _is_saved(core):
            tell(saved_code.announcement(f"the search of {game}", "half a minute"))
        solves = [solving.search, solving.copy_table] if rounds is None and getattr(core, "IS_OPEN", False) else []
        for search in (*searches(core), *solves):
            backend(is_compiled=True).compiled(search, core)


def is_proof_compiled(search: Callable[..., object], core: ModuleType, nodes: int, clock: Clock) -> bool:
    """Return whether a proof should continue compiled after `nodes` positions in plain Python."""
    if not can_compile():
        return False
    # Do not import the module just to check: Numba alone takes about a second.
    compiling = sys.modules.get("ccgrid.engine.rows.compiling")
    if compiling is not None and compiling.is_loaded(search, core):
        return True
    if nodes < _MIN_NODES_TO_LOAD or clock.remaining < _LOADING_SECONDS:
        return False
    # Loading pays earlier than compiling, and compiling only without a deadline.
    return saved_code.is_saved(search, core) or (clock.end is None and nodes > _MIN_NODES_TO_COMPILE)


def _is_loaded(core: ModuleType) -> bool:
    compiling = sys.modules.get("ccgrid.engine.rows.compiling")
    return compiling is not None and all(compiling.is_loaded(search, core) for search in searches(core))


def _is_saved(core: ModuleType) -> bool:
    return all(saved_code.is_saved(search, core) for search in searches(core))


MOST_KEPT: Final = 1 << 19
"""The maximum number of cached positions in plain Python; the oldest are evicted."""

LEAST_PLACES: Final = 1 << 14
MOST_PLACES: Final = 1 << 23
"""The initial and maximum numbers of entries of a compiled table, powers of two, if the core does not define them."""

TABLE_GROWTH: Final = 2
"""The growth factor of a compiled table that is nearly full: small tables are faster."""

NODES_PER_CLOCK_CHECK: Final = 32
NODES_PER_CALL: Final = 20_000
"""The number of positions between two checks of the clock, plain and compiled: some milliseconds."""


class CoreSearcher:
    """Searches positions of one deal of two players with perfect information.

    Attributes:
        core: The core.
        is_compiled: Whether the search is compiled now.
        size: The current number of entries of a compiled table.
        places: The maximum number of its entries, a power of two.
    """

    def __init__(
        self,
        core: ModuleType,
        state: State,
        most_kept: int = MOST_KEPT,
        *,
        is_compiled: bool | None = None,
        most_nodes: float = inf,
    ) -> None:
        """Prepare for `state` and positions after it.

        Args:
            core: The core.
            state: The position.
            most_kept: The maximum number of cached positions in plain Python.
            is_compiled: Whether the search is compiled; None compiles it once it pays.
            most_nodes: The maximum number of positions in one search.
        """
        self.core, self._first = core, state
        self._most_kept, self._most_nodes = most_kept, most_nodes
        self.places: int = getattr(core, "MOST_PLACES", MOST_PLACES)
        self._may_compile = is_compiled is None
        self._nodes_before = 0
        self._load(is_compiled=bool(is_compiled))

    @property
    def nodes(self) -> int:
        """The number of positions searched."""
        return self._nodes_before + int(self._work.state[solving.NODES])

    def reach(self, state: State) -> tuple[int, int]:
        """Return bounds on the value without a search."""
        if state.ending() is not None:
            lead = lead_over_opponent(state, state.to_move)
            return lead, lead
        found: tuple[int, int] = self.core.reach(state)
        return found

    def search(self, state: State, bound: int, clock: Clock) -> int:
        """Return a lower bound of the value that is at least `bound`, else an upper bound below it.

        Raises:
            OutOfTimeError: If the deadline has passed.
            TooFarError: If there are too many positions.
        """
        last = self.nodes + self._most_nodes
        # The core's values exclude the settled lead: subtract it from the bound, and add it to the result.
        settled = self._begin(state)
        while True:
            clock.check()
            if self._may_compile and not self.is_compiled and self._is_worth_compiling(clock):
                self._nodes_before = self.nodes
                self._load(is_compiled=True)
                # Other arrays and an empty table: the search restarts, but its positions so far remain counted.
                self._begin(state)
            self._make_room()
            most = min(NODES_PER_CALL if self.is_compiled else NODES_PER_CLOCK_CHECK, last - self.nodes)
            found = int(self._search(self._rows, self._proofs, self._work, self._notes, bound - settled, most))
            if found != solving.INTERRUPTED:
                return settled + found
            if self.nodes >= last:
                raise TooFarError

    def prepare(self) -> None:
        """Switch to the compiled search if it is loaded or in the on-disk cache.

        No later request then has to wait for it.
        """
        if is_proof_compiled(solving.search, self.core, _MIN_NODES_TO_LOAD, NO_CLOCK):
            self._load(is_compiled=True)

    def _load(self, *, is_compiled: bool) -> None:
        """Prepare for compiled code, or for plain Python; earlier proofs are discarded."""
        self.is_compiled = is_compiled
        arrays = backend(is_compiled=is_compiled)

        def outside_of(function: Function) -> Function:
            return outside(function, self.core, is_compiled=is_compiled)

        # A plain core may store long numbers in fewer words, so that the arrays differ between both kinds.
        position = outside_of(self.core.position)(self._first)
        self._table, self._row_of = position.table, outside_of(self.core.row_of)
        self._settled = in_core(contract.settled_lead, self.core)
        self._rows = arrays.table_arrays(position.table)
        work = outside_of(solving.new_work)(self.core, position, arrays.zeros)
        notes = outside_of(in_core(solving.new_notes, self.core))(self.core, position, arrays.zeros)
        self._work, self._notes = arrays.arrays(work), arrays.arrays(notes)
        self.size: int = getattr(self.core, "LEAST_PLACES", LEAST_PLACES)
        self._proofs: Any = self._empty() if is_compiled else {}
        self._search, self._copy_table = [
            arrays.compiled(one, self.core) for one in (solving.search, solving.copy_table)
        ]

    def _begin(self, state: State) -> int:
        """Start the search of a position and return its settled lead."""
        row = self._row_of(self._table, state)
        self._work.s[:] = row
        self._work.state[solving.DEPTH] = solving.NOT_BEGUN
        settled: int = self._settled(self._table, row)
        return -settled if state.to_move else settled

    def _is_worth_compiling(self, clock: Clock) -> bool:
        return is_proof_compiled(solving.search, self.core, self.nodes, clock)

    def _make_room(self) -> None:
        if not self.is_compiled:
            evict_oldest(self._proofs, self._most_kept)
        # At seven eighths most buckets of four are full, and new proofs replace old ones.
        elif 8 * self._proofs.taken[0] > 7 * self.size and self.size < self.places:
            self.size = min(TABLE_GROWTH * self.size, self.places)
            larger = self._empty()
            self._copy_table(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> Any:
        return in_core(solving.empty_table, self.core)(self.size, backend(is_compiled=True).zeros)
