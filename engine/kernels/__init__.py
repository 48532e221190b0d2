"""Kernels: quick ways to play many games between computer players, each equal to the readable rules game for game.

The rules are what `engine.games` says; a kernel is what repeats them faster for the games that it fits, with the same
throws of the same dice. It is found by `find_kernel`, and its module is imported when it is used.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from engine.kernels.batch import Batch, Kernel
from engine.tally import Lineup

__all__ = ["KERNELS", "Batch", "Kernel", "KernelEntry", "can_compile", "find_kernel"]


@dataclass(frozen=True, slots=True)
class KernelEntry:
    """A kernel in the registry.

    Attributes:
        game: the game that it plays.
        module: where its `KERNEL` is.
        worth: from so many games on it is worth its start.
        is_compiled: whether it takes the extra `fast`; its loop is in the module `NAME_loop`.
    """

    game: str
    module: str
    worth: int = 1
    is_compiled: bool = False


KERNELS: Final[tuple[KernelEntry, ...]] = (
    KernelEntry("grid", "engine.kernels.compiled.grid", 30_000, is_compiled=True),
    KernelEntry("grid", "engine.kernels.grid"),
    KernelEntry("matrix", "engine.kernels.compiled.matrix", 10_000, is_compiled=True),
    KernelEntry("ninecard", "engine.kernels.compiled.ninecard", 2_000, is_compiled=True),
    KernelEntry("tactics", "engine.kernels.compiled.tactics", 10_000, is_compiled=True),
)
"""Of several that fit a lineup the first is taken."""


def find_kernel(
    lineup: Lineup, games: int | None = None, *, tell: Callable[[str], object] | None = None
) -> Kernel | None:
    """The kernel that plays this lineup, or nothing where the readable rules alone can.

    Args:
        lineup: what is played.
        games: how many, if that is known: for few games nothing is loaded or compiled.
        tell: is given a sentence before something is compiled, which takes a while.

    >>> from engine.deck_sources import FixedDecks
    >>> from engine.tally import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    for entry in KERNELS:
        if entry.game != lineup.game or (games is not None and games < entry.worth):
            continue
        if entry.is_compiled and not can_compile():
            continue
        if entry.is_compiled and tell and not import_module("engine.kernels.compiled.compiler").is_kept(entry.module):
            tell(f"Compiling {entry.game}, once for all: that takes some seconds.")
        kernel: Kernel = import_module(entry.module).KERNEL
        if kernel.fits(lineup):
            return kernel
    return None


@cache
def can_compile() -> bool:
    """Whether the extra `fast` is installed."""
    return all(find_spec(name) is not None for name in ("numba", "numpy"))
