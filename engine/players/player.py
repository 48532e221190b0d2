"""Computer players: what one owes, those that choose at once, the one that thinks ahead, and other programs.

Another program is spoken to in lines (docs/protocol.md), shown what its seat may see, and bounded in all it does. It
runs as long as the player is there, in a process group of its own, which is ended with it.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any, ClassVar, Final, Protocol, Self
from weakref import finalize

from ccgrid.engine.dice import Dice
from ccgrid.engine.errors import EngineError, quoted
from ccgrid.engine.game import State
from ccgrid.engine.games import find_game
from ccgrid.engine.notation import position_document


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a player may take for one move: seconds on the clock, and games played out; `None` is any number.

    It is the caller's; what a player takes of itself follows from its own parameter.
    """

    seconds: float | None = None
    playouts: int | None = None


NO_LIMIT: Final = Budget()


class ForfeitError(EngineError):
    """A player did not answer with a legal move in time, and so loses the game; the message says what it did.

    Attributes:
        moves, state: the game up to there, where games are played out.
    """

    moves: Sequence[str] = ()
    state: State | None = None


class Player(Protocol):
    """A policy that people call by its name, with a parameter behind a colon where it takes one: `strong:0.2s`.

    As a text it is that name with its parameter, of which `find_player` makes an equal player.
    """

    @property
    def name(self) -> str:
        """What people type, without a parameter: `greedy`."""

    @property
    def about(self) -> str:
        """How it plays, in a few words."""

    def with_parameter(self, parameter: str) -> "Player":
        """The same policy with what stands behind the colon.

        Raises:
            EngineError: the parameter means nothing to it.
        """

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """One of the legal moves, of which there is at least one, for the seat that is to move in its own view."""


class PlainPlayer:
    """A policy without parameters."""

    name: ClassVar[str]

    def __str__(self) -> str:
        return self.name

    def with_parameter(self, parameter: str) -> Self:
        """Raises EngineError: there is nothing to be said of how it plays."""
        raise EngineError(
            f"{self.name} takes no parameter: write {self.name}, not {quoted(f'{self.name}:{parameter}')}"
        )


class RandomPlayer(PlainPlayer):
    """Every legal move is as likely as any other."""

    name: ClassVar[str] = "random"
    about: ClassVar[str] = "any legal move, each as likely as the others"

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """Any of the legal moves."""
        return dice.choose(legal)


class GreedyPlayer(PlainPlayer):
    """The move that looks best at once, as the game's heuristic says; among equals any."""

    name: ClassVar[str] = "greedy"
    about: ClassVar[str] = "the move that gains most at once"

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """One of the moves with the highest heuristic."""
        heuristic = find_game(view.game).heuristic
        # No sorting: the dice choose among equals by their place in the list of legal moves.
        values = [heuristic(view, move) for move in legal]
        best = max(values)
        return dice.choose([move for move, value in zip(legal, values, strict=True) if value == best])


@dataclass(frozen=True, slots=True)
class LevelPlayer:
    """Plays as another player does, but for some moves that are any legal one.

    `slips` is in how many of a hundred turns that is so.
    """

    name: str
    about: str
    player: Player
    slips: int = 0

    def __str__(self) -> str:
        return self.name

    def with_parameter(self, parameter: str) -> "LevelPlayer":
        """Raises EngineError: a level is what it is."""
        raise EngineError(
            f"{self.name} takes no parameter: write {self.name}, not {quoted(f'{self.name}:{parameter}')}"
        )

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The other player's move, or any."""
        if self.slips and dice.below(100) < self.slips:
            return dice.choose(legal)
        return self.player.choose(view, legal, dice, budget)


ROUNDS: Final = 1_000
MOST_ROUNDS: Final = 10_000_000
MOST_SECONDS: Final = 3_600.0

_SHORT: Final = 100
"""So many games take about as long to play as to compile what plays them, at 500 rounds a move."""

# 2000 · 0.2s · 1s; so few digits that no number is endless.
_PARAMETER: Final = re.compile(r"(\d{1,8})|(\d{1,4}(?:\.\d{1,4})?)s")


@dataclass(frozen=True, slots=True)
class StrongPlayer:
    """Plays games on from the position, so many rounds or so many seconds for a move; plain `strong` 1,000 rounds.

    With rounds it plays the same whenever it is asked; with seconds as the machine has time.
    """

    rounds: int | None = ROUNDS
    seconds: float | None = None
    name: ClassVar[str] = "strong"
    about: ClassVar[str] = (
        "the move that wins most often in trial games: strong:2000 plays 2000, strong:0.2s takes 0.2 s"
    )

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.name}:{self.seconds:g}s"
        return self.name if self.rounds == ROUNDS else f"{self.name}:{self.rounds}"

    def with_parameter(self, parameter: str) -> Self:
        """The same with a number of rounds, or a time as in `0.2s`; raises EngineError where it is neither."""
        # `isascii`: `\d` also fits digits of other scripts.
        read = _PARAMETER.fullmatch(parameter) if parameter.isascii() else None
        if read and read[1] and 1 <= int(read[1]) <= MOST_ROUNDS:
            return type(self)(int(read[1]))
        if read and read[2] and 0 < float(read[2]) <= MOST_SECONDS:
            return type(self)(None, float(read[2]))
        raise EngineError(
            f"{self.name} takes a number of rounds or a time: write {self.name}:2000 or {self.name}:0.2s, "
            f"not {quoted(f'{self.name}:{parameter}')}"
        )

    def prepare(
        self,
        game: str,
        tell: Callable[[str], object] | None = None,
        games: int = 1,
        variant: Mapping[str, object] | None = None,
    ) -> None:
        """Loads what it thinks with, or compiles it, which `tell` is told: afterwards no move waits for that.

        What is worth compiling for one game that takes long is so for some hundred that do not. `variant` are options
        that are not as usual.
        """
        from ccgrid.engine.search.core_search import prepare

        # `None` rounds stay None: with a time everything is loaded that helps.
        prepare(game, self.rounds and self.rounds * max(games // _SHORT, 1), tell, variant)

    def choose(self, view: State, legal: Sequence[str], dice: Dice, budget: Budget) -> str:
        """The move tried most; the dice are thrown once, however long it thinks."""
        from ccgrid.engine.search import Clock, best_move

        # Before anything else, so that it is one throw for any number of legal moves.
        own = Dice(dice.bits())
        if len(legal) == 1:
            return legal[0]
        seconds = min((time for time in (self.seconds, budget.seconds) if time is not None), default=None)
        counts = [count for count in (self.rounds, budget.playouts) if count is not None]
        clock = Clock.of(seconds)
        return best_move(view, own, rounds=min(counts, default=None), clock=clock)


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

    name: Final = "cmd"
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
