"""Other programs as players: spoken to in lines (docs/protocol.md), shown what their seat may see, and bounded.

A program runs as long as the player is there, in a process group of its own, which is ended with it.
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
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.notation import position_document
from ccgrid.engine.players.player import PROGRAM, Budget, ForfeitError

PROTOCOL: Final = "ccgrid 1"
"""What both sides say of themselves: the protocol and its version."""

SECONDS: Final = 10.0
"""So long a program may take to start, and for a move where nothing else is said."""

LONGEST_LINE: Final = 4_096
MOST_WRITTEN: Final = 1 << 20
"""So many bytes a line of a program has at most, and all that it writes for one move."""

_TO_END: Final = 0.5
"""So many seconds a program has to end after it was asked to."""


class ProgramPlayer:
    """Asks another program for every move; with a mistake of any kind it loses the game (`ForfeitError`)."""

    name: Final = PROGRAM
    about: Final = "another program that talks in lines: cmd:./mine"

    def __init__(self, command: str = "") -> None:
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._asking: list[Thread] = []

    def __str__(self) -> str:
        return f"{self.name}:{self.command}"

    def __reduce__(self) -> tuple[type["ProgramPlayer"], tuple[str]]:
        return type(self), (self.command,)  # another process starts a program of its own

    def with_parameter(self, parameter: str) -> "ProgramPlayer":
        """A player that asks the program of this command line; raises EngineError where it is none."""
        try:
            words = _words(parameter)
        except ValueError as error:
            raise EngineError(f"{quoted(parameter)} is no command line: {error}") from None
        if not words:
            raise EngineError(f"{self.name} is another program: say which, as in {self.name}:./mine")
        return type(self)(parameter)

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The move that the program answers with; ForfeitError where it has none, an illegal one, or is late."""
        seconds = SECONDS if budget.seconds is None else min(budget.seconds, SECONDS)
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
        """Starts the program; raises EngineError where it cannot be."""
        self.start()

    def close(self) -> None:
        """Ends the program, and all that it started in its process group."""
        if self._process is not None:
            self._process = None
            self._end()

    def start(self) -> "subprocess.Popen[bytes]":
        """The program, started if it does not run; raises EngineError where it cannot be, or says nothing."""
        if self._process is not None:
            return self._process
        try:
            process = subprocess.Popen(  # noqa: S603  the person at this machine names it, and no shell reads it
                _words(self.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # A group of its own: what the program starts is ended with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineError(f"{quoted(self.command)} cannot be started: {reason}") from None
        # Ended also when nobody holds this player any more, or Python ends.
        self._process, self._end = process, finalize(self, _end, process, self._asking)
        self._ask(process, [PROTOCOL], "ready", SECONDS)
        return process

    def _ask(self, process: "subprocess.Popen[bytes]", lines: Sequence[str], word: str, seconds: float) -> str:
        """What stands behind a word in the line that the program answers with."""
        answers: list[str | ForfeitError] = []

        def ask() -> None:
            try:
                answers.append(_exchange(process, lines, word))
            except ForfeitError as error:
                answers.append(error)

        thread = Thread(target=ask, daemon=True)  # it waits where the program neither reads nor writes
        # In place: `finalize` holds this list, not this player, which it would keep alive.
        self._asking[:] = [thread]
        try:
            thread.start()
            thread.join(seconds)
        except BaseException:  # an interrupt: what is read of the program after it would be of another move
            self.close()
            raise
        # Nothing in it: the thread still waits for the program.
        answer = answers[0] if answers else ForfeitError(f"did not answer in {seconds:g} seconds")
        if isinstance(answer, ForfeitError):
            self.close()
            raise ForfeitError(f"{self} {answer}")
        return answer


def _words(command: str) -> list[str] | str:
    """The words of a command line; on Windows the line itself, as each program there takes its own apart.

    Raises ValueError where quotes are left open.
    """
    return command.strip() if sys.platform == "win32" else shlex.split(command)


def _exchange(process: Any, lines: Sequence[str], word: str) -> str:
    try:
        process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        process.stdin.flush()
    except OSError:
        raise ForfeitError("has ended") from None
    written = 0
    # One byte more than allowed: a line that fills it is too long.
    while line := process.stdout.readline(LONGEST_LINE + 1):
        written += len(line)
        if len(line) > LONGEST_LINE or written > MOST_WRITTEN:
            raise ForfeitError(f"wrote more than {LONGEST_LINE:,} bytes in a line or {MOST_WRITTEN:,} for a move")
        said, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        if said == word:
            return str(rest)
        # Programs may say what they think, as in chess (`info`); anything else is no answer.
        if said != "info":
            raise ForfeitError(f"wrote {quoted(f'{said} {rest}'.strip())}, where {quoted(word)} or info was to come")
    raise ForfeitError("has ended")


def _end(process: "subprocess.Popen[bytes]", asking: Sequence[Thread]) -> None:
    """Asks the program to end, and then ends its process group."""
    with suppress(OSError, subprocess.TimeoutExpired):
        # A thread that still waits may hold the pipe: then it is not asked to end, but ended.
        if process.stdin is not None and not any(thread.is_alive() for thread in asking):
            process.stdin.write(b"quit\n")
            process.stdin.close()
            process.wait(_TO_END)
    with suppress(OSError):
        if hasattr(os, "killpg"):
            # The process leads its group, which has its number.
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    for thread in asking:
        thread.join(_TO_END)
    if not any(thread.is_alive() for thread in asking):  # what left the group may hold the pipes open
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
