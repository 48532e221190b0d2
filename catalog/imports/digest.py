"""The SHA-256 of a large file, worked out in a thread while its rows are read: hashing leaves Python to others."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Final

WORTH_A_THREAD: Final = 4 << 20
"""The size of a file, in bytes, from which on a thread saves more than it costs."""
_PIECE: Final = 4 << 20
"""Bytes that are hashed at a time: between two pieces the thread waits until Python is free."""


@contextmanager
def hashed_beside(path: Path) -> Iterator[Callable[[], str | None]]:
    """Begins to hash a file; what it gives waits for the end and is the SHA-256, or None where it cannot be read."""
    found: list[str] = []
    stopped = False

    def work() -> None:
        digest, piece = hashlib.sha256(), memoryview(bytearray(_PIECE))
        with suppress(OSError), path.open("rb", buffering=0) as file:  # whoever reads the rows says what is wrong
            while count := file.readinto(piece):
                digest.update(piece[:count])
                if stopped:
                    return
            found.append(digest.hexdigest())

    thread = Thread(target=work, daemon=True)
    thread.start()

    def result() -> str | None:
        thread.join()
        return found[0] if found else None

    try:
        yield result
    finally:
        stopped = True
        thread.join()
