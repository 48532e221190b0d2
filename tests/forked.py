"""The program in a process that is forked from the tests, and so need not load what they have loaded already."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NoReturn

import pytest

from ccgrid.start import main


def at_terminal(
    words: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    folder: Path | None = None,
    columns: int = 80,
    lines: int = 24,
) -> Any:
    """The command with these words at a real terminal, in a process of its own."""
    pexpect = pytest.importorskip("pexpect", reason="needs a pseudo-terminal")  # which Windows has none of
    child = pexpect.spawn(
        *(sys.executable, ["-m", "ccgrid", *map(str, words)], 120),  # seconds for an answer: the machine may be busy
        cwd=folder,
        env=dict(environment),
        dimensions=(lines, columns),
        encoding="utf-8",
        preexec_fn=_instead(words, environment),
    )
    child.delaybeforesend = None  # who waits for a prompt need not wait again
    return child


def _instead(words: Sequence[str | Path], environment: Mapping[str, str]) -> Callable[[], None] | None:
    """What the new process does in place of starting Python, unless something here knows of another terminal."""
    return None if "readline" in sys.modules else partial(_carry_out, [str(word) for word in words], environment)


def _carry_out(words: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    os.closerange(3, 256)  # with these goes what tells the tests that the process has begun
    status = 1
    try:
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["ccgrid", *words]
        sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
        atexit._clear()
        warnings.simplefilter("ignore")
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)


class Served:
    """The program as it lies in a folder: a process that has loaded it all, and forks for each command."""

    def __init__(self, house: Path) -> None:
        self.environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(house), str(Path(__file__).parent)))}
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from forked import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.environment,
            cwd=house,
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
        self.process.communicate(timeout=60)


def serve() -> None:
    """Carries out the commands on standard input, a line each, until it ends."""
    for package in ("ccgrid", "catalog", "engine"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            with suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)
    for line in sys.stdin:
        words, folder, typed, environment = json.loads(line)
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(typed.encode())
            given.seek(0)
            if not (child := os.fork()):
                for number, file in enumerate((given, out, err)):
                    os.dup2(file.fileno(), number)
                os.chdir(folder)
                _carry_out(words, environment)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            told = []
            for file in (out, err):
                file.seek(0)
                told.append(file.read().decode())
        print(json.dumps((status, *told)), flush=True)
