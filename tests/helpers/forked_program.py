"""The program in a process that is forked from the tests, and so need not load what they have loaded already."""

import atexit
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NoReturn

import pytest

from ccgrid.services.catalogue import open_bundled
from ccgrid.start import main
from helpers.processes import end, ends_with_test


def at_terminal(
    words: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    columns: int = 80,
    lines: int = 24,
    anew: bool = False,
) -> Any:
    """The command with these words at a real terminal, in a process of its own.

    It starts Python anew where asked to: what is forked takes the locks on catalogues that are held here for its own.
    What of it goes on after the test is ended then.
    """
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of
    environment = {name: value for name, value in environment.items() if name != "LINES"}  # of the tests' own terminal
    command = [str(word).encode(errors="replace").decode() for word in words]  # what is forked has the words themselves
    child = pexpect.spawn(
        *(sys.executable, ["-m", "ccgrid", *command], 120),  # seconds for an answer: the machine may be busy
        cwd=folder,
        env=environment,
        dimensions=(lines, columns),
        encoding="utf-8",
        preexec_fn=None if anew else instead(words, environment),
    )
    child.delaybeforesend = None  # who waits for a prompt need not wait again
    return ends_with_test(child)


def instead(words: Sequence[str | Path], environment: Mapping[str, str]) -> Callable[[], None] | None:
    """What a new process does in place of starting Python, where processes are forked and can edit lines elsewhere."""
    if sys.platform == "win32" or (edit_at := _line_editor()) is None:
        return None
    _prepare()
    return partial(_carry_out, [str(word) for word in words], environment, edit_at)


@cache
def _line_editor() -> Callable[[bytes], object] | None:
    """What tells the line editor of a terminal: pytest has had it look at the one that the tests were started at."""
    loaded = sys.modules.get("readline")
    if loaded is None:
        return lambda terminal: None
    library = ctypes.PyDLL(getattr(loaded, "__file__", None))
    return getattr(library, "rl_reset_terminal", None)


@cache
def _prepare() -> None:
    """Does here, once, what every process that is forked would do for itself."""
    for package in ("ccgrid", "ccgrid.engine.games", "ccgrid.engine.players"):
        _load(package)
    for module in ("rich.progress", "rich.prompt", "rich.table"):
        import_module(module)
    with open_bundled():
        """Most games are played with the bundled cards, which are brought in once."""


@cache
def _load(package: str) -> None:
    """Every module of a package, once, so that no process need load it."""
    for module in walk_packages(import_module(package).__path__[:1], f"{package}."):  # not the folders beside `ccgrid`
        if ".compiled" not in module.name:  # what takes long
            with suppress(ModuleNotFoundError):  # of an extra
                import_module(module.name)


def _carry_out(words: Sequence[str], environment: Mapping[str, str], edit_at: Callable[[bytes], object]) -> NoReturn:
    os.closerange(3, 256)  # with these goes what tells the tests that the process has begun
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        if sys.modules.pop("readline", None):  # lines are edited where the program loads it, and not before
            ctypes.c_void_p.in_dll(ctypes.pythonapi, "PyOS_ReadlineFunctionPointer").value = None
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)  # else what hears of a new size would call itself for ever
            edit_at(environment.get("TERM", "dumb").encode())
        sys.argv = ["ccgrid", *words]
        sys.stdin = sys.__stdin__ = _standard_stream(0, "r", "strict")
        sys.stdout = sys.__stdout__ = _standard_stream(1, "w", "strict")
        sys.stderr = sys.__stderr__ = _standard_stream(2, "w", "backslashreplace")
        tempfile.tempdir = None
        sys.dont_write_bytecode = True  # where files may not grow, modules would be kept cut off
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.getsignal(number))  # as Python has them, and `subprocess` has not
        atexit._clear()
        warnings.simplefilter("ignore")
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)  # as Python does at its end
        status = 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    finally:
        try:
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
            sys.stdout.flush()
        finally:
            os._exit(status)  # whatever else happens: this process is never to go on with the tests


def _standard_stream(number: int, mode: str, errors: str) -> Any:
    """Open a standard stream as Python does: None if its descriptor is closed."""
    try:
        return open(number, mode, 1, "utf-8", errors, closefd=False)
    except OSError:
        return None


class ProgramServer:
    """The program with other packages next to it: a process that has loaded it, and forks for each command."""

    def __init__(self, packages: Path) -> None:
        tests = Path(__file__).resolve().parents[1]
        path = os.pathsep.join(map(str, (packages, tests.parent, tests)))
        self.environment = {**os.environ, "PYTHONPATH": path}
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from helpers.forked_program import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environment,
            cwd=packages,
            text=True,
        )

    def __call__(
        self, words: Sequence[str | Path], folder: Path, typed: str, environment: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """The exit status of a command, and what it said on both streams."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = [str(word) for word in words], str(folder), typed, {**self.environment, **environment}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        status, out, err = json.loads(self.process.stdout.readline())
        return status, out, err

    def close(self) -> None:
        try:
            self.process.communicate(timeout=60)
        finally:
            end(self.process)


def serve() -> None:
    """Carries out the commands on standard input, a line each, until it ends."""
    for package in ("ccgrid", "ccgrid.catalog", "ccgrid.engine"):
        _load(package)
    for line in sys.stdin:
        words, folder, typed, environment = json.loads(line)
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(typed.encode())
            given.seek(0)
            if not (child := os.fork()):
                for number, file in enumerate((given, out, err)):
                    os.dup2(file.fileno(), number)
                os.chdir(folder)
                _carry_out(words, environment, lambda terminal: None)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            command = []
            for file in (out, err):
                file.seek(0)
                command.append(file.read().decode())
        print(json.dumps((status, *command)), flush=True)
