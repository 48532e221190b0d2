"""Files that a running program holds: the system gives a hold back when the program ends, however it does."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":

    def hold(descriptor: int) -> bool:
        """Takes an open file for this program; no such thing here, so that nobody ever has it."""
        return False

else:
    import fcntl

    def hold(descriptor: int) -> bool:
        """Takes an open file for this program until it is closed; false where another has it, or nobody can know."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def held(path: Path) -> Iterator[None]:
    """While the block runs, a new file is held by this program; raises OSError where it is there or cannot be made."""
    with path.open("xb") as file:
        if not hold(file.fileno()):
            file.close()  # what is open cannot be renamed everywhere
        yield
