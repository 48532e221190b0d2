"""What is searched on the core of a game, in plain Python or compiled where that is installed and worth it.

Positions are proved (`CoreSearcher`), moves tried in worlds that are drawn (`CoreTree`), and averages over hidden cards
found exactly (`CoreExpectimax`). What is compiled is loaded early: never so that a move comes too late.
"""

import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple

from ccgrid.engine.dice import Dice
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.options import unknown_options
from ccgrid.engine.rows import core as contract
from ccgrid.engine.rows import expectimax, saved_code, solving
from ccgrid.engine.rows import rounds as nodes
from ccgrid.engine.rows.binding import bound, outside
from ccgrid.engine.rows.core import CoreWorld, Position
from ccgrid.engine.rows.dealing import dice_row
from ccgrid.engine.rows.rounds import MOST_COUNTED, NODES_A_ROUND, Search, Ways, play_rounds
from ccgrid.engine.rows.solving import UNKNOWN
from ccgrid.engine.search.proving import NO_CLOCK, Clock, OutOfTimeError, StateSolver, lead_of, make_room
from ccgrid.engine.search.thinking import MOST_NODES, Node

_WORTH_LOADING: Final = 50
_WORTH_COMPILING: Final = 500
"""For so many rounds a move it is worth to load what was compiled, about a second, or to compile it, some twenty."""

_NODES_WORTH_LOADING: Final = 60_000
_NODES_WORTH_COMPILING: Final = 400_000
"""For a proof it is worth that after so many positions in plain Python, which take a second, or some."""

_TO_LOAD: Final = 3.0
"""With so many seconds for a move there is time to load what was compiled."""


class Searched(NamedTuple):
    """A core, what it knows of a position that is searched, and whether it is searched compiled."""

    core: ModuleType
    world: CoreWorld
    is_compiled: bool


def searched(view: State, rounds: int | None, clock: Clock) -> Searched | None:
    """What a core knows of a position, for so many rounds or so much time; none where no core searches it."""
    core = searched_core(view.game, view.variant)
    if core is None:
        return None
    is_compiled = is_search_compiled(core, rounds, clock)
    world: CoreWorld | None = outside(core.world, core, is_compiled=is_compiled)(view)
    return None if world is None else Searched(core, world, is_compiled)


def searches(core: ModuleType) -> list[Callable[..., Any]]:
    """By which functions a core is searched."""
    return [play_rounds, expectimax.begin, expectimax.search] if hasattr(core, "set_reveal") else [play_rounds]


def searched_core(game: str, variant: Mapping[str, object] | None = None) -> ModuleType | None:
    """The core of a game that has one to search by, which says what a seat's `World` is, and knows these options."""
    core: Any = find_game(game).core
    return core if hasattr(core, "world") and not unknown_options(variant or {}, core.OPTIONS) else None


def solved_core(game: str) -> ModuleType | None:
    """The core of a game that has one to prove positions by."""
    core: Any = find_game(game).core
    return core if hasattr(core, "position") else None


def is_search_compiled(core: ModuleType, rounds: int | None, clock: Clock) -> bool:
    """Whether the search of a core is compiled for a move, or there is reason to, and time for it."""
    if _is_loaded(core):
        return True
    if not _can_compile():
        return False
    if clock.end is not None:
        # Never compiled while a clock runs: only loaded.
        return clock.end - time.perf_counter() > _TO_LOAD and _is_saved(core)
    return rounds is not None and (rounds >= _WORTH_COMPILING or (rounds >= _WORTH_LOADING and _is_saved(core)))


def prepare(
    game: str,
    rounds: int | None = None,
    tell: Callable[[str], object] | None = None,
    variant: Mapping[str, object] | None = None,
) -> None:
    """Loads the compiled search of a game, or compiles it, before anybody waits for a move.

    Args:
        game: its name; without a core that it is searched by nothing is done.
        rounds: how many are played for a move, if not as many as there is time for: for few nothing is loaded.
        tell: is given a sentence before something is compiled, which takes a while.
        variant: the options that are not as usual.
    """
    core = searched_core(game, variant)
    if core is None or _is_loaded(core) or not _can_compile():
        return
    if rounds is None or rounds >= _WORTH_COMPILING:
        if tell is not None and not _is_saved(core):
            tell(saved_code.announcement(f"the search of {game}", "half a minute"))
        for search in searches(core):
            _compiling().compiled(search, core)
        if rounds is None and getattr(core, "IS_OPEN", False):
            _compiling().compiled(solving.search, core)
            _compiling().compiled(solving.copy_table, core)


def solves_compiled(search: Callable[..., Any], core: ModuleType, nodes: int, clock: Clock) -> bool:
    """Whether the compiled search of a core goes on where so many positions were looked at in plain Python."""
    if not _can_compile():
        return False
    # Not imported only to ask: Numba alone takes about a second.
    compiling: Any = sys.modules.get("ccgrid.engine.rows.compiling")
    if compiling is not None and compiling.is_loaded(search, core):
        return True
    if nodes < _NODES_WORTH_LOADING or (clock.end is not None and clock.end - time.perf_counter() < _TO_LOAD):
        return False
    # Loading is worth it earlier than compiling, and compiling only where nobody counts seconds.
    return saved_code.is_saved(search, core) or (clock.end is None and nodes > _NODES_WORTH_COMPILING)


def _is_loaded(core: ModuleType) -> bool:
    compiling: Any = sys.modules.get("ccgrid.engine.rows.compiling")
    return compiling is not None and all(compiling.is_loaded(search, core) for search in searches(core))


def _is_saved(core: ModuleType) -> bool:
    return all(saved_code.is_saved(search, core) for search in searches(core))


def _compiling() -> Any:
    return import_module("ccgrid.engine.rows.compiling")


@cache
def _can_compile() -> bool:
    # Found, not imported.
    return all(find_spec(name) is not None for name in ("numba", "numpy"))


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
        # The core's values leave out what is settled: it is taken from the bound, and added to the answer.
        settled = self._begin(state)
        while True:
            clock.check()
            if self._may_compile and not self.is_compiled and self._is_worth_compiling(clock):
                self._nodes_before = self.nodes
                self._load(is_compiled=True)
                # Other rows, and an empty table: the search starts afresh, the positions counted so far stay counted.
                self._begin(state)
            self._make_room()
            at_once = NODES_A_CALL if self.is_compiled else NODES_A_LOOK
            found = int(self._search(self._rows, self._proofs, self._work, bound - settled, at_once))
            if found != solving.INTERRUPTED:
                return settled + found

    def prepare(self) -> None:
        """Searches compiled from now on, where what does so was compiled before: before anybody waits."""
        if solves_compiled(self.solving.search, self._core, _NODES_WORTH_LOADING, NO_CLOCK):
            self._load(is_compiled=True)

    def _load(self, *, is_compiled: bool) -> None:
        """Prepares for compiled code, or for plain Python; what was proved before is proved anew."""
        self.is_compiled = is_compiled
        arrays = _compiling() if is_compiled else None

        def outside_of(function: Any) -> Any:
            return outside(function, self._core, is_compiled=is_compiled)

        # In plain Python a core may keep long numbers in fewer words: its rows are made anew for each kind.
        position = outside_of(self._core.position)(self._first)
        self._table, self._row_of = position.table, outside_of(self._core.row_of)
        self._settled = vars(self._core).get("settled_lead", contract.settled_lead)
        self._rows = arrays.table_arrays(position.table) if arrays else position.table
        work = outside_of(self.solving.work_of)(self._core, position, arrays.zeros if arrays else _zeros)
        self._work: Any = arrays.arrays(work) if arrays else work
        self.size = self.least_places
        self._proofs: Any = self._empty() if arrays else {}
        made: Any = _compiling().compiled if arrays else bound
        self._search, self._copy_table = [
            made(one, self._core) for one in (self.solving.search, self.solving.copy_table)
        ]

    def _begin(self, state: State) -> int:
        """Begins to search a position, and gives what is settled there."""
        row = self._row_of(self._table, state)
        self._work.s[:] = row
        self._work.state[solving.DEPTH] = solving.AFRESH
        settled: int = self._settled(self._table, row)
        return -settled if state.to_move else settled

    def _is_worth_compiling(self, clock: Clock) -> bool:
        return solves_compiled(self.solving.search, self._core, self.nodes, clock)

    def _make_room(self) -> None:
        if not self.is_compiled:
            make_room(self._proofs, self._most_kept)
        # At seven eighths of its places most lines of four are full, and new proofs push old ones out.
        elif 8 * self._proofs.taken[0] > 7 * self.size and self.size < self.places:
            self.size = min(TIMES * self.size, self.places)
            larger = self._empty()
            self._copy_table(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> Any:
        return self.solving.empty_table(self.size, _compiling().zeros)


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


_ROOM: Final = 256
"""So many nodes have room at first."""

_AT_ONCE: Final = 2048


class CoreTree:
    """A tree over one position of a game that has a core.

    Attributes:
        scale, only, at_once, alike: as of `engine.search.thinking.Tree`.
        most_nodes: so many nodes it has at most; then rounds add none.
        links, sums, nodes_of: its rows, as `engine.rows.rounds` describes them.
    """

    most_nodes: int = MOST_NODES

    def __init__(self, searched: Searched, dice: Dice) -> None:
        core, world, is_compiled = searched
        arrays = _compiling() if is_compiled else None
        ints, floats, bundle = (arrays.ints, arrays.floats, arrays.arrays) if arrays else (list, list, _as_it_is)
        numbers = world.numbers
        # Of moves that play alike the first in the list gives the name: it is put in last.
        self._names = {numbers[move]: move for move in reversed(list(numbers))}
        self._numbers = {move: numbers[move] for move in numbers if self._names[numbers[move]] == move}
        self.alike: Mapping[str, str] = {
            move: self._names[numbers[move]] for move in numbers if move not in self._numbers
        }
        self.scale: float = core.SCALE
        self.exploring: float = core.EXPLORING
        self.only = world.only
        self.at_once = _AT_ONCE if is_compiled else 1
        self.links, self.sums = ints([0] * nodes.LINKS * _ROOM), floats([0.0] * nodes.SUMS * _ROOM)
        self.nodes_of = ints([0] * world.most)
        self._added = NODES_A_ROUND if hasattr(core, "reveal_code") else 1
        self._more: Any = arrays.more if arrays else _more
        # Rows that grow with the tree are put in at each call (`_play_rounds`); these here stay.
        moves, results = [0] * core.MOST_MOVES, [0.0] * world.seats
        path, start = [0] * (MOST_COUNTED * world.depth), world.start
        search = Search(dice_row(dice.seed), [], [], [], start[:], moves, moves[:], moves[:], path, results, results[:])
        # The very row of `nodes_of`: it has to be the compiled one, which is empty between two calls.
        self._search = bundle(search)._replace(nodes_of=self.nodes_of)
        table = arrays.table_arrays(world.table) if arrays else world.table
        self._rows = table, ints(start), bundle(world.hidden)
        made: Any = _compiling().compiled if is_compiled else bound
        self._play = made(play_rounds, core)

    @property
    def moves(self) -> list[str]:
        """The legal moves, one of those that are the same."""
        return list(self._numbers)

    def grow(self, rounds: int, *, by_lead: bool = False) -> None:
        """Plays so many rounds; with `by_lead` everybody wants points ahead, else to win, by however much."""
        self._make_room(rounds)
        # -1, -1: any first move, and the world by how often it was tried.
        self._play_rounds(Ways(rounds, -1, -1, self.exploring, self.scale, int(by_lead)))

    def lead(self, move: str, number: int) -> float:
        """The lead of who is to move, in points, when a move is tried in the world of this number."""
        self._make_room(1)
        return self._play_rounds(Ways(1, self._numbers[move], number, 0.0, self.scale, by_lead=1))

    def tried(self) -> dict[str, Node]:
        """What came of the moves that were tried."""
        links, sums, found = self.links, self.sums, {}
        node = int(links[nodes.CHILD])
        while node:
            link, place = nodes.LINKS * node, nodes.SUMS * node
            found[self._names[int(links[link + nodes.MOVE])]] = Node(
                int(links[link + nodes.VISITS]),
                float(sums[place + nodes.TOTAL]),
                float(sums[place + nodes.LEAD]),
                float(sums[place + nodes.SQUARES]),
                int(links[link + nodes.TIMES_LEGAL]),
            )
            node = int(links[link + nodes.SIBLING])
        return found

    def _play_rounds(self, ways: Ways) -> float:
        """The lead that the last round ended with."""
        search = self._search._replace(links=self.links, sums=self.sums)
        lead: float = self._play(*self._rows, search, ways)
        return lead

    def _make_room(self, rounds: int) -> None:
        room = len(self.links) // nodes.LINKS
        # At most so many nodes can come in these rounds, and the root.
        missing = min(int(self.links[nodes.SIBLING]) + self._added * rounds + 1, self.most_nodes) - room
        if missing > 0:
            # At least as much again, so that rows are seldom copied.
            more = min(max(missing, room), self.most_nodes - room)
            self.links = self._more(self.links, nodes.LINKS * more)
            self.sums = self._more(self.sums, nodes.SUMS * more)


def _as_it_is(bundle: Any) -> Any:
    return bundle


def _more(row: list[Any], count: int) -> list[Any]:
    return row + [0] * count


# --- averages over hidden cards ---

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
        arrays: Any = _compiling() if is_compiled else None
        self._arrays, self._numbers, self._count = arrays, world.numbers, world.unseen or 0
        position = Position(world.table, world.start[:], world.depth)
        work = outside(expectimax.work_of, core, is_compiled=is_compiled)(
            core, position, arrays.zeros if arrays else _zeros
        )
        rows = world.table, world.hidden, work
        self._table, self._hidden, self._work = map(arrays.arrays, rows) if arrays else rows
        # `[:]` of an array is a view of it, of a list a copy: `copy()` is one of either.
        self._start = self._work.s[:].copy()
        self._size = _LEAST_PLACES
        self._proofs: Any = self._empty() if arrays else {}
        made: Any = _compiling().compiled if arrays else bound
        self._begin, self._search, self._copy_table = (
            made(one, core) for one in (expectimax.begin, expectimax.search, solving.copy_table)
        )
        self._ahead = lead_of(view, view.to_move)

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._work.state[expectimax.NODES])

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
        # Moves that play alike share a number, and are searched once.
        for number in dict.fromkeys(self._numbers.values()):
            # Less than the best is not needed exactly; as much is, since equal moves are all named.
            low = -UNKNOWN if of_all else best - 1
            value = self._value(number, low, clock if found else clock.part(_FOR_FIRST), most)
            if value > low:
                found[number] = value
            best = max(best, value)
        # Values are sums over the orders of all hidden cards: n! of them.
        moves, scale = self._numbers.items(), expectimax.FACTORIALS[self._count]
        return {move: self._ahead + found[number] / scale for move, number in moves if number in found}

    def _value(self, move: int, low: int, clock: Clock, most: int | None) -> int:
        self._work.s[:] = self._start
        # All hidden cards are still there: a bit for each.
        self._begin(self._table, self._hidden, self._work, move, (1 << self._count) - 1, low)
        at_once = NODES_A_LOOK if self._arrays is None else NODES_A_CALL
        while True:
            clock.check()
            if most is not None and self.nodes >= most:
                raise OutOfTimeError("there are too many positions")
            self._make_room(at_once)
            value = int(self._search(self._table, self._hidden, self._proofs, self._work, at_once))
            if value != solving.INTERRUPTED:
                return value

    def _make_room(self, more: int) -> None:
        """Keeps so many more positions: compiled in a table that is a quarter full at most, as far as there is room."""
        if self._arrays is None:
            make_room(self._proofs, MOST_KEPT)
            return
        while self._size < _PLACES and 4 * (self._proofs.taken[0] + more) > self._size:
            self._size *= _TIMES
            larger = self._empty()
            self._copy_table(self._proofs, larger)
            self._proofs = larger

    def _empty(self) -> Any:
        return solving.empty_table(self._size, self._arrays.zeros)


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
    # `unseen` is only known where the hidden cards are all that is hidden.
    if searched is None or searched.world.unseen is None or searched.world.seats != 2:
        return None
    if searched.world.unseen > expectimax.MOST_HIDDEN:
        return None
    most = None if rounds is None else rounds * _NODES_A_ROUND
    try:
        return CoreExpectimax(view, searched).values(clock, most, of_all=of_all)
    except OutOfTimeError:
        return None
