"""Kernels: quick ways to play many games between computer players, each equal to the readable rules game for game.

The rules are what `engine.games` says; a kernel is what repeats them faster for the games that it fits, with the same
throws of the same dice. It is found by `find_kernel`, and its module is imported when it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from engine.kernels.batch import Batch, Kernel

if TYPE_CHECKING:
    from engine.simulation import Lineup

__all__ = ["KERNELS", "Batch", "Kernel", "find_kernel"]

KERNELS: Final[tuple[str, ...]] = ("engine.kernels.grid",)
"""The modules of the kernels, each with a `KERNEL`; of two that fit a lineup the first is taken."""


def find_kernel(lineup: "Lineup") -> Kernel | None:
    """The kernel that plays this lineup, or nothing where the readable rules alone can.

    >>> from engine.deck_sources import FixedDecks
    >>> from engine.simulation import Lineup
    >>> find_kernel(Lineup("grid", ("random", "somebody"), FixedDecks(()), 1)) is None
    True
    """
    for name in KERNELS:
        kernel: Kernel = import_module(name).KERNEL
        if kernel.fits(lineup):
            return kernel
    return None
