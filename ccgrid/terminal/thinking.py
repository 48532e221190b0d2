"""What a person at a terminal is told while something is searched that takes a while."""

import time
from collections.abc import Callable
from typing import Final

from ccgrid.view.output import note
from ccgrid.view.proofs import between

_PATIENCE: Final = 1.0
"""So many seconds a person waits before anything is told, and between two things."""


def tell_bounds() -> Callable[[int, int], None]:
    """What tells a person at a terminal, now and then, between which values a position was proved to be."""
    told = time.perf_counter()

    def tell(low: int, high: int) -> None:
        nonlocal told
        now = time.perf_counter()
        if now - told >= _PATIENCE:
            told = now
            note(f"So far: {between(low, high)}. Ctrl-C ends it here.")

    return tell
