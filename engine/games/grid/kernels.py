"""What plays many games of grid faster than the readable rules."""

from typing import Final

from engine.kernels.batch import KernelEntry

KNOWN: Final = ("komi", "order", "empty-pile")

KERNELS: Final = (
    KernelEntry("engine.games.grid.compiled.kernel", 30_000, "engine.games.grid.compiled.loop.play", KNOWN),
    KernelEntry("engine.games.grid.plain_kernel", options=KNOWN),
)
