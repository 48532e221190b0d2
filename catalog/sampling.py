"""What cards are drawn with: whoever draws passes in the randomness."""

from collections.abc import Sequence
from typing import Protocol


class Sampler(Protocol):
    """A source of random numbers, such as the dice of games."""

    def sample(self, size: int, count: int, /) -> Sequence[int]:
        """So many different numbers from 0 to `size` - 1 in random order."""
