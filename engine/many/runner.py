"""The one way to many games: ranges of their numbers, played here, by processes of this machine, or by a cluster."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from types import FrameType, ModuleType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ccgrid.catalog.runtime import install_command
from ccgrid.engine.errors import ContradictionError, EngineError

Result = TypeVar("Result")
Play = Callable[[Any, range], Result]
"""Plays the games with these numbers at a table; a function of a module, so that other processes find it."""

_SECONDS: Final = 0.25
"""How long a portion takes, about: progress is reported that often, and an interrupt waits no longer."""
_GROWTH: Final = 4
_SPREAD: Final = 2
"""What is left is divided into at least this many portions for each player of them, unless those are too small."""
_SMALLER: Final = 8
"""A portion at the end is no smaller than this part of a usual one: each costs something, however small it is."""


class PortionResult(NamedTuple, Generic[Result]):
    """A portion that was played: the numbers, what came of them, and how many seconds it took."""

    numbers: range
    result: Result
    seconds: float


@dataclass(frozen=True, slots=True)
class Task(Generic[Result]):
    """What is done with every range of numbers; what comes of a number does not depend on the range that it is in.

    Attributes:
        play: plays a range.
        table: what it plays at; other processes, and other machines, are sent it once.
        most: the most numbers in a portion.
        first: how many the first portion has, before it is known how long they take.
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
        """The next portion; with `among` players the last ones are smaller, so that none waits long for the others."""
        size = self._size
        if among > 1:
            # Rounded up: -(-a // b).
            fair = -(-len(self._numbers) // (_SPREAD * among))
            size = min(size, max(fair, size // _SMALLER, 1))
        # Slices of a range are ranges: nothing is copied.
        taken, self._numbers = self._numbers[:size], self._numbers[size:]
        return taken

    def learn_pace(self, numbers: range, seconds: float) -> None:
        """Learns how long a portion took: the next ones are larger or smaller."""
        # Not more than four times as many at once: the first portions also load and compile.
        fitting = int(_SECONDS * len(numbers) / seconds) if seconds > 0 else self._most
        self._size = max(1, min(fitting, _GROWTH * max(self._size, len(numbers)), self._most))


def play_portion(play: Play[Result], table: Any, numbers: range) -> PortionResult[Result]:
    """Plays a portion."""
    start = time.perf_counter()
    result = play(table, numbers)
    return PortionResult(numbers, result, time.perf_counter() - start)


_AHEAD: Final = 2
"""Portions that each process has, or that wait for it: enough to keep it busy."""

_TURN: Final = 0.0005
"""Seconds after which playing lets the threads go on that hand out portions to other processes, which wait for them."""

_table: Any = None
"""In a process that was started to play: what it plays at, sent to it once."""


def play_here(work: Task[Result], portions: Portions) -> Iterator[PortionResult[Result]]:
    """What comes of every portion, one after the other."""
    while portions:
        result = play_portion(work.play, work.table, portions.take())
        portions.learn_pace(result.numbers, result.seconds)
        yield result


def play_all(work: Task[Result], portions: Portions, workers: int) -> Iterator[PortionResult[Result]]:
    """What comes of every portion, in their order, played by `workers` processes.

    This process plays as well: while the others start, and are sent the table, it has begun.

    Raises:
        EngineError: a process died; and whatever playing raises.
    """
    # This process is one of the workers.
    others = min(workers, portions.left) - 1
    if others < 1:
        # Nothing to be gained by starting a process.
        yield from play_here(work, portions)
        return
    pool = ProcessPoolExecutor(others, _start_context(), initializer=_sit_down, initargs=(work.table,))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield from _hand_out(work, portions, pool, others)
    except BrokenExecutor:
        raise EngineError("a process that played games was ended: try again, or with one worker") from None
    finally:
        # Waits for what is being played; portions that wait are dropped.
        pool.shutdown(cancel_futures=True)
        sys.setswitchinterval(usual)


def play_in_threads(work: Task[Result], portions: Portions, workers: int) -> Iterator[PortionResult[Result]]:
    """What comes of every portion, in their order, played by `workers` threads."""
    if workers == 1:
        yield from play_here(work, portions)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[PortionResult[Result]]] = deque()
    try:
        while portions or waiting:
            # Handed out until as many are under way as keep every thread busy.
            while portions and len(waiting) <= _AHEAD * workers:
                waiting.append(pool.submit(play_portion, work.play, work.table, portions.take(workers)))
            result = waiting.popleft().result()
            portions.learn_pace(result.numbers, result.seconds)
            yield result
    finally:
        pool.shutdown(cancel_futures=True)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _start_context() -> BaseContext:
    """How a process is started: as a copy of this one where that is safe, so that it has the cards at once.

    Elsewhere, and where other threads run, which a copy would not have, a new one is started and sent the table.
    """
    # A copy has one thread only: a lock that another thread held would stay locked in it.
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if is_safe else "spawn")


def _hand_out(
    work: Task[Result], portions: Portions, pool: ProcessPoolExecutor, others: int
) -> Iterator[PortionResult[Result]]:
    waiting: deque[Future[PortionResult[Result]]] = deque()
    most = 4 * _AHEAD * (others + 1)
    while portions or waiting:
        # The others first: this process plays a portion itself only while they have enough. Results are handed on in
        # order, so a slow portion holds back those behind it; there are never more than `most` of them.
        while portions and sum(not future.done() for future in waiting) < _AHEAD * others:
            with block_interrupts():
                waiting.append(pool.submit(_play, work.play, portions.take(others + 1)))
        # The others have enough: a portion is played here.
        if portions and len(waiting) < most:
            waiting.append(_future_here(work, portions.take(others + 1)))
        # Results are taken as they come to the front; one that is not done is waited for only where nothing else can be
        # done.
        while waiting and (waiting[0].done() or not portions or len(waiting) >= most):
            result = waiting.popleft().result()
            portions.learn_pace(result.numbers, result.seconds)
            yield result


def _future_here(work: Task[Result], numbers: range) -> "Future[PortionResult[Result]]":
    future: Future[PortionResult[Result]] = Future()
    future.set_result(play_portion(work.play, work.table, numbers))
    return future


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Lets Ctrl-C wait until the block ends, here and in processes that it starts; some systems cannot.

    A terminal sends it to all of them, and a new one ignores it only once it has sat down.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _sit_down(table: Any) -> None:
    global _table
    # Ctrl-C ends this process through the one that started it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):  # what ends the program that started this process ends this one, too
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_outlive_nobody, daemon=True).start()
    _table = table


def _outlive_nobody() -> None:
    """Ends this process when the one that started it is gone, however that ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        # Not `sys.exit`, which would end this thread alone.
        os._exit(1)


def _play(play: Play[Result], numbers: range) -> PortionResult[Result]:
    return play_portion(play, _table, numbers)


_LOOK: Final = 0.3
"""Seconds after which it is known how long the rest would take."""
_WORTH: Final = 1.0
"""Seconds from which further processes save more time than they take to start."""


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

    def run(self, work: Task[Result], numbers: range) -> Iterator[PortionResult[Result]]:
        """What comes of the numbers, portion after portion in their order, each once.

        While its caller is busy with a portion an interrupt from the keyboard waits: `KeyboardInterrupt` comes from
        between two portions, so that what was counted is what was played.

        Raises:
            EngineError: a process died, or the cluster; and whatever playing raises.
            KeyboardInterrupt: somebody wanted it to end.
        """
        with _interrupts_between() as interrupts:
            for portion in self._portions(work, Portions(numbers, work.first, work.most)):
                interrupts.are_held = True
                yield portion
                # Back from the caller: what it was given is counted.
                interrupts.are_held = False
                if interrupts.came:
                    raise KeyboardInterrupt

    def _portions(self, work: Task[Result], portions: Portions) -> Iterator[PortionResult[Result]]:
        if self.cluster is not None:
            yield from _play_on_cluster(work, portions, self.cluster)
        elif work.in_threads:
            yield from play_in_threads(work, portions, self.workers or cores())
        elif self.workers is not None:
            yield from play_all(work, portions, self.workers)
        else:
            yield from _play_as_worth(work, portions)


def _play_as_worth(work: Task[Result], portions: Portions) -> Iterator[PortionResult[Result]]:
    """Plays here, and with further processes where that turns out to take long."""
    seconds, pace = 0.0, 0.0
    for portion in play_here(work, portions):
        yield portion
        seconds += portion.seconds
        # Of the last portion alone: the first ones also load and compile.
        pace = portion.seconds / len(portion.numbers)
        if seconds >= _LOOK:
            break
    yield from play_all(work, portions, cores() if portions.left * pace >= _WORTH else 1)


def _play_on_cluster(work: Task[Result], portions: Portions, address: str) -> Iterator[PortionResult[Result]]:
    results: Iterator[PortionResult[Result]] = _cluster().play_on_cluster(work, portions, address)
    yield from results


def start_workers(address: str, count: int, announce: Callable[[], object]) -> None:
    """Works for a cluster, as `engine.many.cluster` says.

    Raises:
        EngineError: there is no cluster, it has other versions, or it is gone; or the extra is not installed.
        KeyboardInterrupt: somebody wanted it to end.
    """
    _cluster().start_workers(address, count, announce)


def _cluster() -> ModuleType:
    if find_spec("distributed") is None:
        raise EngineError(f"a cluster takes the extra 'cluster': {install_command('cluster')}")
    return import_module("ccgrid.engine.many.cluster")


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
    # Signals can be handled in the main thread only, and not where somebody else already does.
    if not usual or threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
