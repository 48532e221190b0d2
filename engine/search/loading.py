"""Which searches are compiled, and when what is compiled is loaded: never so that a move comes too late."""

import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, NamedTuple

from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.options import not_known
from ccgrid.engine.rows import expectimax, solving
from ccgrid.engine.rows.binding import outside
from ccgrid.engine.rows.core import CoreWorld
from ccgrid.engine.rows.rounds import play_rounds
from ccgrid.engine.search.proving import Clock

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
    core = searched_core(view.game, view.varied)
    if core is None:
        return None
    is_compiled = is_search_compiled(core, rounds, clock)
    world: CoreWorld | None = outside(core.world, core, is_compiled=is_compiled)(view)
    return None if world is None else Searched(core, world, is_compiled)


def searches(core: ModuleType) -> list[Callable[..., Any]]:
    """By which functions a core is searched."""
    return [play_rounds, expectimax.begin, expectimax.search] if hasattr(core, "bring_up") else [play_rounds]


def searched_core(game: str, varied: Mapping[str, object] | None = None) -> ModuleType | None:
    """The core of a game that has one to search by, which says what a seat's `World` is, and knows these options."""
    core: Any = find_game(game).core
    return core if hasattr(core, "world") and not not_known(varied or {}, core.OPTIONS) else None


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
        return clock.end - time.perf_counter() > _TO_LOAD and _is_kept(core)
    return rounds is not None and (rounds >= _WORTH_COMPILING or (rounds >= _WORTH_LOADING and _is_kept(core)))


def prepare(
    game: str,
    rounds: int | None = None,
    tell: Callable[[str], object] | None = None,
    varied: Mapping[str, object] | None = None,
) -> None:
    """Loads the compiled search of a game, or compiles it, before anybody waits for a move.

    Args:
        game: its name; without a core that it is searched by nothing is done.
        rounds: how many are played for a move, if not as many as there is time for: for few nothing is loaded.
        tell: is given a sentence before something is compiled, which takes a while.
        varied: the options that are not as usual.
    """
    core = searched_core(game, varied)
    if core is None or _is_loaded(core) or not _can_compile():
        return
    if rounds is None or rounds >= _WORTH_COMPILING:
        if tell is not None and not _is_kept(core):
            tell(_compiling().announcement(f"the search of {game}", "half a minute"))
        for search in searches(core):
            _compiling().compiled(search, core)
        if rounds is None and getattr(core, "IS_OPEN", False):
            _compiling().compiled(solving.search, core)
            _compiling().compiled(solving.move_over, core)


def solves_compiled(search: Callable[..., Any], core: ModuleType, nodes: int, clock: Clock) -> bool:
    """Whether the compiled search of a core goes on where so many positions were looked at in plain Python."""
    if not _can_compile():
        return False
    compiling: Any = sys.modules.get("ccgrid.engine.rows.compiling")
    if compiling is not None and compiling.is_loaded(search, core):
        return True
    if nodes < _NODES_WORTH_LOADING or (clock.end is not None and clock.end - time.perf_counter() < _TO_LOAD):
        return False
    compiling = import_module("ccgrid.engine.rows.compiling")
    return compiling.is_kept(search, core) or (clock.end is None and nodes > _NODES_WORTH_COMPILING)


def _is_loaded(core: ModuleType) -> bool:
    compiling: Any = sys.modules.get("ccgrid.engine.rows.compiling")
    return compiling is not None and all(compiling.is_loaded(search, core) for search in searches(core))


def _is_kept(core: ModuleType) -> bool:
    return all(_compiling().is_kept(search, core) for search in searches(core))


def _compiling() -> Any:
    return import_module("ccgrid.engine.rows.compiling")


@cache
def _can_compile() -> bool:
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
