"""Kernels: quick ways to play many games between computer players, each equal to the readable rules game for game.

The rules are what a game's `State` says; a kernel is what repeats them faster for the lineups that it fits, with the
same throws of the same dice. A game hands out its own as its part `kernels`; the module of each is imported when it is
used.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from engine.errors import EngineError
from engine.games import find_game
from engine.kernels.batch import Batch, Kernel, KernelEntry
from engine.kernels.cores import core_kernel
from engine.options import not_known, slower
from engine.tally import Lineup

__all__ = ["Batch", "Kernel", "KernelEntry", "can_compile", "find_kernel"]

_WORTH_COMPILING: Final = 10_000
"""From so many games on it is worth to compile a core."""


def find_kernel(
    lineup: Lineup, games: int | None = None, *, tell: Callable[[str], object] | None = None
) -> Kernel | None:
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
    entries: Sequence[KernelEntry] = game.part("kernels") or ()
    try:
        varied = game.varied(lineup.options)
    except EngineError:  # which is raised where the first game is dealt
        return None
    for entry in entries:
        if unknown := not_known(varied, entry.options):
            if tell:
                tell(slower(unknown))
                tell = None
            continue
        if (games is not None and games < entry.worth) or (entry.loop and not can_compile()):
            continue
        if entry.loop and tell and entry.module not in sys.modules:
            compiler = import_module("engine.kernels.compiled.compiler")
            if not compiler.is_kept(entry.loop):
                tell(compiler.announcement(lineup.game, "some seconds"))
        kernel: Kernel = import_module(entry.module).KERNEL
        if kernel.fits(lineup):
            return kernel
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
    if (games is not None and games < _WORTH_COMPILING) or not can_compile():
        return plain
    quick = core_kernel(core, is_compiled=True)
    if tell and not quick.is_kept():
        compiler = import_module("engine.kernels.compiled.compiler")
        tell(compiler.announcement(lineup.game, "some seconds"))
    return quick


@cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
