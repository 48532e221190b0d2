"""The one way to many games: ranges of their numbers, played here, by processes of this machine, or by a cluster."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import FrameType, ModuleType
from typing import Final

from engine.errors import ContradictionError, EngineError
from engine.many.portions import Played, Portions, Result, Work
from engine.many.workers import cores, play_all, play_here, play_in_threads

_LOOK: Final = 0.3
"""After so many seconds it is known how long the rest would take."""
_WORTH: Final = 1.0
"""From so many seconds on, the time that further processes save is more than the time that they take to start."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Where games are played; what comes of them is the same everywhere.

    Attributes:
        workers: the number of processes, or of threads where those do; `None` for as many cores as are worth it.
        cluster: the address of a Dask cluster that is there already, `tcp://host:8786`.
    """

    workers: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise EngineError(f"the number of workers is at least 1, not {self.workers}")
        if self.workers is not None and self.cluster is not None:
            raise ContradictionError("a cluster has its own workers: leave out either the cluster or their number")

    def run(self, work: Work[Result], numbers: range) -> Iterator[Played[Result]]:
        """What comes of the numbers, portion after portion in their order, each once.

        While its caller is busy with a portion an interrupt from the keyboard waits: `KeyboardInterrupt` comes from
        between two portions, so that what was counted is what was played.

        Raises:
            EngineError: a process died, or the cluster; and whatever playing raises.
            KeyboardInterrupt: somebody wanted it to end.
        """
        with _interrupts_between() as interrupts:
            for played in self._played(work, Portions(numbers, work.first, work.most)):
                interrupts.are_held = True
                yield played
                interrupts.are_held = False
                if interrupts.came:
                    raise KeyboardInterrupt

    def _played(self, work: Work[Result], portions: Portions) -> Iterator[Played[Result]]:
        if self.cluster is not None:
            yield from _play_on_cluster(work, portions, self.cluster)
        elif work.in_threads:
            yield from play_in_threads(work, portions, self.workers or cores())
        elif self.workers is not None:
            yield from play_all(work, portions, self.workers)
        else:
            yield from _play_as_worth(work, portions)


def _play_as_worth(work: Work[Result], portions: Portions) -> Iterator[Played[Result]]:
    """Plays here, and with further processes where that turns out to take long."""
    seconds, pace = 0.0, 0.0
    for played in play_here(work, portions):
        yield played
        seconds += played.seconds
        pace = played.seconds / len(played.numbers)
        if seconds >= _LOOK:
            break
    yield from play_all(work, portions, cores() if portions.left * pace >= _WORTH else 1)


def _play_on_cluster(work: Work[Result], portions: Portions, address: str) -> Iterator[Played[Result]]:
    played: Iterator[Played[Result]] = _cluster().play_on_cluster(work, portions, address)
    yield from played


def start_workers(address: str, count: int, announce: Callable[[], object]) -> None:
    """Works for a cluster, as `engine.many.cluster` says.

    Raises:
        EngineError: there is no cluster, it has other versions, or it is gone; or the extra is not installed.
        KeyboardInterrupt: somebody wanted it to end.
    """
    _cluster().start_workers(address, count, announce)


def _cluster() -> ModuleType:
    if find_spec("distributed") is None:
        raise EngineError("a cluster takes the extra 'cluster': pip install 'ccgrid[cluster]'")
    return import_module("engine.many.cluster")


@dataclass(slots=True)
class _Interrupts:
    are_held: bool = False
    came: bool = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not self.are_held or self.came:  # who insists does not wait
            raise KeyboardInterrupt
        self.came = True


@contextmanager
def _interrupts_between() -> Iterator[_Interrupts]:
    """Takes the keyboard's interrupts as long as the block runs, where Python would raise `KeyboardInterrupt`."""
    interrupts = _Interrupts()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
