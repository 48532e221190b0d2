"""Many throws of the dice at once, in plain Python: the numbers that `Dice` would give one after the other.

SplitMix64 counts up and mixes what it counted, so a row of throws can be mixed side by side: each 64 bits wide in a
lane of 128 bits of one long integer, where a product with a 64-bit number just fits.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from engine.dice import ALL, FIRST, SECOND, SEED_BITS, STEP, mixed

_LANE: Final = 128


class Row:
    """Makes rows of so many throws."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._ones = sum(1 << _LANE * lane for lane in range(count))
        self._kept = self._ones * ALL
        self._steps = sum((lane + 1) * STEP << _LANE * lane for lane in range(count)) & self._kept
        self._unpack = Struct("<" + "Q8x" * count).unpack

    def bits(self, state: int) -> tuple[int, ...]:
        """What `Dice(state).bits()` gives, one after the other."""
        return self._unpack(self._mixed(state))

    def _mixed(self, state: int) -> bytes:
        kept = self._kept
        z = (state * self._ones + self._steps) & kept
        z = ((z ^ z >> 30) & kept) * FIRST & kept
        z = ((z ^ z >> 27) & kept) * SECOND & kept
        return (z ^ z >> 31).to_bytes(self.count * _LANE // 8, "little")


_FORKS: Final = Row(64)


def fork_seeds(seed: int, numbers: range) -> Iterator[int]:
    """The seeds of `Dice(seed).fork(number)` for numbers that follow one another.

    >>> list(fork_seeds(7, range(1, 4)))
    [4722888375107927, 2721426474818910, 8475740553189382]
    """
    before, shift = mixed(seed & ALL), 64 - SEED_BITS
    for start in range(numbers.start, numbers.stop, _FORKS.count):
        row = _FORKS.bits((before + (start - 1) * STEP) & ALL)
        yield from [bits >> shift for bits in row[: numbers.stop - start]]
