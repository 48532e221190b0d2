"""Runs ranges of game numbers in this process, in worker processes or threads, or on a cluster."""

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

from ccgrid.catalog.extras import install_command
from ccgrid.catalog.plugins import remember_culprit
from ccgrid.engine.errors import ContradictionError, EngineError

Result = TypeVar("Result")
Play = Callable[[Any, range], Result]
"""Plays the games with these numbers at a table, that of its task. It must be a picklable, module-level function."""

_CHUNK_SECONDS: Final = 0.25
"""The target duration of a chunk: it determines how often progress is reported and how long an interrupt may wait."""
_MAX_GROWTH: Final = 4
_LAST_CHUNKS_PER_WORKER: Final = 2
"""The remaining numbers are divided into at least this many chunks per worker, unless these would be too small."""
_MAX_SHRINK: Final = 8
"""The last chunks are at least this fraction (1/8) of the usual size, because each chunk has a fixed cost."""


class ChunkResult(NamedTuple, Generic[Result]):
    """The result of a chunk: its numbers, its result, and its duration in seconds."""

    numbers: range
    result: Result
    seconds: float


@dataclass(frozen=True, slots=True)
class Task(Generic[Result]):
    """A computation on ranges of numbers. The result for a number must not depend on the range.

    Attributes:
        play: Plays a range.
        table: The shared input; it is sent once to each worker process or machine.
        most: The maximum number of numbers in a chunk.
        first: The size of the first chunk, before the speed is known.
        in_threads: Whether `play` releases the GIL, so that threads suffice.
    """

    play: Play[Result]
    table: object
    most: int
    first: int = 1
    in_threads: bool = False


class Chunks:
    """Divides a range of numbers into consecutive chunks."""

    def __init__(self, numbers: range, first: int, most: int) -> None:
        self._numbers = numbers
        self._most = most
        self._size = max(1, min(first, most))

    def __bool__(self) -> bool:
        return bool(self._numbers)

    @property
    def left(self) -> int:
        """The number of remaining numbers."""
        return len(self._numbers)

    def take(self, among: int = 1) -> range:
        """Return the next chunk; for several workers (`among`) the last ones are smaller, so that all end together."""
        size = self._size
        if among > 1:
            # Ceiling division: -(-a // b).
            fair = -(-len(self._numbers) // (_LAST_CHUNKS_PER_WORKER * among))
            size = min(size, max(fair, size // _MAX_SHRINK, 1))
        # Slices of a range are ranges; nothing is copied.
        taken, self._numbers = self._numbers[:size], self._numbers[size:]
        return taken

    def adapt_size(self, numbers: range, seconds: float) -> None:
        """Adapt the size of the next chunks to the duration of one."""
        # At most four times the previous size, because the first chunks include loading and compilation.
        fitting = int(_CHUNK_SECONDS * len(numbers) / seconds) if seconds > 0 else self._most
        self._size = max(1, min(fitting, _MAX_GROWTH * max(self._size, len(numbers)), self._most))


def play_chunk(play: Play[Result], table: object, numbers: range) -> ChunkResult[Result]:
    """Play a chunk and measure its duration."""
    start = time.perf_counter()
    try:
        result = play(table, numbers)
    except Exception as error:
        remember_culprit(error)
        raise
    return ChunkResult(numbers, result, time.perf_counter() - start)


_PENDING_PER_PROCESS: Final = 2
"""The number of chunks per process, running or queued: enough to keep it busy."""

_SWITCH_INTERVAL_SECONDS: Final = 0.0005
"""The thread switch interval in seconds: short, so that the threads that feed the worker processes run promptly."""

_table: object = None
"""In a worker process: the table, received once."""


def play_here(work: Task[Result], chunks: Chunks) -> Iterator[ChunkResult[Result]]:
    """Yield the result of every chunk, played in this process."""
    while chunks:
        result = play_chunk(work.play, work.table, chunks.take())
        chunks.adapt_size(result.numbers, result.seconds)
        yield result


def play_in_processes(work: Task[Result], chunks: Chunks, workers: int) -> Iterator[ChunkResult[Result]]:
    """Yield the result of every chunk, in order, played by `workers` processes.

    This process is one of them: it begins while the others start and receive the table.

    Raises:
        EngineError: If a worker process died. Errors of the task are raised as well.
    """
    # This process is one of the workers.
    others = min(workers, chunks.left) - 1
    if others < 1:
        # A single chunk does not justify starting a process.
        yield from play_here(work, chunks)
        return
    pool = ProcessPoolExecutor(others, _process_context(), initializer=_init_worker, initargs=(work.table,))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_SECONDS)
    try:
        yield from _submit_chunks(work, chunks, pool, others)
    except BrokenExecutor:
        raise EngineError("A worker process was terminated. Try again, or use --workers 1.") from None
    finally:
        # Waits for running chunks and drops queued ones.
        pool.shutdown(cancel_futures=True)
        sys.setswitchinterval(usual)


def play_in_threads(work: Task[Result], chunks: Chunks, workers: int) -> Iterator[ChunkResult[Result]]:
    """Yield the result of every chunk, in order, played by `workers` threads."""
    if workers == 1:
        yield from play_here(work, chunks)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[ChunkResult[Result]]] = deque()
    try:
        while chunks or waiting:
            # Submit enough chunks to keep every thread busy.
            while chunks and len(waiting) <= _PENDING_PER_PROCESS * workers:
                waiting.append(pool.submit(play_chunk, work.play, work.table, chunks.take(workers)))
            result = waiting.popleft().result()
            chunks.adapt_size(result.numbers, result.seconds)
            yield result
    finally:
        pool.shutdown(cancel_futures=True)


def usable_cpu_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _process_context() -> BaseContext:
    """Return how to start a process: by forking if that is safe, because the child then has the table at once.

    On other systems, and while other threads run, which a fork would lack, a new process is spawned and sent the table.
    """
    # A forked process has one thread only: a lock held by another thread would stay locked.
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if is_safe else "spawn")


def _submit_chunks(
    work: Task[Result], chunks: Chunks, pool: ProcessPoolExecutor, others: int
) -> Iterator[ChunkResult[Result]]:
    waiting: deque[Future[ChunkResult[Result]]] = deque()
    most = 4 * _PENDING_PER_PROCESS * (others + 1)
    while chunks or waiting:
        # Feed the other workers first: this process plays a chunk only if they have enough. Results are passed on in
        # order, so that a slow chunk delays its successors; their number is limited to `most`.
        while chunks and sum(not future.done() for future in waiting) < _PENDING_PER_PROCESS * others:
            with block_interrupts():
                waiting.append(pool.submit(_play, work.play, chunks.take(others + 1)))
        # The others have enough chunks: play one here.
        if chunks and len(waiting) < most:
            waiting.append(_finished_future(work, chunks.take(others + 1)))
        # Pass on finished results at the front; wait for an unfinished one only if there is nothing else to do.
        while waiting and (waiting[0].done() or not chunks or len(waiting) >= most):
            result = waiting.popleft().result()
            chunks.adapt_size(result.numbers, result.seconds)
            yield result


def _finished_future(work: Task[Result], numbers: range) -> "Future[ChunkResult[Result]]":
    future: Future[ChunkResult[Result]] = Future()
    future.set_result(play_chunk(work.play, work.table, numbers))
    return future


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Defer Ctrl-C until the block ends, in this process and in those that it starts, if the system supports it.

    A terminal sends the signal to all of them, and a new process ignores it only after its initialisation.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _init_worker(table: object) -> None:
    global _table
    # Ctrl-C ends this process through its parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):  # signals that end the parent process end this one as well
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    _table = table


def _exit_with_parent() -> None:
    """Exit when the parent process is gone, for whatever reason."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        # Not `sys.exit`, which would end only this thread.
        os._exit(1)


def _play(play: Play[Result], numbers: range) -> ChunkResult[Result]:
    return play_chunk(play, _table, numbers)


_PROBE_SECONDS: Final = 0.3
"""The time in seconds after which the remaining time is estimated."""
_MIN_SECONDS_FOR_WORKERS: Final = 1.0
"""The estimated remaining seconds from which additional processes are worth their start-up time."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Where games are played; the results are the same everywhere.

    Attributes:
        workers: The number of processes, or of threads if the task supports them; None for as many cores as are useful.
        cluster: The address of a running Dask cluster, `tcp://host:8786`, or None.
    """

    workers: int | None = None
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ContradictionError(f"the number of workers is at least 1, not {self.workers}")
        if self.workers is not None and self.cluster is not None:
            raise ContradictionError("a cluster has its own workers: leave out either the cluster or their number")

    def run(self, work: Task[Result], numbers: range) -> Iterator[ChunkResult[Result]]:
        """Yield the results of the numbers, chunk by chunk in order.

        While the caller processes a chunk, keyboard interrupts are deferred: `KeyboardInterrupt` is raised between two
        chunks, so that exactly the played games are counted.

        Raises:
            EngineError: If a worker process or the cluster failed. Errors of the task are raised as well.
            KeyboardInterrupt: If the user interrupts it.
        """
        with _deferred_interrupts() as interrupts:
            for chunk in self._chunk_results(work, Chunks(numbers, work.first, work.most)):
                interrupts.are_deferred = True
                yield chunk
                # The caller has counted its chunk.
                interrupts.are_deferred = False
                if interrupts.is_pending:
                    raise KeyboardInterrupt

    def _chunk_results(self, work: Task[Result], chunks: Chunks) -> Iterator[ChunkResult[Result]]:
        if self.cluster is not None:
            yield from _play_on_cluster(work, chunks, self.cluster)
        elif work.in_threads:
            yield from play_in_threads(work, chunks, self.workers or usable_cpu_count())
        elif self.workers is not None:
            yield from play_in_processes(work, chunks, self.workers)
        else:
            yield from _run_adaptively(work, chunks)


def _run_adaptively(work: Task[Result], chunks: Chunks) -> Iterator[ChunkResult[Result]]:
    """Play in this process first, and start worker processes if the rest takes long."""
    seconds, pace = 0.0, 0.0
    for chunk in play_here(work, chunks):
        yield chunk
        seconds += chunk.seconds
        # Measured on the last chunk, because the first ones include loading and compilation.
        pace = chunk.seconds / len(chunk.numbers)
        if seconds >= _PROBE_SECONDS:
            break
    yield from play_in_processes(
        work, chunks, usable_cpu_count() if chunks.left * pace >= _MIN_SECONDS_FOR_WORKERS else 1
    )


def _play_on_cluster(work: Task[Result], chunks: Chunks, address: str) -> Iterator[ChunkResult[Result]]:
    results: Iterator[ChunkResult[Result]] = _cluster().play_on_cluster(work, chunks, address)
    yield from results


def start_workers(address: str, count: int, announce: Callable[[], object]) -> None:
    """Run workers for a cluster; see `engine.many.cluster`.

    Raises:
        EngineError: If there is no cluster, it has other versions or has ended, or the extra is not installed.
        KeyboardInterrupt: If the user interrupts it.
    """
    _cluster().start_workers(address, count, announce)


def _cluster() -> ModuleType:
    if find_spec("distributed") is None:
        raise EngineError(f"Playing on a cluster needs an extra. Install it: {install_command('cluster')}")
    return import_module("ccgrid.engine.many.cluster")


@dataclass(slots=True)
class _Interrupts:
    are_deferred: bool = False
    is_pending: bool = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if not self.are_deferred or self.is_pending:  # a second Ctrl-C stops at once
            raise KeyboardInterrupt
        self.is_pending = True


@contextmanager
def _deferred_interrupts() -> Iterator[_Interrupts]:
    """Handle keyboard interrupts during the block, which would otherwise raise `KeyboardInterrupt` immediately."""
    interrupts = _Interrupts()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    # Signal handlers can be set only in the main thread; an existing custom handler is respected.
    if not usual or threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
