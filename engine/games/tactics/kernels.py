"""What plays many games of tactics faster than the readable rules."""

from typing import Final

from engine.kernels.batch import KernelEntry

KERNELS: Final = (
    KernelEntry("engine.games.tactics.compiled.kernel", 10_000, "engine.games.tactics.compiled.loop.play"),
)
