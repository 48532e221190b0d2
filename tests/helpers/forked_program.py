"""The program in processes forked from the tests, which need not load its modules again."""

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
    new_interpreter: bool = False,
) -> Any:
    """Start the command with these words at a pseudo-terminal, in a process of its own.

    Args:
        new_interpreter: Start a new Python interpreter. A forked process would consider the locks on catalogues that
            this process holds to be its own. Any process that the command leaves running is ended after the test.
    """
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # Windows has none.
    # LINES describes the terminal in which the tests run.
    environment = {name: value for name, value in environment.items() if name != "LINES"}
    # pexpect cannot encode lone surrogates; a forked process receives the original words.
    command = [str(word).encode(errors="replace").decode() for word in words]
    child = pexpect.spawn(
        *(sys.executable, ["-m", "ccgrid", *command], 120),  # The machine may be busy for many seconds.
        cwd=folder,
        env=environment,
        dimensions=(lines, columns),
        encoding="utf-8",
        preexec_fn=None if new_interpreter else forked_main(words, environment),
    )
    child.delaybeforesend = None  # The tests wait for a prompt instead.
    return ends_with_test(child)


def forked_main(words: Sequence[str | Path], environment: Mapping[str, str]) -> Callable[[], None] | None:
    """Return a function that a new process calls instead of starting Python.

    It is None if the system cannot fork, or if the loaded line editor cannot be moved to another terminal.
    """
    if sys.platform == "win32" or (edit_at := _line_editor()) is None:
        return None
    _prepare()
    return partial(_run_forked, [str(word) for word in words], environment, edit_at)


@cache
def _line_editor() -> Callable[[bytes], object] | None:
    """Return a function that resets the line editor for a terminal, or None if the library lacks one.

    pytest loads the line editor, which then reads the terminal in which the tests were started.
    """
    loaded = sys.modules.get("readline")
    if loaded is None:
        return lambda terminal: None
    library = ctypes.PyDLL(getattr(loaded, "__file__", None))
    return getattr(library, "rl_reset_terminal", None)


@cache
def _prepare() -> None:
    """Load once, in this process, what every forked process would load."""
    for package in ("ccgrid", "ccgrid.engine.games", "ccgrid.engine.players"):
        _load(package)
    for module in ("rich.progress", "rich.prompt", "rich.table"):
        import_module(module)
    with open_bundled():
        """Load the bundled cards, which most games use."""


@cache
def _load(package: str) -> None:
    """Import every module of a package, so that no forked process has to."""
    for module in walk_packages(import_module(package).__path__[:1], f"{package}."):  # Only the package's own folder.
        if ".compiled" not in module.name:  # Compilation is slow.
            with suppress(ModuleNotFoundError):  # An extra may not be installed.
                import_module(module.name)


def _run_forked(words: Sequence[str], environment: Mapping[str, str], edit_at: Callable[[bytes], object]) -> NoReturn:
    os.closerange(3, 256)  # This also closes the pipe on which `subprocess` waits for the process to start.
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        if sys.modules.pop("readline", None):  # The program loads it if it needs to edit lines.
            ctypes.c_void_p.in_dll(ctypes.pythonapi, "PyOS_ReadlineFunctionPointer").value = None
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)  # Otherwise readline's handler would call itself endlessly.
            edit_at(environment.get("TERM", "dumb").encode())
        sys.argv = ["ccgrid", *words]
        sys.stdin = sys.__stdin__ = _standard_stream(0, "r", "strict")
        sys.stdout = sys.__stdout__ = _standard_stream(1, "w", "strict")
        sys.stderr = sys.__stderr__ = _standard_stream(2, "w", "backslashreplace")
        tempfile.tempdir = None
        keyboard = import_module("ccgrid.terminal.keyboard")
        vars(keyboard)["_ALL"] = 0.5  # The analysis of a game takes seconds, which no test needs.
        sys.dont_write_bytecode = True  # If the size of files is limited, truncated bytecode would be stored.
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.getsignal(number))  # Restore Python's handlers, which `subprocess` resets.
        atexit._clear()
        warnings.simplefilter("ignore")
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)  # Python does this before it exits.
        status = 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
    finally:
        try:
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
            sys.stdout.flush()
        finally:
            os._exit(status)  # This process must never continue with the tests.


def _standard_stream(number: int, mode: str, errors: str) -> Any:
    """Open a standard stream as Python does: None if its descriptor is closed."""
    try:
        return open(number, mode, 1, "utf-8", errors, closefd=False)
    except OSError:
        return None


class ProgramServer:
    """A server process that has loaded the program with additional packages, and forks for each command."""

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
        """Run a command and return its exit status and the text of both output streams."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        asked = [str(word) for word in words], str(folder), typed, {**self.environment, **environment}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        status, out, err = json.loads(self.process.stdout.readline())
        return status, out, err

    def close(self) -> None:
        try:
            self.process.communicate(timeout=240)
        finally:
            end(self.process)


def serve() -> None:
    """Run the commands from standard input, one per line, until it ends."""
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
                _run_forked(words, environment, lambda terminal: None)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            command = []
            for file in (out, err):
                file.seek(0)
                command.append(file.read().decode())
        print(json.dumps((status, *command)), flush=True)
