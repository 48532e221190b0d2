"""Processes and threads of tests, which end with the test and do not depend on timing."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

Started = TypeVar("Started")

_started: list[Any] = []


def ends_with_test(process: Started) -> Started:
    """Register a process or terminal to be ended after the test, and return it."""
    _started.append(process)
    return process


def end_all() -> None:
    """End all registered processes, and close their pipes and terminals."""
    while _started:
        end(_started.pop())


def end(process: Any) -> None:
    """Kill a process if it runs, wait for its end, and close its pipes or terminal."""
    if isinstance(process, subprocess.Popen):
        process.kill()
        process.wait(120)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):  # The reader of buffered data has ended.
                    stream.close()
    elif not process.closed:  # This is a pexpect terminal.
        if process.isalive():
            process.kill(signal.SIGKILL)
            process.wait()
        process.ptyproc.delayafterclose = 0  # The process has already ended.
        process.close()


def wait_until_reading(process: Any) -> None:
    """Wait until a process with a prompt is waiting for input, if the system has `/proc`.

    A signal between the prompt and the wait would be handled only after the next key.
    """
    status = Path(f"/proc/{process.pid}/stat")
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "SZX":
        time.sleep(0.005)


def start_writer(pipe: Path, content: bytes) -> threading.Thread:
    """Start a thread that writes to a pipe once it has a reader; without a reader it does not delay the test."""
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    return writer


def run_copy(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python with a copy of the program, without a catalogue, and with a state folder of its own."""
    own = {"PYTHONPATH": folder, "CCGRID_DB": folder / "none.db", "CCGRID_STATE": folder / "state", "NO_COLOR": "1"}
    environment = {**os.environ, **{name: str(value) for name, value in own.items()}}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
