"""Work without Python's collector of cycles, which would look through many rows, or modules, again and again."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Rows hold no cycles, and what is loaded stays: looking for cycles there would only cost time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
