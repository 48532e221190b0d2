"""What plays many games of matrix faster than the readable rules."""

from typing import Final

from engine.kernels.batch import KernelEntry

KNOWN: Final = ("rotate",)

KERNELS: Final = (
    KernelEntry("engine.games.matrix.compiled.kernel", 10_000, "engine.games.matrix.compiled.loop.play", KNOWN),
)
