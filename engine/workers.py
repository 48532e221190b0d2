"""Games played on several cores: who plays which, and what comes back, in the order of the games' numbers."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.context import BaseContext
from typing import Any, Final, TypeVar

from engine.errors import EngineError

Result = TypeVar("Result")
Play = Callable[[Any, range], Result]
"""Plays the games with these numbers at a table; a function of a module, so that other processes find it."""

_AHEAD: Final = 2
"""So many ranges each process has, or are waiting for it: enough that none is idle."""

_table: Any = None
"""In a process that was started to play: what it plays at, sent to it once."""


def play_all(play: Play[Result], table: Any, ranges: Sequence[range], workers: int) -> Iterator[Result]:
    """What `play(table, numbers)` gives for every range, in their order.

    This process plays as well: while the others start, and are sent the table, it has begun.

    Raises:
        EngineError: a process died; and whatever playing raises.
    """
    others = min(workers, len(ranges)) - 1
    if others < 1:
        yield from (play(table, numbers) for numbers in ranges)
        return
    pool = ProcessPoolExecutor(others, _way_to_start(), initializer=_sit_down, initargs=(table,))
    try:
        yield from _shared_out(play, table, deque(ranges), pool, others)
    except BrokenExecutor:
        raise EngineError("a process that played games was ended: try again, or with one worker") from None
    finally:
        pool.shutdown(cancel_futures=True)


def play_in_threads(play: Play[Result], table: Any, ranges: Sequence[range], workers: int) -> Iterator[Result]:
    """What `play(table, numbers)` gives for every range, in their order, where playing lets other threads play."""
    if min(workers, len(ranges)) == 1:
        yield from (play(table, numbers) for numbers in ranges)
        return
    pool = ThreadPoolExecutor(workers)
    waiting: deque[Future[Result]] = deque()
    try:
        for numbers in ranges:
            waiting.append(pool.submit(play, table, numbers))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
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
    play: Play[Result], table: Any, ranges: deque[range], pool: ProcessPoolExecutor, others: int
) -> Iterator[Result]:
    waiting: deque[Future[Result]] = deque()
    while ranges or waiting:
        while ranges and sum(not future.done() for future in waiting) < _AHEAD * others:
            waiting.append(pool.submit(_play, play, ranges.popleft()))
        if ranges and len(waiting) < 4 * _AHEAD * (others + 1):
            waiting.append(_played_here(play, table, ranges.popleft()))
        while waiting and (waiting[0].done() or not ranges):
            yield waiting.popleft().result()
        while len(waiting) >= 4 * _AHEAD * (others + 1):
            yield waiting.popleft().result()


def _played_here(play: Play[Result], table: Any, numbers: range) -> "Future[Result]":
    future: Future[Result] = Future()
    future.set_result(play(table, numbers))
    return future


def _sit_down(table: Any) -> None:
    global _table
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _table = table


def _play(play: Play[Result], numbers: range) -> Result:
    return play(_table, numbers)
