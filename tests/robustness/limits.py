"""Work in separate processes with limits of time and memory."""

import json
import math
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from ccgrid.catalog.errors import CatalogError
from ccgrid.engine.errors import EngineError

SECONDS: Final = 10
"""Processor time that one input may take."""
BYTES: Final = 500 << 20
"""Memory that one input may take, in addition to that of the program."""

_LONGEST: Final = 20_000
DONE, REFUSED, ESCAPED, KILLED = "done", "refused", "escaped", "killed"


@dataclass(frozen=True)
class Outcome:
    """How the work ended: `done`, `refused` with the program's own error, `escaped` with a traceback, or `killed`."""

    how: str
    report: str
    seconds: float


def _own_size() -> int:
    """Return the size of this process's address space in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def attempt(work: Callable[[], object]) -> tuple[str, str]:
    """Run the work in this process; only the two errors with messages for users are expected, and short ones."""
    try:
        work()
    except (CatalogError, EngineError) as error:
        report = str(error)
        if len(report) > 6000 or not report.strip():
            return ESCAPED, f"an error of {len(report)} characters"
        return REFUSED, report
    except BaseException:
        return ESCAPED, traceback.format_exc()
    return DONE, ""


def limited(work: Callable[[], object], seconds: int = SECONDS, size: int = BYTES) -> Outcome:
    """Run the work in a child process with limits, and return its outcome."""
    return limited_each((work,), seconds, size)[0]


def limited_each(works: Sequence[Callable[[], object]], seconds: int = SECONDS, size: int = BYTES) -> list[Outcome]:
    """Run several pieces of work in a child process, each with its own limits, and return their outcomes.

    Work that ends the child process is `killed`; another child continues with the rest.
    """
    ended: list[Outcome] = []
    while len(ended) < len(works):
        ended += _until_killed(works[len(ended) :], seconds, size)
    return ended


def _until_killed(works: Sequence[Callable[[], object]], seconds: int, size: int) -> list[Outcome]:
    out, into = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(out)
            for work in works:
                outcome = _under_limits(work, seconds, size)
                os.write(into, f"{json.dumps(astuple(outcome))}\n".encode())
        finally:
            os._exit(0)
    os.close(into)
    try:
        with os.fdopen(out, "rb") as pipe:
            ended = [Outcome(*json.loads(line)) for line in pipe.read().splitlines()]
    except BaseException:  # Such as the timeout of a test.
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    _, status, used = os.wait4(child, 0)
    if len(ended) < len(works):
        report = f"by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status}"
        rest = used.ru_utime + used.ru_stime - sum(outcome.seconds for outcome in ended)
        ended.append(Outcome(KILLED, report, rest))
    return ended


def _under_limits(work: Callable[[], object], seconds: int, size: int) -> Outcome:
    """Run the work in this process with new limits; the system ends the process if it exceeds the CPU limit."""
    began = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(began) + seconds, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (_own_size() + size, resource.RLIM_INFINITY))
    how, report = attempt(work)
    return Outcome(how, report[-_LONGEST:], time.process_time() - began)
