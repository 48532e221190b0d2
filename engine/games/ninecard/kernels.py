"""What plays many games of ninecard faster than the readable rules."""

from typing import Final

from engine.kernels.batch import KernelEntry

KNOWN: Final = ("life", "facedown", "one_creature", "limit", "opening")

KERNELS: Final = (
    KernelEntry("engine.games.ninecard.compiled.kernel", 2_000, "engine.games.ninecard.compiled.loop.play", KNOWN),
)
