"""Exact average values of moves over hidden cards, by expectimax search on a core."""

from typing import Any, Final

from ccgrid.engine.game import State
from ccgrid.engine.rows import expectimax, solving
from ccgrid.engine.rows.binding import backend, outside
from ccgrid.engine.rows.core import Position
from ccgrid.engine.rows.solving import UNKNOWN
from ccgrid.engine.search.core_search import (
    MOST_KEPT,
    NODES_PER_CALL,
    NODES_PER_CLOCK_CHECK,
    CoreSearch,
)
from ccgrid.engine.search.proving import Clock, OutOfTimeError, evict_oldest, lead_over_opponent

_LEAST_PLACES: Final = 1 << 14
_PLACES: Final = 1 << 22
_TABLE_GROWTH: Final = 4
"""The initial and maximum numbers of entries of a compiled table, and its growth factor."""

_FIRST_MOVE_TIME_SHARE: Final = 0.25
"""The share of the time limit for the first move; if it needs more, there is not enough time for all."""

_NODES_PER_ROUND: Final = 20
"""The number of positions that take about as long as one playout."""


class CoreExpectimax:
    """Computes exact average values of the moves of one position on the game's core."""

    def __init__(self, view: State, core_search: CoreSearch) -> None:
        """Prepare for the search of a view, whose core data include the number of unseen cards."""
        core, world, is_compiled = core_search
        arrays = backend(is_compiled=is_compiled)
        self._is_compiled, self._numbers, self._count = is_compiled, world.numbers, world.unseen or 0
        position = Position(world.table, world.start[:], world.depth)
        work = outside(expectimax.new_work, core, is_compiled=is_compiled)(core, position, arrays.zeros)
        self._table, self._hidden, self._work = map(arrays.arrays, (world.table, world.hidden, work))
        # Slicing an array creates a view, slicing a list a copy; `copy()` works for both.
        self._start = self._work.s[:].copy()
        self._size = _LEAST_PLACES
        self._proofs: Any = self._empty() if is_compiled else {}
        self._begin, self._search, self._copy_table = (
            arrays.compiled(one, core) for one in (expectimax.begin, expectimax.search, solving.copy_table)
        )
        self._ahead = lead_over_opponent(view, view.to_move)

    @property
    def nodes(self) -> int:
        """The number of positions searched."""
        return int(self._work.state[expectimax.NODES])

    def values(self, clock: Clock, most: int | None = None, *, all_moves: bool = True) -> dict[str, float]:
        """Return every legal move's average final lead, in points, for the player who makes it.

        Args:
            clock: The deadline.
            most: The number of positions, approximately, after which the search is abandoned; None means no limit.
            all_moves: Whether moves that are not best are needed, too; otherwise they may be missing.

        Raises:
            OutOfTimeError: If the time is not enough, or there are too many positions.
        """
        found, best = dict[int, int](), -UNKNOWN
        # Equivalent moves share a number and are searched once.
        for number in dict.fromkeys(self._numbers.values()):
            # Values below the best need not be exact; equal ones must, because all best moves are returned.
            low = -UNKNOWN if all_moves else best - 1
            value = self._value(number, low, clock if found else clock.part(_FIRST_MOVE_TIME_SHARE), most)
            if value > low:
                found[number] = value
            best = max(best, value)
        # Values are sums over all n! orders of the hidden cards.
        moves, scale = self._numbers.items(), expectimax.FACTORIALS[self._count]
        return {move: self._ahead + found[number] / scale for move, number in moves if number in found}

    def _value(self, move: int, low: int, clock: Clock, most: int | None) -> int:
        self._work.s[:] = self._start
        # All hidden cards are still available: a bit for each.
        self._begin(self._table, self._hidden, self._work, move, (1 << self._count) - 1, low)
        rounds_per_call = NODES_PER_CALL if self._is_compiled else NODES_PER_CLOCK_CHECK
        while True:
            clock.check()
            if most is not None and self.nodes >= most:
                raise OutOfTimeError("there are too many positions")
            self._make_room(rounds_per_call)
            value = int(self._search(self._table, self._hidden, self._proofs, self._work, rounds_per_call))
            if value != solving.INTERRUPTED:
                return value

    def _make_room(self, more: int) -> None:
        """Ensure space for `more` positions: a compiled table is at most a quarter full, until its maximum size."""
        if not self._is_compiled:
            evict_oldest(self._proofs, MOST_KEPT)
            return
        while self._size < _PLACES and 4 * (self._proofs.taken[0] + more) > self._size:
            self._size *= _TABLE_GROWTH
            larger = self._empty()
            self._copy_table(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> solving.Proofs:
        return solving.empty_table(self._size, backend(is_compiled=True).zeros)


def exact_averages(
    view: State, core_search: CoreSearch | None, rounds: int | None, clock: Clock, *, all_moves: bool = True
) -> dict[str, float] | None:
    """Return the exact average values of moves over the hidden cards, or None if it takes too long.

    Args:
        view: The view of the player to move.
        core_search: The core's search of the view, or None if there is no core.
        rounds: The number of playouts that may take as long; None means no limit.
        clock: The deadline.
        all_moves: See `CoreExpectimax.values`.
    """
    # `unseen` is known only if nothing but cards is hidden.
    if core_search is None or core_search.world.unseen is None or core_search.world.seats != 2:
        return None
    if core_search.world.unseen > expectimax.MOST_HIDDEN:
        return None
    most = None if rounds is None else rounds * _NODES_PER_ROUND
    try:
        return CoreExpectimax(view, core_search).values(clock, most, all_moves=all_moves)
    except OutOfTimeError:
        return None
