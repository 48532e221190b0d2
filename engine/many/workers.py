"""Games played on several cores: who plays which, and what comes back, in the order of the games' numbers."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from typing import Any, Final

from engine.errors import EngineError
from engine.many.portions import Play, Played, Portions, Result, Work, played

_AHEAD: Final = 2
"""So many portions each process has, or are waiting for it: enough that none is idle."""

_TURN: Final = 0.0005
"""Seconds after which playing lets the threads go on that hand out portions to other processes, which wait for them."""

_table: Any = None
"""In a process that was started to play: what it plays at, sent to it once."""


def play_here(work: Work[Result], portions: Portions) -> Iterator[Played[Result]]:
    """What comes of every portion, one after the other."""
    while portions:
        done = played(work.play, work.table, portions.take())
        portions.took(done.numbers, done.seconds)
        yield done


def play_all(work: Work[Result], portions: Portions, workers: int) -> Iterator[Played[Result]]:
    """What comes of every portion, in their order, played by so many processes.

    This process plays as well: while the others start, and are sent the table, it has begun.

    Raises:
        EngineError: a process died; and whatever playing raises.
    """
    others = min(workers, portions.left) - 1
    if others < 1:
        yield from play_here(work, portions)
        return
    pool = ProcessPoolExecutor(others, _way_to_start(), initializer=_sit_down, initargs=(work.table,))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield from _shared_out(work, portions, pool, others)
    except BrokenExecutor:
        raise EngineError("a process that played games was ended: try again, or with one worker") from None
    finally:
        pool.shutdown(cancel_futures=True)
        sys.setswitchinterval(usual)


def play_in_threads(work: Work[Result], portions: Portions, workers: int) -> Iterator[Played[Result]]:
    """What comes of every portion, in their order, played by so many threads."""
    if workers == 1:
        yield from play_here(work, portions)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Played[Result]]] = deque()
    try:
        while portions or waiting:
            while portions and len(waiting) <= _AHEAD * workers:
                waiting.append(pool.submit(played, work.play, work.table, portions.take(workers)))
            done = waiting.popleft().result()
            portions.took(done.numbers, done.seconds)
            yield done
    finally:
        pool.shutdown(cancel_futures=True)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _way_to_start() -> BaseContext:
    """How a process is started: as a copy of this one where that is safe, so that it has the cards at once.

    Elsewhere, and where other threads run, which a copy would not have, a new one is started and sent the table.
    """
    is_safe = sys.platform == "linux" and threading.active_count() == 1
    return multiprocessing.get_context("fork" if is_safe else "spawn")


def _shared_out(
    work: Work[Result], portions: Portions, pool: ProcessPoolExecutor, others: int
) -> Iterator[Played[Result]]:
    waiting: deque[Future[Played[Result]]] = deque()
    most = 4 * _AHEAD * (others + 1)
    while portions or waiting:
        while portions and sum(not future.done() for future in waiting) < _AHEAD * others:
            with _without_interrupts():
                waiting.append(pool.submit(_play, work.play, portions.take(others + 1)))
        if portions and len(waiting) < most:
            waiting.append(_played_here(work, portions.take(others + 1)))
        while waiting and (waiting[0].done() or not portions or len(waiting) >= most):
            done = waiting.popleft().result()
            portions.took(done.numbers, done.seconds)
            yield done


def _played_here(work: Work[Result], numbers: range) -> "Future[Played[Result]]":
    future: Future[Played[Result]] = Future()
    future.set_result(played(work.play, work.table, numbers))
    return future


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Has Ctrl-C wait while processes may be started: they get it, too, and ignore it only once they have sat down."""
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
        os._exit(1)


def _play(play: Play[Result], numbers: range) -> Played[Result]:
    return played(play, _table, numbers)
