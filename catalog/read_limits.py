"""Limits on the size and the reading time of files with cards."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from ccgrid.catalog.errors import FileFormatError

LARGEST_UNPACKED: Final = 32 << 30
"""The largest unpacked size of a compressed file, in bytes."""
STEEPEST: Final = 200
"""The highest compression ratio that is accepted; card data has about 10 to 1, a gzip bomb 1000 to 1."""
ALWAYS_UNPACKED: Final = 4 << 20
"""The unpacked size that is accepted at any ratio, in bytes."""
MOST_BLANK: Final = 100_000
"""The most empty lines in a row."""
QUIET_SECONDS: Final = 5.0
"""Processor time allowed without a row, for a file of any size."""
QUIET_BYTES: Final = 1 << 20
"""Bytes of the file for which one more second is allowed, since a large file takes longer to search."""

Report = Callable[[int, int], None]
"""Receives the number of bytes read, and their total."""
Row = TypeVar("Row")


class Allowance:
    """The unpacked size allowed for an input, over all of its members and layers together.

    A member that is read again counts once. `packed` is the size of the outermost file in bytes, if known; while
    `inside` is true, the file being read was taken out of that file and does not change its size.
    """

    def __init__(self, name: str, packed: int = 0) -> None:
        self.name, self.packed, self.inside = name, packed, False
        self._furthest: dict[str, int] = {}
        self._total = 0

    def take(self, member: str, count: int) -> None:
        """Count `count` unpacked bytes of a member.

        Raises:
            CatalogError: If the total is too large.
        """
        more = count - self._furthest.get(member, 0)
        if more <= 0:
            return
        self._furthest[member] = count
        self._total += more
        steep = self._total > ALWAYS_UNPACKED and self._total > STEEPEST * self.packed
        if steep or self._total > LARGEST_UNPACKED:
            raise FileFormatError(
                "stopped, it unpacks to far more than card data. Is it the right file?", file=self.name
            )


class RowWatch:
    """Stops reading an input that yields no rows although bytes keep coming.

    Its `report` replaces the given one, which it calls; `clock` returns processor time in seconds.
    """

    def __init__(self, name: str, report: Report | None = None, clock: Callable[[], float] = time.process_time) -> None:
        self._name, self._report, self._clock = name, report, clock
        self._since, self._met = clock(), False

    def report(self, done: int, total: int) -> None:
        """Report progress.

        Raises:
            CatalogError: If too much time has passed since the last row.
        """
        if self._met:
            self._since, self._met = self._clock(), False
        elif self._clock() - self._since > QUIET_SECONDS + total / QUIET_BYTES:
            raise FileFormatError(
                "no card found within the time limit; reading stopped. Is this the right file?", file=self._name
            )
        if self._report is not None:
            self._report(done, total)

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the same rows; each restarts the time."""
        for row in rows:
            self._met = True
            yield row


def check_blank_length(name: str, blank: int) -> None:
    """Raise CatalogError if there are too many empty lines in a row."""
    if blank > MOST_BLANK:
        raise FileFormatError(f"over {MOST_BLANK} lines in a row are empty. Is it the right file?", file=name)
