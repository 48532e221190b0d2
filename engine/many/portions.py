"""Numbers divided into portions that are played one after the other, small ones where playing takes long."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

Result = TypeVar("Result")
Play = Callable[[Any, range], Result]
"""Plays the games with these numbers at a table; a function of a module, so that other processes find it."""

_SECONDS: Final = 0.25
"""A portion takes about so long, so that progress is told, and an end called for comes, soon."""
_GROWTH: Final = 4
_SPREAD: Final = 2
"""Each of those who play has so many portions of what is left at least, but for portions that are too small."""
_SMALLER: Final = 8
"""A portion at the end is no smaller than this part of a usual one: each costs something, however small it is."""


class Played(NamedTuple, Generic[Result]):
    """A portion that was played: the numbers, what came of them, and how many seconds it took."""

    numbers: range
    result: Result
    seconds: float


@dataclass(frozen=True, slots=True)
class Work(Generic[Result]):
    """What is done with every range of numbers; what comes of a number does not depend on the range that it is in.

    Attributes:
        play: plays a range.
        table: what it plays at; other processes, and other machines, are sent it once.
        most: so many numbers at once at most.
        first: so many the first time, before it is known how long they take.
        in_threads: whether playing lets other threads play.
    """

    play: Play[Result]
    table: Any
    most: int
    first: int = 1
    in_threads: bool = False


class Portions:
    """Hands out numbers in portions, which follow one another."""

    def __init__(self, numbers: range, first: int, most: int) -> None:
        self._numbers = numbers
        self._most = most
        self._size = max(1, min(first, most))

    def __bool__(self) -> bool:
        return bool(self._numbers)

    @property
    def left(self) -> int:
        """How many numbers are not handed out yet."""
        return len(self._numbers)

    def take(self, among: int = 1) -> range:
        """The next portion; where so many play, the last ones are smaller, so that none waits long for the others."""
        size = self._size
        if among > 1:
            fair = -(-len(self._numbers) // (_SPREAD * among))
            size = min(size, max(fair, size // _SMALLER, 1))
        taken, self._numbers = self._numbers[:size], self._numbers[size:]
        return taken

    def took(self, numbers: range, seconds: float) -> None:
        """Learns how long a portion took: the next ones are larger or smaller."""
        fitting = int(_SECONDS * len(numbers) / seconds) if seconds > 0 else self._most
        self._size = max(1, min(fitting, _GROWTH * max(self._size, len(numbers)), self._most))


def played(play: Play[Result], table: Any, numbers: range) -> Played[Result]:
    """Plays a portion."""
    start = time.perf_counter()
    result = play(table, numbers)
    return Played(numbers, result, time.perf_counter() - start)
