"""Which searches are compiled, and when what is compiled is loaded: never so that a move comes too late."""

import sys
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from engine.games import find_game
from engine.search.contract import GameSearch
from engine.search.proving import Clock

_WORTH_LOADING: Final = 50
_WORTH_COMPILING: Final = 500
"""For so many rounds a move it is worth to load what was compiled, about a second, or to compile it, some twenty."""

_TO_LOAD: Final = 3.0
"""With so many seconds for a move there is time to load what was compiled."""


def search_of(game: str) -> GameSearch:
    """How a game is searched."""
    return find_game(game).part("search") or GameSearch()


def compiled_search(game: str, rounds: int | None, clock: Clock) -> ModuleType | None:
    """The compiled search of a game, if it is loaded, or there is reason to and time for it."""
    search = search_of(game)
    if search.compiled in sys.modules:
        return sys.modules[search.compiled]
    if not search.compiled or not _can_compile():
        return None
    if clock.end is not None:
        has_time = clock.end - time.perf_counter() > _TO_LOAD
        return import_module(search.compiled) if has_time and _is_kept(search.slowest) else None
    if rounds is None or rounds < _WORTH_LOADING:
        return None
    worth = rounds >= _WORTH_COMPILING or _is_kept(search.slowest)
    return import_module(search.compiled) if worth else None


def prepare(game: str, rounds: int | None = None, tell: Callable[[str], object] | None = None) -> None:
    """Loads the compiled search of a game, or compiles it, before anybody waits for a move.

    Args:
        game: its name; without a compiled search nothing is done.
        rounds: how many are played for a move, if not as many as there is time for: for few nothing is loaded.
        tell: is given a sentence before something is compiled, which takes a while.
    """
    search = search_of(game)
    if not search.compiled or search.compiled in sys.modules or not _can_compile():
        return
    if rounds is None or rounds >= _WORTH_COMPILING:
        if tell is not None and not _is_kept(search.slowest):
            tell(_compiler().announcement(f"the search of {game}", "half a minute"))
        import_module(search.compiled)


def has_time_to_load(module: str, function: str, clock: Clock) -> bool:
    """Whether a module is loaded, or can be in this time: its function of this name was compiled before."""
    if clock.end is None or module in sys.modules:
        return True
    return clock.end - time.perf_counter() > _TO_LOAD and _is_kept(function)


def _is_kept(function: str) -> bool:
    kept: bool = _compiler().is_kept(function)
    return kept


def _compiler() -> Any:
    return import_module("engine.kernels.compiled.compiler")


@cache
def _can_compile() -> bool:
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
