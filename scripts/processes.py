"""Whole processes, measured: processor seconds, seconds on the clock, memory."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = sys.executable
CCGRID = [PYTHON, "-m", "ccgrid"]
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Every program runs as it does where it is installed: compiled once, and not anew each time."""


@dataclass(frozen=True)
class Run:
    """One process: processor seconds, seconds on the clock, and its peak memory in MB."""

    cpu: float
    wall: float
    memory: float


def measure(
    command: Sequence[str | Path], tries: int = 3, before: Sequence[Path] = (), *, missing_is_fine: bool = False
) -> Run:
    """The best of several runs of a command; more is in `run_once`."""
    runs = [run_once(command, before, missing_is_fine=missing_is_fine) for _ in range(tries)]
    return Run(min(r.cpu for r in runs), min(r.wall for r in runs), max(r.memory for r in runs))


def run_once(command: Sequence[str | Path], before: Sequence[Path] = (), *, missing_is_fine: bool = False) -> Run:
    """One run of a command; the files in `before` are removed ahead of it.

    With `missing_is_fine` it may end with status 1: cards of a deck are not there.
    """
    for path in before:
        for file in path.parent.glob(path.name + "*"):
            file.unlink()
    start = time.perf_counter()
    with tempfile.TemporaryFile() as complaints:
        words = [str(part) for part in command]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=complaints, env=COMPILED)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in ((0, 1) if missing_is_fine else (0,)):
            complaints.seek(0)
            sys.exit(f"{' '.join(map(str, command))} failed: {complaints.read().decode()}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)
