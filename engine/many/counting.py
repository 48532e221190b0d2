"""Counts what comes of many games, wherever they are played: kept in a file, told on the way, ended on request."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from engine.many.portions import Result, Work
from engine.many.runner import Runner
from engine.many.saved_counts import KeptCounts, check_enough


class Addable(Protocol):
    """Counts that others of their kind are added to."""

    def add(self, other: Self) -> None:
        """Adds the counts of other games."""

    def adds_up(self, done: int) -> bool:
        """Whether so many games, matches or deals, all that there are, can have brought these counts."""


Counts = TypeVar("Counts", bound=Addable)


@dataclass(frozen=True, slots=True)
class Counted(Generic[Counts]):
    """What was counted, in how many seconds on the clock, and whether somebody ended it before all was played."""

    counts: Counts
    seconds: float
    is_interrupted: bool


def count_all(
    work: Work[Result],
    wanted: int,
    empty: Counts,
    take: Callable[[Result], Counts],
    *,
    kept: KeptCounts[Counts],
    runner: Runner | None = None,
    progress: Callable[[int], object] | None = None,
    what: str = "games",
) -> Counted[Counts]:
    """Plays the numbers from 1 to `wanted`, but for those whose counts are kept already, and adds all up.

    An interrupt from the keyboard ends it with what was played, unless that is nothing.

    Args:
        work: what is played.
        wanted: how many numbers.
        empty: the counts of nothing, to which is added.
        take: the counts of what came of a portion.
        kept: the file that keeps them.
        runner: where they are played.
        progress: is told now and then how many more are done.
        what: the numbers in a word, for messages.

    Raises:
        EngineError: the file is of other games, or of more; and whatever playing raises.
    """
    done, before, counts = kept.load(empty, type(empty).adds_up) or (0, 0.0, empty)
    check_enough(kept.path, done, wanted, what)
    kept.save(done, before, counts, now=True)  # whether it can be written shows before anything is played
    if progress and done:
        progress(done)
    start, is_interrupted = time.perf_counter(), False
    try:
        for numbers, result, _ in (runner or Runner()).run(work, range(done + 1, wanted + 1)):
            counts.add(take(result))
            done += len(numbers)
            if progress:
                progress(len(numbers))
            kept.save(done, before + time.perf_counter() - start, counts)
    except KeyboardInterrupt:
        if not done:
            raise
        is_interrupted = True
    seconds = before + time.perf_counter() - start
    kept.save(done, seconds, counts, now=True)
    return Counted(counts, seconds, is_interrupted)
