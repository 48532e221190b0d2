"""Many games between computer players, played on the core of their game: as by the readable rules, game for game."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from engine.errors import EngineError
from engine.games import find_game
from engine.kernels.batch import Batch
from engine.kernels.cores import CoreKernel, core_kernel
from engine.options import not_known, slower
from engine.rows.core import WORTH_COMPILING
from engine.tally import Lineup

__all__ = ["Batch", "CoreKernel", "can_compile", "find_kernel"]


def find_kernel(
    lineup: Lineup, games: int | None = None, *, tell: Callable[[str], object] | None = None
) -> CoreKernel | None:
    """The kernel that plays this lineup, or nothing where the readable rules alone can.

    Args:
        lineup: what is played.
        games: how many, if that is known: for few games nothing is loaded or compiled.
        tell: is given a sentence before something is compiled, which takes a while, and where an option is not known.

    >>> from engine.deck_sources import FixedDecks
    >>> from engine.tally import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    game = find_game(lineup.game)
    try:
        varied = game.varied(lineup.options)
    except EngineError:  # which is raised where the first game is dealt
        return None
    core = game.core
    if core is None:
        return None
    if unknown := not_known(varied, core.OPTIONS):
        if tell:
            tell(slower(unknown))
        return None
    plain = core_kernel(core, is_compiled=False)
    if not plain.fits(lineup):
        return None
    worth = getattr(core, "WORTH_COMPILING", WORTH_COMPILING)
    if (games is not None and games < worth) or not can_compile():
        return plain
    quick = core_kernel(core, is_compiled=True)
    if tell and not quick.is_kept():
        compiler = import_module("engine.rows.compiler")
        tell(compiler.announcement(lineup.game, "some seconds"))
    return quick


@cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
