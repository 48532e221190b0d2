"""Measure whole processes: processor seconds, seconds on the clock, memory."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PYTHON = sys.executable
CCGRID = [PYTHON, "-m", "ccgrid"]
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of measured programs: byte code is cached, as in an installed program."""
LAUNCHER = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
wall, usage = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([status, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024]))
"""
"""Runs a command and prints its measurements. Linux counts the memory of the process that starts a program as the
program's own, and this one is small.
"""


@dataclass(frozen=True)
class Run:
    """The measurements of a process: processor seconds, seconds on the clock, and peak memory in MB."""

    cpu: float
    wall: float
    memory: float


def measure(
    command: Sequence[str | Path], tries: int = 3, before: Sequence[Path] = (), *, missing_is_fine: bool = False
) -> Run:
    """Return the best of several runs of a command; see `run_once`."""
    runs = [run_once(command, before, missing_is_fine=missing_is_fine) for _ in range(tries)]
    return Run(min(r.cpu for r in runs), min(r.wall for r in runs), max(r.memory for r in runs))


def run_once(command: Sequence[str | Path], before: Sequence[Path] = (), *, missing_is_fine: bool = False) -> Run:
    """Run a command once; remove the files in `before` first.

    With `missing_is_fine`, status 1 is accepted: cards of a deck are missing.
    """
    for path in before:
        for file in path.parent.glob(path.name + "*"):
            file.unlink()
    with tempfile.TemporaryFile() as complaints:
        words = [PYTHON, "-c", LAUNCHER, *map(str, command)]
        launched = subprocess.run(words, stdout=subprocess.PIPE, stderr=complaints, env=COMPILED, check=True)
        status, *measured = json.loads(launched.stdout)
        if status not in ((0, 1) if missing_is_fine else (0,)):
            complaints.seek(0)
            sys.exit(f"{' '.join(map(str, command))} failed: {complaints.read().decode()}")
    return Run(*measured)
