"""The random number generator of all games: one documented stream that compiled code can reproduce.

It is SplitMix64. docs/records.md specifies the generator and every method exactly, with test values.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

Thing = TypeVar("Thing")

ALL: Final = (1 << 64) - 1
STEP: Final = 0x9E3779B97F4A7C15
FIRST: Final = 0xBF58476D1CE4E5B9
SECOND: Final = 0x94D049BB133111EB
"""The constants of SplitMix64, for other implementations of the stream."""

_LOW_32_BITS: Final = (1 << 32) - 1

MAX_SIDES: Final = 1 << 32
"""The largest argument of `Dice.below`."""

SEED_BITS: Final = 53
"""The number of bits in a fork's seed: integers of this size are exact in every JSON reader."""


class Dice:
    """A random number generator determined by its seed, of which the 64 lowest bits count.

    >>> Dice(1234567).bits()
    6457827717110365317
    """

    __slots__ = ("_state", "seed")

    seed: int

    def __init__(self, seed: int) -> None:
        self.seed = self._state = seed & ALL

    def __repr__(self) -> str:
        return f"Dice({self.seed})"

    @property
    def state(self) -> int:
        """The internal state: `Dice(dice.state)` continues the same stream."""
        return self._state

    def bits(self) -> int:
        """Return the next 64 random bits as an integer from 0."""
        self._state = (self._state + STEP) & ALL
        return mix(self._state)

    def below(self, sides: int) -> int:
        """Return a uniformly random integer from 0 to `sides` - 1.

        Raises:
            ValueError: If `sides` is not 1 to `MAX_SIDES`.
        """
        # Lemire's method without a division: multiply 32 random bits by `sides`; the upper half is the result, and the
        # lower half tells whether it must be drawn again.
        self._state = z = (self._state + STEP) & ALL
        z = ((z ^ z >> 30) * FIRST) & ALL
        z = ((z ^ z >> 27) * SECOND) & ALL
        product = ((z ^ z >> 31) >> 32) * sides
        # The lower half is nearly always large enough; `_draw_again` also validates `sides`.
        return product >> 32 if product & _LOW_32_BITS >= sides > 0 else self._draw_again(product, sides)

    def permutation(self, count: int) -> list[int]:
        """Return the integers from 0 to `count` - 1 in uniformly random order."""
        # Fisher-Yates shuffle from the front: swap each position with a random later one. The last needs no draw.
        numbers = list(range(count))
        state, everything, step, first, second, low = self._state, ALL, STEP, FIRST, SECOND, _LOW_32_BITS
        for place in range(count - 1):  # `below`, inlined: dealing takes half the time of a short game
            sides = count - place
            state = z = (state + step) & everything
            z = ((z ^ z >> 30) * first) & everything
            z = ((z ^ z >> 27) * second) & everything
            product = ((z ^ z >> 31) >> 32) * sides
            if product & low < sides:
                self._state = state
                other = place + self._draw_again(product, sides)
                state = self._state
            else:
                other = place + (product >> 32)
            numbers[place], numbers[other] = numbers[other], numbers[place]
        self._state = state
        return numbers

    def sample(self, size: int, count: int) -> list[int]:
        """Return `count` different integers from 0 to `size` - 1 in random order, the first of `permutation(size)`.

        Raises:
            ValueError: If `count` is negative or exceeds `size`.
        """
        if not 0 <= count <= size:
            raise ValueError(f"cannot take {count} of {size} different numbers")
        moved: dict[int, int] = {}
        numbers = []
        for place in range(count):
            # No draw for the last position, as in `permutation`.
            other = place + self.below(size - place) if place < size - 1 else place
            numbers.append(moved.get(other, other))
            # Store swapped positions only: drawing five of a million numbers needs five entries.
            moved[other] = moved.get(place, place)
        return numbers

    def choose(self, things: Sequence[Thing]) -> Thing:
        """Return a uniformly random element.

        Raises:
            ValueError: If `things` is empty.
        """
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """Return the elements in uniformly random order."""
        return [things[place] for place in self.permutation(len(things))]

    def fork(self, number: int) -> "Dice":
        """Return a new generator, determined by this generator's seed and a number, not by previous draws.

        Game number n under a master seed s is played with `Dice(s).fork(n)`.
        """
        # Mix before and after adding, so that forks of neighbouring seeds are unrelated.
        return Dice(mix((mix(self.seed) + number * STEP) & ALL) >> 64 - SEED_BITS)

    def _draw_again(self, product: int, sides: int) -> int:
        if not 1 <= sides <= MAX_SIDES:
            raise ValueError(f"dice have 1 to {MAX_SIDES} sides, not {sides}")
        # Lemire's threshold: accepting lower halves below it would favour some results.
        unfair = MAX_SIDES % sides
        while product & _LOW_32_BITS < unfair:
            product = (self.bits() >> 32) * sides
        return product >> 32


def mix(z: int) -> int:
    """Return SplitMix64's output for a state: 64 bits."""
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    return z ^ z >> 31


def fork_seeds(seed: int, numbers: range) -> list[int]:
    """Return the seeds of `Dice(seed).fork(number)` for several numbers.

    >>> fork_seeds(7, range(1, 4))
    [4722888375107927, 2721426474818910, 8475740553189382]
    """
    # The first half of `fork` is the same for all numbers.
    before = mix(seed & ALL)
    return [mix((before + number * STEP) & ALL) >> 64 - SEED_BITS for number in numbers]
