"""Work that may go wrong without end, done in a process of its own under limits of time and memory."""

import os
import resource
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from catalog.card import CatalogError
from engine.errors import EngineError

SECONDS: Final = 10
"""Processor time that one input may take."""
BYTES: Final = 500 << 20
"""Memory that one input may take, beside what the program itself has."""

DONE, REFUSED, ESCAPED, KILLED = "done", "refused", "escaped", "killed"


@dataclass(frozen=True)
class Outcome:
    """How the work ended: `done`, `refused` with the program's own words, `escaped` with a traceback, or `killed`."""

    how: str
    told: str
    seconds: float


def _own_size() -> int:
    """The address space of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def attempt(work: Callable[[], object]) -> tuple[str, str]:
    """Does the work here: only the two errors that are written for people may come out of it, in few lines."""
    try:
        work()
    except (CatalogError, EngineError) as error:
        told = str(error)
        if len(told) > 6000 or not told.strip():
            return ESCAPED, f"an error of {len(told)} characters"
        return REFUSED, told
    except BaseException:
        return ESCAPED, traceback.format_exc()
    return DONE, ""


def limited(work: Callable[[], object], seconds: int = SECONDS, size: int = BYTES) -> Outcome:
    """Does the work in a child under limits, and says how it ended."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.close(out)
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (_own_size() + size,) * 2)
            how, told = attempt(work)
            os.write(into, f"{how}\n{told}"[-60_000:].encode("utf-8", "replace") if told else how.encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        answer = pipe.read().decode("utf-8", "replace")
    _, status, used = os.wait4(child, 0)
    how, _, told = answer.partition("\n")
    if not how:
        how, told = KILLED, f"by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status}"
    return Outcome(how, told, used.ru_utime + used.ru_stime)
