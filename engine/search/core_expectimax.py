"""What moves are worth on average over hidden cards that everybody sees once they are turned up, found exactly.

It is searched on the core of a game of two, in plain Python or compiled.
"""

from importlib import import_module
from typing import Any, Final

from engine.game import State
from engine.rows import expectimax
from engine.rows.binding import bound, outside
from engine.rows.core import Position
from engine.rows.expectimax import FACTORIALS, INTERRUPTED, MOST_HIDDEN, NODES
from engine.rows.proofs import UNKNOWN
from engine.search.core_search import MOST_KEPT, NODES_A_CALL, NODES_A_LOOK
from engine.search.loading import Searched
from engine.search.proving import Clock, OutOfTimeError, lead_of, make_room

_LEAST_PLACES: Final = 1 << 14
_PLACES: Final = 1 << 22
_TIMES: Final = 4
"""So many places a compiled table has at first and at most, and so many times more where these may not do."""

_FOR_FIRST: Final = 0.25
"""So much of the time the first move may take: else there is no time for all."""

_NODES_A_ROUND: Final = 20
"""So many positions take about as long as one game that is played on."""


class CoreExpectimax:
    """What the moves of one position are worth, on the core of its game."""

    def __init__(self, view: State, searched: Searched) -> None:
        """`searched` is what the core knows of the view, and says how many cards are unseen."""
        core, world, is_compiled = searched
        arrays: Any = import_module("engine.rows.arrays") if is_compiled else None
        self._arrays, self._numbers, self._count = arrays, world.numbers, world.unseen or 0
        position = Position(world.table, world.start[:], world.depth)
        work = outside(expectimax.work_of, core, is_compiled=is_compiled)(
            core, position, arrays.zeros if arrays else _zeros
        )
        rows = world.table, world.hidden, work
        self._table, self._hidden, self._work = map(arrays.arrays, rows) if arrays else rows
        self._start = self._work.s[:].copy()
        self._size = _LEAST_PLACES
        self._proofs: Any = self._empty() if arrays else {}
        made: Any = import_module("engine.rows.compiling").compiled if arrays else bound
        self._begin, self._search, self._move_over = (
            made(one, core) for one in (expectimax.begin, expectimax.search, expectimax.move_over)
        )
        self._ahead = lead_of(view, view.to_move)

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._work.state[NODES])

    def values(self, clock: Clock, most: int | None = None, *, of_all: bool = True) -> dict[str, float]:
        """What every legal move is worth to who makes it, in points ahead in the end, on average.

        Args:
            clock: when the answer has to be there.
            most: after about so many positions it is given up.
            of_all: whether that counts of moves that are not the best, too; else these may be missing.

        Raises:
            OutOfTimeError: there was not enough time, or there are too many positions.
        """
        found, best = dict[int, int](), -UNKNOWN
        for number in dict.fromkeys(self._numbers.values()):
            low = -UNKNOWN if of_all else best - 1
            value = self._value(number, low, clock if found else clock.part(_FOR_FIRST), most)
            if value > low:
                found[number] = value
            best = max(best, value)
        moves, scale = self._numbers.items(), FACTORIALS[self._count]
        return {move: self._ahead + found[number] / scale for move, number in moves if number in found}

    def _value(self, move: int, low: int, clock: Clock, most: int | None) -> int:
        self._work.s[:] = self._start
        self._begin(self._table, self._hidden, self._work, move, (1 << self._count) - 1, low)
        at_once = NODES_A_LOOK if self._arrays is None else NODES_A_CALL
        while True:
            clock.check()
            if most is not None and self.nodes >= most:
                raise OutOfTimeError("there are too many positions")
            self._make_room(at_once)
            value = int(self._search(self._table, self._hidden, self._proofs, self._work, at_once))
            if value != INTERRUPTED:
                return value

    def _make_room(self, more: int) -> None:
        """Keeps so many more positions: compiled in a table that is a quarter full at most, as far as there is room."""
        if self._arrays is None:
            make_room(self._proofs, MOST_KEPT)
            return
        while self._size < _PLACES and 4 * (self._proofs.taken[0] + more) > self._size:
            self._size *= _TIMES
            larger = self._empty()
            self._move_over(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> Any:
        return expectimax.table_of(self._size, self._arrays.zeros)


def expected(
    view: State, searched: Searched | None, rounds: int | None, clock: Clock, *, of_all: bool = True
) -> dict[str, float] | None:
    """What the moves are worth on average over the hidden cards, exactly; `None` where that takes too long.

    Args:
        view: what who is to move sees.
        searched: what the core of its game knows of it; none where there is no core.
        rounds: for how many games that are played on it may take as long.
        clock: when the answer has to be there.
        of_all: as of `CoreExpectimax.values`.
    """
    if searched is None or searched.world.unseen is None or searched.world.seats != 2:
        return None
    if searched.world.unseen > MOST_HIDDEN:
        return None
    most = None if rounds is None else rounds * _NODES_A_ROUND
    try:
        return CoreExpectimax(view, searched).values(clock, most, of_all=of_all)
    except OutOfTimeError:
        return None


def _zeros(count: int) -> list[int]:
    return [0] * count
