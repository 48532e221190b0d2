"""Limits on the size and the reading time of files with cards."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from ccgrid.catalog.errors import CatalogError

LARGEST_UNPACKED: Final = 32 << 30
"""The most that a compressed file may unpack to, in bytes."""
STEEPEST: Final = 200
"""The steepest compression that is believed; card data has about 10 to 1, a gzip bomb 1000 to 1."""
ALWAYS_UNPACKED: Final = 4 << 20
"""What an input may unpack to however steep it is, in bytes."""
MOST_BLANK: Final = 100_000
"""The most lines in a row that may hold nothing."""
QUIET_SECONDS: Final = 5.0
"""The processor time that may pass without a row, whatever the size of the file."""
QUIET_BYTES: Final = 1 << 20
"""Bytes of the file that give a second more: a look at a whole large file takes its time."""

Report = Callable[[int, int], None]
"""Receives the bytes that were read, and their total."""
Row = TypeVar("Row")


class Allowance:
    """What one input may unpack to, counted over all of its members and layers together.

    A member that is read again counts once. `packed` is the size of the outermost file in bytes, as far as it is
    known; `inside` says that what is read now was taken out of that file, and has no say in its size.
    """

    def __init__(self, name: str, packed: int = 0) -> None:
        self.name, self.packed, self.inside = name, packed, False
        self._furthest: dict[str, int] = {}
        self._total = 0

    def take(self, member: str, count: int) -> None:
        """Notes that `count` bytes of a member are unpacked; raises CatalogError where all together are too many."""
        more = count - self._furthest.get(member, 0)
        if more <= 0:
            return
        self._furthest[member] = count
        self._total += more
        steep = self._total > ALWAYS_UNPACKED and self._total > STEEPEST * self.packed
        if steep or self._total > LARGEST_UNPACKED:
            raise CatalogError(f"{self.name}: stopped, it unpacks to far more than card data. Is it the right file?")


class RowWatch:
    """Stops the reading of an input in which no row comes, however busy its bytes keep us.

    `report` is to be used in place of the report that was given, which it calls; `clock` gives seconds of processor
    time.
    """

    def __init__(self, name: str, report: Report | None = None, clock: Callable[[], float] = time.process_time) -> None:
        self._name, self._report, self._clock = name, report, clock
        self._since, self._met = clock(), False

    def report(self, done: int, total: int) -> None:
        """Raises CatalogError where too much time has passed since the last row."""
        if self._met:
            self._since, self._met = self._clock(), False
        elif self._clock() - self._since > QUIET_SECONDS + total / QUIET_BYTES:
            raise CatalogError(f"{self._name}: stopped, it is endless and has no card. Is it the right file?")
        if self._report is not None:
            self._report(done, total)

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows, each of which starts the time anew."""
        for row in rows:
            self._met = True
            yield row


def check_blank_length(name: str, blank: int) -> None:
    """Raises CatalogError where `blank` empty lines in a row are too many."""
    if blank > MOST_BLANK:
        raise CatalogError(f"{name}: over {MOST_BLANK} lines in a row are empty. Is it the right file?")
