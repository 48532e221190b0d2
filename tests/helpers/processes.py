"""What tests start: none of it outlives the test, whatever comes of that, and none of it depends on who is quicker."""

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
    """The same process or terminal, which is ended after the test where the test has not come to do that."""
    _started.append(process)
    return process


def end_all() -> None:
    """Ends all that was begun, and closes the pipes and terminals to it."""
    while _started:
        end(_started.pop())


def end(process: Any) -> None:
    """Kills a process that still runs, waits until it is gone, and closes the pipes or the terminal to it."""
    if isinstance(process, subprocess.Popen):
        process.kill()
        process.wait(120)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(OSError):  # what was to be written has no reader any more
                    stream.close()
    elif not process.closed:  # a terminal of pexpect
        if process.isalive():
            process.kill(signal.SIGKILL)
            process.wait()
        process.ptyproc.delayafterclose = 0  # which would wait for a process that is gone already
        process.close()


def asleep(process: Any) -> None:
    """Waits until a process that shows a prompt waits for what is typed, where the system tells.

    A signal that comes when the prompt is shown already, and the wait has not begun, is heard with the next key only.
    """
    status = Path(f"/proc/{process.pid}/stat")
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] not in "SZX":
        time.sleep(0.005)


def writing(pipe: Path, content: bytes) -> threading.Thread:
    """Somebody who writes this into a pipe as soon as it is read; where nobody does, no test waits for him."""
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    return writer


def run_copy(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs Python in a copy of the program, with that program, a catalogue that is not there and notes of its own."""
    own = {"PYTHONPATH": folder, "CCGRID_DB": folder / "none.db", "CCGRID_STATE": folder / "state", "NO_COLOR": "1"}
    environment = {**os.environ, **{name: str(value) for name, value in own.items()}}
    environment.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
