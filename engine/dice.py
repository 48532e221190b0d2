"""Dice: the only randomness of games, one documented stream of numbers that compiled code can throw as well.

The generator is SplitMix64; docs/records.md says exactly how it and every method work, with numbers to compare with.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

Thing = TypeVar("Thing")

ALL: Final = (1 << 64) - 1
STEP: Final = 0x9E3779B97F4A7C15
FIRST: Final = 0xBF58476D1CE4E5B9
SECOND: Final = 0x94D049BB133111EB
"""The numbers that SplitMix64 is made of, for code that throws in its own way."""

_LOW: Final = (1 << 32) - 1

MOST_SIDES: Final = 1 << 32
"""The most that `Dice.below` takes."""

SEED_BITS: Final = 53
"""The bits of a fork's seed: as many as every reader of JSON keeps exactly."""


class Dice:
    """A stream of random numbers that its seed alone decides; of a seed the 64 lowest bits count.

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
        """What the next throws follow from: `Dice(dice.state)` throws what these dice are going to throw."""
        return self._state

    def bits(self) -> int:
        """The next 64 random bits, as a number from 0."""
        self._state = (self._state + STEP) & ALL
        return mix(self._state)

    def below(self, sides: int) -> int:
        """A number from 0 to `sides` - 1, each as likely as the others.

        Raises:
            ValueError: `sides` is not 1 to `MOST_SIDES`.
        """
        # Lemire's way to sides without a division: 32 random bits times `sides`, of which the upper half is the number
        # thrown and the lower half says whether it must be thrown again.
        self._state = z = (self._state + STEP) & ALL
        z = ((z ^ z >> 30) * FIRST) & ALL
        z = ((z ^ z >> 27) * SECOND) & ALL
        product = ((z ^ z >> 31) >> 32) * sides
        # Nearly always the lower half is so large that nothing needs to be thrown again; also `sides` is checked there.
        return product >> 32 if product & _LOW >= sides > 0 else self._throw_again(product, sides)

    def permutation(self, count: int) -> list[int]:
        """The numbers from 0 to `count` - 1 in random order, each order as likely as the others."""
        # Fisher and Yates from the front: each place gets one of those that are left. The last one needs no throw.
        numbers = list(range(count))
        state, everything, step, first, second, low = self._state, ALL, STEP, FIRST, SECOND, _LOW
        for place in range(count - 1):  # `below`, written out: dealing is half of what a short game takes
            sides = count - place
            state = z = (state + step) & everything
            z = ((z ^ z >> 30) * first) & everything
            z = ((z ^ z >> 27) * second) & everything
            product = ((z ^ z >> 31) >> 32) * sides
            if product & low < sides:
                self._state = state
                other = place + self._throw_again(product, sides)
                state = self._state
            else:
                other = place + (product >> 32)
            numbers[place], numbers[other] = numbers[other], numbers[place]
        self._state = state
        return numbers

    def sample(self, size: int, count: int) -> list[int]:
        """`count` different numbers from 0 to `size` - 1 in random order: the first ones of `permutation(size)`.

        Raises:
            ValueError: there are fewer.
        """
        if not 0 <= count <= size:
            raise ValueError(f"cannot take {count} of {size} different numbers")
        moved: dict[int, int] = {}
        numbers = []
        for place in range(count):
            # No throw for the last place, as in `permutation`.
            other = place + self.below(size - place) if place < size - 1 else place
            numbers.append(moved.get(other, other))
            # Only the places that were swapped are kept: of a million, five cards need five.
            moved[other] = moved.get(place, place)
        return numbers

    def choose(self, things: Sequence[Thing]) -> Thing:
        """One of the things, each as likely as the others; `ValueError` where there is none."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[Thing]) -> list[Thing]:
        """The things in random order, each order as likely as the others."""
        return [things[place] for place in self.permutation(len(things))]

    def fork(self, number: int) -> "Dice":
        """Other dice, which the seed of these and the number decide, not what was thrown before.

        Game number n under a master seed s is played with `Dice(s).fork(n)`.
        """
        # Mixed, moved on and mixed again, so that forks of neighbouring seeds have nothing to do with each other.
        return Dice(mix((mix(self.seed) + number * STEP) & ALL) >> 64 - SEED_BITS)

    def _throw_again(self, product: int, sides: int) -> int:
        if not 1 <= sides <= MOST_SIDES:
            raise ValueError(f"dice have 1 to {MOST_SIDES} sides, not {sides}")
        # Lemire: lower halves under this would make some sides likelier than others.
        unfair = MOST_SIDES % sides
        while product & _LOW < unfair:
            product = (self.bits() >> 32) * sides
        return product >> 32


def mix(z: int) -> int:
    """SplitMix64's last step: 64 bits made of the state, which are the dice's `bits`."""
    z = ((z ^ z >> 30) * FIRST) & ALL
    z = ((z ^ z >> 27) * SECOND) & ALL
    return z ^ z >> 31


def fork_seeds(seed: int, numbers: range) -> list[int]:
    """The seeds of `Dice(seed).fork(number)` for several numbers.

    >>> fork_seeds(7, range(1, 4))
    [4722888375107927, 2721426474818910, 8475740553189382]
    """
    # The first half of `fork`, which is the same for all of them.
    before = mix(seed & ALL)
    return [mix((before + number * STEP) & ALL) >> 64 - SEED_BITS for number in numbers]
