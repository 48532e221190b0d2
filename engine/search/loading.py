"""Which searches are compiled, and when what is compiled is loaded: never so that a move comes too late."""

import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

from engine.games import find_game
from engine.options import not_known
from engine.rows.rounds import play_rounds
from engine.rows.solving import search
from engine.search.contract import GameSearch
from engine.search.proving import Clock

_WORTH_LOADING: Final = 50
_WORTH_COMPILING: Final = 500
"""For so many rounds a move it is worth to load what was compiled, about a second, or to compile it, some twenty."""

_NODES_WORTH_LOADING: Final = 100_000
_NODES_WORTH_COMPILING: Final = 400_000
"""For a proof it is worth that after so many positions in plain Python, which take a second, or some."""

_TO_LOAD: Final = 3.0
"""With so many seconds for a move there is time to load what was compiled."""


def search_of(game: str, varied: Mapping[str, object] | None = None) -> GameSearch:
    """How a game is searched otherwise than by its core, played by these options, those that are not as usual."""
    search: GameSearch = find_game(game).part("search") or GameSearch()
    return GameSearch() if not_known(varied or {}, search.options) else search


def searched_core(game: str, varied: Mapping[str, object] | None = None) -> ModuleType | None:
    """The core of a game that has one to search by, which says what a seat's `World` is, and knows these options."""
    core: Any = find_game(game).core
    return core if hasattr(core, "world") and not not_known(varied or {}, core.OPTIONS) else None


def solved_core(game: str) -> ModuleType | None:
    """The core of a game that has one to prove positions by."""
    core: Any = find_game(game).core
    return core if hasattr(core, "position") else None


def compiled_search(game: str, rounds: int | None, clock: Clock) -> ModuleType | None:
    """The compiled search of a game, or its core, if that is compiled, or there is reason to and time for it."""
    if _is_loaded(game):
        return _load(game)
    if not _has_compiled(game) or not _can_compile():
        return None
    if clock.end is not None:
        has_time = clock.end - time.perf_counter() > _TO_LOAD
        return _load(game) if has_time and _is_kept(game) else None
    if rounds is None or rounds < _WORTH_LOADING:
        return None
    return _load(game) if rounds >= _WORTH_COMPILING or _is_kept(game) else None


def prepare(
    game: str,
    rounds: int | None = None,
    tell: Callable[[str], object] | None = None,
    varied: Mapping[str, object] | None = None,
) -> None:
    """Loads the compiled search of a game, or compiles it, before anybody waits for a move.

    Args:
        game: its name; without a compiled search nothing is done.
        rounds: how many are played for a move, if not as many as there is time for: for few nothing is loaded.
        tell: is given a sentence before something is compiled, which takes a while.
        varied: the options that are not as usual.
    """
    if not _has_compiled(game, varied) or _is_loaded(game) or not _can_compile():
        return
    if rounds is None or rounds >= _WORTH_COMPILING:
        if tell is not None and not _is_kept(game):
            tell(_compiler().announcement(f"the search of {game}", "half a minute"))
        _load(game)


def has_time_to_load(module: str, function: str, clock: Clock) -> bool:
    """Whether a module is loaded, or can be in this time: its function of this name was compiled before."""
    if clock.end is None or module in sys.modules:
        return True
    return clock.end - time.perf_counter() > _TO_LOAD and _was_compiled(function)


def _has_compiled(game: str, varied: Mapping[str, object] | None = None) -> bool:
    return bool(search_of(game, varied).compiled) or searched_core(game, varied) is not None


def solves_compiled(core: ModuleType, nodes: int, clock: Clock) -> bool:
    """Whether the compiled search of a core goes on where so many positions were looked at in plain Python."""
    if not _can_compile():
        return False
    compiling: Any = sys.modules.get("engine.rows.compiling")
    if compiling is not None and compiling.is_loaded(search, core):
        return True
    if nodes < _NODES_WORTH_LOADING or (clock.end is not None and clock.end - time.perf_counter() < _TO_LOAD):
        return False
    compiling = import_module("engine.rows.compiling")
    return compiling.is_kept(search, core) or (clock.end is None and nodes > _NODES_WORTH_COMPILING)


def _load(game: str) -> ModuleType:
    if module := search_of(game).compiled:
        return import_module(module)
    core: Any = searched_core(game)
    _compiling().compiled(play_rounds, core)
    loaded: ModuleType = core
    return loaded


def _is_loaded(game: str) -> bool:
    if module := search_of(game).compiled:
        return module in sys.modules
    compiling: Any = sys.modules.get("engine.rows.compiling")
    return compiling is not None and compiling.is_loaded(play_rounds, searched_core(game))


def _is_kept(game: str) -> bool:
    if function := search_of(game).slowest:
        return _was_compiled(function)
    kept: bool = _compiling().is_kept(play_rounds, searched_core(game))
    return kept


def _was_compiled(function: str) -> bool:
    kept: bool = _compiler().is_kept(function)
    return kept


def _compiling() -> Any:
    return import_module("engine.rows.compiling")


def _compiler() -> Any:
    return import_module("engine.kernels.compiled.compiler")


@cache
def _can_compile() -> bool:
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
