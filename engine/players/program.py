"""External programs as players: a line protocol (docs/protocol.md) gives them their seat's view; output is limited.

A program runs as long as its player exists, in its own process group, which is terminated with it.
"""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Any, Final
from weakref import finalize

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import ContradictionError, EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.notation import position_document
from ccgrid.engine.players.player import PROGRAM, Budget, ForfeitError

PROTOCOL: Final = "ccgrid 1"
"""The greeting of both sides: the protocol and its version."""

DEFAULT_SECONDS: Final = 10.0
"""The number of seconds that a program may take to start, and for a move by default."""

MAX_LINE_BYTES: Final = 4_096
MAX_OUTPUT_BYTES: Final = 1 << 20
"""The limits, in bytes, of a line of a program and of its output for one move."""

_EXIT_SECONDS: Final = 0.5
"""The number of seconds that a program has to exit after `quit`."""


class ProgramPlayer:
    """Asks an external program for every move; after any error it loses the game (`ForfeitError`)."""

    name: Final = PROGRAM
    about: Final = "another program that talks in lines: cmd:./mine"

    def __init__(self, command: str = "") -> None:
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._pending_threads: list[Thread] = []

    def __str__(self) -> str:
        return f"{self.name}:{self.command}"

    def __reduce__(self) -> tuple[type["ProgramPlayer"], tuple[str]]:
        return type(self), (self.command,)  # another process starts its own copy of the program

    def with_parameter(self, parameter: str) -> "ProgramPlayer":
        """Return a player for this command line; raise EngineError if the command line is empty or malformed."""
        try:
            words = _split_command(parameter)
        except ValueError as error:
            raise ContradictionError(f"{quoted(parameter)} is no command line: {error}") from None
        if not words:
            raise ContradictionError(f"{self.name} is another program: say which, as in {self.name}:./mine")
        return type(self)(parameter)

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Ask the external program for a move.

        Raises:
            ForfeitError: If it gives none, an illegal one, or exceeds the time limit.
            EngineError: If the program cannot be started.
        """
        seconds = DEFAULT_SECONDS if budget.seconds is None else min(budget.seconds, DEFAULT_SECONDS)
        process = self.start()
        position = json.dumps(position_document(view), separators=(",", ":"))
        lines = [f"position {view.game} {position}", *(f"legal {move}" for move in legal), f"go {seconds:g}"]
        answer = self._ask(process, lines, "move", seconds)
        if answer not in legal:
            self.close()
            raise ForfeitError(f"{self} answered {quoted(answer)}, which is not legal")
        return answer

    def prepare(
        self, game: str, tell: Callable[[str], object] | None, games: int, variant: Mapping[str, object]
    ) -> None:
        """Start the program; raise EngineError if it cannot be started."""
        self.start()

    def close(self) -> None:
        """Terminate the program and its process group."""
        if self._process is not None:
            self._process = None
            self._end()

    def start(self) -> "subprocess.Popen[bytes]":
        """Return the process of the program; start it if it is not running.

        Raises:
            EngineError: If it cannot be started, or does not greet in time.
        """
        if self._process is not None:
            return self._process
        try:
            process = subprocess.Popen(  # noqa: S603  the person at this machine names it, and no shell reads it
                _split_command(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Its own process group, so that its child processes are terminated with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"{quoted(self.command)} cannot be started: {reason}") from None
        # Terminated as well when the last reference to this player is dropped, or Python exits.
        self._process, self._end = process, finalize(self, _end, process, self._pending_threads)
        self._ask(process, [PROTOCOL], "ready", DEFAULT_SECONDS)
        return process

    def _ask(self, process: "subprocess.Popen[bytes]", lines: Sequence[str], word: str, seconds: float) -> str:
        """Send lines and return the rest of the answering line that begins with `word`."""
        answers: list[str | ForfeitError] = []

        def ask() -> None:
            try:
                answers.append(_exchange(process, lines, word))
            except ForfeitError as error:
                answers.append(error)

        thread = Thread(target=ask, daemon=True)  # daemon: it blocks if the program neither reads nor writes
        # Changed in place: `finalize` must hold this list and not the player, which it would keep alive.
        self._pending_threads[:] = [thread]
        try:
            thread.start()
            thread.join(seconds)
        except BaseException:  # for example an interrupt: a late answer would be taken as the answer to the next move
            self.close()
            raise
        # No answer: the thread is still waiting for the program.
        answer = answers[0] if answers else ForfeitError(f"did not answer in {seconds:g} seconds")
        if isinstance(answer, ForfeitError):
            self.close()
            raise ForfeitError(f"{self} {answer}")
        return answer


def _split_command(command: str) -> list[str] | str:
    """Split a command line into words; on Windows return the line, because each program there parses its own.

    Raises:
        ValueError: If a quotation mark is not closed.
    """
    return command.strip() if sys.platform == "win32" else shlex.split(command)


def _exchange(process: Any, lines: Sequence[str], word: str) -> str:
    try:
        process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        process.stdin.flush()
    except OSError:
        raise ForfeitError("has ended") from None
    written = 0
    # One byte more than allowed, to detect a line that is too long.
    while line := process.stdout.readline(MAX_LINE_BYTES + 1):
        written += len(line)
        if len(line) > MAX_LINE_BYTES or written > MAX_OUTPUT_BYTES:
            raise ForfeitError(f"wrote more than {MAX_LINE_BYTES:,} bytes in a line or {MAX_OUTPUT_BYTES:,} for a move")
        keyword, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        if keyword == word:
            return str(rest)
        # Programs may report their thinking as in chess (`info`); any other line is an error.
        if keyword != "info":
            raise ForfeitError(f"wrote {quoted(f'{keyword} {rest}'.strip())} instead of {quoted(word)} or info")
    raise ForfeitError("has ended")


def _end(process: "subprocess.Popen[bytes]", pending_threads: Sequence[Thread]) -> None:
    """Ask the program to exit, then kill its process group."""
    with suppress(OSError, subprocess.TimeoutExpired):
        # A thread that is still waiting may hold the pipe: then kill the program without asking it to exit.
        if process.stdin is not None and not any(thread.is_alive() for thread in pending_threads):
            process.stdin.write(b"quit\n")
            process.stdin.close()
            process.wait(_EXIT_SECONDS)
    with suppress(OSError):
        if hasattr(os, "killpg"):
            # The process leads its group, so that the group has its id.
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for thread in pending_threads:
        thread.join(_EXIT_SECONDS)
    if not any(
        thread.is_alive() for thread in pending_threads
    ):  # processes that left the group may hold the pipes open
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
